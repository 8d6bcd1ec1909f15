//! Legal moves, as sets of targets handed to a visitor.
//!
//! Nothing illegal is ever made and taken back. First the lines to the king are looked at: they
//! give the squares that answer a check, and the lines along which pinned pieces may still move.
//! Then every piece's targets are cut down to those. Pawns move all at once.

use std::ops::ControlFlow::{self, Break, Continue};

use crate::attacks::{BISHOP_RAYS, KING, KNIGHT, ROOK_RAYS, between, pawns_east, pawns_west};
use crate::color::{Black, Side, White};
use crate::make::castling_targets;
use crate::moves::Kind;
use crate::sliders::{self, Sliders, Task};
use crate::{Bitboard, Color, Move, Position, Rank, Role, Square, attacks};

/// Whether to go on; a visitor that has seen enough breaks off.
pub(crate) type Flow = ControlFlow<()>;

/// Receives the legal moves of a side in sets.
pub(crate) trait Visitor<U: Side> {
    /// One piece (not a pawn) to each of the targets.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) -> Flow;
    /// Pawns to each of the targets, each from the square `step` before it.
    fn pawns(&mut self, targets: Bitboard, step: i32) -> Flow;
    /// Pawns two squares ahead to each of the targets.
    fn double_steps(&mut self, targets: Bitboard) -> Flow;
    /// Pawns that reach the last rank, to be any of the four.
    fn promotions(&mut self, targets: Bitboard, step: i32) -> Flow;
    /// A pawn that takes another in passing.
    fn en_passant(&mut self, from: Square, to: Square) -> Flow;
    /// King and rook.
    fn castle(&mut self, king: Square, rook: Square) -> Flow;
}

#[inline(always)]
pub(crate) const fn ahead<U: Side>() -> i32 {
    if U::WHITE { 8 } else { -8 }
}

const fn east<U: Side>() -> i32 {
    ahead::<U>() + 1
}

const fn west<U: Side>() -> i32 {
    ahead::<U>() - 1
}

/// The square a step before another.
#[inline(always)]
pub(crate) fn before(to: Square, step: i32) -> Square {
    Square::wrap((to as i32 - step) as u32)
}

static ROOK_LINES: [Bitboard; 64] = ROOK_RAYS;
static BISHOP_LINES: [Bitboard; 64] = BISHOP_RAYS;

