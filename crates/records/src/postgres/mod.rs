//! The log in a PostgreSQL database, for as many servers as share it.

mod analysis;
mod batch;
mod carry;
mod changes;
mod errors;
mod holders;
mod ids;
mod key_cache;
mod migrate;
mod queries;
mod rows;
mod schema;
mod session;
mod statistics;
mod store;
#[cfg(test)]
mod tests;
mod text;
mod tls;
mod writer;
mod writing;

use std::sync::mpsc::{self, RecvTimeoutError, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::runtime::{Handle, Runtime};
use tokio_postgres::Config;
use tokio_postgres::config::{ChannelBinding, Host, SslMode};
use xxhash_rust::xxh3::xxh3_64;

use self::ids::Ids;
use self::schema::MIGRATIONS;
use self::session::Session;
use self::tls::{Tls, Trust};
use self::writer::{Job, Writer};
use crate::pool::Pool;
use crate::{Error, GameId};

/// The time between two merges of pending statistics into the counters.
const FOLDING: Duration = Duration::from_millis(500);
/// How long a caller waits for a free connection.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a read or a change is tried before its error is returned.
const TRIES: usize = 4;

/// Settings of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PostgresOptions {
    /// Appends that may wait for their writer; further ones get [`Error::Busy`].
    pub queue: usize,
    /// Connections that append. With more than one, fewer appends share a commit, and the
    /// connections wait for each other.
    pub writers: usize,
    /// Connections for everything else.
    pub readers: usize,
}

impl Default for PostgresOptions {
    fn default() -> PostgresOptions {
        PostgresOptions { queue: 4_096, writers: 1, readers: 8 }
    }
}

/// The log in a PostgreSQL database. Several servers may use a database at once.
///
/// What was acknowledged was committed with `synchronous_commit = on`. While the server cannot be
/// reached, appends get [`Error::Away`]; the store reconnects by itself.
pub struct PostgresStore {
    connector: Arc<Connector>,
    /// One queue for each writer.
    queues: Vec<SyncSender<Job>>,
    writers: Vec<JoinHandle<()>>,
    sessions: Pool<Session>,
    /// The ids of texts, for imports and copies.
    ids: Mutex<Ids>,
    folding: Option<(SyncSender<()>, JoinHandle<()>)>,
    /// The runtime of the connections; it is dropped last.
    runtime: Option<Runtime>,
}

/// Opens connections.
pub(crate) struct Connector {
    config: Config,
    tls: Tls,
    io: Handle,
}

impl Connector {
    /// Opens the first connection: errors of the address appear here.
    fn open_first(&self) -> Result<Session, Error> {
        Session::open(&self.config, &self.tls, &self.io)
    }

    fn open(&self) -> Result<Session, Error> {
        // TLS worked for the first connection, so a failure now is temporary: it is treated as a
        // server that is away.
        self.open_first().map_err(|error| if error == Error::Tls { Error::Away } else { error })
    }
}

impl PostgresStore {
    /// Opens the log at an address like `postgres://user@host/database`; creates its tables if
    /// there are none. A password that is not in the address may be in `PGPASSWORD`.
    ///
    /// # Errors
    ///
    /// [`Error::Address`], [`Error::Tls`], [`Error::Away`], [`Error::Newer`], [`Error::Foreign`],
    /// or a database error.
    pub fn open(address: &str) -> Result<PostgresStore, Error> {
        PostgresStore::open_with(address, PostgresOptions::default())
    }

    /// Opens a log with these options.
    ///
    /// # Errors
    ///
    /// As [`PostgresStore::open`].
    pub fn open_with(address: &str, options: PostgresOptions) -> Result<PostgresStore, Error> {
        let (config, trust) = config(address)?;
        let tls = Tls::new(&trust)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("records-io")
            .enable_all()
            .build()?;
        let connector = Arc::new(Connector { config, tls, io: runtime.handle().clone() });
        let mut store = PostgresStore {
            connector,
            queues: Vec::new(),
            writers: Vec::new(),
            sessions: Pool::new(options.readers, PATIENCE),
            ids: Mutex::default(),
            folding: None,
            runtime: Some(runtime),
        };
        migrate::migrate(&store.connector.open_first()?, MIGRATIONS)?;
        store.start(options)?;
        Ok(store)
    }

