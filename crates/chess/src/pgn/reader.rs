//! Game after game out of a source: the tags, and whatever the hot loop hands back.

use std::fmt;
use std::io::Read;
use std::ops::Range;

use super::buffer::Buffer;
use super::build::Build;
use super::error::{Part, PgnError, PgnReason};
use super::movetext::{self, Ahead, CommentEnd, MARGIN, Stop, TAG_AHEAD};
use super::tags::is_name_byte;
use super::visitor::{Movetext, Raw, Visitor};
use super::{GameResult, Keep, MAX_COMMENT, MAX_TAG, Record, Replay, Replayed, scan};
use crate::{Move, Position};

/// Reads games out of any source, in memory of fixed size.
///
/// ```
/// use hansu_chess::pgn::Reader;
/// let text = "1. e4 e5 *  1. d5 *  1. d4 *";
/// let games: Vec<_> = Reader::new(text.as_bytes()).collect();
/// assert_eq!(games.len(), 3);
/// assert!(games[0].is_ok() && games[1].is_err() && games[2].is_ok());
/// ```
pub struct Reader<R> {
    pub(super) buffer: Buffer<R>,
    keep: Keep,
    lenient: bool,
    /// Games that were read only because reading was lenient.
    mended: u64,
    /// Where games usually start, worked out once.
    usual: Position,
    /// Where in a game the reader is; after a fault this tells what still belongs to it.
    pub(super) section: Section,
    /// True if the game has an `Event` tag: a second one begins the next game.
    pub(super) event: bool,
    /// How many variations are open.
    pub(super) depth: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Section {
    Tags,
    Movetext,
}

/// What was found where a game should begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    Nothing,
    WithoutResult,
    Complete,
}

/// How a comment is read: as a whole into memory, or skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    Whole,
    Skip,
}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("keep", &self.keep).finish_non_exhaustive()
    }
}

impl<R: Read> Reader<R> {
    /// A reader from the beginning of a source, which need not be buffered.
    ///
    /// ```
    /// # use hansu_chess::pgn::Reader;
    /// assert!(Reader::new("".as_bytes()).next_game().is_none());
    /// ```
    pub fn new(read: R) -> Reader<R> {
        Reader {
            buffer: Buffer::new(read),
            keep: Keep::Everything,
            lenient: false,
            mended: 0,
            usual: Position::start(),
            section: Section::Tags,
            event: false,
            depth: 0,
        }
    }

    /// Changes what [`Reader::next_game`] keeps of a game.
    ///
    /// ```
    /// use hansu_chess::pgn::{Keep, Reader};
    /// let mut reader = Reader::new("1. e4 {!} (1. d4) *".as_bytes()).keep(Keep::Moves);
    /// let record = reader.next_game().unwrap()?;
    /// assert!(record.main.plies[0].comments.is_empty());
    /// # Ok::<(), hansu_chess::pgn::PgnError>(())
    /// ```
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Reader<R> {
        self.keep = keep;
        self
    }

    /// Makes [`Reader::next_game`] take what other programs write: UCI and long algebraic moves,
    /// evaluation signs between moves. A line ends before a null move, and a variation before a
    /// move that is not legal; what would follow is kept as a comment. A game in which the main
    /// line has an illegal move stays broken.
    ///
    /// ```
    /// use hansu_chess::pgn::Reader;
    /// let text = "1. e2-e4 e7e5 2. g1f3 += (2. Ke3 Nf6) Nc6 3. -- *";
    /// let mut reader = Reader::new(text.as_bytes()).lenient();
    /// let game = reader.next_game().unwrap()?;
    /// assert!(game.to_string().ends_with("1. e4 e5 2. Nf3 ({Ke3 Nf6}) 2... Nc6 {--} *\n"));
    /// assert_eq!(reader.mended(), 1);
    /// # Ok::<(), hansu_chess::pgn::PgnError>(())
    /// ```
    #[must_use]
    pub fn lenient(mut self) -> Reader<R> {
        self.lenient = true;
        self
    }

