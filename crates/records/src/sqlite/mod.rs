//! The log in one SQLite file.

mod analysis;
mod apply;
mod carry;
mod folding;
mod holders;
mod ledger;
mod migrate;
mod presence;
mod queries;
mod readers;
mod rows;
mod schema;
mod statistics;
mod store;
mod tail;
#[cfg(test)]
mod tests;
mod trouble;
mod waiting;
mod writer;

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use self::folding::{Folding, LARGE};
use self::presence::Presence;
use self::readers::Readers;
use self::trouble::patiently;
use self::writer::{Job, Writer};
use crate::Error;

/// Older versions may lose the beginning of a WAL file (fixed in 3.51.3).
const OLDEST_LIBRARY: i32 = 3_051_003;

/// What the writer keeps in memory, in negative KiB. Not more: after most commits SQLite walks
/// through all of it (rebalancing a tree gives pages numbers beyond the end for a moment, and the
/// cache is searched for those), and what it does not keep the system does.
const WRITER_CACHE: i64 = -12_288;
/// `PRAGMA synchronous = FULL` reads back as this.
const FULL: i64 = 2;

/// How a store is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Jobs that may wait for the writer; one more is answered with [`Error::Busy`].
    pub queue: usize,
    /// Connections that read.
    pub readers: usize,
    /// The most pages of 4 KiB the file may have; `None` is no limit but the disk's.
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
///     client: None,
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
    /// Opens a log; makes it when there is no file.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, is damaged, is not a log, or is newer than this program;
    /// it is left as it was.
    pub fn open(file: &Path) -> Result<SqliteStore, Error> {
        SqliteStore::open_with(file, Options::default())
    }

    /// Opens a log with other options than the usual ones.
    ///
    /// # Errors
    ///
    /// As [`SqliteStore::open`].
    pub fn open_with(file: &Path, options: Options) -> Result<SqliteStore, Error> {
        library()?;
        create(file)?;
        let connection = connect(file, WRITER_CACHE)?;
        // SQLite opens a file that it may not write all the same; the first append would fail.
        if connection.is_readonly("main")? {
            return Err(Error::ReadOnly);
        }
        let known = i64::try_from(schema::STEPS.len()).unwrap_or(i64::MAX);
        // Before anything is written: even the change to WAL alters the file.
        migrate::inspect(&connection, known)?;
        make_durable(&connection)?;
        migrate::migrate(&connection, file, schema::STEPS)?;
        if let Some(pages) = options.most_pages {
            connection.pragma_update(None, "max_page_count", pages)?;
        }
        let folding = Folding::start(connect(file, -256)?, LARGE)?;
        let presence = Presence::of(file);
        let (queue, jobs) = mpsc::sync_channel(options.queue.max(1));
        let writer = std::thread::Builder::new()
            .name("records-writer".to_owned())
            .spawn(move || Writer::new(connection, folding, presence).run(&jobs))?;
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

    /// Gives a job to the writer, or says why not.
    fn offer(&self, job: Job) -> Result<(), (Job, Error)> {
        self.queue.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(job) => (job, Error::Busy),
            TrySendError::Disconnected(job) => (job, Error::Closed),
        })
    }
}

impl Drop for SqliteStore {
    /// Writes what waits, folds the log into its main file, and only then returns.
    fn drop(&mut self) {
        let _ = self.queue.send(Job::Stop);
        if let Some(writer) = self.writer.take() {
            // The last owner may be an answer's callback, on the writer's own thread.
            if writer.thread().id() != std::thread::current().id() {
                let _ = writer.join();
            }
        }
    }
}

/// Refuses a SQLite that loses data.
fn library() -> Result<(), Error> {
    trusted(rusqlite::version_number())
}

fn trusted(found: i32) -> Result<(), Error> {
    if found < OLDEST_LIBRARY {
        return Err(Error::OldLibrary { found });
    }
    Ok(())
}

/// Makes an empty file for this user alone, unless there is one.
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

/// A connection with the settings that all share; `cache` in negative KiB, as SQLite wants it.
fn connect(file: &Path, cache: i64) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = patiently(|| Connection::open_with_flags(file, flags))?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.pragma_update(None, "cache_size", cache)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// WAL, and a commit that has reached the disk before it returns.
fn make_durable(connection: &Connection) -> Result<(), Error> {
    let mode: String = patiently(|| {
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
    })?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // On macOS a plain fsync does not reach the disk; elsewhere these do nothing.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    // A thread of its own folds a busy log and begins the file anew at 160 MiB; a commit does it
    // only when that has not kept up for 256 MiB. The file keeps its size meanwhile: to cut it off
    // and let it grow again every second took 30 to 80 ms each time. It goes with the last process.
    connection.pragma_update_and_check(None, "wal_autocheckpoint", 65_536, |_| Ok(()))?;
    connection.pragma_update_and_check(None, "journal_size_limit", 256 << 20, |_| Ok(()))?;
    let synchronous: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0))?;
    if mode != "wal" || synchronous != FULL {
        return Err(Error::NotDurable);
    }
    Ok(())
}
