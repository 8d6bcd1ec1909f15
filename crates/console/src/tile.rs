//! One tile of a board: its piece and its mark. Both boards of the terminal, full-screen and printed
//! as lines, are drawn from tiles.

use hansu_chess::{Bitboard, Board, Color, Piece, Position, Role, Square};

use crate::colours::Shade;

/// The marks on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// The squares of the last move.
    pub last: Bitboard,
    /// The squares to which the selected piece can move.
    pub targets: Bitboard,
    /// The squares that prove a refusal.
    pub proof: Bitboard,
    /// The squares of planned moves, and of a move that the server has not answered yet.
    pub planned: Bitboard,
    /// The square of the selected piece.
    pub selected: Option<Square>,
    /// The square under the keyboard cursor.
    pub cursor: Option<Square>,
    /// The square of the king in check.
    pub check: Option<Square>,
    /// True if that king is mated.
    pub is_mate: bool,
}

impl Marks {
    /// The marks of a position: its last move, and the king in check.
    ///
    /// ```
    /// use hansu_chess::{Bitboard, Position, Square};
    /// use hansu_console::Marks;
    /// let check: Position = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1".parse()?;
    /// assert_eq!(Marks::of(&check, Bitboard::EMPTY).check, Some(Square::E1));
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn of(position: &Position, last: Bitboard) -> Marks {
        let check = position.is_check().then(|| position.king(position.turn()));
        Marks { last, check, is_mate: position.is_checkmate(), ..Marks::default() }
    }
}

/// The one mark that a tile shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    None,
    Last,
    Planned,
    /// An empty tile that is a target.
    Target,
    /// A piece that can be captured.
    Capture,
    Selected,
    Check,
    Mated,
    Proof,
}

/// A tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tile {
    pub(crate) piece: Option<Piece>,
    pub(crate) is_dark: bool,
    pub(crate) mark: Mark,
    pub(crate) has_cursor: bool,
}

impl Tile {
    /// The tile of a board at a square. Of several marks the most important one is shown.
    pub(crate) fn of(board: &Board, at: Square, marks: &Marks) -> Tile {
        let piece = board.piece_at(at);
        let mark = if marks.proof.contains(at) {
            Mark::Proof
        } else if marks.selected == Some(at) {
            Mark::Selected
        } else if marks.targets.contains(at) {
            if piece.is_some() { Mark::Capture } else { Mark::Target }
        } else if marks.check == Some(at) {
            if marks.is_mate { Mark::Mated } else { Mark::Check }
        } else if marks.planned.contains(at) {
            Mark::Planned
        } else if marks.last.contains(at) {
            Mark::Last
        } else {
            Mark::None
        };
        let is_dark = Bitboard::DARK.contains(at);
        Tile { piece, is_dark, mark, has_cursor: marks.cursor == Some(at) }
    }

    /// The colour of the tile.
    pub(crate) const fn shade(self) -> Shade {
        match (self.mark, self.is_dark) {
            (Mark::None, false) => Shade::LIGHT,
            (Mark::None, true) => Shade::DARK,
            (Mark::Last, false) => Shade::LAST_LIGHT,
            (Mark::Last, true) => Shade::LAST_DARK,
            (Mark::Planned, _) => Shade::PLANNED,
            (Mark::Target | Mark::Capture, false) => Shade::TARGET_LIGHT,
            (Mark::Target | Mark::Capture, true) => Shade::TARGET_DARK,
            (Mark::Selected, _) => Shade::SELECTED,
            (Mark::Check, _) => Shade::CHECK,
            (Mark::Mated, _) => Shade::MATED,
            (Mark::Proof, _) => Shade::PROOF,
        }
    }

    /// The characters left and right of the piece, so that a mark never depends on colour alone.
    pub(crate) const fn signs(self) -> (char, char) {
        if self.has_cursor {
            return ('>', '<');
        }
        match self.mark {
            Mark::None | Mark::Target => (' ', ' '),
            Mark::Last => ('[', ']'),
            Mark::Planned => ('~', '~'),
            Mark::Capture => ('(', ')'),
            Mark::Selected => ('{', '}'),
            Mark::Check => ('+', '+'),
            Mark::Mated => ('#', '#'),
            Mark::Proof => ('!', '!'),
        }
    }
}

/// The chess symbol of a piece: White in outline, Black filled, as in print.
pub(crate) const fn figure(piece: Piece) -> char {
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

    #[test]
    fn the_mark_that_matters_most_is_shown() {
        let board = Board::start();
        let mut marks = Marks { last: Bitboard::of(Square::E1), ..Marks::default() };
        let mark = |marks: &Marks| Tile::of(&board, Square::E1, marks).mark;
        assert_eq!(mark(&marks), Mark::Last);
        marks.check = Some(Square::E1);
        assert_eq!(mark(&marks), Mark::Check);
        marks.is_mate = true;
        assert_eq!(mark(&marks), Mark::Mated);
        marks.targets = Bitboard::of(Square::E1);
        assert_eq!(mark(&marks), Mark::Capture);
        marks.proof = Bitboard::of(Square::E1);
        assert_eq!(mark(&marks), Mark::Proof);
    }

    #[test]
    fn every_mark_has_a_sign_besides_its_colour() {
        let marks = [Mark::Last, Mark::Planned, Mark::Capture, Mark::Selected, Mark::Check]
            .into_iter()
            .chain([Mark::Mated, Mark::Proof]);
        let mut signs: Vec<_> = marks
            .map(|mark| Tile { piece: None, is_dark: false, mark, has_cursor: false }.signs().0)
            .collect();
        assert!(!signs.contains(&' '));
        signs.sort_unstable();
        signs.dedup();
        assert_eq!(signs.len(), 7);
    }

    #[test]
    fn a1_is_dark() {
        let tile = |at| Tile::of(&Board::start(), at, &Marks::default());
        assert!(tile(Square::A1).is_dark && !tile(Square::H1).is_dark);
    }
}
