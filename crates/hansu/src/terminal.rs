//! `hansu` without a command, and `hansu resume`: the terminal game.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use hansu_chess::{Color, Position};
use hansu_computer::Opponent;
use hansu_console::{
    BoardStyle, Console, ConversationEnd, Ink, Input, KeptGame, Options, ResumeError, converse,
    newest_unfinished, resume_error_text,
};
use hansu_play::{Command, Computer, Sides, Source, Start, State};
use hansu_records::{Error, GameId, SqliteStore, Store, data_dir, log_file};
use hansu_words::Lang;

use crate::INTERRUPTED;
use crate::log_error::log_error;
use crate::start::{self, quoted};
use crate::why::languages;

/// PGN's name for an unnamed player.
const UNNAMED: &str = "?";

/// The terminal game.
#[derive(Args)]
#[command(next_help_heading = "The terminal game (hansu without a command)")]
pub(crate) struct Play {
    #[command(flatten)]
    look: Look,

    #[command(flatten)]
    start: start::Start,

    /// White's name
    #[arg(long, value_name = "NAME")]
    white: Option<String>,

    /// Black's name
    #[arg(long, value_name = "NAME")]
    black: Option<String>,

    /// Play against the computer at a level from 1 (for a first game) to 10
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=10))]
    computer: Option<u8>,

    /// The side to play against the computer
    #[arg(
        long = "as",
        value_name = "white|black",
        default_value = "white",
        hide_possible_values = true,
        requires = "computer"
    )]
    own: Side,

    /// The computer resigns a lost game instead of playing to the end
    #[arg(long, requires = "computer")]
    resigns: bool,

    /// Keep nothing of the game
    #[arg(long, conflicts_with = "data")]
    no_record: bool,
}

/// Go on with an unfinished terminal game
///
/// Says which game it is, shows the board and asks the side to move. A game is kept from its
/// first move on and can be gone on with after the input ended, the terminal was closed or the
/// program was killed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu resume
  hansu resume 3fK2 --board pretty --why")]
pub(crate) struct Resume {
    /// The first letters of the game's ID [default: the newest unfinished game]
    #[arg(value_name = "ID")]
    id: Option<String>,

    #[command(flatten)]
    look: Look,
}

#[derive(Args)]
pub(crate) struct Look {
    /// How the board is drawn
    #[arg(long, value_name = "STYLE", default_value = "plain")]
    board: Board,

    /// Say why a move is refused
    #[arg(long)]
    why: bool,

    /// The language of the game
    #[arg(long, default_value = "ko", value_parser = languages())]
    lang: Lang,

    /// The folder of the log [default: HANSU_DATA, else the system's]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    White,
    Black,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Board {
    Plain,
    Pretty,
}

impl Play {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<ExitCode> {
        let Play { look, start, white, black, computer, own, resigns, no_record } = self;
        let lang = look.lang;
        let fen = start.given(lang)?.map(|position| position.fen());
        let computer = computer.map(|level| Computer {
            side: if own == Side::White { Color::Black } else { Color::White },
            level,
            resigns,
        });
        let name = |given: Option<String>, side| {
            given.unwrap_or_else(|| match computer {
                Some(computer) if computer.side == side => lang.level(computer.level).to_owned(),
                _ => UNNAMED.to_owned(),
            })
        };
        let start = Start {
            names: Sides { white: name(white, Color::White), black: name(black, Color::Black) },
            variant: start.variant(),
            fen,
            source: if computer.is_some() { Source::Computer } else { Source::Terminal },
            computer,
            ..Start::between(UNNAMED, UNNAMED)
        };
        let begin = |log| {
            KeptGame::start(&start, log)
                .map_err(|why| anyhow!(lang.play_refusal(why, &Position::start())))
        };
        // Bad names and positions are reported before a log is opened.
        let mut game = begin(None)?;
        if !no_record {
            let opened = look.open().and_then(|store| Ok((store, GameId::random()?)));
            game = match opened {
                Ok(log) => begin(Some(log))?,
                Err(error) => return Ok(report_unusable_log(error, lang)),
            };
        }
        let mut console = with_computer(Console::new(game, look.options()));
        let greeting = console.greeting();
        run_console(&mut console, &greeting, out)
    }
}

impl Resume {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<ExitCode> {
        let Resume { id, look } = self;
        let lang = look.lang;
        let found = look.open().map_err(ResumeError::from).and_then(|store| {
            let name = match &id {
                Some(name) => name.clone(),
                None => newest_unfinished(store.as_ref())?.to_string(),
            };
            KeptGame::resume(store, &name)
        });
        let game = match (found, &id) {
            (Ok(game), _) => game,
            (Err(ResumeError::Log(error)), _) => {
                complain(&log_error(error, lang));
                return Ok(ExitCode::FAILURE);
            }
            (Err(why), Some(id)) => {
                return Err(anyhow!("{}: {}", quoted(id), resume_error_text(why, lang)));
            }
            (Err(why), None) => return Err(anyhow!(resume_error_text(why, lang))),
        };
        let mut console = with_computer(Console::new(game, look.options()));
        let greeting = console.resume_greeting();
        run_console(&mut console, &greeting, out)
    }
}

impl Look {
    pub(crate) fn open(&self) -> Result<Arc<dyn Store>, Error> {
        Ok(Arc::new(SqliteStore::open(&log_file(&self.folder()?))?))
    }

