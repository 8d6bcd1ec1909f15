//! Support for searches: lists of moves on the stack, captures and quiet moves apart, moves as
//! numbers, null moves.

use std::ops::{ControlFlow::Continue, Deref, DerefMut};

use crate::color::Side;
use crate::generate::{Flow, Visitor, ahead, before};
use crate::moves::Kind;
use crate::visitors::Generation;
use crate::{Bitboard, Color, Move, Position, Role, Square, sliders, zobrist};

/// Room for more moves than any reachable position has (218).
const CAPACITY: usize = 256;

/// A list of moves without allocation.
///
/// ```
/// use hansu_chess::{MoveList, Position};
/// let mut moves = MoveList::new();
/// Position::start().add_quiets(&mut moves);
/// assert_eq!(moves.len(), 20);
/// ```
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; CAPACITY],
    len: usize,
}

/// Fills the unused part of a list.
const NOTHING: Move =
    Move { from: Square::A1, to: Square::A1, role: Role::Pawn, kind: Kind::Plain };

impl MoveList {
    /// An empty list.
    ///
    /// ```
    /// # use hansu_chess::MoveList;
    /// assert!(MoveList::new().is_empty());
    /// ```
    #[inline(always)]
    pub const fn new() -> MoveList {
        MoveList { moves: [NOTHING; CAPACITY], len: 0 }
    }

    /// Adds a move; a full list stays as it is.
    ///
    /// ```
    /// # use hansu_chess::{MoveList, Position};
    /// let mut moves = MoveList::new();
    /// moves.push(Position::start().legal_moves()[0]);
    /// assert_eq!(moves.len(), 1);
    /// ```
    #[inline(always)]
    pub fn push(&mut self, step: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = step;
            self.len += 1;
        }
    }

    /// Removes all moves.
    ///
    /// ```
    /// # use hansu_chess::{MoveList, Position};
    /// let mut moves = Position::start().move_list();
    /// moves.clear();
    /// assert!(moves.is_empty());
    /// ```
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len.min(CAPACITY)]
    }
}

impl DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len.min(CAPACITY)]
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Lists the moves to squares of a set; promotions, en passant and castling by choice.
struct Chosen<'a> {
    moves: &'a mut MoveList,
    onto: Bitboard,
    /// Promotions and en passant go with captures, castling and double steps with quiet moves.
    captures: bool,
}

impl<U: Side> Visitor<U> for Chosen<'_> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) -> Flow {
        for to in targets & self.onto {
            self.moves.push(Move { from, to, role, kind: Kind::Plain });
        }
        Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i32) -> Flow {
        for to in targets & self.onto {
            self.pawn(before(to, step), to, Kind::Plain);
        }
        Continue(())
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard) -> Flow {
        for to in targets & self.onto {
            self.pawn(before(to, 2 * ahead::<U>()), to, Kind::DoubleStep);
        }
        Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i32) -> Flow {
        if self.captures {
            for to in targets {
                for role in Role::PROMOTIONS {
                    self.pawn(before(to, step), to, Kind::Promotion(role));
                }
            }
        }
        Continue(())
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) -> Flow {
        if self.captures {
            self.pawn(from, to, Kind::EnPassant);
        }
        Continue(())
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) -> Flow {
        if !self.captures {
            let step = Move { from: king, to: rook, role: Role::King, kind: Kind::Castle };
            self.moves.push(step);
        }
        Continue(())
    }
}

impl Chosen<'_> {
    #[inline(always)]
    fn pawn(&mut self, from: Square, to: Square, kind: Kind) {
        self.moves.push(Move { from, to, role: Role::Pawn, kind });
    }
}

impl Position {
    /// Adds every legal capture and promotion to a list.
    ///
    /// ```
    /// # use hansu_chess::{MoveList, Position};
    /// let position: Position = "4k3/P7/8/3pP3/8/8/8/4K2R w K d6 0 2".parse()?;
    /// let mut moves = MoveList::new();
    /// position.add_captures(&mut moves);
    /// assert_eq!(moves.len(), 5); // four promotions, and en passant
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn add_captures(&self, moves: &mut MoveList) {
        let onto = self.board.of_color(!self.turn);
        let mut visitor = Chosen { moves, onto, captures: true };
        let _ = sliders::run(Generation(self, &mut visitor));
    }

    /// Adds every other legal move to a list.
    ///
    /// ```
    /// # use hansu_chess::{MoveList, Position};
    /// let mut moves = MoveList::new();
    /// Position::start().add_quiets(&mut moves);
    /// assert_eq!(moves.len(), 20);
    /// ```
    pub fn add_quiets(&self, moves: &mut MoveList) {
        let onto = !self.board.of_color(!self.turn);
        let mut visitor = Chosen { moves, onto, captures: false };
        let _ = sliders::run(Generation(self, &mut visitor));
    }

