//! Players' keys in the file.

use rusqlite::OptionalExtension;

use super::SqliteStore;
use super::apply::{Answer, Work};
use super::waiting::OtherWrite;
use crate::dates::LogTime;
use crate::holders::{Holders, Pass};
use crate::{Error, Holder};

const SEATS: &str = "UPDATE seats SET holder = ?2 WHERE holder = ?1";
const INVITATIONS: &str = "UPDATE invitations SET holder = ?2 WHERE holder = ?1";
const TAGS: &str = "UPDATE tags SET holder = ?2 WHERE holder = ?1";
const NOTES: &str = "UPDATE notes SET holder = ?2 WHERE holder = ?1";
const EXPIRED: &str = "DELETE FROM passes WHERE expires <= ?1";
const TAKEN: &str = "SELECT 1 FROM passes WHERE hash = ?1";
const SEALED: &str = "SELECT sealed FROM passes WHERE hash = ?1 AND expires > ?2";
const USE: &str = "DELETE FROM passes WHERE hash = ?1 AND expires > ?2";

/// For the test of query plans.
#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SEATS, INVITATIONS, TAGS, NOTES, EXPIRED, TAKEN, SEALED, USE];

impl Holders for SqliteStore {
    fn hand_over(&self, from: Holder, to: Holder) -> Result<u64, Error> {
        self.other_write(OtherWrite::HandOver(from, to))
    }

    fn keep_pass(&self, pass: Pass, now: LogTime) -> Result<(), Error> {
        self.other_write(OtherWrite::KeepPass(pass, now)).map(drop)
    }

    fn use_pass(&self, hash: &[u8; 32], now: LogTime) -> Result<Option<[u8; 16]>, Error> {
        let sealed = self.readers.read(|connection| {
            let mut query = connection.prepare_cached(SEALED)?;
            Ok(query.query_row((hash, now), |row| row.get(0)).optional()?)
        })?;
        // If two callers read the pass, only one of them deletes it.
        let used = self.other_write(OtherWrite::UsePass(*hash, now))?;
        Ok(sealed.filter(|_| used == 1))
    }
}

impl Work<'_> {
    pub(super) fn hand_over(&self, from: Holder, to: Holder) -> rusqlite::Result<usize> {
        for table in [INVITATIONS, TAGS, NOTES] {
            self.connection.prepare_cached(table)?.execute((from.0, to.0))?;
        }
        self.connection.prepare_cached(SEATS)?.execute((from.0, to.0))
    }

    pub(super) fn keep_pass(&self, pass: &Pass, now: LogTime) -> Answer<u64> {
        self.connection.prepare_cached(EXPIRED)?.execute([now])?;
        if self.connection.prepare_cached(TAKEN)?.exists([pass.hash])? {
            return Ok(Err(Error::Conflict { last_seq: 0 }));
        }
        self.connection
            .prepare_cached("INSERT INTO passes (hash, sealed, expires) VALUES (?1, ?2, ?3)")?
            .execute((pass.hash, pass.sealed, pass.expires))?;
        Ok(Ok(1))
    }

    pub(super) fn use_pass(&self, hash: &[u8; 32], now: LogTime) -> rusqlite::Result<usize> {
        self.connection.prepare_cached(USE)?.execute((hash, now))
    }
}
