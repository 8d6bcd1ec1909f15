//! Hansu over the network: games, lobby, invitations and the API on one port.
//!
//! No node owns a live game; the log does. A command is decided by `hansu-play`, written by
//! `hansu-records`, and only then acknowledged and sent to the clients. `hansu-live` holds that
//! rule and the connections of a game; `hub` has the games of this node, `http` the routes.

mod accept;
mod analyses;
mod archive;
mod beginnings;
mod bus;
mod clock;
mod computer;
mod effects;
mod figures;
mod hosted_game;
mod hosted_games;
mod http;
mod hub;
pub mod keys;
mod limited_stream;
pub mod limits;
mod lobby;
mod nearby;
mod nodes;
pub mod page;
mod proxies;
mod questions;
mod seeks;
mod series;
mod socket;
mod store;
mod timekeeping;
mod tls;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hansu_records::{Error, Store};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use bus::{AddressError, BusAddress};
pub use clock::Clock;
pub use http::bounded;
pub use nearby::{listen, nearby};
pub use proxies::{Network, NetworkError, Proxies};
pub use tls::{Certificate, CertificateError};

use crate::http::App;
use crate::hub::Hub;
use crate::limits::{Limits, Visitors};
use crate::nearby::LocalNetwork;

/// How often live games are checked for flags, absences and changes of presence.
const SWEEP_INTERVAL: Duration = Duration::from_millis(100);
/// How often changes of the lobby are sent to its connections.
const LOBBY_INTERVAL: Duration = Duration::from_millis(500);
/// How often a heartbeat is written to the log.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// How long a stopping server waits for its connections to close.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

/// The settings of a server.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The address that people use, when it is not this machine's own: `https://chess.example`.
    pub public_url: Option<String>,
    /// The address in the local network, for links that others open, when there is no public one.
    pub shared_url: Option<String>,
    /// Which proxies are trusted to name the address from which a request comes.
    pub proxies: Proxies,
    /// Rates and numbers of connections, for all clients and for each address.
    pub limits: Limits,
    /// The clock of all games.
    pub clock: Clock,
    /// The message bus between the nodes that share this log. None when there is only one node.
    pub bus: Option<BusAddress>,
    /// The certificate, when the server does TLS itself. None means plain HTTP.
    pub certificate: Option<Arc<Certificate>>,
    /// True if browsers are to remove the page's service worker and the files that it cached.
    pub no_worker: bool,
    /// The files of the board in the browser.
    pub page: page::Page,
}

impl Config {
    /// True if clients connect over TLS, to this server or to the proxy before it.
    pub(crate) fn is_secure(&self) -> bool {
        self.certificate.is_some()
            || self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }
}

/// A running server.
pub struct Server {
    address: SocketAddr,
    stop: CancellationToken,
    /// Cancelled when a task has ended that must run as long as the server.
    failed: CancellationToken,
    hub: Arc<Hub>,
    done: tokio::task::JoinHandle<()>,
}

/// Why a server does not start.
#[derive(Debug)]
pub enum StartError {
    /// The log cannot be used.
    Log(Error),
    /// The port cannot be used.
    Port(std::io::Error),
}

impl From<Error> for StartError {
    fn from(error: Error) -> StartError {
        StartError::Log(error)
    }
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StartError::Log(error) => error.fmt(f),
            StartError::Port(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}

impl Server {
    /// Starts a server on a port.
    ///
    /// # Errors
    ///
    /// When the log or the port cannot be used.
    pub async fn start(
        listener: TcpListener,
        store: Arc<dyn Store>,
        config: Config,
    ) -> Result<Server, StartError> {
        let address = listener.local_addr().map_err(StartError::Port)?;
        let stop = CancellationToken::new();
        let tasks = TaskTracker::new();
        let visitors = Visitors::new(config.limits);
        let core = Core { stop: stop.clone(), failed: CancellationToken::new() };
        let (hub, answers) =
            Hub::open(store, config.clock.clone(), config.bus.clone(), visitors.clone())?;
        core.run("delivery of answers", hub.clone().deliver(answers));
        let app = App {
            hub: hub.clone(),
            local_network: Arc::new(LocalNetwork::new(address, &config)),
            config: Arc::new(config),
            connection_permits: Arc::new(Semaphore::new(visitors.limits().connections)),
            visitors: visitors.clone(),
            stop: stop.clone(),
            tasks: tasks.clone(),
            imports: Arc::default(),
            metrics: figures::handle(),
        };
        if hub.bus.is_shared() {
            let together = nodes::run(hub.clone(), visitors.clone(), stop.clone());
            core.run("news of other nodes", together);
        }
        core.run("seeks", keep_seeks(hub.clone(), stop.clone()));
        core.run("timekeeping", keep_time(hub.clone(), visitors, core.clone()));
        let router = http::router(app.clone());
        let accepting = core.run("accepting connections", {
            let app = app.clone();
            async move { accept::serve(listener, router, &app).await }
        });
        let failed = core.failed.clone();
        let own_hub = hub.clone();
        let done = tokio::spawn(async move {
            stop_or_failure(&core).await;
            let _ = accepting.await;
            tasks.close();
            // Clients get a close frame; one that does not answer in time is not waited for.
            let _ = tokio::time::timeout(DRAIN_TIMEOUT, tasks.wait()).await;
            hub.drain().await;
        });
        Ok(Server { address, stop, failed, hub: own_hub, done })
    }

