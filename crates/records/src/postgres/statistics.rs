//! Reads the numbers of the statistics, from counters plus pending changes, or from one player's
//! part of an index.

use std::collections::HashMap;

use hansu_chess::Color;
use tokio_postgres::Row;

use super::rows::number;
use super::session::Session;
use super::text::decode_text;
use crate::counting::{self, Column, GameSet, StatsSource};
use crate::dates::LogTime;
use crate::stats::{Facet, PlayerStats, Standing, Tally};
use crate::{Error, Holder, names, own};

/// Adds the pending sums to a table of players.
macro_rules! fold_players {
    ($table:literal, $kind:literal) => {
        concat!(
            "INSERT INTO ",
            $table,
            " AS p SELECT value, c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7,
               c0, c1, c2, c3, c4, c5, c6, c7
             FROM sums WHERE kind = ",
            $kind,
            " ON CONFLICT (id) DO UPDATE SET games = p.games + excluded.games,
               white_wins = p.white_wins + excluded.white_wins,
               white_draws = p.white_draws + excluded.white_draws,
               white_losses = p.white_losses + excluded.white_losses,
               white_open = p.white_open + excluded.white_open,
               black_wins = p.black_wins + excluded.black_wins,
               black_draws = p.black_draws + excluded.black_draws,
               black_losses = p.black_losses + excluded.black_losses,
               black_open = p.black_open + excluded.black_open"
        )
    };
}

/// Merges pending changes into the counters. One node at a time; the others do not wait.
pub(crate) const FOLD: &str = concat!(
    "WITH gone AS (
      DELETE FROM pending WHERE ctid = ANY(ARRAY(SELECT ctid FROM pending LIMIT 20000)) RETURNING *),
    sums AS (
      SELECT kind, value, sum(c0)::bigint AS c0, sum(c1)::bigint AS c1, sum(c2)::bigint AS c2,
        sum(c3)::bigint AS c3, sum(c4)::bigint AS c4, sum(c5)::bigint AS c5, sum(c6)::bigint AS c6,
        sum(c7)::bigint AS c7
      FROM gone GROUP BY kind, value),
    people AS (",
    fold_players!("players", "100"),
    "), public AS (",
    fold_players!("shown", "101"),
    ")
    INSERT INTO counts AS c SELECT kind, value, c0, c1, c2, c3 FROM sums WHERE kind < 100
    ON CONFLICT (kind, value) DO UPDATE SET white = c.white + excluded.white,
      draws = c.draws + excluded.draws, black = c.black + excluded.black,
      open = c.open + excluded.open"
);

fn tally(row: &Row, from: usize) -> Result<Tally, Error> {
    Ok(Tally {
        white: number(row, from)?,
        draws: number(row, from + 1)?,
        black: number(row, from + 2)?,
        open: number(row, from + 3)?,
    })
}

const COUNTED: &str = "SELECT value, sum(white)::bigint, sum(draws)::bigint, sum(black)::bigint,
      sum(open)::bigint
    FROM (SELECT value, white, draws, black, open FROM counts WHERE kind = $1
      UNION ALL SELECT value, c0, c1, c2, c3 FROM pending WHERE kind = $1) AS c
    GROUP BY value";

/// The results of some players: counters plus pending changes.
macro_rules! results {
    ($table:literal, $kind:literal) => {
        concat!(
            "SELECT n.name, s.* FROM (SELECT id, sum(a)::bigint, sum(b)::bigint, sum(c)::bigint,
               sum(d)::bigint, sum(e)::bigint, sum(f)::bigint, sum(g)::bigint, sum(h)::bigint
             FROM (SELECT id, white_wins, white_draws, white_losses, white_open, black_wins,
                 black_draws, black_losses, black_open FROM ",
            $table,
            " WHERE id = ANY($1::bigint[])
               UNION ALL SELECT value, c0, c1, c2, c3, c4, c5, c6, c7 FROM pending
               WHERE kind = ",
            $kind,
            " AND value = ANY($1::bigint[])
               UNION ALL SELECT id, 0, 0, 0, 0, 0, 0, 0, 0 FROM names WHERE id = ANY($1::bigint[])
             ) AS u(id, a, b, c, d, e, f, g, h) GROUP BY id) AS s
             JOIN names n ON n.id = s.id"
        )
    };
}

