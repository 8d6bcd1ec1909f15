//! `load soak`: a moderate load for a long time; memory and files must not grow.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;

use crate::coordinator::Coordinator;
use crate::opening;
use crate::pace::Pace;
use crate::play::{PlayerPool, raise_limits};
use crate::program::Program;
use crate::report::megabytes;
use crate::usage::Usage;

/// A moderate load for a long time
#[derive(Args, Clone, Debug)]
pub struct Soak {
    /// Minutes
    #[arg(long, default_value_t = 30.0)]
    pub minutes: f64,

    /// Games; twice as many sockets
    #[arg(long, default_value_t = 1_000)]
    pub games: usize,

    /// Moves a second
    #[arg(long, default_value_t = 1_000.0)]
    pub rate: f64,

    /// Seconds between two measurements
    #[arg(long, default_value_t = 10.0)]
    pub every: f64,

    /// Games are resigned after this many events and followed by a rematch
    #[arg(long, default_value_t = 120)]
    pub longest: u64,
}

/// The slope of the straight line through points by least squares.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let along: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let square: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    if square > 0.0 { along / square } else { 0.0 }
}

impl Soak {
    /// Runs.
    ///
    /// # Errors
    ///
    /// When the server fails or a player records a problem.
    pub async fn run(self) -> Result<()> {
        raise_limits();
        let folder = tempfile::tempdir()?;
        let mut program = Program::start(&hansu_ground::hansu()?, folder.path()).await?;
        let games = opening::games(program.address(), self.games).await?;
        let players =
            PlayerPool::connect(Coordinator::new(program.address(), self.longest), &games).await?;
        let coordinator = players.coordinator.clone();
        let pace = Pace::start(coordinator.clone(), self.rate, 1)?;
        coordinator.start_measuring();
        let begin = Instant::now();
        let mut samples: Vec<(f64, Usage)> = Vec::new();
        while begin.elapsed().as_secs_f64() < self.minutes * 60.0 {
            tokio::time::sleep(Duration::from_secs_f64(self.every)).await;
            let usage = program.usage()?;
            let minutes = begin.elapsed().as_secs_f64() / 60.0;
            println!(
                "{minutes:6.2} min  {:7.1} MB  {:5} files  {} moves  {} games ended",
                megabytes(usage.resident),
                usage.files,
                coordinator.tally.moves.load(Ordering::Relaxed),
                coordinator.tally.ended.load(Ordering::Relaxed),
            );
            samples.push((minutes, usage));
        }
        drop(pace);
        println!("latency {}", coordinator.latency());
        let slope_of = |samples: &[(f64, Usage)], of: fn(&Usage) -> f64| {
            slope(&samples.iter().map(|(at, usage)| (*at, of(usage))).collect::<Vec<_>>())
        };
        let later = &samples[samples.len() / 3..];
        for (name, samples) in [("all", &samples[..]), ("without the first third", later)] {
            println!(
                "{name}: memory {:+.3} MB/min, files {:+.3} a minute",
                slope_of(samples, |usage| megabytes(usage.resident)),
                slope_of(samples, |usage| usage.files as f64),
            );
        }
        let troubles = coordinator.problems();
        players.leave().await;
        program.stop().await?;
        ensure!(troubles.is_empty(), "{troubles:?}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_slope() {
        let points: Vec<_> = (0..10).map(f64::from).map(|x| (x, 3.0 - 2.0 * x)).collect();
        assert!((slope(&points) + 2.0).abs() < 1e-9);
        assert!(slope(&[]).abs() < 1e-9 && slope(&points[..1]).abs() < 1e-9);
    }
}
