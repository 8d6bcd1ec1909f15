//! One connection, used by threads that may block.
//!
//! The connection runs on the store's own small runtime; the caller's thread sends a query and
//! blocks until the answer, even if it belongs to another runtime.

use std::collections::HashMap;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Row, Statement as Prepared};

use super::tls::Tls;
use crate::Error;

/// The timeout for connecting.
const CONNECT: Duration = Duration::from_secs(3);
/// The timeout of a statement; the server cancels it then.
const STATEMENT: Duration = Duration::from_secs(10);
/// The timeout for a row lock.
const LOCK: Duration = Duration::from_secs(4);
/// After this long without any answer, not even that of a timeout, the server counts as away.
const SILENCE: Duration = Duration::from_secs(15);

/// The most time between a writer's read and its write, which normally takes a millisecond. It is
/// shorter than the lock timeout of other transactions.
const PAUSE: Duration = Duration::from_millis(1_500);
const _: () = assert!(PAUSE.as_millis() < LOCK.as_millis());

/// The timeout for migrations and for a check of the whole log.
const LONG: Duration = Duration::from_secs(6 * 3_600);

/// A value of a statement.
pub(crate) type Value<'a> = Box<dyn ToSql + Sync + Send + 'a>;

/// A statement and its values.
pub(crate) struct Statement<'a> {
    sql: &'static str,
    values: Vec<Value<'a>>,
}

impl<'a> Statement<'a> {
    pub(crate) fn new(sql: &'static str, values: Vec<Value<'a>>) -> Statement<'a> {
        Statement { sql, values }
    }
}

/// The values of a statement, in order.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        vec![$(Box::new($value) as $crate::postgres::session::Value<'_>),*]
    };
}
pub(crate) use values;

pub(crate) struct Session {
    client: Client,
    io: Handle,
    statements: Mutex<HashMap<&'static str, Prepared>>,
    /// Set when a wait for an answer has timed out: later answers could not be matched.
    timed_out: AtomicBool,
    /// The timeout for an answer, in milliseconds.
    timeout_ms: AtomicU64,
}

impl Session {
    pub(crate) fn open(config: &Config, tls: &Tls, io: &Handle) -> Result<Session, Error> {
        let (client, connection) = wait(io, CONNECT, config.connect(tls.clone()))?;
        io.spawn(async move {
            // The users of the client get the error.
            let _ = connection.await;
        });
        let session = Session {
            client,
            io: io.clone(),
            statements: Mutex::default(),
            timed_out: AtomicBool::new(false),
            timeout_ms: AtomicU64::new(SILENCE.as_millis() as u64),
        };
        // Every statement must use an index, even while the server has no statistics of a young
        // table; tables are joined in the order in which they are written, which saves most of the
        // planning time; and no statement runs long enough to be worth JIT compilation.
        session.run(&format!(
            "SET synchronous_commit = on; SET client_encoding = 'UTF8'; SET jit = off;
             SET statement_timeout = {}; SET lock_timeout = {};
             SET idle_in_transaction_session_timeout = {};
             SET enable_seqscan = off; SET join_collapse_limit = 1; SET bytea_output = hex;
             SET default_transaction_isolation = 'read committed'",
            STATEMENT.as_millis(),
            LOCK.as_millis(),
            SILENCE.as_millis(),
        ))?;
        let durable = session.query_once("SHOW synchronous_commit", &[])?;
        match durable.first().map(|row| row.try_get::<_, String>(0)) {
            Some(Ok(value)) if value == "on" => Ok(session),
            _ => Err(Error::NotDurable),
        }
    }

    /// True if the connection cannot be used any more.
    pub(crate) fn is_lost(&self) -> bool {
        self.client.is_closed() || self.timed_out.load(Ordering::Relaxed)
    }

