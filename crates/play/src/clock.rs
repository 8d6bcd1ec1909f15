//! The clock of the side to move: when it runs out, and how much time a move costs.
//!
//! The rules, in one place:
//!
//! - The mover's clock stops when the move is *received*; the opponent's starts when the move is
//!   *committed* (the `at` of its entry). A slow disk costs neither side time.
//! - Each side's first move is free: it costs nothing and gives no bonus, but it must come within
//!   a tenth of its first stage, at least a minute; otherwise the game is aborted and neither
//!   side loses. In correspondence every move counts.
//! - A clock has run out when the time used is equal to the time it had, not only when greater.
//! - Lag, as the server measured it, is not charged: at most [`LAG_PER_MOVE`] for a move, and for
//!   a game at most [`LAG_PER_GAME`] or a sixth of the first stage, whichever is less. So a player
//!   who pretends to be slow gains little, even in a game of one minute. A takeback does not
//!   refund it. Correspondence has none.
//! - Lag is known only when the move arrives. So the flag falls only when no lag could save a move
//!   any more: at [`State::deadline`](crate::State::deadline). A move that arrives before the clock
//!   is at zero is always in time; one that arrives between zero and the deadline is in time if its
//!   lag covers the difference.

use hansu_chess::Color;

use crate::{Bonus, Clocks, Millis, Moment, Stage, TimeControl};

/// The most lag that is forgiven for one move: 500 ms.
pub const LAG_PER_MOVE: Millis = Millis(500);

/// The most lag that is forgiven to a side in one game: 10 s.
pub const LAG_PER_GAME: Millis = Millis::seconds(10);

/// Lag forgiven in one game is at most the first stage divided by this.
const LAG_SHARE: u64 = 6;

/// The time for a first move: at least this minute; longer games give a tenth of their first stage.
pub const FIRST_MOVE: Millis = Millis::minutes(1);

impl TimeControl {
    /// What the clocks show at the start; `None` without clock.
    ///
    /// ```
    /// # use hansu_play::{Millis, TimeControl};
    /// let five = TimeControl::sudden_death(Millis::minutes(5));
    /// assert_eq!(five.initial().map(|clocks| clocks.white), Some(Millis::minutes(5)));
    /// assert_eq!(TimeControl::Unlimited.initial(), None);
    /// ```
    pub fn initial(&self) -> Option<Clocks> {
        match self {
            TimeControl::Unlimited => None,
            TimeControl::Clock { .. } | TimeControl::Odds { .. } => {
                let first = |side| self.stages(side).first().map(|stage| stage.time);
                Some(Clocks { white: first(Color::White)?, black: first(Color::Black)? })
            }
            TimeControl::Correspondence { days } => {
                Some(Clocks::both(Millis::days(u64::from(*days))))
            }
        }
    }

    /// All the lag that is forgiven to a side.
    ///
    /// ```
    /// # use hansu_chess::Color::White;
    /// # use hansu_play::{Millis, TimeControl};
    /// let lag = |seconds| TimeControl::sudden_death(Millis::seconds(seconds)).lag_budget(White);
    /// assert_eq!(lag(30), Millis::seconds(5));
    /// assert_eq!(lag(60), Millis::seconds(10));
    /// assert_eq!(lag(600), Millis::seconds(10));
    /// ```
    pub fn lag_budget(&self, side: Color) -> Millis {
        self.stages(side)
            .first()
            .map_or(Millis::ZERO, |stage| LAG_PER_GAME.min(Millis(stage.time.0 / LAG_SHARE)))
    }

    /// How long a side has for its first move.
    fn first_move(&self, side: Color) -> Millis {
        self.stages(side)
            .first()
            .map_or(FIRST_MOVE, |stage| FIRST_MOVE.max(Millis(stage.time.0 / 10)))
    }
}

/// The stage of a side that has made `made` moves, and the time that its next move adds if it is the
/// last of that stage.
fn stage(stages: &[Stage], made: usize) -> Option<(Stage, Millis)> {
    let mut in_stage = made;
    for (number, &stage) in stages.iter().enumerate() {
        let next = stages.get(number + 1);
        let Some(moves) = stage.moves.map(usize::from) else {
            return Some((stage, Millis::ZERO));
        };
        if next.is_some() && in_stage >= moves {
            in_stage -= moves;
            continue;
        }
        // The last stage is repeated.
        let last_move = in_stage.checked_rem(moves)? + 1 == moves;
        let stage_time = if last_move { next.unwrap_or(&stage).time } else { Millis::ZERO };
        return Some((stage, stage_time));
    }
    None
}

/// How the time of a turn is counted.
#[derive(Clone, Copy)]
enum Pace {
    /// A first move: free, but it must come within `most`.
    Free { most: Millis, stage_time: Millis },
    /// A running clock; lag up to a bound is forgiven.
    Clock { bonus: Bonus, stage_time: Millis, lag: Millis },
    /// A fixed time for every move.
    PerMove { full: Millis },
}

/// The turn of the side whose clock runs.
pub(crate) struct Turn {
    pace: Pace,
    left: Millis,
    since: Millis,
}

/// A clock that runs: it shows `left` until `from`, and less and less afterwards.
///
/// ```
/// use hansu_play::{State, Ticking};
/// let none: Option<Ticking> = State::default().ticking();
/// assert_eq!(none, None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticking {
    /// What the clock shows until it counts down.
    pub left: Millis,
    /// When it starts to count down; `None` for a first move, which is free.
    pub from: Option<Millis>,
    /// When the game ends by this clock if no move comes.
    pub until: Millis,
}

/// The result of a clock that was stopped in time.
pub(crate) struct StoppedClock {
    pub(crate) received: Millis,
    pub(crate) lag: Millis,
    pub(crate) left: Millis,
}

