//! Where king and rook go when they castle, and what must be free for it.

use crate::color::Side;
use crate::moves::CastlingSide;
use crate::sliders::Sliders;
use crate::{Bitboard, File, Position, Square};

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
    pub(crate) const CLOSED: Wing = Wing { path: 0xff, walk: 0, rook: 0 };

    pub(crate) const fn new(king: u8, rook: u8) -> Wing {
        let (king_to, rook_to) = if rook > king { (6, 5) } else { (2, 3) };
        let walk = span(king, king_to) & !(1 << king);
        let path = (walk | span(rook, rook_to)) & !(1 << king) & !(1 << rook);
        Wing { path, walk, rook }
    }

    #[inline(always)]
    pub(crate) fn rook<U: Side>(self) -> Square {
        Square::wrap(home_shift::<U>() + u32::from(self.rook))
    }
}

/// All files from one to another, both included.
const fn span(a: u8, b: u8) -> u8 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    ((1u16 << (high + 1)) - (1 << low)) as u8
}

/// Both wings, by file of the king and the rooks with which castling is allowed.
pub(crate) static WINGS: [[[Wing; 2]; 256]; 8] = {
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
pub(crate) const fn home_shift<U: Side>() -> u32 {
    if U::WHITE { 0 } else { 56 }
}

#[inline(always)]
pub(crate) fn home_rank<U: Side>(squares: Bitboard) -> u8 {
    (squares.0 >> home_shift::<U>()) as u8
}

#[inline(always)]
pub(crate) fn on_home_rank<U: Side>(files: u8) -> Bitboard {
    Bitboard(u64::from(files) << home_shift::<U>())
}

/// True if the castling rook shields the king's target from an attack along the first rank. A rook
/// in the corner has nothing behind it; elsewhere (Chess960) it may.
#[inline(always)]
pub(crate) fn rook_hides_attacker<U: Side, S: Sliders>(
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

/// Where king and rook arrive.
#[inline(always)]
pub(crate) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let side = CastlingSide::of(king, rook);
    let at = |file: File| Square::wrap(king as u32 & 56 | file as u32);
    (at(side.king_file()), at(side.rook_file()))
}
