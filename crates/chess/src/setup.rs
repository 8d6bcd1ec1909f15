//! An unchecked position, and the only conversion to a checked [`Position`].

use std::fmt;

use crate::{Bitboard, Board, Color, Position, Rank, Role, Square, Variant};

/// An unchecked position with public fields.
///
/// ```
/// use hansu_chess::{Board, Position, Setup, Square, Variant};
/// let mut setup = Setup::start();
/// setup.board.set(Square::E8, None);
/// let faults = setup.position(Variant::Standard).unwrap_err();
/// assert_eq!(faults.to_string(), "black has no king; a castling right without king or rook at home");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Where the pieces stand.
    pub board: Board,
    /// Who moves next.
    pub turn: Color,
    /// The squares of the rooks with which castling is still allowed, of both sides.
    pub castling: Bitboard,
    /// The square that a pawn has just passed over with a double step.
    pub en_passant: Option<Square>,
    /// Moves of single sides since the last capture or pawn move.
    pub halfmoves: u16,
    /// The number of the next move, counted from 1.
    pub fullmoves: u16,
}

impl Setup {
    /// An empty board, White to move.
    ///
    /// ```
    /// # use hansu_chess::Setup;
    /// assert!(Setup::empty().board.occupied().is_empty());
    /// ```
    pub const fn empty() -> Setup {
        Setup {
            board: Board::empty(),
            turn: Color::White,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    /// The start of a game.
    ///
    /// ```
    /// # use hansu_chess::{Position, Setup, Variant};
    /// assert_eq!(Setup::start().position(Variant::Standard), Ok(Position::start()));
    /// ```
    pub const fn start() -> Setup {
        let board = Board::start();
        Setup { board, castling: board.of_role(Role::Rook), ..Setup::empty() }
    }

    /// The set-up seen from the other side: mirrored, colours exchanged.
    ///
    /// ```
    /// # use hansu_chess::{Color, Setup};
    /// assert_eq!(Setup::start().mirrored().turn, Color::Black);
    /// ```
    pub fn mirrored(&self) -> Setup {
        Setup {
            board: self.board.mirrored(),
            turn: !self.turn,
            castling: self.castling.mirrored(),
            en_passant: self.en_passant.map(Square::mirrored),
            ..*self
        }
    }

    /// All faults that keep this from being a playable position.
    ///
    /// ```
    /// # use hansu_chess::{Color, Fault, Setup, Variant};
    /// let faults = Setup::empty().faults(Variant::Standard);
    /// assert!(faults.contains(Fault::NoKing(Color::White)));
    /// ```
    pub fn faults(&self, variant: Variant) -> Faults {
        let mut faults = Faults::default();
        let board = &self.board;
        for color in Color::ALL {
            match board.of(Role::King.of(color)).len() {
                0 => faults.add(Fault::NoKing(color)),
                1 => {}
                _ => faults.add(Fault::ManyKings(color)),
            }
            if board.of_color(color).len() > 16 {
                faults.add(Fault::ManyPieces(color));
            }
            if board.of(Role::Pawn.of(color)).len() > 8 {
                faults.add(Fault::ManyPawns(color));
            }
            if !self.castling_is_sound(color, variant) {
                faults.add(Fault::Castling);
            }
        }
        let edges = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
        if board.of_role(Role::Pawn).meets(edges) {
            faults.add(Fault::PawnOnEdge);
        }
        if let Some(king) = board.king(!self.turn)
            && !board.attackers(king, self.turn, board.occupied()).is_empty()
        {
            faults.add(Fault::OpponentInCheck);
        }
        if !self.en_passant_is_sound() {
            faults.add(Fault::EnPassant);
        }
        if self.fullmoves == 0 {
            faults.add(Fault::MoveNumber);
        }
        faults
    }

    /// The checked position. This is the only way to make one from fields.
    ///
    /// # Errors
    ///
    /// All faults of the set-up.
    ///
    /// ```
    /// # use hansu_chess::{Setup, Variant};
    /// assert!(Setup::start().position(Variant::Standard).is_ok());
    /// assert!(Setup::empty().position(Variant::Standard).is_err());
    /// ```
    pub fn position(&self, variant: Variant) -> Result<Position, Faults> {
        let faults = self.faults(variant);
        if faults.is_empty() { Ok(Position::from_sound(self)) } else { Err(faults) }
    }

    fn castling_is_sound(&self, color: Color, variant: Variant) -> bool {
        let home = Bitboard::rank_of(color, Rank::First);
        // Rights on ranks other than the two home ranks belong to neither side: the check of
        // White's rights reports them.
        let strays = self.castling - home - Bitboard::rank_of(!color, Rank::First);
        let rights = self.castling & home;
        if !strays.is_empty() {
            return false;
        }
        if rights.is_empty() {
            return true;
        }
        let Some(king) = self.board.king(color) else {
            return false;
        };
        if !home.contains(king) || !(rights - self.board.of(Role::Rook.of(color))).is_empty() {
            return false;
        }
        let below = rights & Bitboard((1u64 << king as u32) - 1);
        let above = rights - below;
        if below.is_several() || above.is_several() {
            return false;
        }
        match variant {
            Variant::Chess960 => true,
            Variant::Standard => {
                let start = Board::start();
                start.king(color) == Some(king)
                    && (rights - start.of(Role::Rook.of(color))).is_empty()
            }
        }
    }

    fn en_passant_is_sound(&self) -> bool {
        let Some(passed) = self.en_passant else {
            return true;
        };
        if passed.rank() != Rank::Sixth.seen_by(self.turn) {
            return false;
        }
        let forward = if self.turn == Color::White { 1 } else { -1 };
        let (Some(origin), Some(pawn)) = (passed.offset(0, forward), passed.offset(0, -forward))
        else {
            return false;
        };
        let occupied = self.board.occupied();
        !occupied.contains(passed)
            && !occupied.contains(origin)
            && self.board.of(Role::Pawn.of(!self.turn)).contains(pawn)
    }
}

/// One reason why a set-up is not a position.
///
/// ```
/// use hansu_chess::{Color, Fault};
/// assert_eq!(Fault::ManyKings(Color::White).to_string(), "white has more than one king");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// A side has no king.
    NoKing(Color),
    /// A side has more than one king.
    ManyKings(Color),
    /// A side has more than sixteen pieces.
    ManyPieces(Color),
    /// A side has more than eight pawns.
    ManyPawns(Color),
    /// A pawn stands on the first or the eighth rank.
    PawnOnEdge,
    /// The side that has just moved is in check.
    OpponentInCheck,
    /// A castling right without king or rook at home.
    Castling,
    /// An en passant square that no pawn has just passed over.
    EnPassant,
    /// Moves are counted from 1.
    MoveNumber,
}

impl Fault {
    const ALL: [Fault; 13] = [
        Fault::NoKing(Color::White),
        Fault::NoKing(Color::Black),
        Fault::ManyKings(Color::White),
        Fault::ManyKings(Color::Black),
        Fault::ManyPieces(Color::White),
        Fault::ManyPieces(Color::Black),
        Fault::ManyPawns(Color::White),
        Fault::ManyPawns(Color::Black),
        Fault::PawnOnEdge,
        Fault::OpponentInCheck,
        Fault::Castling,
        Fault::EnPassant,
        Fault::MoveNumber,
    ];
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoKing(color) => write!(f, "{color} has no king"),
            Fault::ManyKings(color) => write!(f, "{color} has more than one king"),
            Fault::ManyPieces(color) => write!(f, "{color} has more than sixteen pieces"),
            Fault::ManyPawns(color) => write!(f, "{color} has more than eight pawns"),
            Fault::PawnOnEdge => f.write_str("a pawn stands on the first or last rank"),
            Fault::OpponentInCheck => f.write_str("the side that has just moved is in check"),
            Fault::Castling => f.write_str("a castling right without king or rook at home"),
            Fault::EnPassant => f.write_str("an en passant square that no pawn has just passed"),
            Fault::MoveNumber => f.write_str("move numbers start at 1"),
        }
    }
}

