//! Times as the log keeps them, and as people write them.

pub use hansu_annals::dates::*;

/// Now, by the clock of the operating system.
pub fn now() -> Millis {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
