//! The ladder of levels: matches of each against the next, and statistics of their mistakes.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use hansu_arena::{OPENING_PLIES, PlayedGame};
use hansu_chess::{Move, Position};
use hansu_engine::{Engine, Signals, analyse};

use crate::arena;
use crate::arguments::Arguments;

/// Accuracy is measured while the mover's win chance is between these: in a game that is decided,
/// every move keeps all that is left.
const OPEN: std::ops::RangeInclusive<f64> = 0.1..=0.9;

/// A capture that wins this much by exchanges takes a piece for nothing (hundredths of a pawn).
const PIECE: i32 = 250;

/// Statistics of one level, over all games of this process.
#[derive(Default)]
struct LevelStats {
    moves: u64,
    /// Moves after which a piece can be taken for nothing that could not be taken before.
    pieces_lost: u64,
    mates_in_one: u64,
    mates_missed: u64,
    /// The share of the win chance that its moves kept, summed up, and the number of moves: in the
    /// opening, the middlegame and the endgame.
    kept: [(f64, u64); 3],
}

static STATS: Mutex<BTreeMap<String, LevelStats>> = Mutex::new(BTreeMap::new());

/// True if the side to move can win a piece by a capture.
fn hangs(position: &Position) -> bool {
    let moves = position.legal_moves();
    moves.into_iter().any(|step| position.is_capture(step) && position.see_at_least(step, PIECE))
}

fn is_mate(position: &Position, step: Move) -> bool {
    let next = position.play(step);
    next.is_check() && !next.has_moves()
}

/// Adds the moves that levels chose in a game to their statistics.
pub(crate) fn add_game(players: [&str; 2], game: &PlayedGame<'_>) {
    let mut position = Position::start();
    for (ply, &step) in game.moves.iter().enumerate() {
        let name = players[game.player(position.turn())];
        if ply >= OPENING_PLIES && (name.starts_with("level:") || name.starts_with("strength:")) {
            add_move(name, &position, step);
        }
        position = position.play(step);
    }
}

/// Adds a move to the statistics of a level.
fn add_move(name: &str, position: &Position, step: Move) {
    let mate = position.legal_moves().into_iter().any(|step| is_mate(position, step));
    // What hung before the move, and what the move itself takes, does not count.
    let loses = !mate
        && !position.is_check()
        && !hangs(&position.pass())
        && !position.is_capture(step)
        && hangs(&position.play(step));
    let mut stats = STATS.lock().unwrap_or_else(PoisonError::into_inner);
    let stats = stats.entry(name.to_owned()).or_default();
    stats.moves += 1;
    stats.pieces_lost += u64::from(loses);
    stats.mates_in_one += u64::from(mate);
    stats.mates_missed += u64::from(mate && !is_mate(position, step));
}

/// Analyses a game as the teacher does and adds the accuracy of both levels to their statistics,
/// from the first move that the players chose themselves.
pub(crate) fn add_review(
    players: [&str; 2],
    played: &PlayedGame<'_>,
    judge: &mut Engine,
    nodes: u64,
) {
    let start = Position::start();
    let game = analyse(judge, &start, played.moves, nodes, &Signals::default(), &mut |_, _| ());
    let mut stats = STATS.lock().unwrap_or_else(PoisonError::into_inner);
    let open = game.plies.iter().skip(OPENING_PLIES).filter(|ply| OPEN.contains(&ply.chances[0]));
    for ply in open {
        if let Some(stats) = stats.get_mut(players[played.player(ply.mover)]) {
            let (kept, count) = &mut stats.kept[ply.phase as usize];
            *kept += 1.0 - ply.lost();
            *count += 1;
        }
    }
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
    print_stats();
    Ok(())
}

/// Prints the statistics of all levels of this process.
pub(crate) fn print_stats() {
    for (name, stats) in STATS.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        println!(
            "{name}: {} moves, {:.2} pieces lost for nothing in 100 moves, mates in one missed {} of {}",
            stats.moves,
            100.0 * stats.pieces_lost as f64 / stats.moves.max(1) as f64,
            stats.mates_missed,
            stats.mates_in_one
        );
        let phases = ["opening", "middlegame", "endgame"].into_iter().zip(stats.kept);
        let known = phases.filter(|(_, (_, count))| *count > 0);
        let accuracies: Vec<String> = known
            .map(|(phase, (kept, count))| {
                format!("{phase} {:.1} ({count} moves)", 100.0 * kept / count as f64)
            })
            .collect();
        if !accuracies.is_empty() {
            println!("{name}: accuracy in percent: {}", accuracies.join(", "));
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
