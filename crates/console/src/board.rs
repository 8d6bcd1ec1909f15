//! The board as lines.

use hansu_chess::{Bitboard, Color, File, Game, Piece, Rank, Role, Square};

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
    /// The seed's: a line of letters and numbers for each rank.
    Plain,
    /// Chess pieces, coordinates, the last move marked.
    Pretty(Ink),
}

/// Whether colours may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// Characters only.
    Plain,
    /// 256 colours.
    Colour,
}

/// Ink on paper and wood, so that it looks the same on dark and light terminals: the colour of
/// the pieces (16 black), of light and dark tiles, of the last move (pale gold, two shades).
const LIGHT: &str = "\x1b[38;5;16;48;5;187m";
const DARK: &str = "\x1b[38;5;16;48;5;137m";
const LAST_LIGHT: &str = "\x1b[38;5;16;48;5;229m";
const LAST_DARK: &str = "\x1b[38;5;16;48;5;178m";
const RESET: &str = "\x1b[0m";

impl BoardStyle {
    /// Draws the board of a game as it stands.
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

fn draw_pretty(game: &Game, ink: Ink, text: &mut String) {
    let last = last_move(game);
    push_files(text);
    for rank in Rank::ALL.into_iter().rev() {
        text.push(rank.digit());
        text.push(' ');
        for file in File::ALL {
            let at = Square::new(file, rank);
            push_tile(at, game.position().piece_at(at), last.contains(at), ink, text);
        }
        text.push(' ');
        text.push(rank.digit());
        text.push('\n');
    }
    push_files(text);
}

fn push_files(text: &mut String) {
    text.push(' ');
    for file in File::ALL {
        text.push_str("  ");
        text.push(file.letter());
    }
    text.push('\n');
}

/// Three columns. Brackets mark the last move with and without colours: colour is never the only
/// sign.
fn push_tile(at: Square, piece: Option<Piece>, last: bool, ink: Ink, text: &mut String) {
    let dark = Bitboard::DARK.contains(at);
    let symbol = match piece {
        Some(piece) => symbol(piece),
        None if dark && ink == Ink::Plain => '·',
        None => ' ',
    };
    let (left, right) = if last { ('[', ']') } else { (' ', ' ') };
    if ink == Ink::Colour {
        text.push_str(match (dark, last) {
            (false, false) => LIGHT,
            (true, false) => DARK,
            (false, true) => LAST_LIGHT,
            (true, true) => LAST_DARK,
        });
    }
    text.extend([left, symbol, right]);
    if ink == Ink::Colour {
        text.push_str(RESET);
    }
}

/// The squares that the last move left and reached; all four of a castling.
fn last_move(game: &Game) -> Bitboard {
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

const fn symbol(piece: Piece) -> char {
    match (piece.color, piece.role) {
        (Color::White, Role::King) => '♔',
        (Color::White, Role::Queen) => '♕',
        (Color::White, Role::Rook) => '♖',
        (Color::White, Role::Bishop) => '♗',
        (Color::White, Role::Knight) => '♘',
        (Color::White, Role::Pawn) => '♙',
        (Color::Black, Role::King) => '♚',
        (Color::Black, Role::Queen) => '♛',
        (Color::Black, Role::Rook) => '♜',
        (Color::Black, Role::Bishop) => '♝',
        (Color::Black, Role::Knight) => '♞',
        (Color::Black, Role::Pawn) => '♟',
    }
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
        for code in [LIGHT, DARK, LAST_LIGHT, LAST_DARK, RESET] {
            assert!(bare.contains(code), "{code:?}");
            bare = bare.replace(code, "");
        }
        assert_eq!(bare, pretty(&steps, Ink::Plain).replace('·', " "));
    }
}
