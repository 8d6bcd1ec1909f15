//! The address of a log on the command line: a file, or the URL of a database.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use hansu_records::carry::Carry;
use hansu_records::{Error, Options, PostgresOptions, PostgresStore, SqliteStore};

/// The most appends that may wait in the queue of the log.
pub(crate) const QUEUE: usize = 4_096;

/// A file, or the URL of a PostgreSQL database. The URL is never printed as it was typed: it may
/// contain a password.
#[derive(Clone)]
pub(crate) enum LogAddress {
    /// An SQLite file.
    File(PathBuf),
    /// The URL of a PostgreSQL database.
    Database(String),
}

impl FromStr for LogAddress {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<LogAddress, Self::Err> {
        let address = text.starts_with("postgres://") || text.starts_with("postgresql://");
        Ok(if address {
            LogAddress::Database(text.to_owned())
        } else {
            LogAddress::File(text.into())
        })
    }
}

/// Parses the value of `--database`.
pub(crate) fn database(text: &str) -> Result<LogAddress, String> {
    match text.parse() {
        Ok(place @ LogAddress::Database(_)) => Ok(place),
        // The message does not repeat the input, which may contain a password.
        _ => Err("write it like postgres://user@host/database".to_owned()),
    }
}

impl LogAddress {
    /// Opens the log, and creates it if there is none.
    pub(crate) fn open(&self) -> Result<Arc<dyn Carry>, Error> {
        Ok(match self {
            LogAddress::File(file) => {
                let options = Options { queue: QUEUE, ..Options::default() };
                Arc::new(SqliteStore::open_with(file, options)?)
            }
            LogAddress::Database(address) => {
                let options = PostgresOptions { queue: QUEUE, ..PostgresOptions::default() };
                Arc::new(PostgresStore::open_with(address, options)?)
            }
        })
    }

    /// The address for messages: without user, password and options.
    pub(crate) fn redacted(&self) -> String {
        match self {
            LogAddress::File(file) => file.display().to_string(),
            LogAddress::Database(address) => {
                let rest = address.split_once("://").map_or("", |(_, rest)| rest);
                let rest = rest.split('?').next().unwrap_or_default();
                let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
                format!("postgres://{host}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let place = |text: &str| text.parse::<LogAddress>().unwrap().redacted();
        assert_eq!(place("postgres://anna:p@ss:word@db:5/x?password=no"), "postgres://db:5/x");
        assert_eq!(place("postgresql://db/x"), "postgres://db/x");
        assert_eq!(place("games.db"), "games.db");
        let wrong = database("mysql://anna:secret@db").err().unwrap();
        assert!(!wrong.contains("secret"));
        assert!(database("postgres://db/x").is_ok());
    }
}
