//! One game: record, PGN, positions.

use super::*;

#[test]
fn the_record_is_the_terminal_game_s() {
    let log = Log::club();
    let id = log.id(&["--reason", "checkmate"]);
    let expected = "1. f3\te5\n2. g4\tQh4#\n0-1\n";
    assert_eq!(log.run(&["show", &id]).answer(), expected);
    let draw = log.id(&["--result", "draw"]);
    let expected = "1. e4\te5\n2. Nf3\tNc6\n3. Bb5\ta6\n1/2-1/2\n";
    assert_eq!(log.run(&["show", &draw]).answer(), expected);
}

#[test]
fn a_resigned_game_has_no_result_and_an_odd_one_no_tab() {
    let log = Log::empty();
    let text = "[Result \"1-0\"]\n[Termination \"normal\"]\n\n1. e4 e5 2. Nf3 1-0\n";
    log.run_with(&["import", "-"], text).answer();
    assert_eq!(log.run(&["show", &log.id(&[])]).answer(), "1. e4\te5\n2. Nf3\n");
}

#[test]
fn black_may_begin_and_a_game_may_have_no_moves() {
    let log = Log::empty();
    let fen = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 7\"]\n\n7... Kd8 8. O-O *\n\n";
    log.run_with(&["import", "-"], &format!("{fen}[White \"Nobody\"]\n\n*\n")).answer();
    let id = log.id(&["--length", "2"]);
    assert_eq!(log.run(&["show", &id]).answer(), "7. ...\tKd8\n8. O-O\n");
    let empty = log.id(&["--length", "0"]);
    assert_eq!(log.run(&["show", &empty]).answer(), "\n");
}

#[test]
fn positions_are_shown_at_any_ply() {
    let log = Log::club();
    let id = log.id(&["--reason", "checkmate"]);
    let fen = |arguments: &[&str]| log.run(&[&["show"], arguments].concat()).answer();
    let end = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n";
    assert_eq!(fen(&[&id, "--fen"]), end);
    assert_eq!(fen(&["--fen", &id]), end);
    assert_eq!(fen(&[&id, "--fen", "4"]), end);
    let first = "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1\n";
    assert_eq!(fen(&["--fen", "1", &id]), first);
    let start = "rnbqkbnr\npppppppp\n8\n8\n8\n8\nPPPPPPPP\nRNBQKBNR\n";
    assert_eq!(fen(&[&id, "--board", "0"]), start);
    let board = "rnb1kbnr\npppp1ppp\n8\n4p3\n6Pq\n5P2\nPPPPP2P\nRNBQKBNR\n";
    assert_eq!(fen(&[&id, "--board"]), board);
    for ply in ["5", "-1", "x", "99999999999999999999"] {
        let line = log.run(&["show", &id, &format!("--fen={ply}")]).complaint(2);
        assert!(line.contains(ply) && line.contains('4'), "{line}");
    }
}

#[test]
fn pgn_and_json_tell_everything() {
    let log = Log::club();
    let id = log.id(&["--reason", "timeout"]);
    let text = log.run(&["show", &id, "--pgn"]).answer();
    for part in ["[White \"Jun\"]", "[TimeControl \"300+2\"]", "{[%clk 0:04:20]}", "1-0\n"] {
        assert!(text.contains(part), "{text}");
    }
    let game = log.run(&["show", &id, "--json"]).json();
    assert_eq!((&game["id"], &game["moves"]), (&id.into(), &"e2e4 c7c5 g1f3 d7d6".into()));
}

#[test]
fn the_beginning_of_an_id_is_enough_when_it_is_clear() {
    let log = Log::club();
    let ids: Vec<String> = log.games(&[]).iter().map(|game| game["id"].to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(|id| id.trim_matches('"')).collect();
    let clear = |id: &str| {
        let enough = |&length: &usize| {
            ids.iter().filter(|other| other.starts_with(&id[..length])).count() == 1
        };
        (1..=12).find(enough).expect("IDs differ")
    };
    for id in &ids {
        let length = clear(id);
        let whole = log.run(&["show", id]).answer();
        assert_eq!(log.run(&["show", &id[..length]]).answer(), whole);
        if length > 1 {
            let line = log.run(&["show", &id[..length - 1]]).complaint(2);
            assert!(line.contains(id) && line.contains("type more"), "{line}");
        }
    }
}

#[test]
fn bad_ids_are_refused_in_one_line() {
    let log = Log::club();
    for id in ["", "_", "없음", "' OR 1=1", "zzzzzzzzzzzz", "\u{1b}[31m"] {
        for command in ["show", "replay", "tag", "note", "delete"] {
            let line = log.run(&[command, id]).complaint(2);
            assert!(line.contains("hansu games list"), "{line}");
            assert!(!line.contains('\u{1b}'), "{line}");
        }
    }
    let line = Log::club().korean().run(&["show", "zzzz"]).complaint(2);
    assert!(line.starts_with("ID가 \"zzzz\"로 시작하는 게임이 없어요."), "{line}");
    assert!(log.run(&["show"]).complaint(2).contains("which game"));
}
