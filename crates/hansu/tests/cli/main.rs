//! Black-box tests: the built binary, its output, its errors and its exit status.

mod analyse;
mod arena;
mod general;
mod moves;
mod perft;
mod pgn;
mod why;

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Pins, castling and promotions for both sides; from the chess programming community's perft
/// pages, where it is known as Kiwipete.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Output and exit status of a run.
#[derive(Debug)]
struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

/// The binary, in an environment without a locale.
fn hansu() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hansu"));
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}

fn finish(command: &mut Command) -> Run {
    let output = command.output().expect("the binary runs");
    Run {
        status: output.status.code().expect("an exit status"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    finish(hansu().args(arguments))
}

fn run_in_korean(arguments: &[&str]) -> Run {
    finish(hansu().env("LANG", "ko_KR.UTF-8").args(arguments))
}

fn has_hangul(text: &str) -> bool {
    text.chars().any(|letter| ('가'..='힣').contains(&letter))
}

impl Run {
    /// The output of a successful run.
    fn answer(self) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "{self:?}");
        self.stdout
    }

    fn json(self) -> Value {
        let text = self.answer();
        assert_eq!(text.lines().count(), 1, "{text}");
        serde_json::from_str(&text).expect(&text)
    }

    /// The one line on standard error of a run with bad input.
    fn refusal(self) -> String {
        assert_eq!((self.status, self.stdout.as_str()), (2, ""), "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        let line = self.stderr.trim_end();
        line.strip_prefix("error: ").unwrap_or_else(|| panic!("no error: {line}")).to_owned()
    }
}
