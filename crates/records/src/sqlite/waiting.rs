//! Invitations, seeks, seats and servers' heartbeats in the file.

use rusqlite::{Connection, OptionalExtension, Row};

use super::apply::{Answer, Work};
use super::tail::last_seq;
use crate::dates::LogTime;
use crate::holders::Pass;
use crate::store::MOST_INVITATIONS;
use crate::{Begins, Error, GameId, Holder, Invitation, InvitationState, Seat, Seek, Side, Uses};

pub(crate) const BY_HASH: &str = "SELECT * FROM invitations WHERE hash = ?1";
pub(crate) const BY_GAME: &str = "SELECT * FROM invitations WHERE game = ?1";
pub(crate) const RESERVED: &str = "SELECT 1 FROM invitations WHERE game = ?1
    UNION ALL SELECT 1 FROM seeks WHERE game = ?1";
pub(crate) const IS_OPEN: &str =
    "SELECT 1 FROM invitations WHERE hash = ?1 AND game = ?2 AND expires > ?3 AND state = 0";
pub(crate) const IS_SOUGHT: &str = "SELECT 1 FROM seeks WHERE game = ?1";
const OF_HOLDER: &str = "SELECT count(*) FROM invitations WHERE holder = ?1 AND expires > ?2";
const USE: &str = "UPDATE invitations SET state = 1, expires = made, body = '' WHERE hash = ?1";
const WITHDRAW: &str = "UPDATE invitations SET state = 2, expires = made, body = ''
    WHERE game = ?1 AND state = 0";
const SWEEP: &str = "DELETE FROM invitations WHERE expires <= ?1 AND state <> 1";
pub(crate) const SEEKS: &str = "SELECT * FROM seeks ORDER BY made, game LIMIT ?1";
const CANCEL: &str = "DELETE FROM seeks WHERE game = ?1";
const SEATS: &str = "SELECT side, holder FROM seats WHERE game = ?1 ORDER BY side";

/// For the test of query plans.
#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    BY_HASH, BY_GAME, RESERVED, IS_OPEN, IS_SOUGHT, OF_HOLDER, USE, WITHDRAW, SWEEP, SEEKS, CANCEL,
    SEATS,
];

/// A change of a table that does not belong to games.
#[derive(Clone, Debug)]
pub(crate) enum OtherWrite {
    Invite(Box<Invitation>),
    Withdraw(GameId),
    Sweep(LogTime),
    Seek(Box<Seek>),
    Cancel(GameId),
    Beat(String, LogTime),
    HandOver(Holder, Holder),
    KeepPass(Pass, LogTime),
    UsePass([u8; 32], LogTime),
}

impl Work<'_> {
    /// Makes the change and returns the number of changed rows.
    pub(crate) fn other_write(&self, write: &OtherWrite) -> Answer<u64> {
        let changed = match write {
            OtherWrite::Invite(invitation) => return self.invite(invitation),
            OtherWrite::Withdraw(game) => {
                self.connection.prepare_cached(WITHDRAW)?.execute([game.as_str()])?
            }
            OtherWrite::Sweep(now) => self.connection.prepare_cached(SWEEP)?.execute([now])?,
            OtherWrite::Seek(seek) => return self.seek(seek),
            OtherWrite::HandOver(from, to) => self.hand_over(*from, *to)?,
            OtherWrite::KeepPass(pass, now) => return self.keep_pass(pass, *now),
            OtherWrite::UsePass(hash, now) => self.use_pass(hash, *now)?,
            OtherWrite::Cancel(game) => {
                self.connection.prepare_cached(CANCEL)?.execute([game.as_str()])?
            }
            // The given time, not the maximum: a clock that was wrong and is corrected must count.
            OtherWrite::Beat(node, at) => self
                .connection
                .prepare_cached("INSERT OR REPLACE INTO beats VALUES (?1, ?2)")?
                .execute((node, at))?,
        };
        Ok(Ok(changed as u64))
    }

    /// The conflict if this id cannot be reserved: its game has begun, or it is reserved already.
    fn conflict(&self, game: GameId) -> rusqlite::Result<Option<Error>> {
        let last_seq: Option<i64> = self
            .connection
            .prepare_cached(concat!("SELECT ", last_seq!(), " FROM games g WHERE id = ?1"))?
            .query_row([game.as_str()], |row| row.get(0))
            .optional()?;
        let taken = self.connection.prepare_cached(RESERVED)?.exists([game.as_str()])?;
        let last_seq = last_seq.or(taken.then_some(0));
        Ok(last_seq.map(|last_seq| Error::Conflict { last_seq: last_seq.cast_unsigned() }))
    }

    fn seek(&self, seek: &Seek) -> Answer<u64> {
        if let Some(conflict) = self.conflict(seek.game)? {
            return Ok(Err(conflict));
        }
        let added = self.add_seek(seek)?;
        Ok(Ok(added as u64))
    }

    pub(crate) fn add_seek(&self, seek: &Seek) -> rusqlite::Result<usize> {
        self.connection
            .prepare_cached(
                "INSERT INTO seeks (game, node, body, holder, made) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute((seek.game.as_str(), &seek.node, &seek.body, seek.holder.0, seek.made))
    }

    fn invite(&self, invitation: &Invitation) -> Answer<u64> {
        if let Some(conflict) = self.conflict(invitation.game)? {
            return Ok(Err(conflict));
        }
        if self.connection.prepare_cached(BY_HASH)?.exists([invitation.hash])? {
            return Ok(Err(Error::Conflict { last_seq: 0 }));
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
                "INSERT INTO invitations (hash, game, body, holder, made, expires, state)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute((
                invitation.hash,
                invitation.game.as_str(),
                &invitation.body,
                invitation.holder.0,
                invitation.made,
                invitation.expires,
                invitation.state.number(),
            ))
    }

    /// Writes the seats of a new game and uses up its invitation or seek.
    pub(crate) fn begin(
        &self,
        game: GameId,
        n: i64,
        at: i64,
        begins: &Begins,
    ) -> rusqlite::Result<()> {
        match begins.uses {
            Some(Uses::Invitation(hash)) => {
                self.connection.prepare_cached(USE)?.execute([hash])?;
            }
            Some(Uses::Seek) => {
                self.connection.prepare_cached(CANCEL)?.execute([game.as_str()])?;
            }
            None => {}
        }
        self.sit(n, at, &begins.by_holder())
    }

    /// Writes the seats of a game.
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

/// Reads a row of [`BY_HASH`] and [`BY_GAME`].
pub(crate) fn invitation(row: &Row<'_>) -> Result<Invitation, Error> {
    let game: String = row.get("game")?;
    Ok(Invitation {
        hash: row.get("hash")?,
        game: game.parse().map_err(|_| Error::Damaged)?,
        body: row.get("body")?,
        holder: Holder(row.get("holder")?),
        made: row.get("made")?,
        expires: row.get("expires")?,
        state: InvitationState::from_number(row.get("state")?).ok_or(Error::Damaged)?,
    })
}

/// Reads a row of [`SEEKS`].
pub(crate) fn seek(row: &Row<'_>) -> Result<Seek, Error> {
    let game: String = row.get("game")?;
    Ok(Seek {
        game: game.parse().map_err(|_| Error::Damaged)?,
        node: row.get("node")?,
        body: row.get("body")?,
        holder: Holder(row.get("holder")?),
        made: row.get("made")?,
    })
}
