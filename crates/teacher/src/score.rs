//! Scores as text, always for White.

use hansu_chess::Color;
use hansu_engine::{MATE, is_mate};

/// A score for White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhiteScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate; negative when Black gives it.
    Mate(i32),
    /// The position is mate.
    Mated,
}

impl WhiteScore {
    pub(crate) fn of(score: i32) -> WhiteScore {
        // A mate in 3 plies and one in 4 are both two moves of the mating side, so the side to move
        // does not matter.
        match MATE - score.abs() {
            0 => WhiteScore::Mated,
            plies if is_mate(score) => WhiteScore::Mate(score.signum() * ((plies + 1) / 2)),
            _ => WhiteScore::Centipawns(score),
        }
    }
}

/// Converts a score for the side to move into one for White.
pub(crate) fn for_white(score: i32, turn: Color) -> i32 {
    if turn == Color::White { score } else { -score }
}

/// A score for White in the form of `[%eval]`: `0.34`, `-1.20`, `#3`, `#-2`; `None` when the
/// position is mate.
///
/// ```
/// assert_eq!(hansu_teacher::format_eval(34).as_deref(), Some("0.34"));
/// assert_eq!(hansu_teacher::format_eval(hansu_engine::MATE - 5).as_deref(), Some("#3"));
/// assert_eq!(hansu_teacher::format_eval(-hansu_engine::MATE), None);
/// ```
pub fn format_eval(score: i32) -> Option<String> {
    match WhiteScore::of(score) {
        WhiteScore::Centipawns(score) => Some(pawns(score)),
        WhiteScore::Mate(moves) => Some(format!("#{moves}")),
        WhiteScore::Mated => None,
    }
}

/// A score for White in the form for readers: `+0.34`, `-1.20`, `#3`, `#`.
///
/// ```
/// assert_eq!(hansu_teacher::format_score(34), "+0.34");
/// assert_eq!(hansu_teacher::format_score(0), "0.00");
/// ```
pub fn format_score(score: i32) -> String {
    match WhiteScore::of(score) {
        WhiteScore::Centipawns(score) if score > 0 => format!("+{}", pawns(score)),
        WhiteScore::Centipawns(score) => pawns(score),
        WhiteScore::Mate(moves) => format!("#{moves}"),
        WhiteScore::Mated => "#".to_owned(),
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
            assert_eq!(
                (format_eval(score).as_deref(), &*format_score(score)),
                (written, read),
                "{score}"
            );
        }
        assert_eq!(for_white(30, Color::Black), -30);
    }
}
