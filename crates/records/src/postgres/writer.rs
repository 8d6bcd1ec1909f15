//! The writer threads. All appends of a game go to the same one, which writes everything in its
//! queue in one transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError};
use std::time::{Duration, Instant};

use super::Connector;
use super::batch::{Batch, BatchError};
use super::errors::is_passing;
use super::ids::Ids;
use super::key_cache::KeyCache;
use super::session::Session;
use crate::store::Done;
use crate::{Append, Appended, Error};

/// The most appends in one transaction; this bounds how long the first of them waits.
const MOST_JOBS: usize = 256;

/// How long to wait for a server that restarts; then appends get [`Error::Away`].
const GRACE: Duration = Duration::from_secs(2);
/// Longer after a commit with unknown result: otherwise the caller would have to find it out.
const DOUBT: Duration = Duration::from_secs(8);
/// The first and the longest pause between two attempts to connect.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(500)];
/// How often a batch is retried after a conflict with other transactions.
const TRIES: usize = 5;

/// A job of a writer.
pub(crate) enum Job {
    /// An append, with the callback for its answer.
    Append(Box<Append>, Done),
    /// Gets a message when all appends before it have been answered.
    Flush(SyncSender<()>),
    Stop,
}

pub(crate) struct Writer {
    connector: Arc<Connector>,
    session: Option<Session>,
    ids: Ids,
    key_cache: KeyCache,
    /// When the next attempt to connect is due, after a failed one.
    next: Instant,
    pause: Duration,
    /// True if a caller already got [`Error::Away`]: then later ones do not wait for the server.
    away: bool,
}

/// An append that waits for its answer.
struct PendingAppend<'a> {
    append: &'a Append,
    done: Done,
    /// The number that it got in a commit with unknown result.
    doubt: Option<u64>,
}

impl PendingAppend<'_> {
    fn reply(self, answer: Result<Appended, Error>) {
        // A panic in a callback must not stop the log for all other callers.
        let _ = catch_unwind(AssertUnwindSafe(|| (self.done)(answer)));
    }

    fn refuse(self, error: Error) {
        let error = if self.doubt.is_some() { Error::Unsure } else { error };
        self.reply(Err(error));
    }
}

impl Writer {
    pub(crate) fn new(connector: Arc<Connector>) -> Writer {
        Writer {
            connector,
            session: None,
            ids: Ids::default(),
            key_cache: KeyCache::default(),
            next: Instant::now(),
            pause: PAUSES[0],
            away: false,
        }
    }

    /// Writes until [`Job::Stop`], or until all senders are gone.
    pub(crate) fn run(mut self, queue: &Receiver<Job>) {
        let mut stop = false;
        while !stop {
            let Ok(first) = queue.recv() else { break };
            let mut next = Ok(first);
            let (mut appends, mut answers, mut marks) = (Vec::new(), Vec::new(), Vec::new());
            loop {
                match next {
                    Ok(Job::Append(append, done)) => {
                        appends.push(append);
                        answers.push(done);
                    }
                    Ok(Job::Flush(mark)) => marks.push(mark),
                    Ok(Job::Stop) | Err(TryRecvError::Disconnected) => stop = true,
                    Err(TryRecvError::Empty) => break,
                }
                if stop || appends.len() >= MOST_JOBS {
                    break;
                }
                next = queue.try_recv();
            }
            let kept = appends.iter().zip(answers);
            self.write(
                kept.map(|(append, done)| PendingAppend { append, done, doubt: None }).collect(),
            );
            for mark in marks {
                let _ = mark.send(());
            }
        }
    }

    /// Writes all appends in one transaction; if that fails, each in its own, so that none fails
    /// because of another's data.
    fn write(&mut self, mut jobs: Vec<PendingAppend<'_>>) {
        if jobs.is_empty() {
            return;
        }
        let start = Instant::now();
        let mut tries = 0;
        loop {
            let doubted = jobs.iter().any(|job| job.doubt.is_some());
            let end = match (doubted, self.away) {
                (true, _) => start + DOUBT,
                (false, false) => start + GRACE,
                (false, true) => start,
            };
            let session = match self.session(end) {
                Ok(session) => session,
                Err(error) => {
                    self.away = true;
                    return jobs.into_iter().for_each(|job| job.refuse(error));
                }
            };
            self.away = false;
            let failure = match self.commit(session, &jobs) {
                Ok(answers) => {
                    return jobs
                        .into_iter()
                        .zip(answers)
                        .for_each(|(job, answer)| job.reply(answer));
                }
                Err(failure) => failure,
            };
            match failure {
                BatchError::Unknown(answers) => {
                    for (job, answer) in jobs.iter_mut().zip(answers) {
                        let seq = answer.ok().map(|answer| answer.seq);
                        job.doubt = job.doubt.or(seq);
                    }
                }
                BatchError::NotWritten(Error::Away) if Instant::now() < end => {}
                BatchError::NotWritten(error) if is_passing(error) && tries < TRIES => tries += 1,
                BatchError::NotWritten(error) if jobs.len() == 1 || error == Error::Away => {
                    return jobs.into_iter().for_each(|job| job.refuse(error));
                }
                BatchError::NotWritten(_) => {
                    return jobs.into_iter().for_each(|job| self.write(vec![job]));
                }
            }
        }
    }

    /// No answer is sent before the commit.
    fn commit(
        &mut self,
        session: Session,
        jobs: &[PendingAppend<'_>],
    ) -> Result<Vec<Result<Appended, Error>>, BatchError> {
        let appends: Vec<&Append> = jobs.iter().map(|job| job.append).collect();
        let doubtful: Vec<Option<u64>> = jobs.iter().map(|job| job.doubt).collect();
        let written =
            Batch::write(&session, &mut self.ids, &mut self.key_cache, &appends, &doubtful);
        if written.is_err() {
            self.forget();
            let _ = session.run("ROLLBACK");
        }
        // A lost connection is dropped.
        self.session = (!session.is_lost()).then_some(session);
        written
    }

    fn forget(&mut self) {
        self.ids.forget();
        self.key_cache.forget();
    }

    /// The connection, or a new one; it tries until `end`.
    fn session(&mut self, end: Instant) -> Result<Session, Error> {
        if let Some(session) = self.session.take().filter(|session| !session.is_lost()) {
            return Ok(session);
        }
        loop {
            if self.next > Instant::now() {
                if self.next >= end {
                    return Err(Error::Away);
                }
                std::thread::sleep(self.next.saturating_duration_since(Instant::now()));
            }
            let opened = self
                .connector
                .open()
                .and_then(|session| session.limit_idle_time().map(|()| session));
            match opened {
                Ok(session) => {
                    self.pause = PAUSES[0];
                    // It may be another server after a failover.
                    self.forget();
                    return Ok(session);
                }
                Err(error) => {
                    self.next = Instant::now() + self.pause;
                    self.pause = (self.pause * 2).min(PAUSES[1]);
                    if Instant::now() >= end || !matches!(error, Error::Away | Error::Busy) {
                        return Err(error);
                    }
                }
            }
        }
    }
}