    /// How many games [`Reader::next_game`] has read that have moves which strict reading does not
    /// take. Signs that were stepped over do not count.
    ///
    /// ```
    /// # use hansu_chess::pgn::Reader;
    /// let mut reader = Reader::new("1. g1f3 * 1. Nf3 *".as_bytes()).lenient();
    /// assert_eq!(reader.by_ref().filter(Result::is_ok).count(), 2);
    /// assert_eq!(reader.mended(), 1);
    /// ```
    pub const fn mended(&self) -> u64 {
        self.mended
    }

    /// The next game with all its moves played; `None` at the end.
    ///
    /// ```
    /// use hansu_chess::pgn::{GameResult, Reader};
    /// let mut reader = Reader::new("[Round \"3\"]\n\n1. f3 e5 2. g4 Qh4# 0-1".as_bytes());
    /// let record = reader.next_game().unwrap()?;
    /// assert_eq!(record.tags.value("Round"), Some("3"));
    /// assert_eq!(record.result, GameResult::BlackWins);
    /// assert!(reader.next_game().is_none());
    /// # Ok::<(), hansu_chess::pgn::PgnError>(())
    /// ```
    pub fn next_game(&mut self) -> Option<Result<Record, PgnError>> {
        match (self.keep, self.lenient) {
            (Keep::Everything, false) => self.next_whole_game(),
            (Keep::MainLine, false) => self.build::<true, false, false>(),
            (Keep::Moves, false) => self.build::<false, false, false>(),
            (Keep::Everything, true) => self.next_lenient_game(),
            (Keep::MainLine, true) => self.build::<true, false, true>(),
            (Keep::Moves, true) => self.build::<false, false, true>(),
        }
    }

    /// The next game with all its contents, read strictly, regardless of [`Reader::keep`] and
    /// [`Reader::lenient`]. A program that uses no other method is smaller: 4 kB of compressed
    /// WebAssembly.
    ///
    /// # Errors
    ///
    /// As for [`next_game`](Self::next_game).
    ///
    /// ```
    /// # use hansu_chess::pgn::Reader;
    /// let game = Reader::new("1. e4 (1. d4) e5 *".as_bytes()).next_whole_game().unwrap()?;
    /// assert_eq!(game.main.plies[0].variations.len(), 1);
    /// # Ok::<(), hansu_chess::pgn::PgnError>(())
    /// ```
    pub fn next_whole_game(&mut self) -> Option<Result<Record, PgnError>> {
        self.build::<true, true, false>()
    }

    /// The next game with all its contents, read leniently, regardless of [`Reader::keep`] and
    /// [`Reader::lenient`]. As for [`next_whole_game`](Self::next_whole_game), a program that uses
    /// no other method is smaller.
    ///
    /// # Errors
    ///
    /// As for [`next_game`](Self::next_game).
    ///
    /// ```
    /// # use hansu_chess::pgn::Reader;
    /// let game = Reader::new("1. e2e4 (1. g1f3) e7e5 *".as_bytes()).next_lenient_game().unwrap()?;
    /// assert_eq!(game.main.plies.len(), 2);
    /// # Ok::<(), hansu_chess::pgn::PgnError>(())
    /// ```
    pub fn next_lenient_game(&mut self) -> Option<Result<Record, PgnError>> {
        self.build::<true, true, true>()
    }

    fn build<const COMMENTS: bool, const VARIATIONS: bool, const LENIENT: bool>(
        &mut self,
    ) -> Option<Result<Record, PgnError>> {
        let mut build = Build::<COMMENTS, VARIATIONS, LENIENT>::new();
        let read = self.visit(&mut build)?;
        self.mended += u64::from(read.is_ok() && build.is_mended());
        Some(read.map(|()| build.into_record()))
    }

    /// Plays the main line of the next game without keeping it; `None` at the end.
    ///
    /// ```
    /// use hansu_chess::pgn::Reader;
    /// let mut reader = Reader::new("1. e4 e5 2. Nf3 *".as_bytes());
    /// let replayed = reader.next_replay().unwrap()?;
    /// assert_eq!(replayed.plies, 3);
    /// assert_eq!(replayed.position.fullmoves(), 2);
    /// # Ok::<(), hansu_chess::pgn::PgnError>(())
    /// ```
    pub fn next_replay(&mut self) -> Option<Result<Replayed, PgnError>> {
        self.replay_with(|_, _| {})
    }

