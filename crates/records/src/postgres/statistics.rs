//! The statistics: counters that were kept, with what is not folded yet, or one player's part of an
//! index.

use hansu_chess::Color;
use tokio_postgres::Row;

use super::queries::names_of;
use super::rows::number;
use super::session::Session;
use super::text::read;
use crate::counting::{Found, Seen, buckets, ending};
use crate::ledger::{NONE, kind};
use crate::plan::Database;
use crate::stats::{Bucket, Facet, HeadToHead, PlayerStats, Standing, Streaks, Tally};
use crate::{Error, names};

/// Folds what was counted lately. One node at a time; the others go on.
pub(crate) const FOLD: &str = "WITH gone AS (
      DELETE FROM pending WHERE ctid = ANY(ARRAY(SELECT ctid FROM pending LIMIT 20000)) RETURNING *),
    sums AS (
      SELECT kind, value, sum(c0)::bigint AS c0, sum(c1)::bigint AS c1, sum(c2)::bigint AS c2,
        sum(c3)::bigint AS c3, sum(c4)::bigint AS c4, sum(c5)::bigint AS c5, sum(c6)::bigint AS c6,
        sum(c7)::bigint AS c7
      FROM gone GROUP BY kind, value),
    people AS (
      INSERT INTO players AS p
      SELECT value, c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7, c0, c1, c2, c3, c4, c5, c6, c7
      FROM sums WHERE kind = 100
      ON CONFLICT (id) DO UPDATE SET games = p.games + excluded.games,
        white_wins = p.white_wins + excluded.white_wins,
        white_draws = p.white_draws + excluded.white_draws,
        white_losses = p.white_losses + excluded.white_losses,
        white_open = p.white_open + excluded.white_open,
        black_wins = p.black_wins + excluded.black_wins,
        black_draws = p.black_draws + excluded.black_draws,
        black_losses = p.black_losses + excluded.black_losses,
        black_open = p.black_open + excluded.black_open)
    INSERT INTO counts AS c SELECT kind, value, c0, c1, c2, c3 FROM sums WHERE kind <> 100
    ON CONFLICT (kind, value) DO UPDATE SET white = c.white + excluded.white,
      draws = c.draws + excluded.draws, black = c.black + excluded.black,
      open = c.open + excluded.open";

/// Both colours, with a number for each.
const COLOURS: [Color; 2] = [Color::White, Color::Black];

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

fn counted(session: &Session, kind: i64) -> Result<Found, Error> {
    let rows = session.query(COUNTED, &[&kind])?;
    rows.iter().map(|row| Ok((row.try_get(0)?, tally(row, 1)?, None))).collect()
}

pub(crate) fn totals(session: &Session) -> Result<Tally, Error> {
    let all = counted(session, kind::ALL)?;
    Ok(all
        .into_iter()
        .find(|(value, ..)| *value == NONE)
        .map(|(_, tally, _)| tally)
        .unwrap_or_default())
}

/// The results of some players: what is folded and what is not.
macro_rules! player_query {
    ($who:literal) => {
        concat!(
            "SELECT n.name, s.* FROM (SELECT id, sum(a)::bigint, sum(b)::bigint, sum(c)::bigint,
               sum(d)::bigint, sum(e)::bigint, sum(f)::bigint, sum(g)::bigint, sum(h)::bigint
             FROM (SELECT id, white_wins, white_draws, white_losses, white_open, black_wins,
                 black_draws, black_losses, black_open FROM players WHERE id IN (",
            $who,
            ")
               UNION ALL SELECT value, c0, c1, c2, c3, c4, c5, c6, c7 FROM pending
               WHERE kind = 100 AND value IN (",
            $who,
            ")
               UNION ALL SELECT id, 0, 0, 0, 0, 0, 0, 0, 0 FROM names WHERE id IN (",
            $who,
            ")
             ) AS u(id, a, b, c, d, e, f, g, h) GROUP BY id) AS s
             JOIN names n ON n.id = s.id"
        )
    };
}

fn player_stats(row: &Row) -> Result<PlayerStats, Error> {
    Ok(PlayerStats {
        name: read(row.try_get(0)?),
        white: Standing::of_white(tally(row, 2)?),
        black: Standing::of_white(tally(row, 6)?),
    })
}

pub(crate) fn player(session: &Session, name: &str) -> Result<Option<PlayerStats>, Error> {
    let row = session
        .first(player_query!("SELECT id FROM names WHERE folded = $1"), &[&names::fold(name)])?;
    row.as_ref().map(player_stats).transpose()
}

/// Whoever has something that is not folded yet, and the first of all others: among them are the
/// first.
pub(crate) fn players(session: &Session, limit: usize) -> Result<Vec<PlayerStats>, Error> {
    let most = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = session.query(
        player_query!(
            "(SELECT p.id FROM players p WHERE p.games > 0
                AND NOT EXISTS (SELECT 1 FROM pending WHERE kind = 100 AND value = p.id)
                AND p.id NOT IN (SELECT id FROM names WHERE folded = '?')
              ORDER BY p.games DESC, p.id LIMIT $1)
             UNION SELECT value FROM pending WHERE kind = 100"
        ),
        &[&most],
    )?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let (id, stats): (i64, _) = (row.try_get(1)?, player_stats(row)?);
        // `?` is nobody in particular.
        if stats.both().games() > 0 && stats.name != "?" {
            found.push((id, stats));
        }
    }
    found.sort_by_key(|(id, stats)| (std::cmp::Reverse(stats.both().games()), *id));
    found.truncate(limit);
    Ok(found.into_iter().map(|(_, stats)| stats).collect())
}

