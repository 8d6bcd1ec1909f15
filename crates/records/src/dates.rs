//! Times of the log, and their text formats.

pub use hansu_annals::dates::*;

/// Now, by the clock of the operating system.
pub fn now() -> LogTime {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
