//! The visitor of a reader: it receives the pieces of a game in their order.

use std::borrow::Cow;

use super::{GameResult, PgnReason};
use crate::{San, SanError};

/// Receives the pieces of one game from [`Reader::visit`](super::Reader::visit).
///
/// An error that a method returns ends the game; the reader then goes on behind it. Order of the
/// calls: `begin`, `tag`…, `movetext`, then moves, signs, comments and variations as they stand,
/// `end`. Comments between the tags come before `movetext`.
///
/// ```
/// use hansu_chess::pgn::{PgnReason, RawSan, Reader, Visitor};
///
/// /// Counts moves, without looking into comments and variations.
/// struct Count(u32);
///
/// impl Visitor for Count {
///     const COMMENTS: bool = false;
///     const VARIATIONS: bool = false;
///     fn san(&mut self, _: RawSan<'_>) -> Result<(), PgnReason> {
///         self.0 += 1;
///         Ok(())
///     }
/// }
///
/// let mut reader = Reader::new("1. e4 {a comment} e5 (1... c5 2. Nf3) 2. Nf3 *".as_bytes());
/// let mut count = Count(0);
/// assert_eq!(reader.visit(&mut count), Some(Ok(())));
/// assert_eq!(count.0, 3);
/// assert_eq!(reader.visit(&mut count), None);
/// ```
pub trait Visitor {
    /// True if comments are wanted; else they are skipped without limit and much faster.
    const COMMENTS: bool = true;

    /// True if variations are wanted; else they are skipped without limit.
    const VARIATIONS: bool = true;

    /// True if signs between moves that the standard does not have are stepped over, and `½-½` and
    /// `1/2` are results; else they are faults.
    const LENIENT: bool = false;

    /// A game begins on this line.
    fn begin(&mut self, line: u64) {
        let _ = line;
    }

    /// A tag.
    ///
    /// # Errors
    ///
    /// When the game cannot be used.
    fn tag(&mut self, name: &[u8], value: Raw<'_>) -> Result<(), PgnReason> {
        let _ = (name, value);
        Ok(())
    }

    /// The tags are complete. Returns whether the moves are wanted.
    ///
    /// # Errors
    ///
    /// When the game cannot be used.
    fn movetext(&mut self) -> Result<Movetext, PgnReason> {
        Ok(Movetext::Read)
    }

    /// A move; it need not be legal.
    ///
    /// # Errors
    ///
    /// When the game cannot be used.
    fn san(&mut self, text: RawSan<'_>) -> Result<(), PgnReason>;

    /// A sign: `$n`, or `!` and its kin as their number.
    ///
    /// # Errors
    ///
    /// When the game cannot be used.
    fn nag(&mut self, nag: u8) -> Result<(), PgnReason> {
        let _ = nag;
        Ok(())
    }

    /// A comment.
    ///
    /// # Errors
    ///
    /// When the game cannot be used.
    fn comment(&mut self, text: Raw<'_>) -> Result<(), PgnReason> {
        let _ = text;
        Ok(())
    }

    /// A variation begins: an alternative to the last move.
    ///
    /// # Errors
    ///
    /// When the game cannot be used.
    fn open(&mut self) -> Result<(), PgnReason> {
        Ok(())
    }

    /// The variation that was opened last ends.
    ///
    /// # Errors
    ///
    /// When the game cannot be used.
    fn close(&mut self) -> Result<(), PgnReason> {
        Ok(())
    }

    /// The result, `None` when none is written behind the moves. Comments on the same line may
    /// still follow.
    ///
    /// # Errors
    ///
    /// When the game cannot be used.
    fn end(&mut self, result: Option<GameResult>) -> Result<(), PgnReason> {
        let _ = result;
        Ok(())
    }
}

/// Whether a visitor wants the moves of a game, decided after its tags.
///
/// ```
/// use hansu_chess::pgn::{Movetext, PgnReason, Raw, RawSan, Reader, Visitor};
///
/// /// Looks for games of one player.
/// #[derive(Default)]
/// struct Anna { hers: bool, moves: u32 }
///
/// impl Visitor for Anna {
///     fn tag(&mut self, name: &[u8], value: Raw<'_>) -> Result<(), PgnReason> {
///         self.hers |= name == b"White" && value.text() == "Anna";
///         Ok(())
///     }
///     fn movetext(&mut self) -> Result<Movetext, PgnReason> {
///         Ok(if self.hers { Movetext::Read } else { Movetext::Skip })
///     }
///     fn san(&mut self, _: RawSan<'_>) -> Result<(), PgnReason> {
///         self.moves += 1;
///         Ok(())
///     }
/// }
///
/// let mut anna = Anna::default();
/// let text = "[White \"Carl\"]\n1. e4 e5 *\n\n[White \"Anna\"]\n1. d4 *";
/// let mut reader = Reader::new(text.as_bytes());
/// while reader.visit(&mut anna).is_some() {}
/// assert_eq!(anna.moves, 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Movetext {
    /// The visitor gets the moves.
    Read,
    /// The moves are skipped, and so is the call of [`Visitor::end`].
    Skip,
}

