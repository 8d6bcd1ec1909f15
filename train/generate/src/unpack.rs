//! Games into records for the trainer: 36 bytes each, so that numpy can map the file.
//!
//! Seen from the side to move, White's way up: 32 bytes with two squares each (a1 in the low half
//! of the first; 0 nothing, 1 to 6 our pawn to king, 7 to 12 theirs), the score as i16, the result
//! (0 lost, 1 drawn, 2 won), the number of pieces.

use std::io::{BufWriter, Write};

use hansu_chess::{Color, Move, Position};

use crate::arguments::Arguments;
use crate::games::{self, ScoredGame};

/// Size of a record in bytes.
pub(crate) const RECORD: usize = 36;

/// The first plies of a game (random ones included) that make no records.
const FIRST_PLIES: usize = 10;

/// Positions with a larger score make no records: they are decided.
const MOST_SCORE: i16 = 10_000;

/// True if a position is useful for training: it is quiet, and its score is not a mate.
fn is_wanted(ply: usize, position: &Position, step: Move, score: i16) -> bool {
    ply >= FIRST_PLIES
        && score.unsigned_abs() <= MOST_SCORE.unsigned_abs()
        && !position.is_check()
        && !position.is_capture(step)
}

/// The record of a position, as the trainer reads it.
pub(crate) fn record(position: &Position, score: i16, result: u8) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    let us = position.turn();
    let flip = if us == Color::Black { 56 } else { 0 };
    for (square, piece) in position.board().pieces() {
        let at = square.index() ^ flip;
        let code = 1 + piece.role as u8 + if piece.color == us { 0 } else { 6 };
        record[at / 2] |= code << (4 * (at % 2));
    }
    record[32..34].copy_from_slice(&score.to_le_bytes());
    record[34] = if us == Color::White { result } else { 2 - result };
    record[35] = position.board().occupied().len() as u8;
    record
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|why| format!("{path}: {why}"))
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let out = arguments.text("out").ok_or("--out FILE is missing")?;
    let file = std::fs::File::create(out).map_err(|why| format!("{out}: {why}"))?;
    let mut writer = BufWriter::with_capacity(1 << 20, file);
    let (mut games, mut positions, mut records) = (0u64, 0u64, 0u64);
    for path in &arguments.plain {
        let bytes = read(path)?;
        for game in games::read_all(&bytes) {
            games += 1;
            let mut buffer = Vec::with_capacity(game.plies.len() * RECORD);
            let is_legal = game.replay(|ply, position, step, score| {
                positions += 1;
                if is_wanted(ply, position, step, score) {
                    buffer.extend_from_slice(&record(position, score, game.result));
                }
            });
            if !is_legal {
                return Err(format!("{path}: game {games} has an illegal move"));
            }
            records += (buffer.len() / RECORD) as u64;
            writer.write_all(&buffer).map_err(|why| format!("{out}: {why}"))?;
        }
    }
    writer.flush().map_err(|why| format!("{out}: {why}"))?;
    eprintln!("{games} games, {positions} positions, {records} records");
    Ok(())
}

pub(crate) fn count(arguments: &Arguments) -> Result<(), String> {
    for path in &arguments.plain {
        let bytes = read(path)?;
        let (mut games, mut positions) = (0u64, 0u64);
        for ScoredGame { plies, .. } in games::read_all(&bytes) {
            games += 1;
            positions += plies.len() as u64;
        }
        println!("{path}: {games} games, {positions} positions, {} bytes", bytes.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_the_start_alike() {
        let start = Position::start();
        let white = record(&start, 20, 2);
        let black = record(&start.pass(), 20, 0);
        assert_eq!(white, black);
        // a1 and b1: our rook and knight; a8 and b8: theirs.
        assert_eq!((white[0], white[28], white[34], white[35]), (4 | 2 << 4, 10 | 8 << 4, 2, 32));
    }
}
