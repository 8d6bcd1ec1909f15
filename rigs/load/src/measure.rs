//! Figures of a hall at a rate, or at the highest rate.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::floor::Floor;
use crate::pace::Pace;
use crate::report::{Latency, megabytes};
use crate::usage::Usage;

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

/// What a run came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// Moves a second that were asked for.
    pub asked: f64,
    /// Moves a second that were acknowledged.
    pub reached: f64,
    /// From when a move was meant to be sent until its acknowledgement.
    pub latency: Latency,
    /// From then until the opponent, who may sit at another server, sees it.
    pub crossing: Latency,
    /// Connections at the end.
    pub sockets: u64,
    /// Resident memory of the servers at the end, in megabytes.
    pub resident: f64,
    /// The most resident memory, in megabytes.
    pub peak: f64,
    /// Processors that the servers used.
    pub processors: f64,
    /// Processor time of the servers for a move, in microseconds.
    pub processor_a_move: f64,
    /// Processors that the database used, where it is a program of its own.
    pub database: f64,
    /// Processors that this generator used.
    pub own_processors: f64,
    /// What should not be.
    pub troubles: BTreeMap<String, u64>,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  moves/s      {:.0} of {:.0}", self.reached, self.asked)?;
        writeln!(f, "  latency      {}", self.latency)?;
        if self.crossing.count > 0 {
            writeln!(f, "  seen across  {}", self.crossing)?;
        }
        writeln!(
            f,
            "  server       {:.1} MB resident (peak {:.1}), {:.2} processors, {:.1} µs a move",
            self.resident, self.peak, self.processors, self.processor_a_move
        )?;
        if self.database > 0.0 {
            writeln!(f, "  database     {:.2} processors", self.database)?;
        }
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

/// The processes that are looked at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Watched {
    /// The servers.
    pub servers: Vec<u32>,
    /// The database's.
    pub database: Vec<u32>,
}

/// What some processes use together.
fn together(processes: &[u32]) -> Result<Usage> {
    processes.iter().try_fold(Usage::default(), |all, &process| {
        let one = Usage::of(process)?;
        Ok(Usage {
            resident: all.resident + one.resident,
            peak: all.peak + one.peak,
            processor: all.processor + one.processor,
            files: all.files + one.files,
        })
    })
}

/// Measures a hall at a rate.
///
/// # Errors
///
/// When a process that is looked at has ended.
pub async fn measure(
    floor: &Floor,
    pace: &Pace,
    rate: f64,
    time: Duration,
    watched: &Watched,
) -> Result<Figures> {
    pace.rate(rate);
    let usages = || Ok::<_, anyhow::Error>([together(&watched.servers)?, Usage::own()?]);
    // Some of the database's processes come and go.
    let database = || watched.database.iter().map(|process| Usage::of(*process).ok());
    let (before, database_before) = (usages()?, database().collect::<Vec<_>>());
    let moves_before = floor.tally.moves.load(Ordering::Relaxed);
    floor.measure();
    let begin = Instant::now();
    tokio::time::sleep(time).await;
    let seconds = begin.elapsed().as_secs_f64();
    let (after, database_after) = (usages()?, database());
    let moves = floor.tally.moves.load(Ordering::Relaxed) - moves_before;
    let [spent, own] = [0, 1].map(|of| (after[of].processor - before[of].processor).as_secs_f64());
    let database: Duration = (database_before.iter().zip(database_after))
        .filter_map(|(before, after)| Some(after?.processor - before.as_ref()?.processor))
        .sum();
    Ok(Figures {
        asked: rate,
        reached: moves as f64 / seconds,
        latency: floor.latency(),
        crossing: floor.crossing(),
        sockets: floor.connected(),
        resident: megabytes(after[0].resident),
        peak: megabytes(after[0].peak),
        processors: spent / seconds,
        processor_a_move: spent * 1e6 / moves.max(1) as f64,
        database: database.as_secs_f64() / seconds,
        own_processors: own / seconds,
        troubles: floor.troubles(),
    })
}

/// The highest rate that is reached within 3 % and without a queue that grows.
///
/// # Errors
///
/// When a server ends, or reaches no rate at all.
pub async fn search(floor: &Arc<Floor>, seconds: u64, watched: &Watched) -> Result<Figures> {
    let mut rate = 4_000.0;
    let mut best: Option<Figures> = None;
    let mut too_fast = f64::INFINITY;
    // Beyond the limit commands are refused as busy: that is what is looked for.
    floor.expect_losses();
    while too_fast / rate > 1.04 {
        let pace = Pace::start(floor.clone(), rate, 1)?;
        tokio::time::sleep(Duration::from_secs(3)).await;
        let time = Duration::from_secs(seconds.min(10));
        let figures = measure(floor, &pace, rate, time, watched).await?;
        drop(pace);
        println!(
            "{rate:.0} moves/s: {:.0} reached, {:.2} + {:.2} + {:.2} processors, {}",
            figures.reached,
            figures.processors,
            figures.database,
            figures.own_processors,
            figures.latency
        );
        if figures.reached > 0.97 * rate && figures.latency.p99 < 250.0 {
            best = Some(figures);
            rate = if too_fast.is_finite() { f64::midpoint(rate, too_fast) } else { rate * 1.5 };
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
