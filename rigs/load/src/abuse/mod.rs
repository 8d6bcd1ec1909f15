//! `load abuse`: hostile and broken clients, which must not disturb the other players.

pub mod flood;
pub mod handshakes;
pub mod keys;
pub mod readers;
pub mod requests;

use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;
use hdrhistogram::Histogram;

use crate::coordinator::Coordinator;
use crate::opening::{self, OpenedGame};
use crate::pace::Pace;
use crate::play::{PlayerPool, raise_limits};
use crate::program::Program;
use crate::report::Latency;
use crate::usage::Usage;

/// Moves that are made before anything is measured. A server's log grows until its WAL file is
/// restarted for the first time, at 160 MiB (`sqlite/checkpoint.rs`); from then on that file is
/// overwritten, and commits are a fifth faster.
const WARM_UP: f64 = 20_000.0;

/// Moves until the WAL file is restarted again, during which some moves wait. Each round begins at
/// another point of this cycle, so that the restart falls into both measurements equally often.
const CYCLE: f64 = 18_000.0;

/// A reader that never reads must be closed within this time.
const SILENCE: Duration = Duration::from_secs(10);

/// A move that took longer than this, in milliseconds, means that the machine has stalled.
const STALL: u64 = 2_000;

/// A client that floods must be closed within this time.
const FLOOD: Duration = Duration::from_secs(1);

/// Hostile clients of every kind
#[derive(Args, Clone, Debug)]
pub struct Abuse {
    /// Readers that never read
    #[arg(long, default_value_t = 1_000)]
    pub readers: usize,

    /// Handshakes that are never finished
    #[arg(long, default_value_t = 5_000)]
    pub handshakes: usize,

    /// Keys that are forged, swapped, stale or missing
    #[arg(long, default_value_t = 1_000_000)]
    pub keys: u64,

    /// Games that go on meanwhile
    #[arg(long, default_value_t = 500)]
    pub games: usize,

    /// Moves a second in them
    #[arg(long, default_value_t = 1_000.0)]
    pub rate: f64,

    /// Seconds for which the others' latency is measured without abuse, in each round: half of them
    /// before the readers come, half after they have gone
    #[arg(long, default_value_t = 10)]
    pub seconds: u64,

    /// How often the readers come: the others' latency is that of the median round
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds: u64,
}

/// A server with players that only want to play.
pub struct Others {
    /// The server.
    pub program: Program,
    /// The players' games.
    pub games: Vec<OpenedGame>,
    players: PlayerPool,
    pace: Pace,
    _folder: tempfile::TempDir,
}

impl Others {
    /// Starts a server with this many games and moves a second.
    ///
    /// # Errors
    ///
    /// When the server does not start.
    pub async fn start(binary: &Path, games: usize, rate: f64) -> Result<Others> {
        let folder = tempfile::tempdir()?;
        let program = Program::start(binary, folder.path()).await?;
        let games = opening::games(program.address(), games).await?;
        // No game ends meanwhile, so that its spectators get events all the time.
        let players =
            PlayerPool::connect(Coordinator::new(program.address(), 2_000), &games).await?;
        let pace = Pace::start(players.coordinator.clone(), rate, 1)?;
        Ok(Others { program, games, players, pace, _folder: folder })
    }

    /// Measures the latencies of moves for this time.
    pub async fn latencies(&self, time: Duration) -> Histogram<u64> {
        self.players.coordinator.start_measuring();
        tokio::time::sleep(time).await;
        self.players.coordinator.latencies()
    }

    /// The server's usage, read without blocking the players' threads.
    ///
    /// # Errors
    ///
    /// When the server has ended.
    pub async fn usage(&self) -> Result<Usage> {
        let process = self.program.process()?;
        tokio::task::spawn_blocking(move || Usage::of(process)).await?
    }

    /// Starts a measurement of latencies.
    pub fn start_measuring(&self) {
        self.players.coordinator.start_measuring();
    }

    /// The latency since the measurement began.
    pub fn latency(&self) -> Latency {
        self.players.coordinator.latency()
    }

