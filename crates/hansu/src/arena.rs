//! `hansu arena`: a match between two engines.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Result, anyhow};
use clap::Args;
use hansu_arena::{Fault, Pace, PlayedGame, PlayerError, Series, Sprt, Tally, Verdict};
use hansu_chess::pgn::{GameResult, Ply, Record, Writer};
use hansu_engine::Signals;
use hansu_records::dates;
use hansu_words::{ArenaNote, Lang};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::INTERRUPTED;
use crate::why::languages;

/// Nodes a move without `--nodes` and `--time`.
const NODES: u64 = 5_000;

/// Without a terminal, progress is a line after this many pairs.
const PAIRS_PER_LINE: u64 = 20;

/// Let two engines play a match: levels of the computer, or other UCI programs
///
/// Players: own (full strength), hand (without the net), level:1 to level:10, a net's file, or
/// cmd:PROGRAM with options after commas. Each opening of 8 random plies that is even is played
/// twice, with both colours. A program that crashes, is silent, or oversteps its clock loses that
/// game and is started again. With --nodes the same match gives the same games on any machine.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu arena level:3 level:4
  hansu arena own \"cmd:stockfish,UCI_LimitStrength=true,UCI_Elo=2000\" --time 8+0.08
  hansu arena cmd:./new-engine cmd:./old-engine --nodes 10000 --sprt 0,5 --pgn games.pgn")]
pub(crate) struct Arena {
    /// The first player; the result is told for it
    a: String,

    /// The second player
    b: String,

    /// How many games at the most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,

    /// Nodes a move [default: 5000]; levels and go=… have their own limit
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// A clock instead: seconds for the game + seconds a move
    #[arg(long, value_name = "S+S", value_parser = pace)]
    time: Option<Pace>,

    /// End when it is decided (5 % errors) whether A is better by HIGH rather than by LOW Elo;
    /// without a value 0,5; a negative one as --sprt=-5,0
    #[arg(long, value_name = "LOW,HIGH", num_args = 0..=1, default_missing_value = "0,5", value_parser = test)]
    sprt: Option<Sprt>,

    /// Games at once; 0 takes all cores. With a clock every game needs a core of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,

    /// The openings follow from this number
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Append the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Write {"players":[…],"won":…,"drawn":…,"lost":…,"elo":…,…} instead of text
    #[arg(long)]
    json: bool,

    /// The language of the output [default: Korean in a Korean locale, else English]
    #[arg(long, value_parser = languages())]
    lang: Option<Lang>,
}

fn pace(text: &str) -> Result<Pace, &'static str> {
    text.parse().map_err(|()| "write seconds, as 8+0.08")
}

fn test(text: &str) -> Result<Sprt, &'static str> {
    text.parse().map_err(|()| "write two numbers, the lower one first, as 0,5")
}

