//! What can be wrong with a game, and on which line.

use std::fmt;
use std::io;

use crate::{FenError, SanError};

/// A game that could not be read: where, and why. The reader goes on with the next game.
///
/// ```
/// use hansu_chess::pgn::Reader;
/// let mut reader = Reader::new("[White \"Anna\"]\n\n1. e4 e5\n2. Ke3 *\n\n1. d4 *".as_bytes());
/// let error = reader.next_game().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "line 4: Ke3 is not a legal move");
/// assert!(reader.next_game().unwrap().is_ok());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PgnError {
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong there.
    pub reason: PgnReason,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for PgnError {}

/// Why a game could not be read.
///
/// ```
/// use hansu_chess::pgn::{PgnReason, Reader};
/// let error = Reader::new("1. e4 {no end".as_bytes()).next_game().unwrap().unwrap_err();
/// assert_eq!(error.reason, PgnReason::UnterminatedComment);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PgnReason {
    /// Something that is not a tag, move, number, sign, comment, variation or result.
    Unexpected(Word),
    /// A tag that is not written `[Name "value"]`.
    Tag,
    /// Something stands where a move is expected and is not written like one.
    NotAMove(Word),
    /// No legal move is written so here.
    IllegalMove(Word),
    /// Several legal moves could be meant.
    AmbiguousMove(Word),
    /// A null move (`--`), which the laws of chess do not know.
    NullMove,
    /// The `FEN` tag gives no position that can be played.
    Fen(FenError),
    /// The `Variant` tag names something other than standard chess and Chess960.
    Variant,
    /// A number sign (`$7`) above 255 or without a number.
    Nag,
    /// Longer than the limits of [`pgn`](crate::pgn).
    TooLong(Part),
    /// More tags than [`MAX_TAGS`](crate::pgn::MAX_TAGS).
    TooManyTags,
    /// Variations nested deeper than [`MAX_DEPTH`](crate::pgn::MAX_DEPTH).
    TooDeep,
    /// A `{` without its `}`.
    UnterminatedComment,
    /// A `(` without its `)`.
    UnterminatedVariation,
    /// A `)` or `}` without its opening.
    NothingToClose,
    /// A variation before the first move, to which there is no alternative.
    NothingToVary,
    /// The source could not be read; nothing follows.
    Read(io::ErrorKind),
}

/// What was too long.
///
/// ```
/// use hansu_chess::pgn::{MAX_TOKEN, Part, PgnReason, Reader};
/// let text = "e".repeat(MAX_TOKEN + 1);
/// let error = Reader::new(text.as_bytes()).next_game().unwrap().unwrap_err();
/// assert_eq!(error.reason, PgnReason::TooLong(Part::Token));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A move or another word of the movetext.
    Token,
    /// A tag.
    Tag,
    /// A comment.
    Comment,
    /// All of the game.
    Game,
}

impl PgnReason {
    /// The error of a game from the error of a move.
    pub(super) fn of_move(error: SanError, text: &[u8]) -> PgnReason {
        let word = Word::new(text);
        match error {
            SanError::Syntax if text == b"--" || text == b"Z0" => PgnReason::NullMove,
            SanError::Syntax => PgnReason::NotAMove(word),
            SanError::Illegal => PgnReason::IllegalMove(word),
            SanError::Ambiguous => PgnReason::AmbiguousMove(word),
        }
    }
}

impl fmt::Display for PgnReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PgnReason::Unexpected(word) => return write!(f, "{word} is not expected here"),
            PgnReason::Tag => "a tag must be written as [Name \"value\"]",
            PgnReason::NotAMove(word) => return write!(f, "{word} is not written like a move"),
            PgnReason::IllegalMove(word) => return write!(f, "{word} is not a legal move"),
            PgnReason::AmbiguousMove(word) => {
                return write!(f, "{word} could mean several moves");
            }
            PgnReason::NullMove => "a null move is not a legal move",
            PgnReason::Fen(error) => return write!(f, "the FEN tag is wrong: {error}"),
            PgnReason::Variant => "only standard chess and Chess960 can be read",
            PgnReason::Nag => "$ must be followed by a number from 0 to 255",
            PgnReason::TooLong(Part::Token) => "the word is too long",
            PgnReason::TooLong(Part::Tag) => "the tag is too long",
            PgnReason::TooLong(Part::Comment) => "the comment is too long",
            PgnReason::TooLong(Part::Game) => "the game is too long",
            PgnReason::TooManyTags => "there are too many tags",
            PgnReason::TooDeep => "the variations are nested too deeply",
            PgnReason::UnterminatedComment => "the comment does not end",
            PgnReason::UnterminatedVariation => "a variation does not end",
            PgnReason::NothingToClose => "there is nothing to close here",
            PgnReason::NothingToVary => "a variation needs a move before it",
            PgnReason::Read(kind) => return write!(f, "cannot read on: {kind}"),
        })
    }
}

/// The first bytes of what stands in a game, for a message.
///
/// ```
/// use hansu_chess::pgn::Word;
/// assert_eq!(Word::new(b"Qxf7#").to_string(), "Qxf7#");
/// assert_eq!(Word::new(b"a word that is far too long").to_string(), "a word that is …");
/// assert_eq!(Word::new(b"\x00\xff").to_string(), "??");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Word {
    bytes: [u8; Word::LENGTH],
    /// How long the original is, if it fits; one more if not.
    length: u8,
}

impl Word {
    const LENGTH: usize = 15;

    /// Keeps the first bytes.
    ///
    /// ```
    /// # use hansu_chess::pgn::Word;
    /// assert_eq!(Word::new(b"e4").to_string(), "e4");
    /// ```
    pub fn new(text: &[u8]) -> Word {
        let mut bytes = [0; Word::LENGTH];
        for (kept, &byte) in bytes.iter_mut().zip(text) {
            // Control characters would spoil a terminal; other scripts would need more bytes.
            *kept = if byte == b' ' || byte.is_ascii_graphic() { byte } else { b'?' };
        }
        Word { bytes, length: text.len().min(Word::LENGTH + 1) as u8 }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &byte in self.bytes.iter().take(usize::from(self.length)) {
            write!(f, "{}", char::from(byte))?;
        }
        f.write_str(if usize::from(self.length) > Word::LENGTH { "…" } else { "" })
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}
