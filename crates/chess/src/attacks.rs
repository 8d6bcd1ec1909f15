//! Which squares a piece attacks, and the lines between squares. All tables are constants.

use crate::sliders::line_by_line;
use crate::{Bitboard, Color, Role, Square};

/// All that concerns one square, in one cache line: the generator asks for several at once.
#[repr(align(64))]
pub(crate) struct Around {
    pub(crate) knight: Bitboard,
    pub(crate) king: Bitboard,
    /// By colour of the pawn.
    pub(crate) pawn: [Bitboard; 2],
    /// What a rook or bishop attacks on an empty board.
    pub(crate) rook: Bitboard,
    pub(crate) bishop: Bitboard,
    /// From where a rook or bishop could attack one of the king's targets at all.
    pub(crate) rook_to_king: Bitboard,
    pub(crate) bishop_to_king: Bitboard,
}

const fn leaps(from: Square, steps: [(i8, i8); 8]) -> Bitboard {
    let mut targets = Bitboard::EMPTY;
    let mut step = 0;
    while step < 8 {
        let (files, ranks) = steps[step];
        if let Some(to) = from.offset(files, ranks) {
            targets.0 |= Bitboard::of(to).0;
        }
        step += 1;
    }
    targets
}

const fn around(from: Square) -> Around {
    let set = Bitboard::of(from);
    let king = leaps(from, [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
    let (mut rook_to_king, mut bishop_to_king) = (Bitboard::EMPTY, Bitboard::EMPTY);
    let mut targets = king;
    while let Some(target) = targets.pop() {
        rook_to_king.0 |= ROOK_RAYS[target as usize].0;
        bishop_to_king.0 |= BISHOP_RAYS[target as usize].0;
    }
    Around {
        knight: leaps(
            from,
            [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
        ),
        king,
        pawn: [pawns(Color::White, set), pawns(Color::Black, set)],
        rook: ROOK_RAYS[from as usize],
        bishop: BISHOP_RAYS[from as usize],
        rook_to_king,
        bishop_to_king,
    }
}

static AROUND: [Around; 64] = {
    let mut table = [const { around(Square::A1) }; 64];
    let mut from = 0;
    while from < 64 {
        table[from] = around(Square::ALL[from]);
        from += 1;
    }
    table
};

#[inline(always)]
pub(crate) const fn around_of(square: Square) -> &'static Around {
    &AROUND[square as usize]
}

const fn rays(rook: bool) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        table[from] = line_by_line(Square::ALL[from], Bitboard::EMPTY, rook);
        from += 1;
    }
    table
}

/// For every two squares on a common line: with `whole`, that line from edge to edge; without,
/// the squares strictly between them.
const fn lines(whole: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let (from, to) = (Square::ALL[a], Square::ALL[b]);
            let both = Bitboard(Bitboard::of(from).0 | Bitboard::of(to).0);
            let mut rook = 0;
            while a != b && rook < 2 {
                let straight = rook == 1;
                let rays = if straight { &ROOK_RAYS } else { &BISHOP_RAYS };
                if rays[a].contains(to) {
                    table[a][b] = if whole {
                        Bitboard(rays[a].0 & rays[b].0 | both.0)
                    } else {
                        let there = line_by_line(from, both, straight);
                        let back = line_by_line(to, both, straight);
                        Bitboard(there.0 & back.0)
                    };
                }
                rook += 1;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

const ROOK_RAYS: [Bitboard; 64] = rays(true);
const BISHOP_RAYS: [Bitboard; 64] = rays(false);
static BETWEEN: [[Bitboard; 64]; 64] = lines(false);
static LINE: [[Bitboard; 64]; 64] = lines(true);

/// The squares strictly between two squares of one rank, file or diagonal; else none.
///
/// ```
/// use hansu_chess::{attacks, Bitboard, Square};
/// assert_eq!(attacks::between(Square::A1, Square::C3), Bitboard::of(Square::B2));
/// assert!(attacks::between(Square::A1, Square::B3).is_empty());
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two squares, both included; else none.
///
/// ```
/// use hansu_chess::{attacks, Bitboard, Rank, Square};
/// assert_eq!(attacks::line(Square::B2, Square::D2), Bitboard::from(Rank::Second));
/// assert!(attacks::line(Square::B2, Square::C4).is_empty());
/// ```
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// The squares a pawn of this colour attacks.
///
/// ```
/// use hansu_chess::{attacks, Bitboard, Color, Square};
/// assert_eq!(attacks::pawn(Color::White, Square::A2), Bitboard::of(Square::B3));
/// ```
#[inline(always)]
pub fn pawn(color: Color, from: Square) -> Bitboard {
    around_of(from).pawn[color as usize]
}

/// The squares that pawns of this colour attack together.
///
/// ```
/// use hansu_chess::{attacks, Board, Color, Role};
/// let pawns = Board::start().of(Role::Pawn.of(Color::White));
/// assert_eq!(attacks::pawns(Color::White, pawns).len(), 8);
/// ```
#[inline(always)]
pub const fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard(pawns_east::<true>(pawns).0 | pawns_west::<true>(pawns).0),
        Color::Black => Bitboard(pawns_east::<false>(pawns).0 | pawns_west::<false>(pawns).0),
    }
}

