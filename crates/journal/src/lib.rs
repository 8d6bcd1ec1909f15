//! How a game between two seats is written into the log, and read from it: `hansu-play` knows no
//! database and `hansu-records` knows no rules, so whoever plays joins the two here.
//!
//! [`written`] makes an entry of a game an event of the log, [`row`] says what it changes of the
//! game's row, all of which is [`summary`], [`catch_up`] reads what others have written, and
//! [`listed`] tells a game as lists do.

mod listed;
mod load;
mod row;
mod time;
mod trouble;
mod write;

pub use listed::{listed, visibility};
pub use load::{LoadError, catch_up, load};
pub use row::{row, summary};
pub use time::{log_time, now};
pub use trouble::log_error;
pub use write::written;
