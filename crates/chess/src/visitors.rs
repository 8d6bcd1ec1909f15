//! Visitors of legal moves: they count, list, play them, or stop at the first.

use std::ops::ControlFlow::{Break, Continue};

use crate::color::{Black, Side, White};
use crate::generate::{Flow, Visitor, ahead, before, generate};
use crate::moves::Kind;
use crate::sliders::{self, Sliders, Task};
use crate::{Bitboard, Color, Move, Position, Role, Square};

/// Counts moves.
pub(crate) struct Count(pub(crate) u64);

impl<U: Side> Visitor<U> for Count {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) -> Flow {
        self.0 += u64::from(targets.len());
        Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) -> Flow {
        self.0 += u64::from(targets.len());
        Continue(())
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard) -> Flow {
        self.0 += u64::from(targets.len());
        Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) -> Flow {
        self.0 += 4 * u64::from(targets.len());
        Continue(())
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) -> Flow {
        self.0 += 1;
        Continue(())
    }

    #[inline(always)]
    fn castle(&mut self, _: Square, _: Square) -> Flow {
        self.0 += 1;
        Continue(())
    }
}

/// Calls a function for every move; it may break off.
struct Each<F>(F);

impl<U: Side, F: FnMut(Move) -> Flow> Visitor<U> for Each<F> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) -> Flow {
        targets.into_iter().try_for_each(|to| (self.0)(Move { from, to, role, kind: Kind::Plain }))
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i32) -> Flow {
        targets.into_iter().try_for_each(|to| self.pawn(before(to, step), to, Kind::Plain))
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard) -> Flow {
        let step = 2 * ahead::<U>();
        targets.into_iter().try_for_each(|to| self.pawn(before(to, step), to, Kind::DoubleStep))
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i32) -> Flow {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.pawn(before(to, step), to, Kind::Promotion(role))?;
            }
        }
        Continue(())
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) -> Flow {
        self.pawn(from, to, Kind::EnPassant)
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) -> Flow {
        (self.0)(Move { from: king, to: rook, role: Role::King, kind: Kind::Castle })
    }
}

impl<F: FnMut(Move) -> Flow> Each<F> {
    #[inline(always)]
    fn pawn(&mut self, from: Square, to: Square, kind: Kind) -> Flow {
        (self.0)(Move { from, to, role: Role::Pawn, kind })
    }
}

/// Makes every move, with code for its kind, and calls a function with the move and the position
/// after it.
struct Successors<'a, F> {
    position: &'a Position,
    visit: F,
}

impl<F: FnMut(Move, &Position)> Successors<'_, F> {
    #[inline(always)]
    fn pawn(&mut self, from: Square, to: Square, kind: Kind, next: &Position) {
        (self.visit)(Move { from, to, role: Role::Pawn, kind }, next);
    }
}

impl<U: Side, F: FnMut(Move, &Position)> Visitor<U> for Successors<'_, F> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) -> Flow {
        for to in targets {
            let mut next = *self.position;
            next.step::<U>(role, from, to);
            (self.visit)(Move { from, to, role, kind: Kind::Plain }, &next);
        }
        Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i32) -> Flow {
        for to in targets {
            let from = before(to, step);
            let mut next = *self.position;
            next.step::<U>(Role::Pawn, from, to);
            self.pawn(from, to, Kind::Plain, &next);
        }
        Continue(())
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard) -> Flow {
        for to in targets {
            let from = before(to, 2 * ahead::<U>());
            let mut next = *self.position;
            next.double_step::<U>(from, to);
            self.pawn(from, to, Kind::DoubleStep, &next);
        }
        Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i32) -> Flow {
        for to in targets {
            for role in Role::PROMOTIONS {
                let from = before(to, step);
                let mut next = *self.position;
                next.promote::<U>(from, to, role);
                self.pawn(from, to, Kind::Promotion(role), &next);
            }
        }
        Continue(())
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) -> Flow {
        let mut next = *self.position;
        next.take_en_passant::<U>(from, to);
        self.pawn(from, to, Kind::EnPassant, &next);
        Continue(())
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) -> Flow {
        let mut next = *self.position;
        next.castle::<U>(king, rook);
        let step = Move { from: king, to: rook, role: Role::King, kind: Kind::Castle };
        (self.visit)(step, &next);
        Continue(())
    }
}

/// Breaks off at the first legal move.
struct Any;

impl<U: Side> Visitor<U> for Any {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) -> Flow {
        if targets.is_empty() { Continue(()) } else { Break(()) }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) -> Flow {
        if targets.is_empty() { Continue(()) } else { Break(()) }
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard) -> Flow {
        if targets.is_empty() { Continue(()) } else { Break(()) }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) -> Flow {
        if targets.is_empty() { Continue(()) } else { Break(()) }
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) -> Flow {
        Break(())
    }

    #[inline(always)]
    fn castle(&mut self, _: Square, _: Square) -> Flow {
        Break(())
    }
}

/// A generation for whichever side is to move.
pub(crate) struct Generation<'a, V>(pub(crate) &'a Position, pub(crate) &'a mut V);

impl<V: Visitor<White> + Visitor<Black>> Task for Generation<'_, V> {
    type Output = Flow;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> Flow {
        match self.0.turn {
            Color::White => generate::<White, S, V>(self.0, sliders, self.1),
            Color::Black => generate::<Black, S, V>(self.0, sliders, self.1),
        }
    }
}

impl Position {
    /// Every legal move. Castling stands once for each wing, promotion once for each choice.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// let position: Position = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// assert_eq!(position.legal_moves().iter().filter(|m| m.promotion().is_some()).count(), 4);
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        let mut visitor = Each(|step| {
            moves.push(step);
            Continue(())
        });
        let _ = sliders::run(Generation(self, &mut visitor));
        moves
    }

    /// Every legal move with the position after it, without a list in between: the quickest way
    /// through a tree.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// let position = Position::start();
    /// let mut checks = 0;
    /// position.each_successor(|step, next| {
    ///     assert_eq!(position.play(step), *next);
    ///     checks += u32::from(next.is_check());
    /// });
    /// assert_eq!(checks, 0);
    /// ```
    #[inline]
    pub fn each_successor(&self, visit: impl FnMut(Move, &Position)) {
        let _ = sliders::run(Generation(self, &mut Successors { position: self, visit }));
    }

    /// How many legal moves there are.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// assert_eq!(Position::start().count_moves(), 20);
    /// ```
    pub fn count_moves(&self) -> u64 {
        let mut count = Count(0);
        let _ = sliders::run(Generation(self, &mut count));
        count.0
    }

    /// True if there is any legal move.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// let stalemate: Position = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse()?;
    /// assert!(!stalemate.has_moves());
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn has_moves(&self) -> bool {
        if cfg!(target_arch = "wasm32") {
            // Saves one more copy of the generator in the download of the page.
            return !self.legal_moves().is_empty();
        }
        sliders::run(Generation(self, &mut Any)).is_break()
    }

    /// The squares to which the piece on a square may move; a castling king's own rook as well as
    /// the square where the king arrives. This is what a board shows.
    ///
    /// ```
    /// # use hansu_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let targets = position.targets(Square::E1);
    /// assert!(targets.contains(Square::G1) && targets.contains(Square::H1));
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn targets(&self, from: Square) -> Bitboard {
        let own = self.legal_moves().into_iter().filter(|step| step.from == from);
        let targets: Bitboard = own.flat_map(|step| [step.to, step.to()]).collect();
        // In Chess960 a king may castle without leaving its square; that is not a target.
        targets - Bitboard::of(from)
    }
}
