//! A hostile client of `hansu serve`, written only from docs/protocol.md and docs/api.md.
//!
//! It keeps its own ledger of what was acknowledged and compares it with the server's games after
//! kills and faults; it tries to play foreign seats, sends bombs and fills the disk. `make
//! adversary` runs it; the short version is a test.

pub mod checks;
pub mod http;
pub mod ledger;
pub mod program;
pub mod report;
pub mod socket;
pub mod test_game;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use report::Check;

/// The options of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The program under attack.
    pub binary: PathBuf,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of kills and faults in each check that has some.
    pub rounds: u64,
    /// The number of parallel games in these checks.
    pub games: u64,
    /// True to run the checks that take long or need PostgreSQL and NATS.
    pub long: bool,
}

/// Runs all checks or only those named, and prints a line for each.
pub fn run(options: &RunOptions, only: &[String]) -> Vec<Check> {
    let chosen = checks::ALL
        .iter()
        .filter(|(name, _)| only.is_empty() || only.iter().any(|wanted| wanted == name));
    chosen
        .map(|(name, run)| {
            let mut check = Check::begin(name);
            let before = http::WITHOUT_RETRY_AFTER.load(Ordering::Relaxed);
            if let Err(error) = run(options, &mut check) {
                check.fail(format!("could not go on: {error:#}"));
            }
            let without = http::WITHOUT_RETRY_AFTER.load(Ordering::Relaxed) - before;
            check.expect(without == 0, format!("{without} times 429 or 503 without Retry-After"));
            check.end()
        })
        .collect()
}
