//! `hansu analyse` with files.

use super::*;
use serde_json::json;
use std::path::PathBuf;

/// The shortest mate, a broken game, and one that is fine.
const GAMES: &str = "\
[White \"Mina\"]\n[Black \"Jun\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
[White \"Broken\"]\n\n1. e4 e5 2. Ke3 *\n\n\
[White \"민아\"]\n[Black \"준서\"]\n\n1. e4 e5 1/2-1/2\n";

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file is written");
    path
}

fn analyse(path: &PathBuf, options: &[&str]) -> Run {
    finish(hansu().args(["analyse", "--nodes", "3000"]).args(options).arg(path))
}

#[test]
fn a_file_is_analysed_in_both_languages_and_its_broken_game_is_told() {
    let path = file("analyse.pgn", GAMES);
    for (options, mate, accuracy) in [
        (&[][..], "Black can now play Qh4#. It is checkmate. Better was", "Accuracy"),
        (&["--lang", "ko"], "이제 흑이 Qh4# 수를 둘 수 있어요. 체크메이트예요.", "정확도"),
    ] {
        let run = analyse(&path, options);
        assert_eq!(run.status, 1, "{run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
        assert!(run.stderr.contains("analyse.pgn:9"), "{run:?}");
        assert!(run.stdout.contains("Mina – Jun  0-1"), "{run:?}");
        assert!(run.stdout.contains("  2. g4??"), "{run:?}");
        assert!(run.stdout.contains("  2... Qh4#               #      0 %"), "{run:?}");
        assert!(run.stdout.contains(mate) && run.stdout.contains(accuracy), "{run:?}");
        assert!(run.stdout.contains("민아 – 준서  1/2-1/2"), "{run:?}");
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{run:?}");
    }
}

#[test]
fn the_annotated_file_is_read_again() {
    let path = file("annotate.pgn", GAMES.split("[White \"Broken\"]").next().expect("a game"));
    let text = analyse(&path, &["--pgn"]).answer();
    assert!(text.contains("[%eval #-1]") && text.contains("2. g4 $4"), "{text}");
    let again = file("annotated.pgn", &text);
    assert!(run([&"pgn".into(), &"check".into(), &again]).answer().starts_with("1 games"));
    assert_eq!(analyse(&again, &["--pgn"]).status, 0);
}

#[test]
fn the_same_as_json() {
    let path = file("json.pgn", "1. f3 e5 2. g4 Qh4# 0-1");
    let value = analyse(&path, &["--json"]).json();
    assert_eq!(value["nodes"], 3000);
    assert_eq!(value["positions"].as_array().map(Vec::len), Some(5));
    assert_eq!(value["moves"][2]["grade"], "blunder");
    assert_eq!(value["positions"][3]["best"], "d8h4");
    assert_eq!(value["accuracy"]["black"]["all"], json!(100));
}

#[test]
fn what_cannot_be_analysed_is_said() {
    assert!(run(["analyse", "no-such-file.pgn"]).refusal().contains("no-such-file.pgn"));
    let empty = file("empty.pgn", "");
    assert!(analyse(&empty, &[]).refusal().contains("no game"));
    assert!(has_hangul(&analyse(&empty, &["--lang", "ko"]).refusal()));
    for bad in [&["--nodes", "0"][..], &["--threads", "0"], &["--threads", "9999"]] {
        assert_eq!(analyse(&empty, bad).status, 2, "{bad:?}");
    }
}
