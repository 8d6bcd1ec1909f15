//! Bishop and knight against a bare king: which way to drive it. Nets see too few such positions to
//! learn it.

use hansu_chess::{Bitboard, Color, Position, Role, Square};

/// Squares of the colour of a1.
const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// The value of bishop and knight against a bare king.
const WON: i32 = 900;

/// `STEP`: the value of each step of the bare king towards a corner where mate is possible. It must
/// exceed all else, or the pieces go round in circles. `NEAR` and `KNIGHT`: of each step of the other
/// king and of the knight towards the bare king.
const STEP: i32 = 420;
const NEAR: i32 = 20;
const KNIGHT: i32 = 10;

/// The estimate for the side to move where one side has bishop and knight, the other only its king.
pub(crate) fn estimate(position: &Position) -> Option<i32> {
    let board = position.board();
    if board.occupied().len() != 4 {
        return None;
    }
    let weak = Color::ALL.into_iter().find(|&color| board.of_color(color).len() == 1)?;
    let strong = !weak;
    let bishop = board.of(Role::Bishop.of(strong)).first()?;
    let knight = board.of(Role::Knight.of(strong)).first()?;
    let prey = position.king(weak);
    let (file, rank) = (prey.index() as i32 % 8, prey.index() as i32 / 8);
    // Mate is possible only in the corners of the bishop's colour.
    let corner = if DARK.contains(bishop) { 7 - file - rank } else { file - rank };
    let near = |at: Square| 7 - distance(at, prey);
    let value =
        WON + STEP * corner.abs() + NEAR * near(position.king(strong)) + KNIGHT * near(knight);
    Some(if position.turn() == strong { value } else { -value })
}

/// The number of king moves between two squares.
fn distance(one: Square, other: Square) -> i32 {
    let files = one.index() as i32 % 8 - other.index() as i32 % 8;
    let ranks = one.index() as i32 / 8 - other.index() as i32 / 8;
    files.abs().max(ranks.abs())
}

/// True if a side has only its king and there is no pawn: the handwritten evaluation is better than
/// the net there.
pub(crate) fn is_bare_king_ending(position: &Position) -> bool {
    let board = position.board();
    board.of_role(Role::Pawn).is_empty()
        && Color::ALL.into_iter().any(|color| board.of_color(color).len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str) -> Option<i32> {
        estimate(&fen.parse().expect(fen))
    }

    #[test]
    fn the_right_corner_is_better_than_the_wrong_one() {
        // The bishop stands on a light square: a8 and h1 are the corners of mate.
        let right = of("k7/8/2K5/8/4B3/4N3/8/8 w - - 0 1").expect("known");
        let wrong = of("7k/8/5K2/8/4B3/4N3/8/8 w - - 0 1").expect("known");
        assert!(right > wrong + 300, "{right} {wrong}");
        assert_eq!(of("k7/8/2K5/8/4B3/4N3/8/8 b - - 0 1"), Some(-right));
    }

    #[test]
    fn other_positions_are_not_known() {
        for fen in [
            "k7/8/2K5/8/4N3/4N3/8/8 w - - 0 1",
            "k7/8/2K5/8/4B3/4B3/8/8 w - - 0 1",
            "k7/p7/2K5/8/4B3/4N3/8/8 w - - 0 1",
            "kr6/8/2K5/8/4B3/8/8/8 w - - 0 1",
        ] {
            assert_eq!(of(fen), None, "{fen}");
        }
    }
}
