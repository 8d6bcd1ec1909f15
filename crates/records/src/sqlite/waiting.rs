//! Games that wait for a player, the seats of those that wait no more, and servers' beats.

use rusqlite::{Connection, OptionalExtension, Row};

use super::apply::{Answer, Work};
use super::tail::last_seq;
use crate::dates::Millis;
use crate::store::MOST_INVITATIONS;
use crate::{Begins, Error, GameId, Holder, Invitation, Seat, Side};

pub(crate) const BY_HASH: &str = "SELECT * FROM invitations WHERE hash = ?1";
pub(crate) const BY_GAME: &str = "SELECT * FROM invitations WHERE game = ?1";
const TAKEN: &str = "SELECT 1 FROM invitations WHERE game = ?1 OR hash = ?2";
pub(crate) const RESERVED: &str = "SELECT 1 FROM invitations WHERE game = ?1";
pub(crate) const IS_OPEN: &str =
    "SELECT 1 FROM invitations WHERE hash = ?1 AND game = ?2 AND expires > ?3";
const OF_HOLDER: &str = "SELECT count(*) FROM invitations WHERE holder = ?1 AND expires > ?2";
const USE: &str = "DELETE FROM invitations WHERE hash = ?1";
const WITHDRAW: &str = "DELETE FROM invitations WHERE game = ?1";
const SWEEP: &str = "DELETE FROM invitations WHERE expires <= ?1";
const SEATS: &str = "SELECT side, holder FROM seats WHERE game = ?1 ORDER BY side";

/// For the test that looks at plans.
#[cfg(test)]
pub(crate) const ALL: [&str; 10] =
    [BY_HASH, BY_GAME, TAKEN, RESERVED, IS_OPEN, OF_HOLDER, USE, WITHDRAW, SWEEP, SEATS];

/// A change beside the games.
#[derive(Clone, Debug)]
pub(crate) enum Chore {
    Invite(Box<Invitation>),
    Withdraw(GameId),
    Sweep(Millis),
    Beat(String, Millis),
}

impl Work<'_> {
    /// Does a chore and says how many rows it changed.
    pub(crate) fn chore(&self, chore: &Chore) -> Answer<u64> {
        let changed = match chore {
            Chore::Invite(invitation) => return self.invite(invitation),
            Chore::Withdraw(game) => {
                self.connection.prepare_cached(WITHDRAW)?.execute([game.as_str()])?
            }
            Chore::Sweep(now) => self.connection.prepare_cached(SWEEP)?.execute([now])?,
            // As given, not the latest: a clock that was wrong and is set right must be believed.
            Chore::Beat(node, at) => self
                .connection
                .prepare_cached("INSERT OR REPLACE INTO beats VALUES (?1, ?2)")?
                .execute((node, at))?,
        };
        Ok(Ok(changed as u64))
    }

    fn invite(&self, invitation: &Invitation) -> Answer<u64> {
        let last_seq: Option<i64> = self
            .connection
            .prepare_cached(concat!("SELECT ", last_seq!(), " FROM games g WHERE id = ?1"))?
            .query_row([invitation.game.as_str()], |row| row.get(0))
            .optional()?;
        let taken = self
            .connection
            .prepare_cached(TAKEN)?
            .exists((invitation.game.as_str(), invitation.hash))?;
        if taken || last_seq.is_some() {
            let last_seq = last_seq.unwrap_or(0).cast_unsigned();
            return Ok(Err(Error::Conflict { last_seq }));
        }
        let open: i64 = self
            .connection
            .prepare_cached(OF_HOLDER)?
            .query_row((invitation.holder.0, invitation.made), |row| row.get(0))?;
        if open >= MOST_INVITATIONS as i64 {
            return Ok(Err(Error::TooMany));
        }
        let added = self.add_invitation(invitation)?;
        Ok(Ok(added as u64))
    }

    pub(crate) fn add_invitation(&self, invitation: &Invitation) -> rusqlite::Result<usize> {
        self.connection
            .prepare_cached(
                "INSERT INTO invitations (hash, game, body, holder, made, expires)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute((
                invitation.hash,
                invitation.game.as_str(),
                &invitation.body,
                invitation.holder.0,
                invitation.made,
                invitation.expires,
            ))
    }

    /// Writes the seats of a new game and uses up its invitation.
    pub(crate) fn begin(&self, n: i64, at: i64, begins: &Begins) -> rusqlite::Result<()> {
        if let Some(hash) = begins.invitation {
            self.connection.prepare_cached(USE)?.execute([hash])?;
        }
        self.sit(n, at, &begins.by_holder())
    }

    /// Writes who sits at a game.
    pub(crate) fn sit(&self, n: i64, at: i64, seats: &[Seat]) -> rusqlite::Result<()> {
        let mut insert =
            self.connection.prepare_cached("INSERT INTO seats VALUES (?1, ?2, ?3, ?4)")?;
        for seat in seats {
            insert.execute((seat.holder.0, at, n, seat.side.number()))?;
        }
        Ok(())
    }
}

/// The seats of a game.
pub(crate) fn seats(connection: &Connection, game: GameId) -> Result<Vec<Seat>, Error> {
    let n: Option<i64> = connection
        .prepare_cached("SELECT n FROM games WHERE id = ?1")?
        .query_row([game.as_str()], |row| row.get(0))
        .optional()?;
    let n = n.ok_or(Error::NoSuchGame)?;
    let mut query = connection.prepare_cached(SEATS)?;
    let rows = query.query_map([n], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.map(|row| {
        let (side, holder) = row?;
        let side = Side::from_number(side).ok_or(Error::Damaged)?;
        Ok(Seat { side, holder: Holder(holder) })
    })
    .collect()
}

/// Reads what [`BY_HASH`] and [`BY_GAME`] give.
pub(crate) fn invitation(row: &Row<'_>) -> Result<Invitation, Error> {
    let game: String = row.get("game")?;
    Ok(Invitation {
        hash: row.get("hash")?,
        game: game.parse().map_err(|_| Error::Damaged)?,
        body: row.get("body")?,
        holder: Holder(row.get("holder")?),
        made: row.get("made")?,
        expires: row.get("expires")?,
    })
}
