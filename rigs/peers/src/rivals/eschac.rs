//! eschac: standard chess only, five bitboards, no hash, its own perft.

use std::fmt::Write;
use std::hint::black_box;

use eschac::prelude::{Move, Position, San, Setup};

use super::{Notation, Perft, Rival, Walk, squares};
use crate::games::Sample;
use crate::race::Job;

pub(crate) const ESCHAC: Rival = Rival {
    name: "eschac",
    perft: Some(Perft { bulk, leaves }),
    san: Some(Notation { read: read_san, read_strictly: None, write: write_san }),
    // Its text records have no counters, so this would be a different task.
    fen: None,
    pgn: None,
};

fn position(fen: &str) -> Position {
    let record: Vec<&str> = fen.split(' ').take(4).collect();
    Setup::from_text_record(&record.join(" "))
        .expect("the record can be read")
        .into_position()
        .expect("the position is legal")
}

fn bulk(fen: &str) -> Walk {
    let position = position(fen);
    Box::new(move |depth| position.perft(depth as usize) as u64)
}

fn leaves(fen: &str) -> Walk {
    let position = position(fen);
    Box::new(move |depth| {
        let mut count = 0;
        walk(&position, depth, &mut count);
        count
    })
}

fn walk(position: &Position, depth: u32, count: &mut u64) {
    if depth == 1 {
        position.for_each_move(|m| {
            black_box(&m.make());
            *count += 1;
        });
    } else {
        position.for_each_move(|m| walk(&m.make(), depth - 1, count));
    }
}

fn read_san(samples: &[Sample]) -> Job {
    let tasks: Vec<(Position, String)> =
        samples.iter().map(|sample| (position(&sample.fen), sample.san.clone())).collect();
    Box::new(move |output| {
        for (position, text) in &tasks {
            let m = San::from_ascii(text.as_bytes())
                .expect("samples are well formed")
                .to_move(position)
                .expect("samples are legal");
            output.numbers.push(squares(m.from().index(), m.to().index()));
        }
    })
}

fn write_san(samples: &[Sample]) -> Job {
    // A move borrows its position, so the positions are leaked; they are needed until the end
    // anyway.
    let tasks: Vec<Move<'static>> = samples
        .iter()
        .map(|sample| {
            let position: &'static Position = Box::leak(Box::new(position(&sample.fen)));
            San::from_ascii(sample.san.as_bytes())
                .expect("samples are well formed")
                .to_move(position)
                .expect("samples are legal")
        })
        .collect();
    Box::new(move |output| {
        for m in &tasks {
            writeln!(output.text, "{}", m.to_san()).expect("a string takes everything");
        }
    })
}
