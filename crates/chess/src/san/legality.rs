//! Which legal move a notation means, and how a legal move is written.

use super::{San, SanError, SanStep, Suffix};
use crate::attacks;
use crate::moves::{CastlingSide, Kind};
use crate::sliders::{self, Sliders, Task};
use crate::{Bitboard, Color, File, Move, Position, Rank, Role, Square};

impl San {
    /// The one legal move that is written so. If the notation was read strictly, it must be
    /// written exactly as Hansu writes it.
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
                self.0.resolve(self.1, sliders)
            }
        }
        sliders::run(Resolve(self, position))
    }

    #[inline(always)]
    fn resolve<S: Sliders>(&self, position: &Position, sliders: S) -> Result<Move, SanError> {
        let step = match self.step {
            SanStep::Castle(side) => castling(position, side)?,
            SanStep::Piece { role: Role::Pawn, file, rank, capture, to, promotion } => {
                let step = pawn_move(position, sliders, file, capture, to, promotion)?;
                if rank.is_some_and(|rank| step.from.rank() != rank) {
                    return Err(SanError::Illegal);
                }
                step
            }
            SanStep::Piece { role, file, rank, capture, to, promotion } => {
                let them = position.board.of_color(!position.turn);
                if promotion.is_some() || (capture != them.contains(to) && !self.lenient) {
                    return Err(SanError::Illegal);
                }
                let mut from = candidates(position, sliders, role, to);
                if let Some(file) = file {
                    from &= Bitboard::file(file);
                }
                if let Some(rank) = rank {
                    from &= Bitboard::rank(rank);
                }
                let from = legal_ones(position, sliders, from, to);
                if from.is_several() {
                    return Err(SanError::Ambiguous);
                }
                let from = from.first().ok_or(SanError::Illegal)?;
                if !self.lenient
                    && disambiguation(position, sliders, role, from, to) != (file, rank)
                {
                    return Err(SanError::Illegal);
                }
                Move { from, to, role, kind: Kind::Plain }
            }
        };
        if self.lenient || suffix(position, sliders, step) == self.suffix {
            Ok(step)
        } else {
            Err(SanError::Illegal)
        }
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
                let suffix = suffix(position, sliders, step);
                San { step: written(position, sliders, step), suffix, lenient: false }
            }
        }
        sliders::run(Write(self, step))
    }
}

#[inline(always)]
fn written<S: Sliders>(position: &Position, sliders: S, step: Move) -> SanStep {
    if let Some(side) = step.castling() {
        return SanStep::Castle(side);
    }
    let Move { from, to, role, .. } = step;
    let capture = position.board.of_color(!position.turn).contains(to) || step.is_en_passant();
    let (file, rank) = match role {
        Role::Pawn => (capture.then(|| from.file()), None),
        _ => disambiguation(position, sliders, role, from, to),
    };
    SanStep::Piece { role, file, rank, capture, to, promotion: step.promotion() }
}

/// Pieces of a kind that reach a square, pinned or not.
#[inline(always)]
fn candidates<S: Sliders>(position: &Position, sliders: S, role: Role, to: Square) -> Bitboard {
    let board = &position.board;
    if board.of_color(position.turn).contains(to) {
        return Bitboard::EMPTY;
    }
    let reach = match role {
        Role::Knight => attacks::knight(to),
        Role::King => attacks::king(to),
        Role::Bishop => sliders.bishop(to, board.occupied()),
        Role::Rook => sliders.rook(to, board.occupied()),
        _ => sliders.bishop(to, board.occupied()) | sliders.rook(to, board.occupied()),
    };
    reach & board.of(role.of(position.turn))
}

/// Those pieces that may go to a square without leaving their king attacked.
#[inline(always)]
fn legal_ones<S: Sliders>(position: &Position, sliders: S, from: Bitboard, to: Square) -> Bitboard {
    // A loop, not an iterator's adapters: those would not be inlined into the function that is
    // compiled for the processor at hand.
    let (mut rest, mut legal) = (from, Bitboard::EMPTY);
    while let Some(from) = rest.first() {
        let bit = Bitboard::of(from);
        rest = rest - bit;
        if is_safe(position, sliders, from, to) {
            legal |= bit;
        }
    }
    legal
}

#[inline(always)]
fn is_safe<S: Sliders>(position: &Position, sliders: S, from: Square, to: Square) -> bool {
    let board = &position.board;
    let occupied = (board.occupied() - Bitboard::of(from)) | Bitboard::of(to);
    let king = position.king(position.turn);
    let king = if from == king { to } else { king };
    (board.attackers_with(sliders, king, !position.turn, occupied) - Bitboard::of(to)).is_empty()
}

