//! Counts the perft figures of crates/chess again with shakmaty.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};

const FIGURES: &str = include_str!("../../../crates/chess/tests/data/perft.txt");

/// Larger counts, which would take shakmaty minutes, are published figures.
const MOST: u64 = 5_000_000;

#[test]
fn shakmaty_counts_the_same_leaves() {
    let mut compared = 0;
    for line in FIGURES.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, fen, counts] = fields[..] else {
            panic!("four fields: {line}");
        };
        let fen: Fen = fen.parse().unwrap();
        // Some rows have checks that cannot arise in a game; they are counted as well.
        let position: Chess = fen
            .into_position(CastlingMode::Chess960)
            .or_else(PositionError::ignore_impossible_check)
            .unwrap();
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let count: u64 = count.parse().unwrap();
            if count <= MOST {
                assert_eq!(shakmaty::perft(&position, depth), count, "{name} to depth {depth}");
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "only {compared} counts");
}
