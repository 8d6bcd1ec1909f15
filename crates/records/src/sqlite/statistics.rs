//! The statistics: counters that were kept, or one player's part of an index.

use hansu_chess::Color;
use rusqlite::{Connection, OptionalExtension, Row};

use crate::counting::{Found, Seen, buckets, ending};
use crate::ledger::{NONE, kind};
use crate::plan::Database;
use crate::stats::{Bucket, Facet, HeadToHead, PlayerStats, Standing, Streaks, Tally};
use crate::{Error, names};

/// Both colours, with the column that says who has it.
const COLOURS: [(Color, &str); 2] = [(Color::White, "white"), (Color::Black, "black")];

/// A finished game counts; see `Status::counts`.
const COUNTS: &str = "status = 1";

fn number(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    // A counter below zero would be a bug of ours; it must not become a panic of others.
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

fn standing(row: &Row<'_>, from: usize) -> rusqlite::Result<Standing> {
    Ok(Standing::of_white(tally(row, from)?))
}

pub(crate) fn totals(connection: &Connection) -> Result<Tally, Error> {
    let all = connection
        .prepare_cached(
            "SELECT white, draws, black, open FROM counts WHERE kind = ?1 AND value = ?2",
        )?
        .query_row([kind::ALL, NONE], |row| tally(row, 0))
        .optional()?;
    Ok(all.unwrap_or_default())
}

const PLAYER: &str = "SELECT name, white_wins, white_draws, white_losses, white_open,
    black_wins, black_draws, black_losses, black_open FROM names";

fn player_stats(row: &Row<'_>) -> rusqlite::Result<PlayerStats> {
    Ok(PlayerStats { name: row.get(0)?, white: standing(row, 1)?, black: standing(row, 5)? })
}

pub(crate) fn player(connection: &Connection, name: &str) -> Result<Option<PlayerStats>, Error> {
    Ok(connection
        .prepare_cached(&format!("{PLAYER} WHERE folded = ?1"))?
        .query_row([names::fold(name)], player_stats)
        .optional()?)
}

pub(crate) fn players(connection: &Connection, limit: usize) -> Result<Vec<PlayerStats>, Error> {
    // `?` is nobody in particular.
    let sql =
        format!("{PLAYER} WHERE games > 0 AND folded <> '?' ORDER BY games DESC, id LIMIT ?1");
    let mut query = connection.prepare_cached(&sql)?;
    let rows = query.query_map([i64::try_from(limit).unwrap_or(i64::MAX)], player_stats)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Results of a pair, from one of their indexes.
pub(super) fn met(index: &str) -> String {
    format!(
        "SELECT result, count(*) FROM games INDEXED BY {index}
         WHERE white = ?1 AND black = ?2 AND {COUNTS} GROUP BY result"
    )
}

/// The games of a pair, read from the index of whoever has played less.
pub(crate) fn head_to_head(
    connection: &Connection,
    one: &str,
    other: &str,
) -> Result<HeadToHead, Error> {
    let pair = (Database::player(connection, one)?, Database::player(connection, other)?);
    let (Some((one, fewer)), Some((other, games))) = pair else {
        return Ok(HeadToHead::default());
    };
    let tally_of = |white: i64, black: i64, index: &str| -> Result<Tally, Error> {
        let mut query = connection.prepare_cached(&met(index))?;
        let mut rows = query.query([white, black])?;
        let mut tally = Tally::default();
        while let Some(row) = rows.next()? {
            tally.add(row.get(0)?, number(row, 1)?);
        }
        Ok(tally)
    };
    let (as_white, as_black) = if fewer <= games {
        ("games_white", "games_black")
    } else {
        ("games_black", "games_white")
    };
    Ok(HeadToHead {
        white: Standing::of_white(tally_of(one, other, as_white)?),
        black: Standing::of_black(tally_of(other, one, as_black)?),
    })
}

/// A player's results with a colour, by opponent.
pub(super) fn against(us: &str) -> String {
    let them = if us == "white" { "black" } else { "white" };
    format!(
        "SELECT {them}, result, count(*) FROM games INDEXED BY games_{us}
         WHERE {us} = ?1 AND {COUNTS} GROUP BY {them}, result"
    )
}

pub(crate) fn opponents(
    connection: &Connection,
    name: &str,
    limit: usize,
) -> Result<Vec<(String, Standing)>, Error> {
    let Some((id, _)) = Database::player(connection, name)? else {
        return Ok(Vec::new());
    };
    let mut met = Seen::default();
    for (us, column) in COLOURS {
        let mut query = connection.prepare_cached(&against(column))?;
        let mut rows = query.query([id])?;
        while let Some(row) = rows.next()? {
            met.add(row.get(0)?, us, row.get(1)?, number(row, 2)?);
        }
    }
    let mut name = connection.prepare_cached("SELECT name FROM names WHERE id = ?1")?;
    met.most(limit)
        .into_iter()
        .map(|(id, standing)| Ok((name.query_row([id], |row| row.get(0))?, standing)))
        .collect()
}

/// A player's decided games; both arms come in order, so they are merged without sorting.
pub(super) fn in_order() -> String {
    format!(
        "SELECT at, n, result, 0 FROM games INDEXED BY games_white
         WHERE white = ?1 AND {COUNTS} AND result < 3
         UNION ALL
         SELECT at, n, result, 1 FROM games INDEXED BY games_black
         WHERE black = ?1 AND white <> ?1 AND {COUNTS} AND result < 3
         ORDER BY at, n"
    )
}

pub(crate) fn streaks(connection: &Connection, name: &str) -> Result<Streaks, Error> {
    let Some((id, _)) = Database::player(connection, name)? else {
        return Ok(Streaks::default());
    };
    let mut query = connection.prepare_cached(&in_order())?;
    let mut games = Vec::new();
    let mut rows = query.query([id])?;
    while let Some(row) = rows.next()? {
        let us = if row.get::<_, i64>(3)? == 0 { Color::White } else { Color::Black };
        games.push((ending(row.get(2)?, us), row.get(0)?));
    }
    Ok(Streaks::of(games.into_iter()))
}

/// By what, for everybody or for one player.
pub(crate) fn by(
    connection: &Connection,
    facet: Facet,
    player: Option<&str>,
) -> Result<Vec<Bucket>, Error> {
    let found = match player {
        None => of_all(connection, facet)?,
        Some(name) => of_player(connection, facet, name)?,
    };
    let labels = match facet {
        Facet::Opening => "SELECT eco || ' ' || name FROM openings WHERE id = ?1",
        Facet::Reason | Facet::Month | Facet::Source => "SELECT text FROM words WHERE id = ?1",
    };
    let mut label = connection.prepare_cached(labels)?;
    buckets(facet, found, |value| Ok(label.query_row([value], |row| row.get(0)).optional()?))
}

fn of_all(connection: &Connection, facet: Facet) -> Result<Found, Error> {
    let mut query = connection
        .prepare_cached("SELECT value, white, draws, black, open FROM counts WHERE kind = ?1")?;
    let rows = query.query_map([facet.kind()], |row| Ok((row.get(0)?, tally(row, 1)?, None)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A player's games with a colour, one by one.
pub(super) fn each(column: &str, us: &str) -> String {
    format!(
        "SELECT ifnull({column}, {NONE}), result FROM games INDEXED BY games_{us}
         WHERE {us} = ?1 AND {COUNTS}"
    )
}

/// One player's games, not everybody's: an index leads to each of them.
fn of_player(connection: &Connection, facet: Facet, name: &str) -> Result<Found, Error> {
    let Some((id, _)) = Database::player(connection, name)? else {
        return Ok(Vec::new());
    };
    let mut found = Seen::default();
    for (us, colour) in COLOURS {
        let mut query = connection.prepare_cached(&each(facet.column(), colour))?;
        let mut rows = query.query([id])?;
        while let Some(row) = rows.next()? {
            found.add_games(facet, row.get(0)?, us, row.get(1)?, 1);
        }
    }
    Ok(found.found())
}
