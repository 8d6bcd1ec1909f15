//! Statistics of earlier parts of a search: which moves were good, how far estimates were off.

use hansu_chess::{Bitboard, Color, Move, Position, Role};

/// Histories stay between minus and plus this value.
const MAX_HISTORY: i32 = 16_384;

/// The row of the continuation history that stands for "no move"; smaller rows are earlier moves
/// ([`row_of`]).
pub(crate) const NO_MOVE: usize = 2 * MOVES;

/// Numbers of [`piece_to`].
const MOVES: usize = 12 * 64;

const CORRECTIONS: usize = 16_384;
const MAX_CORRECTION: i32 = 1024;

/// Rows of the pawn history: pawn structures are hashed into this many.
const PAWN_ROWS: usize = 512;

/// What the history of a quiet move depends on besides the move itself.
#[derive(Clone, Copy, Default)]
pub(crate) struct Context {
    /// Rows of the moves one, two and four plies ago.
    pub(crate) before: [usize; 3],
    /// Row of the pawn history.
    pub(crate) pawns: usize,
    /// The squares that the opponent attacks.
    pub(crate) attacked: Bitboard,
}

/// The history tables of one thread.
pub(crate) struct History {
    /// By whether the opponent attacks the two squares, colour, from, to.
    quiet: Vec<i16>,
    /// By piece, to, captured role.
    capture: Vec<i16>,
    /// By earlier move, then piece and target.
    continuation: Vec<i16>,
    /// By pawns, then piece and target.
    pawns: Vec<i16>,
    /// Errors of estimates: by side to move, and by pawns, White's pieces or Black's pieces.
    correction: [Vec<i16>; 3],
    /// The same by the two moves that led to the position.
    line_correction: Vec<i16>,
}

/// Piece and target of a move as one number.
#[inline(always)]
pub(crate) fn piece_to(color: Color, step: Move) -> usize {
    (color as usize * 6 + step.role() as usize) * 64 + step.to().index()
}

/// The row of a move in the continuation history: whether it captures, its piece and target.
#[inline(always)]
pub(crate) fn row_of(position: &Position, step: Move) -> usize {
    usize::from(position.is_capture(step)) * MOVES + piece_to(position.turn(), step)
}

/// The index of a quiet move: whether its squares are among the attacked ones, colour, from, to.
#[inline(always)]
pub(crate) fn quiet_at(color: Color, step: Move, attacked: Bitboard) -> usize {
    let (from, to) = (step.from(), step.to());
    let both = 2 * usize::from(attacked.contains(from)) + usize::from(attacked.contains(to));
    ((both * 2 + color as usize) * 64 + from.index()) * 64 + to.index()
}

/// The index of the last two moves in a correction; captures are not told apart, for the table's size.
#[inline(always)]
fn line_at(line: [usize; 2]) -> usize {
    let [last, before] = line.map(|row| if row < MOVES { row } else { row - MOVES });
    last * (MOVES + 1) + before
}

#[inline(always)]
fn capture_at(position: &Position, step: Move) -> usize {
    let taken = position.taken(step).unwrap_or(Role::Pawn);
    piece_to(position.turn(), step) * 6 + taken as usize
}

/// Adds a bonus to a value; the effect shrinks as the value comes near `most`.
#[inline(always)]
fn add_bonus(value: &mut i16, bonus: i32, most: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / most) as i16;
}

/// Mixes sets of squares into a number.
#[inline(always)]
fn mix(sets: impl Iterator<Item = u64>) -> usize {
    let mut sum = 0x9e37_79b9_7f4a_7c15u64;
    for set in sets {
        sum = (sum ^ set).wrapping_mul(0xd6e8_feb8_6659_fd93);
        sum ^= sum >> 32;
    }
    sum as usize % CORRECTIONS
}

