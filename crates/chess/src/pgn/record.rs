//! A game as PGN has it: tags, moves, comments, glyphs, variations, result.

use std::fmt;

use super::{GameResult, Tags, writer};
use crate::{Game, Move, Position, Variant};

/// A game as PGN has it.
///
/// ```
/// use hansu_chess::pgn::{GameResult, Reader};
/// let text = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O {castles} Ke7 1/2-1/2";
/// let record = Reader::new(text.as_bytes()).next_game().unwrap()?;
/// assert!(record.start.fen().starts_with("4k3/"));
/// assert_eq!(record.main.plies[0].comments, ["castles"]);
/// assert_eq!(record.result, GameResult::Draw);
/// assert!(record.to_string().contains("[SetUp \"1\"]"));
/// # Ok::<(), hansu_chess::pgn::PgnError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The line on which the game begins, counted from 1; 0 for a game that was not read.
    pub line: u64,
    /// Players, place and time. `Result`, `FEN`, `SetUp` and `Variant` are not among them: they
    /// follow from the other fields.
    pub tags: Tags,
    /// How the pieces were set up and castle.
    pub variant: Variant,
    /// The first position.
    pub start: Position,
    /// The main line.
    pub main: Line,
    /// The result.
    pub result: GameResult,
}

/// Moves one after the other: a game, or a variation of it.
///
/// ```
/// use hansu_chess::pgn::Reader;
/// let text = "{An opening.} 1. e4 (1. d4 {Solid.} d5) e5 *";
/// let record = Reader::new(text.as_bytes()).next_game().unwrap()?;
/// assert_eq!(record.main.comments, ["An opening."]);
/// assert_eq!(record.main.plies[0].variations[0].plies.len(), 2);
/// # Ok::<(), hansu_chess::pgn::PgnError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move of one side with its annotations.
///
/// ```
/// use hansu_chess::pgn::Reader;
/// let record = Reader::new("1. e4! $14 {Best.} *".as_bytes()).next_game().unwrap()?;
/// let ply = &record.main.plies[0];
/// assert_eq!((&ply.nags[..], &ply.comments[0][..]), (&[1, 14][..], "Best."));
/// # Ok::<(), hansu_chess::pgn::PgnError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub step: Move,
    /// Signs by their numbers: 1 is `!`, 2 is `?`, and so on.
    pub nags: Vec<u8>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// Alternatives to the move.
    pub variations: Vec<Line>,
}

impl From<Move> for Ply {
    fn from(step: Move) -> Ply {
        Ply { step, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl Line {
    /// True if there are no moves and no comments.
    ///
    /// ```
    /// # use hansu_chess::pgn::Line;
    /// assert!(Line::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.plies.is_empty() && self.comments.iter().all(|text| text.trim_ascii().is_empty())
    }
}

impl Record {
    /// The moves of the main line.
    ///
    /// ```
    /// use hansu_chess::pgn::Reader;
    /// let record = Reader::new("1. e4 (1. d4) e5 *".as_bytes()).next_game().unwrap()?;
    /// assert_eq!(record.moves().count(), 2);
    /// # Ok::<(), hansu_chess::pgn::PgnError>(())
    /// ```
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.main.plies.iter().map(|ply| ply.step)
    }

    /// The position at the end of the main line.
    ///
    /// ```
    /// use hansu_chess::pgn::Reader;
    /// let record = Reader::new("1. f3 e5 2. g4 Qh4# *".as_bytes()).next_game().unwrap()?;
    /// assert!(record.position().is_checkmate());
    /// # Ok::<(), hansu_chess::pgn::PgnError>(())
    /// ```
    pub fn position(&self) -> Position {
        self.moves().fold(self.start, |position, step| position.play(step))
    }
}

impl From<&Game> for Record {
    /// The moves and the result, without tags.
    ///
    /// ```
    /// use hansu_chess::Game;
    /// use hansu_chess::pgn::{GameResult, Record};
    /// let mut game = Game::start();
    /// for step in ["f3", "e5", "g4", "Qh4#"] {
    ///     game.play_san(step)?;
    /// }
    /// let record = Record::from(&game);
    /// assert_eq!(record.result, GameResult::BlackWins);
    /// assert!(record.to_string().ends_with("\n1. f3 e5 2. g4 Qh4# 0-1\n"));
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    fn from(game: &Game) -> Record {
        Record {
            line: 0,
            tags: Tags::new(),
            variant: game.variant(),
            start: game.positions()[0],
            main: Line {
                comments: Vec::new(),
                plies: game.moves().iter().copied().map(Ply::from).collect(),
            },
            result: game.outcome().into(),
        }
    }
}

impl fmt::Display for Record {
    /// Writes the game in the export format, see [`Writer`](super::Writer).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        writer::push_record(&mut text, self);
        f.write_str(&text)
    }
}