    /// Like [`Reader::next_replay`], and calls a function with each position and the move played in
    /// it.
    ///
    /// ```
    /// use hansu_chess::pgn::Reader;
    /// let mut captures = 0;
    /// let mut reader = Reader::new("1. e4 d5 2. exd5 *".as_bytes());
    /// reader.replay_with(|position, step| {
    ///     captures += u32::from(position.piece_at(step.to()).is_some());
    /// });
    /// assert_eq!(captures, 1);
    /// ```
    pub fn replay_with(
        &mut self,
        each: impl FnMut(&Position, Move),
    ) -> Option<Result<Replayed, PgnError>> {
        let mut replay = Replay::from_usual(self.usual, each);
        self.visit(&mut replay).map(|result| result.map(|()| replay.replayed()))
    }

    /// Passes the pieces of the next game to a visitor; `None` at the end. After an error the
    /// reader is after the broken game.
    ///
    /// ```
    /// use hansu_chess::pgn::{PgnReason, RawSan, Reader, Visitor};
    /// struct Moves(Vec<String>);
    /// impl Visitor for Moves {
    ///     fn san(&mut self, text: RawSan<'_>) -> Result<(), PgnReason> {
    ///         self.0.push(String::from_utf8_lossy(text.bytes()).into_owned());
    ///         Ok(())
    ///     }
    /// }
    /// let mut moves = Moves(Vec::new());
    /// Reader::new("1.e4 e5!? 2.Nf3 *".as_bytes()).visit(&mut moves);
    /// assert_eq!(moves.0, ["e4", "e5", "Nf3"]);
    /// ```
    pub fn visit<V: Visitor>(&mut self, visitor: &mut V) -> Option<Result<(), PgnError>> {
        let seen = self.game(visitor);
        if seen.is_err() {
            self.recover();
        }
        // Text that ends because the source has failed is not a game, unless its result was read.
        if seen != Ok(Seen::Complete)
            && self.buffer.rest().is_empty()
            && let Some(kind) = self.buffer.failure()
        {
            return Some(self.at(Err(PgnReason::Read(kind))));
        }
        match seen {
            Ok(Seen::Complete | Seen::WithoutResult) => Some(Ok(())),
            Ok(Seen::Nothing) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// One game.
    fn game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Seen, PgnError> {
        (self.section, self.event, self.depth) = (Section::Tags, false, 0);
        if !self.skip_blank() {
            return Ok(Seen::Nothing);
        }
        visitor.begin(self.buffer.line());
        let mut tagged = false;
        while self.skip_blank() {
            match self.buffer.peek() {
                // The next game; this one has no moves.
                Some(b'[') if self.event && self.is_event() => {
                    self.section = Section::Movetext;
                    let end = visitor.movetext().and_then(|_| visitor.end(None));
                    return self.at(end).map(|()| Seen::WithoutResult);
                }
                Some(b'[') => {
                    self.tag(visitor)?;
                    tagged = true;
                }
                Some(opening @ (b'{' | b';')) => self.comment(opening, visitor)?,
                _ => break,
            }
        }
        if self.buffer.peek().is_none() && !tagged {
            // Comments after the last game are not a game.
            return Ok(Seen::Nothing);
        }
        self.section = Section::Movetext;
        let movetext = visitor.movetext();
        if self.at(movetext)? == Movetext::Skip {
            self.recover();
            return Ok(Seen::Complete);
        }
        let result = self.movetext(visitor)?;
        let end = visitor.end(result);
        self.at(end)?;
        if result.is_none() {
            return Ok(Seen::WithoutResult);
        }
        self.comments_on_this_line(visitor)?;
        Ok(Seen::Complete)
    }

    /// Everything up to the end of the game; `None` if no result is written.
    #[inline(never)]
    fn movetext<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<GameResult>, PgnError> {
        loop {
            self.buffer.want(MARGIN);
            // A word may begin there that ends outside of memory.
            let margin = if self.buffer.ended() { 0 } else { MARGIN - 1 };
            let (mut at, mut depth) = (self.buffer.at, self.depth);
            let text = self.buffer.all();
            let soft_end = text.len().saturating_sub(margin);
            let stop = movetext::walk(text, &mut at, soft_end, &mut depth, visitor);
            (self.buffer.at, self.depth) = (at, depth);
            match self.at(stop)? {
                Stop::Result(result) => return Ok(Some(result)),
                Stop::Margin if self.buffer.peek().is_none() => {
                    return self.at(self.variations_closed());
                }
                Stop::Margin => {}
                Stop::Comment => self.comment(b'{', visitor)?,
                Stop::LineComment => self.comment(b';', visitor)?,
                Stop::Variation => self.skip_variation()?,
                Stop::Percent if self.buffer.at_line_start() => self.skip_line(),
                Stop::Bracket if self.is_tag_line() => {
                    return self.at(self.variations_closed());
                }
                Stop::Percent | Stop::Bracket => {
                    let reason = movetext::unexpected(self.buffer.rest());
                    return self.at(Err(reason));
                }
            }
        }
    }

    /// A game without a result ends here.
    fn variations_closed(&self) -> Result<Option<GameResult>, PgnReason> {
        if self.depth == 0 { Ok(None) } else { Err(PgnReason::UnterminatedVariation) }
    }

    /// Adds the line reached to a reason.
    fn at<T>(&mut self, result: Result<T, PgnReason>) -> Result<T, PgnError> {
        result.map_err(|reason| PgnError { line: self.buffer.line(), reason })
    }

    // -----------------------------------------------------------------------------------------
    // Tags.

    fn tag<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), PgnError> {
        loop {
            let rest = self.buffer.rest();
            match tag_pair(rest, self.buffer.ended()) {
                Pair::Whole { length, .. } if length > MAX_TAG => break,
                Pair::Whole { name, value, length } => {
                    self.event |= rest[name.clone()] == *b"Event";
                    let seen = visitor.tag(&rest[name], Raw::tag(&rest[value]));
                    self.at(seen)?;
                    self.buffer.advance(length);
                    return Ok(());
                }
                Pair::Broken => return self.at(Err(PgnReason::Tag)),
                Pair::Further if rest.len() > MAX_TAG => break,
                Pair::Further => {
                    // Twice as much, so that starting again costs no more than reading.
                    let more = 2 * rest.len();
                    self.buffer.want(more);
                }
            }
        }
        self.at(Err(PgnReason::TooLong(Part::Tag)))
    }

    /// True if a line begins here, and a tag on it.
    pub(super) fn is_tag_line(&mut self) -> bool {
        self.buffer.want(TAG_AHEAD);
        self.buffer.at_line_start() && matches!(movetext::is_tag(self.buffer.rest()), Ahead::Yes(_))
    }

    /// True if an `Event` tag begins here.
    pub(super) fn is_event(&mut self) -> bool {
        const EVENT: &[u8] = b"[Event";
        self.buffer.want(EVENT.len() + 1);
        let rest = self.buffer.rest().strip_prefix(EVENT);
        rest.and_then(<[u8]>::first).is_some_and(|&byte| byte == b'"' || byte.is_ascii_whitespace())
    }

    // -----------------------------------------------------------------------------------------
    // Comments.

    /// Hands on the comment that begins here, or skips it.
    fn comment<V: Visitor>(&mut self, opening: u8, visitor: &mut V) -> Result<(), PgnError> {
        let span = if V::COMMENTS { Span::Whole } else { Span::Skip };
        let length = self.span(opening, span)?;
        if V::COMMENTS {
            let seen = visitor.comment(Raw::comment(&self.buffer.rest()[1..length]));
            self.at(seen)?;
            self.buffer.advance(length + usize::from(opening == b'{'));
        }
        Ok(())
    }

    /// Finds the end of the comment that begins here. As a whole, it stays ahead and its length
    /// without the `}` is returned; else it is behind.
    pub(super) fn span(&mut self, opening: u8, span: Span) -> Result<usize, PgnError> {
        let line = self.buffer.line();
        let broken = |reason| Err(PgnError { line, reason });
        let mut searched = 1;
        loop {
            let rest = self.buffer.rest();
            let end = match opening {
                b'{' => movetext::comment_end(rest, searched),
                _ => line_end(rest, searched, self.buffer.ended()),
            };
            match end {
                CommentEnd::At(end) if span == Span::Skip => {
                    self.buffer.advance(end + usize::from(opening == b'{'));
                    return Ok(0);
                }
                CommentEnd::At(end) if end - 1 > MAX_COMMENT => break,
                CommentEnd::At(end) => return Ok(end),
                CommentEnd::Missing(next) => {
                    self.buffer.advance(next);
                    return broken(PgnReason::UnterminatedComment);
                }
                CommentEnd::Further(from) => {
                    if span == Span::Skip {
                        self.buffer.advance(from);
                        searched = 0;
                    } else if rest.len() > MAX_COMMENT + 1 {
                        // Its end would be there, and nothing behind it is needed to tell.
                        break;
                    } else {
                        searched = from;
                    }
                    if !self.buffer.more() && opening == b'{' {
                        self.buffer.advance(usize::MAX / 2);
                        return broken(PgnReason::UnterminatedComment);
                    }
                }
            }
        }
        broken(PgnReason::TooLong(Part::Comment))
    }

    fn comments_on_this_line<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), PgnError> {
        loop {
            match self.buffer.peek() {
                Some(b' ' | b'\t') => self.buffer.advance(1),
                Some(opening @ (b'{' | b';')) => self.comment(opening, visitor)?,
                _ => return Ok(()),
            }
        }
    }

