//! What a move does to a position: a changed copy, the key changed along with it.

use crate::castling::castling_targets;
use crate::color::{Black, Side, White};
use crate::moves::Kind;
use crate::{Bitboard, Color, Move, Position, Rank, Role, Square, attacks, zobrist};

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
        let mut next = *self;
        next.make(step);
        next
    }

    /// The same in place, for a caller that does not need the position before.
    #[inline(always)]
    pub(crate) fn make(&mut self, step: Move) {
        match self.turn {
            Color::White => self.advance::<White>(step),
            Color::Black => self.advance::<Black>(step),
        }
    }

    #[inline(always)]
    fn advance<U: Side>(&mut self, step: Move) {
        match step.kind {
            Kind::Plain => self.step::<U>(step.role, step.from, step.to),
            _ => self.advance_specially::<U>(step),
        }
    }

    /// About one move in ten. A function of its own, so that plain moves need no jump table.
    #[inline(never)]
    fn advance_specially<U: Side>(&mut self, step: Move) {
        let Move { from, to, role, kind } = step;
        match kind {
            Kind::Plain => self.step::<U>(role, from, to),
            Kind::DoubleStep => self.double_step::<U>(from, to),
            Kind::EnPassant => self.take_en_passant::<U>(from, to),
            Kind::Castle => self.castle::<U>(from, to),
            Kind::Promotion(role) => self.promote::<U>(from, to, role),
        }
    }

    // The following change a copy in place: handing positions from function to function by value
    // copied them twice, and reading back wide what was just written narrow stalls the processor
    // (perft ran a fifth slower).

    /// What every move does.
    #[inline(always)]
    fn turn_over<U: Side>(&mut self) {
        self.turn = U::Them::COLOR;
        self.halfmoves = self.halfmoves.saturating_add(1);
        if !U::WHITE {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        self.key ^= zobrist::turn_over();
        if let Some(passed) = self.en_passant {
            self.key ^= zobrist::en_passant(passed.file());
        }
        self.en_passant = None;
        self.stepped_over = None;
    }

    /// Puts a piece on squares or takes it off them; the key is left to the caller.
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
    pub(crate) fn step<U: Side>(&mut self, role: Role, from: Square, to: Square) {
        self.turn_over::<U>();
        self.capture::<U>(to);
        self.toggle::<U>(role, Bitboard::of(from) | Bitboard::of(to));
        let piece = role.of(U::COLOR);
        self.key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        if role == Role::Pawn {
            self.halfmoves = 0;
        }
        // Computed, not jumped to: which role moves is hard to guess, that no right is lost is
        // easy.
        let rook = u64::from(role == Role::Rook) << from as u32;
        let king = u64::from(role == Role::King) * Bitboard::rank_of(U::COLOR, Rank::First).0;
        self.lose_castling(Bitboard(rook | king));
    }

    #[inline(always)]
    pub(crate) fn double_step<U: Side>(&mut self, from: Square, to: Square) {
        self.turn_over::<U>();
        self.halfmoves = 0;
        self.toggle::<U>(Role::Pawn, Bitboard::of(from) | Bitboard::of(to));
        let pawn = Role::Pawn.of(U::COLOR);
        self.key ^= zobrist::piece(pawn, from) ^ zobrist::piece(pawn, to);
        let passed = Square::wrap((from as u32 + to as u32) / 2);
        self.stepped_over = Some(passed);
        let takers = attacks::pawn(U::COLOR, passed) & self.board.of(Role::Pawn.of(!U::COLOR));
        if !takers.is_empty() {
            self.allow_en_passant();
        }
    }

    #[inline(always)]
    pub(crate) fn promote<U: Side>(&mut self, from: Square, to: Square, role: Role) {
        self.turn_over::<U>();
        self.capture::<U>(to);
        self.halfmoves = 0;
        self.toggle::<U>(Role::Pawn, Bitboard::of(from));
        self.toggle::<U>(role, Bitboard::of(to));
        self.key ^= zobrist::piece(Role::Pawn.of(U::COLOR), from);
        self.key ^= zobrist::piece(role.of(U::COLOR), to);
    }

    #[inline(always)]
    pub(crate) fn take_en_passant<U: Side>(&mut self, from: Square, to: Square) {
        self.turn_over::<U>();
        self.halfmoves = 0;
        let taken = behind::<U>(to);
        self.toggle::<U::Them>(Role::Pawn, Bitboard::of(taken));
        self.toggle::<U>(Role::Pawn, Bitboard::of(from) | Bitboard::of(to));
        let pawn = Role::Pawn.of(U::COLOR);
        self.key ^= zobrist::piece(Role::Pawn.of(!U::COLOR), taken);
        self.key ^= zobrist::piece(pawn, from) ^ zobrist::piece(pawn, to);
    }

    #[inline(always)]
    pub(crate) fn castle<U: Side>(&mut self, king: Square, rook: Square) {
        self.turn_over::<U>();
        let (king_to, rook_to) = castling_targets(king, rook);
        // One after the other: in Chess960 the squares may coincide.
        self.toggle::<U>(Role::King, Bitboard::of(king));
        self.toggle::<U>(Role::Rook, Bitboard::of(rook));
        self.toggle::<U>(Role::King, Bitboard::of(king_to));
        self.toggle::<U>(Role::Rook, Bitboard::of(rook_to));
        for (role, from, to) in [(Role::King, king, king_to), (Role::Rook, rook, rook_to)] {
            let piece = role.of(U::COLOR);
            self.key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        }
        self.lose_castling(Bitboard::rank_of(U::COLOR, Rank::First));
    }

    /// After a double step, beside which a pawn stands: en passant is part of the position (of
    /// its key and its identity) only when a capture is legal.
    #[inline(never)]
    pub(crate) fn allow_en_passant(&mut self) {
        let Some(passed) = self.stepped_over else {
            return;
        };
        let takers = attacks::pawn(!self.turn, passed) & self.board.of(Role::Pawn.of(self.turn));
        if takers.into_iter().any(|from| self.en_passant_exposes(from, passed).is_empty()) {
            self.en_passant = Some(passed);
            self.key ^= zobrist::en_passant(passed.file());
        }
    }
}

/// The square behind a pawn's target, where a pawn taken en passant stands.
#[inline(always)]
pub(crate) fn behind<U: Side>(to: Square) -> Square {
    Square::wrap(if U::WHITE { (to as u32).wrapping_sub(8) } else { to as u32 + 8 })
}
