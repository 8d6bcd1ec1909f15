//! Asynchronous access to the log. Nothing else in this crate runs blocking work.

use std::ops::Deref;
use std::sync::Arc;

use hansu_records::{Error, Store};

/// A store whose calls do not block the caller's thread.
#[derive(Clone)]
pub(crate) struct AsyncStore(Arc<dyn Store>);

impl AsyncStore {
    pub(crate) fn new(store: Arc<dyn Store>) -> AsyncStore {
        AsyncStore(store)
    }

    /// Runs a query on a thread that may block.
    ///
    /// # Errors
    ///
    /// The query's error; `Error::Closed` when the thread is gone.
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

/// For calls that return at once, and for threads that may block.
impl Deref for AsyncStore {
    type Target = dyn Store;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}
