//! Time controls: how much time the players have, and the bounds for it.

use hansu_chess::Color;
use serde::{Deserialize, Serialize};

use crate::Millis;

/// How much time the players have.
///
/// ```
/// use hansu_play::{Bonus, Millis, Stage, TimeControl};
/// assert!(TimeControl::fischer(Millis::minutes(3), Millis::seconds(2)).is_sound());
/// // 40 moves in 90 minutes, then 30 minutes for the rest; 30 seconds a move from the start.
/// let classical = TimeControl::Clock {
///     stages: vec![
///         Stage {
///             moves: Some(40),
///             time: Millis::minutes(90),
///             bonus: Bonus::Increment(Millis::seconds(30)),
///         },
///         Stage {
///             moves: None,
///             time: Millis::minutes(30),
///             bonus: Bonus::Increment(Millis::seconds(30)),
///         },
///     ],
/// };
/// assert!(classical.is_sound());
/// assert!(!TimeControl::Clock { stages: vec![] }.is_sound());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TimeControl {
    /// No clock.
    #[default]
    Unlimited,
    /// The same clock for both sides. Unused time is kept for the next stage; a last stage with a
    /// number of moves is repeated.
    Clock {
        /// One to [`MAX_STAGES`](TimeControl::MAX_STAGES) stages.
        stages: Vec<Stage>,
    },
    /// Time odds: different clocks for White and Black.
    Odds {
        /// White's stages, as in `Clock`.
        white: Vec<Stage>,
        /// Black's stages.
        black: Vec<Stage>,
    },
    /// A number of days for every move; unused days are lost.
    Correspondence {
        /// One to [`MAX_DAYS`](TimeControl::MAX_DAYS) days.
        days: u16,
    },
}

/// A part of a game with its own time.
///
/// ```
/// use hansu_play::{Bonus, Millis, Stage};
/// let stage = Stage { moves: None, time: Millis::minutes(5), bonus: Bonus::None };
/// assert_eq!(serde_json::to_string(&stage)?, r#"{"time":300000,"bonus":"none"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Stage {
    /// The number of moves of each side in this stage; `None` for the rest of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u16>,
    /// The time that the clock gets at the beginning of the stage.
    pub time: Millis,
    /// The time that every move gives.
    #[serde(default)]
    pub bonus: Bonus,
}

/// The time that a move gives to the clock of its player.
///
/// ```
/// use hansu_play::{Bonus, Millis};
/// assert_eq!(Bonus::Delay(Millis(5_000)).delay(), Millis(5_000));
/// assert_eq!(Bonus::Increment(Millis(5_000)).delay(), Millis::ZERO);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Bonus {
    /// Nothing: sudden death.
    #[default]
    None,
    /// This time is added after every move (Fischer).
    Increment(Millis),
    /// The time used for the move is given back, at most this much (Bronstein).
    Bronstein(Millis),
    /// The clock waits this long before it runs (simple or US delay).
    Delay(Millis),
}

impl Bonus {
    /// How long the clock waits before it runs.
    pub const fn delay(self) -> Millis {
        match self {
            Bonus::Delay(delay) => delay,
            Bonus::None | Bonus::Increment(_) | Bonus::Bronstein(_) => Millis::ZERO,
        }
    }

    /// The time in it, whatever its kind.
    const fn size(self) -> Millis {
        match self {
            Bonus::None => Millis::ZERO,
            Bonus::Increment(size) | Bonus::Bronstein(size) | Bonus::Delay(size) => size,
        }
    }
}

impl TimeControl {
    /// The most stages.
    pub const MAX_STAGES: usize = 8;
    /// The longest stage.
    pub const MAX_TIME: Millis = Millis::days(1);
    /// The shortest first stage: less would be over before the player sees the first move.
    pub const MIN_TIME: Millis = Millis::seconds(1);
    /// The largest increment or delay.
    pub const MAX_BONUS: Millis = Millis::minutes(60);
    /// The most days for a move.
    pub const MAX_DAYS: u16 = 365;

    /// One time for the whole game.
    pub fn sudden_death(time: Millis) -> TimeControl {
        TimeControl::one_stage(time, Bonus::None)
    }

    /// Time, and an increment after every move.
    pub fn fischer(time: Millis, increment: Millis) -> TimeControl {
        TimeControl::one_stage(time, Bonus::Increment(increment))
    }

    /// Time, and for every move the time it used is given back, at most `back`.
    pub fn bronstein(time: Millis, back: Millis) -> TimeControl {
        TimeControl::one_stage(time, Bonus::Bronstein(back))
    }

