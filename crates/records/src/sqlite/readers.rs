//! A few connections that only read, lent out one at a time.

use std::path::PathBuf;
use std::sync::{Condvar, Mutex, PoisonError};

use rusqlite::Connection;

use super::trouble::patiently;
use super::{connect, library};
use crate::Error;

pub(crate) struct Readers {
    file: PathBuf,
    most: usize,
    shelf: Mutex<Shelf>,
    returned: Condvar,
}

#[derive(Default)]
struct Shelf {
    idle: Vec<Connection>,
    open: usize,
}

impl Readers {
    pub(crate) fn new(file: PathBuf, most: usize) -> Readers {
        Readers { file, most: most.max(1), shelf: Mutex::default(), returned: Condvar::new() }
    }

    /// Reads with a connection, again when another process is in the way.
    pub(crate) fn read<T>(
        &self,
        mut work: impl FnMut(&Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let connection = self.borrow()?;
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
        self.put_back(connection);
        result
    }

    fn borrow(&self) -> Result<Connection, Error> {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(connection) = shelf.idle.pop() {
                return Ok(connection);
            }
            if shelf.open < self.most {
                shelf.open += 1;
                drop(shelf);
                return self.open().inspect_err(|_| self.forget());
            }
            shelf = self.returned.wait(shelf).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn open(&self) -> Result<Connection, Error> {
        library()?;
        let connection = connect(&self.file, -16_384)?;
        connection.pragma_update(None, "query_only", true)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(connection)
    }

    fn put_back(&self, connection: Connection) {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.idle.push(connection);
        self.returned.notify_one();
    }

    fn forget(&self) {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.open -= 1;
        self.returned.notify_one();
    }
}
