//! What the computer is asked in a worker of the page, and what it says.

use hansu_protocol::{AnalysisState, AskedHint, Kind, Language};
use serde::{Deserialize, Serialize};

/// What the computer is to do, and all that it must know for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// After which event of the game.
    pub seq: u64,
    /// Its strength, from 1 to 10.
    pub level: u8,
    /// By which rules.
    pub variant: Kind,
    /// Where the game began, unless as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The moves since, as UCI writes them.
    pub moves: Vec<String>,
    /// The name of the game, from which its seed is made.
    pub game: String,
    /// What it is asked.
    pub task: Task,
    /// What is left on its clock, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
}

/// What the computer is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// To play a move.
    Move,
    /// To answer the offer of a draw.
    Draw,
}

/// What the computer says. Without a move or an answer it did not understand.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reply {
    /// Its move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uci: Option<String>,
    /// Whether it takes the draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes: Option<bool>,
    /// How long it waits before it says so, counted from when it was asked, in milliseconds.
    pub pause: u64,
}

/// A game about which something is asked beside playing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Played {
    /// By which rules.
    pub variant: Kind,
    /// Where the game began, unless as usual.
    pub fen: Option<String>,
    /// The moves since, as UCI writes them.
    pub moves: Vec<String>,
    /// The language of sentences.
    pub lang: Language,
}

/// Help that a player asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AskedHelp {
    /// What is asked.
    pub asked: AskedHint,
    /// The game, with the player to move.
    pub game: Played,
    /// Its last event.
    pub seq: u64,
}

/// The review of a game that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AskedReview {
    /// The game.
    pub game: Played,
    /// What was found before.
    #[serde(default)]
    pub kept: Option<KeptReview>,
}

/// What a review has found by now, to go on from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KeptReview {
    /// Nodes for each position.
    pub nodes: u64,
    /// Positions that were looked at.
    pub done: u32,
    /// Positions of the game.
    pub total: u32,
    /// What was found, as `hansu-teacher` writes it.
    pub text: String,
}

/// How far a review is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reviewed {
    /// As a server tells it.
    pub state: AnalysisState,
    /// To be kept.
    pub kept: KeptReview,
}
