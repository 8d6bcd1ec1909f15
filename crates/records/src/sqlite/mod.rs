//! The log in one SQLite file.

mod analysis;
mod apply;
mod carry;
mod checkpoint;
mod errors;
mod holders;
mod migrate;
mod opened_files;
mod queries;
mod readers;
mod rows;
mod schema;
mod statistics;
mod store;
mod tail;
mod tallies;
#[cfg(test)]
mod tests;
mod waiting;
mod writer;

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use self::checkpoint::{Checkpointer, LARGE};
use self::errors::retry_while_busy;
use self::opened_files::OpenedFiles;
use self::readers::Readers;
use self::writer::{Job, Writer};
use crate::Error;

/// Older versions may lose the beginning of a WAL file (fixed in 3.51.3).
const OLDEST_LIBRARY: i32 = 3_051_003;

/// The page cache of the writer, in negative KiB. It is small on purpose: after most commits SQLite
/// searches the whole cache (rebalancing a tree gives pages temporary numbers beyond the end of the
/// file, and those are looked for), and the operating system caches the file anyway.
const WRITER_CACHE: i64 = -12_288;
/// `PRAGMA synchronous = FULL` reads back as this.
const FULL: i64 = 2;

/// Settings of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Jobs that may wait for the writer; further ones get [`Error::Busy`].
    pub queue: usize,
    /// Connections for reading.
    pub readers: usize,
    /// The most pages of 4 KiB that the file may have; `None` means no limit except the disk's.
    pub most_pages: Option<u32>,
}

impl Default for Options {
    fn default() -> Options {
        Options { queue: 1_024, readers: 4, most_pages: None }
    }
}

/// The log in one SQLite file. Several processes may use a file at once.
///
/// ```
/// use hansu_records::{Append, GameId, NewEvent, Source, SqliteStore, Archive, Invitations, Log, Store, Summary};
/// # let place = tempfile::tempdir()?;
/// let store = SqliteStore::open(&place.path().join("games.db"))?;
/// let game = GameId::random()?;
/// let answer = store.append(Append {
///     game,
///     expected: 1,
///     command_key: None,
///     events: vec![NewEvent { at: 0, body: "{}".into() }],
///     row: Summary::new("Anna", "Ben", Source::Terminal).into(),
///     begins: None,
///     next: None,
/// })?;
/// assert_eq!(answer.seq, 1);
/// assert_eq!(store.events(game, 0, 10)?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SqliteStore {
    file: PathBuf,
    queue: SyncSender<Job>,
    writer: Option<JoinHandle<()>>,
    readers: Readers,
}

impl SqliteStore {
    /// Opens a log; creates it if there is no file.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, is damaged, is not a log, or is newer than this program; it
    /// is not changed.
    pub fn open(file: &Path) -> Result<SqliteStore, Error> {
        SqliteStore::open_with(file, Options::default())
    }

    /// Opens a log with these options.
    ///
    /// # Errors
    ///
    /// As [`SqliteStore::open`].
    pub fn open_with(file: &Path, options: Options) -> Result<SqliteStore, Error> {
        library()?;
        create(file)?;
        let connection = connect(file, WRITER_CACHE)?;
        // SQLite also opens a file that it may not write; the first append would fail.
        if connection.is_readonly("main")? {
            return Err(Error::ReadOnly);
        }
        let known = i64::try_from(schema::MIGRATIONS.len()).unwrap_or(i64::MAX);
        // Before anything is written: even the change to WAL mode alters the file.
        migrate::inspect(&connection, known)?;
        make_durable(&connection)?;
        migrate::migrate(&connection, file, schema::MIGRATIONS)?;
        if let Some(pages) = options.most_pages {
            connection.pragma_update(None, "max_page_count", pages)?;
        }
        let checkpointer = Checkpointer::start(connect(file, -256)?, LARGE)?;
        let files = OpenedFiles::of(file);
        let (queue, jobs) = mpsc::sync_channel(options.queue.max(1));
        let writer = std::thread::Builder::new()
            .name("records-writer".to_owned())
            .spawn(move || Writer::new(connection, checkpointer, files).run(&jobs))?;
        Ok(SqliteStore {
            file: file.to_path_buf(),
            queue,
            writer: Some(writer),
            readers: Readers::new(file.to_path_buf(), options.readers),
        })
    }

    /// The file of the log.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Queues a job for the writer, or returns it with the reason.
    fn offer(&self, job: Job) -> Result<(), (Job, Error)> {
        self.queue.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(job) => (job, Error::Busy),
            TrySendError::Disconnected(job) => (job, Error::Closed),
        })
    }
}

impl Drop for SqliteStore {
    /// Writes the queued jobs, checkpoints the WAL into the main file, and only then returns.
    fn drop(&mut self) {
        let _ = self.queue.send(Job::Stop);
        if let Some(writer) = self.writer.take() {
            // The last owner may be a callback that runs on the writer's own thread.
            if writer.thread().id() != std::thread::current().id() {
                let _ = writer.join();
            }
        }
    }
}

/// Refuses a SQLite version that can lose data.
fn library() -> Result<(), Error> {
    trusted(rusqlite::version_number())
}

fn trusted(found: i32) -> Result<(), Error> {
    if found < OLDEST_LIBRARY {
        return Err(Error::OldLibrary { found });
    }
    Ok(())
}

/// Creates an empty file that only this user can read, unless the file exists.
fn create(file: &Path) -> Result<(), Error> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// A connection with the common settings; `cache` is in negative KiB, as SQLite expects it.
fn connect(file: &Path, cache: i64) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = retry_while_busy(|| Connection::open_with_flags(file, flags))?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.pragma_update(None, "cache_size", cache)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// WAL mode, with commits that are on the disk when they return.
fn make_durable(connection: &Connection) -> Result<(), Error> {
    let mode: String = retry_while_busy(|| {
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
    })?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // On macOS a plain fsync does not reach the disk; elsewhere these do nothing.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    // A separate thread checkpoints a busy log and restarts the WAL file at 160 MiB; a commit does
    // it only if that thread has fallen behind by 256 MiB. The WAL file keeps its size: to truncate
    // it and let it grow again every second took 30 to 80 ms each time. The last process deletes
    // it.
    connection.pragma_update_and_check(None, "wal_autocheckpoint", 65_536, |_| Ok(()))?;
    connection.pragma_update_and_check(None, "journal_size_limit", 256 << 20, |_| Ok(()))?;
    let synchronous: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0))?;
    if mode != "wal" || synchronous != FULL {
        return Err(Error::NotDurable);
    }
    Ok(())
}
