//! Help in a game against the computer (`POST /api/games/{id}/hint`).

use serde::{Deserialize, Serialize};

use crate::shapes::shapes;

/// What a player asks in a game against the computer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "want", rename_all = "snake_case")]
pub enum AskedHint {
    /// What to play.
    Move,
    /// What the computer threatens.
    Threat,
    /// Whether a move that one is about to play is a blunder.
    Warning {
        /// The move, as UCI writes it.
        uci: String,
    },
}

shapes! {
    /// The answer.
    Hint {
        /// The last event of the game when it was asked: later ones make the answer old.
        seq: u64,
        /// The move to play, or what is threatened, as UCI writes it; none when there is nothing.
        uci: Option<String>,
        /// The same in algebraic notation.
        san: Option<String>,
        /// For a warning: what is wrong with the move, in the asker's language.
        text: Option<String>,
    }
}
