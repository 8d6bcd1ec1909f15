//! Wins, draws and losses.

use serde::Serialize;

use crate::{Holder, Score};

pub use hansu_annals::{Run, Streaks};

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