    /// The data folder.
    pub(crate) fn folder(&self) -> Result<PathBuf, Error> {
        data_dir(self.data.clone(), std::env::var_os("HANSU_DATA"))
    }

    pub(crate) fn lang(&self) -> Lang {
        self.lang
    }

    pub(crate) fn options(&self) -> Options {
        let board = match self.board {
            Board::Plain => BoardStyle::Plain,
            Board::Pretty => BoardStyle::Pretty(ink()),
        };
        Options { lang: self.lang, board, why: self.why }
    }
}

/// Colours on a terminal, unless `NO_COLOR` is set (no-color.org) or `TERM` is `dumb`.
pub(crate) fn ink() -> Ink {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if io::stdout().is_terminal() && !refused && !dumb { Ink::Colour } else { Ink::Plain }
}

/// The computer player of a game in this process.
pub(crate) struct ComputerPlayer {
    opponent: Opponent,
    level: u8,
    seed: u64,
}

impl ComputerPlayer {
    pub(crate) fn new(level: u8) -> ComputerPlayer {
        ComputerPlayer {
            opponent: Opponent::default(),
            level,
            seed: RandomState::new().hash_one(0),
        }
    }

    /// Chooses a move, or resigns where it may; None if there is no legal move.
    pub(crate) fn choose(&mut self, state: &State) -> Option<Command> {
        let game = state.game();
        let computer = state.start().and_then(|start| start.computer);
        if computer.is_some_and(|own| own.resigns) && self.opponent.resigns(game) {
            return Some(Command::Resign);
        }
        let step = self.opponent.choose(game, self.level, self.seed)?;
        Some(Command::Move { uci: step.uci(game.variant()) })
    }

    /// Returns true if the computer accepts a draw.
    pub(crate) fn takes_draw(&mut self, state: &State) -> bool {
        self.opponent.takes_draw(state.game())
    }
}

/// Lets the computer play its side, if the game has a computer player.
fn with_computer(console: Console) -> Console {
    let Some(computer) = console.game().state().start().and_then(|start| start.computer) else {
        return console;
    };
    let mut player = ComputerPlayer::new(computer.level);
    let choose = move |state: &State| player.choose(state);
    console.against(computer.side, Box::new(choose))
}

fn run_console(console: &mut Console, greeting: &str, out: &mut impl Write) -> Result<ExitCode> {
    let person = io::stdin().is_terminal() && io::stdout().is_terminal();
    let input = if person { Input::person()? } else { Input::Plain(io::stdin().lock()) };
    Ok(match converse(console, greeting, input, out, &mut io::stderr())? {
        ConversationEnd::GameOver | ConversationEnd::NoMoreLines => ExitCode::SUCCESS,
        ConversationEnd::Interrupted => ExitCode::from(INTERRUPTED),
    })
}

/// Reports that the log cannot be used. No game begins then, unless `--no-record` is given.
fn report_unusable_log(error: Error, lang: Lang) -> ExitCode {
    complain(&unusable_log_text(error, lang));
    ExitCode::FAILURE
}

/// Why no game begins, and which options help.
pub(crate) fn unusable_log_text(error: Error, lang: Lang) -> String {
    let why = hansu_journal::log_error(error, lang);
    match lang {
        Lang::Ko => format!(
            "{why} 다른 폴더를 쓰려면 --data DIR, 기록하지 않고 두려면 --no-record를 붙여 주세요."
        ),
        Lang::En => {
            format!("{why} To use another folder add --data DIR, or play with --no-record.")
        }
    }
}

/// Writes one line to standard error.
fn complain(text: &str) {
    // Nothing is left to do if even standard error is closed.
    let _ = writeln!(io::stderr(), "error: {text}");
}