impl Arena {
    pub(crate) fn run(&self, locale: Lang, out: &mut impl Write) -> Result<ExitCode> {
        let lang = self.lang.unwrap_or(locale);
        let signals = Arc::new(Signals::default());
        let seen = Arc::clone(&signals);
        // If no handler can be set, Ctrl-C ends the program at once.
        drop(ctrlc::set_handler(move || seen.stop.store(true, Ordering::Relaxed)));
        let series = Series {
            players: [&self.a, &self.b],
            pace: self.time.unwrap_or(Pace::Nodes(self.nodes.unwrap_or(NODES))),
            games: self.games,
            threads: match self.threads {
                0 => thread::available_parallelism().map_or(1, usize::from),
                some => usize::from(some),
            },
            seed: self.seed,
            test: self.sprt,
        };
        let progress = Progress::new(&series, lang)?;
        let writer = self.pgn.as_ref().map(|path| GameWriter::open(path, lang)).transpose()?;
        let each = |games: &[PlayedGame<'_>; 2], tally: &Tally| {
            if let Some(writer) = &writer
                && !writer.write(&series, games)
            {
                signals.stop.store(true, Ordering::Relaxed);
            }
            progress.show(tally);
        };
        let tally = series.run(&signals, &each).map_err(|error| refusal(&error, lang))?;
        progress.bar.finish_and_clear();
        if let Some(error) = writer.and_then(GameWriter::into_error) {
            return Err(error);
        }
        let interrupted = signals.stop.load(Ordering::Relaxed);
        if self.json {
            writeln!(out, "{}", to_json(&series, &tally))?;
        } else {
            for line in report(&series, &tally, lang) {
                writeln!(out, "{line}")?;
            }
            if interrupted {
                writeln!(out, "{}", lang.arena(ArenaNote::Interrupted))?;
            }
        }
        Ok(if interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
    }
}

/// The error of a player that cannot be made, as a sentence.
fn refusal(error: &PlayerError, lang: Lang) -> anyhow::Error {
    anyhow!(lang.arena(match error {
        PlayerError::Level(name) => ArenaNote::NoLevel(name),
        PlayerError::Net(name, why) => ArenaNote::NoNet(name, why),
        PlayerError::Start(program, why) => ArenaNote::NoProgram(program, why),
        PlayerError::NotUci(program) => ArenaNote::NotUci(program),
        PlayerError::Option(option) => ArenaNote::NoOption(option),
    }))
}

/// The progress of a match on standard error: a bar on a terminal, else a line now and then.
struct Progress<'a> {
    series: &'a Series<'a>,
    lang: Lang,
    bar: ProgressBar,
    /// True where a bar cannot be shown.
    lines: bool,
}

impl<'a> Progress<'a> {
    fn new(series: &'a Series<'a>, lang: Lang) -> Result<Progress<'a>> {
        let style = ProgressStyle::with_template("{prefix} {bar:24} {pos}/{len} {eta}  {msg}")?;
        let bar = ProgressBar::new(2 * series.games.div_ceil(2)).with_style(style);
        let bar = bar.with_prefix(lang.arena(ArenaNote::Games));
        Ok(Progress { series, lang, bar, lines: !io::stderr().is_terminal() })
    }

    fn show(&self, tally: &Tally) {
        let [wins, draws, losses] = tally.results;
        let mut text = format!("+{wins} ={draws} -{losses}");
        if let Some((elo, error)) = tally.pairs.elo() {
            text += &format!(", {elo:+.0} ± {error:.0} Elo");
        }
        if let Some(test) = self.series.test {
            text += &format!(", LLR {:.2}", test.ratio(&tally.pairs));
        }
        self.bar.set_message(text.clone());
        self.bar.set_position(tally.games());
        if self.lines && tally.pairs.count().is_multiple_of(PAIRS_PER_LINE) {
            let unit = self.lang.arena(ArenaNote::Games);
            // Nothing is left to do if even standard error is closed.
            let _ = writeln!(io::stderr(), "{} {unit}: {text}", tally.games());
        }
    }
}

/// Appends games to a PGN file.
struct GameWriter {
    name: String,
    lang: Lang,
    /// The file, or the error of the first write that failed.
    file: Mutex<Result<Writer<File>, io::Error>>,
}

impl GameWriter {
    fn open(path: &PathBuf, lang: Lang) -> Result<GameWriter> {
        let name = path.display().to_string();
        let file =
            File::options().create(true).append(true).open(path).map_err(|error| {
                anyhow!(lang.arena(ArenaNote::NoFile(&name, &error.to_string())))
            })?;
        Ok(GameWriter { name, lang, file: Mutex::new(Ok(Writer::new(file))) })
    }

    /// False if the games cannot be written.
    fn write(&self, series: &Series<'_>, games: &[PlayedGame<'_>; 2]) -> bool {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(writer) = &mut *file else { return false };
        let mut records = games.iter().map(|game| record(series, game));
        match records.try_for_each(|record| writer.write(&record)) {
            Ok(()) => true,
            Err(error) => {
                *file = Err(error);
                false
            }
        }
    }

    fn into_error(self) -> Option<anyhow::Error> {
        let file = self.file.into_inner().unwrap_or_else(PoisonError::into_inner);
        let why = file.err()?.to_string();
        Some(anyhow!(self.lang.arena(ArenaNote::NoFile(&self.name, &why))))
    }
}

