//! A pool of connections, opened on demand; each is used by one caller at a time.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Error;

pub(crate) struct Pool<C> {
    most: usize,
    patience: Duration,
    state: Mutex<State<C>>,
    returned: Condvar,
}

struct State<C> {
    idle: Vec<C>,
    open: usize,
}

impl<C> Pool<C> {
    /// A pool of at most `most` connections. A caller that waits for one longer than `patience`
    /// gets [`Error::Busy`].
    pub(crate) fn new(most: usize, patience: Duration) -> Pool<C> {
        let state = Mutex::new(State { idle: Vec::new(), open: 0 });
        Pool { most: most.max(1), patience, state, returned: Condvar::new() }
    }

    pub(crate) fn take(&self, open: impl FnOnce() -> Result<C, Error>) -> Result<C, Error> {
        let end = Instant::now() + self.patience;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(connection) = state.idle.pop() {
                return Ok(connection);
            }
            if state.open < self.most {
                state.open += 1;
                drop(state);
                return open().inspect_err(|_| self.discard());
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

    /// Frees the slot of a connection that was taken and is not returned.
    pub(crate) fn discard(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.open -= 1;
        self.returned.notify_one();
    }

    /// Closes the idle connections: the failure of one means that the others are lost too.
    pub(crate) fn clear(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.open -= state.idle.len();
        state.idle.clear();
        self.returned.notify_all();
    }
}
