//! `load kill`: SIGKILL at random moments under load, and an audit of everything players received.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;

use crate::audit::{Audit, audit};
use crate::coordinator::Coordinator;
use crate::opening;
use crate::pace::Pace;
use crate::play::{PlayerPool, raise_limits};
use crate::program::Program;

/// One of this many kills comes while players are still reconnecting.
const EARLY: u64 = 4;
/// Timeout for all players to reconnect, long enough for a busy machine.
const BACK_TIMEOUT: Duration = Duration::from_secs(60);

/// SIGKILL at random moments; then nothing that was acknowledged may be missing
#[derive(Args, Clone, Debug)]
pub struct Kill {
    /// How often the server is killed
    #[arg(long, default_value_t = 50)]
    pub kills: u64,

    /// Games; twice as many sockets
    #[arg(long, default_value_t = 200)]
    pub games: usize,

    /// Moves a second
    #[arg(long, default_value_t = 1_200.0)]
    pub rate: f64,

    /// The longest time between two kills, in milliseconds
    #[arg(long, default_value_t = 700)]
    pub longest_wait: u64,

    /// Games are resigned after this many events and followed by a rematch
    #[arg(long, default_value_t = 120)]
    pub longest: u64,

    /// Seed of the random moments
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// The result of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KillReport {
    /// Moves a second while the server was up and all players were connected.
    pub rate: f64,
    /// What was compared.
    pub audit: Audit,
    /// Commands that were sent again.
    pub resent: u64,
    /// Games that ended.
    pub ended: u64,
}

impl Kill {
    /// Runs and reports.
    ///
    /// # Errors
    ///
    /// When anything that was acknowledged is lost, doubled or in another order.
    pub async fn run(self) -> Result<()> {
        raise_limits();
        let begin = Instant::now();
        let survived = self.run_and_audit().await?;
        let KillReport { rate, audit, resent, ended } = survived;
        println!(
            "{} kills in {:.0} s, {rate:.0} moves/s while up: 0 lost, 0 doubled, 0 reordered",
            self.kills,
            begin.elapsed().as_secs_f64()
        );
        println!("{audit:?}, {resent} commands sent again, {ended} games ended");
        Ok(())
    }

    /// Runs the kills and the audit, without printing the result.
    ///
    /// # Errors
    ///
    /// As [`Kill::run`].
    pub async fn run_and_audit(&self) -> Result<KillReport> {
        let folder = tempfile::tempdir()?;
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut program = Program::start(&hansu_ground::hansu()?, folder.path()).await?;
        let games = opening::games(program.address(), self.games).await?;
        let mut coordinator = Coordinator::new(program.address(), self.longest);
        coordinator.keeps_journals = true;
        let players = PlayerPool::connect(coordinator, &games).await?;
        let coordinator = players.coordinator.clone();
        coordinator.expect_losses();
        let pace = Pace::start(coordinator.clone(), self.rate, self.seed)?;
        let moves = || coordinator.tally.moves.load(Ordering::Relaxed);
        let (mut up, mut moved) = (Duration::ZERO, 0);
        for kill in 0..self.kills {
            if kill > 0 && kill % 100 == 0 {
                eprintln!("{kill} kills, {} moves", moves());
            }
            let wait = Duration::from_micros(random.u64(1_000..self.longest_wait * 1_000));
            if random.u64(..EARLY) == 0 {
                tokio::time::sleep(wait).await;
            } else {
                coordinator.wait_for_connections(self.games, BACK_TIMEOUT).await?;
                let (begin, before) = (Instant::now(), moves());
                tokio::time::sleep(wait).await;
                up += begin.elapsed();
                moved += moves() - before;
            }
            program.kill().await?;
            program.restart().await?;
        }
        coordinator.wait_for_connections(self.games, BACK_TIMEOUT).await?;
        // The games go on: on average four more moves each.
        let before = moves();
        let enough = before + 4 * self.games as u64;
        let begin = Instant::now();
        while moves() < enough {
            ensure!(
                begin.elapsed() < BACK_TIMEOUT,
                "games do not go on: {:?}",
                coordinator.problems()
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        drop(pace);
        coordinator.wait_until_quiet(BACK_TIMEOUT).await?;
        coordinator.expect_no_losses();
        let troubles = coordinator.problems();
        let (resent, ended) = (&coordinator.tally.resent, &coordinator.tally.ended);
        let (resent, ended) = (resent.load(Ordering::Relaxed), ended.load(Ordering::Relaxed));
        players.leave().await;
        program.stop().await?;
        let audit = audit(folder.path(), &coordinator.take_journals())?;
        ensure!(troubles.is_empty(), "{troubles:?}");
        ensure!(resent > 0 || self.kills == 0, "no kill came between a command and its answer");
        let rate = moved as f64 / up.as_secs_f64().max(0.001);
        Ok(KillReport { rate, audit, resent, ended })
    }
}
