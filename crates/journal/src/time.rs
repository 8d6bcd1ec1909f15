//! Times and time controls as the log writes them.

use hansu_play::{Bonus, Millis, Stage, TimeControl};
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

/// A time control as PGN writes it, in seconds; `None` without a clock. PGN has no sign for delays:
/// of those only the time is written.
///
/// ```
/// use hansu_journal::time_control;
/// use hansu_play::{Millis, TimeControl};
/// let blitz = TimeControl::fischer(Millis::minutes(5), Millis::seconds(3));
/// assert_eq!(time_control(&blitz).as_deref(), Some("300+3"));
/// let days = TimeControl::Correspondence { days: 2 };
/// assert_eq!(time_control(&days).as_deref(), Some("1/172800"));
/// ```
pub fn time_control(time: &TimeControl) -> Option<String> {
    match time {
        TimeControl::Unlimited => None,
        TimeControl::Correspondence { days } => {
            Some(format!("1/{}", seconds(Millis::days(u64::from(*days)))))
        }
        TimeControl::Clock { stages } => {
            let stages: Vec<String> = stages.iter().map(stage).collect();
            Some(stages.join(":"))
        }
    }
}

fn stage(stage: &Stage) -> String {
    let moves = stage.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
    let bonus = match stage.bonus {
        Bonus::Increment(time) => format!("+{}", seconds(time)),
        Bonus::None | Bonus::Bronstein(_) | Bonus::Delay(_) => String::new(),
    };
    format!("{moves}{}{bonus}", seconds(stage.time))
}

/// Whole ones, upwards: PGN has no others, and no time is not what was played.
const fn seconds(time: Millis) -> u64 {
    time.0.div_ceil(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_time_control_has_its_words() {
        let stage = |moves, minutes, bonus| Stage { moves, time: Millis::minutes(minutes), bonus };
        let half = Bonus::Increment(Millis::seconds(30));
        for (time, words) in [
            (TimeControl::Unlimited, None),
            (TimeControl::sudden_death(Millis::minutes(5)), Some("300")),
            (TimeControl::sudden_death(Millis(1_500)), Some("2")),
            (TimeControl::delay(Millis::minutes(5), Millis::seconds(2)), Some("300")),
            (TimeControl::bronstein(Millis::minutes(5), Millis::seconds(2)), Some("300")),
            (
                TimeControl::Clock {
                    stages: vec![stage(Some(40), 90, half), stage(None, 30, half)],
                },
                Some("40/5400+30:1800+30"),
            ),
        ] {
            assert_eq!(time_control(&time).as_deref(), words, "{time:?}");
        }
    }

    #[test]
    fn a_moment_beyond_the_log_is_its_last() {
        assert_eq!(log_time(Millis(u64::MAX)), i64::MAX);
    }
}
