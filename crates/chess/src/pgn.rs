//! Portable Game Notation: reading any amount of it in fixed memory, and writing it.
//!
//! Three ways to read, from fast to comfortable, all of a [`Reader`] over any [`std::io::Read`]:
//!
//! - [`Reader::visit`] hands the pieces of one game to a [`Visitor`] as they stand in the file;
//! - [`Reader::next_replay`] plays the main line and keeps nothing of it;
//! - [`Reader::next_game`] gives a whole [`Record`]: tags, moves, comments, signs, variations.
//!
//! A game that is broken is an error with its line, and the next game is read all the same.
//!
//! ```
//! use hansu_chess::pgn::{Reader, Writer};
//! let text = "[White \"Anna\"]\n\n1. e4 e5 $1 {the usual} (1... c5) 2. Nf3 *\n";
//! let record = Reader::new(text.as_bytes()).next_game().unwrap()?;
//! assert_eq!(record.tags.value("White"), Some("Anna"));
//! assert_eq!(record.main.plies.len(), 3);
//! assert_eq!(record.main.plies[1].variations.len(), 1);
//!
//! let mut file = Vec::new();
//! Writer::new(&mut file).write(&record)?;
//! assert!(file.ends_with(b"1. e4 e5 $1 {the usual} (1... c5) 2. Nf3 *\n\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is read
//!
//! The import format of the PGN standard (Edwards, 1994), and what is often found besides: games
//! without tags or without a result, move numbers in any form or none, unescaped quotes in tags,
//! castling with zeros, missing or superfluous `x`, `=`, `+`, `#`, text that is not UTF-8 (it is
//! taken as Latin-1), byte order marks, any kind of line end.
//!
//! - A line that begins with `%` is skipped, except inside a comment.
//! - A comment that has not ended where an empty line and then a tag follow is unterminated.
//! - A game ends at its result, or where a line begins with a tag.
//! - After a fault, everything up to the next result outside of variations, or up to the next tag
//!   section, belongs to the broken game.
//!
//! [`Reader::lenient`] also takes what other programs write: UCI and long algebraic moves, null
//! moves, evaluation signs between moves, variations with illegal moves.
//!
//! # Limits
//!
//! Nothing in a file makes the reader use more memory than its fixed buffer and one game of
//! [`MAX_GAME`]. What is longer or deeper than the constants here is an error of that game.
//! Comments and variations that the visitor does not want may be of any size.

mod buffer;
mod build;
mod error;
#[cfg(test)]
mod laws;
mod lenient;
mod movetext;
mod reader;
mod record;
mod recover;
mod replay;
mod scan;
mod tags;
#[cfg(test)]
mod tests;
mod times;
mod visitor;
mod writer;

use std::fmt;

use crate::{Color, Outcome};

pub use build::Keep;
pub use error::{Part, PgnError, PgnReason, Word};
pub use reader::Reader;
pub use record::{Line, Ply, Record};
pub use replay::{Replay, Replayed};
pub use tags::{TagError, Tags};
pub use times::{time_odds, time_tags, times_of};
pub use visitor::{Movetext, Raw, RawSan, Visitor};
pub use writer::Writer;

/// The longest move or other word of the movetext, in bytes.
pub const MAX_TOKEN: usize = 64;

/// The longest tag from `[` to `]`, in bytes.
pub const MAX_TAG: usize = 16 * 1024;

/// The longest value of a tag that a [`Record`] keeps, in bytes of UTF-8.
///
/// ```
/// use hansu_chess::pgn::{MAX_TAG_VALUE, TagError, Tags};
/// let long = "x".repeat(MAX_TAG_VALUE + 1);
/// assert_eq!(Tags::new().set("Event", &long), Err(TagError::TooLong));
/// ```
pub const MAX_TAG_VALUE: usize = 4 * 1024;

/// The most tags that a [`Record`] keeps.
pub const MAX_TAGS: usize = 256;

/// The longest comment that is handed on, in bytes.
///
/// ```
/// use hansu_chess::pgn::{MAX_COMMENT, Part, PgnReason, Reader};
/// let text = format!("1. e4 {{{}}} *", "x".repeat(MAX_COMMENT + 1));
/// let error = Reader::new(text.as_bytes()).next_game().unwrap().unwrap_err();
/// assert_eq!(error.reason, PgnReason::TooLong(Part::Comment));
/// // A reader that skips comments has no limit.
/// assert!(Reader::new(text.as_bytes()).next_replay().unwrap().is_ok());
/// ```
pub const MAX_COMMENT: usize = 64 * 1024;

/// How deep variations may be nested.
pub const MAX_DEPTH: usize = 100;

/// About how much memory one [`Record`] may take, in bytes.
pub const MAX_GAME: usize = 32 * 1024 * 1024;

/// The result of a game in PGN.
///
/// ```
/// use hansu_chess::pgn::GameResult;
/// assert_eq!(GameResult::from_text(b"1/2-1/2"), Some(GameResult::Draw));
/// assert_eq!(GameResult::WhiteWins.to_string(), "1-0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game goes on, was given up, or its result is not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// All results.
    ///
    /// ```
    /// # use hansu_chess::pgn::GameResult;
    /// assert_eq!(GameResult::ALL.map(GameResult::text), ["1-0", "0-1", "1/2-1/2", "*"]);
    /// ```
    pub const ALL: [GameResult; 4] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

    /// As it is written.
    ///
    /// ```
    /// # use hansu_chess::pgn::GameResult;
    /// assert_eq!(GameResult::Unknown.text(), "*");
    /// ```
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// The result that is written so.
    ///
    /// ```
    /// # use hansu_chess::pgn::GameResult;
    /// assert_eq!(GameResult::from_text(b"0-1"), Some(GameResult::BlackWins));
    /// assert_eq!(GameResult::from_text(b"0-0"), None);
    /// ```
    pub const fn from_text(text: &[u8]) -> Option<GameResult> {
        match text {
            b"1-0" => Some(GameResult::WhiteWins),
            b"0-1" => Some(GameResult::BlackWins),
            b"1/2-1/2" => Some(GameResult::Draw),
            b"*" => Some(GameResult::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl From<Option<Outcome>> for GameResult {
    fn from(outcome: Option<Outcome>) -> GameResult {
        match outcome {
            None => GameResult::Unknown,
            Some(Outcome { winner: None, .. }) => GameResult::Draw,
            Some(Outcome { winner: Some(Color::White), .. }) => GameResult::WhiteWins,
            Some(Outcome { winner: Some(Color::Black), .. }) => GameResult::BlackWins,
        }
    }
}
