//! Reads rows.

use std::collections::HashMap;

use tokio_postgres::Row;
use tokio_postgres::types::FromSqlOwned;

use super::session::Session;
use super::text::decode_text;
use crate::game_row::{self, Cells};
use crate::stats::Viewer;
use crate::store::Progress;
use crate::{Error, Event, GameId, Holder, Invitation, InvitationState, Record, Seat, Seek, Side};

macro_rules! record_query {
    ($from:literal) => {
        concat!(
            "SELECT g.id, g.at, g.ended, w.name, b.name, g.result, r.text, g.source, g.status,
               g.visibility, g.deadline, g.variant, g.start_fen, g.final_fen, c.text, o.eco, o.name, e.text,
               g.moves, g.headers, g.annotations, g.last_seq,
               (SELECT string_agg(text, chr(10) ORDER BY holder) FROM notes
                WHERE game = g.n AND ($2::bytea IS NULL OR holder = $2)),
               array_to_string(ARRAY(SELECT DISTINCT tag FROM tags
                WHERE game = g.n AND ($2::bytea IS NULL OR holder = $2) ORDER BY tag), chr(31)),
               g.n
             FROM ",
            $from,
            " JOIN names w ON w.id = g.white JOIN names b ON b.id = g.black
             LEFT JOIN words r ON r.id = g.reason LEFT JOIN words c ON c.id = g.time_control
             LEFT JOIN words e ON e.id = g.event LEFT JOIN openings o ON o.id = g.opening "
        )
    };
}

/// A whole game; `$1` is its id, `$2` the holder whose tags and notes are read, or NULL for those
/// of all holders.
pub(crate) const BY_ID: &str = concat!(record_query!("games g"), "WHERE g.id = $1");
/// Whole games; `$1` are their row numbers.
const BY_ROWS: &str = concat!(record_query!("games g"), "WHERE g.n = ANY($1::bigint[])");

fn text(row: &Row, at: usize) -> Result<String, Error> {
    Ok(decode_text(row.try_get(at)?))
}

impl Cells for Row {
    fn number(&self, at: usize) -> Result<Option<i64>, Error> {
        Ok(self.try_get(at)?)
    }

    fn text(&self, at: usize) -> Result<Option<String>, Error> {
        Ok(self.try_get::<_, Option<String>>(at)?.map(decode_text))
    }

    fn bytes(&self, at: usize) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.try_get(at)?)
    }
}

/// Games by their row numbers.
pub(crate) fn records(
    session: &Session,
    viewer: Viewer,
    rows: &[i64],
) -> Result<HashMap<i64, Record>, Error> {
    let found = session.query(BY_ROWS, &[&rows, &viewer.reads()])?;
    found.iter().map(|row| Ok((row.try_get(24)?, game_row::record(row)?))).collect()
}

/// Reads number, time and text of an event.
pub(crate) fn event(row: &Row) -> Result<Event, Error> {
    let seq = row.try_get::<_, i64>(0)?.cast_unsigned();
    Ok(Event { seq, at: row.try_get(1)?, body: text(row, 2)? })
}

/// Reads side and holder of a seat.
pub(crate) fn seat(row: &Row) -> Result<Seat, Error> {
    let side = Side::from_number(row.try_get(0)?).ok_or(Error::Damaged)?;
    Ok(Seat { side, holder: Holder(bytes(row, 1)?) })
}

/// Reads hash, game, body, holder, times and state of an invitation.
pub(crate) fn invitation(row: &Row) -> Result<Invitation, Error> {
    Ok(Invitation {
        hash: bytes(row, 0)?,
        game: game(row, 1)?,
        body: text(row, 2)?,
        holder: Holder(bytes(row, 3)?),
        made: row.try_get(4)?,
        expires: row.try_get(5)?,
        state: InvitationState::from_number(row.try_get(6)?).ok_or(Error::Damaged)?,
    })
}

/// Reads game, node, body, holder and time of a seek.
pub(crate) fn seek(row: &Row) -> Result<Seek, Error> {
    Ok(Seek {
        game: game(row, 0)?,
        node: text(row, 1)?,
        body: text(row, 2)?,
        holder: Holder(bytes(row, 3)?),
        made: row.try_get(4)?,
    })
}

/// Reads the id of a game.
pub(crate) fn game(row: &Row, at: usize) -> Result<GameId, Error> {
    row.try_get::<_, &str>(at)?.parse().map_err(|_| Error::Damaged)
}

pub(crate) fn bytes<const N: usize>(row: &Row, at: usize) -> Result<[u8; N], Error> {
    row.try_get::<_, &[u8]>(at)?.try_into().map_err(|_| Error::Damaged)
}

/// Reads a number that is never negative. A negative one would be a bug here; it must not cause a
/// panic elsewhere.
pub(crate) fn number(row: &Row, at: usize) -> Result<u64, Error> {
    Ok(row.try_get::<_, i64>(at)?.max(0).cast_unsigned())
}

/// Reads a row of `imports`.
pub(crate) fn progress(row: &Row) -> Result<Progress, Error> {
    Ok(Progress {
        key: text(row, 0)?,
        seen: number(row, 1)?,
        added: number(row, 2)?,
        duplicates: number(row, 3)?,
        broken: number(row, 4)?,
        finished: row.try_get(5)?,
    })
}

/// The only value of the only row.
pub(crate) fn single<T: FromSqlOwned>(rows: &[Row]) -> Result<T, Error> {
    Ok(rows.first().ok_or(Error::Damaged)?.try_get(0)?)
}
