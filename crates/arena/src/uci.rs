//! Another program that plays by UCI: started, asked, and given up when it does not answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use hansu_engine::Signals;

use crate::player::PlayerError;

/// A program has this long to say that it is there, or that it is ready for a game.
const READY_WITHIN: Duration = Duration::from_secs(30);

/// After `quit` a program is ended by force when this has passed.
const QUIT_WITHIN: Duration = Duration::from_millis(50);

/// How often a wait looks whether the match was stopped.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Longer lines are cut: a program that writes without a newline fills no memory.
const LONGEST_LINE: u64 = 64 * 1024;

/// A program that writes more lines than this without being read waits.
const MOST_LINES: usize = 1024;

/// Why a player lost a game that was not lost on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It overstepped its clock.
    Time,
    /// It did not answer.
    Silent,
    /// It ended, or closed its output.
    Gone,
    /// It answered this instead of a legal move.
    Illegal(String),
}

/// Why a player has not moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The player loses by it.
    Fault(Fault),
    /// The match was stopped.
    Stopped,
}

/// What a program answered to `go`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct UciReply {
    /// The word after `bestmove`.
    pub best: String,
    /// Its last score, in hundredths of a pawn; ±30,000 for a mate.
    pub score: i32,
    /// The last number of nodes that it wrote.
    pub nodes: u64,
}

/// A program that speaks UCI.
pub struct UciEngine {
    child: Child,
    to: ChildStdin,
    lines: Receiver<String>,
    /// Replaces the `go` command of the match's limit: `go depth 6`.
    pub(crate) go: Option<String>,
}

impl UciEngine {
    /// Starts a program: the command line, then options after commas
    /// (`stockfish,UCI_LimitStrength=true,UCI_Elo=2000,go=depth 6`).
    ///
    /// # Errors
    ///
    /// If it cannot be started, does not speak UCI, or an option has no value.
    pub fn start(command: &str) -> Result<UciEngine, PlayerError> {
        let mut parts = command.split(',');
        let program = parts.next().unwrap_or_default();
        let mut words = program.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        // Ctrl-C ends the match, not the programs in the middle of their games.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| PlayerError::Start(program.to_owned(), error.to_string()))?;
        let (Some(to), Some(mut from)) =
            (child.stdin.take(), child.stdout.take().map(BufReader::new))
        else {
            return Err(PlayerError::NotUci(program.to_owned()));
        };
        let (sender, lines) = sync_channel(MOST_LINES);
        // The thread ends when the program closes its output, or with the next line after this
        // engine is dropped.
        std::thread::spawn(move || {
            while let Some(line) = read_line(&mut from) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut engine = UciEngine { child, to, lines, go: None };
        let signals = Signals::default();
        engine
            .send("uci")
            .and_then(|()| engine.wait_for("uciok", READY_WITHIN, &signals, &mut |_| ()))
            .map_err(|_| PlayerError::NotUci(program.to_owned()))?;
        for option in parts {
            match option.split_once('=') {
                Some(("go", limit)) => engine.go = Some(format!("go {limit}")),
                // What a program that has ended answers is seen at the first game.
                Some((name, value)) => {
                    drop(engine.send(&format!("setoption name {name} value {value}")));
                }
                None => return Err(PlayerError::Option(option.to_owned())),
            }
        }
        Ok(engine)
    }

    fn send(&mut self, text: &str) -> Result<(), Halt> {
        let sent = writeln!(self.to, "{text}").and_then(|()| self.to.flush());
        sent.map_err(|_| Halt::Fault(Fault::Gone))
    }

    /// Shows `each` the lines up to one that begins with the word `last`, and returns that one.
    fn wait_for(
        &mut self,
        last: &str,
        within: Duration,
        signals: &Signals,
        each: &mut dyn FnMut(&[&str]),
    ) -> Result<String, Halt> {
        let begin = Instant::now();
        loop {
            let line = match self.lines.recv_timeout(LOOK_EVERY) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => String::new(),
                Err(RecvTimeoutError::Disconnected) => return Err(Halt::Fault(Fault::Gone)),
            };
            let words: Vec<&str> = line.split_whitespace().collect();
            each(&words);
            if words.first() == Some(&last) {
                return Ok(line);
            }
            if signals.stop.load(Relaxed) {
                return Err(Halt::Stopped);
            }
            if begin.elapsed() > within {
                return Err(Halt::Fault(Fault::Silent));
            }
        }
    }

    /// Begins a game.
    ///
    /// # Errors
    ///
    /// If the program has ended or does not answer, or the match was stopped.
    pub fn begin_game(&mut self, signals: &Signals) -> Result<(), Halt> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.wait_for("readyok", READY_WITHIN, signals, &mut |_| ()).map(drop)
    }

