//! `hansu pgn check`.

use super::*;
use serde_json::json;
use std::path::PathBuf;

const GOOD: &str = "\
[White \"Anna\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
[White \"Ben\"]\n\n1. e4 {a comment} e5 (1... c5) 1/2-1/2\n\n\
1. d4 *\n";

/// The second of three games is broken, on line 7.
const BROKEN: &str = "\
[White \"Anna\"]\n\n1. e4 e5 1-0\n\n\
[White \"Ben\"]\n\n1. e4 e5 2. Ke3 d5 0-1\n\n\
[White \"Chan\"]\n\n1. d4 d5 2. c4 1-0\n";

/// A file for one test.
fn file(name: &str, text: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file is written");
    path
}

fn check(paths: &[&PathBuf], options: &[&str]) -> Run {
    finish(hansu().args(["pgn", "check"]).args(options).args(paths))
}

/// Checks standard input. A thread writes it while the output is read.
fn check_input(mut command: Command, write: impl FnOnce(&mut dyn Write) + Send) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut input = child.stdin.take().expect("its input");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || write(&mut input));
        child.wait_with_output().expect("it ends")
    });
    Run {
        status: output.status.code().expect("an exit status"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

#[test]
fn good_games_are_counted() {
    let path = file("good.pgn", GOOD.as_bytes());
    let text = check(&[&path], &[]).answer();
    assert_eq!(text, "3 games\n7 plies\n0 1-0\n1 0-1\n1 1/2-1/2\n1 *\n0 broken\n");
    let value = check(&[&path], &["--json"]).json();
    assert_eq!(
        value,
        json!({
            "errors": [],
            "games": 3,
            "plies": 7,
            "results": {"1-0": 0, "0-1": 1, "1/2-1/2": 1, "*": 1},
            "broken": 0,
            "unreadable": 0,
        })
    );
    // The same with the line ends of other systems and a byte order mark.
    let path = file("crlf.pgn", format!("\u{feff}{GOOD}").replace('\n', "\r\n").as_bytes());
    assert_eq!(check(&[&path], &[]).answer(), text);
}

#[test]
fn a_broken_game_is_reported_with_its_line_and_the_next_is_read() {
    let path = file("broken.pgn", BROKEN.as_bytes());
    let run = check(&[&path], &[]);
    assert_eq!((run.status, run.stderr.as_str()), (2, ""));
    let expected = format!("{}:7: Ke3 is not a legal move.\n2 games\n5 plies\n", path.display());
    assert!(run.stdout.starts_with(&expected), "{}", run.stdout);
    assert!(run.stdout.ends_with("\n1 broken\n"), "{}", run.stdout);
    let run = check(&[&path], &["--json"]);
    assert_eq!((run.status, run.stderr.as_str()), (2, ""));
    let value: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let fault = json!({
        "file": path.display().to_string(),
        "line": 7,
        "text": "Ke3 is not a legal move.",
    });
    assert_eq!(value["errors"], json!([fault]));
    assert_eq!((&value["games"], &value["broken"]), (&json!(2), &json!(1)));
}

#[test]
fn several_files_are_added_up() {
    let good = file("first.pgn", GOOD.as_bytes());
    let broken = file("second.pgn", BROKEN.as_bytes());
    let run = check(&[&good, &broken, &broken], &["--json"]);
    assert_eq!((run.status, run.stderr.as_str()), (2, ""));
    let value: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((&value["games"], &value["broken"]), (&json!(7), &json!(2)));
    assert_eq!(value["errors"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_file_that_cannot_be_read_does_not_hide_the_others() {
    let good = file("beside.pgn", GOOD.as_bytes());
    let missing = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("missing.pgn");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for bad in [&missing, &folder] {
        let run = check(&[bad, &good], &[]);
        assert_eq!(run.status, 2, "{run:?}");
        let start = format!("error: cannot read {}: ", bad.display());
        assert!(run.stderr.starts_with(&start), "{}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert!(run.stdout.starts_with("3 games\n"), "{}", run.stdout);
        let run = check(&[bad, &good], &["--json"]);
        assert_eq!(run.status, 2, "{run:?}");
        let value: Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!((&value["games"], &value["unreadable"]), (&json!(3), &json!(1)));
        assert_eq!(value["errors"][0]["line"], Value::Null);
    }
}

#[test]
fn reports_are_korean_in_a_korean_locale() {
    let path = file("korean.pgn", BROKEN.as_bytes());
    let run = run_in_korean(&["pgn", "check", &path.display().to_string()]);
    assert_eq!((run.status, run.stderr.as_str()), (2, ""));
    assert!(run.stdout.contains(":7: 둘 수 없는 수예요: Ke3\n2 게임\n"), "{}", run.stdout);
    let run = run_in_korean(&["pgn", "check", "no-such-file.pgn"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("no-such-file.pgn: 읽을 수 없어요."), "{}", run.stderr);
}

#[test]
fn standard_input_is_read_as_a_file() {
    let mut command = hansu();
    command.args(["pgn", "check", "-"]);
    let run = check_input(command, |input| input.write_all(BROKEN.as_bytes()).expect("written"));
    assert_eq!((run.status, run.stderr.as_str()), (2, ""));
    assert!(run.stdout.starts_with("-:7: Ke3 is not a legal move.\n2 games\n"), "{}", run.stdout);
    let mut command = hansu();
    command.args(["pgn", "check", "-"]);
    let text = check_input(command, |_| {}).answer();
    assert!(text.starts_with("0 games\n0 plies\n"), "{text}");
}

/// The bar and the report share a terminal without waiting for each other.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_sees_a_bar_and_the_report() {
    let path = file("terminal.pgn", BROKEN.as_bytes());
    // `script`, of Debian's essential packages, gives the binary a terminal.
    let command = format!("'{}' pgn check '{}'", env!("CARGO_BIN_EXE_hansu"), path.display());
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env("LC_ALL", "C").env("TERM", "xterm");
    let run = check_input(script, |_| {});
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stdout.contains("104 B/104 B"), "no bar: {run:?}");
    assert!(run.stdout.contains(":7: Ke3 is not a legal move.\r\n"), "{run:?}");
    assert!(run.stdout.ends_with("1 broken\r\n"), "{run:?}");
}

/// 64 MiB of games, of one comment and of nested variations, in 48 MiB of address space.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_whatever_the_size() {
    // The limit includes the program itself, which is 45 MiB large in the tests.
    const SIZE: usize = 96 << 20;
    let limited = || {
        let mut command = Command::new("sh");
        let script = "ulimit -v 65536; exec \"$0\" pgn check -";
        command.args(["-c", script, env!("CARGO_BIN_EXE_hansu")]).env("LC_ALL", "C");
        command
    };
    let fill = |input: &mut dyn Write, text: &str, size: usize| {
        let block = text.repeat((1 << 16) / text.len());
        for _ in 0..size / block.len() {
            input.write_all(block.as_bytes()).expect("written");
        }
    };
    let games = check_input(limited(), |input| fill(input, "1. e4 e5 2. Nf3 Nc6 1-0\n\n", SIZE));
    assert!(games.answer().contains(" games\n"));
    let comment = check_input(limited(), |input| {
        input.write_all(b"1. e4 {").expect("written");
        fill(input, "no end ", SIZE);
        input.write_all(b"} e5 1-0").expect("written");
    });
    assert!(comment.answer().starts_with("1 games\n2 plies\n"));
    let nested = check_input(limited(), |input| {
        input.write_all(b"1. e4 ").expect("written");
        fill(input, "(", SIZE);
    });
    assert_eq!(nested.status, 2, "{nested:?}");
    // Fewer faults: each gives a line of output, which this test keeps in memory.
    let faults = check_input(limited(), |input| fill(input, "1. e5 *\n", SIZE / 16));
    assert_eq!(faults.status, 2);
    assert!(faults.stdout.ends_with(" broken\n"));
}

#[test]
fn arguments_are_checked() {
    for arguments in [&["pgn"][..], &["pgn", "check"], &["pgn", "burn", "x.pgn"]] {
        let run = run(arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(run.stderr.contains("Usage: hansu pgn"), "{}", run.stderr);
    }
    let text = run(["pgn", "check", "--help"]).answer();
    assert!(text.contains("Examples:") && text.lines().count() <= 40, "{text}");
}

#[test]
fn lenient_reading_takes_what_other_programs_write() {
    let text = "[White \"Anna\"]\n\n1. e2-e4 e7e5 2. g1f3 += (2. Ke3 Nf6) Nc6 1-0\n\n\
                1. e4 e5 2. Z0 d5 *\n\n\
                1. e4 e5 ½-½\n\n\
                1. e4 e5 2. Ke3 *\n";
    let path = file("lenient.pgn", text.as_bytes());
    let run = check(&[&path], &["--lenient"]);
    assert_eq!(run.status, 2);
    let broken = format!("{}:9: ", path.display());
    assert!(run.stdout.starts_with(&broken), "{}", run.stdout);
    let counts = run.stdout.split_once('\n').expect("lines").1;
    assert_eq!(
        counts,
        "3 games\n8 plies\n1 1-0\n0 0-1\n1 1/2-1/2\n1 *\n1 broken\n2 read leniently\n"
    );
    let value: serde_json::Value =
        serde_json::from_str(&check(&[&path], &["--lenient", "--json"]).stdout).expect("JSON");
    assert_eq!((&value["mended"], &value["broken"]), (&json!(2), &json!(1)));
    let strict = check(&[&path], &["--json"]);
    let value: serde_json::Value = serde_json::from_str(&strict.stdout).expect("JSON");
    assert_eq!((value.get("mended"), &value["games"]), (None, &json!(0)));
}
