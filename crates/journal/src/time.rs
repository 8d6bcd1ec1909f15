//! Converts times of games to times of the log.

use hansu_play::Millis;
use hansu_records::dates;

/// The current time, in the type that games use.
///
/// ```
/// assert!(hansu_journal::now() > hansu_play::Millis::days(365 * 50));
/// ```
pub fn now() -> Millis {
    Millis(dates::now().max(0).cast_unsigned())
}

/// A time in the log's type, which is signed because imported games may be older than 1970. A time
/// beyond its range becomes the largest one.
///
/// ```
/// assert_eq!(hansu_journal::log_time(hansu_play::Millis(7)), 7);
/// ```
pub fn log_time(time: Millis) -> dates::LogTime {
    i64::try_from(time.0).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_beyond_the_log_is_its_last() {
        assert_eq!(log_time(Millis(u64::MAX)), i64::MAX);
    }
}
