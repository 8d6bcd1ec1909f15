//! The ways out of a check, for the sentence about a move that leaves the king in check.

use hansu_chess::{Position, Square, attacks};

/// The ways out of a check, as far as the checking pieces decide them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Evasions {
    /// Two pieces give check.
    King,
    /// The checking piece is adjacent, or does not move along a line.
    KingOrCapture,
    /// There are squares between the king and the checking piece.
    KingCaptureOrBlock,
}

impl Evasions {
    pub(crate) fn from_check(position: &Position, king: Square) -> Evasions {
        let checkers = position.checkers();
        let far = |at| !attacks::between(king, at).is_empty();
        if checkers.is_several() {
            Evasions::King
        } else if checkers.first().is_some_and(far) {
            Evasions::KingCaptureOrBlock
        } else {
            Evasions::KingOrCapture
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checking_pieces_decide_what_helps() {
        let cases = [
            ("4r1k1/8/8/8/8/8/8/4K3 w - - 0 1", Evasions::KingCaptureOrBlock),
            ("6k1/8/8/8/8/8/4r3/4K3 w - - 0 1", Evasions::KingOrCapture),
            ("6k1/8/8/8/8/3n4/8/4K3 w - - 0 1", Evasions::KingOrCapture),
            ("4r1k1/8/8/8/8/3n4/8/4K3 w - - 0 1", Evasions::King),
        ];
        for (fen, expected) in cases {
            let position: Position = fen.parse().expect(fen);
            assert_eq!(Evasions::from_check(&position, Square::E1), expected, "{fen}");
        }
    }
}
