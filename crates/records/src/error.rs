//! What can go wrong between a program and its log.

use std::fmt;
use std::io;

/// Why an operation of the log failed. Nothing was acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// Another writer was first; carries the number of the game's last event.
    Conflict {
        /// The last event.
        last_seq: u64,
    },
    /// The queue is full; try again in a moment.
    Busy,
    /// There is no game with this id.
    NoSuchGame,
    /// The invitation is used, withdrawn, expired, or belongs to another game.
    Spent,
    /// The holder has the maximum number of open invitations.
    TooMany,
    /// A value is longer than the log allows.
    TooLong(Part),
    /// The file or its folder cannot be written.
    ReadOnly,
    /// No room is left on the disk.
    Full,
    /// The file is damaged, or is not a database.
    Damaged,
    /// The file is a database, but not a log of Hansu.
    Foreign,
    /// The file was written by a newer version.
    Newer {
        /// The version of the file.
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// The SQLite library is too old to be trusted (3.51.3 is needed).
    OldLibrary {
        /// Its version as a number: 3051003 is 3.51.3.
        found: i32,
    },
    /// The setting that makes commits survive a power cut did not take effect.
    NotDurable,
    /// The platform has no folder for user data.
    NoFolder,
    /// The operating system has no random numbers.
    NoRandomness,
    /// The log has been closed.
    Closed,
    /// The file of the log was deleted, moved or replaced while it was open; nothing more is
    /// written.
    Replaced,
    /// The operating system failed.
    Io(io::ErrorKind),
    /// The disk failed while the log was read or written; SQLite's extended result code.
    Disk(i32),
    /// SQLite failed; its extended result code.
    Sqlite(i32),
    /// The database server cannot be reached; nothing was written, and a retry is safe.
    Away,
    /// The connection was lost during the commit and the server did not come back in time: the
    /// commit may or may not have happened; only reading the log can tell.
    Unsure,
    /// The address of the database is not a `postgres://…` URL, or has an unknown option.
    Address,
    /// The encrypted connection that the address requires is not possible: an unknown mode, a
    /// server without TLS, or a certificate that is not trusted. There is no fallback to plain
    /// text.
    Tls,
    /// The database server failed; its SQLSTATE.
    Postgres([u8; 5]),
}

/// Which value was too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The events of one append.
    Events,
    /// The name of a player or of the occasion.
    Name,
    /// A code or another short text of the row.
    Text,
    /// The moves.
    Moves,
    /// The PGN tags.
    Headers,
    /// The tags of a game.
    Tags,
    /// A user's note about a game.
    Note,
    /// The idempotency key of a command.
    Client,
    /// The seats of a game: more than two, or two for one side.
    Seats,
    /// The text of an invitation or seek.
    Invitation,
    /// The name of a server.
    Node,
    /// The analysis of a game.
    Analysis,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Conflict { last_seq } => {
                write!(f, "another writer was first; the last event is {last_seq}")
            }
            Error::Busy => f.write_str("the log is busy; try again in a moment"),
            Error::NoSuchGame => f.write_str("there is no such game in the log"),
            Error::Spent => f.write_str("the invitation is not valid any more"),
            Error::TooMany => f.write_str("too many invitations are open"),
            Error::TooLong(part) => write!(f, "too long for the log: {part:?}"),
            Error::ReadOnly => f.write_str("the log cannot be written: read-only"),
            Error::Full => f.write_str("the log cannot be written: no room on the disk"),
            Error::Damaged => f.write_str("the log is damaged, or not a database"),
            Error::Foreign => f.write_str("the file is a database, but not a log of Hansu"),
            Error::Newer { found, known } => write!(
                f,
                "the log has version {found}, written by a newer Hansu; this one knows up to {known}"
            ),
            Error::OldLibrary { found } => {
                write!(f, "SQLite {found} is too old; 3051003 (3.51.3) is needed")
            }
            Error::NotDurable => f.write_str("the log cannot be made safe against power cuts"),
            Error::NoFolder => f.write_str("there is no folder for data; name one"),
            Error::NoRandomness => f.write_str("the operating system gives no random numbers"),
            Error::Closed => f.write_str("the log has been closed"),
            Error::Replaced => {
                f.write_str("the file of the log was deleted or replaced while it was open")
            }
            Error::Io(kind) => write!(f, "the log cannot be reached: {kind}"),
            Error::Disk(code) => write!(f, "the disk failed under the log (SQLite result {code})"),
            Error::Sqlite(code) => write!(f, "the log failed: SQLite result {code}"),
            Error::Away => f.write_str("the database cannot be reached; try again in a moment"),
            Error::Unsure => f.write_str(
                "the database went away while writing; whether it was kept must be read",
            ),
            Error::Address => f.write_str("the address of the database cannot be used"),
            Error::Tls => f.write_str(
                "the connection to the database cannot be encrypted as its address asks",
            ),
            Error::Postgres(code) => {
                write!(f, "the log failed: SQLSTATE {}", String::from_utf8_lossy(code))
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Error::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::Full,
            kind => Error::Io(kind),
        }
    }
}
