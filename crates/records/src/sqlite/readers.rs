//! Connections that only read.

use std::path::PathBuf;
use std::time::Duration;

use rusqlite::Connection;

use super::trouble::patiently;
use super::{connect, library};
use crate::Error;
use crate::shelf::Shelf;

/// Each holds a connection for milliseconds; a minute of nothing means that one of them hangs.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Readers {
    file: PathBuf,
    shelf: Shelf<Connection>,
}

impl Readers {
    pub(crate) fn new(file: PathBuf, most: usize) -> Readers {
        Readers { file, shelf: Shelf::new(most, PATIENCE) }
    }

    /// Reads with a connection, again when another process is in the way.
    pub(crate) fn read<T>(
        &self,
        mut work: impl FnMut(&Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let connection = self.shelf.borrow(|| self.open())?;
        // A read transaction: all statements of one question see the same log.
        let result =
            patiently(|| connection.execute_batch("BEGIN")).map_err(Error::from).and_then(|()| {
                let mut tries = 0;
                loop {
                    match work(&connection) {
                        // `busy_timeout` has already waited; a few more turns are for recovery.
                        Err(Error::Busy) if tries < 10 => tries += 1,
                        other => break other,
                    }
                }
            });
        let _ = connection.execute_batch("ROLLBACK");
        self.shelf.put_back(connection);
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
