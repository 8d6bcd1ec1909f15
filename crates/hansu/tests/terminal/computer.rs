//! `hansu --computer`: the texts of the terminal game do not change, and the game is stored.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// Runs the terminal game on these lines and returns its output.
fn play(arguments: &[&str], folder: &std::path::Path, lines: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hansu"))
        .args(arguments)
        .arg("--data")
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("hansu");
    child.stdin.take().expect("input").write_all(lines.as_bytes()).expect("lines are read");
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

const WHITE: &str = "백 기물을 움직여주세요.\n";
const BLACK: &str = "흑 기물을 움직여주세요.\n";

#[test]
fn the_computer_answers_each_move_and_the_game_is_counted_as_one_against_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = play(&["--computer", "2"], folder.path(), "e2 e4\nd2 d4\n기보\n기권\n");
    // Prompt for White, move, prompt for Black, answer, prompt for White: twice; then 기보.
    assert_eq!((said.matches(WHITE).count(), said.matches(BLACK).count()), (4, 2), "{said}");
    assert!(said.contains("1. e4\t") && said.contains("2. d4\t"), "{said}");
    assert!(said.contains("흑 승리!!!\n게임을 종료합니다.\n"), "{said}");
    let listed = play(&["games", "list", "--json"], folder.path(), "");
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!((&listed[0]["source"], &listed[0]["black"]), (&"computer".into(), &"토끼".into()));
}

#[test]
fn with_white_the_computer_begins_and_a_broken_off_game_goes_on_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = play(&["--computer", "1", "--as", "black"], folder.path(), "a7 a6\n");
    assert_eq!((said.matches(WHITE).count(), said.matches(BLACK).count()), (2, 2), "{said}");
    let said = play(&["resume"], folder.path(), "b7 b6\n기보\n");
    assert!(said.contains("2. ") && said.contains("\tb6"), "{said}");
    assert!(said.matches(BLACK).count() >= 2, "{said}");
}

#[test]
fn a_computer_that_may_resign_ends_a_lost_game() {
    // White's rooks keep Black's king on its rank; White's king walks and repeats no position.
    let walk = "h1 g1 f1 e1 d1 d2 e2 f2 g2 h2 h3 g3 f3 e3 d3 d4 e4 f4 g4 h4 h5 g5";
    let squares: Vec<&str> = walk.split(' ').collect();
    let lines: String =
        squares.windows(2).map(|pair| format!("{} {}\n", pair[0], pair[1])).collect();
    let lost = ["--computer", "3", "--fen", "7k/R7/8/8/8/8/8/2R4K w - - 0 1"];
    for (resigns, ends) in [(&["--resigns"][..], true), (&[], false)] {
        let folder = tempfile::tempdir().expect("a folder");
        let said = play(&[&lost, resigns].concat(), folder.path(), &lines);
        assert_eq!(said.contains("백 승리!!!\n게임을 종료합니다.\n"), ends, "{said}");
        // All 21 moves were White's; the last one has an answer only if it is not resigned.
        assert_eq!(said.matches(BLACK).count(), 21, "{said}");
        assert_eq!(said.matches(WHITE).count(), if ends { 21 } else { 22 }, "{said}");
    }
}

#[test]
fn uci_is_spoken_by_the_same_program() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hansu"))
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("hansu");
    let orders = "uci\nisready\nposition startpos moves e2e4\ngo nodes 5000\n";
    let mut input = child.stdin.take().expect("input");
    input.write_all(orders.as_bytes()).expect("orders are read");
    let output = std::thread::spawn(move || child.wait_with_output().expect("an end"));
    // The search ends at its node limit; then the engine gets `quit`.
    input.write_all(b"wait\nquit\n").expect("orders are read");
    drop(input);
    let said = String::from_utf8(output.join().expect("output").stdout).expect("text");
    assert!(said.contains("uciok") && said.contains("readyok"), "{said}");
    assert!(said.contains("bestmove "), "{said}");
}
