//! How a game between two seats is written into the log, and read from it: `hansu-play` knows no
//! database and `hansu-records` knows no rules, so whoever plays joins the two here.
//!
//! [`written`] makes an entry of a game an event of the log, [`summary`] makes the row beside it,
//! and [`catch_up`] reads what others have written.

mod load;
mod row;
mod time;
mod trouble;
mod write;

pub use load::{LoadError, catch_up, load};
pub use row::summary;
pub use time::{log_time, now};
pub use trouble::log_error;
pub use write::written;
