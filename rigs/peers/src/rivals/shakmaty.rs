//! shakmaty: variants, Chess960, move lists on the stack, its own perft.

use std::hint::black_box;

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, perft};

use super::{Notation, Perft, Rival, Walk, squares};
use crate::games::Sample;
use crate::race::Job;

pub(crate) const SHAKMATY: Rival = Rival {
    name: "shakmaty",
    perft: Some(Perft { bulk, leaves }),
    san: Some(Notation { read: read_san, read_strictly: None, write: write_san }),
    fen: Some(Notation { read: read_fen, read_strictly: None, write: write_fen }),
    pgn: None,
};

fn position(fen: &str) -> Chess {
    Fen::from_ascii(fen.as_bytes())
        .expect("the FEN can be read")
        .into_position(CastlingMode::Standard)
        .expect("the position is legal")
}

fn bulk(fen: &str) -> Walk {
    let position = position(fen);
    Box::new(move |depth| perft(&position, depth))
}

fn leaves(fen: &str) -> Walk {
    let position = position(fen);
    Box::new(move |depth| walk(&position, depth))
}

fn walk(position: &Chess, depth: u32) -> u64 {
    let mut count = 0;
    for &m in &position.legal_moves() {
        let mut child = position.clone();
        child.play_unchecked(m);
        if depth == 1 {
            black_box(&child);
            count += 1;
        } else {
            count += walk(&child, depth - 1);
        }
    }
    count
}

fn read(position: &Chess, san: &str) -> Move {
    San::from_ascii(san.as_bytes())
        .expect("samples are well formed")
        .to_move(position)
        .expect("samples are legal")
}

fn read_san(samples: &[Sample]) -> Job {
    let tasks: Vec<(Chess, String)> =
        samples.iter().map(|sample| (position(&sample.fen), sample.san.clone())).collect();
    Box::new(move |output| {
        for (position, text) in &tasks {
            output.numbers.push(match read(position, text) {
                // shakmaty encodes castling as the king taking its rook.
                Move::Castle { king, rook } if rook > king => squares(king, king as u8 + 2),
                Move::Castle { king, .. } => squares(king, king as u8 - 2),
                m => squares(m.from().expect("nothing is dropped in chess"), m.to()),
            });
        }
    })
}

fn write_san(samples: &[Sample]) -> Job {
    let tasks: Vec<(Chess, Move)> = samples
        .iter()
        .map(|sample| {
            let position = position(&sample.fen);
            let m = read(&position, &sample.san);
            (position, m)
        })
        .collect();
    Box::new(move |output| {
        for (position, m) in &tasks {
            SanPlus::from_move(position.clone(), *m).append_to_string(&mut output.text);
            output.text.push('\n');
        }
    })
}

fn read_fen(samples: &[Sample]) -> Job {
    let texts: Vec<String> = samples.iter().map(|sample| sample.fen.clone()).collect();
    Box::new(move |output| {
        for text in &texts {
            black_box(&position(text));
        }
        output.numbers.push(texts.len() as u64);
    })
}

fn write_fen(samples: &[Sample]) -> Job {
    let positions: Vec<Chess> = samples.iter().map(|sample| position(&sample.fen)).collect();
    Box::new(move |output| {
        for position in &positions {
            Fen::from_position(position, EnPassantMode::Legal).append_to_string(&mut output.text);
            output.text.push('\n');
        }
    })
}
