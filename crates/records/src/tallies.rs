//! Changes of the statistics, collected during a transaction and written once before its commit.

use std::collections::HashMap;

use crate::{Score, Status, Visibility, dates};

/// `at` of a game of unknown date: it sorts before all others.
pub(crate) const UNKNOWN: i64 = -(1 << 60);

/// The kinds of counters: the column `kind` of the table `counts`.
pub(crate) mod kind {
    pub(crate) const ALL: i64 = 0;
    pub(crate) const REASON: i64 = 1;
    pub(crate) const MONTH: i64 = 2;
    pub(crate) const OPENING: i64 = 3;
    pub(crate) const SOURCE: i64 = 4;
    pub(crate) const PLIES: i64 = 5;
    pub(crate) const EVENT: i64 = 6;
    pub(crate) const VISIBILITY: i64 = 7;

    /// The same of public games alone.
    pub(crate) const fn public(kind: i64) -> i64 {
        kind + 16
    }
}

/// The columns of a game that the statistics count by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facets {
    pub(crate) at: i64,
    pub(crate) white: i64,
    pub(crate) black: i64,
    pub(crate) score: Score,
    pub(crate) reason: Option<i64>,
    pub(crate) opening: Option<i64>,
    pub(crate) event: Option<i64>,
    pub(crate) source: i64,
    pub(crate) status: Status,
    pub(crate) visibility: i64,
    pub(crate) plies: i64,
}

/// Stands for a missing value in the counters; ids begin at 1.
pub(crate) const NONE: i64 = 0;

/// Changes of counters that are not written yet.
#[derive(Default)]
pub(crate) struct Tallies {
    /// By player id: won, drawn, lost, open as White, then the same as Black.
    players: HashMap<i64, [i64; 8]>,
    /// The same of public games alone.
    public_players: HashMap<i64, [i64; 8]>,
    /// By kind and value: won by White, drawn, won by Black, open.
    counts: HashMap<(i64, i64), [i64; 4]>,
}

impl Tallies {
    /// Counts a game, or the new state of a changed game.
    pub(crate) fn add(&mut self, facets: &Facets) {
        self.change(facets, 1);
    }

    /// Takes a deleted game, or the old state of a changed game, out of the counters.
    pub(crate) fn remove(&mut self, facets: &Facets) {
        self.change(facets, -1);
    }

    fn change(&mut self, facets: &Facets, by: i64) {
        if !facets.status.counts() {
            return;
        }
        // Won by White, drawn, won by Black, open.
        let column = match facets.score {
            Score::White => 0,
            Score::Draw => 1,
            Score::Black => 2,
            Score::Open => 3,
        };
        let public = facets.visibility == Visibility::Public.number();
        // Black's wins are White's losses.
        let seen_by_black = [2, 1, 0, 3][column];
        let shown = public.then_some(&mut self.public_players);
        for players in [Some(&mut self.players), shown].into_iter().flatten() {
            players.entry(facets.white).or_default()[column] += by;
            players.entry(facets.black).or_default()[4 + seen_by_black] += by;
        }
        let mut values = vec![
            (kind::ALL, NONE),
            (kind::REASON, facets.reason.unwrap_or(NONE)),
            (kind::OPENING, facets.opening.unwrap_or(NONE)),
            (kind::SOURCE, facets.source),
            (kind::PLIES, facets.plies),
            (kind::EVENT, facets.event.unwrap_or(NONE)),
            (kind::VISIBILITY, facets.visibility),
        ];
        if facets.at != UNKNOWN {
            values.push((kind::MONTH, dates::month(facets.at)));
        }
        for (kind, value) in values {
            let shown = public.then_some(kind::public(kind));
            for kind in [Some(kind), shown].into_iter().flatten() {
                self.counts.entry((kind, value)).or_default()[column] += by;
            }
        }
    }

    /// The changes of players in the order of their ids: neighbouring rows share pages, and two
    /// transactions that change the same rows lock them in the same order.
    pub(crate) fn players(&self) -> Vec<(i64, [i64; 8])> {
        sorted_changes(&self.players)
    }

    /// The same of public games alone.
    pub(crate) fn public_players(&self) -> Vec<(i64, [i64; 8])> {
        sorted_changes(&self.public_players)
    }

    /// All other changes, ordered by kind and value.
    pub(crate) fn counts(&self) -> Vec<((i64, i64), [i64; 4])> {
        sorted_changes(&self.counts)
    }
}

fn sorted_changes<K: Copy + Ord, const N: usize>(all: &HashMap<K, [i64; N]>) -> Vec<(K, [i64; N])> {
    let changed = all.iter().filter(|(_, by)| **by != [0; N]);
    let mut changed: Vec<_> = changed.map(|(&key, &by)| (key, by)).collect();
    changed.sort_unstable();
    changed
}
