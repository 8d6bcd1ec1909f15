//! The checks, one per file. Each starts its own servers.

mod bombs;
mod crowds;
mod days;
mod devices;
mod ids;
mod imports;
mod invitations;
mod kills;
mod names;
mod nodes;
mod seats;
mod strangers;
mod time;
mod uploads;

use anyhow::Result;

use crate::RunOptions;
use crate::report::Check;

/// The function of a check.
pub type Run = fn(&RunOptions, &mut Check) -> Result<()>;

/// All checks by name, in the order in which they run.
pub const ALL: &[(&str, Run)] = &[
    ("kills", kills::kills),
    ("nodes", nodes::nodes),
    ("ids", ids::ids),
    ("seats", seats::seats),
    ("strangers", strangers::strangers),
    ("imports", imports::imports),
    ("invitations", invitations::invitations),
    ("devices", devices::devices),
    ("uploads", uploads::uploads),
    ("names", names::names),
    ("crowds", crowds::crowds),
    ("bombs", bombs::bombs),
    ("days", days::days),
    ("time", time::time),
];
