//! `load reconnect`: everybody comes back at once.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;

use crate::floor::{Floor, Order};
use crate::opening;
use crate::pace::Pace;
use crate::play::{Hall, raise_limits};
use crate::program::Program;
use crate::report::megabytes;

/// Everybody comes back at once: after a break of the line, a restart, a crash
#[derive(Args, Clone, Debug)]
pub struct Reconnect {
    /// Games; twice as many sockets
    #[arg(long, default_value_t = 5_000)]
    pub games: usize,

    /// Moves a second before and after
    #[arg(long, default_value_t = 1_000.0)]
    pub rate: f64,

    /// Seconds within which all must be back
    #[arg(long, default_value_t = 10)]
    pub within: u64,
}

impl Reconnect {
    /// Runs.
    ///
    /// # Errors
    ///
    /// When somebody is not back in time, or something else is wrong.
    pub async fn run(self) -> Result<()> {
        raise_limits();
        let folder = tempfile::tempdir()?;
        let mut program = Program::start(&hansu_ground::hansu()?, folder.path()).await?;
        let games = opening::games(program.address(), self.games).await?;
        let hall = Hall::seat(Floor::new(program.address(), 200), &games).await?;
        let floor = &hall.floor;
        let all = floor.connected();
        let pace = Pace::start(floor.clone(), self.rate, 1)?;
        tokio::time::sleep(Duration::from_secs(3)).await;

        let before = floor.tally.welcomed.load(Ordering::Relaxed);
        let begin = Instant::now();
        floor.order_all(Order::Reconnect);
        self.back(floor, before + all, begin).await?;
        println!("line broken: {all} sockets back in {:.2} s", begin.elapsed().as_secs_f64());
        ensure!(floor.troubles().is_empty(), "{:?}", floor.troubles());
        tokio::time::sleep(Duration::from_secs(2)).await;

        for how in ["restart", "crash"] {
            floor.expect_losses();
            let welcomed = floor.tally.welcomed.load(Ordering::Relaxed);
            let down = Instant::now();
            if how == "restart" {
                program.stop().await?;
            } else {
                program.kill().await?;
            }
            program.restart().await?;
            let up = Instant::now();
            self.back(floor, welcomed + all, up).await?;
            floor.expect_no_losses();
            println!(
                "{how}: {all} sockets back {:.2} s after the server ({:.2} s after it went)",
                up.elapsed().as_secs_f64(),
                down.elapsed().as_secs_f64()
            );
            ensure!(floor.troubles().is_empty(), "{:?}", floor.troubles());
            let moves = floor.tally.moves.load(Ordering::Relaxed);
            tokio::time::sleep(Duration::from_secs(3)).await;
            let more = floor.tally.moves.load(Ordering::Relaxed) - moves;
            ensure!(more as f64 > self.rate, "only {more} moves in 3 s after the {how}");
        }
        println!("losses while the server was away: {:?}", floor.losses());
        println!("memory afterwards: {:.1} MB", megabytes(program.usage()?.resident));
        drop(pace);
        let troubles = floor.troubles();
        hall.leave().await;
        program.stop().await?;
        ensure!(troubles.is_empty(), "{troubles:?}");
        Ok(())
    }

    async fn back(&self, floor: &Floor, welcomed: u64, begin: Instant) -> Result<()> {
        while floor.tally.welcomed.load(Ordering::Relaxed) < welcomed {
            let late = begin.elapsed() > Duration::from_secs(self.within);
            ensure!(
                !late,
                "{} are back after {} s: {:?} {:?}",
                floor.connected(),
                self.within,
                floor.troubles(),
                floor.losses()
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }
}
