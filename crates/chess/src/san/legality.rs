//! Which legal move a notation means, and how a legal move is written.

use std::marker::PhantomData;

use super::{San, SanError, SanStep, Suffix};
use crate::attacks;
use crate::color::{Black, Side, White};
use crate::moves::{CastlingSide, Kind};
use crate::sliders::{self, Sliders, Task};
use crate::{Bitboard, Color, File, Move, Position, Rank, Role, Square};

impl San {
    /// The only legal move with this notation. If the notation was read strictly, it must be
    /// exactly as Hansu writes it.
    ///
    /// # Errors
    ///
    /// [`SanError::Illegal`] or [`SanError::Ambiguous`].
    ///
    /// ```
    /// use hansu_chess::{Position, San};
    /// let position = Position::start();
    /// assert!("e4".parse::<San>()?.to_move(&position).is_ok());
    /// assert!("e4+".parse::<San>()?.to_move(&position).is_err());
    /// assert!(San::lenient("e4+")?.to_move(&position).is_ok());
    /// # Ok::<(), hansu_chess::SanError>(())
    /// ```
    #[inline]
    pub fn to_move(&self, position: &Position) -> Result<Move, SanError> {
        struct Resolve<'a>(&'a San, &'a Position);
        impl Task for Resolve<'_> {
            type Output = Result<Move, SanError>;
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) -> Result<Move, SanError> {
                let Resolve(san, position) = self;
                match position.turn {
                    Color::White => View::<White, S>::new(position, sliders).resolve(san),
                    Color::Black => View::<Black, S>::new(position, sliders).resolve(san),
                }
            }
        }
        sliders::run(Resolve(self, position))
    }
}

impl Position {
    /// A move of this position in standard algebraic notation.
    ///
    /// ```
    /// use hansu_chess::{Position, Square};
    /// let position = Position::start();
    /// let step = position.judge(Square::G1, Square::F3, None)?;
    /// assert_eq!(position.san(step).to_string(), "Nf3");
    /// # Ok::<(), hansu_chess::Refusal>(())
    /// ```
    #[inline]
    pub fn san(&self, step: Move) -> San {
        struct Write<'a>(&'a Position, Move);
        impl Task for Write<'_> {
            type Output = San;
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) -> San {
                let Write(position, step) = self;
                match position.turn {
                    Color::White => View::<White, S>::new(position, sliders).to_san(step),
                    Color::Black => View::<Black, S>::new(position, sliders).to_san(step),
                }
            }
        }
        sliders::run(Write(self, step))
    }
}

/// What reaches a square on an empty board, by role; not used for pawns.
static REACH: [[Bitboard; Role::ALL.len()]; 64] = {
    let mut table = [[Bitboard::EMPTY; Role::ALL.len()]; 64];
    let mut to = 0;
    while to < 64 {
        let around = attacks::around_of(Square::ALL[to]);
        table[to][Role::Knight as usize] = around.knight;
        table[to][Role::Bishop as usize] = around.bishop;
        table[to][Role::Rook as usize] = around.rook;
        table[to][Role::Queen as usize] = Bitboard(around.bishop.0 | around.rook.0);
        table[to][Role::King as usize] = around.king;
        to += 1;
    }
    table
};

/// A position as the side to move sees it, which side that is being known at compile time.
#[derive(Clone, Copy)]
struct View<'a, U, S> {
    position: &'a Position,
    sliders: S,
    us: PhantomData<U>,
}