/// A game as PGN has it.
fn record(series: &Series<'_>, game: &PlayedGame<'_>) -> Record {
    let mut record = Record {
        result: match game.ending.points {
            0 => GameResult::BlackWins,
            1 => GameResult::Draw,
            _ => GameResult::WhiteWins,
        },
        ..Record::default()
    };
    let termination = match game.ending.fault {
        None => "normal",
        Some(Fault::Time) => "time forfeit",
        Some(Fault::Illegal(_)) => "rules infraction",
        Some(Fault::Silent | Fault::Gone) => "abandoned",
    };
    let tags = [
        ("Event", "hansu arena"),
        ("Date", &dates::Day::of(dates::now()).pgn()),
        ("Round", &format!("{}.{}", game.pair + 1, 1 + usize::from(game.white == 1))),
        ("White", series.players[game.white]),
        ("Black", series.players[1 - game.white]),
        ("Termination", termination),
    ];
    for (name, value) in tags {
        // A name that PGN cannot hold is left out.
        let _ = record.tags.set(name, value);
    }
    let ply = |&step| Ply { step, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() };
    record.main.plies = game.moves.iter().map(ply).collect();
    record
}

/// The result of a match as lines of text.
fn report(series: &Series<'_>, tally: &Tally, lang: Lang) -> Vec<String> {
    let [first, second] = series.players;
    let percent = 100.0 * tally.pairs.score();
    let mut notes = vec![ArenaNote::Result { first, second, results: tally.results, percent }];
    if tally.games() > 0 {
        let elo =
            tally.pairs.elo().map_or(ArenaNote::NoElo, |(elo, error)| ArenaNote::Elo(elo, error));
        notes.extend([elo, ArenaNote::Pairs(tally.pairs.0)]);
    }
    if let Some(test) = series.test {
        let verdict = test.verdict(&tally.pairs).map(|verdict| verdict == Verdict::Accepted);
        let (bounds, ratio) = (test.bounds(), test.ratio(&tally.pairs));
        notes.push(ArenaNote::Test { bounds, ratio, verdict });
    }
    for (number, player) in series.players.into_iter().enumerate() {
        let faults = || tally.faults.iter().filter(|(loser, _)| *loser == number).map(|(_, f)| f);
        let count = |fault: &Fault| faults().filter(|other| *other == fault).count() as u64;
        let illegal: Vec<&str> = faults()
            .filter_map(|fault| match fault {
                Fault::Illegal(answer) => Some(answer.as_str()),
                _ => None,
            })
            .collect();
        let kinds = [
            (count(&Fault::Time), ArenaNote::LostOnTime as fn(_, _) -> _),
            (count(&Fault::Silent), ArenaNote::LostBySilence),
            (count(&Fault::Gone), ArenaNote::LostByEnding),
        ];
        let found = kinds.into_iter().filter(|(count, _)| *count > 0);
        notes.extend(found.map(|(count, note)| note(player, count)));
        if let [answer, ..] = illegal[..] {
            notes.push(ArenaNote::LostByIllegalMove(player, illegal.len() as u64, answer));
        }
    }
    notes.into_iter().map(|note| lang.arena(note)).collect()
}

/// The result of a match as JSON.
fn to_json(series: &Series<'_>, tally: &Tally) -> serde_json::Value {
    let [won, drawn, lost] = tally.results;
    let (elo, error) = tally.pairs.elo().unzip();
    let faults = |player| tally.faults.iter().filter(|(loser, _)| *loser == player).count();
    let test = series.test.map(|test| {
        let verdict = test.verdict(&tally.pairs).map(|verdict| verdict == Verdict::Accepted);
        json!({ "bounds": test.bounds(), "ratio": test.ratio(&tally.pairs), "accepted": verdict })
    });
    json!({
        "players": series.players,
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "pairs": tally.pairs.0,
        "elo": elo,
        "error": error,
        "sprt": test,
        "faults": [faults(0), faults(1)],
    })
}
