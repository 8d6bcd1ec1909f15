//! The file format of games: four bytes a position, one game after another, without a header.
//!
//! A game: `G`, the result (0 Black wins, 1 draw, 2 White wins), the number of random plies at its
//! start, one byte of zero, the number of other plies as u16; then a u16 for each random move
//! (`Move::to_bits`), then for each other ply its move (u16) and its score for the side to move
//! (i16). Everything is little-endian.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use hansu_chess::{Move, Position};

const MARK: u8 = b'G';
const HEAD: usize = 6;

/// A game with a score for every move that was searched.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ScoredGame {
    pub(crate) opening: Vec<u16>,
    pub(crate) plies: Vec<(u16, i16)>,
    /// 0 Black wins, 1 draw, 2 White wins.
    pub(crate) result: u8,
}

impl ScoredGame {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![MARK, self.result, self.opening.len() as u8, 0];
        bytes.extend((self.plies.len() as u16).to_le_bytes());
        for step in &self.opening {
            bytes.extend(step.to_le_bytes());
        }
        for (step, score) in &self.plies {
            bytes.extend(step.to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        bytes
    }

    /// The first game in `bytes` and its length in bytes; `None` when there is no complete one.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<(ScoredGame, usize)> {
        let head = bytes.get(..HEAD)?;
        if head[0] != MARK || head[1] > 2 || head[3] != 0 {
            return None;
        }
        let (random, plies) =
            (usize::from(head[2]), usize::from(u16::from_le_bytes([head[4], head[5]])));
        let len = HEAD + 2 * random + 4 * plies;
        let (first, rest) = bytes.get(HEAD..len)?.split_at(2 * random);
        let pair = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]);
        let game = ScoredGame {
            opening: first.chunks_exact(2).map(pair).collect(),
            plies: rest.chunks_exact(4).map(|four| (pair(four), pair(&four[2..]) as i16)).collect(),
            result: head[1],
        };
        Some((game, len))
    }

    /// Replays the game and calls `each` for every searched position with its ply, its move and its
    /// score. Returns false if a move is not legal.
    pub(crate) fn replay(&self, mut each: impl FnMut(usize, &Position, Move, i16)) -> bool {
        let mut position = Position::start();
        for &bits in &self.opening {
            let Some(step) = position.move_from_bits(bits) else {
                return false;
            };
            position = position.play(step);
        }
        for (ply, &(bits, score)) in self.plies.iter().enumerate() {
            let Some(step) = position.move_from_bits(bits) else {
                return false;
            };
            each(self.opening.len() + ply, &position, step, score);
            position = position.play(step);
        }
        true
    }
}

/// All games in `bytes`, up to the first incomplete one.
pub(crate) fn read_all(bytes: &[u8]) -> impl Iterator<Item = ScoredGame> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (game, len) = ScoredGame::from_bytes(&bytes[at..])?;
        at += len;
        Some(game)
    })
}

/// Opens a file for appending; an incomplete game at its end (from a crash) is cut off.
pub(crate) fn open_for_append(path: &Path) -> std::io::Result<File> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let whole: usize = read_all(&bytes).map(|game| game.to_bytes().len()).sum();
    if whole < bytes.len() {
        file.set_len(whole as u64)?;
    }
    file.seek(SeekFrom::End(0))?;
    file.flush()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_back_and_a_broken_end_does_no_harm() {
        let step = |from: u16, to: u16| from | to << 6;
        let game = ScoredGame {
            opening: vec![step(12, 28), step(52, 36)],
            plies: vec![(step(6, 21), 31), (step(57, 42), -30)],
            result: 2,
        };
        let mut bytes = [game.to_bytes(), game.to_bytes()].concat();
        assert_eq!(read_all(&bytes).collect::<Vec<_>>(), [game.clone(), game.clone()]);
        let mut seen = Vec::new();
        assert!(game.replay(|ply, _, _, score| seen.push((ply, score))));
        assert_eq!(seen, [(2, 31), (3, -30)]);
        bytes.pop();
        assert_eq!(read_all(&bytes).count(), 1);
        let path = std::env::temp_dir().join(format!("hansu-games-{}", std::process::id()));
        std::fs::write(&path, &bytes).expect("a file");
        drop(open_for_append(&path).expect("a file"));
        assert_eq!(std::fs::read(&path).expect("a file"), game.to_bytes());
        std::fs::remove_file(&path).expect("a file");
    }
}