impl<'a, U: Side, S: Sliders> View<'a, U, S> {
    #[inline(always)]
    const fn new(position: &'a Position, sliders: S) -> View<'a, U, S> {
        View { position, sliders, us: PhantomData }
    }

    #[inline(always)]
    fn ours(self, role: Role) -> Bitboard {
        self.position.board.of(role.of(U::COLOR))
    }

    #[inline(always)]
    fn us(self) -> Bitboard {
        self.position.board.of_color(U::COLOR)
    }

    #[inline(always)]
    fn them(self) -> Bitboard {
        self.position.board.of_color(U::Them::COLOR)
    }

    #[inline(always)]
    fn occupied(self) -> Bitboard {
        self.position.board.occupied()
    }

    #[inline(always)]
    fn resolve(self, san: &San) -> Result<Move, SanError> {
        let step = match san.step {
            SanStep::Castle(side) => castling(self.position, side)?,
            SanStep::Piece { role, file, rank, capture, to, promotion } => {
                let (from, kind) = if role == Role::Pawn {
                    self.pawns(file, capture, to, promotion).ok_or(SanError::Illegal)?
                } else if promotion.is_none()
                    && (san.lenient || capture == self.them().contains(to))
                {
                    (self.candidates(role, to), Kind::Plain)
                } else {
                    return Err(SanError::Illegal);
                };
                let from = from & within(file, rank);
                let from = match kind {
                    Kind::EnPassant => self.taking_en_passant(from, to),
                    _ => self.legal_ones(from, to),
                };
                if from.is_several() {
                    return Err(SanError::Ambiguous);
                }
                let from = from.first().ok_or(SanError::Illegal)?;
                Move { from, to, role, kind }
            }
        };
        if san.lenient || is_written_so(self.position, step, san) {
            Ok(step)
        } else {
            Err(SanError::Illegal)
        }
    }

    #[inline(always)]
    fn to_san(self, step: Move) -> San {
        let suffix = self.suffix(step);
        San { step: self.written_step(step), suffix, lenient: false }
    }

    #[inline(always)]
    fn written_step(self, step: Move) -> SanStep {
        if let Some(side) = step.castling() {
            return SanStep::Castle(side);
        }
        let Move { from, to, role, .. } = step;
        let capture = self.them().contains(to) || step.is_en_passant();
        let (file, rank) = match role {
            Role::Pawn => (capture.then(|| from.file()), None),
            _ => self.disambiguation(role, from, to),
        };
        SanStep::Piece { role, file, rank, capture, to, promotion: step.promotion() }
    }

    /// Pieces of a kind (not pawns) that would reach a square if nothing stood in between.
    #[inline(always)]
    fn candidates(self, role: Role, to: Square) -> Bitboard {
        if self.us().contains(to) {
            return Bitboard::EMPTY;
        }
        REACH[to.index()][role as usize] & self.ours(role)
    }

    /// The pawn that would go to a square if nothing stood in between, and what is special about
    /// that; `None` where no pawn can go so.
    #[inline(always)]
    fn pawns(
        self,
        file: Option<File>,
        capture: bool,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<(Bitboard, Kind)> {
        let last = to.rank() == Rank::Eighth.seen_by(U::COLOR);
        if promotion.is_some() != last {
            return None;
        }
        let plain = promotion.map_or(Kind::Plain, Kind::Promotion);
        let pawns = self.ours(Role::Pawn);
        if let Some(file) = file
            && file != to.file()
        {
            let from = pawns & attacks::pawn(U::Them::COLOR, to) & Bitboard::file(file);
            if self.them().contains(to) {
                Some((from, plain))
            } else if self.position.en_passant == Some(to) {
                Some((from, Kind::EnPassant))
            } else {
                None
            }
        } else {
            if capture || self.occupied().contains(to) {
                return None;
            }
            let ahead = if U::WHITE { 8 } else { -8 };
            let one = Bitboard::of(to).shifted(-ahead);
            let two = one.shifted(-ahead) & Bitboard::rank_of(U::COLOR, Rank::Second);
            if one.meets(pawns) {
                Some((one, plain))
            } else {
                Some((two & pawns, Kind::DoubleStep))
            }
        }
    }

    /// The pawn that takes en passant, if its king is not left attacked.
    fn taking_en_passant(self, from: Bitboard, to: Square) -> Bitboard {
        match from.first() {
            Some(pawn) if self.position.en_passant_exposes(pawn, to).is_empty() => from,
            _ => Bitboard::EMPTY,
        }
    }

    /// Those of the candidates that may go to a square: nothing stands in between, and their king
    /// is not left attacked.
    ///
    /// Whatever their role: a branch by role would be guessed wrong half of the time.
    #[inline(always)]
    fn legal_ones(self, from: Bitboard, to: Square) -> Bitboard {
        // Loops, not an iterator's adapters: those would not be inlined into the function that is
        // compiled for the processor at hand.
        let (mut rest, mut open) = (from, Bitboard::EMPTY);
        while let Some(from) = rest.pop() {
            if !attacks::between(from, to).meets(self.occupied()) {
                open |= Bitboard::of(from);
            }
        }
        if open.is_several() {
            return self.safe_ones(open, to);
        }
        match open.first() {
            Some(from) if self.is_safe(from, to) => open,
            _ => Bitboard::EMPTY,
        }
    }

    /// Those that do not leave their king attacked, when only that tells them apart.
    #[inline(never)]
    fn safe_ones(self, from: Bitboard, to: Square) -> Bitboard {
        let (mut rest, mut safe) = (from, Bitboard::EMPTY);
        while let Some(from) = rest.pop() {
            if self.is_safe(from, to) {
                safe |= Bitboard::of(from);
            }
        }
        safe
    }

    #[inline(always)]
    fn is_safe(self, from: Square, to: Square) -> bool {
        let occupied = (self.occupied() - Bitboard::of(from)) | Bitboard::of(to);
        let king = self.position.king(U::COLOR);
        let king = if from == king { to } else { king };
        let board = &self.position.board;
        let attackers = board.attackers_with(self.sliders, king, U::Them::COLOR, occupied);
        (attackers - Bitboard::of(to)).is_empty()
    }

    /// File, rank or both of a piece, as far as they are needed to tell it from others of its kind
    /// that could legally go there as well.
    #[inline(always)]
    fn disambiguation(self, role: Role, from: Square, to: Square) -> (Option<File>, Option<Rank>) {
        if role == Role::King {
            return (None, None);
        }
        let rivals = self.candidates(role, to) - Bitboard::of(from);
        if rivals.is_empty() {
            return (None, None);
        }
        let rivals = self.legal_ones(rivals, to);
        if rivals.is_empty() {
            (None, None)
        } else if !rivals.meets(Bitboard::file(from.file())) {
            (Some(from.file()), None)
        } else if !rivals.meets(Bitboard::rank(from.rank())) {
            (None, Some(from.rank()))
        } else {
            (Some(from.file()), Some(from.rank()))
        }
    }

    #[inline(always)]
    fn suffix(self, step: Move) -> Suffix {
        if !self.gives_check(step) {
            Suffix::None
        } else if self.position.play(step).has_moves() {
            Suffix::Check
        } else {
            Suffix::Mate
        }
    }

    /// Looks from the enemy's king at the board as it will be, without making the move.
    #[inline(always)]
    fn gives_check(self, step: Move) -> bool {
        let Move { from, to, role, kind } = step;
        if matches!(kind, Kind::EnPassant | Kind::Castle) {
            return self.position.play(step).is_check();
        }
        let board = &self.position.board;
        let king = self.position.king(U::Them::COLOR);
        let (gone, come) = (Bitboard::of(from), Bitboard::of(to));
        let us = self.us() - gone;
        let occupied = (board.occupied() - gone) | come;
        let straight = (board.of_role(Role::Rook) | board.of_role(Role::Queen)) & us;
        let diagonal = (board.of_role(Role::Bishop) | board.of_role(Role::Queen)) & us;
        let (straight, diagonal) = match step.promotion().unwrap_or(role) {
            Role::Pawn if attacks::pawn(U::COLOR, to).contains(king) => return true,
            Role::Knight if attacks::knight(to).contains(king) => return true,
            Role::Pawn | Role::Knight | Role::King => (straight, diagonal),
            Role::Bishop => (straight, diagonal | come),
            Role::Rook => (straight | come, diagonal),
            Role::Queen => (straight | come, diagonal | come),
        };
        self.sliders.rook(king, occupied).meets(straight)
            || self.sliders.bishop(king, occupied).meets(diagonal)
    }
}

/// True if this is exactly how a move is written. Separate from lenient reading, which is more
/// common.
#[inline(never)]
fn is_written_so(position: &Position, step: Move, san: &San) -> bool {
    position.san(step) == *san
}

/// The squares of a file and a rank, where they are given.
#[inline(always)]
pub(super) fn within(file: Option<File>, rank: Option<Rank>) -> Bitboard {
    file.map_or(!Bitboard::EMPTY, Bitboard::file) & rank.map_or(!Bitboard::EMPTY, Bitboard::rank)
}

#[inline(never)]
fn castling(position: &Position, side: CastlingSide) -> Result<Move, SanError> {
    let king = position.king(position.turn);
    let home = Bitboard::rank_of(position.turn, Rank::First);
    (position.castling & home)
        .into_iter()
        .find(|&rook| CastlingSide::of(king, rook) == side)
        .and_then(|rook| position.judge(king, rook, None).ok())
        .ok_or(SanError::Illegal)
}
