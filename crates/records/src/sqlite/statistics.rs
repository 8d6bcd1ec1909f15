//! Reads the numbers of the statistics, from counters or from one player's part of an index.

use std::collections::HashMap;

use hansu_chess::Color;
use rusqlite::{Connection, OptionalExtension, Row};

use crate::counting::{self, Column, GameSet, StatsSource};
use crate::dates::LogTime;
use crate::search_text::within;
use crate::stats::{Facet, PlayerStats, Standing, Tally};
use crate::tallies::NONE;
use crate::{Error, Holder, names, own};

fn number(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    // A counter below zero would be a bug here; it must not cause a panic elsewhere.
    Ok(row.get::<_, i64>(at)?.max(0).cast_unsigned())
}

fn tally(row: &Row<'_>, from: usize) -> rusqlite::Result<Tally> {
    Ok(Tally {
        white: number(row, from)?,
        draws: number(row, from + 1)?,
        black: number(row, from + 2)?,
        open: number(row, from + 3)?,
    })
}

const fn column(us: Color) -> &'static str {
    match us {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// A finished game counts (see `Status::counts`); a private one does not count for the public.
const fn counts(which: GameSet) -> &'static str {
    match which {
        GameSet::All => "status = 1",
        GameSet::Public => "status = 1 AND visibility = 0",
    }
}

/// The results of two players, read by the index of one of them.
pub(super) fn results_between(which: GameSet, index: &str) -> String {
    format!(
        "SELECT result, count(*) FROM games INDEXED BY {index}
         WHERE white = ?1 AND black = ?2 AND {} GROUP BY result",
        counts(which)
    )
}

/// A player's games with a colour, by a column.
pub(super) fn games(which: GameSet, by: Column, us: Color) -> String {
    let by = match by {
        Column::Opponent => column(!us),
        Column::Of(facet) => counting::column_of(facet),
    };
    let (us, counts) = (column(us), counts(which));
    format!(
        "SELECT ifnull({by}, {NONE}), result, count(*) FROM games INDEXED BY games_{us}
         WHERE {us} = ?1 AND {counts} GROUP BY 1, 2"
    )
}

/// A player's decided games; both arms are in order, so they are merged without sorting.
pub(super) fn in_order(which: GameSet) -> String {
    let counts = counts(which);
    format!(
        "SELECT at, n, result, 0 FROM games INDEXED BY games_white
         WHERE white = ?1 AND {counts} AND result < 3
         UNION ALL
         SELECT at, n, result, 1 FROM games INDEXED BY games_black
         WHERE black = ?1 AND white <> ?1 AND {counts} AND result < 3
         ORDER BY at, n"
    )
}

/// A holder's games that are not public.
pub(super) const PRIVATE_GAMES: &str =
    "SELECT g.at, g.n, g.white, g.black, g.result, ifnull(g.reason, 0),
      ifnull(g.opening, 0), g.source
    FROM seats s CROSS JOIN games g ON g.n = s.game
    WHERE s.holder = ?1 AND g.status = 1 AND g.visibility <> 0";

/// The games in which a holder has one of the colours, the newest first, in the order of the
/// primary key of `seats`.
pub(super) const GAMES_OF_HOLDER: &str =
    "SELECT g.at, g.n, g.white, g.black, g.result, ifnull(g.reason, 0),
      ifnull(g.opening, 0), g.source, s.side
    FROM seats s CROSS JOIN games g ON g.n = s.game
    WHERE s.holder = ?1 AND s.side < 2 AND g.status = 1
    ORDER BY s.at DESC, s.game DESC LIMIT ?2";

fn game(row: &Row<'_>) -> rusqlite::Result<counting::FinishedGame> {
    Ok(counting::FinishedGame {
        at: row.get(0)?,
        n: row.get(1)?,
        white: row.get(2)?,
        black: row.get(3)?,
        result: row.get(4)?,
        reason: row.get(5)?,
        opening: row.get(6)?,
        source: row.get(7)?,
    })
}

