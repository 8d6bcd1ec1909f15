//! Replays a game of the log: its moves in notation, its positions.

use hansu_chess::{Color, Move, Position};
use hansu_records::{Record, Summary};

use super::Log;
use super::command_error::CommandError;
use super::words::Sentence;

/// A move that was played.
pub(super) struct PlayedMove {
    /// The move number, as in `12. Nf3`.
    pub(super) number: u16,
    pub(super) color: Color,
    pub(super) san: String,
    pub(super) mv: Move,
    /// The position after the move.
    pub(super) position: Position,
}

/// All moves and positions of a game.
pub(super) struct Playthrough {
    pub(super) start: Position,
    pub(super) moves: Vec<PlayedMove>,
}

impl Playthrough {
    pub(super) fn of(record: &Record, log: &Log) -> Result<Playthrough, CommandError> {
        let unplayable =
            || CommandError::Failure(log.text(Sentence::Unplayable(record.id.as_str())));
        Playthrough::replay(&record.summary).ok_or_else(unplayable)
    }

    /// Replays a game; None if its moves cannot be played.
    pub(super) fn replay(summary: &Summary) -> Option<Playthrough> {
        let start = summary.start().ok()?;
        let (mut before, mut moves) = (start, Vec::with_capacity(summary.plies()));
        let replayed = summary.moves.replay(start, usize::MAX, |step, &position| {
            moves.push(PlayedMove {
                number: before.fullmoves(),
                color: before.turn(),
                san: before.san(step).to_string(),
                mv: step,
                position,
            });
            before = position;
        });
        replayed.ok().map(|_| Playthrough { start, moves })
    }

    /// The position after `ply` plies, and the move that led to it (None at the start).
    pub(super) fn at(&self, ply: usize) -> (&Position, Option<&PlayedMove>) {
        match ply.checked_sub(1).and_then(|at| self.moves.get(at)) {
            Some(step) => (&step.position, Some(step)),
            None => (&self.start, None),
        }
    }
}

impl PlayedMove {
    /// The move with its number: `12. Nf3`, `12... Nc6`.
    pub(super) fn caption(&self) -> String {
        let dots = match self.color {
            Color::White => ".",
            Color::Black => "...",
        };
        format!("{}{dots} {}", self.number, self.san)
    }
}
