//! Checkpoints the WAL into the main file while the writer goes on writing.
//!
//! By default SQLite checkpoints inside a commit now and then: it copies and syncs 16 MiB, and for
//! 30 to 70 ms no move is acknowledged. Here another connection copies while commits continue, a
//! little at a time, because commits wait for the same disk. Only when the WAL file is large does
//! it copy until nearly nothing is left; then the writer copies the rest, which lets SQLite restart
//! the file.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::JoinHandle;

use rusqlite::Connection;

/// A checkpoint runs after this many moves or games, about 10 MiB.
const AFTER: usize = 2_000;

/// A WAL file of this many frames (160 MiB) is restarted.
pub(crate) const LARGE: i64 = 40_000;

/// At most this many frames are left for the writer.
const LEFT_OVER: i64 = 256;

/// At most this many rounds; then the writer copies the rest, however much it is.
const ROUNDS: usize = 6;

/// The writer's handle of the checkpoint thread.
pub(crate) struct Checkpointer {
    nudge: SyncSender<()>,
    nearly: Arc<AtomicBool>,
    thread: JoinHandle<()>,
    written: usize,
}

impl Checkpointer {
    /// Starts the thread. A WAL file of `large` frames is restarted.
    pub(crate) fn start(connection: Connection, large: i64) -> std::io::Result<Checkpointer> {
        let (nudge, nudges) = mpsc::sync_channel(1);
        let nearly = Arc::new(AtomicBool::new(false));
        let done = nearly.clone();
        let thread = std::thread::Builder::new()
            .name("records-folder".to_owned())
            .spawn(move || run(&connection, &nudges, &done, large))?;
        Ok(Checkpointer { nudge, nearly, thread, written: 0 })
    }

    /// Adds committed work, in moves. Returns true if the writer is to copy the rest now.
    pub(crate) fn note_written(&mut self, weight: usize) -> bool {
        self.written += weight;
        if self.written >= AFTER {
            self.written = 0;
            // If the channel is full, the thread is already at work.
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
        // If it fails, SQLite checkpoints by itself in the end.
        let Some(mut before) = copy(connection) else { continue };
        if before < large {
            continue;
        }
        for _ in 0..ROUNDS {
            let Some(folded) = copy(connection) else { break };
            // The frames of this round were written during the previous one, which was at least as
            // long.
            let copied = folded - before;
            if copied <= LEFT_OVER {
                break;
            }
            before = folded;
        }
        nearly.store(true, Ordering::Release);
    }
}

/// Copies what it can without blocking; returns the number of frames that are checkpointed.
fn copy(connection: &Connection) -> Option<i64> {
    let folded = |row: &rusqlite::Row<'_>| row.get::<_, i64>(2);
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], folded).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use super::*;

    /// A log in WAL mode without automatic checkpoints.
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
        let mut checkpointer = Checkpointer::start(open(&file), 300).unwrap();
        let size = |name: &str| std::fs::metadata(place.path().join(name)).unwrap().len();
        let page = "x".repeat(3_000);
        let mut written = 0;
        let end = Instant::now() + Duration::from_secs(60);
        // Without pauses, as under load. Every row is a page or two of the WAL file, which would
        // only grow if it were never restarted.
        while written < 1_000 || size("log.db-wal") > 4_096 * written / 2 {
            assert!(Instant::now() < end, "{written} rows, {} bytes", size("log.db-wal"));
            writer.execute("INSERT INTO t (text) VALUES (?1)", [&page]).unwrap();
            written += 1;
            // A row counts as a hundred moves, so that the thread is woken often.
            if checkpointer.note_written(100) {
                copy(&writer).unwrap();
            }
        }
        checkpointer.stop();
        assert!(size("log.db") > 4_096 * written / 2, "{} bytes", size("log.db"));
        let rows: i64 =
            open(&file).query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, i64::try_from(written).unwrap());
    }
}
