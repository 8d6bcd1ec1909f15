//! Kinds of pieces, and pieces: a kind with a colour.

use crate::Color;

/// A kind of piece.
///
/// ```
/// use hansu_chess::Role;
/// assert_eq!(Role::from_letter('N'), Some(Role::Knight));
/// assert_eq!(Role::Knight.letter(), 'N');
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king.
    King,
}

impl Role {
    /// All six kinds, from pawn to king.
    ///
    /// ```
    /// # use hansu_chess::Role;
    /// assert_eq!(Role::ALL.len(), 6);
    /// ```
    pub const ALL: [Role; 6] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// What a pawn may become, in the order in which choices are offered.
    ///
    /// ```
    /// # use hansu_chess::Role;
    /// assert_eq!(Role::PROMOTIONS[0], Role::Queen);
    /// ```
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// The English capital letter; a pawn's is `P`.
    ///
    /// ```
    /// # use hansu_chess::Role;
    /// assert_eq!(Role::King.letter(), 'K');
    /// ```
    pub const fn letter(self) -> char {
        match self {
            Role::Pawn => 'P',
            Role::Knight => 'N',
            Role::Bishop => 'B',
            Role::Rook => 'R',
            Role::Queen => 'Q',
            Role::King => 'K',
        }
    }

    /// The kind an English letter names, in either case.
    ///
    /// ```
    /// # use hansu_chess::Role;
    /// assert_eq!(Role::from_letter('q'), Some(Role::Queen));
    /// assert_eq!(Role::from_letter('x'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<Role> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Role::Pawn,
            'N' => Role::Knight,
            'B' => Role::Bishop,
            'R' => Role::Rook,
            'Q' => Role::Queen,
            'K' => Role::King,
            _ => return None,
        })
    }

    /// This kind in a colour.
    ///
    /// ```
    /// # use hansu_chess::{Color, Role};
    /// assert_eq!(Role::Rook.of(Color::Black).letter(), 'r');
    /// ```
    pub const fn of(self, color: Color) -> Piece {
        Piece { color, role: self }
    }
}

/// A kind of piece with a colour.
///
/// ```
/// use hansu_chess::{Color, Piece, Role};
/// let queen = Piece { color: Color::White, role: Role::Queen };
/// assert_eq!(queen.letter(), 'Q');
/// assert_eq!(Piece::from_letter('q'), Some(Role::Queen.of(Color::Black)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Its colour.
    pub color: Color,
    /// Its kind.
    pub role: Role,
}

impl Piece {
    /// The letter FEN uses: a capital for White, a small one for Black.
    ///
    /// ```
    /// # use hansu_chess::{Color, Role};
    /// assert_eq!(Role::Pawn.of(Color::Black).letter(), 'p');
    /// ```
    pub const fn letter(self) -> char {
        let letter = self.role.letter();
        match self.color {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The piece a FEN letter names.
    ///
    /// ```
    /// # use hansu_chess::{Color, Piece, Role};
    /// assert_eq!(Piece::from_letter('K'), Some(Role::King.of(Color::White)));
    /// assert_eq!(Piece::from_letter('1'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_letter(letter) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }
}
