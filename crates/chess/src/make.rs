//! What a move does to a position: a changed copy, the key changed along with it.

use crate::color::{Black, Side, White};
use crate::moves::{CastlingSide, Kind};
use crate::{Bitboard, Color, File, Move, Position, Rank, Role, Square, attacks, zobrist};

impl Position {
    /// The position after a move. The move must come from this very position: another's gives a
    /// position without meaning (but nothing worse).
    ///
    /// ```
    /// use hansu_chess::{Color, Position, Square};
    /// let position = Position::start();
    /// let next = position.play(position.judge(Square::E2, Square::E4, None)?);
    /// assert_eq!(next.turn(), Color::Black);
    /// # Ok::<(), hansu_chess::Refusal>(())
    /// ```
    #[inline]
    pub fn play(&self, step: Move) -> Position {
        match self.turn {
            Color::White => self.play_as::<White>(step),
            Color::Black => self.play_as::<Black>(step),
        }
    }

    #[inline(always)]
    fn play_as<U: Side>(&self, step: Move) -> Position {
        let Move {
            from,
            to,
            role,
            kind,
        } = step;
        match kind {
            Kind::Plain => self.moved::<U>(role, from, to),
            Kind::DoubleStep => self.double_stepped::<U>(from, to),
            Kind::EnPassant => self.taken_en_passant::<U>(from, to),
            Kind::Castle => self.castled::<U>(from, to),
            Kind::Promotion(role) => self.promoted::<U>(from, to, role),
        }
    }

    /// The copy with everything done that every move does.
    #[inline(always)]
    fn turned<U: Side>(&self) -> Position {
        let mut next = *self;
        next.turn = U::Them::COLOR;
        next.halfmoves = next.halfmoves.saturating_add(1);
        if !U::WHITE {
            next.fullmoves = next.fullmoves.saturating_add(1);
        }
        next.key ^= zobrist::turn_over();
        if let Some(passed) = next.en_passant {
            next.key ^= zobrist::en_passant(passed.file());
        }
        next.en_passant = None;
        next.stepped_over = None;
        next
    }

    /// Puts a piece of ours on a square or takes it off; its kind is known.
    #[inline(always)]
    fn toggle<U: Side>(&mut self, role: Role, squares: Bitboard) {
        self.board.roles[role as usize] ^= squares;
        self.board.colors[U::COLOR as usize] ^= squares;
    }

