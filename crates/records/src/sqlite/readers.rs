//! Connections that only read.

use std::path::PathBuf;
use std::time::Duration;

use rusqlite::Connection;

use super::errors::retry_while_busy;
use super::{connect, library};
use crate::Error;
use crate::pool::Pool;

/// A reader holds a connection for milliseconds; after a minute without a free one, a reader hangs.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Readers {
    file: PathBuf,
    pool: Pool<Connection>,
}

impl Readers {
    pub(crate) fn new(file: PathBuf, most: usize) -> Readers {
        Readers { file, pool: Pool::new(most, PATIENCE) }
    }

    /// Reads with a connection; retries while another process holds a lock.
    pub(crate) fn read<T>(
        &self,
        mut work: impl FnMut(&Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let connection = self.pool.take(|| self.open())?;
        // A read transaction: all statements of one call see the same snapshot.
        let result = retry_while_busy(|| connection.execute_batch("BEGIN"))
            .map_err(Error::from)
            .and_then(|()| {
                let mut tries = 0;
                loop {
                    match work(&connection) {
                        // `busy_timeout` has already waited; a few retries cover recovery after a
                        // crash.
                        Err(Error::Busy) if tries < 10 => tries += 1,
                        other => break other,
                    }
                }
            });
        let _ = connection.execute_batch("ROLLBACK");
        self.pool.put_back(connection);
        result
    }

    fn open(&self) -> Result<Connection, Error> {
        library()?;
        let connection = connect(&self.file, -16_384)?;
        connection.pragma_update(None, "query_only", true)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(connection)
    }
}
