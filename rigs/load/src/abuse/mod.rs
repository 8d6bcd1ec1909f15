//! `load abuse`: what hostile or broken clients do, and that nobody else notices.

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

use crate::floor::Floor;
use crate::opening::{self, Opened};
use crate::pace::Pace;
use crate::play::{Hall, raise_limits};
use crate::program::Program;
use crate::report::Latency;
use crate::usage::Usage;

/// So many moves are made before anything is measured. A server's log grows until its WAL file is
/// begun anew for the first time, at 160 MiB (`sqlite/folding.rs`); from then on that file is
/// overwritten, and commits are a fifth faster.
const WARM_UP: f64 = 20_000.0;

/// After about so many moves it is begun anew again, for which some moves wait. Each round begins at
/// another point of this cycle, so that it falls among the readers as often as into the calm.
const CYCLE: f64 = 18_000.0;

/// A reader that never reads must be closed within this time.
const SILENCE: Duration = Duration::from_secs(10);

/// When a move took longer than this, in milliseconds, the machine has stood still.
const STOOD_STILL: u64 = 2_000;

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

/// A server with people who only want to play.
pub struct Others {
    /// The server.
    pub program: Program,
    /// Their games.
    pub games: Vec<Opened>,
    hall: Hall,
    pace: Pace,
    _folder: tempfile::TempDir,
}

impl Others {
    /// Starts a server with so many games at so many moves a second.
    ///
    /// # Errors
    ///
    /// When the server does not start.
    pub async fn start(binary: &Path, games: usize, rate: f64) -> Result<Others> {
        let folder = tempfile::tempdir()?;
        let program = Program::start(binary, folder.path()).await?;
        let games = opening::games(program.address(), games).await?;
        // Games stay what they are, so that whoever watches one sees events all the time.
        let hall = Hall::seat(Floor::new(program.address(), 2_000), &games).await?;
        let pace = Pace::start(hall.floor.clone(), rate, 1)?;
        Ok(Others { program, games, hall, pace, _folder: folder })
    }

    /// The latencies of moves for a while.
    pub async fn latencies(&self, time: Duration) -> Histogram<u64> {
        self.hall.floor.measure();
        tokio::time::sleep(time).await;
        self.hall.floor.latencies()
    }

    /// What the server uses. The players' threads do not wait for the answer.
    ///
    /// # Errors
    ///
    /// When the server is gone.
    pub async fn usage(&self) -> Result<Usage> {
        let process = self.program.process()?;
        tokio::task::spawn_blocking(move || Usage::of(process)).await?
    }

    /// Latencies count from now on.
    pub fn measure(&self) {
        self.hall.floor.measure();
    }

    /// The latency since then.
    pub fn measured(&self) -> Latency {
        self.hall.floor.latency()
    }

    /// Everybody goes home, and nobody had any trouble; the server has not panicked.
    ///
    /// # Errors
    ///
    /// When somebody had.
    pub async fn stop(mut self) -> Result<()> {
        drop(self.pace);
        let mut troubles = self.hall.floor.troubles();
        // After a disk stood still all moves come at once, and those who are told to wait ask again.
        if self.hall.floor.tally.slowest.load(Ordering::Relaxed) > STOOD_STILL {
            troubles.remove("refused: too_fast");
        }
        self.hall.leave().await;
        self.program.stop().await?;
        ensure!(troubles.is_empty(), "others had trouble: {troubles:?}");
        Ok(())
    }
}

/// This thread runs from now on only while nobody else wants the processor. The lowest niceness is
/// not enough: a thread that has it keeps its turn of some milliseconds.
fn behind_others() -> Result<()> {
    let thread = rustix::thread::gettid().as_raw_nonzero().to_string();
    let done = Command::new("chrt").args(["--idle", "--pid", "0", &thread]).status()?;
    ensure!(done.success(), "chrt: {done}");
    Ok(())
}

/// What is done at machines elsewhere: in a thread of its own that runs only while nobody else
/// wants a processor. Hostile clients on this machine would else keep the others from being heard,
/// and that is not the server's doing.
async fn elsewhere<T, W>(work: W) -> Result<T>
where
    T: Send + 'static,
    W: AsyncFnOnce() -> Result<T> + Send + 'static,
{
    let (done, result) = tokio::sync::oneshot::channel();
    let there = move || {
        behind_others()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(work())
    };
    std::thread::Builder::new().name("elsewhere".to_owned()).spawn(move || {
        // Nobody waits for it when this was given up.
        let _ = done.send(there());
    })?;
    result.await?
}

/// The one in the middle; of none there is none.
fn median(all: &mut [f64]) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

impl Abuse {
    /// A server with games that are under way.
    async fn others(&self, round: u64) -> Result<Others> {
        let others = Others::start(&hansu_ground::hansu()?, self.games, self.rate).await?;
        let moves = WARM_UP + CYCLE * round as f64 / self.rounds as f64;
        tokio::time::sleep(Duration::from_secs_f64(moves / self.rate)).await;
        Ok(others)
    }

    /// Runs everything at full size.
    ///
    /// # Errors
    ///
    /// When something is let through, or others notice.
    pub async fn run(self) -> Result<()> {
        raise_limits();
        let mut others = self.others(0).await?;
        let (mut calms, mut shares) = (Vec::new(), Vec::new());
        let half = Duration::from_secs(self.seconds) / 2;
        for round in 0..self.rounds {
            if round > 0 {
                // Anew, so that games do not become longer and longer.
                others.stop().await?;
                others = self.others(round).await?;
            }
            // On both sides, so that a machine that becomes slower or faster does not tell.
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
        let frames = flood::malformed(&others).await?;
        println!("bad frames:    {frames}, all closed");

        let refused = keys::all(&others, self.keys).await?;
        println!("keys:          {refused}");
        others.stop().await
    }
}