    /// Disconnects the players and stops the server.
    ///
    /// # Errors
    ///
    /// When a player had a problem, or the server ended with an error.
    pub async fn stop(mut self) -> Result<()> {
        drop(self.pace);
        let mut troubles = self.players.coordinator.problems();
        // After a stalled disk all moves come at once; players that are asked to wait send them
        // again.
        if self.players.coordinator.tally.slowest.load(Ordering::Relaxed) > STALL {
            troubles.remove("refused: too_fast");
        }
        self.players.leave().await;
        self.program.stop().await?;
        ensure!(troubles.is_empty(), "others had trouble: {troubles:?}");
        Ok(())
    }
}

/// From now on this thread runs only while no other thread wants the processor. The lowest niceness
/// is not enough: such a thread still keeps its time slice of some milliseconds.
fn set_idle_priority() -> Result<()> {
    let thread = rustix::thread::gettid().as_raw_nonzero().to_string();
    let done = Command::new("chrt").args(["--idle", "--pid", "0", &thread]).status()?;
    ensure!(done.success(), "chrt: {done}");
    Ok(())
}

/// Runs work that real attackers would do on other machines, in a thread that runs only while no
/// other thread wants a processor. Otherwise hostile clients on this machine would slow down the
/// other players, for which the server is not responsible.
async fn at_idle_priority<T, W>(work: W) -> Result<T>
where
    T: Send + 'static,
    W: AsyncFnOnce() -> Result<T> + Send + 'static,
{
    let (done, result) = tokio::sync::oneshot::channel();
    let there = move || {
        set_idle_priority()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(work())
    };
    std::thread::Builder::new().name("elsewhere".to_owned()).spawn(move || {
        // The receiver is gone if this future was dropped.
        let _ = done.send(there());
    })?;
    result.await?
}

/// The median; NaN for an empty slice.
pub(crate) fn median(all: &mut [f64]) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

impl Abuse {
    /// Starts a server with running games and warms it up.
    async fn start_others(&self, round: u64) -> Result<Others> {
        let others = Others::start(&hansu_ground::hansu()?, self.games, self.rate).await?;
        let moves = WARM_UP + CYCLE * round as f64 / self.rounds as f64;
        tokio::time::sleep(Duration::from_secs_f64(moves / self.rate)).await;
        Ok(others)
    }

    /// Runs everything at full size.
    ///
    /// # Errors
    ///
    /// When an attack succeeds, or the other players are disturbed.
    pub async fn run(self) -> Result<()> {
        raise_limits();
        let mut others = self.start_others(0).await?;
        let (mut calms, mut shares) = (Vec::new(), Vec::new());
        let half = Duration::from_secs(self.seconds) / 2;
        for round in 0..self.rounds {
            if round > 0 {
                // A new server, so that games do not become longer and longer.
                others.stop().await?;
                others = self.start_others(round).await?;
            }
            // Before and after, so that a machine that becomes slower or faster does not matter.
            let mut calm = others.latencies(half).await;
            let silent = readers::never_read(&others, self.readers, SILENCE).await?;
            calm.add(others.latencies(half).await)?;
            let calm = Latency::of(&calm);
            println!("calm:          {calm}");
            println!("never read:    {silent}");
            calms.push(calm.p99);
            shares.push(silent.others.p99 / calm.p99);
        }
        let calm = median(&mut calms);
        println!("  others' p99 against calm: {:.2} in {shares:.2?}", median(&mut shares));

        let flooded = flood::all(&others).await?;
        for (kind, time) in &flooded {
            println!("flood of {kind}: closed after {:.3} s", time.as_secs_f64());
            ensure!(*time <= FLOOD, "a flood of {kind} was borne for {time:?}");
        }

        let half = handshakes::half_open(&others, self.handshakes).await?;
        println!("half-open:     {half}");
        println!("  others' p99 against calm: {:.2}", half.others.p99 / calm);

        let asked = requests::all(&others).await?;
        println!("bad requests:  {asked}, all refused");
        let frames = flood::send_malformed(&others).await?;
        println!("bad frames:    {frames}, all closed");

        let refused = keys::all(&others, self.keys).await?;
        println!("keys:          {refused}");
        others.stop().await
    }
}
