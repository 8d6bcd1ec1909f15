//! chess: copy-make, a hash, its own perft.

use std::hint::black_box;
use std::str::FromStr;

use chess::{Board, MoveGen};

use super::{Perft, Rival, Walk};

pub(crate) const CHESS: Rival =
    Rival { name: "chess", perft: Some(Perft { bulk, leaves }), san: None, fen: None, pgn: None };

fn bulk(fen: &str) -> Walk {
    let board = Board::from_str(fen).expect("the FEN can be read");
    Box::new(move |depth| MoveGen::movegen_perft_test(&board, depth as usize) as u64)
}

fn leaves(fen: &str) -> Walk {
    let board = Board::from_str(fen).expect("the FEN can be read");
    Box::new(move |depth| walk(&board, depth))
}

fn walk(board: &Board, depth: u32) -> u64 {
    let mut count = 0;
    for m in MoveGen::new_legal(board) {
        let child = board.make_move_new(m);
        if depth == 1 {
            black_box(&child);
            count += 1;
        } else {
            count += walk(&child, depth - 1);
        }
    }
    count
}
