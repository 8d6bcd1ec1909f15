//! The ladder of levels: each against the next, and how people would see them err.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use hansu_chess::{Move, Position};
use hansu_engine::Level;

use crate::arena;
use crate::arguments::Arguments;

/// A capture that wins this much at once is a piece lost for nothing.
const PIECE: i32 = 250;

/// What one level has done, over all games of this process.
#[derive(Default)]
struct Deeds {
    moves: AtomicU64,
    /// Moves after which a piece can be taken for nothing that could not be taken before.
    pieces_lost: AtomicU64,
    mates_in_one: AtomicU64,
    mates_missed: AtomicU64,
}

static DEEDS: [Deeds; 10] = [const {
    Deeds {
        moves: AtomicU64::new(0),
        pieces_lost: AtomicU64::new(0),
        mates_in_one: AtomicU64::new(0),
        mates_missed: AtomicU64::new(0),
    }
}; 10];

/// Whether the side to move can win a piece by a capture now.
fn hangs(position: &Position) -> bool {
    let moves = position.legal_moves();
    moves.into_iter().any(|step| position.is_capture(step) && position.see_at_least(step, PIECE))
}

fn mates(position: &Position, step: Move) -> bool {
    let next = position.play(step);
    next.is_check() && !next.has_moves()
}

/// Writes down what a level has done.
pub(crate) fn note(level: Level, position: &Position, step: Move) {
    let deeds = &DEEDS[usize::from(level.number()) - 1];
    deeds.moves.fetch_add(1, Relaxed);
    if position.legal_moves().into_iter().any(|step| mates(position, step)) {
        deeds.mates_in_one.fetch_add(1, Relaxed);
        if !mates(position, step) {
            deeds.mates_missed.fetch_add(1, Relaxed);
        }
        return;
    }
    // What hung before the move, and what the move itself takes, does not count.
    let hung = position.is_check() || hangs(&position.pass());
    if !hung && !position.is_capture(step) && hangs(&position.play(step)) {
        deeds.pieces_lost.fetch_add(1, Relaxed);
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let first: u8 = arguments.number("from", 1)?;
    let last: u8 = arguments.number("to", 10)?;
    for level in first..last {
        println!("level {level} against level {}", level + 1);
        arena::play_match(&format!("level:{level}"), &format!("level:{}", level + 1), arguments)?;
    }
    tell();
    Ok(())
}

/// What the levels of this process have done.
pub(crate) fn tell() {
    for (deeds, level) in DEEDS.iter().zip(1..) {
        let moves = deeds.moves.load(Relaxed);
        if moves > 0 {
            println!(
                "level {level}: {moves} moves, {:.2} pieces lost for nothing in 100 moves, mates \
                 in one missed {} of {}",
                100.0 * deeds.pieces_lost.load(Relaxed) as f64 / moves as f64,
                deeds.mates_missed.load(Relaxed),
                deeds.mates_in_one.load(Relaxed)
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_can_be_taken_for_nothing_hangs() {
        let position: Position = "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1".parse().expect("sound");
        assert!(hangs(&position));
        let guarded: Position = "4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1".parse().expect("sound");
        assert!(!hangs(&guarded));
    }
}
