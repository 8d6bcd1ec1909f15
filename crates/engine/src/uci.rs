//! The Universal Chess Interface (UCI) over any reader and writer.
//!
//! Commands are read on the caller's thread and searches run on another, so that `stop`,
//! `ponderhit` and `isready` are answered at once. Unknown input is ignored.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hansu_chess::{Move, Position, UciMove, Variant, perft};

use crate::bench::{BENCH_DEPTH, bench};
use crate::engine::{Certainty, Engine, Progress, STACK, SearchResult, Settings};
use crate::evaluator::Evaluator;
use crate::limits::{Limits, Signals, SystemTime, TimeSource};
use crate::net::Net;
use crate::score::{Verdict, win_draw_loss};

/// The engine's name and version.
pub const NAME: &str = concat!("Hansu ", env!("CARGO_PKG_VERSION"));

const COMMANDS: [&str; 14] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "bench",
    "d",
    "eval",
];

const MOST_MEGABYTES: usize = 65_536;
const MOST_THREADS: usize = 256;
const MOST_LINES: usize = 256;
const MOST_OVERHEAD: u64 = 5_000;

/// Reads UCI commands and writes responses until `quit` or the end of the input.
///
/// # Errors
///
/// When the input cannot be read.
pub fn run_uci<R: BufRead, W: Write + Send + 'static>(
    mut input: R,
    output: W,
) -> std::io::Result<()> {
    let mut session = Session::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            session.end(session.waits);
            return Ok(());
        }
        // Invalid UTF-8 becomes replacement characters, which match no command.
        let text = String::from_utf8_lossy(&line);
        let words: Vec<&str> = text.split_whitespace().collect();
        if !session.execute(&words) {
            session.end(true);
            return Ok(());
        }
    }
}

/// The writer that all threads share; each writes whole lines.
struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Output<W> {
        Output(self.0.clone())
    }
}

impl<W: Write> Output<W> {
    /// Errors are ignored: the reader may have closed the pipe.
    fn write_line(&self, text: &str) {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(writer, "{text}");
        let _ = writer.flush();
    }
}

struct Session<W> {
    output: Output<W>,
    /// `None` while a search runs, and before the first one.
    engine: Option<Engine>,
    running: Option<JoinHandle<Engine>>,
    signals: Arc<Signals>,
    /// True if the running search waits for `stop` or `ponderhit` before it ends.
    waits: bool,
    settings: Settings,
    lines: usize,
    overhead: Duration,
    variant: Variant,
    shows_chances: bool,
    position: Position,
    /// Keys of the positions before `position` in the game.
    earlier: Vec<u64>,
}

