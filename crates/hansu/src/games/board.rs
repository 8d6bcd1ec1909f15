//! The board as it is drawn: eight plain lines for pipes, tiles and figures for terminals.

use hansu_chess::{Bitboard, Color, File, Move, Position, Rank, Role, Square};

/// Backgrounds of the 256 colours that nearly all terminals have, light and dark; the ink is
/// black on all of them. The same as in the terminal game.
const TILE: [u8; 2] = [187, 137];
const LAST_MOVE: [u8; 2] = [229, 178];
const CHECK: u8 = 210;
const CHECKMATE: u8 = 203;
const INK: u8 = 16;

/// Whether tiles are coloured (`NO_COLOR` says no).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Paint {
    Tiles,
    None,
}

impl Paint {
    pub(super) fn wanted() -> Paint {
        match std::env::var_os("NO_COLOR") {
            Some(value) if !value.is_empty() => Paint::None,
            _ => Paint::Tiles,
        }
    }
}

/// The board as the terminal game prints it: a line a rank, digits for empty tiles.
pub(super) fn plain(position: &Position) -> String {
    let mut text = String::new();
    position.board().write_ranks(&mut text, '\n');
    text.push('\n');
    text
}

/// The board as one side sees it, a line a rank and one for the files.
pub(super) fn pretty(
    position: &Position,
    last: Option<Move>,
    seen_by: Color,
    paint: Paint,
) -> Vec<String> {
    let mut lines = Vec::with_capacity(9);
    let places = |at: usize| match seen_by {
        Color::White => at,
        Color::Black => 7 - at,
    };
    for row in 0..8 {
        let rank = Rank::ALL[7 - places(row)];
        let mut line = format!("{} ", rank.digit());
        for column in 0..8 {
            let square = Square::new(File::ALL[places(column)], rank);
            let moved = last.is_some_and(|step| step.from() == square || step.to() == square);
            let figure = match position.piece_at(square) {
                Some(piece) => figure(piece.role, piece.color),
                None if paint == Paint::None => '·',
                None => ' ',
            };
            if paint == Paint::Tiles {
                let tile = tile(position, moved, square);
                line.push_str(&format!("\u{1b}[38;5;{INK};48;5;{tile}m"));
            }
            // Colour is never the only sign.
            let (open, close) = if moved { ('[', ']') } else { (' ', ' ') };
            line.extend([open, figure, close]);
        }
        if paint == Paint::Tiles {
            line.push_str("\u{1b}[0m");
        }
        lines.push(line);
    }
    let files = (0..8).map(|at| format!(" {} ", File::ALL[places(at)].letter()));
    lines.push(format!("  {}", files.collect::<String>()));
    lines
}

/// The colour of a tile: what has just happened comes before the pattern.
fn tile(position: &Position, moved: bool, square: Square) -> u8 {
    if position.is_check() && position.king(position.turn()) == square {
        return if position.is_checkmate() { CHECKMATE } else { CHECK };
    }
    let shades = if moved { LAST_MOVE } else { TILE };
    shades[usize::from(Bitboard::DARK.contains(square))]
}

/// White in outline, Black filled, as in print: the shape tells, not the colour.
const fn figure(role: Role, color: Color) -> char {
    match (color, role) {
        (Color::White, Role::Pawn) => '♙',
        (Color::White, Role::Knight) => '♘',
        (Color::White, Role::Bishop) => '♗',
        (Color::White, Role::Rook) => '♖',
        (Color::White, Role::Queen) => '♕',
        (Color::White, Role::King) => '♔',
        (Color::Black, Role::Pawn) => '♟',
        (Color::Black, Role::Knight) => '♞',
        (Color::Black, Role::Bishop) => '♝',
        (Color::Black, Role::Rook) => '♜',
        (Color::Black, Role::Queen) => '♛',
        (Color::Black, Role::King) => '♚',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_board_is_the_terminal_game_s() {
        let lines = "rnbqkbnr\npppppppp\n8\n8\n8\n8\nPPPPPPPP\nRNBQKBNR\n";
        assert_eq!(plain(&Position::start()), lines);
    }

    #[test]
    fn each_side_sees_its_own_pieces_below() {
        let start = Position::start();
        let white = pretty(&start, None, Color::White, Paint::None);
        let black = pretty(&start, None, Color::Black, Paint::None);
        assert!(white[7].starts_with("1  ♖  ♘  ♗  ♕  ♔ "), "{}", white[7]);
        assert!(black[7].starts_with("8  ♜  ♞  ♝  ♚  ♛ "), "{}", black[7]);
        assert_eq!(white[8].trim(), "a  b  c  d  e  f  g  h");
        assert_eq!(black[8].trim(), "h  g  f  e  d  c  b  a");
    }

    #[test]
    fn a1_is_dark() {
        let start = Position::start();
        assert_eq!(tile(&start, false, Square::A1), 137);
        assert_eq!(tile(&start, false, Square::H1), 187);
    }
}
