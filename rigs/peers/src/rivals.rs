//! The libraries and the tasks of each.

pub(crate) mod chess;
#[cfg(feature = "chess-move-gen")]
pub(crate) mod chess_move_gen;
pub(crate) mod cozy_chess;
pub(crate) mod eschac;
pub(crate) mod pgn_reader;
pub(crate) mod shakmaty;

use std::rc::Rc;

use crate::games::Sample;
use crate::hansu::HANSU;
use crate::race::Job;

/// Counts leaves at a depth of at least one, from a prepared position.
pub(crate) type Walk = Box<dyn FnMut(u32) -> u64>;

/// Perft by a library's fastest method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Perft {
    /// The last ply is only counted.
    pub(crate) bulk: fn(fen: &str) -> Walk,
    /// Every leaf position is made.
    pub(crate) leaves: fn(fen: &str) -> Walk,
}

/// Prepares a job on positions and moves.
pub(crate) type OnSamples = fn(&[Sample]) -> Job;

/// Prepares a job on a text in memory, so that disk reads are not measured.
pub(crate) type OnText = fn(Rc<[u8]>) -> Job;

/// A notation: `read` writes its answers to `Output::numbers`, `write` to `Output::text`, one line
/// each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Notation {
    /// Reads as leniently as the other libraries, which ignore the `+` and `#` of SAN.
    pub(crate) read: OnSamples,
    /// Reads strictly, where a library can do that.
    pub(crate) read_strictly: Option<OnSamples>,
    pub(crate) write: OnSamples,
}

/// Games from text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pgn {
    /// Reads all tokens without parsing moves, where a library can do that; includes variations.
    pub(crate) tokens: Option<OnText>,
    /// Reads all tokens and parses moves as SAN; counts games, tags, moves, comments, variations.
    pub(crate) parse: OnText,
    /// Replays the main line; counts games, plies, and the pieces of the final positions.
    pub(crate) replay: OnText,
}

/// A library and the tasks it takes part in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rival {
    pub(crate) name: &'static str,
    pub(crate) perft: Option<Perft>,
    /// Reading gives [`squares`], one per sample.
    pub(crate) san: Option<Notation>,
    /// Reading gives the number of positions.
    pub(crate) fen: Option<Notation>,
    pub(crate) pgn: Option<Pgn>,
}

/// All libraries, Hansu first: ratios are taken against the first row.
pub(crate) const RIVALS: &[Rival] = &[
    HANSU,
    eschac::ESCHAC,
    #[cfg(feature = "chess-move-gen")]
    chess_move_gen::CHESS_MOVE_GEN,
    cozy_chess::COZY_CHESS,
    chess::CHESS,
    shakmaty::SHAKMATY,
    pgn_reader::PGN_READER,
];

/// A move as a number that is the same for all libraries: a castling king goes to its final square.
pub(crate) fn squares(from: impl Into<u64>, to: impl Into<u64>) -> u64 {
    from.into() | to.into() << 6
}
