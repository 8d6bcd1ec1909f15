//! Requests to the computer in a worker of the page, and its responses.

use hansu_protocol::{AnalysisState, AskedHint, Kind, Language};
use serde::{Deserialize, Serialize};

/// A question of a game to the computer, with everything it needs to answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The number of the last event of the game.
    pub seq: u64,
    /// The level, from 1 to 10.
    pub level: u8,
    /// The chess variant.
    pub variant: Kind,
    /// The start position, unless it is the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The moves of the game in UCI notation.
    pub moves: Vec<String>,
    /// The id of the game, from which the seed is derived.
    pub game: String,
    /// What the computer has to do.
    pub task: Task,
    /// The remaining time on the computer's clock, in milliseconds; `None` without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    /// True if it may resign a lost game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resigns: bool,
}

/// What the computer has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Choose a move.
    Move,
    /// Answer an offer of a draw.
    Draw,
}

/// The reply of the computer: a move, an answer, or that it resigns; none of them if the question
/// was malformed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reply {
    /// Its move, in UCI notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uci: Option<String>,
    /// True if it accepts the draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes: Option<bool>,
    /// True if it resigns instead of a move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub resigns: bool,
    /// How long the page waits before it uses the reply, counted from the question, in
    /// milliseconds.
    pub pause: u64,
}

/// The moves of a game for which help or a review is requested.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GameMoves {
    /// The chess variant.
    pub variant: Kind,
    /// The start position, unless it is the usual one.
    pub fen: Option<String>,
    /// The moves of the game in UCI notation.
    pub moves: Vec<String>,
    /// The language of sentences.
    pub lang: Language,
}

/// A request for help.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AskedHelp {
    /// The kind of help.
    pub asked: AskedHint,
    /// The game; the player is to move.
    pub game: GameMoves,
    /// The number of its last event.
    pub seq: u64,
}

/// A request to review a finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AskedReview {
    /// The game.
    pub game: GameMoves,
    /// A stored review to resume.
    #[serde(default)]
    pub kept: Option<KeptReview>,
}

/// A stored review, complete or not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KeptReview {
    /// Nodes for each position.
    pub nodes: u64,
    /// Positions that were searched.
    pub done: u32,
    /// Positions of the game.
    pub total: u32,
    /// The findings, as [`hansu_teacher::to_text`] writes them.
    pub text: String,
}

/// The progress of a review.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReviewProgress {
    /// In the form of the server's API.
    pub state: AnalysisState,
    /// For the page to store.
    pub kept: KeptReview,
}