    /// Takes the enemy's piece off a square, if there is one.
    #[inline(always)]
    fn capture<U: Side>(&mut self, at: Square) {
        let bit = Bitboard::of(at);
        if !self.board.colors[U::Them::COLOR as usize].meets(bit) {
            return;
        }
        let mut role = Role::Pawn;
        for candidate in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            if self.board.of_role(candidate).meets(bit) {
                role = candidate;
            }
        }
        self.toggle::<U::Them>(role, bit);
        self.key ^= zobrist::piece(role.of(U::Them::COLOR), at);
        self.halfmoves = 0;
        self.lose_castling(bit);
    }

    #[inline(always)]
    fn lose_castling(&mut self, squares: Bitboard) {
        if self.castling.meets(squares) {
            self.key ^= zobrist::castling(self.castling & squares);
            self.castling = self.castling - squares;
        }
    }

    /// A move without anything special, captures included.
    #[inline(always)]
    pub(crate) fn moved<U: Side>(&self, role: Role, from: Square, to: Square) -> Position {
        let mut next = self.turned::<U>();
        next.capture::<U>(to);
        next.toggle::<U>(role, Bitboard::of(from) | Bitboard::of(to));
        let piece = role.of(U::COLOR);
        next.key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        match role {
            Role::Pawn => next.halfmoves = 0,
            Role::Rook => next.lose_castling(Bitboard::of(from)),
            Role::King => next.lose_castling(Bitboard::rank_of(U::COLOR, Rank::First)),
            Role::Knight | Role::Bishop | Role::Queen => {}
        }
        next
    }

    #[inline(always)]
    pub(crate) fn double_stepped<U: Side>(&self, from: Square, to: Square) -> Position {
        let mut next = self.turned::<U>();
        next.halfmoves = 0;
        next.toggle::<U>(Role::Pawn, Bitboard::of(from) | Bitboard::of(to));
        let pawn = Role::Pawn.of(U::COLOR);
        next.key ^= zobrist::piece(pawn, from) ^ zobrist::piece(pawn, to);
        let passed = Square::wrap((from as u32 + to as u32) / 2);
        next.stepped_over = Some(passed);
        let takers = attacks::pawn(U::COLOR, passed) & next.board.of(Role::Pawn.of(!U::COLOR));
        if !takers.is_empty() {
            next.allow_en_passant();
        }
        next
    }

    #[inline(always)]
    pub(crate) fn promoted<U: Side>(&self, from: Square, to: Square, role: Role) -> Position {
        let mut next = self.turned::<U>();
        next.capture::<U>(to);
        next.halfmoves = 0;
        next.toggle::<U>(Role::Pawn, Bitboard::of(from));
        next.toggle::<U>(role, Bitboard::of(to));
        next.key ^= zobrist::piece(Role::Pawn.of(U::COLOR), from);
        next.key ^= zobrist::piece(role.of(U::COLOR), to);
        next
    }

    #[inline(always)]
    pub(crate) fn taken_en_passant<U: Side>(&self, from: Square, to: Square) -> Position {
        let mut next = self.turned::<U>();
        next.halfmoves = 0;
        let taken = behind::<U>(to);
        next.toggle::<U::Them>(Role::Pawn, Bitboard::of(taken));
        next.toggle::<U>(Role::Pawn, Bitboard::of(from) | Bitboard::of(to));
        let pawn = Role::Pawn.of(U::COLOR);
        next.key ^= zobrist::piece(Role::Pawn.of(!U::COLOR), taken);
        next.key ^= zobrist::piece(pawn, from) ^ zobrist::piece(pawn, to);
        next
    }

    #[inline(always)]
    pub(crate) fn castled<U: Side>(&self, king: Square, rook: Square) -> Position {
        let mut next = self.turned::<U>();
        let (king_to, rook_to) = castling_targets(king, rook);
        // One after the other: in Chess960 the squares may coincide.
        next.toggle::<U>(Role::King, Bitboard::of(king));
        next.toggle::<U>(Role::Rook, Bitboard::of(rook));
        next.toggle::<U>(Role::King, Bitboard::of(king_to));
        next.toggle::<U>(Role::Rook, Bitboard::of(rook_to));
        for (role, from, to) in [(Role::King, king, king_to), (Role::Rook, rook, rook_to)] {
            let piece = role.of(U::COLOR);
            next.key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        }
        next.lose_castling(Bitboard::rank_of(U::COLOR, Rank::First));
        next
    }

    /// After a double step, beside which a pawn stands: en passant is part of the position (of
    /// its key and its identity) only when a capture is legal.
    #[inline(never)]
    pub(crate) fn allow_en_passant(&mut self) {
        let Some(passed) = self.stepped_over else {
            return;
        };
        let takers = attacks::pawn(!self.turn, passed) & self.board.of(Role::Pawn.of(self.turn));
        if takers
            .into_iter()
            .any(|from| self.en_passant_exposes(from, passed).is_empty())
        {
            self.en_passant = Some(passed);
            self.key ^= zobrist::en_passant(passed.file());
        }
    }
}

/// The square behind a pawn's target, where a pawn taken en passant stands.
#[inline(always)]
pub(crate) fn behind<U: Side>(to: Square) -> Square {
    Square::wrap(if U::WHITE {
        (to as u32).wrapping_sub(8)
    } else {
        to as u32 + 8
    })
}

/// Where king and rook arrive.
#[inline(always)]
pub(crate) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let side = CastlingSide::of(king, rook);
    let at = |file: File| Square::wrap(king as u32 & 56 | file as u32);
    (at(side.king_file()), at(side.rook_file()))
}
