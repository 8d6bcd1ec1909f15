//! Zobrist hashing: random numbers that make up the key of a position.

use crate::{Bitboard, Color, File, Piece, Square};

/// A named generator (SplitMix64, Steele, Lea and Flood 2014), so that keys never change.
const fn next(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    /// By the square of the rook with which castling is allowed.
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static KEYS: Keys = {
    let mut keys =
        Keys { pieces: [[[0; 64]; 6]; 2], castling: [0; 64], en_passant: [0; 8], black_to_move: 0 };
    // "hansu" in ASCII: any fixed number would do.
    let mut state = 0x68_616e_7375;
    let mut i = 0;
    while i < 64 {
        let mut role = 0;
        while role < 6 {
            (state, keys.pieces[0][role][i]) = next(state);
            (state, keys.pieces[1][role][i]) = next(state);
            role += 1;
        }
        (state, keys.castling[i]) = next(state);
        if i < 8 {
            (state, keys.en_passant[i]) = next(state);
        }
        i += 1;
    }
    (_, keys.black_to_move) = next(state);
    keys
};

#[inline(always)]
pub(crate) fn piece(piece: Piece, at: Square) -> u64 {
    KEYS.pieces[piece.color as usize][piece.role as usize][at.index()]
}

/// The key of a set of rooks with which castling is allowed.
#[inline(always)]
pub(crate) fn castling(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ KEYS.castling[rook.index()])
}

#[inline(always)]
pub(crate) fn en_passant(file: File) -> u64 {
    KEYS.en_passant[file as usize]
}

#[inline(always)]
pub(crate) fn turn(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => KEYS.black_to_move,
    }
}

/// What changes in every move: the turn.
#[inline(always)]
pub(crate) fn turn_over() -> u64 {
    KEYS.black_to_move
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of SplitMix64 from the state 0, as its authors' reference code gives them.
    #[test]
    fn the_generator_is_the_one_it_is_named_after() {
        let mut state = 0;
        let numbers: [u64; 5] = std::array::from_fn(|_| {
            let number;
            (state, number) = next(state);
            number
        });
        assert_eq!(
            numbers,
            [
                0xe220_a839_7b1d_cdaf,
                0x6e78_9e6a_a1b9_65f4,
                0x06c4_5d18_8009_454f,
                0xf88b_b8a8_724c_81ec,
                0x1b39_896a_51a8_749b,
            ]
        );
    }

    #[test]
    fn every_part_of_a_position_has_a_number_of_its_own() {
        let mut numbers: Vec<u64> = KEYS.pieces.as_flattened().as_flattened().to_vec();
        numbers.extend(KEYS.castling);
        numbers.extend(KEYS.en_passant);
        numbers.push(KEYS.black_to_move);
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!((all, numbers.len()), (841, 841));
        assert!(!numbers.contains(&0));
    }
}