    fn start(&mut self, options: PostgresOptions) -> Result<(), Error> {
        let writers = options.writers.max(1);
        for number in 0..writers {
            let (queue, jobs) = mpsc::sync_channel(options.queue.div_ceil(writers).max(1));
            let writer = Writer::new(self.connector.clone());
            let thread = std::thread::Builder::new()
                .name(format!("records-writer-{number}"))
                .spawn(move || writer.run(&jobs))?;
            self.queues.push(queue);
            self.writers.push(thread);
        }
        let (stop, stopped) = mpsc::sync_channel(1);
        let connector = self.connector.clone();
        let fold = move || {
            let mut session = None;
            while stopped.recv_timeout(FOLDING) == Err(RecvTimeoutError::Timeout) {
                session = session.filter(|session: &Session| !session.is_lost());
                if session.is_none() {
                    session = connector.open().ok();
                }
                // If it fails, the next round or another node does it.
                let _ = session.as_ref().map(fold);
            }
        };
        let thread = std::thread::Builder::new().name("records-folder".to_owned()).spawn(fold)?;
        self.folding = Some((stop, thread));
        Ok(())
    }

    /// The address of the log for display, without the password.
    pub fn display_address(&self) -> String {
        display_address(&self.connector.config)
    }

    /// Queues a job for the writer of its game, or returns it with the reason.
    fn offer(&self, game: GameId, job: Job) -> Result<(), (Job, Error)> {
        let shard = xxh3_64(game.as_str().as_bytes()) % self.queues.len().max(1) as u64;
        let Some(queue) = self.queues.get(shard as usize) else {
            return Err((job, Error::Closed));
        };
        queue.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(job) => (job, Error::Busy),
            TrySendError::Disconnected(job) => (job, Error::Closed),
        })
    }

    /// Waits until all appends submitted before have been answered.
    fn flush(&self) -> Result<(), Error> {
        let (mark, marked) = mpsc::sync_channel(self.queues.len());
        for queue in &self.queues {
            queue.send(Job::Flush(mark.clone())).map_err(|_| Error::Closed)?;
        }
        drop(mark);
        self.queues.iter().try_for_each(|_| marked.recv()).map_err(|_| Error::Closed)
    }

    /// Reads with a connection; retries with another one if the connection is lost.
    fn read<T>(&self, mut work: impl FnMut(&Session) -> Result<T, Error>) -> Result<T, Error> {
        for _ in 1..TRIES {
            match self.with(&mut work) {
                Err(Error::Away) => self.sessions.clear(),
                other => return other,
            }
        }
        self.with(&mut work)
    }

    fn with<T>(&self, work: impl FnOnce(&Session) -> Result<T, Error>) -> Result<T, Error> {
        let session = self.sessions.take(|| self.connector.open())?;
        let done = work(&session);
        if session.is_lost() {
            self.sessions.discard();
        } else {
            self.sessions.put_back(session);
        }
        done
    }

    /// Changes something in its own transaction; retries after a conflict with other transactions.
    fn change<T>(&self, mut work: impl FnMut(&Session) -> Result<T, Error>) -> Result<T, Error> {
        let mut tries = 0;
        loop {
            tries += 1;
            let done = self.with(|session| {
                session.run("BEGIN")?;
                match work(session) {
                    Ok(value) => {
                        session.run("COMMIT").map(|()| value).map_err(|error| match error {
                            Error::Away => Error::Unsure,
                            other => other,
                        })
                    }
                    Err(error) => {
                        if !session.is_lost() {
                            session.run("ROLLBACK")?;
                        }
                        Err(error)
                    }
                }
            });
            match done {
                Err(Error::Away | Error::Busy) if tries < TRIES => {
                    if done.as_ref().is_err_and(|error| *error == Error::Away) {
                        self.sessions.clear();
                    }
                }
                other => return other,
            }
        }
    }

    fn ids(&self) -> std::sync::MutexGuard<'_, Ids> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PostgresStore {
    /// Writes the queued appends, and only then returns.
    fn drop(&mut self) {
        for queue in self.queues.drain(..) {
            let _ = queue.send(Job::Stop);
        }
        let folding = self.folding.take().map(|(stop, thread)| {
            drop(stop);
            thread
        });
        for thread in self.writers.drain(..).chain(folding) {
            // The last owner may be a callback that runs on a writer's own thread.
            if thread.thread().id() != std::thread::current().id() {
                let _ = thread.join();
            }
        }
        if let Some(runtime) = self.runtime.take() {
            // The store may be dropped where blocking is not allowed, and no caller waits for the
            // runtime any more.
            runtime.shutdown_background();
        }
    }
}

