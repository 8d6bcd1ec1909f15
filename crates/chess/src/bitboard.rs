//! Sets of squares as 64 bits.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use crate::{Color, File, Rank, Square};

/// A set of squares: bit 0 is `a1`, bit 63 is `h8`.
///
/// ```
/// use hansu_chess::{Bitboard, Rank, Square};
/// let mut set = Bitboard::from(Rank::First) & !Bitboard::from(Square::E1);
/// assert_eq!(set.len(), 7);
/// assert!(set.contains(Square::A1) && !set.contains(Square::E1));
/// assert_eq!(set.pop(), Some(Square::A1));
/// assert_eq!(set.into_iter().last(), Some(Square::H1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    ///
    /// ```
    /// # use hansu_chess::Bitboard;
    /// assert!(Bitboard::EMPTY.is_empty());
    /// ```
    pub const EMPTY: Bitboard = Bitboard(0);

    /// Every square.
    ///
    /// ```
    /// # use hansu_chess::Bitboard;
    /// assert_eq!(Bitboard::FULL.len(), 64);
    /// ```
    pub const FULL: Bitboard = Bitboard(!0);

    /// The dark squares, `a1` among them.
    ///
    /// ```
    /// # use hansu_chess::{Bitboard, Square};
    /// assert!(Bitboard::DARK.contains(Square::A1) && !Bitboard::DARK.contains(Square::H1));
    /// ```
    pub const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

    /// The set of one square, usable in constants.
    ///
    /// ```
    /// # use hansu_chess::{Bitboard, Square};
    /// assert_eq!(Bitboard::of(Square::B1), Bitboard(2));
    /// ```
    #[inline(always)]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square as u32)
    }

    /// The squares of a file, usable in constants.
    pub(crate) const fn file(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file as u32)
    }

    /// The squares of a rank, usable in constants.
    pub(crate) const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xff << (rank as u32 * 8))
    }

    /// The squares of a side's own rank (its first, second, …).
    pub(crate) const fn rank_of(color: Color, rank: Rank) -> Bitboard {
        Bitboard::rank(rank.seen_by(color))
    }

    /// True if no square is in the set.
    ///
    /// ```
    /// # use hansu_chess::Bitboard;
    /// assert!(!Bitboard(1).is_empty());
    /// ```
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the two sets share a square.
    ///
    /// ```
    /// # use hansu_chess::Bitboard;
    /// assert!(Bitboard(3).meets(Bitboard(6)) && !Bitboard(1).meets(Bitboard(6)));
    /// ```
    #[inline(always)]
    pub const fn meets(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// True if two or more squares are in the set.
    ///
    /// ```
    /// # use hansu_chess::Bitboard;
    /// assert!(Bitboard(3).is_several() && !Bitboard(2).is_several());
    /// ```
    #[inline(always)]
    pub const fn is_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares are in the set.
    ///
    /// ```
    /// # use hansu_chess::Bitboard;
    /// assert_eq!(Bitboard(0b1011).len(), 3);
    /// ```
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// True if a square is in the set.
    ///
    /// ```
    /// # use hansu_chess::{Bitboard, Square};
    /// assert!(Bitboard(1).contains(Square::A1));
    /// ```
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u32 & 1 != 0
    }

    /// The square with the lowest number.
    ///
    /// ```
    /// # use hansu_chess::{Bitboard, Square};
    /// assert_eq!(Bitboard(6).first(), Some(Square::B1));
    /// assert_eq!(Bitboard::EMPTY.first(), None);
    /// ```
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        match std::num::NonZeroU64::new(self.0) {
            Some(bits) => Some(Square::wrap(bits.trailing_zeros())),
            None => None,
        }
    }

    /// The square with the lowest number of a set known to have one; of an empty set, `a1`.
    #[inline(always)]
    pub(crate) const fn first_or_a1(self) -> Square {
        Square::wrap(self.0.trailing_zeros())
    }

    /// Takes out the square with the lowest number.
    ///
    /// ```
    /// # use hansu_chess::{Bitboard, Square};
    /// let mut set = Bitboard(6);
    /// assert_eq!(set.pop(), Some(Square::B1));
    /// assert_eq!(set, Bitboard(4));
    /// ```
    #[inline(always)]
    pub const fn pop(&mut self) -> Option<Square> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    /// The set mirrored from top to bottom.
    ///
    /// ```
    /// # use hansu_chess::{Bitboard, Square};
    /// assert_eq!(Bitboard::of(Square::C2).mirrored(), Bitboard::of(Square::C7));
    /// ```
    #[inline]
    pub const fn mirrored(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// Moves every square by this many places along the numbering, dropping what leaves it.
    #[inline(always)]
    pub(crate) const fn shifted(self, by: i32) -> Bitboard {
        if by >= 0 { Bitboard(self.0 << by) } else { Bitboard(self.0 >> -by) }
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Bitboard {
        Bitboard::of(square)
    }
}

impl From<File> for Bitboard {
    fn from(file: File) -> Bitboard {
        Bitboard::file(file)
    }
}

impl From<Rank> for Bitboard {
    fn from(rank: Rank) -> Bitboard {
        Bitboard::rank(rank)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.into())
    }
}

/// The squares of a set in the order of their numbers.
///
/// ```
/// use hansu_chess::{Bitboard, Square};
/// let squares: Vec<Square> = Bitboard(5).into_iter().collect();
/// assert_eq!(squares, [Square::A1, Square::C1]);
/// ```
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl BitAnd for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Sub for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Bitboard {
    /// Eight lines as one sees a board: `1` for a square of the set, `.` for the others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                f.write_str(if self.contains(Square::new(file, rank)) { "1" } else { "." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
