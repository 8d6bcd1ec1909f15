//! Hansu over the network: games, lobby, invitations and the API on one port.
//!
//! Nobody owns a live game; the log does. A command is decided by `hansu-play`, written by
//! `hansu-records`, and only then acknowledged and shown. `hansu-live` holds that rule and the people
//! of a game; `hub` has the games of this node, `http` the addresses.

mod accept;
mod analyses;
mod archive;
mod beginnings;
mod bus;
mod clock;
mod computer;
mod effects;
mod figures;
mod http;
mod hub;
pub mod keys;
pub mod limits;
mod lobby;
mod nearby;
mod nodes;
pub mod page;
mod patient;
mod proxies;
mod questions;
mod seeks;
mod series;
mod socket;
mod store;
mod table;
mod tables;
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

pub use bus::{BadAddress, BusAddress};
pub use clock::Clock;
pub use http::bounded;
pub use nearby::{listen, nearby};
pub use proxies::{Network, NetworkError, Proxies};
pub use tls::{Certificate, CertificateError};

use crate::http::App;
use crate::hub::Hub;
use crate::limits::{Limits, Visitors};
use crate::nearby::Door;

/// How often all tables are looked at.
const SWEEP: Duration = Duration::from_millis(100);
/// How often the lobby tells what has changed.
const LOBBY: Duration = Duration::from_millis(500);
/// How often the log is told that the server is alive.
const BEAT: Duration = Duration::from_secs(1);
/// How long a stopping server waits for its clients to hear of it.
const DRAIN: Duration = Duration::from_secs(5);

/// How a server is run.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The address that people use, when it is not this machine's own: `https://chess.example`.
    pub public_url: Option<String>,
    /// The address in the local network, for links that others open, when there is no public one.
    pub shared_url: Option<String>,
    /// Which proxies are believed when they say from which address a request comes.
    pub proxies: Proxies,
    /// How much anybody may ask for.
    pub limits: Limits,
    /// The time.
    pub clock: Clock,
    /// Where the other nodes over the same log are heard; nowhere when there is one node.
    pub bus: Option<BusAddress>,
    /// With what the server does TLS itself; without it, it speaks plain HTTP.
    pub certificate: Option<Arc<Certificate>>,
    /// Whether browsers are told to forget the page's service worker, and keep no files.
    pub no_worker: bool,
    /// The board in the browser.
    pub page: page::Page,
}

impl Config {
    /// Whether people come over TLS.
    pub(crate) fn is_secure(&self) -> bool {
        self.certificate.is_some()
            || self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }
}

/// A server that runs until it is told to stop.
pub struct Server {
    address: SocketAddr,
    stop: CancellationToken,
    /// A task that must never end has ended.
    failed: CancellationToken,
    hub: Arc<Hub>,
    done: tokio::task::JoinHandle<()>,
}

/// Why a server does not start.
#[derive(Debug)]
pub enum NotStarted {
    /// The log cannot be used.
    Log(Error),
    /// The port cannot be used.
    Port(std::io::Error),
}

impl From<Error> for NotStarted {
    fn from(error: Error) -> NotStarted {
        NotStarted::Log(error)
    }
}

impl std::fmt::Display for NotStarted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotStarted::Log(error) => error.fmt(f),
            NotStarted::Port(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotStarted {}

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
    ) -> Result<Server, NotStarted> {
        let address = listener.local_addr().map_err(NotStarted::Port)?;
        let stop = CancellationToken::new();
        let tasks = TaskTracker::new();
        let visitors = Visitors::new(config.limits);
        let core = Core { stop: stop.clone(), failed: CancellationToken::new() };
        let (hub, answers) =
            Hub::open(store, config.clock.clone(), config.bus.clone(), visitors.clone())?;
        core.run("delivery of answers", hub.clone().deliver(answers));
        let app = App {
            hub: hub.clone(),
            door: Arc::new(Door::new(address, &config)),
            config: Arc::new(config),
            places: Arc::new(Semaphore::new(visitors.limits().connections)),
            visitors: visitors.clone(),
            stop: stop.clone(),
            tasks: tasks.clone(),
            imports: Arc::default(),
            metrics: figures::handle(),
        };
        if hub.bus.is_shared() {
            let together = nodes::live_together(hub.clone(), visitors.clone(), stop.clone());
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
        let kept = hub.clone();
        let done = tokio::spawn(async move {
            stop_or_failure(&core).await;
            let _ = accepting.await;
            tasks.close();
            // Clients are told; those who do not listen are not waited for.
            let _ = tokio::time::timeout(DRAIN, tasks.wait()).await;
            hub.drain().await;
        });
        Ok(Server { address, stop, failed, hub: kept, done })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends when a task that the server cannot do without has ended: it should be stopped then, and
    /// started again.
    pub fn failure(&self) -> impl Future<Output = ()> + Send + 'static {
        self.failed.clone().cancelled_owned()
    }

    /// Whether a command would be kept and answered now: one goes the whole way.
    pub async fn is_well(&self) -> bool {
        self.hub.probe().await.is_ok()
    }

    /// Whether the log still keeps what it is given, as far as it says: a log that is only slow has
    /// kept all that was acknowledged.
    pub async fn is_kept(&self) -> bool {
        matches!(self.hub.probe_log().await, Ok(()) | Err(Error::Busy))
    }

    /// Stops: no new connections, clients are told, what waits is written.
    pub async fn stop(self) {
        self.stop.cancel();
        // A server that panicked has nothing more to write.
        let _ = self.done.await;
    }
}

/// What the tasks share that must run as long as the server does.
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

/// Flags, absences, presence, the lobby, and tidying up.
async fn keep_time(hub: Arc<Hub>, visitors: Arc<Visitors>, core: Core) {
    let stop = core.stop.clone();
    hub.credit_all().await;
    core.run("signs of life", keep_alive(hub.clone(), stop.clone()));
    let mut sweep = interval(SWEEP);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut lobby = interval(LOBBY);
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

/// Says every second that the server is alive, so that after a crash it is known since when it
/// was not.
async fn keep_alive(hub: Arc<Hub>, stop: CancellationToken) {
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = beat.tick() => if let Err(error) = hub.beat().await {
                tracing::warn!(%error, "the log does not take a sign of life");
            }
        }
    }
}
