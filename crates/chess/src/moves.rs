//! A legal move. Only a [`Position`](crate::Position) makes one.

use crate::{File, Role, Square};

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    Plain,
    DoubleStep,
    EnPassant,
    /// The move's `to` is the square of the rook.
    Castle,
    Promotion(Role),
}

/// The wing towards which a king castles.
///
/// ```
/// use hansu_chess::{CastlingSide, File};
/// assert_eq!(CastlingSide::Queen.king_file(), File::C);
/// assert_eq!(CastlingSide::Queen.rook_file(), File::D);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingSide {
    /// Towards the h-file.
    King,
    /// Towards the a-file.
    Queen,
}

impl CastlingSide {
    /// Both wings.
    ///
    /// ```
    /// # use hansu_chess::CastlingSide;
    /// assert_eq!(CastlingSide::ALL.len(), 2);
    /// ```
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// Where the king arrives.
    ///
    /// ```
    /// # use hansu_chess::{CastlingSide, File};
    /// assert_eq!(CastlingSide::King.king_file(), File::G);
    /// ```
    pub const fn king_file(self) -> File {
        match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        }
    }

    /// Where the rook arrives.
    ///
    /// ```
    /// # use hansu_chess::{CastlingSide, File};
    /// assert_eq!(CastlingSide::King.rook_file(), File::F);
    /// ```
    pub const fn rook_file(self) -> File {
        match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        }
    }

    /// The wing of a rook, seen from its king.
    pub(crate) const fn of(king: Square, rook: Square) -> CastlingSide {
        if rook as u8 > king as u8 { CastlingSide::King } else { CastlingSide::Queen }
    }
}

/// A legal move of one particular position.
///
/// ```
/// use hansu_chess::{Position, Role, Square};
/// let position = Position::start();
/// let step = position.judge(Square::E2, Square::E4, None)?;
/// assert_eq!((step.from(), step.to(), step.role()), (Square::E2, Square::E4, Role::Pawn));
/// # Ok::<(), hansu_chess::Refusal>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    pub(crate) from: Square,
    /// The rook's square when castling, see [`Kind::Castle`].
    pub(crate) to: Square,
    pub(crate) role: Role,
    pub(crate) kind: Kind,
}

impl Move {
    /// Where the piece stands.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// let step = Position::start().judge(Square::G1, Square::F3, None)?;
    /// assert_eq!(step.from(), Square::G1);
    /// # Ok::<(), hansu_chess::Refusal>(())
    /// ```
    pub const fn from(self) -> Square {
        self.from
    }

    /// Where the piece arrives; when castling, where the king does.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castling = position.judge(Square::E1, Square::H1, None)?;
    /// assert_eq!(castling.to(), Square::G1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn to(self) -> Square {
        match self.castling() {
            Some(side) => Square::new(side.king_file(), self.from.rank()),
            None => self.to,
        }
    }

    /// The kind of piece that moves, before any promotion.
    ///
    /// ```
    /// # use hansu_chess::{Position, Role, Square};
    /// let step = Position::start().judge(Square::G1, Square::F3, None)?;
    /// assert_eq!(step.role(), Role::Knight);
    /// # Ok::<(), hansu_chess::Refusal>(())
    /// ```
    pub const fn role(self) -> Role {
        self.role
    }

    /// What the pawn becomes.
    ///
    /// ```
    /// # use hansu_chess::{Position, Role, Square};
    /// let position: Position = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1".parse()?;
    /// let step = position.judge(Square::E7, Square::E8, Some(Role::Rook))?;
    /// assert_eq!(step.promotion(), Some(Role::Rook));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn promotion(self) -> Option<Role> {
        match self.kind {
            Kind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// The wing, if this is castling.
    ///
    /// ```
    /// # use hansu_chess::{CastlingSide, Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castling = position.judge(Square::E1, Square::G1, None)?;
    /// assert_eq!(castling.castling(), Some(CastlingSide::King));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn castling(self) -> Option<CastlingSide> {
        match self.kind {
            Kind::Castle => Some(CastlingSide::of(self.from, self.to)),
            _ => None,
        }
    }

    /// Where the castling rook comes from, if this is castling.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castling = position.judge(Square::E1, Square::G1, None)?;
    /// assert_eq!(castling.castling_rook(), Some(Square::H1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn castling_rook(self) -> Option<Square> {
        match self.kind {
            Kind::Castle => Some(self.to),
            _ => None,
        }
    }

    /// True if this takes en passant.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2".parse()?;
    /// assert!(position.judge(Square::E5, Square::D6, None)?.is_en_passant());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn is_en_passant(self) -> bool {
        matches!(self.kind, Kind::EnPassant)
    }
}
