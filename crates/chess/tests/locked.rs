//! Locked pawns: what is called dead has no mate in it, found by playing everything.

use std::collections::HashSet;

use hansu_chess::{Color, Piece, Position, Role, Setup, Square, Variant};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::common::cases;

fn at(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn closed_walls_are_proven_dead() {
    for fen in [
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1",
        // A wall with a step in it.
        "4k3/8/3p1p2/p1pPpPp1/P1P1P1P1/8/8/4K3 b - - 0 1",
        // A bishop that sees nothing but its own side of the wall.
        "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4KB2 w - - 0 1",
        // Doubled pawns.
        "4k3/8/p7/p1p1p1p1/P1P1P1P1/P7/8/4K3 w - - 0 1",
    ] {
        assert!(at(fen).is_locked(), "{fen}");
        assert!(!can_be_mated(&at(fen), usize::MAX).unwrap(), "{fen}");
    }
}

#[test]
fn walls_with_a_way_through_are_not() {
    for fen in [
        // A gap on the e file.
        "4k3/8/8/p1p3p1/P1P3P1/8/8/4K3 w - - 0 1",
        // A pawn may still step, or take, or take in passing.
        "4k3/8/8/p1p1p1p1/P1P1P3/6P1/8/4K3 w - - 0 1",
        "4k3/8/8/p1p1p1p1/P1P1PP2/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/pPp1p1p1/P1P1P1P1/8/4K3 b - b3 0 1",
        // The king may take the pawn on a5, which nothing guards.
        "4k3/8/1K6/p1p1p1p1/P1P1P1P1/8/8/8 w - - 0 1",
        // A bishop that meets the black pawns, a rook, a knight that jumps.
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/2B1K3 w - - 0 1",
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/R3K3 w - - 0 1",
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/1N2K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        assert!(!at(fen).is_locked(), "{fen}");
    }
}

/// True if mate can come about, by playing every legal move in every position; `None` when there
/// are more positions than `limit`.
fn can_be_mated(start: &Position, limit: usize) -> Option<bool> {
    let mut seen = HashSet::from([start.key()]);
    let mut open = vec![*start];
    while let Some(position) = open.pop() {
        let moves = position.legal_moves();
        if moves.is_empty() && position.is_check() {
            return Some(true);
        }
        for step in &moves {
            let next = position.play(*step);
            if seen.insert(next.key()) {
                open.push(next);
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(false)
}

/// A wall over the board: in each column a white pawn before a black one, a step higher or lower
/// than the last, or none; now and then at a height of its own, which opens it. Kings mostly behind
/// their pawns, up to two bishops anywhere.
fn walled() -> impl Strategy<Value = Position> {
    let column = (0..40_u8, 2..6_u8);
    let bishops = prop::collection::vec((0..64_u8, any::<bool>()), 0..3);
    let pieces = (0..26_u8, 38..64_u8, bishops);
    (prop::array::uniform8(column), 2..6_u8, pieces, any::<bool>()).prop_filter_map(
        "a position",
        |(columns, first, (white, black, bishops), whites_turn)| {
            let mut setup = Setup::empty();
            let mut set = |at: u8, role: Role, color: Color| {
                let square = Square::ALL[usize::from(at)];
                if setup.board.piece_at(square).is_none() {
                    setup.board.set(square, Some(Piece { color, role }));
                }
            };
            let mut height = first;
            let mut gap = false;
            for (file, (kind, own)) in (0..8_u8).zip(columns) {
                height = match kind {
                    0 => own,
                    1..18 => height + 1,
                    _ => height - 1,
                }
                .clamp(2, 5);
                gap = !gap && kind % 3 == 2;
                if !gap {
                    set(8 * (height - 1) + file, Role::Pawn, Color::White);
                    set(8 * height + file, Role::Pawn, Color::Black);
                }
            }
            set(white, Role::King, Color::White);
            set(black, Role::King, Color::Black);
            for (bishop, is_white) in bishops {
                set(bishop, Role::Bishop, if is_white { Color::White } else { Color::Black });
            }
            setup.turn = if whites_turn { Color::White } else { Color::Black };
            setup.position(Variant::Standard).ok()
        },
    )
}

#[test]
fn no_mate_lies_behind_locked_pawns() {
    let config = cases(5_000);
    let enough = config.cases / 100;
    let (mut locked, mut with_bishops) = (0, 0);
    let mut runner = TestRunner::new(config);
    for _ in 0..runner.config().cases {
        let position = walled().new_tree(&mut runner).unwrap().current();
        if position.is_locked() {
            assert_ne!(can_be_mated(&position, 300_000), Some(true), "{}", position.fen());
            locked += 1;
            with_bishops += u32::from(!position.board().of_role(Role::Bishop).is_empty());
        }
    }
    println!("{locked} locked, {with_bishops} with bishops");
    assert!(locked > enough && with_bishops > enough / 20, "{locked}, {with_bishops}");
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn a_locked_position_stays_locked(position in walled()) {
        if position.is_locked() {
            for step in position.legal_moves() {
                let next = position.play(step);
                prop_assert!(next.is_locked(), "{}", next.fen());
            }
        }
    }

    #[test]
    fn both_sides_are_judged_alike(position in walled()) {
        let mirrored = position.setup().mirrored().position(Variant::Standard).unwrap();
        prop_assert_eq!(position.is_locked(), mirrored.is_locked());
    }
}