/// A move as it stands in the file.
///
/// ```
/// use hansu_chess::San;
/// use hansu_chess::pgn::{PgnReason, RawSan, Reader, Visitor};
///
/// #[derive(Default)]
/// struct Moves { texts: Vec<Vec<u8>>, moves: Vec<San> }
///
/// impl Visitor for Moves {
///     fn san(&mut self, text: RawSan<'_>) -> Result<(), PgnReason> {
///         self.texts.push(text.bytes().to_vec());
///         self.moves.extend(text.read());
///         Ok(())
///     }
/// }
///
/// let mut moves = Moves::default();
/// Reader::new("1. e4 e5 2. Nf3! hm *".as_bytes()).visit(&mut moves);
/// assert_eq!(moves.texts, [&b"e4"[..], b"e5", b"Nf3", b"hm"]);
/// assert_eq!(moves.moves.len(), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawSan<'a> {
    bytes: &'a [u8],
    /// The parsed move, if finding the end of the text has parsed it.
    known: Option<San>,
}

impl<'a> RawSan<'a> {
    #[inline(always)]
    pub(super) const fn new(bytes: &'a [u8]) -> RawSan<'a> {
        RawSan { bytes, known: None }
    }

    /// A move that was already read leniently.
    #[inline(always)]
    pub(super) const fn already_read(bytes: &'a [u8], san: San) -> RawSan<'a> {
        RawSan { bytes, known: Some(san) }
    }

    /// The text: letters, digits and `+-#=/:_`, not more than [`MAX_TOKEN`](super::MAX_TOKEN).
    ///
    /// ```
    /// # use hansu_chess::pgn::{PgnReason, RawSan, Reader, Visitor};
    /// # struct First;
    /// # impl Visitor for First {
    /// #     fn san(&mut self, text: RawSan<'_>) -> Result<(), PgnReason> {
    /// assert_eq!(text.bytes(), b"e4");
    /// #         Ok(())
    /// #     }
    /// # }
    /// # assert_eq!(Reader::new("1. e4! *".as_bytes()).visit(&mut First), Some(Ok(())));
    /// ```
    #[inline(always)]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The same as [`San::lenient`] of the text, but faster: most moves are parsed while their end
    /// is searched for.
    ///
    /// # Errors
    ///
    /// [`SanError::Syntax`].
    ///
    /// ```
    /// # use hansu_chess::San;
    /// # use hansu_chess::pgn::{PgnReason, RawSan, Reader, Visitor};
    /// # struct First;
    /// # impl Visitor for First {
    /// #     fn san(&mut self, text: RawSan<'_>) -> Result<(), PgnReason> {
    /// assert_eq!(text.read(), San::lenient("0-0"));
    /// #         Ok(())
    /// #     }
    /// # }
    /// # assert_eq!(Reader::new("0-0 *".as_bytes()).visit(&mut First), Some(Ok(())));
    /// ```
    #[inline(always)]
    pub fn read(self) -> Result<San, SanError> {
        match self.known {
            Some(san) => Ok(san),
            None => San::read(self.bytes, true),
        }
    }
}

/// The value of a tag or the text of a comment as it stands in the file.
///
/// ```
/// use hansu_chess::pgn::{PgnReason, Raw, RawSan, Reader, Visitor};
///
/// struct Event(String);
///
/// impl Visitor for Event {
///     fn tag(&mut self, _: &[u8], value: Raw<'_>) -> Result<(), PgnReason> {
///         assert_eq!(value.bytes(), br#"a \"big\" one"#);
///         self.0 = value.text().into_owned();
///         Ok(())
///     }
///     fn san(&mut self, _: RawSan<'_>) -> Result<(), PgnReason> {
///         Ok(())
///     }
/// }
///
/// let mut event = Event(String::new());
/// Reader::new(r#"[Event "a \"big\" one"] *"#.as_bytes()).visit(&mut event);
/// assert_eq!(event.0, "a \"big\" one");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Raw<'a> {
    bytes: &'a [u8],
    escapes: bool,
}

impl<'a> Raw<'a> {
    pub(super) const fn tag(bytes: &'a [u8]) -> Raw<'a> {
        Raw { bytes, escapes: true }
    }

    pub(super) const fn comment(bytes: &'a [u8]) -> Raw<'a> {
        Raw { bytes, escapes: false }
    }

    /// The bytes between the quotes or braces.
    ///
    /// ```
    /// use hansu_chess::pgn::{PgnReason, Raw, RawSan, Reader, Visitor};
    /// struct Length(usize);
    /// impl Visitor for Length {
    ///     fn comment(&mut self, text: Raw<'_>) -> Result<(), PgnReason> {
    ///         self.0 = text.bytes().len();
    ///         Ok(())
    ///     }
    ///     fn san(&mut self, _: RawSan<'_>) -> Result<(), PgnReason> {
    ///         Ok(())
    ///     }
    /// }
    /// let mut length = Length(0);
    /// Reader::new("e4 { so } *".as_bytes()).visit(&mut length);
    /// assert_eq!(length.0, 4);
    /// ```
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The text that is meant: as UTF-8, or as Latin-1 if it is not UTF-8. In a tag, `\"` and `\\`
    /// are resolved; in a comment, blanks and line ends between words become one space.
    ///
    /// ```
    /// use hansu_chess::pgn::Reader;
    /// // An ü in Latin-1, and a line end inside the comment.
    /// let text = b"[White \"M\xfcller\"] 1. e4 {well\n  played} *";
    /// let record = Reader::new(&text[..]).next_game().unwrap()?;
    /// assert_eq!(record.tags.value("White"), Some("Müller"));
    /// assert_eq!(record.main.plies[0].comments, ["well played"]);
    /// # Ok::<(), hansu_chess::pgn::PgnError>(())
    /// ```
    pub fn text(self) -> Cow<'a, str> {
        let text = match str::from_utf8(self.bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => self.bytes.iter().map(|&byte| char::from(byte)).collect(),
        };
        if !self.escapes {
            normalised(text)
        } else if text.contains('\\') {
            unescaped(&text).into()
        } else {
            text
        }
    }
}

/// Without `\` before `"` and `\`; elsewhere it stands for itself.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match rest.peek() {
            Some(&next @ ('"' | '\\')) if letter == '\\' => {
                plain.push(next);
                rest.next();
            }
            _ => plain.push(letter),
        }
    }
    plain
}

