//! What bishops and rooks attack, by the fastest way this processor has.
//!
//! Two ways: `Plain` works everywhere and needs half a kilobyte; `Pext` looks the answer up in a
//! megabyte with one instruction (PEXT) that Intel has had since 2013 and AMD has had fast since
//! 2020. A build for such a processor uses it directly. The portable build asks the processor
//! once and then runs whole [`Task`]s (a generation, a perft node) compiled for it, because asking
//! at every lookup would cost what the instruction saves.

use crate::{Bitboard, Square};

/// A way to find the squares that bishops and rooks attack.
pub(crate) trait Sliders: Copy {
    fn bishop(self, from: Square, occupied: Bitboard) -> Bitboard;
    fn rook(self, from: Square, occupied: Bitboard) -> Bitboard;
    /// Runs a task as a function of its own compiled for this way; for recursion.
    fn call<T: Task>(self, task: T) -> T::Output;
    /// See [`crate::processor::dots`].
    #[inline(always)]
    fn dots<const N: usize>(self, values: &[u8; N], weights: &[[i8; N]; 8]) -> [i32; 8] {
        crate::processor::plain_dots(values, weights)
    }
}

/// Work that looks up sliders many times. `run` must be `#[inline(always)]`, and so must all that
/// it calls and that is hot: only then is it compiled for the processor at hand.
pub(crate) trait Task {
    type Output;
    fn run<S: Sliders>(self, sliders: S) -> Self::Output;
}

// ---------------------------------------------------------------------------------------------
// Everywhere: for a line through a square, occupied minus twice the slider flips all bits up to
// the first blocker; the same on the mirrored board gives the other direction. Ranks, which a
// byte swap does not mirror, come from a table of eight files by 64 inner occupancies.

/// File, diagonal and anti-diagonal through each square, the square itself left out.
const LINES: [[u64; 3]; 64] = {
    let mut table = [[0; 3]; 64];
    let mut from = 0;
    while from < 64 {
        let (file, rank) = (from as i32 % 8, from as i32 / 8);
        let mut to = 0;
        while to < 64 {
            let (f, r) = (to as i32 % 8 - file, to as i32 / 8 - rank);
            if to != from {
                if f == 0 {
                    table[from][0] |= 1 << to;
                }
                if f == r {
                    table[from][1] |= 1 << to;
                }
                if f == -r {
                    table[from][2] |= 1 << to;
                }
            }
            to += 1;
        }
        from += 1;
    }
    table
};

const fn rank_attacks(file: u32, occupied: u8) -> u8 {
    let mut attacks = 0;
    let mut to = file + 1;
    while to < 8 {
        attacks |= 1 << to;
        if occupied >> to & 1 != 0 {
            break;
        }
        to += 1;
    }
    let mut to = file;
    while to > 0 {
        to -= 1;
        attacks |= 1 << to;
        if occupied >> to & 1 != 0 {
            break;
        }
    }
    attacks
}

#[inline(always)]
const fn along(from: Square, occupied: Bitboard, line: u64) -> u64 {
    let slider = 1u64 << from as u32;
    let up = occupied.0 & line;
    let down = up.swap_bytes();
    let up = up.wrapping_sub(slider << 1);
    let down = down.wrapping_sub(slider.swap_bytes() << 1);
    (up ^ down.swap_bytes()) & line
}

/// The same answer without the table of ranks, for the making of constants.
pub(crate) const fn line_by_line(from: Square, occupied: Bitboard, rook: bool) -> Bitboard {
    let [file, diagonal, anti] = LINES[from as usize];
    Bitboard(if rook {
        let shift = from as u32 & 56;
        let rank = rank_attacks(from as u32 & 7, (occupied.0 >> shift) as u8);
        along(from, occupied, file) | (rank as u64) << shift
    } else {
        along(from, occupied, diagonal) | along(from, occupied, anti)
    })
}

// A build for processors with PEXT has no use for it, but its tests do.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
mod plain {
    //! The way that works on every processor.

    use super::{Bitboard, LINES, Sliders, Square, Task, along, rank_attacks};

    static RANKS: [[u8; 64]; 8] = {
        let mut table = [[0; 64]; 8];
        let mut file = 0;
        while file < 8 {
            let mut inner = 0;
            while inner < 64 {
                table[file][inner] = rank_attacks(file as u32, (inner as u8) << 1);
                inner += 1;
            }
            file += 1;
        }
        table
    };

