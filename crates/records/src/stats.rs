//! Wins, draws and losses.

use serde::Serialize;

use crate::dates::Millis;
use crate::{Holder, Score};

/// Who looks at the log: some games are private.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Viewer {
    /// The person who has the log itself, and sees everything.
    #[default]
    Keeper,
    /// A player over the network, who sees public games and their own, and of what people write on
    /// games only their own.
    Guest(Option<Holder>),
}

/// Results by colour. Games that are being played, adjourned or aborted are not in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// Ended without a result.
    pub open: u64,
}

impl Tally {
    /// All games.
    pub const fn games(self) -> u64 {
        self.white + self.draws + self.black + self.open
    }

    /// How many with one result.
    pub const fn of(self, score: Score) -> u64 {
        match score {
            Score::White => self.white,
            Score::Draw => self.draws,
            Score::Black => self.black,
            Score::Open => self.open,
        }
    }
}

/// Results as one player sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Standing {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// Ended without a result.
    pub open: u64,
}

impl Standing {
    /// All games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses + self.open
    }

    /// Points: one for a win, half for a draw.
    #[allow(clippy::cast_precision_loss)] // nobody plays 2^52 games
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Standing) -> Standing {
        Standing {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            open: self.open + other.open,
        }
    }

    /// White's view of a tally.
    pub const fn of_white(tally: Tally) -> Standing {
        Standing { wins: tally.white, draws: tally.draws, losses: tally.black, open: tally.open }
    }

    /// Black's view of a tally.
    pub const fn of_black(tally: Tally) -> Standing {
        Standing { wins: tally.black, draws: tally.draws, losses: tally.white, open: tally.open }
    }
}

/// One player's results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerStats {
    /// The name, as it was first written.
    pub name: String,
    /// With the white pieces.
    pub white: Standing,
    /// With the black pieces.
    pub black: Standing,
}

impl PlayerStats {
    /// With both colours.
    pub const fn both(&self) -> Standing {
        self.white.plus(self.black)
    }
}

/// The results of the player who holds a key, under whatever names: games in which the player had
/// one of the colours. Neither games with both colours (two at one screen) nor those brought in a
/// file are in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Own {
    /// By colour, with the name of the last game; an empty one without any.
    pub player: PlayerStats,
    /// Runs.
    pub streaks: Streaks,
    /// Those met most often first.
    pub opponents: Vec<(String, Standing)>,
    /// By reason.
    pub reasons: Vec<Bucket>,
    /// By month.
    pub months: Vec<Bucket>,
    /// By opening.
    pub openings: Vec<Bucket>,
    /// By source.
    pub sources: Vec<Bucket>,
}

/// Two players' games against each other, as the first one sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct HeadToHead {
    /// The first with the white pieces.
    pub white: Standing,
    /// The first with the black pieces.
    pub black: Standing,
}

/// Runs, in the order in which games began.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Streaks {
    /// The longest run of wins.
    pub wins: Run,
    /// The longest run without a loss.
    pub unbeaten: Run,
    /// The longest run of losses.
    pub losses: Run,
    /// The run that goes on: wins when positive, losses when negative.
    pub current: i64,
}

/// A run of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Run {
    /// How many games.
    pub games: u64,
    /// When the last of them began.
    pub until: Option<Millis>,
}

/// How a decided game ended for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Win,
    Draw,
    Loss,
}

impl Streaks {
    /// Reads games in their order.
    pub(crate) fn of(games: impl Iterator<Item = (Ending, Millis)>) -> Streaks {
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

/// By what results are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Facet {
    /// Why games ended; the most frequent reason first.
    Reason,
    /// The month in which they began, in order.
    Month,
    /// The opening; the most frequent first.
    Opening,
    /// Where they come from; the most frequent first.
    Source,
}

/// The results that share something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Bucket {
    /// What they share: a reason's code (`-` for none), `2026-11`, `C60 Ruy Lopez`, `terminal`.
    pub label: String,
    /// The results by colour.
    pub tally: Tally,
    /// The results as the player sees them, when one was asked for.
    pub standing: Option<Standing>,
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
