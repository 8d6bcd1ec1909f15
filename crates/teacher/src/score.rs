//! Scores as people and programs write them, always for White.

use hansu_chess::Color;
use hansu_engine::{MATE, is_mate};

/// What a score for White means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ForWhite {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to a mate, negative for Black's.
    Mate(i32),
    /// The mate stands on the board.
    Mated,
}

impl ForWhite {
    pub(crate) fn of(score: i32) -> ForWhite {
        // With either side to move: a mate in 3 plies and one in 4 are both two moves of the side
        // that gives it.
        match MATE - score.abs() {
            0 => ForWhite::Mated,
            plies if is_mate(score) => ForWhite::Mate(score.signum() * ((plies + 1) / 2)),
            _ => ForWhite::Centipawns(score),
        }
    }
}

/// A score of the side to move as White's.
pub(crate) fn for_white(score: i32, turn: Color) -> i32 {
    if turn == Color::White { score } else { -score }
}

/// A score for White as `[%eval]` has it: `0.34`, `-1.20`, `#3`, `#-2`; nothing when the mate stands
/// on the board.
///
/// ```
/// assert_eq!(hansu_teacher::eval(34).as_deref(), Some("0.34"));
/// assert_eq!(hansu_teacher::eval(hansu_engine::MATE - 5).as_deref(), Some("#3"));
/// assert_eq!(hansu_teacher::eval(-hansu_engine::MATE), None);
/// ```
pub fn eval(score: i32) -> Option<String> {
    match ForWhite::of(score) {
        ForWhite::Centipawns(score) => Some(pawns(score)),
        ForWhite::Mate(moves) => Some(format!("#{moves}")),
        ForWhite::Mated => None,
    }
}

/// A score for White as people read it: `+0.34`, `-1.20`, `#3`, `#`.
///
/// ```
/// assert_eq!(hansu_teacher::shown(34), "+0.34");
/// assert_eq!(hansu_teacher::shown(0), "0.00");
/// ```
pub fn shown(score: i32) -> String {
    match ForWhite::of(score) {
        ForWhite::Centipawns(score) if score > 0 => format!("+{}", pawns(score)),
        ForWhite::Centipawns(score) => pawns(score),
        ForWhite::Mate(moves) => format!("#{moves}"),
        ForWhite::Mated => "#".to_owned(),
    }
}

fn pawns(score: i32) -> String {
    let sign = if score < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", score.abs() / 100, score.abs() % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_for_white() {
        for (score, written, read) in [
            (5, Some("0.05"), "+0.05"),
            (-5, Some("-0.05"), "-0.05"),
            (-1234, Some("-12.34"), "-12.34"),
            (MATE - 1, Some("#1"), "#1"),
            (-MATE + 1, Some("#-1"), "#-1"),
            (-MATE + 2, Some("#-1"), "#-1"),
            (MATE - 4, Some("#2"), "#2"),
            (MATE, None, "#"),
            (-MATE, None, "#"),
        ] {
            assert_eq!((eval(score).as_deref(), &*shown(score)), (written, read), "{score}");
        }
        assert_eq!(for_white(30, Color::Black), -30);
    }
}
