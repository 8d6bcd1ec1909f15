//! `load play`: measures the server with a number of games at a number of moves a second.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinSet;

use crate::coordinator::{Coordinator, Order};
use crate::echo::EchoClient;
use crate::measure::{Figures, MeasuredProcesses, Rate, measure, search};
use crate::opening::{self, OpenedGame};
use crate::pace::Pace;
use crate::player::{Player, Side};
use crate::program::Program;
use crate::report::megabytes;
use crate::usage::Usage;

/// Connections that are opened at once.
const AT_ONCE: usize = 256;
/// Timeout for opening all connections.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(120);

/// Many games at once
#[derive(Args, Clone, Debug)]
pub struct Play {
    /// Games; twice as many sockets
    #[arg(long, default_value_t = 5_000)]
    pub games: usize,

    /// Moves a second over all games, or max to search for the most
    #[arg(long, default_value = "5000")]
    pub rate: Rate,

    /// Seconds that are measured
    #[arg(long, default_value_t = 30)]
    pub seconds: u64,

    /// Seconds before that
    #[arg(long, default_value_t = 10)]
    pub warmup: u64,

    /// A game is resigned after this many events; the average game of people has 80
    #[arg(long, default_value_t = 200)]
    pub longest: u64,

    /// Without the bare echo beside it
    #[arg(long)]
    pub no_echo: bool,

    /// Write the figures into this file as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<std::path::PathBuf>,

    /// The address of a running server; its process is not measured
    #[arg(long, value_name = "ADDR")]
    pub at: Option<SocketAddr>,
}

/// The running players.
pub struct PlayerPool {
    /// What the players share.
    pub coordinator: Arc<Coordinator>,
    tasks: JoinSet<()>,
}

impl PlayerPool {
    /// Starts the players of games and waits until all are connected.
    ///
    /// # Errors
    ///
    /// When they are not connected within two minutes.
    pub async fn connect(coordinator: Coordinator, games: &[OpenedGame]) -> Result<PlayerPool> {
        let coordinator = Arc::new(coordinator);
        let seats = games.iter().flat_map(|opened| {
            let OpenedGame { game, white, black } = opened;
            [(game, white, Side::White), (game, black, Side::Black)]
        });
        let mut orders = Vec::new();
        let mut waiting = Vec::new();
        for (number, (game, key, side)) in (0_u32..).zip(seats) {
            let (sender, inbox) = unbounded_channel();
            orders.push(sender);
            waiting.push(Player::new(number, coordinator.clone(), inbox, game, key, side).play());
        }
        coordinator.set_orders(orders);
        PlayerPool::start(coordinator, waiting).await
    }

    /// Starts this many clients of the echo and waits until all are connected.
    ///
    /// # Errors
    ///
    /// When they are not connected within two minutes.
    pub async fn connect_to_echo(coordinator: Coordinator, count: usize) -> Result<PlayerPool> {
        let coordinator = Arc::new(coordinator);
        let (orders, waiting) = (0..u32::try_from(count)?)
            .map(|number| {
                let (sender, inbox) = unbounded_channel();
                (sender, EchoClient::new(number, coordinator.clone(), inbox).run())
            })
            .unzip::<_, _, Vec<_>, Vec<_>>();
        coordinator.set_orders(orders);
        PlayerPool::start(coordinator, waiting).await
    }

    async fn start<F>(coordinator: Arc<Coordinator>, waiting: Vec<F>) -> Result<PlayerPool>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut tasks = JoinSet::new();
        let count = waiting.len() as u64;
        let permits = Arc::new(Semaphore::new(AT_ONCE));
        let begin = Instant::now();
        for player in waiting {
            // A permit is returned 20 ms after its connection began: the listener's backlog is
            // limited.
            let permit = permits.clone().acquire_owned().await?;
            tasks.spawn(player);
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                drop(permit);
            });
        }
        while coordinator.connected() < count {
            let late = begin.elapsed() > CONNECT_TIMEOUT;
            ensure!(
                !late,
                "{} of {count} connected: {:?}",
                coordinator.connected(),
                coordinator.problems()
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(PlayerPool { coordinator, tasks })
    }

    /// Disconnects all players and waits until they have ended.
    pub async fn leave(mut self) {
        self.coordinator.order_all(Order::Leave);
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(Duration::from_secs(30), all).await.is_err() {
            self.coordinator.record_problem("somebody did not go home");
        }
    }
}

