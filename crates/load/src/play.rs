//! `load play`: so many games at so many moves a second, and what the server made of it.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use serde::Serialize;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinSet;

use crate::echo::Caller;
use crate::floor::{Floor, Order};
use crate::opening::{self, Opened};
use crate::pace::Pace;
use crate::player::{Player, Side};
use crate::program::{self, Program};
use crate::report::{Latency, megabytes};
use crate::usage::Usage;

/// Connections that are made at once.
const AT_ONCE: usize = 256;
/// How long all connections together may take.
const SEATING: Duration = Duration::from_secs(120);

/// Moves a second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rate {
    /// So many.
    Fixed(f64),
    /// As many as the server does: searched for.
    Max,
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Rate, String> {
        match text {
            "max" => Ok(Rate::Max),
            number => match number.parse::<f64>() {
                Ok(rate) if rate > 0.0 && rate < 1e6 => Ok(Rate::Fixed(rate)),
                _ => Err("moves a second, or max".to_owned()),
            },
        }
    }
}

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

    /// A game is resigned after so many events; the average game of people has 80
    #[arg(long, default_value_t = 200)]
    pub longest: u64,

    /// Without the bare echo beside it
    #[arg(long)]
    pub no_echo: bool,

    /// Write the figures into this file as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<std::path::PathBuf>,

    /// A server that runs already; its process is not measured
    #[arg(long, value_name = "ADDR")]
    pub at: Option<SocketAddr>,
}

/// What a run came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// Moves a second that were asked for.
    pub asked: f64,
    /// Moves a second that were acknowledged.
    pub reached: f64,
    /// From when a move was meant to be sent until its acknowledgement.
    pub latency: Latency,
    /// Connections at the end.
    pub sockets: u64,
    /// Resident memory of the server at the end, in megabytes.
    pub resident: f64,
    /// The most resident memory, in megabytes.
    pub peak: f64,
    /// Processors that the server used.
    pub processors: f64,
    /// Processor time of the server for a move, in microseconds.
    pub processor_a_move: f64,
    /// Processors that this generator used.
    pub own_processors: f64,
    /// What should not be.
    pub troubles: BTreeMap<String, u64>,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  moves/s      {:.0} of {:.0}", self.reached, self.asked)?;
        writeln!(f, "  latency      {}", self.latency)?;
        writeln!(
            f,
            "  server       {:.1} MB resident (peak {:.1}), {:.2} processors, {:.1} µs a move",
            self.resident, self.peak, self.processors, self.processor_a_move
        )?;
        writeln!(
            f,
            "  generator    {:.2} processors, {} sockets",
            self.own_processors, self.sockets
        )?;
        write!(f, "  errors       {}", self.troubles.values().sum::<u64>())?;
        for (what, often) in &self.troubles {
            write!(f, "\n    {often} × {what}")?;
        }
        Ok(())
    }
}

/// Players in their seats.
pub struct Hall {
    /// What they share.
    pub floor: Arc<Floor>,
    players: JoinSet<()>,
}

impl Hall {
    /// Seats the players of games and waits until all are connected.
    ///
    /// # Errors
    ///
    /// When they are not within two minutes.
    pub async fn seat(floor: Floor, games: &[Opened]) -> Result<Hall> {
        let floor = Arc::new(floor);
        let seats = games.iter().flat_map(|opened| {
            let Opened { game, white, black } = opened;
            [(game, white, Side::White), (game, black, Side::Black)]
        });
        let mut orders = Vec::new();
        let mut waiting = Vec::new();
        for (number, (game, key, side)) in (0_u32..).zip(seats) {
            let (sender, inbox) = unbounded_channel();
            orders.push(sender);
            waiting.push(Player::new(number, floor.clone(), inbox, game, key, side).play());
        }
        floor.reach(orders);
        Hall::fill(floor, waiting).await
    }

    /// Lets so many call the echo.
    ///
    /// # Errors
    ///
    /// When they are not connected within two minutes.
    pub async fn call(floor: Floor, count: usize) -> Result<Hall> {
        let floor = Arc::new(floor);
        let (orders, waiting) = (0..u32::try_from(count)?)
            .map(|number| {
                let (sender, inbox) = unbounded_channel();
                (sender, Caller::new(number, floor.clone(), inbox).call())
            })
            .unzip::<_, _, Vec<_>, Vec<_>>();
        floor.reach(orders);
        Hall::fill(floor, waiting).await
    }

    async fn fill<F>(floor: Arc<Floor>, waiting: Vec<F>) -> Result<Hall>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut players = JoinSet::new();
        let count = waiting.len() as u64;
        let doors = Arc::new(Semaphore::new(AT_ONCE));
        let begin = Instant::now();
        for player in waiting {
            // One lets go of the door when another hundredth of a second has passed or so: the
            // listener's queue is long, not endless.
            let door = doors.clone().acquire_owned().await?;
            players.spawn(player);
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                drop(door);
            });
        }
        while floor.connected() < count {
            let late = begin.elapsed() > SEATING;
            ensure!(!late, "{} of {count} connected: {:?}", floor.connected(), floor.troubles());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(Hall { floor, players })
    }

    /// Everybody goes home.
    pub async fn leave(mut self) {
        self.floor.order_all(Order::Leave);
        let all = async { while self.players.join_next().await.is_some() {} };
        if tokio::time::timeout(Duration::from_secs(30), all).await.is_err() {
            self.floor.trouble("somebody did not go home");
        }
    }
}

