//! A game that is over, looked at again by the computer (`/api/games/{id}/analysis`).

use hansu_play::Sides;
use serde::{Deserialize, Serialize};

use crate::shapes::shapes;

/// How far an analysis is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum AnalysisState {
    /// There is none, and none is being made.
    None,
    /// It waits for its turn.
    Queued {
        /// How many are before it, itself included.
        place: u32,
    },
    /// It is being made.
    Running {
        /// Positions that are done.
        done: u32,
        /// Positions in all.
        total: u32,
    },
    /// It is there.
    Finished {
        /// What was found.
        analysis: Analysis,
    },
}

/// How bad a move was, by the win chance it lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Nothing to say.
    Fine,
    /// A tenth of the win chance or more.
    Inaccuracy,
    /// A fifth or more.
    Mistake,
    /// Three tenths or more.
    Blunder,
}

shapes! {
    /// What the computer found in a game.
    Analysis {
        /// Nodes that were searched in each position.
        nodes: u64,
        /// All positions, from the start on: one more than moves.
        positions: Vec<SeenPosition>,
        /// All moves.
        moves: Vec<JudgedMove>,
        /// How much of the win chance each side's moves kept.
        accuracy: Sides<Accuracy>,
    }

    /// What was found in a position.
    SeenPosition {
        /// White's win chance in thousandths; draws count half.
        chance: u16,
        /// Hundredths of a pawn for White; none when there is a mate.
        score: Option<i32>,
        /// Moves to a mate, negative when Black gives it; 0 when it stands on the board.
        mate: Option<i32>,
        /// The best move, as UCI writes it; none when the game is over there.
        best: Option<String>,
        /// The line that begins with it, in algebraic notation.
        line: Vec<String>,
    }

    /// What was found of a move.
    JudgedMove {
        /// How bad it was.
        grade: Grade,
        /// What it lost of the mover's win chance, in thousandths.
        lost: u16,
        /// What was wrong with it and what was better, in the asker's language; empty for a fine one.
        text: String,
    }

    /// How much of the win chance a side's moves kept on average, in percent; none without a move.
    Accuracy {
        /// In the whole game.
        all: Option<u8>,
        /// In the opening.
        opening: Option<u8>,
        /// In the middlegame.
        middlegame: Option<u8>,
        /// In the endgame.
        endgame: Option<u8>,
    }
}
