//! `hansu moves`.

use super::*;

#[test]
fn the_start_has_twenty_moves() {
    let text = run(["moves"]).answer();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 20);
    assert_eq!(lines[..3], ["a2a3 a3", "a2a4 a4", "b1a3 Na3"]);
    assert!(lines.is_sorted());
}

#[test]
fn columns_are_aligned_beside_promotions() {
    let text = run(["moves", "--fen", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"]).answer();
    for line in ["e1d1  Kd1\n", "e7e8b e8=B\n", "e7e8n e8=N+\n", "e7e8q e8=Q\n", "e7e8r e8=R\n"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn json_has_both_notations() {
    let value = run(["moves", "--json", "--fen", KIWIPETE]).json();
    let moves = value.as_array().expect("an array");
    assert_eq!(moves.len(), 48);
    for one in moves {
        let keys: Vec<&String> = one.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["san", "uci"]);
    }
    let castling = moves.iter().find(|one| one["uci"] == "e1c1").expect("castling");
    assert_eq!(castling["san"], "O-O-O");
    let text = run(["moves", "--json"]).answer();
    assert!(text.starts_with(r#"[{"uci":"a2a3","san":"a3"},{"uci":"a2a4","san":"a4"}"#), "{text}");
}

#[test]
fn a_mated_side_has_no_moves() {
    let fen = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(run(["moves", "--fen", fen]).answer(), "");
    assert_eq!(run(["moves", "--json", "--fen", fen]).answer(), "[]\n");
}

#[test]
fn chess960_castles_by_taking_the_rook() {
    let fen = "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1";
    let text = run(["moves", "--chess960", "--fen", fen]).answer();
    assert!(text.contains("e1g1 O-O\n"), "{text}");
    assert!(text.contains("e1b1 O-O-O\n"), "{text}");
    run(["moves", "--fen", fen]).refusal();
    // In standard chess the same wing is written with the king's two squares.
    let standard = run(["moves", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]).answer();
    assert!(standard.contains("e1g1 O-O\n"), "{standard}");
    let shuffled = run(["moves", "--chess960", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]);
    assert!(shuffled.answer().contains("e1h1 O-O\n"));
}
