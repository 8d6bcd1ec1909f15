//! Draws the board: eight plain lines for pipes, tiles and chess symbols for terminals.

use hansu_chess::{Bitboard, Color, Move, Position, Rank};
use hansu_console::{Ink, Marks, board_lines, files_line};

/// Colours, unless `NO_COLOR` is set.
pub(super) fn wanted_ink() -> Ink {
    match std::env::var_os("NO_COLOR") {
        Some(value) if !value.is_empty() => Ink::Plain,
        _ => Ink::Colour,
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
    ink: Ink,
) -> Vec<String> {
    let last = last.map_or(Bitboard::EMPTY, |step| [step.from(), step.to()].into_iter().collect());
    let marks = Marks::of(position, last);
    let digits = Rank::ALL.into_iter().map(Rank::digit);
    let digits: Vec<char> = match seen_by {
        Color::White => digits.rev().collect(),
        Color::Black => digits.collect(),
    };
    let ranks = board_lines(position.board(), &marks, seen_by, ink).into_iter();
    let mut lines: Vec<String> =
        ranks.zip(digits).map(|(line, digit)| format!("{digit} {line}")).collect();
    lines.push(files_line(seen_by));
    lines
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
        let white = pretty(&start, None, Color::White, Ink::Plain);
        let black = pretty(&start, None, Color::Black, Ink::Plain);
        assert!(white[7].starts_with("1  ♖  ♘  ♗  ♕  ♔ "), "{}", white[7]);
        assert!(black[7].starts_with("8  ♜  ♞  ♝  ♚  ♛ "), "{}", black[7]);
        assert_eq!(white[8].trim(), "a  b  c  d  e  f  g  h");
        assert_eq!(black[8].trim(), "h  g  f  e  d  c  b  a");
    }
}