#[inline(always)]
pub(crate) fn generate<U: Side, S: Sliders, V: Visitor<U>>(
    position: &Position,
    sliders: S,
    visitor: &mut V,
) -> Flow {
    let board = &position.board;
    let us = board.colors[U::COLOR as usize];
    let them = board.colors[U::Them::COLOR as usize];
    let occupied = us | them;
    let king = (board.of_role(Role::King) & us).first_or_a1();
    let queens = board.of_role(Role::Queen);
    let straight = (board.of_role(Role::Rook) | queens) & them;
    let diagonal = (board.of_role(Role::Bishop) | queens) & them;

    // 1. Checks and pins: only enemy sliders that would reach the king on an empty board count.
    let mut checkers = attacks::pawn(U::COLOR, king) & board.of_role(Role::Pawn) & them
        | KNIGHT[king.index()] & board.of_role(Role::Knight) & them;
    let mut answers = checkers;
    let mut pinned_straight = Bitboard::EMPTY;
    let mut pinned_diagonal = Bitboard::EMPTY;
    for by in straight & ROOK_LINES[king.index()] {
        let path = between(king, by);
        let blockers = path & occupied;
        let ray = path | Bitboard::of(by);
        if blockers.is_empty() {
            checkers |= Bitboard::of(by);
            answers |= ray;
        } else if !blockers.is_several() {
            pinned_straight |= ray;
        }
    }
    for by in diagonal & BISHOP_LINES[king.index()] {
        let path = between(king, by);
        let blockers = path & occupied;
        let ray = path | Bitboard::of(by);
        if blockers.is_empty() {
            checkers |= Bitboard::of(by);
            answers |= ray;
        } else if !blockers.is_several() {
            pinned_diagonal |= ray;
        }
    }

    // 2. The king, and castling: one look at the squares that either of them needs.
    let beside = KING[king.index()];
    let mut wanted = beside - us;
    let mut rooks = Bitboard::EMPTY;
    if checkers.is_empty() {
        for rook in position.castling & Bitboard::rank_of(U::COLOR, Rank::First) {
            if !occupied.meets(castling_path(king, rook)) {
                rooks |= Bitboard::of(rook);
                wanted |= castling_walk(king, rook);
            }
        }
        answers = Bitboard::FULL;
    }
    if !wanted.is_empty() {
        let safe = unattacked::<U, S>(position, sliders, wanted, occupied - Bitboard::of(king));
        visitor.piece(Role::King, king, safe & beside - us)?;
        for rook in rooks {
            if (castling_walk(king, rook) - safe).is_empty()
                && !rook_hides_attacker::<U, S>(position, sliders, king, rook)
            {
                visitor.castle(king, rook)?;
            }
        }
    }
    if checkers.is_several() {
        return Continue(());
    }

    // 3. Pieces that are free to move, then those that are pinned.
    let targets = answers - us;
    let pinned = pinned_straight | pinned_diagonal;
    let free = us - pinned;
    for from in board.of_role(Role::Knight) & free {
        visitor.piece(Role::Knight, from, KNIGHT[from.index()] & targets)?;
    }
    for from in board.of_role(Role::Bishop) & free {
        visitor.piece(Role::Bishop, from, sliders.bishop(from, occupied) & targets)?;
    }
    for from in board.of_role(Role::Rook) & free {
        visitor.piece(Role::Rook, from, sliders.rook(from, occupied) & targets)?;
    }
    for from in queens & free {
        let lines = sliders.bishop(from, occupied) | sliders.rook(from, occupied);
        visitor.piece(Role::Queen, from, lines & targets)?;
    }
    if (us & pinned).meets(!board.of_role(Role::Pawn)) {
        for (role, pinned) in [
            (Role::Bishop, pinned_diagonal),
            (Role::Queen, pinned_diagonal),
        ] {
            for from in board.of_role(role) & us & pinned {
                visitor.piece(
                    role,
                    from,
                    sliders.bishop(from, occupied) & targets & pinned,
                )?;
            }
        }
        for (role, pinned) in [
            (Role::Rook, pinned_straight),
            (Role::Queen, pinned_straight),
        ] {
            for from in board.of_role(role) & us & pinned {
                visitor.piece(role, from, sliders.rook(from, occupied) & targets & pinned)?;
            }
        }
    }

    // 4. Pawns, all at once: one pinned along a file may still push, along a diagonal take.
    let pawns = board.of_role(Role::Pawn) & us;
    let empty = !occupied;
    let last = Bitboard::rank_of(U::COLOR, Rank::Eighth);
    let third = Bitboard::rank_of(U::COLOR, Rank::Third);

    let pushers = pawns - pinned_diagonal;
    let steps = (pushers - pinned_straight).shifted(ahead::<U>())
        | (pushers & pinned_straight).shifted(ahead::<U>()) & pinned_straight;
    let steps = steps & empty;
    let doubles = (steps & third).shifted(ahead::<U>()) & empty & answers;
    let steps = steps & answers;

    let takers = pawns - pinned_straight;
    let victims = them & answers;
    let (free, bound) = (takers - pinned_diagonal, takers & pinned_diagonal);
    let easts = (east_of::<U>(free) | east_of::<U>(bound) & pinned_diagonal) & victims;
    let wests = (west_of::<U>(free) | west_of::<U>(bound) & pinned_diagonal) & victims;

    visitor.pawns(steps - last, ahead::<U>())?;
    visitor.double_steps(doubles)?;
    visitor.pawns(easts - last, east::<U>())?;
    visitor.pawns(wests - last, west::<U>())?;
    if pawns.meets(Bitboard::rank_of(U::COLOR, Rank::Seventh)) {
        visit(steps & last, |to| visitor.promotions(to, ahead::<U>()))?;
        visit(easts & last, |to| visitor.promotions(to, east::<U>()))?;
        visit(wests & last, |to| visitor.promotions(to, west::<U>()))?;
    }
    if let Some(passed) = position.en_passant {
        for from in attacks::pawn(U::Them::COLOR, passed) & pawns {
            if position.en_passant_exposes(from, passed).is_empty() {
                visitor.en_passant(from, passed)?;
            }
        }
    }
    Continue(())
}

