//! Who takes part, and what each can do: one row per library, one column per task.

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

/// Counts leaves at a depth of at least one, from the position it was prepared with.
pub(crate) type Walk = Box<dyn FnMut(u32) -> u64>;

/// Perft in a library's own best way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Perft {
    /// The last ply only counted.
    pub(crate) bulk: fn(fen: &str) -> Walk,
    /// Every leaf made and looked at.
    pub(crate) leaves: fn(fen: &str) -> Walk,
}

/// Prepares a job on positions and moves.
pub(crate) type OnSamples = fn(&[Sample]) -> Job;

/// Prepares a job on a text in memory, so that no disk is measured.
pub(crate) type OnText = fn(Rc<[u8]>) -> Job;

/// A notation: the answers of `read` go to `Output::numbers`, those of `write` to `Output::text`,
/// a line each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Notation {
    /// As lenient as the rivals, who ignore the `+` and `#` of SAN.
    pub(crate) read: OnSamples,
    /// Nothing taken on trust, where a library can do that.
    pub(crate) read_strictly: Option<OnSamples>,
    pub(crate) write: OnSamples,
}

/// Games from text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pgn {
    /// Every token as it stands, variations included, where a library can stop at that.
    pub(crate) tokens: Option<OnText>,
    /// Every token, and moves taken apart as SAN: games, tags, moves, comments, variations.
    pub(crate) parse: OnText,
    /// The main line played on a board: games, plies, and the last position's pieces summed up.
    pub(crate) replay: OnText,
}

/// A library and the tasks it takes part in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rival {
    pub(crate) name: &'static str,
    pub(crate) perft: Option<Perft>,
    /// Reading answers with [`squares`], one per sample.
    pub(crate) san: Option<Notation>,
    /// Reading answers with the number of positions read.
    pub(crate) fen: Option<Notation>,
    pub(crate) pgn: Option<Pgn>,
}

/// Everybody, Hansu first: ratios are taken against the first row.
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

/// A move as a number that all libraries can be made to agree on: a castling king goes to the
/// square it stands on afterwards.
pub(crate) fn squares(from: impl Into<u64>, to: impl Into<u64>) -> u64 {
    from.into() | to.into() << 6
}
