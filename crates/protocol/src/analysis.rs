//! The computer's analysis of a finished game (`/api/games/{id}/analysis`).

use hansu_play::Sides;
use serde::{Deserialize, Serialize};

use crate::shapes::shapes;

/// The state of an analysis.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum AnalysisState {
    /// There is none, and none is in progress.
    None,
    /// It waits in the queue.
    Queued {
        /// Its place in the queue, counted from 1.
        place: u32,
    },
    /// It is in progress.
    Running {
        /// The number of analysed positions.
        done: u32,
        /// The number of all positions.
        total: u32,
    },
    /// It is finished.
    Finished {
        /// The result.
        analysis: Analysis,
    },
}

/// How bad a move was, by the win chance that it lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// It lost less than a tenth.
    Fine,
    /// It lost a tenth or more.
    Inaccuracy,
    /// It lost a fifth or more.
    Mistake,
    /// It lost three tenths or more.
    Blunder,
}

shapes! {
    /// The analysis of a game.
    Analysis {
        /// The number of nodes searched for each position.
        nodes: u64,
        /// All positions from the first one on: one more than moves.
        positions: Vec<SeenPosition>,
        /// All moves.
        moves: Vec<JudgedMove>,
        /// How much of the win chance each side's moves kept, on average.
        accuracy: Sides<Accuracy>,
    }

    /// The analysis of a position.
    SeenPosition {
        /// White's win chance in thousandths; draws count half.
        chance: u16,
        /// White's advantage in hundredths of a pawn; none if there is a mate.
        score: Option<i32>,
        /// Moves until mate, negative if Black gives it; 0 if it is on the board.
        mate: Option<i32>,
        /// The best move in UCI notation; none if the game is over there.
        best: Option<String>,
        /// The line that begins with it, in algebraic notation.
        line: Vec<String>,
    }

    /// The analysis of a move.
    JudgedMove {
        /// How bad it was.
        grade: Grade,
        /// How much of the mover's win chance it lost, in thousandths.
        lost: u16,
        /// What was wrong with it and what was better, in the asker's language; empty for a fine move.
        text: String,
    }

    /// How much of the win chance a side's moves kept on average, in percent; none without moves.
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
