//! Matches between engines: both colours from each balanced opening, on several threads, until the
//! games are played or a sequential test is decided.
//!
//! A player is a level of Hansu, one of its nets, or another program that speaks UCI. A program
//! that crashes, answers an illegal move, oversteps its clock or does not answer at all loses that
//! game and is started again.

mod game;
mod player;
mod random;
mod series;
mod sprt;
mod uci;

pub use game::{Ending, OPENING_PLIES, Pace};
pub use player::{PlayerError, evaluator};
pub use random::{Random, opening};
pub use series::{PlayedGame, Series, Tally};
pub use sprt::{Pairs, Sprt, Verdict};
pub use uci::{Fault, Halt, UciEngine, UciReply};