    /// Removes the timeouts of statements, for a migration or a check of the whole log.
    pub(crate) fn allow_long_statements(&self) -> Result<(), Error> {
        self.run("SET statement_timeout = 0; SET lock_timeout = 0")?;
        self.timeout_ms.store(LONG.as_millis() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Shortens the idle timeout of transactions to [`PAUSE`]; the server then aborts them, because
    /// other transactions wait for the games that they have locked.
    pub(crate) fn limit_idle_time(&self) -> Result<(), Error> {
        let pause = PAUSE.as_millis();
        self.run(&format!("SET idle_in_transaction_session_timeout = {pause}"))
    }

    /// Runs statements without values.
    pub(crate) fn run(&self, sql: &str) -> Result<(), Error> {
        self.wait(self.client.batch_execute(sql))
    }

    /// Runs a statement with fixed text: it is prepared once.
    pub(crate) fn query(
        &self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Error> {
        let statement = self.prepare(sql)?;
        self.wait(self.client.query(&statement, values))
    }

    /// As [`Session::query`]; returns only the first row, if there is one.
    pub(crate) fn first(
        &self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Row>, Error> {
        Ok(self.query(sql, values)?.into_iter().next())
    }

    /// Runs a statement that is not prepared, with texts as its values: one round trip.
    pub(crate) fn query_once(&self, sql: &str, texts: &[String]) -> Result<Vec<Row>, Error> {
        let texts: Vec<(&(dyn ToSql + Sync), Type)> =
            texts.iter().map(|text| (text as &(dyn ToSql + Sync), Type::TEXT)).collect();
        self.wait(self.client.query_typed(sql, &texts))
    }

    /// Sends statements together and runs them in order: one round trip. If one fails in a
    /// transaction, all later ones fail too; the first error is returned.
    pub(crate) fn pipeline(&self, steps: &[Statement<'_>]) -> Result<Vec<Vec<Row>>, Error> {
        let statements: Vec<Prepared> =
            steps.iter().map(|step| self.prepare(step.sql)).collect::<Result<_, _>>()?;
        let values: Vec<Vec<&(dyn ToSql + Sync)>> = steps
            .iter()
            .map(|step| step.values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect())
            .collect();
        let asked = statements.iter().zip(&values);
        let asked = asked.map(|(statement, values)| {
            Box::pin(self.client.query(statement, values))
                as Pin<Box<dyn Future<Output = Result<Vec<Row>, tokio_postgres::Error>> + '_>>
        });
        let all = All { left: asked.map(Slot::Waits).collect() };
        let answers = self.wait(async { Ok(all.await) })?;
        answers.into_iter().map(|answer| answer.map_err(Error::from)).collect()
    }

    fn prepare(&self, sql: &'static str) -> Result<Prepared, Error> {
        let known = |session: &Session| {
            let statements = session.statements.lock().unwrap_or_else(PoisonError::into_inner);
            statements.get(sql).cloned()
        };
        if let Some(statement) = known(self) {
            return Ok(statement);
        }
        let statement = self.wait(self.client.prepare(sql))?;
        let mut statements = self.statements.lock().unwrap_or_else(PoisonError::into_inner);
        statements.insert(sql, statement.clone());
        Ok(statement)
    }

    fn wait<T>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Error> {
        let most = Duration::from_millis(self.timeout_ms.load(Ordering::Relaxed));
        let answer = wait(&self.io, most, answer);
        if answer.as_ref().is_err_and(|error| *error == Error::Away) {
            self.timed_out.store(true, Ordering::Relaxed);
        }
        answer
    }
}

/// Blocks this thread until the answer, at most for `most`.
fn wait<T>(
    io: &Handle,
    most: Duration,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, Error> {
    let _within = io.enter();
    // The timeout must also work on a thread of another runtime.
    match block_on(tokio::task::unconstrained(tokio::time::timeout(most, answer))) {
        Ok(answer) => answer.map_err(Error::from),
        Err(_) => Err(Error::Away),
    }
}

/// Unlike the runtime's own `block_on`, it may be called on any thread, even on one of another
/// runtime.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::park(),
        }
    }
}

/// Polls futures in order; ready when all of them are.
struct All<'a, T> {
    left: Vec<Slot<'a, T>>,
}

enum Slot<'a, T> {
    Waits(Pin<Box<dyn Future<Output = T> + 'a>>),
    Done(Option<T>),
}

impl<T: Unpin> Future for All<'_, T> {
    type Output = Vec<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Vec<T>> {
        let mut waits = false;
        for slot in &mut self.left {
            if let Slot::Waits(future) = slot {
                match future.as_mut().poll(context) {
                    Poll::Ready(value) => *slot = Slot::Done(Some(value)),
                    Poll::Pending => waits = true,
                }
            }
        }
        if waits {
            return Poll::Pending;
        }
        let done = self.left.drain(..).filter_map(|slot| match slot {
            Slot::Done(value) => value,
            Slot::Waits(_) => None,
        });
        Poll::Ready(done.collect())
    }
}