    /// Time, and a delay before the clock runs on every move.
    pub fn delay(time: Millis, delay: Millis) -> TimeControl {
        TimeControl::one_stage(time, Bonus::Delay(delay))
    }

    fn one_stage(time: Millis, bonus: Bonus) -> TimeControl {
        TimeControl::Clock { stages: vec![Stage { moves: None, time, bonus }] }
    }

    /// Different clocks for White and Black; `None` unless both are [`TimeControl::Clock`]. Two equal
    /// clocks give an ordinary one.
    ///
    /// ```
    /// # use hansu_play::{Millis, TimeControl};
    /// let five = || TimeControl::sudden_death(Millis::minutes(5));
    /// let one = TimeControl::sudden_death(Millis::minutes(1));
    /// assert_eq!(TimeControl::odds(five(), five()), Some(five()));
    /// let odds = TimeControl::odds(five(), one).unwrap();
    /// assert_eq!(odds.initial().map(|clocks| clocks.black), Some(Millis::minutes(1)));
    /// assert_eq!(TimeControl::odds(five(), TimeControl::Unlimited), None);
    /// ```
    pub fn odds(white: TimeControl, black: TimeControl) -> Option<TimeControl> {
        match (white, black) {
            (TimeControl::Clock { stages: white }, TimeControl::Clock { stages: black }) => {
                Some(TimeControl::Odds { white, black }.plain())
            }
            _ => None,
        }
    }

    /// The normal form, in which it is kept: odds of equal clocks become an ordinary clock.
    pub(crate) fn plain(self) -> TimeControl {
        match self {
            TimeControl::Odds { white, black } if white == black => {
                TimeControl::Clock { stages: white }
            }
            other => other,
        }
    }

    /// The same with colours swapped: the time stays with the player.
    ///
    /// ```
    /// # use hansu_play::{Millis, TimeControl};
    /// let time = |minutes| TimeControl::sudden_death(Millis::minutes(minutes));
    /// let odds = TimeControl::odds(time(5), time(1));
    /// assert_eq!(odds.map(TimeControl::swapped), TimeControl::odds(time(1), time(5)));
    /// ```
    #[must_use]
    pub fn swapped(self) -> TimeControl {
        match self {
            TimeControl::Odds { white, black } => TimeControl::Odds { white: black, black: white },
            other => other,
        }
    }

    /// The stages of a side's clock; empty for `Unlimited` and `Correspondence`.
    ///
    /// ```
    /// # use hansu_chess::Color;
    /// # use hansu_play::{Millis, TimeControl};
    /// let five = TimeControl::sudden_death(Millis::minutes(5));
    /// assert_eq!(five.stages(Color::Black)[0].time, Millis::minutes(5));
    /// assert!(TimeControl::Unlimited.stages(Color::Black).is_empty());
    /// ```
    pub fn stages(&self, side: Color) -> &[Stage] {
        match self {
            TimeControl::Clock { stages } => stages,
            TimeControl::Odds { white, black } => match side {
                Color::White => white,
                Color::Black => black,
            },
            TimeControl::Unlimited | TimeControl::Correspondence { .. } => &[],
        }
    }

    /// Returns true if a game can be played with it: within all bounds, and every stage reachable.
    ///
    /// ```
    /// # use hansu_play::{Millis, TimeControl};
    /// assert!(TimeControl::Unlimited.is_sound());
    /// assert!(!TimeControl::sudden_death(Millis(999)).is_sound());
    /// assert!(!TimeControl::Correspondence { days: 0 }.is_sound());
    /// ```
    pub fn is_sound(&self) -> bool {
        match self {
            TimeControl::Unlimited => true,
            TimeControl::Correspondence { days } => (1..=TimeControl::MAX_DAYS).contains(days),
            TimeControl::Clock { stages } => are_sound(stages),
            TimeControl::Odds { white, black } => are_sound(white) && are_sound(black),
        }
    }

    /// The value of PGN's `TimeControl` tag, in seconds; `None` without a clock. PGN has no notation
    /// for delays, so only their time is written. For odds see
    /// [`time_odds`](hansu_chess::pgn::time_odds).
    ///
    /// ```
    /// use hansu_play::{Millis, TimeControl};
    /// let blitz = TimeControl::fischer(Millis::minutes(5), Millis::seconds(3));
    /// assert_eq!(blitz.pgn().as_deref(), Some("300+3"));
    /// let days = TimeControl::Correspondence { days: 2 };
    /// assert_eq!(days.pgn().as_deref(), Some("1/172800"));
    /// ```
    pub fn pgn(&self) -> Option<String> {
        match self {
            TimeControl::Unlimited => None,
            TimeControl::Correspondence { days } => {
                Some(format!("1/{}", seconds(Millis::days(u64::from(*days)))))
            }
            TimeControl::Clock { stages } => Some(stages_pgn(stages)),
            TimeControl::Odds { white, black } => {
                hansu_chess::pgn::time_odds(&stages_pgn(white), &stages_pgn(black))
            }
        }
    }
}

