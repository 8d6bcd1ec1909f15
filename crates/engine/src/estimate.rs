//! The static estimate of a position, corrected by the errors that earlier searches have found.

use hansu_chess::{Color, Position, Role};

use crate::score::{ESTIMATE_LIMIT, UNKNOWN};
use crate::table::TableEntry;
use crate::worker::Worker;

/// Scales an estimate down as material leaves the board: fewer pieces are left to win with.
fn by_material(position: &Position, estimate: i32) -> i32 {
    let board = position.board();
    let count = |role: Role| {
        Color::ALL.map(|color| board.of(role.of(color)).len() as i32).iter().sum::<i32>()
    };
    let material = count(Role::Pawn)
        + 3 * (count(Role::Knight) + count(Role::Bishop))
        + 5 * count(Role::Rook)
        + 9 * count(Role::Queen);
    estimate * (750 + 4 * material) / 1024
}

/// The estimate of a position for the side to move, in hundredths of a pawn.
pub(crate) struct Estimate {
    /// From the net or the handwritten evaluation.
    pub(crate) raw: i32,
    /// The correction by earlier searches.
    pub(crate) correction: i32,
    /// The raw estimate scaled by material, plus the correction, scaled by the fifty-move counter.
    pub(crate) score: i32,
}

impl Worker<'_> {
    pub(crate) fn estimate(
        &mut self,
        position: &Position,
        ply: usize,
        entry: &TableEntry,
    ) -> Estimate {
        let raw = if entry.estimate == UNKNOWN {
            self.memory.estimates.evaluate(ply, position)
        } else {
            entry.estimate
        };
        let correction = self.memory.history.correction(position, self.last_two(ply));
        let corrected = by_material(position, raw) + correction;
        // Without captures and pawn moves a draw comes nearer.
        let score = corrected * (220 - i32::from(position.halfmoves()).min(100)) / 220;
        Estimate { raw, correction, score: score.clamp(-ESTIMATE_LIMIT, ESTIMATE_LIMIT) }
    }

    /// Rows of the last two moves that led here.
    #[inline(always)]
    pub(crate) fn last_two(&self, ply: usize) -> [usize; 2] {
        [1, 2].map(|back| self.frame_before(ply, back).moved)
    }
}
