//! A hostile client of `hansu serve` that knows nothing but docs/protocol.md and docs/api.md.
//!
//! It keeps its own ledger of what was acknowledged, and compares it with what the server says after
//! kills and faults; it takes foreign seats, sends bombs and takes the disk away. `make adversary`
//! runs it; the short version is a test.

pub mod checks;
pub mod http;
pub mod ledger;
pub mod program;
pub mod report;
pub mod socket;
pub mod table;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use report::Check;

/// What a run is about.
#[derive(Clone, Debug)]
pub struct Hall {
    /// The program under attack.
    pub binary: PathBuf,
    /// What chance is drawn from.
    pub seed: u64,
    /// Kills and faults in each check that deals them out.
    pub rounds: u64,
    /// Games at once in those.
    pub games: u64,
    /// Whether checks take the time that waiting needs, and other servers.
    pub long: bool,
}

/// Runs checks, all or those named, prints their lines, and tells what became of them.
pub fn run(hall: &Hall, only: &[String]) -> Vec<Check> {
    let chosen = checks::ALL
        .iter()
        .filter(|(name, _)| only.is_empty() || only.iter().any(|wanted| wanted == name));
    chosen
        .map(|(name, run)| {
            let mut check = Check::begin(name);
            let before = http::WITHOUT_RETRY_AFTER.load(Ordering::Relaxed);
            if let Err(error) = run(hall, &mut check) {
                check.fail(format!("could not go on: {error:#}"));
            }
            let without = http::WITHOUT_RETRY_AFTER.load(Ordering::Relaxed) - before;
            check.expect(without == 0, format!("{without} times 429 or 503 without Retry-After"));
            check.end()
        })
        .collect()
}
