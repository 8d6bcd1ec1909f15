//! Hints in a game against the computer (`POST /api/games/{id}/hint`).

use serde::{Deserialize, Serialize};

use crate::shapes::shapes;

/// A request for a hint in a game against the computer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "want", rename_all = "snake_case")]
pub enum AskedHint {
    /// A move to play.
    Move,
    /// The computer's threat.
    Threat,
    /// A warning if a move that the player wants to play is a blunder.
    Warning {
        /// The move in UCI notation.
        uci: String,
    },
}

shapes! {
    /// A hint.
    Hint {
        /// The last event of the game when the hint was asked for; after a later one it is outdated.
        seq: u64,
        /// The move to play, or the threat, in UCI notation; none if there is none.
        uci: Option<String>,
        /// The same in algebraic notation.
        san: Option<String>,
        /// Only for a warning: what is wrong with the move, in the asker's language.
        text: Option<String>,
    }
}
