//! What is said of a game beside its moves: its opening, the names and dates, what the tags of a PGN
//! file tell, what makes two games the same, and wins, draws, losses and runs of them.
//!
//! The log of a server and the games of a browser stand on it, so that both say the same. No
//! storage, no clock. Compiles to WebAssembly.

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
pub use tags::{Told, date, termination_of, time};
