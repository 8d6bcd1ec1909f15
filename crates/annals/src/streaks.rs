//! Runs of results.

use serde::Serialize;

use crate::dates::LogTime;

/// Runs of games, in the order in which the games began.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Streaks {
    /// The longest run of wins.
    pub wins: Run,
    /// The longest run without a loss.
    pub unbeaten: Run,
    /// The longest run of losses.
    pub losses: Run,
    /// The current run: wins if positive, losses if negative.
    pub current: i64,
}

/// A run of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Run {
    /// How many games.
    pub games: u64,
    /// When the last of them began.
    pub until: Option<LogTime>,
}

/// How a decided game ended for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Won.
    Win,
    /// Drawn.
    Draw,
    /// Lost.
    Loss,
}

impl Streaks {
    /// Computes the runs of games, which must be in order.
    pub fn of(games: impl Iterator<Item = (Ending, LogTime)>) -> Streaks {
        let mut streaks = Streaks::default();
        let (mut wins, mut unbeaten, mut losses) = (0, 0, 0);
        for (ending, at) in games {
            (wins, unbeaten, losses) = match ending {
                Ending::Win => (wins + 1, unbeaten + 1, 0),
                Ending::Draw => (0, unbeaten + 1, 0),
                Ending::Loss => (0, 0, losses + 1),
            };
            for (run, games) in [
                (&mut streaks.wins, wins),
                (&mut streaks.unbeaten, unbeaten),
                (&mut streaks.losses, losses),
            ] {
                if games > run.games {
                    *run = Run { games, until: Some(at) };
                }
            }
        }
        streaks.current =
            i64::try_from(wins).unwrap_or(i64::MAX) - i64::try_from(losses).unwrap_or(i64::MAX);
        streaks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streaks_are_the_longest_and_the_current() {
        use Ending::{Draw, Loss, Win};
        let games = [Win, Win, Draw, Win, Loss, Loss, Draw, Win, Win, Win];
        let streaks = Streaks::of(games.into_iter().zip(1..));
        let run = |games, until| Run { games, until: Some(until) };
        assert_eq!(streaks.wins, run(3, 10));
        assert_eq!(streaks.unbeaten, run(4, 4));
        assert_eq!(streaks.losses, run(2, 6));
        assert_eq!(streaks.current, 3);
        assert_eq!(Streaks::of(std::iter::empty()), Streaks::default());
        assert_eq!(Streaks::of([(Loss, 1), (Loss, 2)].into_iter()).current, -2);
    }
}
