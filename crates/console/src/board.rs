//! The board as lines of text.

use hansu_chess::{Bitboard, Board, Color, File, Game, Rank, Square};

use crate::colours::Shade;
use crate::tile::{Marks, Tile, figure};

/// How a board is drawn.
///
/// ```
/// use hansu_chess::Game;
/// use hansu_console::BoardStyle;
/// let mut text = String::new();
/// BoardStyle::Plain.draw(&Game::start(), &mut text);
/// assert!(text.starts_with("rnbqkbnr\npppppppp\n8\n"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardStyle {
    /// The fixed format of the terminal game: each rank as a line of letters and digits.
    Plain,
    /// Chess pieces, coordinates, the last move marked.
    Pretty(Ink),
}

/// How the lines of a board are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// Characters only.
    Plain,
    /// 256 colours.
    Colour,
}

impl BoardStyle {
    /// Draws the current board of a game.
    ///
    /// ```
    /// use hansu_chess::Game;
    /// use hansu_console::{BoardStyle, Ink};
    /// let mut text = String::new();
    /// BoardStyle::Pretty(Ink::Plain).draw(&Game::start(), &mut text);
    /// assert!(text.contains("8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜  8"));
    /// ```
    pub fn draw(self, game: &Game, text: &mut String) {
        match self {
            BoardStyle::Plain => {
                game.position().board().write_ranks(text, '\n');
                text.push('\n');
            }
            BoardStyle::Pretty(ink) => draw_pretty(game, ink, text),
        }
    }
}

const RESET: &str = "\x1b[0m";

fn draw_pretty(game: &Game, ink: Ink, text: &mut String) {
    let position = game.position();
    // The line game marks only the last move.
    let marks = Marks { last: last_move(game), ..Marks::default() };
    let ranks = board_lines(position.board(), &marks, Color::White, ink);
    let files = files_line(Color::White);
    text.push_str(&files);
    text.push('\n');
    for (rank, line) in Rank::ALL.into_iter().rev().zip(ranks) {
        text.push(rank.digit());
        text.push(' ');
        text.push_str(&line);
        text.push(' ');
        text.push(rank.digit());
        text.push('\n');
    }
    text.push_str(&files);
    text.push('\n');
}

/// The file letters above or below [`board_lines`], when those are indented by two columns.
///
/// ```
/// use hansu_chess::Color;
/// assert_eq!(hansu_console::files_line(Color::Black), "   h  g  f  e  d  c  b  a");
/// ```
pub fn files_line(seen_by: Color) -> String {
    let mut line = String::from(" ");
    for column in 0..8 {
        line.push_str("  ");
        line.push(square_at(column, 0, seen_by).file().letter());
    }
    line
}

/// The square at a column and row, counted from the top left, of the board as `seen_by` sees it.
pub(crate) fn square_at(column: usize, row: usize, seen_by: Color) -> Square {
    let (file, rank) = match seen_by {
        Color::White => (column, 7 - row.min(7)),
        Color::Black => (7 - column.min(7), row),
    };
    Square::new(File::ALL[file.min(7)], Rank::ALL[rank.min(7)])
}

/// A board as eight lines of eight tiles, each three columns wide, as one side sees it.
///
/// ```
/// use hansu_chess::{Board, Color};
/// use hansu_console::{Ink, Marks, board_lines};
/// let lines = board_lines(&Board::start(), &Marks::default(), Color::White, Ink::Plain);
/// assert_eq!(lines[0], " ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ ");
/// ```
pub fn board_lines(board: &Board, marks: &Marks, seen_by: Color, ink: Ink) -> Vec<String> {
    let line = |row| {
        let mut text = String::new();
        for column in 0..8 {
            push_tile(Tile::of(board, square_at(column, row, seen_by), marks), ink, &mut text);
        }
        text
    };
    (0..8).map(line).collect()
}

fn push_tile(tile: Tile, ink: Ink, text: &mut String) {
    let symbol = match tile.piece {
        Some(piece) => figure(piece),
        None if tile.is_dark && ink == Ink::Plain => '·',
        None => ' ',
    };
    let (left, right) = tile.signs();
    if ink == Ink::Colour {
        let (ink, paper) = (Shade::INK.index, tile.shade().index);
        text.push_str(&format!("\x1b[38;5;{ink};48;5;{paper}m"));
    }
    text.extend([left, symbol, right]);
    if ink == Ink::Colour {
        text.push_str(RESET);
    }
}

/// The squares that the last move changed: two, three for en passant, four for castling.
pub(crate) fn last_move(game: &Game) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    if let [.., before, after] = game.positions() {
        for at in Square::ALL {
            if before.piece_at(at) != after.piece_at(at) {
                squares |= Bitboard::of(at);
            }
        }
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pretty(steps: &[&str], ink: Ink) -> String {
        let mut game = Game::start();
        for step in steps {
            game.play_san(step).expect(step);
        }
        let mut text = String::new();
        BoardStyle::Pretty(ink).draw(&game, &mut text);
        text
    }

    #[test]
    fn all_lines_of_ranks_are_aligned() {
        for text in [pretty(&[], Ink::Plain), pretty(&["e4", "c5", "Nf3"], Ink::Plain)] {
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines.len(), 10, "{text}");
            for line in &lines[1..9] {
                assert_eq!(line.chars().count(), 28, "{line}");
            }
            for (at, file) in ('a'..='h').enumerate() {
                assert_eq!(lines[0].chars().nth(3 + 3 * at), Some(file), "{text}");
                assert_eq!(lines[9].chars().nth(3 + 3 * at), Some(file), "{text}");
            }
        }
    }

    #[test]
    fn the_last_move_is_bracketed() {
        let text = pretty(&["e4"], Ink::Plain);
        assert!(text.contains("4     ·     · [♙] ·     ·  4"), "{text}");
        assert_eq!(text.matches('[').count(), 2, "{text}");
        let castled = pretty(&["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O"], Ink::Plain);
        assert_eq!(castled.matches('[').count(), 4, "{castled}");
    }

    #[test]
    fn colours_change_nothing_else() {
        let steps = ["e4", "d5", "Nc3"];
        let mut bare = pretty(&steps, Ink::Colour);
        for paper in [187, 137, 229, 178] {
            let code = format!("\x1b[38;5;16;48;5;{paper}m");
            assert!(bare.contains(&code), "{code:?}");
            bare = bare.replace(&code, "");
        }
        bare = bare.replace(RESET, "");
        assert_eq!(bare, pretty(&steps, Ink::Plain).replace('·', " "));
    }
}