    /// The way that works on every processor.
    #[derive(Clone, Copy)]
    pub(crate) struct Plain;

    static LINES_OF: [[u64; 3]; 64] = LINES;

    impl Sliders for Plain {
        #[inline(always)]
        fn bishop(self, from: Square, occupied: Bitboard) -> Bitboard {
            let [_, diagonal, anti] = LINES_OF[from.index()];
            Bitboard(along(from, occupied, diagonal) | along(from, occupied, anti))
        }

        #[inline(always)]
        fn rook(self, from: Square, occupied: Bitboard) -> Bitboard {
            let shift = from as u32 & 56;
            let inner = (occupied.0 >> shift >> 1) as usize & 63;
            let rank = RANKS[from.index() & 7][inner];
            Bitboard(along(from, occupied, LINES_OF[from.index()][0]) | u64::from(rank) << shift)
        }

        #[inline(always)]
        fn call<T: Task>(self, task: T) -> T::Output {
            #[inline(never)]
            fn out_of_line<T: Task>(task: T) -> T::Output {
                task.run(Plain)
            }
            out_of_line(task)
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use plain::Plain;

// ---------------------------------------------------------------------------------------------
// With PEXT: the occupied squares of a piece's lines, edges left out, pressed together, are the
// index of the answer.

#[cfg(target_arch = "x86_64")]
mod pext {
    //! The way by table.

    use super::{Bitboard, Sliders, Square, Task, line_by_line};
    use crate::unchecked::Bmi2;
    use crate::{File, Rank};

    /// Most squares matter to a rook in the corner, to a bishop in the middle.
    const ROOK_WINDOW: usize = 1 << 12;
    const BISHOP_WINDOW: usize = 1 << 9;

    /// All answers one after the other, and room for the last window.
    static ROOKS: [Bitboard; total(true) + ROOK_WINDOW] = answers(true);
    static BISHOPS: [Bitboard; total(false) + BISHOP_WINDOW] = answers(false);

    /// Where a square's answers are. A window has room for every index that six bits fewer or
    /// more could give, so that none needs a check; the next square's answers stand behind.
    struct Lines {
        bishop_mask: u64,
        bishops: &'static [Bitboard; BISHOP_WINDOW],
        rook_mask: u64,
        rooks: &'static [Bitboard; ROOK_WINDOW],
    }

    static LINES: [Lines; 64] = {
        let mut lines = [const { lines(Square::A1) }; 64];
        let mut from = 1;
        while from < 64 {
            lines[from] = self::lines(Square::ALL[from]);
            from += 1;
        }
        lines
    };

    const fn lines(from: Square) -> Lines {
        Lines {
            bishop_mask: mask(from, false),
            bishops: window(&BISHOPS, offset(from, false)),
            rook_mask: mask(from, true),
            rooks: window(&ROOKS, offset(from, true)),
        }
    }

    const fn window<const SIZE: usize>(all: &[Bitboard], offset: usize) -> &[Bitboard; SIZE] {
        match all.split_at(offset).1.first_chunk() {
            Some(window) => window,
            None => panic!("the tables are too short"), // at compile time
        }
    }

    /// The squares whose occupation matters: not the edges that the rays run into.
    const fn mask(from: Square, rook: bool) -> u64 {
        let ranks = Bitboard::rank(Rank::First).0 | Bitboard::rank(Rank::Eighth).0;
        let files = Bitboard::file(File::A).0 | Bitboard::file(File::H).0;
        let own_rank = Bitboard::rank(from.rank()).0;
        let own_file = Bitboard::file(from.file()).0;
        let edges = ranks & !own_rank | files & !own_file;
        line_by_line(from, Bitboard::EMPTY, rook).0 & !edges
    }

    /// How many answers the squares before this one have.
    const fn offset(square: Square, rook: bool) -> usize {
        let mut sum = 0;
        let mut before = 0;
        while before < square as usize {
            sum += 1 << mask(Square::ALL[before], rook).count_ones();
            before += 1;
        }
        sum
    }

    const fn total(rook: bool) -> usize {
        offset(Square::H8, rook) + (1 << mask(Square::H8, rook).count_ones())
    }

    const fn answers<const SIZE: usize>(rook: bool) -> [Bitboard; SIZE] {
        let mut table = [Bitboard::EMPTY; SIZE];
        let (mut from, mut index) = (0, 0);
        while from < 64 {
            let square = Square::ALL[from];
            let mask = mask(square, rook);
            // Walks the subsets of the mask in the order of their PEXT.
            let mut subset = 0u64;
            loop {
                table[index] = line_by_line(square, Bitboard(subset), rook);
                subset = subset.wrapping_sub(mask) & mask;
                index += 1;
                if subset == 0 {
                    break;
                }
            }
            from += 1;
        }
        table
    }

    impl Sliders for Bmi2 {
        #[inline(always)]
        fn bishop(self, from: Square, occupied: Bitboard) -> Bitboard {
            let lines = &LINES[from.index()];
            lines.bishops[self.pext(occupied.0, lines.bishop_mask) as usize % BISHOP_WINDOW]
        }

        #[inline(always)]
        fn rook(self, from: Square, occupied: Bitboard) -> Bitboard {
            let lines = &LINES[from.index()];
            lines.rooks[self.pext(occupied.0, lines.rook_mask) as usize % ROOK_WINDOW]
        }

        #[inline(always)]
        fn call<T: Task>(self, task: T) -> T::Output {
            self.run(task)
        }

        #[inline(always)]
        fn dots<const N: usize>(self, values: &[u8; N], weights: &[[i8; N]; 8]) -> [i32; 8] {
            self.sums_of_products(values, weights)
                .unwrap_or_else(|| crate::processor::plain_dots(values, weights))
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
pub(crate) fn run<T: Task>(task: T) -> T::Output {
    task.run(crate::unchecked::Bmi2::known())
}

/// Runs a task in the fastest way this processor has.
#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
#[inline(always)]
pub(crate) fn run<T: Task>(task: T) -> T::Output {
    match crate::unchecked::Bmi2::detect() {
        Some(sliders) => sliders.call(task),
        None => Plain.call(task),
    }
}

/// Runs a task in the only way other processors have.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn run<T: Task>(task: T) -> T::Output {
    task.run(Plain)
}

/// One lookup for a bishop, outside of any task.
#[inline(always)]
pub(crate) fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    return crate::unchecked::Bmi2::known().bishop(from, occupied);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    Plain.bishop(from, occupied)
}

/// One lookup for a rook, outside of any task.
#[inline(always)]
pub(crate) fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    return crate::unchecked::Bmi2::known().rook(from, occupied);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    Plain.rook(from, occupied)
}

#[cfg(test)]
mod tests {
    use super::plain::Plain;
    use super::*;

    /// Square by square until something stands in the way.
    fn walked(from: Square, occupied: Bitboard, directions: [(i8, i8); 4]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (files, ranks) in directions {
            let mut at = from;
            while let Some(next) = at.offset(files, ranks) {
                attacks |= Bitboard::of(next);
                at = next;
                if occupied.contains(next) {
                    break;
                }
            }
        }
        attacks
    }

    struct Both(Square, Bitboard);

    impl Task for Both {
        type Output = (Bitboard, Bitboard);
        #[inline(always)]
        fn run<S: Sliders>(self, sliders: S) -> (Bitboard, Bitboard) {
            (sliders.bishop(self.0, self.1), sliders.rook(self.0, self.1))
        }
    }

    #[test]
    fn every_way_finds_what_walking_finds() {
        let mut random = 0x1234_5678_9abc_def1u64;
        for round in 0..20_000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            // From crowded to almost empty boards.
            let occupied = Bitboard(match round % 3 {
                0 => random,
                1 => random & random.rotate_left(17),
                _ => random & random.rotate_left(17) & random.rotate_left(31),
            });
            let from = Square::ALL[round % 64];
            let bishop = walked(from, occupied, [(1, 1), (1, -1), (-1, -1), (-1, 1)]);
            let rook = walked(from, occupied, [(0, 1), (1, 0), (0, -1), (-1, 0)]);
            assert_eq!(Plain.call(Both(from, occupied)), (bishop, rook), "plain {from}");
            assert_eq!(run(Both(from, occupied)), (bishop, rook), "this processor's {from}");
            assert_eq!(super::bishop(from, occupied), bishop, "single {from}");
            assert_eq!(super::rook(from, occupied), rook, "single {from}");
        }
    }
}
