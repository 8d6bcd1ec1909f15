//! `load nodes`: several servers over PostgreSQL and NATS under load, measured or with faults.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use hansu_records::PostgresStore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::audit::{Audit, compare};
use crate::cluster::{Cluster, Fault};
use crate::coordinator::Coordinator;
use crate::measure::{Figures, Rate, measure, search};
use crate::opening;
use crate::pace::Pace;
use crate::play::{PlayerPool, raise_limits};
use crate::report::Latency;
use crate::watcher::Watcher;

/// Timeout for all players to reconnect, long enough for a busy machine.
const BACK_TIMEOUT: Duration = Duration::from_secs(60);
/// Timeout of an answer, after which a player goes to another server.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// The longest time a killed or frozen part is away.
const LONGEST_OUTAGE: Duration = Duration::from_millis(1_500);

/// Several servers over PostgreSQL and NATS
#[derive(Args, Clone, Debug)]
pub struct Nodes {
    /// Servers
    #[arg(long, default_value_t = 3)]
    pub nodes: usize,

    /// Games; twice as many sockets
    #[arg(long, default_value_t = 300)]
    pub games: usize,

    /// Spectators
    #[arg(long, default_value_t = 60)]
    pub watchers: usize,

    /// Moves a second, or max to search for the most
    #[arg(long, default_value = "600")]
    pub rate: Rate,

    /// Seconds for which latency is measured
    #[arg(long, default_value_t = 20)]
    pub seconds: u64,

    /// How often a server is killed
    #[arg(long, default_value_t = 0)]
    pub node_kills: usize,

    /// How often PostgreSQL is killed
    #[arg(long, default_value_t = 0)]
    pub database_kills: usize,

    /// How often NATS is killed
    #[arg(long, default_value_t = 0)]
    pub bus_kills: usize,

    /// How often NATS hangs
    #[arg(long, default_value_t = 0)]
    pub freezes: usize,

    /// How often one server is cut off from PostgreSQL and NATS
    #[arg(long, default_value_t = 0)]
    pub cuts: usize,

    /// Games are resigned after this many events and followed by a rematch
    #[arg(long, default_value_t = 120)]
    pub longest: u64,

    /// Seed of the random moments
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// The result of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct NodesReport {
    /// The figures before the faults.
    pub figures: Figures,
    /// How long commands took that had to be sent again.
    pub stalls: Latency,
    /// What was compared.
    pub audit: Audit,
    /// Commands that were sent again over another connection.
    pub resent: u64,
    /// Games that ended.
    pub ended: u64,
}

impl Nodes {
    fn faults(&self, random: &mut fastrand::Rng) -> Vec<Fault> {
        let kinds = [
            (Fault::Node, self.node_kills),
            (Fault::Database, self.database_kills),
            (Fault::Bus, self.bus_kills),
            (Fault::Freeze, self.freezes),
            (Fault::Cut, self.cuts),
        ];
        let mut faults: Vec<Fault> =
            kinds.into_iter().flat_map(|(fault, often)| vec![fault; often]).collect();
        random.shuffle(&mut faults);
        faults
    }

    /// Runs and reports.
    ///
    /// # Errors
    ///
    /// When anything that was acknowledged is lost, duplicated or reordered, or the games do not go
    /// on.
    pub async fn run(self) -> Result<()> {
        raise_limits();
        let begin = Instant::now();
        let survived = self.run_and_audit().await?;
        let NodesReport { figures, stalls, audit, resent, ended } = survived;
        println!("{} nodes:\n{figures}", self.nodes);
        println!(
            "{} servers killed, {} times PostgreSQL, {} times NATS, {} times it hung, {} cuts in \
             {:.0} s: 0 lost, 0 doubled, 0 reordered, all games the same everywhere",
            self.node_kills,
            self.database_kills,
            self.bus_kills,
            self.freezes,
            self.cuts,
            begin.elapsed().as_secs_f64()
        );
        println!("sent again until done: {stalls}");
        // Checked here and not in the tests, since a busy machine is late by itself.
        ensure!(stalls.p99 <= 5_000.0, "play goes on too late: {stalls}");
        println!("{audit:?}, {resent} commands sent again, {ended} games ended");
        Ok(())
    }

