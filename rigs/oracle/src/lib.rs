//! Compares Hansu's rules with two oracles, shakmaty and cozy-chess, on the same positions.
//!
//! Not shipped: the oracles are only for tests.

mod compare;
mod positions;

pub use compare::{Difference, Trio};
pub use positions::{StartKind, survey};
