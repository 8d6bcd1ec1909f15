//! What the computer is asked in a worker of the page, and what it says.

use serde::{Deserialize, Serialize};

/// What the computer is to do, and all that it must know for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// After which event of the game.
    pub seq: u64,
    /// Its strength, from 1 to 10.
    pub level: u8,
    /// By which rules.
    pub variant: Rules,
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

/// The kind of chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// As everywhere.
    Standard,
    /// Chess960.
    Chess960,
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
