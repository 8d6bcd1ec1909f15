//! A position that can be played from: checked once, then only changed by legal moves.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::{Bitboard, Board, Color, Piece, Role, Setup, Square, zobrist};

/// A checked position.
///
/// Two positions are equal when FIDE's laws count them as the same for a repetition: the same
/// pieces on the same squares, the same side to move, the same castling rights, and the same
/// en passant captures (counted only when such a capture is legal). Move counters do not matter.
///
/// ```
/// use hansu_chess::{Position, Square};
/// let start = Position::start();
/// let mut position = start;
/// for (from, to) in [
///     (Square::G1, Square::F3), (Square::G8, Square::F6),
///     (Square::F3, Square::G1), (Square::F6, Square::G8),
/// ] {
///     position = position.play(position.judge(from, to, None)?);
/// }
/// assert_eq!(position, start);
/// assert_eq!(position.key(), start.key());
/// assert_eq!(position.fullmoves(), 3);
/// # Ok::<(), hansu_chess::Refusal>(())
/// ```
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) key: u64,
    pub(crate) castling: Bitboard,
    // The two counters are kept apart on purpose: side by side, the compiler adds to both with one
    // wide instruction that has to wait for the copy before it.
    pub(crate) halfmoves: u16,
    pub(crate) turn: Color,
    /// Set only when a capture is legal.
    pub(crate) en_passant: Option<Square>,
    pub(crate) fullmoves: u16,
    /// Set after every double step; used for the reasons of refusals, not for equality.
    pub(crate) stepped_over: Option<Square>,
}

impl Position {
    /// The start of a game.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// assert_eq!(Position::start().legal_moves().len(), 20);
    /// ```
    pub fn start() -> Position {
        Position::from_sound(&Setup::start())
    }

    /// From a set-up without faults.
    pub(crate) fn from_sound(setup: &Setup) -> Position {
        let mut position = Position {
            board: setup.board,
            key: 0,
            castling: setup.castling,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
            turn: setup.turn,
            en_passant: None,
            stepped_over: setup.en_passant,
        };
        position.key = position.computed_key();
        position.allow_en_passant();
        position
    }

    /// The position as an unchecked set-up; the en passant square only when a capture is legal.
    ///
    /// ```
    /// # use hansu_chess::{Position, Setup};
    /// assert_eq!(Position::start().setup(), Setup::start());
    /// ```
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }

    /// Where the pieces stand.
    ///
    /// ```
    /// # use hansu_chess::{Board, Position};
    /// assert_eq!(*Position::start().board(), Board::start());
    /// ```
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Who moves next.
    ///
    /// ```
    /// # use hansu_chess::{Color, Position};
    /// assert_eq!(Position::start().turn(), Color::White);
    /// ```
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The squares of the rooks with which castling is still allowed, of both sides.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// assert_eq!(Position::start().castling().len(), 4);
    /// ```
    pub const fn castling(&self) -> Bitboard {
        self.castling
    }

    /// The square on which a pawn can be taken en passant now, legally.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2".parse()?;
    /// assert_eq!(position.en_passant(), Some(Square::D6));
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The square that a pawn has just passed over, whether or not it can be taken there.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// let position = Position::start();
    /// let next = position.play(position.judge(Square::E2, Square::E4, None)?);
    /// assert_eq!(next.stepped_over(), Some(Square::E3));
    /// assert_eq!(next.en_passant(), None);
    /// # Ok::<(), hansu_chess::Refusal>(())
    /// ```
    pub const fn stepped_over(&self) -> Option<Square> {
        self.stepped_over
    }

    /// Moves of single sides since the last capture or pawn move.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// assert_eq!(Position::start().halfmoves(), 0);
    /// ```
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the next move, counted from 1.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// assert_eq!(Position::start().fullmoves(), 1);
    /// ```
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// A number that equal positions share and different ones almost never do (Zobrist).
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// assert_eq!(Position::start().key(), Position::start().key());
    /// ```
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key computed from scratch; `play` updates it incrementally.
    pub(crate) fn computed_key(&self) -> u64 {
        let pieces = self
            .board
            .occupied()
            .into_iter()
            .fold(0, |key, at| key ^ zobrist::piece(self.board.piece_on(at), at));
        let passed = self.en_passant.map_or(0, |passed| zobrist::en_passant(passed.file()));
        pieces ^ zobrist::castling(self.castling) ^ passed ^ zobrist::turn(self.turn)
    }

    /// The piece on a square.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// assert_eq!(Position::start().piece_at(Square::E2).map(|p| p.letter()), Some('P'));
    /// ```
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square)
    }

    /// Where a side's king stands.
    ///
    /// ```
    /// # use hansu_chess::{Color, Position, Square};
    /// assert_eq!(Position::start().king(Color::White), Square::E1);
    /// ```
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.board.of(Role::King.of(color)).first_or_a1()
    }

    /// The pieces that give check to the side to move.
    ///
    /// ```
    /// # use hansu_chess::{Bitboard, Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1".parse()?;
    /// assert_eq!(position.checkers(), Bitboard::of(Square::E2));
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn checkers(&self) -> Bitboard {
        self.board.attackers(self.king(self.turn), !self.turn, self.board.occupied())
    }

    /// True if the side to move is in check.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// assert!(!Position::start().is_check());
    /// ```
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The enemy pieces that would give check if the pawn on `from` took en passant on `passed`.
    pub(crate) fn en_passant_exposes(&self, from: Square, passed: Square) -> Bitboard {
        let taken = Bitboard::of(Square::new(passed.file(), from.rank()));
        let occupied = (self.board.occupied() ^ Bitboard::of(from) ^ taken) | Bitboard::of(passed);
        self.board.attackers(self.king(self.turn), !self.turn, occupied) - taken
    }
}

impl PartialEq for Position {
    #[inline]
    fn eq(&self, other: &Position) -> bool {
        self.key == other.key
            && self.board == other.board
            && self.turn == other.turn
            && self.castling == other.castling
            && self.en_passant == other.en_passant
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
