//! Data of a game beside its moves: its opening, names and dates, PGN tags, the fingerprint of a
//! game, and wins, draws, losses and runs of them.
//!
//! Used for the log of a server and for the games of a browser, so that both give the same results.
//! No storage, no clock. Compiles to WebAssembly.

pub mod dates;
mod identity;
pub mod names;
pub mod openings;
mod results;
mod streaks;
mod tags;

pub use identity::Identity;
pub use results::{Bucket, Facet, PlayerStats, Score, Standing, Tally, colours};
pub use streaks::{Ending, Run, Streaks};
pub use tags::{PgnSummary, date, termination_of, time};
