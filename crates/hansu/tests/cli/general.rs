//! The program as a whole: help, versions, bad arguments, closed pipes.

use super::*;

#[test]
fn help_names_the_commands_and_the_terminal_game() {
    let text = run(["--help"]).answer();
    for word in ["Usage: hansu", "resume", "moves", "why", "perft", "Example:", "terminal game"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn help_fits_one_screen_and_has_examples() {
    for command in ["moves", "why", "perft"] {
        let text = run([command, "--help"]).answer();
        assert!(text.contains(&format!("Usage: hansu {command}")), "{text}");
        assert!(text.contains("Examples:") && !text.contains('\\'), "{text}");
        for help in [&text, &run([command, "-h"]).answer()] {
            assert!(help.lines().count() <= 40, "{help}");
        }
    }
    for arguments in [&["help"][..], &["analyse", "-h"]] {
        let general = run(arguments).answer();
        assert!(general.lines().count() <= 40, "{general}");
    }
}

#[test]
fn the_version_is_the_package_s() {
    assert_eq!(run(["--version"]).answer(), format!("hansu {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn unknown_arguments_are_bad_input() {
    for arguments in [&["fly"][..], &["moves", "--fast"], &["perft"], &["why"]] {
        let run = run(arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
        assert!(run.stderr.contains("--help"), "{}", run.stderr);
    }
}

#[test]
fn a_bad_fen_is_shown_where_it_is_bad() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let cases = [
        (String::new(), "ends too early: Field 1"),
        ("8/8/8 w - - 0 1".into(), "\"8/8/8\": Field 1"),
        (board.into(), "ends too early: Field 2"),
        (format!("{board} x KQkq - 0 1"), "\"x\": Field 2"),
        (format!("{board} w XYZ - 0 1"), "\"XYZ\": Field 3"),
        (format!("{board} w KQkq e9 0 1"), "\"e9\": Field 4"),
        (format!("{board} w KQkq - -1 1"), "\"-1\": Field 5"),
        (format!("{board} w KQkq - 0 one"), "\"one\": Field 6"),
        (format!("{board} w KQkq - 0 1 more"), "\"more\": A FEN has at most six fields."),
        (format!("\u{1b}]0;{}", "x".repeat(100_000)), "\"\\u{1b}]0;xxx"),
    ];
    for command in [&["moves"][..], &["why", "e2e4"], &["perft", "1"]] {
        for (fen, expected) in &cases {
            let arguments = command.iter().copied().chain(["--fen", fen]);
            let line = run(arguments).refusal();
            assert!(line.starts_with("bad FEN"), "{line}");
            assert!(line.contains(expected), "{expected}: {line}");
            assert!(line.contains(&format!("{board} w KQkq - 0 1")), "no example: {line}");
            assert!(line.len() < 400, "{line}");
            assert!(!line.contains('\u{1b}'), "{line}");
        }
    }
}

#[test]
fn a_position_that_cannot_be_played_says_all_that_is_wrong() {
    let line = run(["moves", "--fen", "8/8/8/8/8/8/8/P7 w - - 0 1"]).refusal();
    for fault in ["White has no king.", "Black has no king.", "A pawn stands on"] {
        assert!(line.contains(fault), "{line}");
    }
    let chess960 = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
    let line = run(["moves", "--fen", chess960]).refusal();
    assert!(line.contains("add --chess960"), "{line}");
}

#[test]
fn errors_are_korean_in_a_korean_locale() {
    let line = run_in_korean(&["moves", "--fen", "8/8/8 w - - 0 1"]).refusal();
    assert!(line.starts_with("FEN의 \"8/8/8\" 부분이 잘못됐어요."), "{line}");
    let line = run_in_korean(&["moves", "--fen", ""]).refusal();
    assert!(line.starts_with("FEN이 중간에 끝났어요."), "{line}");
    let line = run_in_korean(&["perft", "1", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"]).refusal();
    assert_eq!(line, "이 FEN에서는 둘 수 없어요. 백 킹이 없어요. 흑 킹이 없어요.");
    let chess960 = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
    let line = run_in_korean(&["moves", "--fen", chess960]).refusal();
    assert!(line.contains("--chess960을"), "{line}");
}

/// Rust reports a closed pipe as a write error; `hansu moves | head -1` must succeed all the same.
#[test]
fn a_reader_that_leaves_early_is_no_error() {
    for arguments in
        [&["moves"][..], &["moves", "--json"], &["perft", "2", "--divide"], &["--no-record"]]
    {
        let mut child = hansu()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{:?}", String::from_utf8_lossy(&output.stderr));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let run = finish(hansu().args(["moves"]).stdout(full));
    assert_eq!(run.status, 2);
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
}
