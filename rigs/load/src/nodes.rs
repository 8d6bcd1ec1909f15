//! `load nodes`: several servers over PostgreSQL and NATS, under load, measured or in trouble.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use hansu_records::PostgresStore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::audit::{Audit, compare};
use crate::floor::Floor;
use crate::measure::{Figures, Rate, measure, search};
use crate::opening;
use crate::pace::Pace;
use crate::play::{Hall, raise_limits};
use crate::report::Latency;
use crate::town::{Fault, Town};
use crate::watcher::Watcher;

/// How long all may take to come back. A busy machine is slow.
const BACK: Duration = Duration::from_secs(60);
/// Who waits so long for an answer goes to another server.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long something is away at the most.
const AWAY: Duration = Duration::from_millis(1_500);

/// Several servers over PostgreSQL and NATS
#[derive(Args, Clone, Debug)]
pub struct Nodes {
    /// Servers
    #[arg(long, default_value_t = 3)]
    pub nodes: usize,

    /// Games; twice as many sockets
    #[arg(long, default_value_t = 300)]
    pub games: usize,

    /// People who watch
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

    /// Games are resigned and followed by a rematch after so many events
    #[arg(long, default_value_t = 120)]
    pub longest: u64,

    /// What moments are drawn from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// What a run came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Survived {
    /// With everything in order.
    pub figures: Figures,
    /// How long it took until what had to be sent again was done.
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
    /// When anything that was acknowledged is lost, doubled or in another order, or play does not
    /// go on.
    pub async fn run(self) -> Result<()> {
        raise_limits();
        let begin = Instant::now();
        let survived = self.survive().await?;
        let Survived { figures, stalls, audit, resent, ended } = survived;
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
        // Here and not in the tests: a busy machine is late by itself.
        ensure!(stalls.p99 <= 5_000.0, "play goes on too late: {stalls}");
        println!("{audit:?}, {resent} commands sent again, {ended} games ended");
        Ok(())
    }

    /// Plays, suffers, audits, and says what came of it.
    ///
    /// # Errors
    ///
    /// As [`Nodes::run`].
    pub async fn survive(&self) -> Result<Survived> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let faults = self.faults(&mut random);
        let mut town = Town::found(self.nodes, self.cuts > 0).await?;
        let games = opening::games(town.nodes[0].address(), self.games).await?;
        let mut floor = Floor::over(town.servers(), self.longest);
        floor.keeps_journals = true;
        floor.patience = (!faults.is_empty()).then_some(PATIENCE);
        let hall = Hall::seat(floor, &games).await?;
        let floor = hall.floor.clone();
        let (stop, mut watchers) = (CancellationToken::new(), JoinSet::new());
        for number in 0..self.watchers {
            let pair = number % games.len();
            let watcher = Watcher::new(number, floor.clone(), pair + 2, &games[pair].game);
            watchers.spawn(watcher.watch(stop.clone()));
        }
        let watched = town.watched()?;
        let (figures, pace) = match self.rate {
            Rate::Fixed(rate) => {
                let pace = Pace::start(floor.clone(), rate, self.seed)?;
                tokio::time::sleep(Duration::from_secs(3)).await;
                let time = Duration::from_secs(self.seconds);
                (measure(&floor, &pace, rate, time, &watched).await?, pace)
            }
            Rate::Max => {
                let figures = search(&floor, self.seconds, &watched).await?;
                let pace = Pace::start(floor.clone(), figures.asked / 2.0, self.seed)?;
                (figures, pace)
            }
        };
        floor.expect_losses();
        let moves = || floor.tally.moves.load(Ordering::Relaxed);
        for (number, fault) in faults.iter().enumerate() {
            if number % 20 == 0 {
                eprintln!("{number} of {} faults, {} moves", faults.len(), moves());
            }
            let away = AWAY.mul_f64(random.f64());
            // A cut always lasts until those behind it lose their patience and go elsewhere, and
            // sometimes until the server itself sends them away.
            let away = if *fault == Fault::Cut { PATIENCE + 3 * away } else { away };
            town.suffer(*fault, away, random.usize(..)).await?;
            floor.goes_on(self.games, BACK).await.with_context(|| format!("after {fault:?}"))?;
            // Some come while the last is hardly over.
            tokio::time::sleep(Duration::from_millis(random.u64(1..700))).await;
        }
        drop(pace);
        floor.quiet(BACK).await?;
        floor.expect_no_losses();
        let troubles = floor.troubles();
        let stalls = floor.stalls();
        let (resent, ended) = (&floor.tally.resent, &floor.tally.ended);
        let (resent, ended) = (resent.load(Ordering::Relaxed), ended.load(Ordering::Relaxed));
        stop.cancel();
        while watchers.join_next().await.is_some() {}
        hall.leave().await;
        let journals = floor.journals();
        let names: BTreeSet<String> = journals.iter().map(|own| own.game.clone()).collect();
        town.agree(&names.into_iter().collect::<Vec<_>>()).await?;
        for node in &mut town.nodes {
            node.stop().await?;
        }
        let address = town.log().to_owned();
        let audit = tokio::task::spawn_blocking(move || {
            compare(&PostgresStore::open(&address)?, &journals)
        })
        .await??;
        ensure!(troubles.is_empty(), "{troubles:?}");
        if stalls.p99 > 5_000.0 {
            eprintln!("play went on late: {stalls}, {:?}", floor.losses());
        }
        Ok(Survived { figures, stalls, audit, resent, ended })
    }
}
