//! One server for one folder: a second one would keep boards of its own, which disagree.
//!
//! The command line and the terminal game share the folder freely; only servers lock it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

/// Held as long as the server runs; the operating system lets go of it whatever happens.
pub(crate) struct FolderLock {
    _file: File,
}

/// Why a folder cannot be had.
pub(crate) enum FolderLockError {
    /// Another server has it; its own words about itself, if it could be read.
    Held(String),
    /// The lock file cannot be made.
    Io(std::io::Error),
}

impl FolderLock {
    /// Takes the folder for this process.
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
            // Some network file systems have no locks; a server there is alone as before.
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(FolderLockError::Io(error)),
        }
        // Only for people: who holds the folder.
        let _ = file.set_len(0).and_then(|()| file.rewind());
        let _ = writeln!(file, "{}", std::process::id());
        Ok(FolderLock { _file: file })
    }
}
