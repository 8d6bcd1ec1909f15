//! `hansu board`: the board that fills the terminal.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use clap::Args;
use hansu_chess::Color;
use hansu_computer::SHORTEST;
use hansu_console::Depth;
use hansu_console::screen::{
    App, Effect, Helpers, Input, Question, Reports, Settings, Terminal, ThinkRequest,
    against_computer, run,
};
use hansu_play::{Command, Computer, Offer, State, TimeControl};
use hansu_records::{Error, SqliteStore, Store, data_dir, log_file};
use hansu_words::{Lang, Screen};

use crate::network;
use crate::remote::random_mark;
use crate::terminal::{ComputerPlayer, Look};
use crate::why::languages;

/// The settings file in the data folder.
const SETTINGS: &str = "board.conf";

/// Play on a board that fills the terminal: two here, against the computer or on a server
///
/// Arrows, hjkl, mouse or typed moves (e2e4, Nf3); ? shows all keys. A game is kept from its first
/// move on. With a LINK (http://…/join/… or http://…/game/…) the board goes there at once.
///
/// 터미널 가득한 체스판이에요. 방향키, hjkl, 마우스로 두거나 수를 입력해요(e2e4, Nf3). ?를 누르면
/// 단축키를 볼 수 있어요.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu board
  hansu board --computer 3
  hansu board http://192.168.0.7:8080/join/4707d5d141ef5e3835a20d7b0c90399d --name Jun")]
pub(crate) struct Board {
    /// A link to go to [default: the menu]
    #[arg(value_name = "LINK")]
    link: Option<String>,

    /// Your name
    #[arg(id = "board-name", long = "name", value_name = "NAME")]
    name: Option<String>,

    /// Begin against the computer at a level from 1 to 10
    #[arg(
        id = "board-computer",
        long = "computer",
        value_name = "LEVEL",
        conflicts_with = "link",
        value_parser = clap::value_parser!(u8).range(1..=10)
    )]
    computer: Option<u8>,

    /// The computer resigns a lost game instead of playing to the end
    #[arg(id = "board-resigns", long = "resigns", requires = "board-computer")]
    resigns: bool,

    /// The language [default: as last chosen, else Korean in a Korean locale, else English]
    #[arg(id = "board-lang", long = "lang", value_name = "LANG", value_parser = languages())]
    lang: Option<Lang>,

    /// The folder of the log [default: HANSU_DATA, else the system's]
    #[arg(id = "board-data", long = "data", value_name = "DIR")]
    data: Option<PathBuf>,

    /// Keep nothing of the games
    #[arg(id = "board-no-record", long = "no-record", conflicts_with = "board-data")]
    no_record: bool,
}

impl Board {
    pub(crate) fn run(self, locale: Lang) -> Result<()> {
        let folder = data_dir(self.data, std::env::var_os("HANSU_DATA"));
        let mut settings = load_settings(&folder, locale);
        settings.lang = self.lang.unwrap_or(settings.lang);
        settings.name = self.name.unwrap_or(settings.name);
        let (lang, name) = (settings.lang, settings.name.clone());
        if !is_terminal() {
            return Err(anyhow!(lang.screen(Screen::NeedsTerminal)));
        }
        let log = if self.no_record { None } else { Some(open_log(&folder, lang)?) };
        let mut app = App::new(settings, detect_terminal(), log, &random_mark()?);
        let first = match (self.link, self.computer) {
            (Some(link), _) => app.open_link(&link, &name),
            (None, Some(level)) => {
                let name = if name.is_empty() { "?" } else { &name };
                let computer = Computer { side: Color::Black, level, resigns: self.resigns };
                let start = against_computer(computer, name, TimeControl::Unlimited, lang);
                app.begin(start, hansu_journal::now())
            }
            (None, None) => Vec::new(),
        };
        run_app(&mut app, first, folder, lang)
    }
}

/// Returns true if a command opens the board instead of working line by line.
pub(crate) fn is_wanted(lines: bool) -> bool {
    !lines && is_terminal()
}

/// Opens the board for another command; `begin` opens its first page.
pub(crate) fn open(look: &Look, begin: impl FnOnce(&mut App) -> Vec<Effect>) -> Result<()> {
    let (folder, lang) = (look.folder(), look.lang());
    let mut settings = load_settings(&folder, lang);
    settings.lang = lang;
    // Games on a server are stored there, so a log that fails to open does not matter.
    let log = look.open().ok();
    let mut app = App::new(settings, detect_terminal(), log, &random_mark()?);
    let first = begin(&mut app);
    run_app(&mut app, first, folder, lang)
}

fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

fn open_log(folder: &Result<PathBuf, Error>, lang: Lang) -> Result<std::sync::Arc<dyn Store>> {
    let opened = folder.clone().and_then(|folder| SqliteStore::open(&log_file(&folder)));
    match opened {
        Ok(store) => Ok(std::sync::Arc::new(store)),
        Err(error) => Err(anyhow!(crate::terminal::unusable_log_text(error, lang))),
    }
}

fn run_app(
    app: &mut App,
    first: Vec<Effect>,
    folder: Result<PathBuf, Error>,
    lang: Lang,
) -> Result<()> {
    let file = folder.as_ref().ok().map(|folder| folder.join(SETTINGS));
    run(app, first, |reports| Helpers {
        think: Box::new(thinker(reports.clone())),
        network: Box::new(network::start(reports, folder, lang)),
        save: Box::new(move |settings| {
            // A failure to save the settings does not stop a game.
            let _ = file.as_ref().map(|file| std::fs::write(file, settings.to_text()));
        }),
    })?;
    if let Some(address) = app.unfinished() {
        writeln!(io::stdout(), "{}", lang.screen_back(address))?;
    }
    Ok(())
}

fn load_settings(folder: &Result<PathBuf, Error>, lang: Lang) -> Settings {
    let mut settings = Settings::new(lang);
    let file = folder.as_ref().ok().map(|folder| folder.join(SETTINGS));
    if let Some(text) = file.and_then(|file| std::fs::read_to_string(file).ok()) {
        settings.read(&text);
    }
    settings
}

/// What the terminal can show, according to the environment.
fn detect_terminal() -> Terminal {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = variable("LC_ALL").or(variable("LC_CTYPE")).or(variable("LANG"));
    let is_utf8 = locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    // The fonts of the Linux console and of VT terminals have no chess pieces.
    let has_figures =
        variable("TERM").is_none_or(|term| term != "linux" && !term.starts_with("vt"));
    Terminal { depth: Depth::of_terminal(variable), is_unicode: is_utf8 && has_figures }
}

/// How long the player waits for an answer of the computer.
fn pause(question: Question, state: &State) -> Duration {
    Duration::from_millis(match question {
        Question::Move => {
            let draw = RandomState::new().hash_one(state.seq());
            let left = state.clocks().map(|clocks| clocks[state.turn()].0);
            hansu_computer::pause(state.game(), draw, left)
        }
        Question::Draw => SHORTEST,
    })
}

/// Starts the thread on which the computer thinks, and returns a function that hands questions to it.
fn thinker(reports: Reports) -> impl FnMut(ThinkRequest) {
    let (sender, questions) = mpsc::channel();
    // If the thread cannot start, the computer never answers; the player can still resign.
    let _ = std::thread::Builder::new()
        .name("computer".to_owned())
        .stack_size(16 << 20)
        .spawn(move || think(&questions, &reports));
    move |thinking| {
        let _ = sender.send(thinking);
    }
}

fn think(questions: &Receiver<ThinkRequest>, reports: &Reports) {
    let mut player: Option<(u8, ComputerPlayer)> = None;
    let mut newer = None;
    while let Some(request) = newer.take().or_else(|| questions.recv().ok()) {
        let ThinkRequest { game, seq, question, state, level } = request;
        let begun = Instant::now();
        if player.as_ref().is_none_or(|(own, _)| *own != level) {
            player = Some((level, ComputerPlayer::new(level)));
        }
        let Some((_, own)) = &mut player else { continue };
        let thought = catch_unwind(AssertUnwindSafe(|| match question {
            Question::Move => own.choose(&state),
            Question::Draw if own.takes_draw(&state) => {
                Some(Command::Accept { what: Offer::Draw, next: None })
            }
            Question::Draw => Some(Command::Decline { what: Offer::Draw }),
        }));
        // A player that panicked is not used again.
        let command = thought.unwrap_or_else(|_| {
            player = None;
            None
        });
        // A new question comes after another event: the answer to this one is not wanted any more.
        let rest = pause(question, &state).saturating_sub(begun.elapsed());
        newer = questions.recv_timeout(rest).ok();
        if newer.is_some() {
            continue;
        }
        if !reports.send(Input::Thought { game, seq, command }) {
            return;
        }
    }
}
