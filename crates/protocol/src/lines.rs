//! The computer's best lines in any position (`POST /api/analyse`).

use serde::{Deserialize, Serialize};

use crate::Kind;
use crate::shapes::shapes;

shapes! {
    /// Which position is to be looked at, and how thoroughly.
    AskedLines {
        /// Where it starts; as usual without it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
        /// By which rules.
        #[serde(default)]
        variant: Kind,
        /// The moves from there to the position, as UCI writes them: repetitions count.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moves: Vec<String>,
        /// How many nodes are searched at most; the server has a limit of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
        /// How many lines, 1 to 5; usually 3.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<u8>,
    }

    /// What the computer has found by now.
    FoundLines {
        /// How many half-moves all lines were searched.
        depth: u32,
        /// Nodes that were searched.
        nodes: u64,
        /// Nodes that will be searched in all.
        limit: u64,
        /// The best lines, the best one first; none when the game is over there.
        lines: Vec<BestLine>,
    }

    /// A line.
    BestLine {
        /// White's win chance in thousandths; draws count half.
        chance: u16,
        /// Hundredths of a pawn for White; none when there is a mate.
        score: Option<i32>,
        /// Moves to a mate, negative when Black gives it; 0 when it stands on the board.
        mate: Option<i32>,
        /// Its first move, as UCI writes it.
        best: Option<String>,
        /// All of its moves, in algebraic notation.
        line: Vec<String>,
        /// The same as UCI writes them.
        moves: Vec<String>,
    }
}

/// How far the search is; one line of JSON each.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum LinesNews {
    /// It waits for its turn.
    Queued {
        /// How many are before it, itself included.
        place: u32,
    },
    /// It goes on.
    Thinking {
        /// What was found by now.
        found: FoundLines,
    },
    /// It is done.
    Finished {
        /// What was found.
        found: FoundLines,
    },
}