impl Play {
    /// Runs.
    ///
    /// # Errors
    ///
    /// When the server does not start or ends.
    pub async fn run(self) -> Result<()> {
        raise_limits();
        let folder = tempfile::tempdir()?;
        let mut started = match self.at {
            Some(_) => None,
            None => Some(Program::start(&hansu_ground::hansu()?, folder.path()).await?),
        };
        let server = match (&started, self.at) {
            (Some(program), _) => program.address(),
            (None, Some(address)) => address,
            (None, None) => unreachable!("a server is started or given"),
        };
        let process = started.as_ref().map(Program::process).transpose()?;
        let begin = Instant::now();
        let games = opening::games(server, self.games).await?;
        let memory = || process.map_or(Ok(0), |of| Usage::of(of).map(|usage| usage.resident));
        println!(
            "{} games opened in {:.1} s, {:.1} MB",
            games.len(),
            begin.elapsed().as_secs_f64(),
            megabytes(memory()?)
        );
        let begin = Instant::now();
        let players = PlayerPool::connect(Coordinator::new(server, self.longest), &games).await?;
        let sockets = players.coordinator.connected();
        println!(
            "{sockets} sockets connected in {:.1} s, {:.1} MB",
            begin.elapsed().as_secs_f64(),
            megabytes(memory()?)
        );
        let watched =
            MeasuredProcesses { servers: process.into_iter().collect(), database: Vec::new() };
        let figures = match self.rate {
            Rate::Fixed(rate) => {
                let pace = Pace::start(players.coordinator.clone(), rate, 1)?;
                tokio::time::sleep(Duration::from_secs(self.warmup)).await;
                let time = Duration::from_secs(self.seconds);
                measure(&players.coordinator, &pace, rate, time, &watched).await?
            }
            Rate::Max => search(&players.coordinator, self.seconds, &watched).await?,
        };
        println!("hansu serve:\n{figures}");
        let ended = players.coordinator.tally.ended.load(Ordering::Relaxed);
        let rematches = players.coordinator.tally.rematches.load(Ordering::Relaxed);
        println!("  games        {ended} ended, {} rematches begun", rematches / 2);
        players.leave().await;
        if let Some(program) = &mut started {
            println!("  stopped in   {:.2} s", program.stop().await?.as_secs_f64());
        }
        let echo = if self.no_echo { None } else { Some(self.echo(figures.asked).await?) };
        if let Some(echo) = &echo {
            println!("bare echo:\n{echo}");
            let ratio = |ours: f64, bare: f64| ours / bare.max(0.001);
            println!(
                "latency, hansu / echo: p50 {:.1}, p99 {:.1}, p99.9 {:.1}",
                ratio(figures.latency.p50, echo.latency.p50),
                ratio(figures.latency.p99, echo.latency.p99),
                ratio(figures.latency.p999, echo.latency.p999)
            );
        }
        if let Some(file) = &self.json {
            let all = serde_json::json!({ "hansu": figures, "echo": echo });
            std::fs::write(file, serde_json::to_vec_pretty(&all)?)?;
        }
        let wrong: u64 = figures.troubles.values().sum();
        ensure!(wrong == 0, "{wrong} errors");
        Ok(())
    }

    /// Measures the bare echo, in its own process, with as many sockets and the same rate.
    async fn echo(&self, rate: f64) -> Result<Figures> {
        let own = std::env::current_exe()?;
        let (mut child, server) = start_echo(&own).await?;
        let process = child.id().context("the echo has ended")?;
        let players =
            PlayerPool::connect_to_echo(Coordinator::new(server, self.longest), 2 * self.games)
                .await?;
        let pace = Pace::start(players.coordinator.clone(), rate, 1)?;
        tokio::time::sleep(Duration::from_secs(self.warmup.min(5))).await;
        let time = Duration::from_secs(self.seconds);
        let watched = MeasuredProcesses { servers: vec![process], database: Vec::new() };
        let figures = measure(&players.coordinator, &pace, rate, time, &watched).await?;
        drop(pace);
        players.leave().await;
        child.kill().await?;
        Ok(figures)
    }
}

/// Starts `hansu-load echo` on a free port.
///
/// # Errors
///
/// When it does not start.
pub async fn start_echo(own: &Path) -> Result<(tokio::process::Child, SocketAddr)> {
    let mut child = tokio::process::Command::new(own)
        .args(["echo", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let output = child.stdout.take().context("no output")?;
    let line = BufReader::new(output).lines().next_line().await?.context("the echo ended")?;
    let address = line.rsplit("ws://").next().context("no address")?.parse()?;
    Ok((child, address))
}

/// Raises the limit on open files: ten thousand sockets are ten thousand files, and the usual limit
/// is 1,024.
pub fn raise_limits() {
    // A limit that stays too low shows when the sockets are opened.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
}
