//! Legal moves, as sets of targets handed to a visitor.
//!
//! Nothing illegal is ever made and taken back. First the lines to the king are looked at: they
//! give the squares that answer a check, and the lines along which pinned pieces may still move.
//! Then every piece's targets are cut down to those. Pawns move all at once.

use std::ops::ControlFlow::{self, Break, Continue};

use crate::attacks::{around_of, between, pawns_east, pawns_west};
use crate::color::{Black, Side, White};
use crate::make::castling_targets;
use crate::moves::Kind;
use crate::sliders::{self, Sliders, Task};
use crate::{Bitboard, Color, File, Move, Position, Rank, Role, Square, attacks};

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
    let near = around_of(king);
    let queens = board.of_role(Role::Queen);
    let straight = (board.of_role(Role::Rook) | queens) & them;
    let diagonal = (board.of_role(Role::Bishop) | queens) & them;

    // 1. Checks and pins: only enemy sliders that would reach the king on an empty board count.
    let mut checkers = near.pawn[U::COLOR as usize] & board.of_role(Role::Pawn) & them
        | near.knight & board.of_role(Role::Knight) & them;
    let mut answers = checkers;
    let mut pinned_straight = Bitboard::EMPTY;
    let mut pinned_diagonal = Bitboard::EMPTY;
    for by in straight & near.rook {
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
    for by in diagonal & near.bishop {
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
    let steps = near.king - us;
    let mut wanted = steps;
    let mut reach = Reach { straight: near.rook_to_king, diagonal: near.bishop_to_king };
    let mut wings: &[Wing; 2] = &[Wing::CLOSED; 2];
    let mut open = 0;
    if checkers.is_empty() {
        answers = Bitboard::FULL;
        let rights = home_rank::<U>(position.castling);
        if rights != 0 {
            wings = &WINGS[king.index() % 8][usize::from(rights)];
            let home = home_rank::<U>(occupied);
            open = u32::from(wings[0].path & home == 0) | u32::from(wings[1].path & home == 0) << 1;
            if open != 0 {
                let walks = wings[0].walk | wings[1].walk;
                wanted |= on_home_rank::<U>(walks);
                reach.include::<U>(king);
            }
        }
    }
    if !wanted.is_empty() {
        let without_king = occupied - Bitboard::of(king);
        let safe = unattacked::<U, S>(position, sliders, wanted, reach, without_king);
        visitor.piece(Role::King, king, safe & steps)?;
        if open != 0 {
            let attacked = !home_rank::<U>(safe);
            for (number, wing) in wings.iter().enumerate() {
                if open >> number & 1 != 0 && wing.walk & attacked == 0 {
                    let rook = wing.rook::<U>();
                    if !rook_hides_attacker::<U, S>(position, sliders, king, rook) {
                        visitor.castle(king, rook)?;
                    }
                }
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
        visitor.piece(Role::Knight, from, around_of(from).knight & targets)?;
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
        for (role, pinned) in [(Role::Bishop, pinned_diagonal), (Role::Queen, pinned_diagonal)] {
            for from in board.of_role(role) & us & pinned {
                visitor.piece(role, from, sliders.bishop(from, occupied) & targets & pinned)?;
            }
        }
        for (role, pinned) in [(Role::Rook, pinned_straight), (Role::Queen, pinned_straight)] {
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
    if targets.is_empty() { Continue(()) } else { visit(targets) }
}

#[inline(always)]
fn east_of<U: Side>(pawns: Bitboard) -> Bitboard {
    if U::WHITE { pawns_east::<true>(pawns) } else { pawns_east::<false>(pawns) }
}

#[inline(always)]
fn west_of<U: Side>(pawns: Bitboard) -> Bitboard {
    if U::WHITE { pawns_west::<true>(pawns) } else { pawns_west::<false>(pawns) }
}

/// From where sliders could attack a wanted square at all.
#[derive(Clone, Copy)]
struct Reach {
    straight: Bitboard,
    diagonal: Bitboard,
}

impl Reach {
    /// Takes in the squares of a castling king beyond those beside it.
    #[inline(always)]
    fn include<U: Side>(&mut self, king: Square) {
        let home = |file: File| around_of(Square::wrap(home_shift::<U>() + file as u32));
        if king as u32 == home_shift::<U>() + File::E as u32 {
            self.straight |= home(File::C).rook | home(File::G).rook;
            self.diagonal |= home(File::C).bishop | home(File::G).bishop;
        } else {
            // Only in Chess960: from elsewhere the king may cross any of them.
            *self = Reach { straight: Bitboard::FULL, diagonal: Bitboard::FULL };
        }
    }
}

/// Those of the wanted squares that the enemy does not attack, when these squares are occupied.
#[inline(always)]
fn unattacked<U: Side, S: Sliders>(
    position: &Position,
    sliders: S,
    wanted: Bitboard,
    reach: Reach,
    occupied: Bitboard,
) -> Bitboard {
    let board = &position.board;
    let them = board.colors[U::Them::COLOR as usize];
    let pawns = board.of_role(Role::Pawn) & them;
    let enemy_king = (board.of_role(Role::King) & them).first_or_a1();
    let mut left =
        wanted - east_of::<U::Them>(pawns) - west_of::<U::Them>(pawns) - around_of(enemy_king).king;
    for by in board.of_role(Role::Knight) & them {
        left = left - around_of(by).knight;
    }
    let queens = board.of_role(Role::Queen);
    for by in (board.of_role(Role::Bishop) | queens) & them & reach.diagonal {
        left = left - sliders.bishop(by, occupied);
    }
    for by in (board.of_role(Role::Rook) | queens) & them & reach.straight {
        left = left - sliders.rook(by, occupied);
    }
    left
}

/// Castling towards one side, as bits and files of the home rank.
#[derive(Clone, Copy)]
pub(crate) struct Wing {
    /// The squares that must be empty: all that the two cross or arrive on, themselves left out.
    pub(crate) path: u8,
    /// The squares that must not be attacked: all that the king crosses or arrives on, where it
    /// stands left out.
    pub(crate) walk: u8,
    rook: u8,
}

impl Wing {
    /// A wing without a right: its path is never empty, for the king itself stands there.
    const CLOSED: Wing = Wing { path: 0xff, walk: 0, rook: 0 };

    pub(crate) const fn new(king: u8, rook: u8) -> Wing {
        let (king_to, rook_to) = if rook > king { (6, 5) } else { (2, 3) };
        let walk = span(king, king_to) & !(1 << king);
        let path = (walk | span(rook, rook_to)) & !(1 << king) & !(1 << rook);
        Wing { path, walk, rook }
    }

    #[inline(always)]
    fn rook<U: Side>(self) -> Square {
        Square::wrap(home_shift::<U>() + u32::from(self.rook))
    }
}

/// All files from one to another, both included.
const fn span(a: u8, b: u8) -> u8 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    ((1u16 << (high + 1)) - (1 << low)) as u8
}

/// Both wings, by file of the king and the rooks with which castling is allowed.
static WINGS: [[[Wing; 2]; 256]; 8] = {
    let mut table = [[[Wing::CLOSED; 2]; 256]; 8];
    let mut king = 0;
    while king < 8 {
        let mut rights = 0;
        while rights < 256 {
            let mut rook = 0;
            while rook < 8 {
                if rights >> rook & 1 != 0 && rook != king {
                    let wing = if rook > king { 0 } else { 1 };
                    table[king][rights][wing] = Wing::new(king as u8, rook as u8);
                }
                rook += 1;
            }
            rights += 1;
        }
        king += 1;
    }
    table
};

#[inline(always)]
const fn home_shift<U: Side>() -> u32 {
    if U::WHITE { 0 } else { 56 }
}

#[inline(always)]
fn home_rank<U: Side>(squares: Bitboard) -> u8 {
    (squares.0 >> home_shift::<U>()) as u8
}

#[inline(always)]
fn on_home_rank<U: Side>(files: u8) -> Bitboard {
    Bitboard(u64::from(files) << home_shift::<U>())
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
    if matches!(rook.index() % 8, 0 | 7) {
        return false;
    }
    let (king_to, rook_to) = castling_targets(king, rook);
    let gone = Bitboard::of(king) | Bitboard::of(rook);
    let after = (position.board.occupied() - gone) | Bitboard::of(rook_to);
    let attackers = position.board.attackers_with(sliders, king_to, U::Them::COLOR, after);
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
