//! Perft: the number of leaves of the tree of legal moves, against figures with sources.
//!
//! The figures stand in `data/perft.txt`; rigs/oracle counts them again with shakmaty.

use hansu_chess::{Position, Variant, perft};

const FIGURES: &str = include_str!("data/perft.txt");

/// Larger counts are left out. By default there is no limit; `HANSU_PERFT_LEAVES` sets one for
/// mutation testing.
fn most_leaves() -> u64 {
    let told = std::env::var("HANSU_PERFT_LEAVES").ok();
    told.map_or(u64::MAX, |leaves| leaves.parse().expect("HANSU_PERFT_LEAVES is a number"))
}

struct Row {
    name: &'static str,
    position: Position,
    counts: Vec<u64>,
}

fn rows() -> Vec<Row> {
    let lines = FIGURES.lines().filter(|line| !line.starts_with('#'));
    lines.map(row).collect()
}

fn row(line: &'static str) -> Row {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [variant, name, fen, counts] = fields[..] else {
        panic!("four fields: {line}");
    };
    let variant = match variant {
        "standard" => Variant::Standard,
        "chess960" => Variant::Chess960,
        _ => panic!("a variant: {line}"),
    };
    let position =
        Position::from_fen(fen, variant).unwrap_or_else(|error| panic!("{name}: {error}"));
    let counts = counts.split(' ').map(|count| count.parse().unwrap());
    let counts = counts.take_while(|&count| count <= most_leaves()).collect();
    Row { name, position, counts }
}

#[test]
fn the_table_is_whole() {
    let rows = rows();
    assert!(rows.len() >= 70, "{} rows", rows.len());
    assert!(rows.iter().all(|row| !row.counts.is_empty()));
}

#[test]
fn every_position_has_the_leaves_it_is_known_for() {
    for row in rows() {
        assert_eq!(perft(&row.position, 0), 1, "{}", row.name);
        for (depth, &count) in (1..).zip(&row.counts) {
            assert_eq!(perft(&row.position, depth), count, "{} to depth {depth}", row.name);
        }
    }
}

#[test]
fn the_mirrored_position_has_as_many_leaves() {
    for row in rows() {
        let setup = row.position.setup().mirrored();
        let mirrored = setup.position(Variant::Chess960).unwrap();
        for (depth, &count) in (1..5).zip(&row.counts) {
            assert_eq!(perft(&mirrored, depth), count, "{} to depth {depth}", row.name);
        }
    }
}

/// Counts by making every move and asking for the list: the other way through the library.
fn counted_by_playing(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves().into_iter();
    moves.map(|step| counted_by_playing(&position.play(step), depth - 1)).sum()
}

#[test]
fn playing_every_move_gives_the_same_counts() {
    for row in rows() {
        for (depth, &count) in (1..).zip(&row.counts).filter(|&(_, &count)| count < 700_000) {
            let counted = counted_by_playing(&row.position, depth);
            assert_eq!(counted, count, "{} to depth {depth}", row.name);
        }
    }
}