/// Players with pending changes, and the busiest of the others: together they include the busiest
/// of all.
macro_rules! busiest {
    ($table:literal, $kind:literal) => {
        concat!(
            "(SELECT p.id FROM ",
            $table,
            " p WHERE p.games > 0
                AND NOT EXISTS (SELECT 1 FROM pending WHERE kind = ",
            $kind,
            " AND value = p.id)
                AND p.id NOT IN (SELECT id FROM names WHERE folded = '?')
              ORDER BY p.games DESC, p.id LIMIT $1)
             UNION SELECT value FROM pending WHERE kind = ",
            $kind
        )
    };
}

/// A finished game counts; a private one does not count for the public.
macro_rules! counts {
    (All) => {
        "status = 1"
    };
    (Public) => {
        "status = 1 AND visibility = 0"
    };
}

macro_rules! results_between {
    ($which:tt) => {
        concat!(
            "SELECT result, count(*) FROM games WHERE white = $1 AND black = $2 AND ",
            counts!($which),
            " GROUP BY result"
        )
    };
}

/// A player's games with a colour, by a column.
macro_rules! games {
    ($which:tt, $column:literal, $us:literal) => {
        concat!(
            "SELECT coalesce(",
            $column,
            ", 0), result, count(*) FROM games WHERE ",
            $us,
            " = $1 AND ",
            counts!($which),
            " GROUP BY 1, 2"
        )
    };
    ($which:tt, $by:expr, $us:expr) => {
        match ($by, $us) {
            (Column::Opponent, Color::White) => games!($which, "black", "white"),
            (Column::Opponent, Color::Black) => games!($which, "white", "black"),
            (Column::Of(Facet::Reason), Color::White) => games!($which, "reason", "white"),
            (Column::Of(Facet::Reason), Color::Black) => games!($which, "reason", "black"),
            (Column::Of(Facet::Month), Color::White) => games!($which, "at", "white"),
            (Column::Of(Facet::Month), Color::Black) => games!($which, "at", "black"),
            (Column::Of(Facet::Opening), Color::White) => games!($which, "opening", "white"),
            (Column::Of(Facet::Opening), Color::Black) => games!($which, "opening", "black"),
            (Column::Of(Facet::Source), Color::White) => games!($which, "source", "white"),
            (Column::Of(Facet::Source), Color::Black) => games!($which, "source", "black"),
        }
    };
}

/// A player's decided games, in order.
macro_rules! in_order {
    ($which:tt) => {
        concat!(
            "SELECT at, n, result, 0::bigint FROM games WHERE white = $1 AND result < 3 AND ",
            counts!($which),
            " UNION ALL
             SELECT at, n, result, 1::bigint FROM games
             WHERE black = $1 AND white <> $1 AND result < 3 AND ",
            counts!($which),
            " ORDER BY 1, 2"
        )
    };
}

/// A holder's games that are not public.
const PRIVATE_GAMES: &str = "SELECT g.at, g.n, g.white, g.black, g.result, coalesce(g.reason, 0),
      coalesce(g.opening, 0), g.source
    FROM seats s CROSS JOIN LATERAL (SELECT * FROM games WHERE n = s.game OFFSET 0) AS g
    WHERE s.holder = $1 AND g.status = 1 AND g.visibility <> 0";

/// The games in which a holder has one of the colours, the newest first, in the order of the
/// primary key of `seats`.
const GAMES_OF_HOLDER: &str = "SELECT g.at, g.n, g.white, g.black, g.result, coalesce(g.reason, 0),
      coalesce(g.opening, 0), g.source, s.side
    FROM seats s CROSS JOIN LATERAL (SELECT * FROM games WHERE n = s.game OFFSET 0) AS g
    WHERE s.holder = $1 AND s.side < 2 AND g.status = 1
    ORDER BY s.at DESC, s.game DESC LIMIT $2";

fn game(row: &Row) -> Result<counting::FinishedGame, Error> {
    Ok(counting::FinishedGame {
        at: row.try_get(0)?,
        n: row.try_get(1)?,
        white: row.try_get(2)?,
        black: row.try_get(3)?,
        result: row.try_get(4)?,
        reason: row.try_get(5)?,
        opening: row.try_get(6)?,
        source: row.try_get(7)?,
    })
}