pub(crate) const MET: &str = "SELECT result, count(*) FROM games
    WHERE white = $1 AND black = $2 AND status = 1 GROUP BY result";

/// The games of a pair.
pub(crate) fn head_to_head(session: &Session, one: &str, other: &str) -> Result<HeadToHead, Error> {
    let (Some((one, _)), Some((other, _))) = (session.player(one)?, session.player(other)?) else {
        return Ok(HeadToHead::default());
    };
    let tally_of = |white: i64, black: i64| -> Result<Tally, Error> {
        let mut tally = Tally::default();
        for row in session.query(MET, &[&white, &black])? {
            tally.add(row.try_get(0)?, number(&row, 1)?);
        }
        Ok(tally)
    };
    Ok(HeadToHead {
        white: Standing::of_white(tally_of(one, other)?),
        black: Standing::of_black(tally_of(other, one)?),
    })
}

/// A player's results with a colour, by opponent.
pub(crate) const fn against(us: Color) -> &'static str {
    match us {
        Color::White => {
            "SELECT black, result, count(*) FROM games
             WHERE white = $1 AND status = 1 GROUP BY black, result"
        }
        Color::Black => {
            "SELECT white, result, count(*) FROM games
             WHERE black = $1 AND status = 1 GROUP BY white, result"
        }
    }
}

pub(crate) fn opponents(
    session: &Session,
    name: &str,
    limit: usize,
) -> Result<Vec<(String, Standing)>, Error> {
    let Some((id, _)) = session.player(name)? else { return Ok(Vec::new()) };
    let mut met = Seen::default();
    for us in COLOURS {
        for row in session.query(against(us), &[&id])? {
            met.add(row.try_get(0)?, us, row.try_get(1)?, number(&row, 2)?);
        }
    }
    let met = met.most(limit);
    let ids: Vec<i64> = met.iter().map(|(id, _)| *id).collect();
    let names = names_of(session, &ids)?;
    let name = |id: i64| names.iter().find(|(other, _)| *other == id).map(|(_, name)| name.clone());
    met.into_iter().map(|(id, standing)| Ok((name(id).ok_or(Error::Damaged)?, standing))).collect()
}

/// A player's decided games, in order.
pub(crate) const IN_ORDER: &str = "SELECT at, n, result, 0::bigint FROM games
    WHERE white = $1 AND status = 1 AND result < 3
    UNION ALL
    SELECT at, n, result, 1::bigint FROM games
    WHERE black = $1 AND white <> $1 AND status = 1 AND result < 3
    ORDER BY 1, 2";

pub(crate) fn streaks(session: &Session, name: &str) -> Result<Streaks, Error> {
    let Some((id, _)) = session.player(name)? else { return Ok(Streaks::default()) };
    let mut games = Vec::new();
    for row in session.query(IN_ORDER, &[&id])? {
        let us = if row.try_get::<_, i64>(3)? == 0 { Color::White } else { Color::Black };
        games.push((ending(row.try_get(2)?, us), row.try_get(0)?));
    }
    Ok(Streaks::of(games.into_iter()))
}

/// By what, for everybody or for one player.
pub(crate) fn by(
    session: &Session,
    facet: Facet,
    player: Option<&str>,
) -> Result<Vec<Bucket>, Error> {
    let found = match player {
        None => counted(session, facet.kind())?,
        Some(name) => of_player(session, facet, name)?,
    };
    let labels = match facet {
        Facet::Opening => {
            "SELECT id, eco || ' ' || name FROM openings WHERE id = ANY($1::bigint[])"
        }
        Facet::Reason | Facet::Month | Facet::Source => {
            "SELECT id, text FROM words WHERE id = ANY($1::bigint[])"
        }
    };
    let ids: Vec<i64> = found.iter().map(|(value, ..)| *value).collect();
    let mut known = std::collections::HashMap::new();
    for row in session.query(labels, &[&ids])? {
        known.insert(row.try_get::<_, i64>(0)?, read(row.try_get(1)?));
    }
    buckets(facet, found, |value| Ok(known.get(&value).cloned()))
}

/// A player's games with a colour, counted by a column; `each!("at")` by the time they began.
macro_rules! each {
    ($column:literal) => {
        [
            concat!(
                "SELECT coalesce(",
                $column,
                ", 0), result, count(*) FROM games
                WHERE white = $1 AND status = 1 GROUP BY 1, 2"
            ),
            concat!(
                "SELECT coalesce(",
                $column,
                ", 0), result, count(*) FROM games
                WHERE black = $1 AND status = 1 GROUP BY 1, 2"
            ),
        ]
    };
}

/// One player's games, not everybody's: an index leads to each of them.
fn of_player(session: &Session, facet: Facet, name: &str) -> Result<Found, Error> {
    let Some((id, _)) = session.player(name)? else { return Ok(Vec::new()) };
    let asked = match facet {
        Facet::Reason => each!("reason"),
        Facet::Month => each!("at"),
        Facet::Opening => each!("opening"),
        Facet::Source => each!("source"),
    };
    let mut found = Seen::default();
    for (us, sql) in COLOURS.into_iter().zip(asked) {
        for row in session.query(sql, &[&id])? {
            found.add_games(facet, row.try_get(0)?, us, row.try_get(1)?, number(&row, 2)?);
        }
    }
    Ok(found.found())
}