/// Measures a hall at a rate; `process` is the server.
///
/// # Errors
///
/// When the server has ended.
pub async fn measure(
    floor: &Floor,
    pace: &Pace,
    rate: f64,
    time: Duration,
    process: Option<u32>,
) -> Result<Figures> {
    pace.rate(rate);
    let usage = || process.map_or(Ok(Usage::default()), Usage::of);
    let own = || Usage::of(std::process::id());
    let (before, own_before) = (usage()?, own()?);
    let moves_before = floor.tally.moves.load(Ordering::Relaxed);
    floor.measure();
    let begin = Instant::now();
    tokio::time::sleep(time).await;
    let seconds = begin.elapsed().as_secs_f64();
    let (after, own_after) = (usage()?, own()?);
    let moves = floor.tally.moves.load(Ordering::Relaxed) - moves_before;
    let spent = (after.processor - before.processor).as_secs_f64();
    Ok(Figures {
        asked: rate,
        reached: moves as f64 / seconds,
        latency: floor.latency(),
        sockets: floor.connected(),
        resident: megabytes(after.resident),
        peak: megabytes(after.peak),
        processors: spent / seconds,
        processor_a_move: spent * 1e6 / moves.max(1) as f64,
        own_processors: (own_after.processor - own_before.processor).as_secs_f64() / seconds,
        troubles: floor.troubles(),
    })
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
            None => Some(Program::start(&program::hansu()?, folder.path()).await?),
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
        let hall = Hall::seat(Floor::new(server, self.longest), &games).await?;
        let sockets = hall.floor.connected();
        println!(
            "{sockets} sockets connected in {:.1} s, {:.1} MB",
            begin.elapsed().as_secs_f64(),
            megabytes(memory()?)
        );
        let figures = match self.rate {
            Rate::Fixed(rate) => self.at_rate(&hall.floor, rate, process).await?,
            Rate::Max => self.search(&hall.floor, process).await?,
        };
        println!("hansu serve:\n{figures}");
        let ended = hall.floor.tally.ended.load(Ordering::Relaxed);
        let rematches = hall.floor.tally.rematches.load(Ordering::Relaxed);
        println!("  games        {ended} ended, {} rematches begun", rematches / 2);
        hall.leave().await;
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

    async fn at_rate(
        &self,
        floor: &Arc<Floor>,
        rate: f64,
        process: Option<u32>,
    ) -> Result<Figures> {
        let pace = Pace::start(floor.clone(), rate, 1)?;
        tokio::time::sleep(Duration::from_secs(self.warmup)).await;
        measure(floor, &pace, rate, Duration::from_secs(self.seconds), process).await
    }

    /// The highest rate that is reached within 3 % and without a queue that grows.
    async fn search(&self, floor: &Arc<Floor>, process: Option<u32>) -> Result<Figures> {
        let mut rate = 4_000.0;
        let mut best: Option<Figures> = None;
        let mut too_fast = f64::INFINITY;
        // Beyond the limit commands are refused as busy: that is what is looked for.
        floor.expect_losses();
        while too_fast / rate > 1.04 {
            let pace = Pace::start(floor.clone(), rate, 1)?;
            tokio::time::sleep(Duration::from_secs(3)).await;
            let time = Duration::from_secs(self.seconds.min(10));
            let figures = measure(floor, &pace, rate, time, process).await?;
            drop(pace);
            println!(
                "{rate:.0} moves/s: {:.0} reached, {:.2} + {:.2} processors, {}",
                figures.reached, figures.processors, figures.own_processors, figures.latency
            );
            if figures.reached > 0.97 * rate && figures.latency.p99 < 250.0 {
                best = Some(figures);
                rate =
                    if too_fast.is_finite() { f64::midpoint(rate, too_fast) } else { rate * 1.5 };
            } else {
                too_fast = rate;
                let low = best.as_ref().map_or(100.0, |best| best.asked);
                rate = f64::midpoint(low, too_fast);
            }
            // What has piled up is worked off first.
            tokio::time::sleep(Duration::from_secs(3)).await;
            if best.as_ref().is_some_and(|best| too_fast / best.asked <= 1.04) {
                break;
            }
        }
        best.context("not even the lowest rate was reached")
    }

    /// The bare echo, in a process of its own, with as many sockets and the same rate.
    async fn echo(&self, rate: f64) -> Result<Figures> {
        let own = std::env::current_exe()?;
        let (mut child, server) = start_echo(&own).await?;
        let process = child.id().context("the echo has ended")?;
        let hall = Hall::call(Floor::new(server, self.longest), 2 * self.games).await?;
        let pace = Pace::start(hall.floor.clone(), rate, 1)?;
        tokio::time::sleep(Duration::from_secs(self.warmup.min(5))).await;
        let time = Duration::from_secs(self.seconds);
        let figures = measure(&hall.floor, &pace, rate, time, Some(process)).await?;
        drop(pace);
        hall.leave().await;
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

/// Ten thousand sockets are ten thousand files; the usual limit is 1,024.
pub fn raise_limits() {
    // What is missing shows when the sockets are opened.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
}
