//! Wins, draws and losses.

use serde::Serialize;

use crate::Holder;

pub use hansu_annals::{Bucket, Facet, PlayerStats, Run, Standing, Streaks, Tally};

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