/// The squares a knight attacks.
///
/// ```
/// use hansu_chess::{attacks, Square};
/// assert_eq!(attacks::knight(Square::A1).len(), 2);
/// ```
#[inline(always)]
pub fn knight(from: Square) -> Bitboard {
    around_of(from).knight
}

/// The squares a king attacks.
///
/// ```
/// use hansu_chess::{attacks, Square};
/// assert_eq!(attacks::king(Square::E1).len(), 5);
/// ```
#[inline(always)]
pub fn king(from: Square) -> Bitboard {
    around_of(from).king
}

/// The squares a bishop attacks when these squares are occupied.
///
/// ```
/// use hansu_chess::{attacks, Bitboard, Square};
/// assert_eq!(attacks::bishop(Square::A1, Bitboard::of(Square::C3)).len(), 2);
/// ```
#[inline]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    crate::sliders::bishop(from, occupied)
}

/// The squares a rook attacks when these squares are occupied.
///
/// ```
/// use hansu_chess::{attacks, Bitboard, Square};
/// assert_eq!(attacks::rook(Square::A1, Bitboard::of(Square::A3)).len(), 9);
/// ```
#[inline]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    crate::sliders::rook(from, occupied)
}

/// The squares a queen attacks when these squares are occupied.
///
/// ```
/// use hansu_chess::{attacks, Bitboard, Square};
/// assert_eq!(attacks::queen(Square::D4, Bitboard::EMPTY).len(), 27);
/// ```
#[inline]
pub fn queen(from: Square, occupied: Bitboard) -> Bitboard {
    bishop(from, occupied) | rook(from, occupied)
}

/// The squares a piece attacks when these squares are occupied.
///
/// ```
/// use hansu_chess::{attacks, Bitboard, Color, Role, Square};
/// let rook = Role::Rook.of(Color::White);
/// assert_eq!(attacks::piece(rook, Square::A1, Bitboard::EMPTY).len(), 14);
/// ```
pub fn piece(piece: crate::Piece, from: Square, occupied: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => pawn(piece.color, from),
        Role::Knight => knight(from),
        Role::Bishop => bishop(from, occupied),
        Role::Rook => rook(from, occupied),
        Role::Queen => queen(from, occupied),
        Role::King => king(from),
    }
}

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

/// What these pawns attack towards the h-file.
#[inline(always)]
pub(crate) const fn pawns_east<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    let pawns = pawns.0 & NOT_H;
    Bitboard(if WHITE { pawns << 9 } else { pawns >> 7 })
}

/// What these pawns attack towards the a-file.
#[inline(always)]
pub(crate) const fn pawns_west<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    let pawns = pawns.0 & NOT_A;
    Bitboard(if WHITE { pawns << 7 } else { pawns >> 9 })
}