impl<W: Write + Send + 'static> Session<W> {
    fn new(output: W) -> Session<W> {
        Session {
            output: Output(Arc::new(Mutex::new(output))),
            engine: None,
            running: None,
            signals: Arc::default(),
            waits: false,
            settings: Settings::default(),
            lines: 1,
            overhead: Duration::from_millis(20),
            variant: Variant::Standard,
            shows_chances: false,
            position: Position::start(),
            earlier: Vec::new(),
        }
    }

    /// Executes a line; returns false for `quit`. Words before the command are ignored, as the
    /// protocol demands.
    fn execute(&mut self, words: &[&str]) -> bool {
        let start = words.iter().position(|word| COMMANDS.contains(word)).unwrap_or(words.len());
        match &words[start..] {
            ["uci", ..] => self.identify(),
            ["isready", ..] => {
                if self.running.is_none() {
                    self.ensure_engine();
                }
                self.output.write_line("readyok");
            }
            ["ucinewgame", ..] => {
                self.finish();
                if let Some(engine) = &mut self.engine {
                    engine.clear();
                }
                (self.position, self.earlier) = (Position::start(), Vec::new());
            }
            ["setoption", rest @ ..] => self.set_option(rest),
            ["position", rest @ ..] => self.set_position(rest),
            ["go", "perft", depth, ..] => self.perft(depth),
            ["go", rest @ ..] => self.go(rest),
            ["stop", ..] => self.signals.stop.store(true, SeqCst),
            ["ponderhit", ..] => self.signals.pondering.store(false, SeqCst),
            ["quit", ..] => return false,
            ["bench", rest @ ..] => self.bench(rest),
            ["d", ..] => self.output.write_line(&self.position.fen()),
            ["eval", ..] => {
                let score = self.settings.evaluator.evaluate(&self.position);
                self.output.write_line(&format!("info string {score} for the side to move"));
            }
            _ => {}
        }
        true
    }

    fn identify(&self) {
        let lines = [
            format!("id name {NAME}"),
            "id author the Hansu developers".to_owned(),
            format!("option name Hash type spin default 16 min 1 max {MOST_MEGABYTES}"),
            format!("option name Threads type spin default 1 min 1 max {MOST_THREADS}"),
            format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"),
            format!("option name Move Overhead type spin default 20 min 0 max {MOST_OVERHEAD}"),
            "option name Ponder type check default false".to_owned(),
            "option name Clear Hash type button".to_owned(),
            "option name UCI_Chess960 type check default false".to_owned(),
            "option name UCI_ShowWDL type check default false".to_owned(),
            "option name EvalFile type string default <own>".to_owned(),
            "uciok".to_owned(),
        ];
        self.output.write_line(&lines.join("\n"));
    }

    fn set_option(&mut self, words: &[&str]) {
        let Some(words) = words.strip_prefix(&["name"]) else {
            return;
        };
        let split = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let name = words[..split].join(" ").to_ascii_lowercase();
        let value = words.get(split + 1..).unwrap_or(&[]).join(" ");
        let number = value.parse::<usize>().ok();
        let yes = value.eq_ignore_ascii_case("true");
        match (name.as_str(), number) {
            ("hash", Some(size)) => {
                self.settings.megabytes = size.clamp(1, MOST_MEGABYTES);
                self.drop_engine();
            }
            ("threads", Some(threads)) => {
                self.settings.threads = threads.clamp(1, MOST_THREADS);
                self.drop_engine();
            }
            ("multipv", Some(lines)) => self.lines = lines.clamp(1, MOST_LINES),
            ("move overhead", Some(time)) => {
                self.overhead = Duration::from_millis((time as u64).min(MOST_OVERHEAD));
            }
            ("clear hash", _) => {
                self.finish();
                if let Some(engine) = &mut self.engine {
                    engine.clear();
                }
            }
            ("uci_chess960", _) => {
                self.variant = if yes { Variant::Chess960 } else { Variant::Standard };
            }
            ("uci_showwdl", _) => self.shows_chances = yes,
            ("evalfile", _) => self.set_evaluator(&value),
            _ => {}
        }
    }

    fn set_evaluator(&mut self, value: &str) {
        let evaluator = match value {
            "" | "<own>" => Ok(Evaluator::best()),
            "hand" => Ok(Evaluator::Hand),
            file => std::fs::read(file)
                .map_err(|why| why.to_string())
                .and_then(|bytes| Net::from_bytes(&bytes).map_err(|why| why.to_string()))
                .map(|net| Evaluator::Net(Arc::new(net))),
        };
        match evaluator {
            Ok(evaluator) => {
                self.settings.evaluator = evaluator;
                self.drop_engine();
            }
            Err(why) => self.output.write_line(&format!("info string {value}: {why}")),
        }
    }

    /// Drops the engine; the next search makes one with the new settings.
    fn drop_engine(&mut self) {
        self.finish();
        self.engine = None;
    }

    /// Makes an engine if there is none.
    fn ensure_engine(&mut self) {
        if self.engine.is_none() {
            self.engine = Some(Engine::new(self.settings.clone()));
        }
    }

    /// Stops the running search, if any, and waits for its end.
    fn finish(&mut self) {
        self.signals.stop.store(true, SeqCst);
        self.join();
    }

    fn join(&mut self) {
        if let Some(running) = self.running.take() {
            self.engine = running.join().ok();
        }
    }

    fn end(&mut self, stop: bool) {
        if stop {
            self.signals.stop.store(true, SeqCst);
        }
        self.join();
    }

    fn set_position(&mut self, words: &[&str]) {
        let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (start, moves) = words.split_at(split);
        let position = match start {
            ["startpos", ..] => Position::start(),
            ["fen", fen @ ..] => {
                let text = fen.join(" ");
                // Chess960 positions are accepted even if UCI_Chess960 is not set.
                let variants = [self.variant, Variant::Standard, Variant::Chess960];
                match variants.into_iter().find_map(|one| Position::from_fen(&text, one).ok()) {
                    Some(position) => position,
                    None => return self.output.write_line("info string not a position"),
                }
            }
            _ => {
                return self.output.write_line("info string position startpos|fen FEN [moves ...]");
            }
        };
        self.position = position;
        self.earlier.clear();
        for word in moves.iter().skip(1) {
            let Some(step) = parse_legal(&self.position, word) else {
                return self
                    .output
                    .write_line(&format!("info string {word} is not legal, nor is what follows"));
            };
            self.earlier.push(self.position.key());
            self.position = self.position.play(step);
        }
    }

    fn perft(&self, depth: &str) {
        let depth = depth.parse::<u32>().unwrap_or(1).clamp(1, 12);
        for step in self.position.legal_moves() {
            let count = perft(&self.position.play(step), depth - 1);
            self.output.write_line(&format!("{}: {count}", step.uci(self.variant)));
        }
        self.output.write_line(&format!("\nNodes searched: {}", perft(&self.position, depth)));
    }

    fn bench(&mut self, words: &[&str]) {
        self.finish();
        let depth = words.first().and_then(|word| word.parse().ok()).unwrap_or(BENCH_DEPTH);
        let time = SystemTime::start();
        let nodes = bench(depth, self.settings.evaluator.clone());
        let speed = (nodes as f64 / time.now().as_secs_f64().max(1e-6)) as u64;
        self.output.write_line(&format!("{nodes} nodes {speed} nps"));
    }

    fn go(&mut self, words: &[&str]) {
        // A second `go` ends the first.
        self.finish();
        self.ensure_engine();
        let Some(mut engine) = self.engine.take() else {
            return;
        };
        let command = GoCommand::parse(words, &self.position);
        let limits = Limits { overhead: self.overhead, lines: self.lines, ..command.limits };
        self.signals = Arc::new(Signals::default());
        self.signals.pondering.store(command.ponder, SeqCst);
        self.waits = command.infinite || command.ponder;
        let reporter = Reporter {
            output: self.output.clone(),
            variant: self.variant,
            shows_chances: self.shows_chances,
            infinite: command.infinite,
        };
        let (signals, position, earlier) =
            (self.signals.clone(), self.position, std::mem::take(&mut self.earlier));
        self.earlier.clone_from(&earlier);
        let time = SystemTime::start();
        let search = move || {
            let report = &mut |progress: &Progress| reporter.progress(progress);
            reporter.answer(&position, &signals, || {
                engine.search(&position, &earlier, &limits, &signals, &time, report)
            });
            engine
        };
        match thread::Builder::new().stack_size(STACK).spawn(search) {
            Ok(running) => self.running = Some(running),
            Err(why) => {
                self.output.write_line(&format!("info string no thread: {why}"));
                let step = any_move(&self.position);
                self.output.write_line(&format!("bestmove {}", uci_or_null(step, self.variant)));
            }
        }
    }
}

