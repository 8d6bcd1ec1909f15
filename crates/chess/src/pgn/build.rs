//! From the pieces that a reader hands on to a record.

use super::error::{Part, PgnReason};
use super::replay::Heading;
use super::tags::TagError;
use super::visitor::{Movetext, Raw, RawSan, Visitor};
use super::{GameResult, Line, MAX_COMMENT, MAX_GAME, Ply, Record};
use crate::Position;

/// What of a game is kept when it is read.
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
}

impl Open {
    fn new(start: Position) -> Open {
        Open { line: Line::default(), before: start, now: start }
    }
}

#[derive(Debug)]
pub(super) struct Build<const COMMENTS: bool, const VARIATIONS: bool> {
    heading: Heading,
    record: Record,
    /// The line being read.
    open: Open,
    /// The lines of which it is a variation, the main line first.
    outer: Vec<Open>,
    /// Bytes that the record may still take.
    budget: usize,
}

impl<const COMMENTS: bool, const VARIATIONS: bool> Build<COMMENTS, VARIATIONS> {
    pub(super) fn new() -> Self {
        Build {
            heading: Heading::default(),
            record: Record::default(),
            open: Open::new(Position::start()),
            outer: Vec::new(),
            budget: MAX_GAME,
        }
    }

    pub(super) fn into_record(self) -> Record {
        Record { main: self.open.line, ..self.record }
    }

    fn spend(&mut self, bytes: usize) -> Result<(), PgnReason> {
        self.budget = self.budget.checked_sub(bytes).ok_or(PgnReason::TooLong(Part::Game))?;
        Ok(())
    }
}

impl<const COMMENTS: bool, const VARIATIONS: bool> Visitor for Build<COMMENTS, VARIATIONS> {
    const COMMENTS: bool = COMMENTS;
    const VARIATIONS: bool = VARIATIONS;

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
        self.spend(size_of::<Ply>())?;
        let open = &mut self.open;
        let step = text.read().and_then(|san| san.to_move(&open.now));
        let step = step.map_err(|error| PgnReason::of_move(error, text.bytes()))?;
        open.before = open.now;
        open.now = open.before.play(step);
        open.line.plies.push(Ply::from(step));
        Ok(())
    }

    fn nag(&mut self, nag: u8) -> Result<(), PgnReason> {
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
        self.spend(size_of::<String>() + text.len())?;
        let line = &mut self.open.line;
        let comments = match line.plies.last_mut() {
            Some(ply) => &mut ply.comments,
            None => &mut line.comments,
        };
        comments.push(text.into_owned());
        Ok(())
    }

    fn open(&mut self) -> Result<(), PgnReason> {
        if self.open.line.plies.is_empty() {
            return Err(PgnReason::NothingToVary);
        }
        self.spend(size_of::<Line>())?;
        let inner = Open::new(self.open.before);
        self.outer.push(std::mem::replace(&mut self.open, inner));
        Ok(())
    }

    fn close(&mut self) -> Result<(), PgnReason> {
        let outer = self.outer.pop().ok_or(PgnReason::NothingToClose)?;
        let inner = std::mem::replace(&mut self.open, outer).line;
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
