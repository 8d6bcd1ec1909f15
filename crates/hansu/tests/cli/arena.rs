//! `hansu arena`: a match of two engines.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;

use super::*;

#[test]
fn a_match_of_two_levels_is_told_in_both_languages() {
    let arguments = ["arena", "level:4", "level:1", "--games", "6"];
    let english = run(arguments).answer();
    assert!(english.starts_with("level:4 against level:1: "), "{english}");
    for part in
        [" of 6 games (", "\nElo difference ", "\nPairs of games with 0, ½, 1, 1½, 2 points: "]
    {
        assert!(english.contains(part), "{english}");
    }
    let korean = run_in_korean(&arguments).answer();
    assert!(korean.starts_with("level:4 대 level:1: 6게임 ") && has_hangul(&korean), "{korean}");
}

#[test]
fn json_has_the_result_of_each_pair() {
    let arguments = ["arena", "level:4", "level:1", "--games", "2", "--sprt", "--json"];
    let result = run(arguments).json();
    let number = |name: &str| result[name].as_u64().expect(name);
    assert_eq!(number("won") + number("drawn") + number("lost"), 2);
    assert_eq!(result["sprt"]["bounds"], serde_json::json!([0.0, 5.0]));
    assert_eq!(result["sprt"]["accepted"], Value::Null);
    // One pair says nothing of the difference.
    assert_eq!((&result["elo"], &result["error"]), (&Value::Null, &Value::Null));
    assert_eq!(result["faults"], serde_json::json!([0, 0]));
    let negative = ["arena", "level:2", "level:1", "--games", "2", "--sprt=-5,0", "--json"];
    assert_eq!(run(negative).json()["sprt"]["bounds"], serde_json::json!([-5.0, 0.0]));
}

#[test]
fn the_program_plays_against_itself_and_the_games_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.pgn");
    let file = file.to_str().expect("UTF-8");
    let this = format!("cmd:{} uci,Hash=1", env!("CARGO_BIN_EXE_hansu"));
    let arguments = ["arena", &this, "own", "--nodes", "300", "--games", "2", "--pgn", file];
    let text = run(arguments).answer();
    assert!(text.contains(" 2 games (") && !text.contains("lost 1 game "), "{text}");
    let games = fs::read_to_string(file).expect("the games");
    assert_eq!(games.matches("[Round \"1.").count(), 2, "{games}");
    assert_eq!(games.matches("[White \"own\"]").count(), 1, "{games}");
    let checked = run(["pgn", "check", file]);
    assert_eq!(checked.status, 0, "{checked:?}");
    // A second match is appended.
    run(arguments).answer();
    assert_eq!(fs::read_to_string(file).expect("the games").matches("[Event ").count(), 4);
}

#[test]
fn a_program_that_fails_loses_its_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("engine.sh");
    fs::write(&script, "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) exit;; esac; done").expect("a file");
    let name = format!("cmd:sh {}", script.display());
    let text = run(["arena", &name, "level:1", "--games", "2"]).answer();
    assert!(text.contains(": 0 won, 0 drawn, 2 lost of 2 games (0.0 %)"), "{text}");
    assert!(text.contains(&format!("{name} lost 2 games because its program ended.")), "{text}");
}

#[test]
fn players_and_limits_that_do_not_exist_are_bad_input() {
    let refused = |a: &str, more: &[&str]| {
        let arguments = ["arena", a, "level:1", "--games", "2"];
        run(arguments.iter().chain(more)).refusal()
    };
    assert_eq!(refused("level:11", &[]), "level:11: there are level:1 to level:10.");
    assert!(refused("levle:1", &[]).starts_with("levle:1: no such player ("));
    assert!(refused("cmd:/no/such/engine", &[]).contains("cannot be started"));
    assert!(refused("cmd:true", &[]).contains("does not answer \"uci\""));
    assert!(refused("level:1", &["--pgn", "/no/such/folder/x"]).contains("cannot be written"));
    for bad in [["--time", "x"], ["--sprt", "5,0"], ["--games", "0"], ["--nodes", "0"]] {
        let run = run(["arena", "level:1", "level:2"].iter().chain(&bad));
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{bad:?}");
        assert!(run.stderr.contains(bad[0]), "{}", run.stderr);
    }
}

#[test]
fn ctrl_c_ends_the_match_with_what_was_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let [script, interrupted] = ["engine.sh", "interrupted"].map(|name| folder.path().join(name));
    let text = format!(
        "trap 'touch {}' INT; while read -r line; do case \"$line\" in uci) echo uciok;; \
         isready) echo readyok;; go*) echo bestmove a1a1;; quit) exit;; esac; done",
        interrupted.display()
    );
    fs::write(&script, text).expect("a file");
    let name = format!("cmd:sh {}", script.display());
    let mut command = hansu();
    command.args(["arena", "own", &name, "--nodes", "50", "--games", "1000000"]);
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    let mut progress = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    progress.read_line(&mut line).expect("a line");
    assert!(line.starts_with("40 games: +40 =0 -0"), "{line}");
    // As a terminal does: to all processes of the group.
    let group = format!("-{}", child.id());
    let sent = Command::new("kill").args(["-INT", "--", &group]).status().expect("kill runs");
    assert!(sent.success());
    let (mut text, mut errors) = (String::new(), String::new());
    child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("UTF-8");
    progress.read_to_string(&mut errors).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{text} {errors}");
    assert!(text.contains(" games (100.0 %)") && text.contains("\nInterrupted."), "{text}");
    assert!(text.contains(" games by illegal moves, first by \"a1a1\"."), "{text}");
    assert!(!interrupted.exists(), "Ctrl-C is for the match, not for its programs");
}