    /// Asks for a move: `position …` and `go …`, and the answer to them.
    ///
    /// # Errors
    ///
    /// If the program has ended or does not answer in this time, or the match was stopped.
    pub fn search(
        &mut self,
        position: &str,
        go: &str,
        within: Duration,
        signals: &Signals,
    ) -> Result<UciReply, Halt> {
        self.send(position)?;
        self.send(go)?;
        let mut reply = UciReply::default();
        let line =
            self.wait_for("bestmove", within, signals, &mut |words| read_info(words, &mut reply))?;
        reply.best = line.split_whitespace().nth(1).unwrap_or_default().to_owned();
        Ok(reply)
    }
}

/// A line without its end; `None` after the last one. Bytes that are not UTF-8 are replaced.
fn read_line(from: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = from.take(LONGEST_LINE).read_until(b'\n', &mut bytes).ok()?;
    (read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads score and nodes from the words of an `info` line.
fn read_info(words: &[&str], reply: &mut UciReply) {
    let after = |name: &str| words.iter().position(|&word| word == name).map(|at| &words[at + 1..]);
    if let Some([kind, number, ..]) = after("score") {
        reply.score = match (*kind, number.parse::<i32>()) {
            ("cp", Ok(number)) => number.clamp(-30_000, 30_000),
            ("mate", Ok(number)) => 30_000 * number.signum(),
            _ => reply.score,
        };
    }
    if let Some([number, ..]) = after("nodes") {
        reply.nodes = number.parse().unwrap_or(reply.nodes);
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        drop(self.send("quit"));
        let begin = Instant::now();
        while begin.elapsed() < QUIT_WITHIN {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> UciReply {
        let mut reply = UciReply::default();
        read_info(&line.split_whitespace().collect::<Vec<_>>(), &mut reply);
        reply
    }

    #[test]
    fn scores_and_nodes_are_read_from_any_line() {
        let reply = read("info depth 3 score cp -31 nodes 4711 pv e2e4");
        assert_eq!((reply.score, reply.nodes), (-31, 4711));
        assert_eq!(read("info score mate -2").score, -30_000);
        assert_eq!(read("info score cp -2147483648").score, -30_000);
        for odd in ["", "score", "info score", "info score cp", "info score cp x nodes", "nodes -1"]
        {
            assert_eq!(read(odd), UciReply::default(), "{odd}");
        }
    }

    #[test]
    fn a_line_without_an_end_is_cut() {
        let endless = vec![b'x'; 3 * LONGEST_LINE as usize];
        let mut from = BufReader::new(&endless[..]);
        let lengths: Vec<usize> =
            std::iter::from_fn(|| read_line(&mut from)).map(|line| line.len()).collect();
        assert_eq!(lengths, [LONGEST_LINE as usize; 3]);
    }

    #[test]
    fn what_does_not_speak_uci_is_an_error() {
        let missing = UciEngine::start("/no/such/program").err();
        assert!(
            matches!(missing, Some(PlayerError::Start(program, _)) if program == "/no/such/program")
        );
        // It ends at once.
        assert!(matches!(UciEngine::start("true").err(), Some(PlayerError::NotUci(_))));
        assert!(matches!(UciEngine::start("").err(), Some(PlayerError::Start(..))));
    }
}
