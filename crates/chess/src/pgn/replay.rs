//! Playing through a game without keeping it, and where a game starts.

use super::error::PgnReason;
use super::visitor::{Movetext, Raw, RawSan, Visitor};
use super::{GameResult, MAX_TAG_VALUE, Part};
use crate::{Move, Position, San, SanError, Variant};

/// The tags that belong to the game itself: variant, start position and result.
#[derive(Clone, Debug, Default)]
pub(super) struct Heading {
    fen: Option<String>,
    variant: Variant,
    result: Option<GameResult>,
}

impl Heading {
    /// Takes a tag if it is about the game itself; false if it is not.
    #[inline]
    pub(super) fn takes(&mut self, name: &[u8], value: Raw<'_>) -> Result<bool, PgnReason> {
        if !matches!(name.len(), 3 | 5..=7) {
            return Ok(false);
        }
        if name.eq_ignore_ascii_case(b"Result") {
            self.result = GameResult::from_text(value.bytes().trim_ascii());
        } else if name.eq_ignore_ascii_case(b"FEN") {
            if value.bytes().len() > MAX_TAG_VALUE {
                return Err(PgnReason::TooLong(Part::Tag));
            }
            self.fen = Some(value.text().into_owned());
        } else if name.eq_ignore_ascii_case(b"Variant") {
            self.variant = variant(value.bytes()).ok_or(PgnReason::Variant)?;
        } else {
            // `SetUp` adds nothing to `FEN`.
            return Ok(name.eq_ignore_ascii_case(b"SetUp"));
        }
        Ok(true)
    }

    pub(super) const fn variant(&self) -> Variant {
        self.variant
    }

    /// The start position, unless it is the usual one.
    pub(super) fn start(&self) -> Result<Option<Position>, PgnReason> {
        let Some(fen) = &self.fen else { return Ok(None) };
        Position::from_fen(fen, self.variant).map(Some).map_err(PgnReason::Fen)
    }

    /// The result after the moves counts; the tag is used only if there is none.
    pub(super) fn result(&self, written: Option<GameResult>) -> GameResult {
        match written {
            None | Some(GameResult::Unknown) => self.result.unwrap_or_default(),
            Some(result) => result,
        }
    }
}

/// The names that are in use for the variants that can be read; `None` for all others.
fn variant(name: &[u8]) -> Option<Variant> {
    let letters: Vec<u8> = name
        .iter()
        .take(32)
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    match &letters[..] {
        b"" | b"standard" | b"chess" | b"normal" | b"fromposition" => Some(Variant::Standard),
        b"chess960"
        | b"960"
        | b"fischerandom"
        | b"fischerrandom"
        | b"frc"
        | b"fischerandomchess960"
        | b"fischerandomchess"
        | b"fischerrandomchess" => Some(Variant::Chess960),
        _ => None,
    }
}

/// A game that was played through.
///
/// ```
/// use hansu_chess::pgn::{GameResult, Reader};
/// let mut reader = Reader::new("\n\n1. f3 e5 2. g4 Qh4# 0-1".as_bytes());
/// let replayed = reader.next_replay().unwrap()?;
/// assert_eq!((replayed.line, replayed.plies), (3, 4));
/// assert_eq!(replayed.result, GameResult::BlackWins);
/// assert!(replayed.position.is_checkmate());
/// # Ok::<(), hansu_chess::pgn::PgnError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// The line on which the game begins, counted from 1.
    pub line: u64,
    /// How many moves of single sides the main line has.
    pub plies: u32,
    /// The result as written.
    pub result: GameResult,
    /// The position at the end.
    pub position: Position,
}

/// A visitor that plays the main line of one game and keeps only the position: nothing is
/// allocated for a move.
///
/// ```
/// use hansu_chess::pgn::{Reader, Replay};
/// let mut replay = Replay::new(|_, _| {});
/// Reader::new("1. e4 c5 *".as_bytes()).visit(&mut replay).unwrap()?;
/// assert_eq!(replay.replayed().plies, 2);
/// # Ok::<(), hansu_chess::pgn::PgnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay<F> {
    heading: Heading,
    /// The usual start position, computed once.
    usual: Position,
    line: u64,
    position: Position,
    plies: u32,
    result: GameResult,
    each: F,
}

impl<F: FnMut(&Position, Move)> Replay<F> {
    /// Calls a function with each position and the move that is played in it.
    ///
    /// ```
    /// # use hansu_chess::pgn::Replay;
    /// assert_eq!(Replay::new(|_, _| {}).replayed().plies, 0);
    /// ```
    pub fn new(each: F) -> Replay<F> {
        Replay::from_usual(Position::start(), each)
    }

    pub(super) fn from_usual(usual: Position, each: F) -> Replay<F> {
        Replay {
            heading: Heading::default(),
            usual,
            line: 0,
            position: usual,
            plies: 0,
            result: GameResult::Unknown,
            each,
        }
    }

    /// The result of the replay.
    ///
    /// ```
    /// use hansu_chess::Position;
    /// # use hansu_chess::pgn::Replay;
    /// assert_eq!(Replay::new(|_, _| {}).replayed().position, Position::start());
    /// ```
    pub const fn replayed(&self) -> Replayed {
        Replayed {
            line: self.line,
            plies: self.plies,
            result: self.result,
            position: self.position,
        }
    }

    /// Plays a move. Not inlined into the loop that parses moves: together they would need more
    /// registers than there are.
    #[inline(never)]
    fn play(&mut self, san: San) -> Result<(), SanError> {
        let step = san.to_move(&self.position)?;
        (self.each)(&self.position, step);
        self.position.make(step);
        self.plies = self.plies.saturating_add(1);
        Ok(())
    }
}

impl<F: FnMut(&Position, Move)> Visitor for Replay<F> {
    const COMMENTS: bool = false;
    const VARIATIONS: bool = false;

    fn begin(&mut self, line: u64) {
        self.line = line;
        self.heading = Heading::default();
        self.position = self.usual;
        self.plies = 0;
        self.result = GameResult::Unknown;
    }

    fn tag(&mut self, name: &[u8], value: Raw<'_>) -> Result<(), PgnReason> {
        self.heading.takes(name, value).map(|_| ())
    }

    fn movetext(&mut self) -> Result<Movetext, PgnReason> {
        if let Some(start) = self.heading.start()? {
            self.position = start;
        }
        Ok(Movetext::Read)
    }

    #[inline(always)]
    fn san(&mut self, text: RawSan<'_>) -> Result<(), PgnReason> {
        let played = text.read().and_then(|san| self.play(san));
        played.map_err(|error| PgnReason::of_move(error, text.bytes()))
    }

    fn end(&mut self, result: Option<GameResult>) -> Result<(), PgnReason> {
        self.result = self.heading.result(result);
        Ok(())
    }
}