    /// Every legal move, captures and promotions first.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// assert_eq!(Position::start().move_list().len(), 20);
    /// ```
    pub fn move_list(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.add_captures(&mut moves);
        self.add_quiets(&mut moves);
        moves
    }

    /// True if [`Position::add_captures`] lists a move, rather than [`Position::add_quiets`].
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// let position = Position::start();
    /// assert!(position.legal_moves().iter().all(|&step| !position.is_capture(step)));
    /// ```
    #[inline(always)]
    pub fn is_capture(&self, step: Move) -> bool {
        match step.kind {
            Kind::Plain => self.board.of_color(!self.turn).contains(step.to),
            Kind::EnPassant | Kind::Promotion(_) => true,
            Kind::DoubleStep | Kind::Castle => false,
        }
    }

    /// The kind of piece that a move takes.
    ///
    /// ```
    /// # use hansu_chess::{Position, Role, Square};
    /// let position: Position = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2".parse()?;
    /// let step = position.judge(Square::E5, Square::D6, None)?;
    /// assert_eq!(position.taken(step), Some(Role::Pawn));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn taken(&self, step: Move) -> Option<Role> {
        match step.kind {
            Kind::EnPassant => Some(Role::Pawn),
            Kind::Castle => None,
            _ if !self.board.of_color(!self.turn).contains(step.to) => None,
            _ => Some(self.board.piece_on(step.to).role),
        }
    }

    /// The position after a null move: the other side is to move. Must not be called in check.
    ///
    /// ```
    /// # use hansu_chess::{Color, Position};
    /// assert_eq!(Position::start().pass().turn(), Color::Black);
    /// assert_eq!(Position::start().pass().pass(), Position::start());
    /// ```
    pub fn pass(&self) -> Position {
        let mut next = *self;
        if let Some(passed) = self.en_passant {
            next.key ^= zobrist::en_passant(passed.file());
        }
        next.en_passant = None;
        next.stepped_over = None;
        next.key ^= zobrist::turn_over();
        next.turn = !self.turn;
        next.halfmoves = self.halfmoves.saturating_add(1);
        if self.turn == Color::Black {
            next.fullmoves = self.fullmoves.saturating_add(1);
        }
        next
    }

    /// The key of the position after a move, without that position.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// let position = Position::start();
    /// for step in position.legal_moves() {
    ///     assert_eq!(position.key_after(step), position.play(step).key());
    /// }
    /// ```
    pub fn key_after(&self, step: Move) -> u64 {
        let Move { from, to, role, kind: Kind::Plain } = step else {
            return self.play(step).key;
        };
        let touched = Bitboard::of(from) | Bitboard::of(to);
        if role == Role::King || self.castling.meets(touched) {
            return self.play(step).key;
        }
        let piece = role.of(self.turn);
        let mut key = self.key ^ zobrist::turn_over();
        key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        if let Some(passed) = self.en_passant {
            key ^= zobrist::en_passant(passed.file());
        }
        if self.board.of_color(!self.turn).contains(to) {
            key ^= zobrist::piece(self.board.piece_on(to), to);
        }
        key
    }

    /// The legal move that a number stands for here, if any. Any number is accepted:
    /// [`Move::to_bits`] of another position, or noise.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// let position = Position::start();
    /// let step = position.judge(Square::E2, Square::E4, None)?;
    /// assert_eq!(position.move_from_bits(step.to_bits()), Some(step));
    /// assert_eq!(position.move_from_bits(0), None);
    /// # Ok::<(), hansu_chess::Refusal>(())
    /// ```
    pub fn move_from_bits(&self, bits: u16) -> Option<Move> {
        let (from, to) = (Square::wrap(u32::from(bits)), Square::wrap(u32::from(bits >> 6)));
        if !self.board.of_color(self.turn).contains(from) {
            return None;
        }
        let promotion = match bits >> 12 {
            0 => None,
            number @ 1..=4 => Some(Role::ALL[usize::from(number)]),
            _ => return None,
        };
        // The judge also takes castling written as two squares of the king.
        self.judge(from, to, promotion).ok().filter(|step| step.to_bits() == bits)
    }
}

impl Move {
    /// The move as a number, never 0: six bits from, six bits to (when castling, the rook), three
    /// bits for what a pawn becomes. The highest bit is free.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// let step = Position::start().judge(Square::B1, Square::C3, None)?;
    /// assert_eq!(step.to_bits(), 1 | 18 << 6);
    /// # Ok::<(), hansu_chess::Refusal>(())
    /// ```
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        let becomes = match self.kind {
            Kind::Promotion(role) => role as u16,
            _ => 0,
        };
        self.from as u16 | (self.to as u16) << 6 | becomes << 12
    }
}