#[inline(always)]
fn visit(targets: Bitboard, visit: impl FnOnce(Bitboard) -> Flow) -> Flow {
    if targets.is_empty() {
        Continue(())
    } else {
        visit(targets)
    }
}

#[inline(always)]
fn east_of<U: Side>(pawns: Bitboard) -> Bitboard {
    if U::WHITE {
        pawns_east::<true>(pawns)
    } else {
        pawns_east::<false>(pawns)
    }
}

#[inline(always)]
fn west_of<U: Side>(pawns: Bitboard) -> Bitboard {
    if U::WHITE {
        pawns_west::<true>(pawns)
    } else {
        pawns_west::<false>(pawns)
    }
}

/// Those of the wanted squares that the enemy does not attack, when these squares are occupied.
/// The cheap attackers come first. Then either the enemy's sliders are asked what they attack, or
/// the squares left whether a slider looks at them, whichever are fewer.
#[inline(always)]
fn unattacked<U: Side, S: Sliders>(
    position: &Position,
    sliders: S,
    wanted: Bitboard,
    occupied: Bitboard,
) -> Bitboard {
    let board = &position.board;
    let them = board.colors[U::Them::COLOR as usize];
    let pawns = board.of_role(Role::Pawn) & them;
    let enemy_king = (board.of_role(Role::King) & them).first_or_a1();
    let mut left =
        wanted - east_of::<U::Them>(pawns) - west_of::<U::Them>(pawns) - KING[enemy_king.index()];
    for by in board.of_role(Role::Knight) & them {
        left = left - KNIGHT[by.index()];
    }
    let queens = board.of_role(Role::Queen);
    let diagonal = (board.of_role(Role::Bishop) | queens) & them;
    let straight = (board.of_role(Role::Rook) | queens) & them;
    if diagonal.len() + straight.len() < 2 * left.len() {
        for by in diagonal {
            left = left - sliders.bishop(by, occupied);
        }
        for by in straight {
            left = left - sliders.rook(by, occupied);
        }
    } else {
        for square in left {
            let seen = sliders.bishop(square, occupied) & diagonal
                | sliders.rook(square, occupied) & straight;
            if !seen.is_empty() {
                left = left - Bitboard::of(square);
            }
        }
    }
    left
}

/// By file of king and rook, as bits of the first rank: the squares that must be empty (all that
/// the two cross or arrive on, themselves left out), and those that must not be attacked (all that
/// the king crosses or arrives on, where it stands left out).
static CASTLING: [[(u8, u8); 8]; 8] = {
    let mut table = [[(0, 0); 8]; 8];
    let mut king = 0;
    while king < 8 {
        let mut rook = 0;
        while rook < 8 {
            let (king_to, rook_to) = if rook > king { (6, 5) } else { (2, 3) };
            let walk = span(king, king_to) & !(1 << king);
            let path = (walk | span(rook, rook_to)) & !(1 << king) & !(1 << rook);
            table[king][rook] = (path, walk);
            rook += 1;
        }
        king += 1;
    }
    table
};

