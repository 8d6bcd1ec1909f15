//! A simulation of clients, network, nodes and log with faults, around the pure core of the server
//! (`hansu-live`), in simulated time.
//!
//! A seed defines a [run]: the clients, one to three nodes, the network and the disk, and when
//! which faults happen: connections that break or stall, partitions, crashes in the middle of a
//! commit, slow and failing disks, clocks that jump. All random choices come from the seed, so a
//! broken [`Law`] can be reproduced.
//!
//! ```
//! let report = hansu_simulation::run(7).expect("the laws hold");
//! assert!(report.entries > 1);
//! ```

mod checked_game;
mod client;
mod flags;
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

pub use checked_game::CheckedGame;
pub use hansu_ground::Random;
pub use laws::{BrokenLaw, Law};
pub use report::Report;

use world::World;

/// A broken law in a run, with what led to it.
#[derive(Clone, Debug)]
pub struct SimulationError {
    /// The seed of the run.
    pub seed: u64,
    /// When it was broken, in simulated milliseconds.
    pub at: u64,
    /// The broken law.
    pub broken: BrokenLaw,
    /// The trace of the run.
    pub trace: Vec<String>,
}

/// The number of lines of the trace in the error message.
const SHOWN: usize = 400;

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.trace[self.trace.len().saturating_sub(SHOWN)..] {
            writeln!(f, "{line}")?;
        }
        writeln!(f, "seed {} after {} ms: {}", self.seed, self.at, self.broken)?;
        writeln!(f, "again: HANSU_SEED={} cargo test -p hansu-simulation", self.seed)?;
        let survey = "cargo run -p hansu-simulation --example survey --";
        write!(f, "all that led to it: {survey} {} 1", self.seed)
    }
}

impl std::error::Error for SimulationError {}

/// Simulates the run of a seed to its end.
///
/// # Errors
///
/// The law that was broken, with the trace.
pub fn run(seed: u64) -> Result<Report, Box<SimulationError>> {
    match go(seed, false) {
        Ok(report) => Ok(report),
        // Runs it again with a trace.
        Err(failure) => Err(go(seed, true).err().unwrap_or(failure)),
    }
}

fn go(seed: u64, tracing: bool) -> Result<Report, Box<SimulationError>> {
    let failure = |broken, at, trace| Box::new(SimulationError { seed, at, broken, trace });
    let mut world = World::new(seed, tracing).map_err(|broken| failure(broken, 0, Vec::new()))?;
    match world.run() {
        Ok(()) => Ok(world.report),
        Err(broken) => Err(failure(broken, world.now, world.trace.take().unwrap_or_default())),
    }
}
