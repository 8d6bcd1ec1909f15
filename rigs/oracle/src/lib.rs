//! Two oracles, shakmaty and cozy-chess, asked about the same positions as Hansu's own rules.
//!
//! Nothing here is shipped: the oracles serve tests only.

mod compare;
mod positions;

pub use compare::{Difference, Trio};
pub use positions::{Source, survey};
