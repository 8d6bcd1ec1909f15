//! The clock of the side to move: when it runs out, and what a move costs.
//!
//! The rules, in one place:
//!
//! - The mover's clock stops when the move is *received*; the opponent's starts when the move is
//!   *committed* (the `at` of its entry). Nobody pays for a slow disk.
//! - Each side's first move is free: it costs nothing and gives no bonus, but it must come within
//!   a tenth of its first stage, at least a minute; otherwise the game is aborted and neither
//!   side loses. In correspondence every move counts.
//! - A clock has run out when the time used is equal to the time it had, not only when greater.
//! - Lag, as the server measured it, is not charged: at most [`LAG_PER_MOVE`] for a move, and for
//!   a game at most [`LAG_PER_GAME`] or a sixth of the first stage, whichever is less. So a player
//!   who pretends to be slow gains little, even in a game of one minute. A takeback does not
//!   refund it. Correspondence has none.
//! - Since lag is known only when the move arrives, a flag is called only once no lag could save
//!   the move any more: that is [`State::deadline`](crate::State::deadline). A move that arrives
//!   before the clock is at zero is never too late, and one that arrives between the two is in
//!   time exactly when its lag covers the difference.

use hansu_chess::Color;

use crate::{Bonus, Clocks, Millis, Moment, Stage, TimeControl};

/// The most lag that is forgiven for one move.
///
/// ```
/// # use hansu_play::{LAG_PER_MOVE, Millis};
/// assert_eq!(LAG_PER_MOVE, Millis(500));
/// ```
pub const LAG_PER_MOVE: Millis = Millis(500);

/// The most lag that is forgiven to a side in one game.
///
/// ```
/// # use hansu_play::{LAG_PER_GAME, Millis};
/// assert_eq!(LAG_PER_GAME, Millis::seconds(10));
/// ```
pub const LAG_PER_GAME: Millis = Millis::seconds(10);

/// Lag forgiven in one game is at most the first stage divided by this.
const LAG_SHARE: u64 = 6;

/// The least time for a first move; longer games give a tenth of their first stage.
///
/// ```
/// # use hansu_play::{FIRST_MOVE, Millis};
/// assert_eq!(FIRST_MOVE, Millis::minutes(1));
/// ```
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

/// The stage of a side that has made so many moves, and what its clock gets when the next move is
/// the last of that stage.
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
        let gift = if last_move { next.unwrap_or(&stage).time } else { Millis::ZERO };
        return Some((stage, gift));
    }
    None
}

/// How the time of a turn is counted.
#[derive(Clone, Copy)]
enum Pace {
    /// A first move: not charged, but not for ever.
    Free { most: Millis, gift: Millis },
    /// A running clock; lag up to a bound is forgiven.
    Clock { bonus: Bonus, gift: Millis, lag: Millis },
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
    /// When it starts to count down; never for a first move, which is free.
    pub from: Option<Millis>,
    /// When the game is over by it.
    pub until: Millis,
}

/// A clock that was stopped in time.
pub(crate) struct Stopped {
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
                let (stage, gift) = stage(control.stages(side), plies / 2)?;
                if plies < 2 {
                    let most = control.first_move(side);
                    Pace::Free { most, gift }
                } else {
                    Pace::Clock { bonus: stage.bonus, gift, lag: LAG_PER_MOVE.min(lag) }
                }
            }
        };
        Some(Turn { pace, left, since })
    }

    /// Whether running out of time means that nobody began.
    pub(crate) fn is_first_move(&self) -> bool {
        matches!(self.pace, Pace::Free { .. })
    }

    /// From when on no move can be in time, whatever its lag.
    pub(crate) fn deadline(&self) -> Millis {
        let most = match self.pace {
            Pace::Free { most, .. } => most,
            Pace::Clock { bonus, lag, .. } => self.left.plus(bonus.delay()).plus(lag),
            Pace::PerMove { .. } => self.left,
        };
        self.since.plus(most)
    }

    /// What a clock on the wall has to know.
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
    pub(crate) fn stop(&self, now: Moment) -> Option<Stopped> {
        // A move that waited in the queue while the opponent's was committed costs nothing.
        let received = now.received.max(self.since);
        let elapsed = received.minus(self.since);
        let (forgiven, left) = match self.pace {
            Pace::Free { gift, .. } => (Millis::ZERO, self.left.plus(gift)),
            Pace::PerMove { full } => (Millis::ZERO, full),
            Pace::Clock { bonus, gift, lag } => {
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
                (forgiven, self.left.minus(charged).plus(back).plus(gift))
            }
        };
        Some(Stopped { received, lag: forgiven, left })
    }

    /// What the clock shows.
    pub(crate) fn showing(&self, now: Millis) -> Millis {
        let elapsed = now.minus(self.since);
        match self.pace {
            Pace::Free { .. } => self.left,
            Pace::Clock { bonus, .. } => self.left.minus(elapsed.minus(bonus.delay())),
            Pace::PerMove { .. } => self.left.minus(elapsed),
        }
    }

    /// What the clock shows when the game is adjourned in the middle of the turn; `None` when it is
    /// at zero. What Bronstein's rule would have given back is given back; the delay begins anew
    /// when the game goes on.
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
        for (made, (time, gift)) in expected.into_iter().enumerate() {
            let (stage, given) = stage(&stages, made).expect("a stage");
            assert_eq!((stage.time, given), (Millis(time), Millis(gift)), "{made}");
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
