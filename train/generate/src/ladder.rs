//! The ladder of levels: each against the next, and how people would see them err.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use hansu_chess::{Move, Position};

use crate::arena;
use crate::arguments::Arguments;

/// A capture that wins this much at once is a piece lost for nothing.
const PIECE: i32 = 250;

/// What one level has done, over all games of this process.
#[derive(Default)]
struct Deeds {
    moves: u64,
    /// Moves after which a piece can be taken for nothing that could not be taken before.
    pieces_lost: u64,
    mates_in_one: u64,
    mates_missed: u64,
}

static DEEDS: Mutex<BTreeMap<String, Deeds>> = Mutex::new(BTreeMap::new());

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
pub(crate) fn note(name: &str, position: &Position, step: Move) {
    let mate = position.legal_moves().into_iter().any(|step| mates(position, step));
    // What hung before the move, and what the move itself takes, does not count.
    let loses = !mate
        && !position.is_check()
        && !hangs(&position.pass())
        && !position.is_capture(step)
        && hangs(&position.play(step));
    let mut deeds = DEEDS.lock().unwrap_or_else(PoisonError::into_inner);
    let deeds = deeds.entry(name.to_owned()).or_default();
    deeds.moves += 1;
    deeds.pieces_lost += u64::from(loses);
    deeds.mates_in_one += u64::from(mate);
    deeds.mates_missed += u64::from(mate && !mates(position, step));
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let first: u8 = arguments.number("from", 1)?;
    let last: u8 = arguments.number("to", 10)?;
    let mut players: Vec<String> = arguments.plain.clone();
    if players.is_empty() {
        players = (first..=last).map(|level| format!("level:{level}")).collect();
    }
    for pair in players.windows(2) {
        println!("{} against {}", pair[0], pair[1]);
        arena::play_match(&pair[0], &pair[1], arguments)?;
    }
    tell();
    Ok(())
}

/// What the levels of this process have done.
pub(crate) fn tell() {
    for (name, deeds) in DEEDS.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        println!(
            "{name}: {} moves, {:.2} pieces lost for nothing in 100 moves, mates in one missed {} of {}",
            deeds.moves,
            100.0 * deeds.pieces_lost as f64 / deeds.moves.max(1) as f64,
            deeds.mates_missed,
            deeds.mates_in_one
        );
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
