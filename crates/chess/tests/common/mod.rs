//! Positions for the laws: random games and random set-ups that proptest can shrink.

use hansu_chess::{Position, Square, Variant};
use hansu_ground::games as random;
use proptest::prelude::*;

/// The number of cases for a law: `PROPTEST_CASES` overrides the default (more for a soak, fewer
/// for mutation testing).
pub(crate) fn cases(usual: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config,
        None => ProptestConfig { cases: usual, ..config },
    }
}

/// Choices that shrink towards fewer and smaller ones; when they run out, the first of all.
pub(crate) fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..260)
}

fn chooser(choices: Vec<u16>) -> impl FnMut(usize) -> usize {
    let mut choices = choices.into_iter();
    move |below| usize::from(choices.next().unwrap_or(0)) % below
}

/// The positions of a random game, from the usual start or one of the 960.
pub(crate) fn game() -> impl Strategy<Value = (Vec<Position>, Variant)> {
    choices().prop_map(|choices| {
        let plies = choices.len() / 2;
        let choose = &mut chooser(choices);
        let (start, variant) = if choose(3) == 2 {
            (random::chess960_start(choose), Variant::Chess960)
        } else {
            (Position::start(), Variant::Standard)
        };
        let mut line = vec![start];
        for _ in 0..plies {
            let now = line[line.len() - 1];
            match random::legal_move(&now, choose) {
                Some(step) => line.push(now.play(step)),
                None => break,
            }
        }
        (line, variant)
    })
}

/// A random set-up of either variant.
pub(crate) fn set_up() -> impl Strategy<Value = (Position, Variant)> {
    choices().prop_map(|choices| {
        let choose = &mut chooser(choices);
        let variant = [Variant::Standard, Variant::Chess960][choose(2)];
        (random::set_up(variant, choose), variant)
    })
}

/// The end of a random game, or a random set-up.
pub(crate) fn position() -> impl Strategy<Value = (Position, Variant)> {
    let ends = game().prop_map(|(line, variant)| (line[line.len() - 1], variant));
    prop_oneof![1 => ends, 1 => set_up()]
}

/// Every pair of squares.
pub(crate) fn pairs() -> impl Iterator<Item = (Square, Square)> {
    Square::ALL.into_iter().flat_map(|from| Square::ALL.into_iter().map(move |to| (from, to)))
}