/// Writes the progress and the result of a search.
struct Reporter<W> {
    output: Output<W>,
    variant: Variant,
    shows_chances: bool,
    infinite: bool,
}

impl<W: Write> Reporter<W> {
    fn progress(&self, news: &Progress) {
        let score = match Verdict::of(news.score) {
            Verdict::Centipawns(score) => format!("cp {score}"),
            Verdict::Mate(moves) => format!("mate {moves}"),
        };
        let certainty = match news.certainty {
            Certainty::Exact => "",
            Certainty::AtLeast => " lowerbound",
            Certainty::AtMost => " upperbound",
        };
        let chances = if self.shows_chances {
            let [win, draw, loss] = win_draw_loss(news.score);
            format!(" wdl {win} {draw} {loss}")
        } else {
            String::new()
        };
        let speed = (news.nodes as f64 / news.elapsed.as_secs_f64().max(1e-6)) as u64;
        let mut text = format!(
            "info depth {} seldepth {} multipv {} score {score}{chances}{certainty} nodes {} nps \
             {speed} hashfull {} time {} pv",
            news.depth,
            news.deepest,
            news.line,
            news.nodes,
            news.fullness,
            news.elapsed.as_millis(),
        );
        for step in &news.moves {
            text.push(' ');
            text.push_str(&step.uci(self.variant).to_string());
        }
        self.output.write_line(&text);
    }

