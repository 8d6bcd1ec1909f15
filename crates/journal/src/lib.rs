//! Writes games into the log and reads them: `hansu-play` has no database and `hansu-records` has
//! no rules; this crate joins the two.
//!
//! [`to_event`] turns an entry of a game into an event of the log, [`row`] returns its change of
//! the game's row, [`summary`] the whole row, [`catch_up`] reads entries that other processes have
//! written, and [`to_row`] converts a game for lists.

mod load;
mod protocol;
mod row;
mod time;
mod trouble;
mod write;

pub use load::{LoadError, catch_up, load};
pub use protocol::{to_row, visibility};
pub use row::{row, summary};
pub use time::{log_time, now};
pub use trouble::log_error;
pub use write::to_event;