impl Turn {
    /// The turn of a side after a number of moves of both sides, with the time on its clock and the
    /// lag that can still be forgiven. `None` without clock.
    pub(crate) fn new(
        control: &TimeControl,
        side: Color,
        plies: usize,
        left: Millis,
        since: Millis,
        lag: Millis,
    ) -> Option<Turn> {
        let pace = match control {
            TimeControl::Unlimited => return None,
            &TimeControl::Correspondence { days } => {
                Pace::PerMove { full: Millis::days(u64::from(days)) }
            }
            TimeControl::Clock { .. } | TimeControl::Odds { .. } => {
                // Sides take turns, so the mover has made half of the moves, rounded down.
                let (stage, stage_time) = stage(control.stages(side), plies / 2)?;
                if plies < 2 {
                    let most = control.first_move(side);
                    Pace::Free { most, stage_time }
                } else {
                    Pace::Clock { bonus: stage.bonus, stage_time, lag: LAG_PER_MOVE.min(lag) }
                }
            }
        };
        Some(Turn { pace, left, since })
    }

    /// Returns true for a side's first move: without it in time, the game is aborted.
    pub(crate) fn is_first_move(&self) -> bool {
        matches!(self.pace, Pace::Free { .. })
    }

    /// The time from which no move can be in time, whatever its lag.
    pub(crate) fn deadline(&self) -> Millis {
        let most = match self.pace {
            Pace::Free { most, .. } => most,
            Pace::Clock { bonus, lag, .. } => self.left.plus(bonus.delay()).plus(lag),
            Pace::PerMove { .. } => self.left,
        };
        self.since.plus(most)
    }

    /// What a client needs to draw the clock.
    pub(crate) fn ticking(&self) -> Ticking {
        let from = match self.pace {
            Pace::Free { .. } => None,
            Pace::Clock { bonus, .. } => Some(self.since.plus(bonus.delay())),
            Pace::PerMove { .. } => Some(self.since),
        };
        Ticking { left: self.left, from, until: self.deadline() }
    }

    /// Stops the clock for a move that came before the deadline; `None` when it came after the zero
    /// of the clock and its lag does not cover the difference.
    pub(crate) fn stop(&self, now: Moment) -> Option<StoppedClock> {
        // A move received before the opponent's was committed costs nothing.
        let received = now.received.max(self.since);
        let elapsed = received.minus(self.since);
        let (forgiven, left) = match self.pace {
            Pace::Free { stage_time, .. } => (Millis::ZERO, self.left.plus(stage_time)),
            Pace::PerMove { full } => (Millis::ZERO, full),
            Pace::Clock { bonus, stage_time, lag } => {
                let forgiven = now.lag.min(lag).min(elapsed);
                let used = elapsed.minus(forgiven);
                if used >= self.left.plus(bonus.delay()) {
                    return None;
                }
                let back = match bonus {
                    Bonus::None | Bonus::Delay(_) => Millis::ZERO,
                    Bonus::Increment(increment) => increment,
                    Bonus::Bronstein(most) => used.min(most),
                };
                let charged = used.minus(bonus.delay());
                (forgiven, self.left.minus(charged).plus(back).plus(stage_time))
            }
        };
        Some(StoppedClock { received, lag: forgiven, left })
    }

    /// What the clock shows at this time.
    pub(crate) fn showing(&self, now: Millis) -> Millis {
        let elapsed = now.minus(self.since);
        match self.pace {
            Pace::Free { .. } => self.left,
            Pace::Clock { bonus, .. } => self.left.minus(elapsed.minus(bonus.delay())),
            Pace::PerMove { .. } => self.left.minus(elapsed),
        }
    }

    /// What the clock shows when the game is adjourned during the turn; `None` if it is at zero. The
    /// time that Bronstein's rule gives back is given back; the delay starts again when the game goes
    /// on.
    pub(crate) fn paused(&self, now: Millis) -> Option<Millis> {
        let showing = self.showing(now);
        let back = match self.pace {
            Pace::Clock { bonus: Bonus::Bronstein(most), .. } => most.min(now.minus(self.since)),
            Pace::Clock { .. } | Pace::Free { .. } | Pace::PerMove { .. } => Millis::ZERO,
        };
        (showing > Millis::ZERO).then(|| showing.plus(back))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn staged(stages: &[(Option<u16>, u64)]) -> Vec<Stage> {
        stages
            .iter()
            .map(|&(moves, time)| Stage { moves, time: Millis(time), bonus: Bonus::None })
            .collect()
    }

    #[test]
    fn stages_follow_each_other_and_the_last_is_repeated() {
        let stages = staged(&[(Some(2), 10), (Some(3), 20), (Some(2), 30)]);
        let expected = [
            (10, 0),
            (10, 20),
            (20, 0),
            (20, 0),
            (20, 30),
            (30, 0),
            (30, 30),
            (30, 0),
            (30, 30),
            (30, 0),
        ];
        for (made, (time, stage_time)) in expected.into_iter().enumerate() {
            let (stage, given) = stage(&stages, made).expect("a stage");
            assert_eq!((stage.time, given), (Millis(time), Millis(stage_time)), "{made}");
        }
    }

    #[test]
    fn a_last_stage_without_number_goes_on_for_ever() {
        let stages = staged(&[(Some(1), 10), (None, 20)]);
        for (made, expected) in [(0, (10, 20)), (1, (20, 0)), (2, (20, 0)), (999, (20, 0))] {
            let (stage, given) = stage(&stages, made).expect("a stage");
            assert_eq!((stage.time.0, given.0), expected, "{made}");
        }
        assert!(stage(&[], 0).is_none());
        assert!(stage(&staged(&[(Some(0), 10)]), 0).is_none());
    }
}