/// Returns true if a clock can have these stages.
fn are_sound(stages: &[Stage]) -> bool {
    let Some((_, earlier)) = stages.split_last() else {
        return false;
    };
    stages.len() <= TimeControl::MAX_STAGES
        && stages[0].time >= TimeControl::MIN_TIME
        && earlier.iter().all(|stage| stage.moves.is_some())
        && stages.iter().all(|stage| {
            stage.moves != Some(0)
                && stage.time <= TimeControl::MAX_TIME
                && stage.bonus.size() <= TimeControl::MAX_BONUS
        })
}

fn stages_pgn(stages: &[Stage]) -> String {
    let stages: Vec<String> = stages.iter().map(stage_pgn).collect();
    stages.join(":")
}

fn stage_pgn(stage: &Stage) -> String {
    let moves = stage.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
    let bonus = match stage.bonus {
        Bonus::Increment(time) => format!("+{}", seconds(time)),
        Bonus::None | Bonus::Bronstein(_) | Bonus::Delay(_) => String::new(),
    };
    format!("{moves}{}{bonus}", seconds(stage.time))
}

/// Whole seconds, as PGN needs them, rounded up so that a short time does not become 0.
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
            (
                TimeControl::Odds {
                    white: vec![stage(Some(40), 90, half), stage(None, 30, half)],
                    black: vec![stage(None, 5, Bonus::None)],
                },
                Some("W40/5400+30:1800+30 B300"),
            ),
        ] {
            assert_eq!(time.pgn().as_deref(), words, "{time:?}");
        }
    }

    fn stage(moves: Option<u16>, time: Millis, bonus: Bonus) -> Stage {
        Stage { moves, time, bonus }
    }

    fn clock(stages: &[Stage]) -> TimeControl {
        TimeControl::Clock { stages: stages.to_vec() }
    }

    #[test]
    fn bounds_are_inclusive() {
        let one = Millis(1);
        assert!(TimeControl::sudden_death(TimeControl::MIN_TIME).is_sound());
        assert!(!TimeControl::sudden_death(TimeControl::MIN_TIME.minus(one)).is_sound());
        assert!(TimeControl::sudden_death(TimeControl::MAX_TIME).is_sound());
        assert!(!TimeControl::sudden_death(TimeControl::MAX_TIME.plus(one)).is_sound());
        for bonus in [TimeControl::fischer, TimeControl::bronstein, TimeControl::delay] {
            let time = Millis::minutes(1);
            assert!(bonus(time, TimeControl::MAX_BONUS).is_sound());
            assert!(!bonus(time, TimeControl::MAX_BONUS.plus(one)).is_sound());
        }
        for (days, sound) in [(0, false), (1, true), (365, true), (366, false)] {
            assert_eq!(TimeControl::Correspondence { days }.is_sound(), sound);
        }
    }

    #[test]
    fn odds_are_sound_when_both_clocks_are() {
        let good = vec![stage(None, Millis::minutes(1), Bonus::None)];
        let bad = vec![stage(None, Millis::ZERO, Bonus::None)];
        for (white, black, sound) in [
            (good.clone(), good.clone(), true),
            (good.clone(), bad.clone(), false),
            (bad.clone(), good.clone(), false),
            (good.clone(), vec![], false),
            (vec![], good, false),
        ] {
            assert_eq!(TimeControl::Odds { white, black }.is_sound(), sound);
        }
    }

    #[test]
    fn every_stage_but_the_last_needs_a_number_of_moves() {
        let time = Millis::minutes(1);
        let open = stage(None, time, Bonus::None);
        let forty = stage(Some(40), time, Bonus::None);
        assert!(!clock(&[]).is_sound());
        assert!(clock(&[forty, open]).is_sound());
        assert!(clock(&[forty, forty]).is_sound());
        assert!(!clock(&[open, open]).is_sound());
        assert!(!clock(&[stage(Some(0), time, Bonus::None)]).is_sound());
        assert!(clock(&[stage(Some(1), time, Bonus::None)]).is_sound());
        assert!(clock(&[forty; 8]).is_sound());
        assert!(!clock(&[forty; 9]).is_sound());
        // A later stage may change only the bonus; the first needs time.
        assert!(clock(&[forty, stage(None, Millis::ZERO, Bonus::None)]).is_sound());
        assert!(!clock(&[stage(Some(40), Millis::ZERO, Bonus::None), open]).is_sound());
    }
}
