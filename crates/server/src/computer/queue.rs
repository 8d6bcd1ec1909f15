//! The queue of the computer's threads: moves of games first, then questions, then analyses, one
//! position at a time. A question that is being searched is interrupted for a move.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use hansu_engine::Signals;

use super::Job;
use crate::analyses::AnalysisRun;
use crate::questions::QueuedQuestion;

/// At most this many thoughts wait. A game whose thought is turned away asks again with its next
/// tick.
const MOST_THOUGHTS: usize = 4_096;

/// What a thread does next.
pub(super) enum Next {
    Thought(Job),
    Question(QueuedQuestion),
    Study(Box<AnalysisRun>),
}

#[derive(Default)]
struct Waiting {
    thoughts: VecDeque<Job>,
    questions: VecDeque<QueuedQuestion>,
    studies: VecDeque<Box<AnalysisRun>>,
    /// The number of threads with nothing to do.
    idle: usize,
    /// Signals to the questions that are being searched.
    working: Vec<Arc<Signals>>,
    closed: bool,
}

#[derive(Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    ready: Condvar,
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends a thought. Returns false when the queue is full or closed.
    pub(super) fn think(&self, job: Job) -> bool {
        let mut waiting = self.waiting();
        let fits = !waiting.closed && waiting.thoughts.len() < MOST_THOUGHTS;
        if fits {
            waiting.thoughts.push_back(job);
            if waiting.thoughts.len() > waiting.idle
                && let Some(signals) = waiting.working.pop()
            {
                signals.stop.store(true, Ordering::Relaxed);
            }
            self.ready.notify_one();
        }
        fits
    }

    /// Appends a question. The caller limits their number.
    pub(super) fn ask(&self, asked: QueuedQuestion) {
        let mut waiting = self.waiting();
        if !waiting.closed {
            waiting.questions.push_back(asked);
            self.ready.notify_one();
        }
    }

    /// Ends the work on a question; when there is more to do it comes before the other questions.
    pub(super) fn finish_question(&self, asked: QueuedQuestion, more: bool) {
        let mut waiting = self.waiting();
        waiting.working.retain(|signals| !Arc::ptr_eq(signals, &asked.signals));
        if more && !waiting.closed {
            asked.signals.stop.store(false, Ordering::Relaxed);
            waiting.questions.push_front(asked);
            self.ready.notify_one();
        }
    }

    /// Appends an analysis. The caller limits their number.
    pub(super) fn study(&self, run: Box<AnalysisRun>) {
        let mut waiting = self.waiting();
        if !waiting.closed {
            waiting.studies.push_back(run);
            self.ready.notify_one();
        }
    }

    /// Puts an unfinished analysis before the others.
    pub(super) fn requeue(&self, run: Box<AnalysisRun>) {
        let mut waiting = self.waiting();
        if !waiting.closed {
            waiting.studies.push_front(run);
            self.ready.notify_one();
        }
    }

    /// Waits for something to do; None when the queue is closed.
    pub(super) fn next(&self) -> Option<Next> {
        let mut waiting = self.waiting();
        loop {
            if waiting.closed {
                return None;
            }
            if let Some(job) = waiting.thoughts.pop_front() {
                return Some(Next::Thought(job));
            }
            if let Some(asked) = waiting.questions.pop_front() {
                waiting.working.push(asked.signals.clone());
                return Some(Next::Question(asked));
            }
            if let Some(run) = waiting.studies.pop_front() {
                return Some(Next::Study(run));
            }
            waiting.idle += 1;
            waiting = self.ready.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            waiting.idle -= 1;
        }
    }

    /// Ends the threads. What is queued is dropped outside of the lock.
    pub(super) fn close(&self) {
        let mut waiting = self.waiting();
        waiting.closed = true;
        for signals in waiting.working.drain(..) {
            signals.stop.store(true, Ordering::Relaxed);
        }
        let rest = (
            std::mem::take(&mut waiting.thoughts),
            std::mem::take(&mut waiting.questions),
            std::mem::take(&mut waiting.studies),
        );
        drop(waiting);
        self.ready.notify_all();
        drop(rest);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hansu_chess::{Color, Game};
    use hansu_live::Think;
    use hansu_play::Task;

    use super::*;
    use crate::analyses::tests::{begin, store};

    fn thought() -> Job {
        let computer = hansu_play::Computer { side: Color::White, level: 1, resigns: false };
        let think = Think { computer, seq: 1, task: Task::Move, game: Game::start(), left: None };
        let done = Box::new(|_| ());
        Job { game: "computer0000".parse().expect("an id"), think, done }
    }

    #[test]
    fn moves_come_before_analyses_and_a_begun_one_before_the_next() {
        let (_place, store) = store();
        let list = crate::analyses::Analyses::default();
        let queue = Queue::default();
        let games = ["a", "b"].map(|asker| {
            let run = begin(&list, &store, asker).expect("a place");
            let game = run.game;
            queue.study(run);
            game
        });
        assert!(queue.think(thought()));
        assert!(matches!(queue.next(), Some(Next::Thought(_))));
        let Some(Next::Study(first)) = queue.next() else { panic!("an analysis") };
        assert_eq!(first.game, games[0]);
        assert!(queue.think(thought()));
        queue.requeue(first);
        assert!(matches!(queue.next(), Some(Next::Thought(_))));
        let Some(Next::Study(again)) = queue.next() else { panic!("an analysis") };
        assert_eq!(again.game, games[0]);
        // Closing ends a thread that waits, and drops what is queued.
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| while queue.next().is_some() {});
            std::thread::sleep(Duration::from_millis(10));
            queue.close();
            waits.join().expect("it ends");
        });
        queue.requeue(again);
        assert_eq!(list.len(), 0);
        assert!(!queue.think(thought()));
    }

    #[test]
    fn a_question_comes_before_analyses_and_makes_room_for_a_move() {
        use crate::questions::{Questions, tests::lines};
        let (_place, store) = store();
        let list = crate::analyses::Analyses::default();
        let queue = Queue::default();
        queue.study(begin(&list, &store, "a").expect("a place"));
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let (asked, _listener) = lines(&Questions::default(), "a", start, 1_000);
        let signals = asked.signals.clone();
        let stopped = || signals.stop.load(Ordering::Relaxed);
        queue.ask(asked);
        let Some(Next::Question(asked)) = queue.next() else { panic!("a question") };
        assert!(!stopped());
        // No thread is free: the one with the question is told to stop.
        assert!(queue.think(thought()));
        assert!(stopped());
        queue.finish_question(asked, true);
        assert!(matches!(queue.next(), Some(Next::Thought(_))));
        let Some(Next::Question(asked)) = queue.next() else { panic!("it goes on") };
        queue.finish_question(asked, false);
        assert!(matches!(queue.next(), Some(Next::Study(_))));
        queue.close();
    }
}