    /// The address and port on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends when a task that the server needs has ended. The server should then be stopped and
    /// started again.
    pub fn failure(&self) -> impl Future<Output = ()> + Send + 'static {
        self.failed.clone().cancelled_owned()
    }

    /// Returns true if a command would be written and answered now: writes a heartbeat and delivers
    /// an answer the way that answers to commands go.
    pub async fn is_healthy(&self) -> bool {
        self.hub.probe().await.is_ok()
    }

    /// Returns true if the log can be written, or is only slow: a slow log still has everything
    /// that was acknowledged.
    pub async fn is_log_writable(&self) -> bool {
        matches!(self.hub.probe_log().await, Ok(()) | Err(Error::Busy))
    }

    /// Stops: accepts no more connections, closes the open ones and writes what is queued.
    pub async fn stop(self) {
        self.stop.cancel();
        // A server that panicked has nothing more to write.
        let _ = self.done.await;
    }
}

/// Runs the tasks that must run as long as the server does.
#[derive(Clone)]
struct Core {
    stop: CancellationToken,
    failed: CancellationToken,
}

impl Core {
    /// Runs a task; when it ends or panics before the server stops, the server has failed.
    fn run(
        &self,
        name: &'static str,
        task: impl Future<Output = ()> + Send + 'static,
    ) -> tokio::task::JoinHandle<()> {
        let core = self.clone();
        let task = tokio::spawn(task);
        tokio::spawn(async move {
            let ended = task.await;
            if !core.stop.is_cancelled() {
                tracing::error!(task = name, panicked = ended.is_err(), "a core task has ended");
                core.failed.cancel();
            }
        })
    }
}

async fn stop_or_failure(core: &Core) {
    tokio::select! {
        () = core.stop.cancelled() => {}
        () = core.failed.cancelled() => {}
    }
}

async fn keep_seeks(hub: Arc<Hub>, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = hub.keep_seeks() => {}
    }
}

/// Runs what is done at intervals: flags, absences, presence, the lobby, and removal of unused
/// games.
async fn keep_time(hub: Arc<Hub>, visitors: Arc<Visitors>, core: Core) {
    let stop = core.stop.clone();
    hub.credit_all().await;
    core.run("signs of life", write_heartbeats(hub.clone(), stop.clone()));
    let mut sweep = interval(SWEEP_INTERVAL);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut lobby = interval(LOBBY_INTERVAL);
    lobby.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut tidy = interval(Duration::from_secs(5));
    let mut hourly = interval(Duration::from_secs(3_600));
    let mut overdue = interval(Duration::from_secs(1));
    overdue.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = sweep.tick() => hub.sweep().await,
            _ = lobby.tick() => hub.publish_lobby(),
            _ = overdue.tick() => hub.wake_overdue().await,
            _ = tidy.tick() => {
                hub.tidy();
                visitors.tidy();
                figures::handle().run_upkeep();
            }
            _ = hourly.tick() => hub.sweep_invitations().await,
        }
    }
}

/// Writes a heartbeat every second: after a crash the last one tells when the server was last
/// alive.
async fn write_heartbeats(hub: Arc<Hub>, stop: CancellationToken) {
    let mut beat = interval(HEARTBEAT_INTERVAL);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = beat.tick() => if let Err(error) = hub.write_heartbeat().await {
                tracing::warn!(%error, "the log does not take a sign of life");
            }
        }
    }
}
