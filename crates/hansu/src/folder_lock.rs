//! Lets only one server use a data folder: two would hold the same games in memory and disagree.
//!
//! The command line and the terminal game may use the folder meanwhile; only servers lock it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

/// The lock, held while this value lives. The operating system releases it even after a crash.
pub(crate) struct FolderLock {
    _file: File,
}

/// Why a folder cannot be locked.
pub(crate) enum FolderLockError {
    /// Another server holds the lock. Its process id, or an empty text if that cannot be read.
    Held(String),
    /// The lock file cannot be made.
    Io(std::io::Error),
}

impl FolderLock {
    /// Locks the folder for this process.
    pub(crate) fn take(folder: &Path) -> Result<FolderLock, FolderLockError> {
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(folder.join("server.lock"))
            .map_err(FolderLockError::Io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.take(64).read_to_string(&mut holder);
                return Err(FolderLockError::Held(holder.trim().to_owned()));
            }
            // Some network file systems have no locks; there a second server is not noticed.
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(FolderLockError::Io(error)),
        }
        // Only for the message of a second server: which process holds the lock.
        let _ = file.set_len(0).and_then(|()| file.rewind());
        let _ = writeln!(file, "{}", std::process::id());
        Ok(FolderLock { _file: file })
    }
}
