//! Legal moves, as sets of targets handed to a visitor.
//!
//! No illegal move is made and taken back. First the lines to the king are examined: they give the
//! squares that answer a check, and the lines along which pinned pieces may still move. Then the
//! targets of every piece are restricted to those. Pawns move all at once.

use std::ops::ControlFlow::{self, Continue};

use crate::attacks::{around_of, between, pawns_east, pawns_west};
use crate::castling::{WINGS, Wing, home_rank, home_shift, on_home_rank, rook_hides_attacker};
use crate::color::Side;
use crate::sliders::Sliders;
use crate::{Bitboard, File, Position, Rank, Role, Square, attacks};

/// Continue, or break off the generation early.
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
