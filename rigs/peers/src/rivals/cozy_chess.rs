//! cozy-chess: moves as target sets, a hash, Chess960; with `native`, PEXT.

use std::fmt::Write;
use std::hint::black_box;

use cozy_chess::Board;

use super::{Notation, Perft, Rival, Walk};
use crate::games::Sample;
use crate::race::Job;

pub(crate) const COZY_CHESS: Rival = Rival {
    name: "cozy-chess",
    perft: Some(Perft { bulk, leaves }),
    san: None,
    fen: Some(Notation { read: read_fen, read_strictly: None, write: write_fen }),
    pgn: None,
};

fn board(fen: &str) -> Board {
    Board::from_fen(fen, false).expect("the FEN can be read")
}

fn bulk(fen: &str) -> Walk {
    let board = board(fen);
    Box::new(move |depth| walk_bulk(&board, depth))
}

fn walk_bulk(board: &Board, depth: u32) -> u64 {
    let mut count = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            count += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for m in moves {
                let mut child = board.clone();
                child.play_unchecked(m);
                count += walk_bulk(&child, depth - 1);
            }
            false
        });
    }
    count
}

fn leaves(fen: &str) -> Walk {
    let board = board(fen);
    Box::new(move |depth| walk(&board, depth))
}

fn walk(board: &Board, depth: u32) -> u64 {
    let mut count = 0;
    board.generate_moves(|moves| {
        for m in moves {
            let mut child = board.clone();
            child.play_unchecked(m);
            if depth == 1 {
                black_box(&child);
                count += 1;
            } else {
                count += walk(&child, depth - 1);
            }
        }
        false
    });
    count
}

fn read_fen(samples: &[Sample]) -> Job {
    let texts: Vec<String> = samples.iter().map(|sample| sample.fen.clone()).collect();
    Box::new(move |output| {
        for text in &texts {
            black_box(&board(text));
        }
        output.numbers.push(texts.len() as u64);
    })
}

fn write_fen(samples: &[Sample]) -> Job {
    let boards: Vec<Board> = samples.iter().map(|sample| board(&sample.fen)).collect();
    Box::new(move |output| {
        for board in &boards {
            writeln!(output.text, "{board}").expect("a string takes everything");
        }
    })
}
