//! Counting the leaves of the tree of legal moves: the generator's measure of truth and of speed.

use std::marker::PhantomData;
use std::ops::ControlFlow::Continue;

use crate::color::{Black, Side, White};
use crate::generate::{Flow, Visitor, ahead, before, generate};
use crate::sliders::{self, Sliders, Task};
use crate::visitors::Count;
use crate::{Bitboard, Color, Position, Role, Square};

/// One node of the tree and all below it, two plies or more.
struct Node<'a, U> {
    position: &'a Position,
    depth: u32,
    side: PhantomData<U>,
}

impl<U: Side> Task for Node<'_, U> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> u64 {
        let Node { position, depth, side } = self;
        let mut walk = Walk { position, depth: depth - 1, side, sliders, nodes: 0 };
        let _ = generate::<U, S, Walk<'_, U, S>>(position, sliders, &mut walk);
        walk.nodes
    }
}

/// A node whose moves are only counted. A function of its own: it needs far fewer registers saved.
struct Leaf<'a, U>(&'a Position, PhantomData<U>);

impl<U: Side> Task for Leaf<'_, U> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> u64 {
        let mut count = Count(0);
        let _ = generate::<U, S, Count>(self.0, sliders, &mut count);
        count.0
    }
}

/// Makes every move and counts below it.
struct Walk<'a, U, S> {
    position: &'a Position,
    depth: u32,
    side: PhantomData<U>,
    sliders: S,
    nodes: u64,
}

impl<U: Side, S: Sliders> Walk<'_, U, S> {
    #[inline(always)]
    fn below(&mut self, next: &Position) {
        self.nodes += if self.depth == 1 {
            self.sliders.call(Leaf(next, PhantomData::<U::Them>))
        } else {
            let side = PhantomData::<U::Them>;
            self.sliders.call(Node { position: next, depth: self.depth, side })
        };
    }
}

impl<U: Side, S: Sliders> Visitor<U> for Walk<'_, U, S> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) -> Flow {
        for to in targets {
            let mut next = *self.position;
            next.step::<U>(role, from, to);
            self.below(&next);
        }
        Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i32) -> Flow {
        for to in targets {
            let mut next = *self.position;
            next.step::<U>(Role::Pawn, before(to, step), to);
            self.below(&next);
        }
        Continue(())
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard) -> Flow {
        for to in targets {
            let mut next = *self.position;
            next.double_step::<U>(before(to, 2 * ahead::<U>()), to);
            self.below(&next);
        }
        Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i32) -> Flow {
        for to in targets {
            for role in Role::PROMOTIONS {
                let mut next = *self.position;
                next.promote::<U>(before(to, step), to, role);
                self.below(&next);
            }
        }
        Continue(())
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) -> Flow {
        let mut next = *self.position;
        next.take_en_passant::<U>(from, to);
        self.below(&next);
        Continue(())
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) -> Flow {
        let mut next = *self.position;
        next.castle::<U>(king, rook);
        self.below(&next);
        Continue(())
    }
}

/// How many sequences of legal moves of this length there are.
///
/// ```
/// use hansu_chess::{perft, Position};
/// assert_eq!(perft(&Position::start(), 3), 8902);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    struct Root<'a>(&'a Position, u32);
    impl Task for Root<'_> {
        type Output = u64;
        #[inline(always)]
        fn run<S: Sliders>(self, sliders: S) -> u64 {
            let Root(position, depth) = self;
            match position.turn {
                Color::White => sliders.call(Node { position, depth, side: PhantomData::<White> }),
                Color::Black => sliders.call(Node { position, depth, side: PhantomData::<Black> }),
            }
        }
    }
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => sliders::run(Root(position, depth)),
    }
}