impl StatsSource for Session {
    fn counters(&self, kind: i64) -> Result<Vec<(i64, Tally)>, Error> {
        let rows = self.query(COUNTED, &[&kind])?;
        rows.iter().map(|row| Ok((row.try_get(0)?, tally(row, 1)?))).collect()
    }

    fn id(&self, name: &str) -> Result<Option<i64>, Error> {
        let row = self.first("SELECT id FROM names WHERE folded = $1", &[&names::fold(name)])?;
        row.map(|row| Ok(row.try_get(0)?)).transpose()
    }

    fn results(&self, which: GameSet, ids: &[i64]) -> Result<Vec<(i64, PlayerStats)>, Error> {
        let sql = match which {
            GameSet::All => results!("players", "100"),
            GameSet::Public => results!("shown", "101"),
        };
        let rows = self.query(sql, &[&ids])?;
        let stats = |row: &Row| {
            let [white, black] = [tally(row, 2)?, tally(row, 6)?].map(Standing::of_white);
            Ok((row.try_get(1)?, PlayerStats { name: decode_text(row.try_get(0)?), white, black }))
        };
        rows.iter().map(stats).collect()
    }

    fn busiest(&self, which: GameSet, limit: usize) -> Result<Vec<i64>, Error> {
        let sql = match which {
            GameSet::All => busiest!("players", "100"),
            GameSet::Public => busiest!("shown", "101"),
        };
        let rows = self.query(sql, &[&i64::try_from(limit).unwrap_or(i64::MAX)])?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    fn games(
        &self,
        which: GameSet,
        by: Column,
        us: Color,
        id: i64,
    ) -> Result<Vec<(i64, i64, u64)>, Error> {
        let sql = match which {
            GameSet::All => games!(All, by, us),
            GameSet::Public => games!(Public, by, us),
        };
        let rows = self.query(sql, &[&id])?;
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?, number(row, 2)?))).collect()
    }

    fn results_between(
        &self,
        which: GameSet,
        white: i64,
        black: i64,
    ) -> Result<Vec<(i64, u64)>, Error> {
        let sql = match which {
            GameSet::All => results_between!(All),
            GameSet::Public => results_between!(Public),
        };
        let rows = self.query(sql, &[&white, &black])?;
        rows.iter().map(|row| Ok((row.try_get(0)?, number(row, 1)?))).collect()
    }

    fn in_order(&self, which: GameSet, id: i64) -> Result<Vec<(LogTime, i64, i64, Color)>, Error> {
        let sql = match which {
            GameSet::All => in_order!(All),
            GameSet::Public => in_order!(Public),
        };
        let game = |row: &Row| {
            let us = if row.try_get::<_, i64>(3)? == 0 { Color::White } else { Color::Black };
            Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, us))
        };
        self.query(sql, &[&id])?.iter().map(game).collect()
    }

    fn private_games(&self, holder: &Holder) -> Result<Vec<counting::FinishedGame>, Error> {
        self.query(PRIVATE_GAMES, &[&&holder.0[..]])?.iter().map(game).collect()
    }

    fn games_of_holder(
        &self,
        holder: &Holder,
    ) -> Result<Vec<(counting::FinishedGame, Color)>, Error> {
        let held = |row: &Row| {
            let us = if row.try_get::<_, i64>(8)? == 0 { Color::White } else { Color::Black };
            Ok((game(row)?, us))
        };
        self.query(GAMES_OF_HOLDER, &[&&holder.0[..], &own::MOST])?.iter().map(held).collect()
    }

    fn labels(&self, facet: Facet, values: &[i64]) -> Result<HashMap<i64, String>, Error> {
        let sql = match facet {
            Facet::Opening => {
                "SELECT id, eco || ' ' || name FROM openings WHERE id = ANY($1::bigint[])"
            }
            Facet::Reason => "SELECT id, text FROM words WHERE id = ANY($1::bigint[])",
            Facet::Month | Facet::Source => return Ok(HashMap::new()),
        };
        let rows = self.query(sql, &[&values])?;
        rows.iter().map(|row| Ok((row.try_get(0)?, decode_text(row.try_get(1)?)))).collect()
    }
}
