//! The checks, one a file. Each starts servers of its own.

mod kills;

use anyhow::Result;

use crate::Hall;
use crate::report::Check;

/// What a check does.
pub type Run = fn(&Hall, &mut Check) -> Result<()>;

/// All checks by name, in the order in which they run.
pub const ALL: &[(&str, Run)] = &[("kills", kills::kills)];
