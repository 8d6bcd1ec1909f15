//! Black-box tests of `hansu games`: the built binary over a log of its own.

mod analyses;
mod changes;
mod files;
mod lists;
mod replays;
mod shows;
mod statistics;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Three good games and a broken one; each is told apart by its players and month.
const CLUB: &str = r#"[Event "Club"]
[White "Mina"]
[Black "Jun"]
[Date "2026.01.10"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Club"]
[White "김민아"]
[Black "박준서"]
[Date "2026.02.11"]
[Result "1/2-1/2"]
[Termination "normal"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2

[White "Jun"]
[Black "Mina"]
[Date "2026.02.12"]
[Result "1-0"]

1. e4 e5 2. Ke3 1-0

[White "Jun"]
[Black "Mina"]
[Date "2026.02.13"]
[Result "1-0"]
[Termination "time forfeit"]
[TimeControl "300+2"]

1. e4 {[%clk 0:04:58]} c5 {[%clk 0:04:55]} 2. Nf3 {[%clk 0:04:50]} d6 {[%clk 0:04:20]} 1-0
"#;

/// Output and exit status of a run.
#[derive(Debug)]
struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    /// The output of a successful run.
    fn answer(self) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "{self:?}");
        self.stdout
    }

    fn json(self) -> Value {
        serde_json::from_str(&self.answer()).expect("JSON")
    }

    /// The one line on standard error of a run with this exit status.
    fn complaint(self, status: i32) -> String {
        assert_eq!((self.status, self.stdout.as_str()), (status, ""), "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        let line = self.stderr.trim_end();
        line.strip_prefix("error: ").unwrap_or_else(|| panic!("no error: {line}")).to_owned()
    }
}

/// A log in a temporary folder.
struct Log {
    folder: TempDir,
    locale: &'static str,
}

impl Log {
    fn empty() -> Log {
        Log { folder: TempDir::new().expect("a folder"), locale: "C" }
    }

    /// A log with the three good games of [`CLUB`].
    fn club() -> Log {
        let log = Log::empty();
        let run = log.run_with(&["import", "-"], CLUB);
        assert_eq!(run.status, 1, "{run:?}");
        log
    }

    fn korean(mut self) -> Log {
        self.locale = "ko_KR.UTF-8";
        self
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hansu"));
        command.env("LC_ALL", self.locale).env("HANSU_DATA", self.data()).env_remove("NO_COLOR");
        command.arg("games");
        command
    }

    fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, "")
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        finish(self.command().args(arguments), input)
    }

    /// A file beside the log.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    }

    fn games(&self, arguments: &[&str]) -> Vec<Value> {
        let all = [&["list", "--json"], arguments].concat();
        self.run(&all).json().as_array().expect("an array").clone()
    }

    /// The ID of the one game that passes.
    fn id(&self, arguments: &[&str]) -> String {
        let games = self.games(arguments);
        assert_eq!(games.len(), 1, "{games:?}");
        games[0]["id"].as_str().expect("an ID").to_owned()
    }
}

fn finish(command: &mut Command, input: &str) -> Run {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    // A program that does not read its input closes it.
    let _ = child.stdin.take().expect("an input").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    Run {
        status: output.status.code().expect("an exit status"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

fn has_hangul(text: &str) -> bool {
    text.chars().any(|letter| ('가'..='힣').contains(&letter))
}

fn exists(path: &str) -> bool {
    Path::new(path).exists()
}
