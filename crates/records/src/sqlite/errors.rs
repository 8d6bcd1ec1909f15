//! Converts SQLite's errors, and retries while other processes hold locks.

use std::time::{Duration, Instant};

use rusqlite::ErrorCode;

use crate::Error;

/// How long to wait for other processes before giving up. Each holds a lock for milliseconds; after
/// a minute, one of them hangs.
const PATIENCE: Duration = Duration::from_secs(60);

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        let rusqlite::Error::SqliteFailure(failure, _) = error else {
            // The statements are fixed and tested: a value of the wrong type was not written by
            // this program.
            return Error::Damaged;
        };
        match failure.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Error::Busy,
            ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
                Error::ReadOnly
            }
            ErrorCode::DiskFull => Error::Full,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Error::Damaged,
            ErrorCode::SystemIoFailure => Error::Disk(failure.extended_code),
            _ => Error::Sqlite(failure.extended_code),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Retries while another process holds a lock. SQLite's own `busy_timeout` does not cover
/// everything: not the change to WAL mode, and not the recovery after a process was killed.
pub(crate) fn retry_while_busy<T>(
    mut work: impl FnMut() -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match work() {
            Err(error) if is_busy(&error) && start.elapsed() < PATIENCE => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(50));
            }
            other => return other,
        }
    }
}
