//! The ladder of levels in a short version; docs/engine.md has the long one.

use hansu_arena::{Pace, Series, Tally};
use hansu_engine::Signals;

/// Levels have limits of their own.
const PACE: Pace = Pace::Nodes(1);

/// A match of two levels. They are limited by nodes, so it is the same match on every machine.
fn play(weak: u8, strong: u8, games: u64) -> Tally {
    let names = [strong, weak].map(|level| format!("level:{level}"));
    let players = [&*names[0], &*names[1]];
    let series = Series { players, pace: PACE, games, threads: 2, seed: 1, test: None };
    series.run(&Signals::default(), &|_, _| ()).expect("levels exist")
}

#[test]
fn each_level_beats_the_one_below() {
    for (weak, games) in [(1, 12), (2, 12), (3, 8), (4, 8), (5, 4), (6, 4)] {
        let tally = play(weak, weak + 1, games);
        assert!(tally.pairs.score() >= 0.6, "{weak} and {}: {tally:?}", weak + 1);
    }
}