impl History {
    pub(crate) fn new() -> History {
        History {
            quiet: vec![0; 4 * 2 * 64 * 64],
            capture: vec![0; MOVES * 6],
            continuation: vec![0; (NO_MOVE + 1) * MOVES],
            pawns: vec![0; PAWN_ROWS * MOVES],
            correction: [(); 3].map(|()| vec![0; 2 * CORRECTIONS]),
            line_correction: vec![0; (MOVES + 1) * (MOVES + 1)],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.pawns.fill(0);
        self.line_correction.fill(0);
        for table in &mut self.correction {
            table.fill(0);
        }
    }

    /// The row of a position in the pawn history.
    #[inline(always)]
    pub(crate) fn pawns_of(position: &Position) -> usize {
        let board = position.board();
        mix(Color::ALL.map(|color| board.of(Role::Pawn.of(color)).0).into_iter()) % PAWN_ROWS
    }

    /// The history score of a quiet move: larger is more promising.
    #[inline]
    pub(crate) fn quiet(&self, color: Color, step: Move, context: Context) -> i32 {
        let index = piece_to(color, step);
        let follow = |row: usize| i32::from(self.continuation[row * MOVES + index]);
        let plain = i32::from(self.quiet[quiet_at(color, step, context.attacked)]);
        let [one, two, four] = context.before;
        let pawns = i32::from(self.pawns[context.pawns * MOVES + index]);
        plain + follow(one) * 2 + follow(two) + follow(four) / 2 + pawns * 2 / 3
    }

    #[inline]
    pub(crate) fn capture(&self, position: &Position, step: Move) -> i32 {
        i32::from(self.capture[capture_at(position, step)])
    }

    pub(crate) fn teach_quiet(&mut self, color: Color, step: Move, context: Context, by: i32) {
        let index = piece_to(color, step);
        self.teach_from_to(quiet_at(color, step, context.attacked), by);
        add_bonus(&mut self.pawns[context.pawns * MOVES + index], by, MAX_HISTORY);
        self.teach_continuation(index, context.before, by);
    }

    /// `index`: piece and target of the move.
    pub(crate) fn teach_continuation(&mut self, index: usize, before: [usize; 3], by: i32) {
        for row in before {
            if row != NO_MOVE {
                add_bonus(&mut self.continuation[row * MOVES + index], by, MAX_HISTORY);
            }
        }
    }

    /// `from_to`: the row of a quiet move ([`quiet_at`]).
    pub(crate) fn teach_from_to(&mut self, from_to: usize, by: i32) {
        add_bonus(&mut self.quiet[from_to], by, MAX_HISTORY);
    }

    pub(crate) fn teach_capture(&mut self, position: &Position, step: Move, by: i32) {
        add_bonus(&mut self.capture[capture_at(position, step)], by, MAX_HISTORY);
    }

    fn correction_at(position: &Position) -> [usize; 3] {
        let board = position.board();
        let offset = position.turn() as usize * CORRECTIONS;
        let pawns = Color::ALL.map(|color| board.of(Role::Pawn.of(color)).0);
        let pieces = |color: Color| {
            let set = move |role: Role| board.of(role.of(color)).0;
            mix([Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King]
                .into_iter()
                .map(set))
        };
        [
            offset + mix(pawns.into_iter()),
            offset + pieces(Color::White),
            offset + pieces(Color::Black),
        ]
    }

    /// What to add to an estimate, as earlier searches of similar positions suggest. `line`: rows of
    /// the last two moves.
    pub(crate) fn correction(&self, position: &Position, line: [usize; 2]) -> i32 {
        let at = Self::correction_at(position);
        let sum: i32 = at.iter().zip(&self.correction).map(|(&at, t)| i32::from(t[at])).sum();
        (sum + i32::from(self.line_correction[line_at(line)])) / 12
    }

    /// Learns from a searched score: `off` is the score minus the estimate.
    pub(crate) fn teach_correction(
        &mut self,
        position: &Position,
        line: [usize; 2],
        off: i32,
        depth: i32,
    ) {
        let bonus = (off * depth / 8).clamp(-MAX_CORRECTION / 4, MAX_CORRECTION / 4);
        for (at, table) in Self::correction_at(position).into_iter().zip(&mut self.correction) {
            add_bonus(&mut table[at], bonus, MAX_CORRECTION);
        }
        add_bonus(&mut self.line_correction[line_at(line)], bonus, MAX_CORRECTION);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_stay_within_their_limits() {
        let mut value = 0;
        for bonus in [1600, -1600, 1600, 1600] {
            for _ in 0..1000 {
                add_bonus(&mut value, bonus, MAX_HISTORY);
                assert!(i32::from(value).abs() <= MAX_HISTORY);
            }
        }
        assert!(value > 14_000);
    }
}
