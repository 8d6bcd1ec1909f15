//! Times as the log writes them.

use hansu_play::Millis;
use hansu_records::dates;

/// The clock on the wall, as games count it.
///
/// ```
/// assert!(hansu_journal::now() > hansu_play::Millis::days(365 * 50));
/// ```
pub fn now() -> Millis {
    Millis(dates::now().max(0).cast_unsigned())
}

/// A moment as the log counts it: in signed numbers, since files know games from before 1970.
///
/// ```
/// assert_eq!(hansu_journal::log_time(hansu_play::Millis(7)), 7);
/// ```
pub fn log_time(time: Millis) -> dates::Millis {
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
