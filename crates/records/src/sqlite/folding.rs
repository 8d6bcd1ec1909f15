//! Folds what was committed into the main file while the writer goes on writing.
//!
//! SQLite's own way is that every so often a commit does it before it returns: 16 MiB copied and
//! synced, 30 to 70 ms in which nobody's move is acknowledged. Here another connection copies while
//! commits go on, a little at a time, since commits wait for the same disk. Only when the WAL file
//! has become large does it copy until nearly nothing is left, and the writer does the rest, which
//! lets it begin the file anew.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::JoinHandle;

use rusqlite::Connection;

/// After so many moves or games something is folded: about 10 MiB.
const AFTER: usize = 2_000;

/// A WAL file of so many frames, 160 MiB, is begun anew.
pub(crate) const LARGE: i64 = 40_000;

/// So many frames are left to the writer.
const REST: i64 = 256;

/// So often is copied what has come meanwhile; then the writer does the rest, much as it may be.
const ROUNDS: usize = 6;

/// The writer's side of a thread that folds.
pub(crate) struct Folding {
    nudge: SyncSender<()>,
    nearly: Arc<AtomicBool>,
    thread: JoinHandle<()>,
    written: usize,
}

impl Folding {
    /// Starts the thread. A WAL file of `large` frames is begun anew.
    pub(crate) fn start(connection: Connection, large: i64) -> std::io::Result<Folding> {
        let (nudge, nudges) = mpsc::sync_channel(1);
        let nearly = Arc::new(AtomicBool::new(false));
        let done = nearly.clone();
        let thread = std::thread::Builder::new()
            .name("records-folder".to_owned())
            .spawn(move || run(&connection, &nudges, &done, large))?;
        Ok(Folding { nudge, nearly, thread, written: 0 })
    }

    /// So much was committed. Whether the writer shall do the rest now.
    pub(crate) fn wrote(&mut self, weight: usize) -> bool {
        self.written += weight;
        if self.written >= AFTER {
            self.written = 0;
            // It folds already when this is full.
            let _ = self.nudge.try_send(());
        }
        self.nearly.swap(false, Ordering::Acquire)
    }

    /// Waits until the thread has ended.
    pub(crate) fn stop(self) {
        drop(self.nudge);
        let _ = self.thread.join();
    }
}

fn run(connection: &Connection, nudges: &Receiver<()>, nearly: &AtomicBool, large: i64) {
    while nudges.recv().is_ok() {
        // When it fails, SQLite folds by itself in the end.
        let Some(mut before) = copy(connection) else { continue };
        if before < large {
            continue;
        }
        for _ in 0..ROUNDS {
            let Some(folded) = copy(connection) else { break };
            // What one round had to copy came during the one before, which was no shorter.
            let copied = folded - before;
            if copied <= REST {
                break;
            }
            before = folded;
        }
        nearly.store(true, Ordering::Release);
    }
}

/// Copies what there is without disturbing anybody; how many frames of the WAL file are folded.
fn copy(connection: &Connection) -> Option<i64> {
    let folded = |row: &rusqlite::Row<'_>| row.get::<_, i64>(2);
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], folded).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use super::*;

    /// A log in WAL mode that never folds by itself.
    fn open(file: &Path) -> Connection {
        let connection = Connection::open(file).unwrap();
        connection.busy_timeout(Duration::from_secs(10)).unwrap();
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
        connection.pragma_update_and_check(None, "wal_autocheckpoint", 0, |_| Ok(())).unwrap();
        connection
    }

    #[test]
    fn a_busy_log_is_folded_and_its_wal_file_begun_anew() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("log.db");
        let writer = open(&file);
        writer.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)", []).unwrap();
        let mut folding = Folding::start(open(&file), 300).unwrap();
        let size = |name: &str| std::fs::metadata(place.path().join(name)).unwrap().len();
        let page = "x".repeat(3_000);
        let mut written = 0;
        let end = Instant::now() + Duration::from_secs(60);
        // Without breath, as under load. Every row is a page or two of the WAL file, which would
        // only grow if it were never begun anew.
        while written < 1_000 || size("log.db-wal") > 4_096 * written / 2 {
            assert!(Instant::now() < end, "{written} rows, {} bytes", size("log.db-wal"));
            writer.execute("INSERT INTO t (text) VALUES (?1)", [&page]).unwrap();
            written += 1;
            // A row weighs as much as a hundred moves, to be nudged often.
            if folding.wrote(100) {
                copy(&writer).unwrap();
            }
        }
        folding.stop();
        assert!(size("log.db") > 4_096 * written / 2, "{} bytes", size("log.db"));
        let rows: i64 =
            open(&file).query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, i64::try_from(written).unwrap());
    }
}
