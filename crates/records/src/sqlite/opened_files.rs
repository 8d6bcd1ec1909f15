//! Checks that the files of a log are still the ones that were opened.
//!
//! A file that is deleted or replaced under a running program stays open and accepts writes that
//! can never be read. So the writer checks after every commit, before it acknowledges anything;
//! that costs two calls of `stat`, about 2 µs.

use std::path::{Path, PathBuf};

use crate::Error;

/// The files of a log, with their identities when it was opened.
pub(crate) struct OpenedFiles {
    files: Vec<(PathBuf, Option<Identity>)>,
}

/// The identity of a file: device and inode number.
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(file: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(file).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(file: &Path) -> Option<Identity> {
    std::fs::metadata(file).ok().map(|_| (0, 0))
}

impl OpenedFiles {
    /// Of the main file and its WAL file, which exists as long as the log is open.
    pub(crate) fn of(file: &Path) -> OpenedFiles {
        let mut wal = file.as_os_str().to_owned();
        wal.push("-wal");
        let files = [file.to_path_buf(), wal.into()];
        OpenedFiles {
            files: files.into_iter().map(|file| (file.clone(), identity(&file))).collect(),
        }
    }

    /// [`Error::Replaced`] if a file has been deleted or replaced.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let same =
            self.files.iter().all(|(file, known)| known.is_none() || identity(file) == *known);
        if same { Ok(()) } else { Err(Error::Replaced) }
    }
}
