//! chess-move-gen: make and unmake, a hash, its own perft; needs unstable Rust.

use std::hint::black_box;

use chess_move_gen::{MoveVec, Position, legal_moves, perft};

use super::{Perft, Rival, Walk};

pub(crate) const CHESS_MOVE_GEN: Rival = Rival {
    name: "chess-move-gen",
    perft: Some(Perft { bulk, leaves }),
    san: None,
    fen: None,
    pgn: None,
};

fn bulk(fen: &str) -> Walk {
    let mut position = Position::from_fen(fen).expect("the FEN can be read");
    // Single-threaded, without a cache.
    Box::new(move |depth| perft(&mut position, depth as usize, false, 0))
}

fn leaves(fen: &str) -> Walk {
    let mut position = Position::from_fen(fen).expect("the FEN can be read");
    Box::new(move |depth| walk(&mut position, depth))
}

fn walk(position: &mut Position, depth: u32) -> u64 {
    let mut moves = MoveVec::new();
    legal_moves(position, &mut moves);
    let state = position.state().clone();
    let key = position.hash_key();
    let mut count = 0;
    for &m in moves.iter() {
        let captured = position.make(m);
        if depth == 1 {
            black_box(&*position);
            count += 1;
        } else {
            count += walk(position, depth - 1);
        }
        position.unmake(m, captured, &state, key);
    }
    count
}