    /// Searches and sends the result. A search that panics loses the engine, which the next one
    /// makes anew, but not the game: some legal move is sent.
    fn answer(
        &self,
        position: &Position,
        signals: &Signals,
        search: impl FnOnce() -> SearchResult,
    ) {
        match catch_unwind(AssertUnwindSafe(search)) {
            Ok(result) => self.result(&result, signals),
            Err(panic) => {
                self.output.write_line("info string the search has failed");
                let best = any_move(position);
                let result = SearchResult { best, reply: None, score: 0, depth: 0, nodes: 0 };
                self.result(&result, signals);
                resume_unwind(panic)
            }
        }
    }

    fn result(&self, result: &SearchResult, signals: &Signals) {
        // An infinite or pondering search sends no `bestmove` before `stop` or `ponderhit`.
        while !signals.stop.load(SeqCst) && (self.infinite || signals.pondering.load(SeqCst)) {
            thread::sleep(Duration::from_millis(1));
        }
        if result.best.is_none() {
            let score = if result.score == 0 { "cp 0" } else { "mate 0" };
            self.output.write_line(&format!("info depth 0 score {score}"));
        }
        let best = uci_or_null(result.best, self.variant);
        self.output.write_line(&match result.reply {
            Some(reply) => format!("bestmove {best} ponder {}", reply.uci(self.variant)),
            None => format!("bestmove {best}"),
        });
    }
}

fn uci_or_null(step: Option<Move>, variant: Variant) -> String {
    step.map_or_else(|| "0000".to_owned(), |step| step.uci(variant).to_string())
}

fn any_move(position: &Position) -> Option<Move> {
    position.legal_moves().first().copied()
}

fn parse_legal(position: &Position, word: &str) -> Option<Move> {
    word.parse::<UciMove>().ok()?.to_move(position).ok()
}

/// A parsed `go` command.
struct GoCommand {
    limits: Limits,
    infinite: bool,
    ponder: bool,
}

impl GoCommand {
    fn parse(words: &[&str], position: &Position) -> GoCommand {
        let mut command = GoCommand { limits: Limits::default(), infinite: false, ponder: false };
        let limits = &mut command.limits;
        let us = position.turn().letter();
        let mut rest = words;
        while let [word, tail @ ..] = rest {
            rest = tail;
            let number = tail.first().and_then(|text| text.parse::<i64>().ok());
            // A GUI may send a negative clock.
            let count = number.map(|number| number.max(0) as u64);
            let time = count.map(Duration::from_millis);
            match (*word, count) {
                ("infinite", _) => command.infinite = true,
                ("ponder", _) => command.ponder = true,
                ("wtime", Some(_)) if us == 'w' => limits.clock.left = time,
                ("btime", Some(_)) if us == 'b' => limits.clock.left = time,
                ("winc", Some(_)) if us == 'w' => {
                    limits.clock.increment = time.unwrap_or_default();
                }
                ("binc", Some(_)) if us == 'b' => {
                    limits.clock.increment = time.unwrap_or_default();
                }
                ("movestogo", Some(moves)) => limits.moves_to_go = Some(moves.min(1000) as u32),
                ("movetime", Some(_)) => limits.move_time = time,
                ("depth", Some(depth)) => limits.depth = Some(depth.min(1000) as u32),
                ("nodes", Some(nodes)) => limits.nodes = Some(nodes.max(1)),
                ("mate", Some(moves)) => limits.mate = Some(moves.min(1000) as u32),
                ("searchmoves", _) => {
                    limits.only =
                        tail.iter().map_while(|word| parse_legal(position, word)).collect();
                    rest = &tail[limits.only.len()..];
                }
                _ => {}
            }
        }
        let limited = limits.clock.left.is_some()
            || limits.move_time.is_some()
            || limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some();
        command.infinite |= !limited && !command.ponder;
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_panics_still_answers() {
        let output = Output(Arc::new(Mutex::new(Vec::new())));
        let reporter = Reporter {
            output: output.clone(),
            variant: Variant::Standard,
            shows_chances: false,
            infinite: false,
        };
        let panic = catch_unwind(AssertUnwindSafe(|| {
            let broken = || panic!("on purpose");
            reporter.answer(&Position::start(), &Signals::default(), broken);
        }));
        assert!(panic.is_err());
        let text = String::from_utf8(output.0.lock().expect("open").clone()).expect("text");
        let [.., _, last] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
        let step =
            last.strip_prefix("bestmove ").and_then(|word| parse_legal(&Position::start(), word));
        assert!(step.is_some(), "{text}");
    }
}
