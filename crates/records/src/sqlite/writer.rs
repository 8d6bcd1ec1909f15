//! The single writer thread of a process: it writes everything in its queue in one transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

use rusqlite::Connection;

use super::apply::{Edit, Work};
use super::checkpoint::Checkpointer;
use super::errors::retry_while_busy;
use super::opened_files::OpenedFiles;
use super::rows::Ids;
use super::tail::TailCache;
use super::tallies;
use super::waiting::OtherWrite;
use crate::carry::Piece;
use crate::store::{Batch, BatchAnswer, Done, Progress};
use crate::tallies::Tallies;
use crate::{Append, Appended, Error, GameId};

/// The most jobs in one transaction; this bounds how long the first of them waits.
const MOST_JOBS: usize = 256;

/// After this long without work, the WAL is checkpointed into the main file.
const IDLE: Duration = Duration::from_millis(250);

/// Something to write, with the channel or callback for the answer.
pub(crate) enum Job {
    Append(Box<Append>, Done),
    Edit(GameId, Edit, SyncSender<Result<(), Error>>),
    Import(Box<Batch>, Vec<[u8; 16]>, SyncSender<Result<BatchAnswer, Error>>),
    OtherWrite(OtherWrite, SyncSender<Result<u64, Error>>),
    Carry(Box<(Piece, Progress)>, SyncSender<Result<(), Error>>),
    Stop,
}

/// The result of a job in the transaction.
enum Outcome {
    Appended(Result<Appended, Error>),
    Edited(Result<(), Error>),
    Imported(Result<BatchAnswer, Error>),
    Done(Result<u64, Error>),
}

impl Job {
    /// The amount it writes, in units of one move.
    fn weight(&self) -> usize {
        match self {
            Job::Import(batch, ..) => batch.games.len(),
            Job::Carry(piece, _) => match &piece.0 {
                Piece::Games(games) => games.iter().map(|game| 1 + game.events.len()).sum(),
                Piece::Names(_) | Piece::OtherTables(_) => 1,
            },
            Job::Append(..) | Job::Edit(..) | Job::OtherWrite(..) | Job::Stop => 1,
        }
    }

    fn refusal(&self, error: Error) -> Outcome {
        match self {
            Job::Append(..) => Outcome::Appended(Err(error)),
            Job::Import(..) => Outcome::Imported(Err(error)),
            Job::OtherWrite(..) => Outcome::Done(Err(error)),
            Job::Edit(..) | Job::Carry(..) | Job::Stop => Outcome::Edited(Err(error)),
        }
    }

    /// Sends the result to the caller; a caller that is gone is not an error.
    fn reply(self, outcome: Outcome) {
        match (self, outcome) {
            (Job::Append(_, done), Outcome::Appended(answer)) => {
                // A panic in a callback must not stop the log for all other callers.
                let _ = catch_unwind(AssertUnwindSafe(|| done(answer)));
            }
            (Job::Edit(.., sender) | Job::Carry(_, sender), Outcome::Edited(answer)) => {
                let _ = sender.send(answer);
            }
            (Job::Import(.., sender), Outcome::Imported(answer)) => {
                let _ = sender.send(answer);
            }
            (Job::OtherWrite(_, sender), Outcome::Done(answer)) => {
                let _ = sender.send(answer);
            }
            // Each job gets its own kind of result.
            (_, _) => {}
        }
    }
}

pub(crate) struct Writer {
    connection: Connection,
    ids: Ids,
    tails: TailCache,
    checkpointer: Checkpointer,
    files: OpenedFiles,
}

impl Writer {
    pub(crate) fn new(
        connection: Connection,
        checkpointer: Checkpointer,
        files: OpenedFiles,
    ) -> Writer {
        connection.set_prepared_statement_cache_capacity(64);
        Writer { connection, ids: Ids::default(), tails: TailCache::default(), checkpointer, files }
    }