/// All the reasons why a set-up is not a position.
///
/// ```
/// use hansu_chess::{Fault, Setup, Variant};
/// let mut setup = Setup::start();
/// setup.fullmoves = 0;
/// let faults = setup.faults(Variant::Standard);
/// assert_eq!(faults.iter().collect::<Vec<_>>(), [Fault::MoveNumber]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults(u16);

impl Faults {
    fn add(&mut self, fault: Fault) {
        if let Some(bit) = Fault::ALL.iter().position(|&one| one == fault) {
            self.0 |= 1 << bit;
        }
    }

    /// True if there are no faults.
    ///
    /// ```
    /// # use hansu_chess::{Setup, Variant};
    /// assert!(Setup::start().faults(Variant::Standard).is_empty());
    /// ```
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if this fault is among them.
    ///
    /// ```
    /// # use hansu_chess::{Fault, Setup, Variant};
    /// assert!(!Setup::start().faults(Variant::Standard).contains(Fault::Castling));
    /// ```
    pub fn contains(self, fault: Fault) -> bool {
        self.iter().any(|one| one == fault)
    }

    /// All faults.
    ///
    /// ```
    /// # use hansu_chess::{Setup, Variant};
    /// assert_eq!(Setup::empty().faults(Variant::Standard).iter().count(), 2);
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Fault> {
        Fault::ALL
            .into_iter()
            .enumerate()
            .filter(move |(bit, _)| self.0 >> bit & 1 != 0)
            .map(|x| x.1)
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.iter().enumerate() {
            write!(f, "{}{fault}", if number == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
