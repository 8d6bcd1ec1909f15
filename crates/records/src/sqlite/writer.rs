//! The one thread of a process that writes: it drains its queue into one transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

use rusqlite::Connection;

use super::apply::{Edit, Work};
use super::folding::Folding;
use super::ledger;
use super::presence::Presence;
use super::rows::Ids;
use super::tail::Known;
use super::trouble::patiently;
use super::waiting::Chore;
use crate::carry::Piece;
use crate::ledger::Ledger;
use crate::store::{Batch, BatchAnswer, Done, Progress};
use crate::{Append, Appended, Error, GameId};

/// The most jobs in one transaction: it bounds how long the first of them waits.
const MOST_JOBS: usize = 256;

/// Without work for so long, the log is folded into its main file.
const IDLE: Duration = Duration::from_millis(250);

/// Something to write, and whom to tell.
pub(crate) enum Job {
    Append(Box<Append>, Done),
    Edit(GameId, Edit, SyncSender<Result<(), Error>>),
    Import(Box<Batch>, Vec<[u8; 16]>, SyncSender<Result<BatchAnswer, Error>>),
    Chore(Chore, SyncSender<Result<u64, Error>>),
    Carry(Box<(Piece, Progress)>, SyncSender<Result<(), Error>>),
    Stop,
}

/// What the transaction says to a job.
enum Said {
    Appended(Result<Appended, Error>),
    Edited(Result<(), Error>),
    Imported(Result<BatchAnswer, Error>),
    Done(Result<u64, Error>),
}

impl Job {
    /// How much it writes, in moves.
    fn weight(&self) -> usize {
        match self {
            Job::Import(batch, ..) => batch.games.len(),
            Job::Carry(piece, _) => match &piece.0 {
                Piece::Games(games) => games.iter().map(|game| 1 + game.events.len()).sum(),
                Piece::Names(_) | Piece::Rest(_) => 1,
            },
            Job::Append(..) | Job::Edit(..) | Job::Chore(..) | Job::Stop => 1,
        }
    }

    fn refused(&self, error: Error) -> Said {
        match self {
            Job::Append(..) => Said::Appended(Err(error)),
            Job::Import(..) => Said::Imported(Err(error)),
            Job::Chore(..) => Said::Done(Err(error)),
            Job::Edit(..) | Job::Carry(..) | Job::Stop => Said::Edited(Err(error)),
        }
    }

    /// Tells whoever waits; that nobody waits any more is no error.
    fn tell(self, said: Said) {
        match (self, said) {
            (Job::Append(_, done), Said::Appended(answer)) => {
                // A caller's panic must not take the log away from everybody else.
                let _ = catch_unwind(AssertUnwindSafe(|| done(answer)));
            }
            (Job::Edit(.., sender) | Job::Carry(_, sender), Said::Edited(answer)) => {
                let _ = sender.send(answer);
            }
            (Job::Import(.., sender), Said::Imported(answer)) => {
                let _ = sender.send(answer);
            }
            (Job::Chore(_, sender), Said::Done(answer)) => {
                let _ = sender.send(answer);
            }
            // An answer of another kind is never given.
            (_, _) => {}
        }
    }
}

pub(crate) struct Writer {
    connection: Connection,
    ids: Ids,
    known: Known,
    folding: Folding,
    presence: Presence,
}

impl Writer {
    pub(crate) fn new(connection: Connection, folding: Folding, presence: Presence) -> Writer {
        connection.set_prepared_statement_cache_capacity(64);
        Writer { connection, ids: Ids::default(), known: Known::default(), folding, presence }
    }

    /// Writes until told to stop, or until nobody can tell.
    pub(crate) fn run(mut self, queue: &Receiver<Job>) {
        let mut folded = true;
        loop {
            let first = match queue.recv_timeout(IDLE) {
                Ok(Job::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(job) => job,
                Err(RecvTimeoutError::Timeout) => {
                    if !folded {
                        folded = true;
                        fold(&self.connection, How::Passive);
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
            folded = false;
            if self.folding.wrote(weight) {
                fold(&self.connection, How::Passive);
            }
            if stop {
                break;
            }
        }
        let Writer { connection, folding, .. } = self;
        folding.stop();
        fold(&connection, How::Truncate);
    }

    /// Everybody in one transaction; if that fails, each alone, so that nobody fails because of
    /// another's data.
    fn write(&mut self, jobs: Vec<Job>) {
        match self.commit(&jobs) {
            Ok(answers) => jobs.into_iter().zip(answers).for_each(|(job, said)| job.tell(said)),
            Err(error) if jobs.len() == 1 || error == Error::Replaced => {
                for job in jobs {
                    let said = job.refused(error);
                    job.tell(said);
                }
            }
            Err(_) => jobs.into_iter().for_each(|job| self.write(vec![job])),
        }
    }

    /// Nothing is told before the commit is known to be in the file of the log.
    fn commit(&mut self, jobs: &[Job]) -> Result<Vec<Said>, Error> {
        patiently(|| self.connection.execute_batch("BEGIN IMMEDIATE"))?;
        let written = self.transact(jobs);
        if written.is_err() {
            // SQLite may have rolled back by itself; then this says so and is ignored.
            let _ = self.connection.execute_batch("ROLLBACK");
            self.ids.forget();
            self.known.forget();
        }
        written
    }

    fn transact(&mut self, jobs: &[Job]) -> Result<Vec<Said>, Error> {
        self.known.refresh(&self.connection)?;
        let mut work = Work {
            connection: &self.connection,
            ids: &mut self.ids,
            known: &mut self.known,
            ledger: Ledger::default(),
        };
        let mut answers = Vec::with_capacity(jobs.len());
        for job in jobs {
            answers.push(match job {
                Job::Append(append, _) => Said::Appended(work.append(append)?),
                Job::Edit(game, edit, _) => Said::Edited(work.edit(*game, edit)?),
                Job::Import(batch, hashes, _) => Said::Imported(work.import(batch, hashes)?),
                Job::Chore(chore, _) => Said::Done(work.chore(chore)?),
                Job::Carry(piece, _) => Said::Edited(work.take_in(&piece.0, &piece.1)?),
                Job::Stop => Said::Edited(Ok(())),
            });
        }
        ledger::write(&work.ledger, &self.connection)?;
        patiently(|| self.connection.execute_batch("COMMIT"))?;
        // What was committed to a file that is no longer there is not kept.
        self.presence.check()?;
        Ok(answers)
    }
}

/// How the log is folded into its main file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    /// Without disturbing anybody.
    Passive,
    /// All of it, so that the WAL file is empty.
    Truncate,
}

/// Moves what was committed into the main file. It is only housekeeping: when another process is
/// in the way, the next one will do it.
fn fold(connection: &Connection, how: How) {
    let sql = match how {
        How::Passive => "PRAGMA wal_checkpoint(PASSIVE)",
        How::Truncate => "PRAGMA wal_checkpoint(TRUNCATE)",
    };
    let _ = connection.query_row(sql, [], |_| Ok(()));
}
