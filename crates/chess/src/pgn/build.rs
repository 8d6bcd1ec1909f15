//! From the pieces that a reader hands on to a record.

use super::error::{Part, PgnReason};
use super::lenient::{self, Meaning};
use super::replay::Heading;
use super::tags::TagError;
use super::visitor::{Movetext, Raw, RawSan, Visitor};
use super::{GameResult, Line, MAX_COMMENT, MAX_GAME, Ply, Record};
use crate::{Move, Position, SanError};

/// Which parts of a game are kept when it is read.
///
/// ```
/// use hansu_chess::pgn::{Keep, Reader};
/// let text = "1. e4 {Good.} (1. d4) e5 *";
/// let record = Reader::new(text.as_bytes()).keep(Keep::MainLine).next_game().unwrap()?;
/// assert_eq!(record.main.plies[0].comments, ["Good."]);
/// assert!(record.main.plies[0].variations.is_empty());
/// # Ok::<(), hansu_chess::pgn::PgnError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// Moves, signs, comments, variations.
    #[default]
    Everything,
    /// Moves, signs and comments of the main line; variations are not even judged.
    MainLine,
    /// Moves and signs of the main line.
    Moves,
}

/// A line that is being read.
#[derive(Debug)]
struct Open {
    line: Line,
    /// The position before the last move: there a variation of it starts.
    before: Position,
    now: Position,
    /// What follows a move that cannot be played, and how many variations are open in it.
    rest: Option<(String, usize)>,
}

impl Open {
    fn new(start: Position) -> Open {
        Open { line: Line::default(), before: start, now: start, rest: None }
    }

    /// The line as far as it can be played; what follows is its last comment.
    fn into_line<const COMMENTS: bool>(mut self) -> Line {
        if COMMENTS && let Some((text, _)) = self.rest {
            comments_of(&mut self.line).push(text);
        }
        self.line
    }
}

/// The comments at the end of a line.
fn comments_of(line: &mut Line) -> &mut Vec<String> {
    match line.plies.last_mut() {
        Some(ply) => &mut ply.comments,
        None => &mut line.comments,
    }
}

#[derive(Debug)]
pub(super) struct Build<const COMMENTS: bool, const VARIATIONS: bool, const LENIENT: bool> {
    heading: Heading,
    record: Record,
    /// The line being read.
    open: Open,
    /// The lines of which it is a variation, the main line first.
    outer: Vec<Open>,
    /// Bytes that the record may still take.
    budget: usize,
    /// True if strict reading would have had another result.
    mended: bool,
}

impl<const COMMENTS: bool, const VARIATIONS: bool, const LENIENT: bool>
    Build<COMMENTS, VARIATIONS, LENIENT>
{
    pub(super) fn new() -> Self {
        Build {
            heading: Heading::default(),
            record: Record::default(),
            open: Open::new(Position::start()),
            outer: Vec::new(),
            budget: MAX_GAME,
            mended: false,
        }
    }

    pub(super) const fn is_mended(&self) -> bool {
        self.mended
    }

    pub(super) fn into_record(self) -> Record {
        Record { main: self.open.into_line::<COMMENTS>(), ..self.record }
    }

    fn spend(&mut self, bytes: usize) -> Result<(), PgnReason> {
        self.budget = self.budget.checked_sub(bytes).ok_or(PgnReason::TooLong(Part::Game))?;
        Ok(())
    }

    fn play(&mut self, step: Move) {
        let open = &mut self.open;
        open.before = open.now;
        open.now = open.before.play(step);
        open.line.plies.push(Ply::from(step));
    }

    /// Adds a text to what follows a move that cannot be played; false where all moves could be.
    fn take_rest(&mut self, text: &str) -> Result<bool, PgnReason> {
        let Some((rest, _)) = &mut self.open.rest else { return Ok(false) };
        if !rest.is_empty() && !text.is_empty() && !rest.ends_with('(') && text != ")" {
            rest.push(' ');
        }
        rest.push_str(text);
        if rest.len() > MAX_COMMENT {
            return Err(PgnReason::TooLong(Part::Comment));
        }
        self.spend(text.len() + 1)?;
        Ok(true)
    }

    /// A move that is not one in standard notation.
    #[cold]
    #[inline(never)]
    fn other_move(&mut self, error: SanError, word: &[u8]) -> Result<(), PgnReason> {
        let meaning = lenient::meaning(word, &self.open.now);
        match meaning {
            Some(Meaning::Remark) => return Ok(()),
            Some(Meaning::Move(step)) => self.play(step),
            None if self.outer.is_empty() => return Err(PgnReason::of_move(error, word)),
            None | Some(Meaning::Null) => {
                self.open.rest = Some((String::new(), 0));
                self.take_rest(&String::from_utf8_lossy(word))?;
            }
        }
        self.mended = true;
        Ok(())
    }
}