/// All files from one to another, both included.
const fn span(a: usize, b: usize) -> u8 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    ((1u16 << (high + 1)) - (1 << low)) as u8
}

/// The squares that must be empty for castling.
#[inline(always)]
pub(crate) fn castling_path(king: Square, rook: Square) -> Bitboard {
    let (path, _) = CASTLING[king.index() & 7][rook.index() & 7];
    Bitboard(u64::from(path) << (king as u32 & 56))
}

/// The squares that must not be attacked for castling, the king's own left out.
#[inline(always)]
pub(crate) fn castling_walk(king: Square, rook: Square) -> Bitboard {
    let (_, walk) = CASTLING[king.index() & 7][rook.index() & 7];
    Bitboard(u64::from(walk) << (king as u32 & 56))
}

/// Whether the castling rook shields the king's target from an attack along the first rank. A rook
/// in the corner has nothing behind it; elsewhere (Chess960) it may.
#[inline(always)]
fn rook_hides_attacker<U: Side, S: Sliders>(
    position: &Position,
    sliders: S,
    king: Square,
    rook: Square,
) -> bool {
    if matches!(rook.index() & 7, 0 | 7) {
        return false;
    }
    let (king_to, rook_to) = castling_targets(king, rook);
    let gone = Bitboard::of(king) | Bitboard::of(rook);
    let after = (position.board.occupied() - gone) | Bitboard::of(rook_to);
    let attackers = position
        .board
        .attackers_with(sliders, king_to, U::Them::COLOR, after);
    !attackers.is_empty()
}

// ---------------------------------------------------------------------------------------------
// Visitors.

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

/// Hands every single move to a function, which may break off.
struct Each<F>(F);

impl<U: Side, F: FnMut(Move) -> Flow> Visitor<U> for Each<F> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) -> Flow {
        targets.into_iter().try_for_each(|to| {
            (self.0)(Move {
                from,
                to,
                role,
                kind: Kind::Plain,
            })
        })
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i32) -> Flow {
        targets
            .into_iter()
            .try_for_each(|to| self.pawn(before(to, step), to, Kind::Plain))
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard) -> Flow {
        let step = 2 * ahead::<U>();
        targets
            .into_iter()
            .try_for_each(|to| self.pawn(before(to, step), to, Kind::DoubleStep))
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
        (self.0)(Move {
            from: king,
            to: rook,
            role: Role::King,
            kind: Kind::Castle,
        })
    }
}

impl<F: FnMut(Move) -> Flow> Each<F> {
    #[inline(always)]
    fn pawn(&mut self, from: Square, to: Square, kind: Kind) -> Flow {
        (self.0)(Move {
            from,
            to,
            role: Role::Pawn,
            kind,
        })
    }
}

/// Breaks off at the first legal move.
struct Any;

impl<U: Side> Visitor<U> for Any {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) -> Flow {
        if targets.is_empty() {
            Continue(())
        } else {
            Break(())
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) -> Flow {
        if targets.is_empty() {
            Continue(())
        } else {
            Break(())
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard) -> Flow {
        if targets.is_empty() {
            Continue(())
        } else {
            Break(())
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) -> Flow {
        if targets.is_empty() {
            Continue(())
        } else {
            Break(())
        }
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
struct Generation<'a, V>(&'a Position, &'a mut V);

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

    /// Whether there is any legal move.
    ///
    /// ```
    /// # use hansu_chess::Position;
    /// let stalemate: Position = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse()?;
    /// assert!(!stalemate.has_moves());
    /// # Ok::<(), hansu_chess::FenError>(())
    /// ```
    pub fn has_moves(&self) -> bool {
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
        let mut targets = Bitboard::EMPTY;
        let mut visitor = Each(|step: Move| {
            if step.from == from {
                targets |= Bitboard::of(step.to) | Bitboard::of(step.to());
            }
            Continue(())
        });
        let _ = sliders::run(Generation(self, &mut visitor));
        targets
    }
}
