//! Measures connected players at a given rate, or searches for the highest rate.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::coordinator::Coordinator;
use crate::pace::Pace;
use crate::report::{Latency, megabytes};
use crate::usage::Usage;

/// Moves a second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rate {
    /// This many.
    Fixed(f64),
    /// The most that the server manages, found by a search.
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

/// The figures of a measurement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// The requested moves a second.
    pub asked: f64,
    /// Moves a second that were acknowledged.
    pub reached: f64,
    /// From when a move was due until its acknowledgement.
    pub latency: Latency,
    /// From when a move was due until the opponent, perhaps at another server, receives it.
    pub crossing: Latency,
    /// Connections at the end.
    pub sockets: u64,
    /// Resident memory of the servers at the end, in megabytes.
    pub resident: f64,
    /// The peak of the resident memory, in megabytes.
    pub peak: f64,
    /// Processors that the servers used.
    pub processors: f64,
    /// Processor time of the servers for a move, in microseconds.
    pub processor_a_move: f64,
    /// Processors that the database used; 0 if it is not a separate program.
    pub database: f64,
    /// Processors that this generator used.
    pub own_processors: f64,
    /// Problems, with their counts.
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

/// The ids of the processes whose usage is measured.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MeasuredProcesses {
    /// The servers.
    pub servers: Vec<u32>,
    /// The database's processes.
    pub database: Vec<u32>,
}

/// The sum of what some processes use.
fn total_usage(processes: &[u32]) -> Result<Usage> {
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

/// Measures the players at a rate for a time.
///
/// # Errors
///
/// When a server has ended.
pub async fn measure(
    coordinator: &Coordinator,
    pace: &Pace,
    rate: f64,
    time: Duration,
    watched: &MeasuredProcesses,
) -> Result<Figures> {
    pace.set_rate(rate);
    let usages = || Ok::<_, anyhow::Error>([total_usage(&watched.servers)?, Usage::own()?]);
    // Some of the database's processes come and go.
    let database = || watched.database.iter().map(|process| Usage::of(*process).ok());
    let (before, database_before) = (usages()?, database().collect::<Vec<_>>());
    let moves_before = coordinator.tally.moves.load(Ordering::Relaxed);
    coordinator.start_measuring();
    let begin = Instant::now();
    tokio::time::sleep(time).await;
    let seconds = begin.elapsed().as_secs_f64();
    let (after, database_after) = (usages()?, database());
    let moves = coordinator.tally.moves.load(Ordering::Relaxed) - moves_before;
    let [spent, own] = [0, 1].map(|of| (after[of].processor - before[of].processor).as_secs_f64());
    let database: Duration = (database_before.iter().zip(database_after))
        .filter_map(|(before, after)| Some(after?.processor - before.as_ref()?.processor))
        .sum();
    Ok(Figures {
        asked: rate,
        reached: moves as f64 / seconds,
        latency: coordinator.latency(),
        crossing: coordinator.crossing(),
        sockets: coordinator.connected(),
        resident: megabytes(after[0].resident),
        peak: megabytes(after[0].peak),
        processors: spent / seconds,
        processor_a_move: spent * 1e6 / moves.max(1) as f64,
        database: database.as_secs_f64() / seconds,
        own_processors: own / seconds,
        troubles: coordinator.problems(),
    })
}

/// Searches for the highest rate that is reached within 3 % with a p99 latency below 250 ms.
///
/// # Errors
///
/// When a server ends, or reaches no rate at all.
pub async fn search(
    coordinator: &Arc<Coordinator>,
    seconds: u64,
    watched: &MeasuredProcesses,
) -> Result<Figures> {
    let mut rate = 4_000.0;
    let mut best: Option<Figures> = None;
    let mut too_fast = f64::INFINITY;
    // Above the highest rate the server refuses commands as busy, which the search expects.
    coordinator.expect_losses();
    while too_fast / rate > 1.04 {
        let pace = Pace::start(coordinator.clone(), rate, 1)?;
        tokio::time::sleep(Duration::from_secs(3)).await;
        let time = Duration::from_secs(seconds.min(10));
        let figures = measure(coordinator, &pace, rate, time, watched).await?;
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
        // Lets the server work off its backlog first.
        tokio::time::sleep(Duration::from_secs(3)).await;
        if best.as_ref().is_some_and(|best| too_fast / best.asked <= 1.04) {
            break;
        }
    }
    best.context("not even the lowest rate was reached")
}
