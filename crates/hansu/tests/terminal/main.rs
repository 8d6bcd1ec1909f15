//! The terminal game as a program: driven through pipes, killed, resumed, given bad folders.

#![cfg(unix)]

mod bad;
mod computer;
mod driven;
mod killed;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// Timeout for an answer, far longer than on a busy machine; a hanging game fails the test.
const PATIENCE: Duration = Duration::from_secs(120);

const WHITE: &str = "백 기물을 움직여주세요.";
const BLACK: &str = "흑 기물을 움직여주세요.";

/// The closed Ruy Lopez: each move as it is typed and in notation.
const LINE: [(&str, &str); 20] = [
    ("e2 e4", "e4"),
    ("e7 e5", "e5"),
    ("g1 f3", "Nf3"),
    ("b8 c6", "Nc6"),
    ("f1 b5", "Bb5"),
    ("a7 a6", "a6"),
    ("b5 a4", "Ba4"),
    ("g8 f6", "Nf6"),
    ("e1 g1", "O-O"),
    ("f8 e7", "Be7"),
    ("f1 e1", "Re1"),
    ("b7 b5", "b5"),
    ("a4 b3", "Bb3"),
    ("d7 d6", "d6"),
    ("c2 c3", "c3"),
    ("e8 g8", "O-O"),
    ("h2 h3", "h3"),
    ("c6 a5", "Na5"),
    ("b3 c2", "Bc2"),
    ("c7 c5", "c5"),
];

/// The record after `plies` plies of [`LINE`].
fn record(plies: usize) -> String {
    let numbered = |(at, pair): (usize, &[(&str, &str)])| {
        let moves: Vec<&str> = pair.iter().map(|&(_, san)| san).collect();
        format!("{}. {}", at + 1, moves.join("\t"))
    };
    LINE[..plies].chunks(2).enumerate().map(numbered).collect::<Vec<_>>().join("\n")
}

fn hansu(arguments: &[&str], data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hansu"));
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        command.env_remove(name);
    }
    command.args(arguments).env("HANSU_DATA", data);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A finished run: exit status, standard output, standard error.
fn run(arguments: &[&str], data: &Path, typed: &str) -> (Option<i32>, String, String) {
    let mut child = hansu(arguments, data).spawn().expect("the binary runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that has stopped already reads nothing.
    let _ = stdin.write_all(typed.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A player over pipes that types nothing before the prompt.
struct Player {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Player {
    fn new(arguments: &[&str], data: &Path) -> Player {
        let mut child = hansu(arguments, data).spawn().expect("the binary runs");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Player { child, stdin, lines }
    }

    /// The next line of output; None at its end.
    fn line(&self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("the game hangs"),
        }
    }

    /// All lines up to a prompt, the prompt included.
    fn until_prompt(&self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.line() {
            let prompt = line == WHITE || line == BLACK;
            lines.push(line);
            if prompt {
                break;
            }
        }
        lines
    }

    fn type_line(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("the pipe is open");
        writeln!(stdin, "{text}").and_then(|()| stdin.flush()).expect("the game reads");
    }

    fn play(&mut self, text: &str) -> Vec<String> {
        self.type_line(text);
        self.until_prompt()
    }

    /// Closes the input; returns exit status and standard error.
    fn leave(mut self) -> (Option<i32>, String) {
        self.stdin = None;
        let output = self.child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    }
}
