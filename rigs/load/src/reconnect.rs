//! `load reconnect`: all players reconnect at once.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;

use crate::coordinator::{Coordinator, Order};
use crate::opening;
use crate::pace::Pace;
use crate::play::{PlayerPool, raise_limits};
use crate::program::Program;
use crate::report::megabytes;

/// All players reconnect at once: after broken connections, a restart, a crash
#[derive(Args, Clone, Debug)]
pub struct Reconnect {
    /// Games; twice as many sockets
    #[arg(long, default_value_t = 5_000)]
    pub games: usize,

    /// Moves a second before and after
    #[arg(long, default_value_t = 1_000.0)]
    pub rate: f64,

    /// Seconds within which all must be connected again
    #[arg(long, default_value_t = 10)]
    pub within: u64,
}

impl Reconnect {
    /// Runs.
    ///
    /// # Errors
    ///
    /// When a player is not connected in time, or another check fails.
    pub async fn run(self) -> Result<()> {
        raise_limits();
        let folder = tempfile::tempdir()?;
        let mut program = Program::start(&hansu_ground::hansu()?, folder.path()).await?;
        let games = opening::games(program.address(), self.games).await?;
        let players = PlayerPool::connect(Coordinator::new(program.address(), 200), &games).await?;
        let coordinator = &players.coordinator;
        let all = coordinator.connected();
        let pace = Pace::start(coordinator.clone(), self.rate, 1)?;
        tokio::time::sleep(Duration::from_secs(3)).await;

        let before = coordinator.tally.welcomed.load(Ordering::Relaxed);
        let begin = Instant::now();
        coordinator.order_all(Order::Reconnect);
        self.wait_for_welcomes(coordinator, before + all, begin).await?;
        println!("line broken: {all} sockets back in {:.2} s", begin.elapsed().as_secs_f64());
        ensure!(coordinator.problems().is_empty(), "{:?}", coordinator.problems());
        tokio::time::sleep(Duration::from_secs(2)).await;

        for how in ["restart", "crash"] {
            coordinator.expect_losses();
            let welcomed = coordinator.tally.welcomed.load(Ordering::Relaxed);
            let down = Instant::now();
            if how == "restart" {
                program.stop().await?;
            } else {
                program.kill().await?;
            }
            program.restart().await?;
            let up = Instant::now();
            self.wait_for_welcomes(coordinator, welcomed + all, up).await?;
            coordinator.expect_no_losses();
            println!(
                "{how}: {all} sockets back {:.2} s after the server ({:.2} s after it went)",
                up.elapsed().as_secs_f64(),
                down.elapsed().as_secs_f64()
            );
            ensure!(coordinator.problems().is_empty(), "{:?}", coordinator.problems());
            let moves = coordinator.tally.moves.load(Ordering::Relaxed);
            tokio::time::sleep(Duration::from_secs(3)).await;
            let more = coordinator.tally.moves.load(Ordering::Relaxed) - moves;
            ensure!(more as f64 > self.rate, "only {more} moves in 3 s after the {how}");
        }
        println!("losses while the server was away: {:?}", coordinator.losses());
        println!("memory afterwards: {:.1} MB", megabytes(program.usage()?.resident));
        drop(pace);
        let troubles = coordinator.problems();
        players.leave().await;
        program.stop().await?;
        ensure!(troubles.is_empty(), "{troubles:?}");
        Ok(())
    }

    async fn wait_for_welcomes(
        &self,
        coordinator: &Coordinator,
        welcomed: u64,
        begin: Instant,
    ) -> Result<()> {
        while coordinator.tally.welcomed.load(Ordering::Relaxed) < welcomed {
            let late = begin.elapsed() > Duration::from_secs(self.within);
            ensure!(
                !late,
                "{} are back after {} s: {:?} {:?}",
                coordinator.connected(),
                self.within,
                coordinator.problems(),
                coordinator.losses()
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }
}