impl<const COMMENTS: bool, const VARIATIONS: bool, const LENIENT: bool> Visitor
    for Build<COMMENTS, VARIATIONS, LENIENT>
{
    const COMMENTS: bool = COMMENTS;
    const VARIATIONS: bool = VARIATIONS;
    const LENIENT: bool = LENIENT;

    fn begin(&mut self, line: u64) {
        self.record.line = line;
    }

    fn tag(&mut self, name: &[u8], value: Raw<'_>) -> Result<(), PgnReason> {
        if self.heading.takes(name, value)? {
            return Ok(());
        }
        let name = str::from_utf8(name).map_err(|_| PgnReason::Tag)?;
        self.record.tags.set(name, &value.text()).map_err(|error| match error {
            TagError::TooLong => PgnReason::TooLong(Part::Tag),
            TagError::TooMany => PgnReason::TooManyTags,
            TagError::Name | TagError::KeptElsewhere => PgnReason::Tag,
        })
    }

    fn movetext(&mut self) -> Result<Movetext, PgnReason> {
        let start = self.heading.start()?.unwrap_or(self.record.start);
        self.record.variant = self.heading.variant();
        self.record.start = start;
        (self.open.before, self.open.now) = (start, start);
        Ok(Movetext::Read)
    }

    #[inline]
    fn san(&mut self, text: RawSan<'_>) -> Result<(), PgnReason> {
        if LENIENT && self.open.rest.is_some() {
            return self.take_rest(&String::from_utf8_lossy(text.bytes())).map(|_| ());
        }
        self.spend(size_of::<Ply>())?;
        match text.read().and_then(|san| san.to_move(&self.open.now)) {
            Ok(step) => self.play(step),
            Err(error) if LENIENT => return self.other_move(error, text.bytes()),
            Err(error) => return Err(PgnReason::of_move(error, text.bytes())),
        }
        Ok(())
    }

    fn nag(&mut self, nag: u8) -> Result<(), PgnReason> {
        if LENIENT && self.take_rest(&format!("${nag}"))? {
            return Ok(());
        }
        self.spend(1)?;
        // Before the first move it is about nothing.
        if let Some(ply) = self.open.line.plies.last_mut() {
            ply.nags.push(nag);
        }
        Ok(())
    }

    fn comment(&mut self, text: Raw<'_>) -> Result<(), PgnReason> {
        let text = text.text();
        // Latin-1 has grown while it became UTF-8.
        if text.len() > MAX_COMMENT {
            return Err(PgnReason::TooLong(Part::Comment));
        }
        if text.is_empty() {
            return Ok(());
        }
        if LENIENT && self.take_rest(&text)? {
            return Ok(());
        }
        self.spend(size_of::<String>() + text.len())?;
        comments_of(&mut self.open.line).push(text.into_owned());
        Ok(())
    }

    fn open(&mut self) -> Result<(), PgnReason> {
        if LENIENT && self.take_rest("(")? {
            if let Some((_, depth)) = &mut self.open.rest {
                *depth += 1;
            }
            return Ok(());
        }
        if self.open.line.plies.is_empty() && !LENIENT {
            return Err(PgnReason::NothingToVary);
        }
        self.spend(size_of::<Line>())?;
        let inner = Open::new(self.open.before);
        self.outer.push(std::mem::replace(&mut self.open, inner));
        Ok(())
    }

    fn close(&mut self) -> Result<(), PgnReason> {
        if LENIENT && self.open.rest.as_ref().is_some_and(|(_, depth)| *depth > 0) {
            self.take_rest(")")?;
            if let Some((_, depth)) = &mut self.open.rest {
                *depth -= 1;
            }
            return Ok(());
        }
        let outer = self.outer.pop().ok_or(PgnReason::NothingToClose)?;
        let inner = std::mem::replace(&mut self.open, outer).into_line::<COMMENTS>();
        if !inner.is_empty()
            && let Some(ply) = self.open.line.plies.last_mut()
        {
            ply.variations.push(inner);
        }
        Ok(())
    }

    fn end(&mut self, result: Option<GameResult>) -> Result<(), PgnReason> {
        self.record.result = self.heading.result(result);
        Ok(())
    }
}
