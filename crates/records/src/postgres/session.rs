//! One connection, spoken to from threads that may wait.
//!
//! The connection itself lives on the store's own small runtime; a question is put together and
//! waited for on the caller's thread, whatever that thread does otherwise.

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
use tokio_postgres::{Client, Config, Row, Statement};

use super::tls::Tls;
use crate::Error;

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(3);
/// How long a statement may take; the server ends it then.
const STATEMENT: Duration = Duration::from_secs(10);
/// How long a statement waits for somebody else's row.
const LOCK: Duration = Duration::from_secs(4);
/// When even the server's word that it has given up does not come, nobody is there.
const SILENCE: Duration = Duration::from_secs(15);

/// How long a writer may take between reading and writing, which it does in a millisecond; less than
/// others wait for a row.
const PAUSE: Duration = Duration::from_millis(1_500);
const _: () = assert!(PAUSE.as_millis() < LOCK.as_millis());

/// How long a change of tables or a check of everything may take.
const LONG: Duration = Duration::from_secs(6 * 3_600);

/// A value of a statement.
pub(crate) type Value<'a> = Box<dyn ToSql + Sync + Send + 'a>;

/// A statement and its values.
pub(crate) struct Step<'a> {
    sql: &'static str,
    values: Vec<Value<'a>>,
}

impl<'a> Step<'a> {
    pub(crate) fn new(sql: &'static str, values: Vec<Value<'a>>) -> Step<'a> {
        Step { sql, values }
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
    statements: Mutex<HashMap<&'static str, Statement>>,
    /// Somebody stopped waiting for an answer: what comes next cannot be told.
    silent: AtomicBool,
    /// In milliseconds.
    patience: AtomicU64,
}

impl Session {
    pub(crate) fn open(config: &Config, tls: &Tls, io: &Handle) -> Result<Session, Error> {
        let (client, connection) = wait(io, CONNECT, config.connect(tls.clone()))?;
        io.spawn(async move {
            // Whoever uses the client is told.
            let _ = connection.await;
        });
        let session = Session {
            client,
            io: io.clone(),
            statements: Mutex::default(),
            silent: AtomicBool::new(false),
            patience: AtomicU64::new(SILENCE.as_millis() as u64),
        };
        // Every statement is meant to go by an index, also while the server knows nothing of a
        // young table; tables are joined in the order in which they are written, which saves the
        // server most of its thinking; and no statement is long enough to be compiled.
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
        let durable = session.ask("SHOW synchronous_commit", &[])?;
        match durable.first().map(|row| row.try_get::<_, String>(0)) {
            Some(Ok(value)) if value == "on" => Ok(session),
            _ => Err(Error::NotDurable),
        }
    }

    /// Whether nothing more can be asked.
    pub(crate) fn is_lost(&self) -> bool {
        self.client.is_closed() || self.silent.load(Ordering::Relaxed)
    }

    /// From now on statements may take long: a change of tables, a check of the whole log.
    pub(crate) fn be_patient(&self) -> Result<(), Error> {
        self.run("SET statement_timeout = 0; SET lock_timeout = 0")?;
        self.patience.store(LONG.as_millis() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// From now on a transaction in which nothing is asked for so long is given up by the server:
    /// others wait for the games that it has locked.
    pub(crate) fn be_quick(&self) -> Result<(), Error> {
        let pause = PAUSE.as_millis();
        self.run(&format!("SET idle_in_transaction_session_timeout = {pause}"))
    }

    /// Statements without values.
    pub(crate) fn run(&self, sql: &str) -> Result<(), Error> {
        self.wait(self.client.batch_execute(sql))
    }

    /// A statement that is always the same: it is prepared once.
    pub(crate) fn query(
        &self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Error> {
        let statement = self.prepared(sql)?;
        self.wait(self.client.query(&statement, values))
    }

    /// The first row of it, if there is one.
    pub(crate) fn first(
        &self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Row>, Error> {
        Ok(self.query(sql, values)?.into_iter().next())
    }

    /// A statement that is asked once, with texts for its values: one way there and back.
    pub(crate) fn ask(&self, sql: &str, texts: &[String]) -> Result<Vec<Row>, Error> {
        let texts: Vec<(&(dyn ToSql + Sync), Type)> =
            texts.iter().map(|text| (text as &(dyn ToSql + Sync), Type::TEXT)).collect();
        self.wait(self.client.query_typed(sql, &texts))
    }

    /// Statements that are sent together and done one after the other: one way there and back. When
    /// one fails, those behind it fail with it if they are in a transaction; the first error is
    /// told.
    pub(crate) fn together(&self, steps: &[Step<'_>]) -> Result<Vec<Vec<Row>>, Error> {
        let statements: Vec<Statement> =
            steps.iter().map(|step| self.prepared(step.sql)).collect::<Result<_, _>>()?;
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

    fn prepared(&self, sql: &'static str) -> Result<Statement, Error> {
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
        let most = Duration::from_millis(self.patience.load(Ordering::Relaxed));
        let answer = wait(&self.io, most, answer);
        if answer.as_ref().is_err_and(|error| *error == Error::Away) {
            self.silent.store(true, Ordering::Relaxed);
        }
        answer
    }
}

/// Waits on this thread while the runtime works; never longer than told.
fn wait<T>(
    io: &Handle,
    most: Duration,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, Error> {
    let _within = io.enter();
    // On a thread of another runtime the time must run out all the same.
    match block_on(tokio::task::unconstrained(tokio::time::timeout(most, answer))) {
        Ok(answer) => answer.map_err(Error::from),
        Err(_) => Err(Error::Away),
    }
}

/// Unlike the runtime's own, it may be called on any thread, also on one of another runtime.
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

/// Futures that begin in order and are done when all are.
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