/// File, rank or both of a piece, as far as they are needed to tell it from others of its kind
/// that could legally go there as well.
#[inline(always)]
fn disambiguation<S: Sliders>(
    position: &Position,
    sliders: S,
    role: Role,
    from: Square,
    to: Square,
) -> (Option<File>, Option<Rank>) {
    if role == Role::King {
        return (None, None);
    }
    let rivals = candidates(position, sliders, role, to) - Bitboard::of(from);
    if rivals.is_empty() {
        return (None, None);
    }
    let rivals = legal_ones(position, sliders, rivals, to);
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
fn suffix<S: Sliders>(position: &Position, sliders: S, step: Move) -> Suffix {
    if !gives_check(position, sliders, step) {
        Suffix::None
    } else if position.play(step).has_moves() {
        Suffix::Check
    } else {
        Suffix::Mate
    }
}

/// Looks from the enemy's king at the board as it will be, without making the move.
#[inline(always)]
fn gives_check<S: Sliders>(position: &Position, sliders: S, step: Move) -> bool {
    let Move { from, to, role, kind } = step;
    if matches!(kind, Kind::EnPassant | Kind::Castle) {
        return position.play(step).is_check();
    }
    let board = &position.board;
    let king = position.king(!position.turn);
    let (gone, come) = (Bitboard::of(from), Bitboard::of(to));
    let us = board.of_color(position.turn) - gone;
    let occupied = (board.occupied() - gone) | come;
    let straight = (board.of_role(Role::Rook) | board.of_role(Role::Queen)) & us;
    let diagonal = (board.of_role(Role::Bishop) | board.of_role(Role::Queen)) & us;
    let (straight, diagonal) = match step.promotion().unwrap_or(role) {
        Role::Pawn if attacks::pawn(position.turn, to).contains(king) => return true,
        Role::Knight if attacks::knight(to).contains(king) => return true,
        Role::Pawn | Role::Knight | Role::King => (straight, diagonal),
        Role::Bishop => (straight, diagonal | come),
        Role::Rook => (straight | come, diagonal),
        Role::Queen => (straight | come, diagonal | come),
    };
    sliders.rook(king, occupied).meets(straight) || sliders.bishop(king, occupied).meets(diagonal)
}

fn castling(position: &Position, side: CastlingSide) -> Result<Move, SanError> {
    let king = position.king(position.turn);
    let home = Bitboard::rank_of(position.turn, Rank::First);
    (position.castling & home)
        .into_iter()
        .find(|&rook| CastlingSide::of(king, rook) == side)
        .and_then(|rook| position.judge(king, rook, None).ok())
        .ok_or(SanError::Illegal)
}

#[inline(always)]
fn pawn_move<S: Sliders>(
    position: &Position,
    sliders: S,
    file: Option<File>,
    capture: bool,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, SanError> {
    let board = &position.board;
    let white = position.turn == Color::White;
    let pawns = board.of(Role::Pawn.of(position.turn));
    let back = |square: Square| {
        Square::wrap(if white { (square as u32).wrapping_sub(8) } else { square as u32 + 8 })
    };
    let last = to.rank() == Rank::Eighth.seen_by(position.turn);
    // A pawn never comes from its own first rank; there `back` would leave the board.
    if promotion.is_some() != last || to.rank() == Rank::First.seen_by(position.turn) {
        return Err(SanError::Illegal);
    }
    let mut kind = promotion.map_or(Kind::Plain, Kind::Promotion);
    let from = match file {
        Some(file) if file != to.file() => {
            let from = Square::new(file, back(to).rank());
            if !attacks::pawn(position.turn, from).contains(to) || !pawns.contains(from) {
                return Err(SanError::Illegal);
            }
            if position.en_passant == Some(to) {
                if !position.en_passant_exposes(from, to).is_empty() {
                    return Err(SanError::Illegal);
                }
                return Ok(Move { from, to, role: Role::Pawn, kind: Kind::EnPassant });
            }
            if !board.of_color(!position.turn).contains(to) {
                return Err(SanError::Illegal);
            }
            from
        }
        _ => {
            let one = back(to);
            if capture || board.occupied().contains(to) {
                return Err(SanError::Illegal);
            }
            if pawns.contains(one) {
                one
            } else if to.rank() == Rank::Fourth.seen_by(position.turn)
                && !board.occupied().contains(one)
                && pawns.contains(back(one))
            {
                kind = Kind::DoubleStep;
                back(one)
            } else {
                return Err(SanError::Illegal);
            }
        }
    };
    if is_safe(position, sliders, from, to) {
        Ok(Move { from, to, role: Role::Pawn, kind })
    } else {
        Err(SanError::Illegal)
    }
}
