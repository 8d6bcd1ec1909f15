//! What a position is worth without a search, put right by what earlier searches have found.

use hansu_chess::{Color, Position, Role};

use crate::score::{ESTIMATE_LIMIT, UNKNOWN};
use crate::table::Entry;
use crate::worker::Worker;

/// The fewer pieces there are, the less an advantage is worth: they would have to win it.
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

/// What a position is thought to be worth for the side to move.
pub(crate) struct Estimate {
    /// As the net or the hand says.
    pub(crate) raw: i32,
    /// What earlier searches add to it.
    pub(crate) correction: i32,
    /// All things considered.
    pub(crate) score: i32,
}

impl Worker<'_> {
    pub(crate) fn estimate(&mut self, position: &Position, ply: usize, entry: &Entry) -> Estimate {
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

    /// Piece and target of the moves that led here.
    #[inline(always)]
    pub(crate) fn last_two(&self, ply: usize) -> [usize; 2] {
        [1, 2].map(|back| self.frame_before(ply, back).moved)
    }
}
