//! The log as asynchronous code asks it. Nothing else in this crate runs blocking work.

use std::ops::Deref;
use std::sync::Arc;

use hansu_records::{Error, Store};

/// A store that can be asked without blocking the caller's thread.
#[derive(Clone)]
pub(crate) struct AsyncStore(Arc<dyn Store>);

impl AsyncStore {
    pub(crate) fn new(store: Arc<dyn Store>) -> AsyncStore {
        AsyncStore(store)
    }

    /// Asks on a thread that may wait for the disk.
    ///
    /// # Errors
    ///
    /// What the log says.
    pub(crate) async fn ask<T, E>(
        &self,
        question: impl FnOnce(&dyn Store) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let store = self.0.clone();
        let answer = tokio::task::spawn_blocking(move || question(&*store));
        answer.await.unwrap_or_else(|_| Err(Error::Closed.into()))
    }
}

/// For what returns at once, and for threads that may wait.
impl Deref for AsyncStore {
    type Target = dyn Store;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}