    // -----------------------------------------------------------------------------------------
    // Text without meaning.

    /// Steps over blanks, byte order marks and lines that begin with `%`. False at the end.
    pub(super) fn skip_blank(&mut self) -> bool {
        loop {
            let rest = self.buffer.rest();
            let blanks =
                rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0b).count();
            self.buffer.advance(blanks);
            match self.buffer.peek() {
                None => return false,
                Some(b'%') if self.buffer.at_line_start() => self.skip_line(),
                Some(byte) if byte.is_ascii_whitespace() || byte == 0x0b => {}
                Some(_) if self.buffer.skip_byte_order_mark() => {}
                Some(_) => return true,
            }
        }
    }

    /// Steps up to the end of the line.
    pub(super) fn skip_line(&mut self) {
        loop {
            let rest = self.buffer.rest();
            let end = scan::find2(rest, b'\n', b'\r');
            let found = end < rest.len();
            self.buffer.advance(end);
            if found || !self.buffer.more() {
                return;
            }
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, PgnError>;

    fn next(&mut self) -> Option<Result<Record, PgnError>> {
        self.next_game()
    }
}

fn line_end(text: &[u8], from: usize, ended: bool) -> CommentEnd {
    let end = from + scan::find2(&text[from.min(text.len())..], b'\n', b'\r');
    if end < text.len() || ended { CommentEnd::At(end) } else { CommentEnd::Further(end) }
}

/// A tag, as far as it is in memory.
enum Pair {
    Whole { name: Range<usize>, value: Range<usize>, length: usize },
    Further,
    Broken,
}

fn tag_pair(text: &[u8], ended: bool) -> Pair {
    let blanks = |from: usize| {
        from + text[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    };
    let short = if ended { Pair::Broken } else { Pair::Further };
    let name = blanks(1);
    let name_end = name + text[name..].iter().take_while(|&&byte| is_name_byte(byte)).count();
    let quote = blanks(name_end);
    match text.get(quote) {
        None => return short,
        Some(b'"') if name_end > name => {}
        Some(_) => return Pair::Broken,
    }
    let (name, value) = (name..name_end, quote + 1);
    let mut end = value;
    let closed = loop {
        match text.get(end) {
            Some(b'\\') if matches!(text.get(end + 1), Some(b'"' | b'\\')) => end += 2,
            Some(b'"') => break true,
            Some(b'\n' | b'\r') => break false,
            Some(_) => end += 1,
            None if ended => break false,
            None => return Pair::Further,
        }
    };
    if closed {
        let bracket = blanks(end + 1);
        match text.get(bracket) {
            Some(b']') => return Pair::Whole { name, value: value..end, length: bracket + 1 },
            None if !ended => return Pair::Further,
            _ => {}
        }
    }
    // Unescaped quotes inside the value: then it ends with the line.
    let line = value + scan::find2(&text[value..], b'\n', b'\r');
    if line == text.len() && !ended {
        return Pair::Further;
    }
    let whole = text[value..line].trim_ascii_end().strip_suffix(b"]");
    match whole.and_then(|inside| inside.trim_ascii_end().strip_suffix(b"\"")) {
        Some(inside) => Pair::Whole { name, value: value..value + inside.len(), length: line },
        None => Pair::Broken,
    }
}