/// Merges pending statistics into the counters, unless another node is doing it.
fn fold(session: &Session) -> Result<(), Error> {
    let waits = "SELECT EXISTS (SELECT 1 FROM pending)";
    if !rows::single::<bool>(&session.query(waits, &[])?)? {
        return Ok(());
    }
    session.run("BEGIN")?;
    let ours = session
        .query("SELECT pg_try_advisory_xact_lock(1215198069, 3)", &[])
        .and_then(|rows| rows::single::<bool>(&rows));
    let done = match ours {
        Ok(true) => session.query(statistics::FOLD, &[]).map(drop),
        Ok(false) => Ok(()),
        Err(error) => Err(error),
    };
    session.run(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    done
}

/// Parses an address into the settings of a connection and the certificates to trust. Sets
/// timeouts; without them a client waits for hours for a server that is cut off.
fn config(address: &str) -> Result<(Config, Trust), Error> {
    let known = address.starts_with("postgres://") || address.starts_with("postgresql://");
    if !known {
        return Err(Error::Address);
    }
    // The library does not know these options: they are removed before it parses the rest.
    let (place, options) = address.split_once('?').unwrap_or((address, ""));
    let (mut mode, mut authority) = (None, None);
    let mut rest = Vec::new();
    for option in options.split('&') {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let decoded = || {
            let value = percent_encoding::percent_decode_str(value).decode_utf8();
            value.map(String::from).map_err(|_| Error::Address)
        };
        let place = match name {
            "sslmode" => &mut mode,
            "sslrootcert" => &mut authority,
            _ => {
                rest.push(option);
                continue;
            }
        };
        if place.replace(decoded()?).is_some() {
            return Err(Error::Address);
        }
    }
    let place = [place, &rest.join("&")].join("?");
    let mut config: Config = place.parse().map_err(|_| Error::Address)?;
    let trust = match (mode.as_deref(), authority) {
        (Some("disable"), None) => {
            config.ssl_mode(SslMode::Disable);
            Trust::Any
        }
        (None | Some("prefer"), None) => Trust::Any,
        (Some("require"), None) => {
            config.ssl_mode(SslMode::Require);
            Trust::Any
        }
        (Some("verify-full"), file) => {
            config.ssl_mode(SslMode::Require);
            file.map_or(Trust::System, Trust::File)
        }
        // An authority without a mode that checks it, or an unknown mode.
        _ => return Err(Error::Tls),
    };
    if config.get_channel_binding() == ChannelBinding::Require {
        return Err(Error::Tls);
    }
    if config.get_hosts().is_empty() {
        return Err(Error::Address);
    }
    if config.get_password().is_none()
        && let Some(password) = std::env::var_os("PGPASSWORD")
    {
        config.password(password.as_encoded_bytes());
    }
    if config.get_application_name().is_none() {
        config.application_name("hansu");
    }
    config.connect_timeout(Duration::from_secs(3));
    config.tcp_user_timeout(Duration::from_secs(10));
    config.keepalives_idle(Duration::from_secs(5));
    config.keepalives_interval(Duration::from_secs(2));
    config.keepalives_retries(3);
    Ok((config, trust))
}

fn display_address(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(host)) => host.clone(),
        #[cfg(unix)]
        Some(Host::Unix(path)) => path.display().to_string(),
        None => String::new(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let database = config.get_dbname().or(config.get_user()).unwrap_or_default();
    format!("postgres://{host}:{port}/{database}")
}
