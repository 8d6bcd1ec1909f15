//! The statistics as they change: collected over a transaction, written once before its commit.

use std::collections::HashMap;

use rusqlite::Connection;

use super::schema::{UNKNOWN, kind};
use crate::{Score, Status, dates};

/// What a game counts for.
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

/// The value under which what has no value is counted; ids begin at 1.
pub(crate) const NONE: i64 = 0;

/// Changes that are not written yet.
#[derive(Default)]
pub(crate) struct Ledger {
    /// By player: with White won, drawn, lost, open, then the same with Black.
    players: HashMap<i64, [i64; 8]>,
    /// By kind and value: won by White, drawn, won by Black, open.
    counts: HashMap<(i64, i64), [i64; 4]>,
}

impl Ledger {
    /// A game has come, or changed to this.
    pub(crate) fn add(&mut self, facets: &Facets) {
        self.change(facets, 1);
    }

    /// A game has gone, or changed from this.
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
        self.players.entry(facets.white).or_default()[column] += by;
        // Black's wins are White's losses.
        let seen_by_black = [2, 1, 0, 3][column];
        self.players.entry(facets.black).or_default()[4 + seen_by_black] += by;
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
        for key in values {
            self.counts.entry(key).or_default()[column] += by;
        }
    }

    /// Writes everything.
    pub(crate) fn write(self, connection: &Connection) -> rusqlite::Result<()> {
        let mut player = connection.prepare_cached(
            "UPDATE names SET games = games + ?2,
               white_wins = white_wins + ?3, white_draws = white_draws + ?4,
               white_losses = white_losses + ?5, white_open = white_open + ?6,
               black_wins = black_wins + ?7, black_draws = black_draws + ?8,
               black_losses = black_losses + ?9, black_open = black_open + ?10
             WHERE id = ?1",
        )?;
        // In the order of the table: neighbours share pages.
        let mut players: Vec<_> = self.players.into_iter().collect();
        players.sort_unstable();
        for (id, c) in players {
            let games: i64 = c.iter().sum();
            if c != [0; 8] {
                player.execute((id, games, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]))?;
            }
        }
        let mut count = connection.prepare_cached(
            "INSERT INTO counts VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT DO UPDATE SET white = white + excluded.white,
               draws = draws + excluded.draws, black = black + excluded.black,
               open = open + excluded.open",
        )?;
        for ((kind, value), c) in self.counts {
            if c != [0; 4] {
                count.execute((kind, value, c[0], c[1], c[2], c[3]))?;
            }
        }
        Ok(())
    }
}
