//! A game of the log played through: its moves in notation, its positions.

use hansu_chess::{Color, Move, Position};
use hansu_records::{Record, Summary};

use super::Log;
use super::stop::Stop;
use super::words::Say;

/// A move that was played.
pub(super) struct Step {
    /// Its number, as in `12. Nf3`.
    pub(super) number: u16,
    pub(super) color: Color,
    pub(super) san: String,
    pub(super) step: Move,
    /// The position after it.
    pub(super) position: Position,
}

/// A game from its start to its end.
pub(super) struct Line {
    pub(super) start: Position,
    pub(super) steps: Vec<Step>,
}

impl Line {
    pub(super) fn of(record: &Record, log: &Log) -> Result<Line, Stop> {
        let unplayable = || Stop::Failure(log.say(Say::Unplayable(record.id.as_str())));
        Line::through(&record.summary).ok_or_else(unplayable)
    }

    /// Plays a game through; `None` when its moves cannot be played.
    pub(super) fn through(summary: &Summary) -> Option<Line> {
        let start = summary.start().ok()?;
        let (mut before, mut steps) = (start, Vec::with_capacity(summary.plies()));
        let replayed = summary.moves.replay(start, usize::MAX, |step, &position| {
            steps.push(Step {
                number: before.fullmoves(),
                color: before.turn(),
                san: before.san(step).to_string(),
                step,
                position,
            });
            before = position;
        });
        replayed.ok().map(|_| Line { start, steps })
    }

    /// The position after so many plies, and the move that led to it.
    pub(super) fn at(&self, ply: usize) -> (&Position, Option<&Step>) {
        match ply.checked_sub(1).and_then(|at| self.steps.get(at)) {
            Some(step) => (&step.position, Some(step)),
            None => (&self.start, None),
        }
    }
}

impl Step {
    /// The move with its number: `12. Nf3`, `12... Nc6`.
    pub(super) fn caption(&self) -> String {
        let dots = match self.color {
            Color::White => ".",
            Color::Black => "...",
        };
        format!("{}{dots} {}", self.number, self.san)
    }
}