impl StatsSource for Connection {
    fn counters(&self, kind: i64) -> Result<Vec<(i64, Tally)>, Error> {
        let mut query = self.prepare_cached(
            "SELECT value, white, draws, black, open FROM counts WHERE kind = ?1",
        )?;
        let rows = query.query_map([kind], |row| Ok((row.get(0)?, tally(row, 1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn id(&self, name: &str) -> Result<Option<i64>, Error> {
        let mut query = self.prepare_cached("SELECT id FROM names WHERE folded = ?1")?;
        Ok(query.query_row([names::fold(name)], |row| row.get(0)).optional()?)
    }

    fn results(&self, which: GameSet, ids: &[i64]) -> Result<Vec<(i64, PlayerStats)>, Error> {
        let sql = match which {
            GameSet::All => {
                "SELECT name, white_wins, white_draws, white_losses, white_open,
                   black_wins, black_draws, black_losses, black_open FROM names WHERE id = ?1"
            }
            GameSet::Public => {
                "SELECT n.name, ifnull(s.white_wins, 0), ifnull(s.white_draws, 0),
                   ifnull(s.white_losses, 0), ifnull(s.white_open, 0), ifnull(s.black_wins, 0),
                   ifnull(s.black_draws, 0), ifnull(s.black_losses, 0), ifnull(s.black_open, 0)
                 FROM names n LEFT JOIN shown s ON s.id = n.id WHERE n.id = ?1"
            }
        };
        let mut query = self.prepare_cached(sql)?;
        let mut found = Vec::with_capacity(ids.len());
        for &id in ids {
            let stats = query.query_row([id], |row| {
                let (white, black) = (tally(row, 1)?, tally(row, 5)?);
                let [white, black] = [white, black].map(Standing::of_white);
                Ok(PlayerStats { name: row.get(0)?, white, black })
            });
            found.extend(stats.optional()?.map(|stats| (id, stats)));
        }
        Ok(found)
    }

    fn busiest(&self, which: GameSet, limit: usize) -> Result<Vec<i64>, Error> {
        let table = match which {
            GameSet::All => "names",
            GameSet::Public => "shown",
        };
        // One more, because the name `?` may be among them.
        let limit = limit.saturating_add(1);
        let sql =
            format!("SELECT id FROM {table} WHERE games > 0 ORDER BY games DESC, id LIMIT {limit}");
        let mut query = self.prepare(&sql)?;
        let rows = query.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn games(
        &self,
        which: GameSet,
        by: Column,
        us: Color,
        id: i64,
    ) -> Result<Vec<(i64, i64, u64)>, Error> {
        let mut query = self.prepare_cached(&games(which, by, us))?;
        let rows = query.query_map([id], |row| Ok((row.get(0)?, row.get(1)?, number(row, 2)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Reads the index of the player with fewer games.
    fn results_between(
        &self,
        which: GameSet,
        white: i64,
        black: i64,
    ) -> Result<Vec<(i64, u64)>, Error> {
        let mut played = self.prepare_cached("SELECT games FROM names WHERE id = ?1")?;
        let mut played = |id: i64| played.query_row([id], |row| row.get::<_, i64>(0));
        let index = if played(white)? <= played(black)? { "games_white" } else { "games_black" };
        let mut query = self.prepare_cached(&results_between(which, index))?;
        let rows = query.query_map([white, black], |row| Ok((row.get(0)?, number(row, 1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn in_order(&self, which: GameSet, id: i64) -> Result<Vec<(LogTime, i64, i64, Color)>, Error> {
        let mut query = self.prepare_cached(&in_order(which))?;
        let rows = query.query_map([id], |row| {
            let us = if row.get::<_, i64>(3)? == 0 { Color::White } else { Color::Black };
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, us))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn private_games(&self, holder: &Holder) -> Result<Vec<counting::FinishedGame>, Error> {
        let mut query = self.prepare_cached(PRIVATE_GAMES)?;
        let rows = query.query_map([holder.0], game)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn games_of_holder(
        &self,
        holder: &Holder,
    ) -> Result<Vec<(counting::FinishedGame, Color)>, Error> {
        let mut query = self.prepare_cached(GAMES_OF_HOLDER)?;
        let rows = query.query_map((holder.0, own::MOST), |row| {
            let us = if row.get::<_, i64>(8)? == 0 { Color::White } else { Color::Black };
            Ok((game(row)?, us))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn labels(&self, facet: Facet, values: &[i64]) -> Result<HashMap<i64, String>, Error> {
        let text = match facet {
            Facet::Opening => "eco || ' ' || name FROM openings",
            Facet::Reason => "text FROM words",
            Facet::Month | Facet::Source => return Ok(HashMap::new()),
        };
        let mut query = self.prepare(&format!("SELECT id, {text} WHERE id {}", within(values)))?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
