//! Wins, draws and losses.

use serde::Serialize;

use crate::Holder;

pub use hansu_annals::{Bucket, Facet, PlayerStats, Run, Standing, Streaks, Tally};

/// The viewer of the log: some games are private.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Viewer {
    /// The person who has the log itself and sees everything.
    #[default]
    Keeper,
    /// A player over the network: sees public games and their own, and only their own tags and
    /// notes.
    Guest(Option<Holder>),
}

/// The results of one key's holder, under any name: games in which the holder had one of the
/// colours. Games with both colours (two players at one screen) and imported games are not counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Own {
    /// By colour, with the player's name in the last game; empty without games.
    pub player: PlayerStats,
    /// Runs of wins, losses and games without a loss.
    pub streaks: Streaks,
    /// The opponents, the most frequent first.
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

/// Two players' games against each other, from the first player's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct HeadToHead {
    /// The first with the white pieces.
    pub white: Standing,
    /// The first with the black pieces.
    pub black: Standing,
}