    /// Writes until [`Job::Stop`], or until all senders are gone.
    pub(crate) fn run(mut self, queue: &Receiver<Job>) {
        let mut checkpointed = true;
        loop {
            let first = match queue.recv_timeout(IDLE) {
                Ok(Job::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(job) => job,
                Err(RecvTimeoutError::Timeout) => {
                    if !checkpointed {
                        checkpointed = true;
                        checkpoint(&self.connection, CheckpointMode::Passive);
                    }
                    continue;
                }
            };
            let mut jobs = vec![first];
            let mut stop = false;
            while jobs.len() < MOST_JOBS && !stop {
                match queue.try_recv() {
                    Ok(Job::Stop) => stop = true,
                    Ok(job) => jobs.push(job),
                    Err(_) => break,
                }
            }
            let weight = jobs.iter().map(Job::weight).sum();
            self.write(jobs);
            checkpointed = false;
            if self.checkpointer.note_written(weight) {
                checkpoint(&self.connection, CheckpointMode::Passive);
            }
            if stop {
                break;
            }
        }
        let Writer { connection, checkpointer, .. } = self;
        checkpointer.stop();
        checkpoint(&connection, CheckpointMode::Truncate);
    }

    /// Writes all jobs in one transaction; if that fails, each in its own, so that no job fails
    /// because of another's data.
    fn write(&mut self, jobs: Vec<Job>) {
        match self.commit(&jobs) {
            Ok(answers) => {
                jobs.into_iter().zip(answers).for_each(|(job, outcome)| job.reply(outcome));
            }
            Err(error) if jobs.len() == 1 || error == Error::Replaced => {
                for job in jobs {
                    let outcome = job.refusal(error);
                    job.reply(outcome);
                }
            }
            Err(_) => jobs.into_iter().for_each(|job| self.write(vec![job])),
        }
    }

    /// No result is sent before the commit is known to be in the log's file.
    fn commit(&mut self, jobs: &[Job]) -> Result<Vec<Outcome>, Error> {
        retry_while_busy(|| self.connection.execute_batch("BEGIN IMMEDIATE"))?;
        let written = self.transact(jobs);
        if written.is_err() {
            // SQLite may have rolled back by itself; then this fails and is ignored.
            let _ = self.connection.execute_batch("ROLLBACK");
            self.ids.forget();
            self.tails.forget();
        }
        written
    }

    fn transact(&mut self, jobs: &[Job]) -> Result<Vec<Outcome>, Error> {
        self.tails.refresh(&self.connection)?;
        let mut work = Work {
            connection: &self.connection,
            ids: &mut self.ids,
            tails: &mut self.tails,
            tallies: Tallies::default(),
        };
        let mut answers = Vec::with_capacity(jobs.len());
        for job in jobs {
            answers.push(match job {
                Job::Append(append, _) => Outcome::Appended(work.append(append)?),
                Job::Edit(game, edit, _) => Outcome::Edited(work.edit(*game, edit)?),
                Job::Import(batch, hashes, _) => Outcome::Imported(work.import(batch, hashes)?),
                Job::OtherWrite(write, _) => Outcome::Done(work.other_write(write)?),
                Job::Carry(piece, _) => Outcome::Edited(work.take_in(&piece.0, &piece.1)?),
                Job::Stop => Outcome::Edited(Ok(())),
            });
        }
        tallies::write(&work.tallies, &self.connection)?;
        retry_while_busy(|| self.connection.execute_batch("COMMIT"))?;
        // A commit to a file that was deleted or replaced is lost.
        self.files.check()?;
        Ok(answers)
    }
}

/// The mode of a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CheckpointMode {
    /// Without blocking readers or writers.
    Passive,
    /// Everything; the WAL file is empty afterwards.
    Truncate,
}

/// Copies committed pages into the main file. This is only housekeeping: if another process holds a
/// lock, the next checkpoint does it.
fn checkpoint(connection: &Connection, mode: CheckpointMode) {
    let sql = match mode {
        CheckpointMode::Passive => "PRAGMA wal_checkpoint(PASSIVE)",
        CheckpointMode::Truncate => "PRAGMA wal_checkpoint(TRUNCATE)",
    };
    let _ = connection.query_row(sql, [], |_| Ok(()));
}
