//! The computer's best lines in any position (`POST /api/analyse`).

use serde::{Deserialize, Serialize};

use crate::Kind;
use crate::shapes::shapes;

shapes! {
    /// A request for the best lines of a position.
    AskedLines {
        /// The start position as FEN; missing for the usual one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
        /// Standard chess or Chess960.
        #[serde(default)]
        variant: Kind,
        /// The moves from there to the position, in UCI notation; repetitions count.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moves: Vec<String>,
        /// The most nodes to search; the server has a limit of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
        /// The number of lines, 1 to 5; 3 if missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<u8>,
    }

    /// The best lines found so far.
    FoundLines {
        /// The search depth of all lines, in half-moves.
        depth: u32,
        /// The number of nodes searched so far.
        nodes: u64,
        /// The number of nodes to search in all.
        limit: u64,
        /// The lines, the best one first; empty if the game is over there.
        lines: Vec<BestLine>,
    }

    /// A line.
    BestLine {
        /// White's win chance in thousandths; draws count half.
        chance: u16,
        /// White's advantage in hundredths of a pawn; none if there is a mate.
        score: Option<i32>,
        /// Moves until mate, negative if Black gives it; 0 if it is on the board.
        mate: Option<i32>,
        /// Its first move in UCI notation.
        best: Option<String>,
        /// All of its moves in algebraic notation.
        line: Vec<String>,
        /// All of its moves in UCI notation.
        moves: Vec<String>,
    }
}

/// The progress of the search, as one line of JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum LinesNews {
    /// It waits in the queue.
    Queued {
        /// Its place in the queue, counted from 1.
        place: u32,
    },
    /// It is in progress.
    Thinking {
        /// The best lines so far.
        found: FoundLines,
    },
    /// It is finished.
    Finished {
        /// The best lines.
        found: FoundLines,
    },
}
