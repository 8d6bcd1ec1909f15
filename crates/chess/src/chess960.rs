//! The 960 starts of Chess960.

use crate::{Position, Variant};

impl Position {
    /// The start with this number, from 0 to 959, in the usual numbering (Scharnagl's: bishops
    /// first, then the queen, then the knights; 518 is the start of standard chess).
    ///
    /// ```
    /// use hansu_chess::Position;
    /// assert_eq!(Position::chess960(518), Some(Position::start()));
    /// let first = Position::chess960(0).unwrap();
    /// assert!(first.fen().starts_with("bbqnnrkr/"));
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Position> {
        if number >= 960 {
            return None;
        }
        let mut rank = [b' '; 8];
        let (rest, light) = (number / 4, usize::from(number % 4));
        let (rest, dark) = (rest / 4, usize::from(rest % 4));
        rank[2 * light + 1] = b'b';
        rank[2 * dark] = b'b';
        put(&mut rank, usize::from(rest % 6), b'q');
        // The ten ways to put two knights on five places.
        let (first, second) =
            [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
                [usize::from(rest / 6)];
        // The later one first, so that the place of the earlier one still counts.
        put(&mut rank, second, b'n');
        put(&mut rank, first, b'n');
        for piece in *b"rkr" {
            put(&mut rank, 0, piece);
        }
        let black = String::from_utf8_lossy(&rank).into_owned();
        let white = black.to_ascii_uppercase();
        let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
        Position::from_fen(&fen, Variant::Chess960).ok()
    }
}

/// Puts a piece on the free place with this number.
fn put(rank: &mut [u8; 8], place: usize, piece: u8) {
    if let Some(free) = rank.iter_mut().filter(|square| **square == b' ').nth(place) {
        *free = piece;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_starts_are_different_and_sound() {
        let mut seen = HashSet::new();
        for number in 0..960 {
            let position = Position::chess960(number).expect("a start");
            let fen = position.fen();
            let rank = &fen[..8];
            let at = |piece: char| rank.find(piece).expect("a piece");
            let last = |piece: char| rank.rfind(piece).expect("a piece");
            assert!(at('r') < at('k') && at('k') < last('r'), "{fen}");
            assert_ne!(at('b') % 2, last('b') % 2, "{fen}");
            assert_eq!(rank.matches('n').count(), 2, "{fen}");
            assert!(seen.insert(fen));
        }
        assert_eq!(seen.len(), 960);
        // 0, 518 and 959 as in the published table.
        assert!(Position::chess960(959).is_some_and(|p| p.fen().starts_with("rkrnnqbb/")));
    }
}
