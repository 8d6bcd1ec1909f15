//! Wins, draws and losses.

use std::fmt;

use hansu_chess::Color;
use serde::{Serialize, Serializer};

use crate::Ending;

/// The result of a game, as PGN writes it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Score {
    /// `1-0`
    White,
    /// `1/2-1/2`
    Draw,
    /// `0-1`
    Black,
    /// `*`: not decided.
    Open,
}

impl Score {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [Score] = &[Score::White, Score::Draw, Score::Black, Score::Open];

    /// The result of an ended game.
    pub const fn of(winner: Option<Color>) -> Score {
        match winner {
            Some(Color::White) => Score::White,
            Some(Color::Black) => Score::Black,
            None => Score::Draw,
        }
    }

    /// The word for programs; it never changes.
    pub const fn word(self) -> &'static str {
        match self {
            Score::White => "1-0",
            Score::Draw => "1/2-1/2",
            Score::Black => "0-1",
            Score::Open => "*",
        }
    }

    /// The value of a word.
    pub fn from_word(word: &str) -> Option<Score> {
        Score::ALL.iter().copied().find(|score| score.word() == word)
    }

    /// The number that stands for it in a log; it never changes.
    pub const fn number(self) -> i64 {
        self as i64
    }

    /// The value of a number.
    pub fn from_number(number: i64) -> Option<Score> {
        usize::try_from(number).ok().and_then(|number| Score::ALL.get(number)).copied()
    }

    /// How the game ended for the player of a colour; `None` without a result.
    pub fn ending(self, us: Color) -> Option<Ending> {
        match self {
            Score::Open => None,
            Score::Draw => Some(Ending::Draw),
            won if won == Score::of(Some(us)) => Some(Ending::Win),
            Score::White | Score::Black => Some(Ending::Loss),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// Results by colour. Live, adjourned and aborted games are not counted.
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
    /// Counts a number of games with a result.
    pub fn add(&mut self, score: Score, games: u64) {
        *match score {
            Score::White => &mut self.white,
            Score::Draw => &mut self.draws,
            Score::Black => &mut self.black,
            Score::Open => &mut self.open,
        } += games;
    }

    /// The number of all games.
    pub const fn games(self) -> u64 {
        self.white + self.draws + self.black + self.open
    }

    /// The number of games with one result.
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
    /// Counts games with a result, for the player of a colour.
    pub fn add(&mut self, score: Score, us: Color, games: u64) {
        *match score.ending(us) {
            Some(Ending::Win) => &mut self.wins,
            Some(Ending::Draw) => &mut self.draws,
            Some(Ending::Loss) => &mut self.losses,
            None => &mut self.open,
        } += games;
    }

    /// The number of all games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses + self.open
    }

    /// Points: one for a win, half for a draw.
    #[allow(clippy::cast_precision_loss)] // 2^52 games are not played
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// White's view of a tally.
    pub const fn of_white(tally: Tally) -> Standing {
        Standing { wins: tally.white, draws: tally.draws, losses: tally.black, open: tally.open }
    }

    /// The sum of both.
    #[must_use]
    pub const fn plus(self, other: Standing) -> Standing {
        Standing {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            open: self.open + other.open,
        }
    }
}

/// One player's results.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PlayerStats {
    /// The name, as it was first written.
    pub name: String,
    /// With the white pieces.
    pub white: Standing,
    /// With the black pieces.
    pub black: Standing,
}

impl PlayerStats {
    /// Counts a game that the player had with a colour.
    pub fn add(&mut self, score: Score, us: Color) {
        match us {
            Color::White => self.white.add(score, us, 1),
            Color::Black => self.black.add(score, us, 1),
        }
    }

    /// With both colours.
    pub const fn both(&self) -> Standing {
        self.white.plus(self.black)
    }
}

/// A property by which results are grouped.
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

/// The results of one group.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Bucket {
    /// The group: a reason's code (`-` for none), `2026-11`, `C60 Ruy Lopez`, `terminal`.
    pub label: String,
    /// The results by colour.
    pub tally: Tally,
    /// The results from one player's side; `None` for results of all players.
    pub standing: Option<Standing>,
}

/// The colours with which a player has played a game; both, for a game against oneself.
pub fn colours<T: PartialEq + ?Sized>(
    white: &T,
    black: &T,
    player: &T,
) -> impl Iterator<Item = Color> + use<T> {
    let white = (white == player).then_some(Color::White);
    white.into_iter().chain((black == player).then_some(Color::Black))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_lead_back_to_their_result() {
        for (number, &score) in (0..).zip(Score::ALL) {
            assert_eq!(score.number(), number);
            assert_eq!(Score::from_number(number), Some(score));
            assert_eq!(Score::from_word(score.word()), Some(score));
        }
        assert_eq!((Score::from_number(-1), Score::from_number(4)), (None, None));
        assert_eq!(Score::from_word("1/2"), None);
    }

    #[test]
    fn what_one_side_wins_the_other_loses() {
        let (mut tally, mut player) = (Tally::default(), PlayerStats::default());
        for &score in Score::ALL {
            tally.add(score, 3);
            for us in Color::ALL {
                player.add(score, us);
                let turned = score.ending(!us).map(|ending| match ending {
                    Ending::Win => Ending::Loss,
                    Ending::Draw => Ending::Draw,
                    Ending::Loss => Ending::Win,
                });
                assert_eq!(score.ending(us), turned);
            }
            assert_eq!(tally.of(score), 3);
        }
        assert_eq!(Score::White.ending(Color::White), Some(Ending::Win));
        assert_eq!((tally.games(), player.both().games()), (12, 8));
        assert_eq!(player.white, Standing { wins: 1, draws: 1, losses: 1, open: 1 });
        assert_eq!(player.both().points().to_string(), "3");
    }

    #[test]
    fn a_game_against_oneself_is_played_with_both_colours() {
        let played = |player| colours("anna", "ben", player).collect::<Vec<_>>();
        assert_eq!((played("anna"), played("ben")), (vec![Color::White], vec![Color::Black]));
        assert_eq!(played("cleo"), []);
        assert_eq!(colours(&1, &1, &1).count(), 2);
    }
}
