//! Analyses of games, stored beside their events.

use super::{Case, anna_and_ben, append, begin, id};
use crate::analysis::{KeptAnalysis, LONGEST_ANALYSIS};
use crate::store::Store;
use crate::{Error, Part};

pub(super) const CASES: &[Case] = &[
    ("an analysis is kept, gone on with and replaced", kept),
    ("an analysis changes nothing in its game and goes with it", beside),
    ("an analysis that is too long is refused", too_long),
];

fn analysis(done: u64, body: &str) -> KeptAnalysis {
    KeptAnalysis { nodes: 100_000, done, total: 80, at: 1_700_000_000_000, body: body.to_owned() }
}

fn kept(store: &dyn Store) {
    let (game, other) = (begin(store, &anna_and_ben()), begin(store, &anna_and_ben()));
    assert_eq!(store.analysis(game), Ok(None));
    assert_eq!(store.analysis(id()), Ok(None));
    assert_eq!(store.keep_analysis(id(), analysis(1, "x")), Err(Error::NoSuchGame));
    let half = analysis(40, "half\0\u{1a}\n한");
    store.keep_analysis(game, half.clone()).expect("kept");
    assert_eq!(store.analysis(game), Ok(Some(half)));
    let whole = KeptAnalysis { nodes: u64::from(u32::MAX) * 2, ..analysis(80, "whole") };
    assert!(whole.is_complete() && !analysis(79, "").is_complete());
    store.keep_analysis(game, whole.clone()).expect("kept");
    assert_eq!(store.analysis(game), Ok(Some(whole)));
    assert_eq!(store.analysis(other), Ok(None));
}

fn beside(store: &dyn Store) {
    let game = begin(store, &anna_and_ben());
    let before = store.record(game).expect("a log");
    store.keep_analysis(game, analysis(80, "found")).expect("kept");
    assert_eq!(store.record(game), Ok(before));
    assert_eq!(store.events(game, 0, 9).map(|events| events.len()), Ok(1));
    // The analysis does not affect later appends.
    store.append(append(game, 2, &anna_and_ben())).expect("an event");
    assert!(store.analysis(game).expect("a log").is_some());
    store.delete(game).expect("deleted");
    assert_eq!(store.analysis(game), Ok(None));
    assert_eq!(store.keep_analysis(game, analysis(80, "late")), Err(Error::NoSuchGame));
    // The next game may get the same row number, but must not get the analysis.
    let next = begin(store, &anna_and_ben());
    assert_eq!(store.analysis(next), Ok(None));
}

fn too_long(store: &dyn Store) {
    let game = begin(store, &anna_and_ben());
    let long = analysis(1, &"x".repeat(LONGEST_ANALYSIS + 1));
    assert_eq!(store.keep_analysis(game, long), Err(Error::TooLong(Part::Analysis)));
    store.keep_analysis(game, analysis(1, &"x".repeat(LONGEST_ANALYSIS))).expect("kept");
    assert_eq!(store.analysis(game).map(|found| found.map(|one| one.done)), Ok(Some(1)));
}
