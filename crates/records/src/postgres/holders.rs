//! Players' keys in the database.

use super::PostgresStore;
use super::session::{Statement, values};
use crate::dates::LogTime;
use crate::holders::{Holders, Pass};
use crate::{Error, Holder};

impl Holders for PostgresStore {
    fn hand_over(&self, from: Holder, to: Holder) -> Result<u64, Error> {
        self.change(|session| {
            let statements = [
                "UPDATE seats SET holder = $2 WHERE holder = $1 RETURNING 1::bigint",
                "UPDATE invitations SET holder = $2 WHERE holder = $1",
                "UPDATE tags SET holder = $2 WHERE holder = $1",
                "UPDATE notes SET holder = $2 WHERE holder = $1",
            ]
            .map(|sql| Statement::new(sql, values![&from.0[..], &to.0[..]]));
            Ok(session.pipeline(&statements)?.first().map_or(0, |seats| seats.len() as u64))
        })
    }

    fn keep_pass(&self, pass: Pass, now: LogTime) -> Result<(), Error> {
        self.change(|session| {
            session.query("DELETE FROM passes WHERE expires <= $1", &[&now])?;
            let kept = session.query(
                "INSERT INTO passes (hash, sealed, expires) VALUES ($1, $2, $3)
                 ON CONFLICT (hash) DO NOTHING RETURNING 1::bigint",
                &[&&pass.hash[..], &&pass.sealed[..], &pass.expires],
            )?;
            if kept.is_empty() { Err(Error::Conflict { last_seq: 0 }) } else { Ok(()) }
        })
    }

    fn use_pass(&self, hash: &[u8; 32], now: LogTime) -> Result<Option<[u8; 16]>, Error> {
        self.change(|session| {
            let sql = "DELETE FROM passes WHERE hash = $1 AND expires > $2 RETURNING sealed";
            let Some(row) = session.first(sql, &[&&hash[..], &now])? else { return Ok(None) };
            let sealed: Vec<u8> = row.try_get(0)?;
            Ok(Some(sealed.try_into().map_err(|_| Error::Damaged)?))
        })
    }
}
