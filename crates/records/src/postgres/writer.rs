//! The threads that append. A game's appends all go to the same one, which takes everything that
//! waits into one transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError};
use std::time::{Duration, Instant};

use super::Door;
use super::batch::{Batch, Failure};
use super::ids::Ids;
use super::recent::Recent;
use super::session::Session;
use super::trouble::is_passing;
use crate::store::Done;
use crate::{Append, Appended, Error};

/// The most appends in one transaction: it bounds how long the first of them waits.
const MOST_JOBS: usize = 256;

/// A server that restarts is waited for so long; then whoever asks is told that it is away.
const GRACE: Duration = Duration::from_secs(2);
/// With a commit of which nobody knows what became, longer: somebody would have to find out.
const DOUBT: Duration = Duration::from_secs(8);
/// Between two attempts to connect, from the first to the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(500)];
/// So often is tried what failed only because others were in the way.
const TRIES: usize = 5;

/// What a writer is asked to do.
pub(crate) enum Job {
    /// Something to write, and whom to tell.
    Append(Box<Append>, Done),
    /// Whom to tell that everything before it has been answered.
    Mark(SyncSender<()>),
    Stop,
}

pub(crate) struct Writer {
    door: Arc<Door>,
    session: Option<Session>,
    ids: Ids,
    recent: Recent,
    /// When the next attempt to connect is due, after one that failed.
    next: Instant,
    pause: Duration,
    /// Whether somebody was told already that the server is away: then nobody waits for it.
    away: bool,
}

/// What to say when nothing could be written.
struct Kept<'a> {
    append: &'a Append,
    done: Done,
    /// The number that it got in a commit of which nobody knows whether it happened.
    doubt: Option<u64>,
}

impl Kept<'_> {
    fn tell(self, answer: Result<Appended, Error>) {
        // A caller's panic must not take the log away from everybody else.
        let _ = catch_unwind(AssertUnwindSafe(|| (self.done)(answer)));
    }

    fn refuse(self, error: Error) {
        let error = if self.doubt.is_some() { Error::Unsure } else { error };
        self.tell(Err(error));
    }
}

impl Writer {
    pub(crate) fn new(door: Arc<Door>) -> Writer {
        Writer {
            door,
            session: None,
            ids: Ids::default(),
            recent: Recent::default(),
            next: Instant::now(),
            pause: PAUSES[0],
            away: false,
        }
    }

    /// Writes until told to stop, or until nobody can tell.
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
                    Ok(Job::Mark(mark)) => marks.push(mark),
                    Ok(Job::Stop) | Err(TryRecvError::Disconnected) => stop = true,
                    Err(TryRecvError::Empty) => break,
                }
                if stop || appends.len() >= MOST_JOBS {
                    break;
                }
                next = queue.try_recv();
            }
            let kept = appends.iter().zip(answers);
            self.write(kept.map(|(append, done)| Kept { append, done, doubt: None }).collect());
            for mark in marks {
                let _ = mark.send(());
            }
        }
    }

    /// Everybody in one transaction; if that fails, each alone, so that nobody fails because of
    /// another's data.
    fn write(&mut self, mut jobs: Vec<Kept<'_>>) {
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
                    return jobs.into_iter().zip(answers).for_each(|(job, said)| job.tell(said));
                }
                Err(failure) => failure,
            };
            match failure {
                Failure::Unknown(answers) => {
                    for (job, answer) in jobs.iter_mut().zip(answers) {
                        let seq = answer.ok().map(|answer| answer.seq);
                        job.doubt = job.doubt.or(seq);
                    }
                }
                Failure::Not(Error::Away) if Instant::now() < end => {}
                Failure::Not(error) if is_passing(error) && tries < TRIES => tries += 1,
                Failure::Not(error) if jobs.len() == 1 || error == Error::Away => {
                    return jobs.into_iter().for_each(|job| job.refuse(error));
                }
                Failure::Not(_) => {
                    return jobs.into_iter().for_each(|job| self.write(vec![job]));
                }
            }
        }
    }

    /// Nothing is told before the commit.
    fn commit(
        &mut self,
        session: Session,
        jobs: &[Kept<'_>],
    ) -> Result<Vec<Result<Appended, Error>>, Failure> {
        let appends: Vec<&Append> = jobs.iter().map(|job| job.append).collect();
        let doubtful: Vec<Option<u64>> = jobs.iter().map(|job| job.doubt).collect();
        let written = Batch::write(&session, &mut self.ids, &mut self.recent, &appends, &doubtful);
        if written.is_err() {
            self.forget();
            let _ = session.run("ROLLBACK");
        }
        // What is broken is not kept.
        self.session = (!session.is_lost()).then_some(session);
        written
    }

    fn forget(&mut self) {
        self.ids.forget();
        self.recent.forget();
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
            let opened = self.door.open().and_then(|session| session.be_quick().map(|()| session));
            match opened {
                Ok(session) => {
                    self.pause = PAUSES[0];
                    // It may be another server, which has taken over.
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
