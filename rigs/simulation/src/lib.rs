//! Games through every misfortune: a simulation of clients, network, nodes and log around the pure
//! core of the server (`hansu-live`), in simulated time.
//!
//! A seed makes a [world](run): who plays what, on one to three nodes, over which network and with
//! which disk, and what goes wrong when: connections that break or stall, partitions, crashes in the
//! middle of a commit, slow and failing disks, clocks that somebody turns. Nothing in it is random
//! but the seed, so whatever breaks a [`Law`] breaks it again.
//!
//! ```
//! let report = hansu_simulation::run(7).expect("the laws hold");
//! assert!(report.entries > 1);
//! ```

mod client;
mod desk;
mod fair;
mod follow;
mod judge;
mod laws;
mod log;
mod node;
mod people;
mod plan;
mod queue;
pub mod races;
mod referee;
mod report;
mod world;

use std::fmt;

pub use desk::Desk;
pub use hansu_ground::Random;
pub use laws::{Broken, Law};
pub use report::Report;

use world::World;

/// A law was broken.
#[derive(Clone, Debug)]
pub struct Failure {
    /// In the world of this seed.
    pub seed: u64,
    /// After so many simulated milliseconds.
    pub at: u64,
    /// Which, and how.
    pub broken: Broken,
    /// What led to it.
    pub story: Vec<String>,
}

/// The lines of a story that are shown.
const SHOWN: usize = 400;

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.story[self.story.len().saturating_sub(SHOWN)..] {
            writeln!(f, "{line}")?;
        }
        writeln!(f, "seed {} after {} ms: {}", self.seed, self.at, self.broken)?;
        writeln!(f, "again: HANSU_SEED={} cargo test -p hansu-simulation", self.seed)?;
        let survey = "cargo run -p hansu-simulation --example survey --";
        write!(f, "all that led to it: {survey} {} 1", self.seed)
    }
}

impl std::error::Error for Failure {}

/// Runs the world of a seed to its end.
///
/// # Errors
///
/// The law that was broken, with its story.
pub fn run(seed: u64) -> Result<Report, Box<Failure>> {
    match go(seed, false) {
        Ok(report) => Ok(report),
        // Once more, to hear the story.
        Err(failure) => Err(go(seed, true).err().unwrap_or(failure)),
    }
}

fn go(seed: u64, tells: bool) -> Result<Report, Box<Failure>> {
    let failure = |broken, at, story| Box::new(Failure { seed, at, broken, story });
    let mut world = World::new(seed, tells).map_err(|broken| failure(broken, 0, Vec::new()))?;
    match world.run() {
        Ok(()) => Ok(world.report),
        Err(broken) => Err(failure(broken, world.now, world.story.take().unwrap_or_default())),
    }
}