    /// Plays, injects the faults and audits, without printing the result.
    ///
    /// # Errors
    ///
    /// As [`Nodes::run`].
    pub async fn run_and_audit(&self) -> Result<NodesReport> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let faults = self.faults(&mut random);
        let mut cluster = Cluster::start(self.nodes, self.cuts > 0).await?;
        let games = opening::games(cluster.nodes[0].address(), self.games).await?;
        let mut coordinator = Coordinator::over(cluster.servers(), self.longest);
        coordinator.keeps_journals = true;
        coordinator.timeout = (!faults.is_empty()).then_some(ANSWER_TIMEOUT);
        let players = PlayerPool::connect(coordinator, &games).await?;
        let coordinator = players.coordinator.clone();
        let (stop, mut watchers) = (CancellationToken::new(), JoinSet::new());
        for number in 0..self.watchers {
            let pair = number % games.len();
            let watcher = Watcher::new(number, coordinator.clone(), pair + 2, &games[pair].game);
            watchers.spawn(watcher.watch(stop.clone()));
        }
        let watched = cluster.processes()?;
        let (figures, pace) = match self.rate {
            Rate::Fixed(rate) => {
                let pace = Pace::start(coordinator.clone(), rate, self.seed)?;
                tokio::time::sleep(Duration::from_secs(3)).await;
                let time = Duration::from_secs(self.seconds);
                (measure(&coordinator, &pace, rate, time, &watched).await?, pace)
            }
            Rate::Max => {
                let figures = search(&coordinator, self.seconds, &watched).await?;
                let pace = Pace::start(coordinator.clone(), figures.asked / 2.0, self.seed)?;
                (figures, pace)
            }
        };
        coordinator.expect_losses();
        let moves = || coordinator.tally.moves.load(Ordering::Relaxed);
        for (number, fault) in faults.iter().enumerate() {
            if number % 20 == 0 {
                eprintln!("{number} of {} faults, {} moves", faults.len(), moves());
            }
            let away = LONGEST_OUTAGE.mul_f64(random.f64());
            // A cut always lasts until the players behind it time out and go to another server, and
            // sometimes until the server itself closes their connections.
            let away = if *fault == Fault::Cut { ANSWER_TIMEOUT + 3 * away } else { away };
            cluster.inject_fault(*fault, away, random.usize(..)).await?;
            coordinator
                .wait_for_moves(self.games, BACK_TIMEOUT)
                .await
                .with_context(|| format!("after {fault:?}"))?;
            // Some faults come shortly after the last one.
            tokio::time::sleep(Duration::from_millis(random.u64(1..700))).await;
        }
        drop(pace);
        coordinator.wait_until_quiet(BACK_TIMEOUT).await?;
        coordinator.expect_no_losses();
        let troubles = coordinator.problems();
        let stalls = coordinator.stalls();
        let (resent, ended) = (&coordinator.tally.resent, &coordinator.tally.ended);
        let (resent, ended) = (resent.load(Ordering::Relaxed), ended.load(Ordering::Relaxed));
        stop.cancel();
        while watchers.join_next().await.is_some() {}
        players.leave().await;
        let journals = coordinator.take_journals();
        let names: BTreeSet<String> = journals.iter().map(|own| own.game.clone()).collect();
        cluster.check_agreement(&names.into_iter().collect::<Vec<_>>()).await?;
        for node in &mut cluster.nodes {
            node.stop().await?;
        }
        let address = cluster.log().to_owned();
        let audit = tokio::task::spawn_blocking(move || {
            compare(&PostgresStore::open(&address)?, &journals)
        })
        .await??;
        ensure!(troubles.is_empty(), "{troubles:?}");
        if stalls.p99 > 5_000.0 {
            eprintln!("play went on late: {stalls}, {:?}", coordinator.losses());
        }
        Ok(NodesReport { figures, stalls, audit, resent, ended })
    }
}
