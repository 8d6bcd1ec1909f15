//! A few connections, opened when they are needed and lent out one at a time.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Error;

pub(crate) struct Shelf<C> {
    most: usize,
    patience: Duration,
    state: Mutex<State<C>>,
    returned: Condvar,
}

struct State<C> {
    idle: Vec<C>,
    open: usize,
}

impl<C> Shelf<C> {
    /// At most so many; who waits longer than this for one is told that the log is busy.
    pub(crate) fn new(most: usize, patience: Duration) -> Shelf<C> {
        let state = Mutex::new(State { idle: Vec::new(), open: 0 });
        Shelf { most: most.max(1), patience, state, returned: Condvar::new() }
    }

    pub(crate) fn borrow(&self, open: impl FnOnce() -> Result<C, Error>) -> Result<C, Error> {
        let end = Instant::now() + self.patience;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(connection) = state.idle.pop() {
                return Ok(connection);
            }
            if state.open < self.most {
                state.open += 1;
                drop(state);
                return open().inspect_err(|_| self.forget());
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::Busy);
            }
            let woken = self.returned.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub(crate) fn put_back(&self, connection: C) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.idle.push(connection);
        self.returned.notify_one();
    }

    /// A connection that was borrowed does not come back.
    pub(crate) fn forget(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.open -= 1;
        self.returned.notify_one();
    }

    /// Closes those that nobody uses: whatever ended one of them has ended the others.
    pub(crate) fn clear(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.open -= state.idle.len();
        state.idle.clear();
        self.returned.notify_all();
    }
}