/// One space between words, none around them: a writer may break lines wherever it likes.
pub(super) fn normalised(text: Cow<'_, str>) -> Cow<'_, str> {
    let blank = |byte: u8| byte.is_ascii_whitespace();
    let bytes = text.as_bytes();
    let clean = !bytes.first().is_some_and(|&byte| blank(byte))
        && !bytes.last().is_some_and(|&byte| blank(byte))
        && !bytes.windows(2).any(|pair| blank(pair[0]) && (pair[0] != b' ' || blank(pair[1])));
    if clean {
        return text;
    }
    let mut words = String::with_capacity(text.len());
    for word in text.split_ascii_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_lose_superfluous_blanks_only() {
        for (raw, text) in [
            ("", ""),
            (" ", ""),
            ("a", "a"),
            ("a b", "a b"),
            (" a", "a"),
            ("a ", "a"),
            ("a  b", "a b"),
            ("a\r\nb\t c", "a b c"),
            ("a\u{a0} b", "a\u{a0} b"),
            ("\\\"", "\\\""),
        ] {
            assert_eq!(Raw::comment(raw.as_bytes()).text(), text, "{raw:?}");
        }
    }

    #[test]
    fn tags_lose_escapes_only() {
        for (raw, text) in [
            ("", ""),
            (" a  b ", " a  b "),
            (r#"\""#, r#"""#),
            (r"\\", r"\"),
            (r#"\\""#, r#"\""#),
            (r"C:\temp\", r"C:\temp\"),
            (r#"a "b" c"#, r#"a "b" c"#),
        ] {
            assert_eq!(Raw::tag(raw.as_bytes()).text(), text, "{raw:?}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_are_latin1() {
        assert_eq!(Raw::tag(b"caf\xe9 \\\"").text(), "café \"");
        assert_eq!(Raw::comment("한수".as_bytes()).text(), "한수");
    }
}
