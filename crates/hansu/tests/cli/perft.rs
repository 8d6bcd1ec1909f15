//! `hansu perft`.

use super::*;

/// The count on the last line.
fn count(arguments: &[&str]) -> u64 {
    let text = run(arguments).answer();
    let last = text.lines().last().expect("a last line");
    assert!(text.ends_with('\n'));
    last.parse().expect(last)
}

#[test]
fn known_counts_come_out() {
    // Numbers as published on the chess programming community's perft pages.
    assert_eq!(run(["perft", "0"]).answer(), "1\n");
    assert_eq!(run(["perft", "1"]).answer(), "20\n");
    assert_eq!(run(["perft", "4"]).answer(), "197281\n");
    assert_eq!(count(&["perft", "4", "--fen", KIWIPETE]), 4_085_603);
    let endgame = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    assert_eq!(count(&["perft", "5", "--fen", endgame]), 674_624);
    // The counters at the end of a FEN may be missing.
    let endgame = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -";
    assert_eq!(count(&["perft", "3", "--fen", endgame]), 2_812);
}

#[test]
fn threads_do_not_change_the_count() {
    for threads in ["0", "1", "2", "3", "16"] {
        let arguments = ["perft", "5", "--fen", KIWIPETE, "--threads", threads];
        assert_eq!(count(&arguments), 193_690_690, "{threads} threads");
    }
    for depth in ["0", "1", "2", "3", "4", "5"] {
        let one = run(["perft", depth, "--divide"]).answer();
        let many = run(["perft", depth, "--divide", "--threads", "5"]).answer();
        assert_eq!(one, many, "depth {depth}");
    }
}

#[test]
fn divide_gives_a_line_for_each_first_move_and_then_their_sum() {
    let text = run(["perft", "2", "--divide"]).answer();
    let mut lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.pop(), Some("400"));
    assert_eq!(lines.len(), 20);
    assert!(lines.is_sorted());
    assert!(lines.contains(&"e2e4: 20"));
    assert_eq!(run(["perft", "0", "--divide"]).answer(), "1\n");
}

#[test]
fn a_finished_game_has_no_continuations() {
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    for threads in ["1", "4"] {
        for (depth, expected) in [("0", 1), ("1", 0), ("6", 0)] {
            assert_eq!(count(&["perft", depth, "--fen", mate, "--threads", threads]), expected);
        }
    }
}

#[test]
fn chess960_counts() {
    // Positions 1 and 2 of the Chess960 perft list of the chess programming community.
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    assert_eq!(count(&["perft", "4", "--chess960", "--fen", fen]), 326_672);
    let fen = "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9";
    assert_eq!(count(&["perft", "1", "--chess960", "--fen", fen]), 21);
    assert_eq!(count(&["perft", "4", "--chess960", "--fen", fen]), 667_366);
    let first =
        run(["perft", "1", "--divide", "--chess960", "--fen", "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1"]);
    assert!(first.answer().contains("e1g1: 1\n"));
}

#[test]
fn depths_and_threads_have_limits() {
    for arguments in [
        &["perft", "21"][..],
        &["perft", "-1"],
        &["perft", "five"],
        &["perft", "99999999999999999999"],
        &["perft", "1", "--threads", "-1"],
        &["perft", "1", "--threads", "1025"],
        &["perft", "1", "--threads", "all"],
    ] {
        let run = run(arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
    }
}
