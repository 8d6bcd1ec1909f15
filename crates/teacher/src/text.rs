//! A study as text, for the log: a version, then one line for each position, the last one first,
//! with the score for the side to move and the best line in UCI notation. Judgements, sentences and
//! accuracy are not stored: they are derived from it.

use std::fmt::Write as _;

use hansu_chess::{Position, UciMove, Variant};
use hansu_engine::{Finding, MATE, Study};

/// The first line of the text. Scores of mates count from [`MATE`]: a change of that constant needs
/// a new version.
const VERSION: &str = "1";
const _: () = assert!(MATE == 32_000);

/// At most this many moves of a line are stored.
pub const KEPT_LINE: usize = 10;

/// The findings of a study as text.
pub fn to_text(study: &Study, variant: Variant) -> String {
    let mut text = VERSION.to_owned();
    for finding in study.findings() {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n{}", finding.score);
        for step in finding.line.iter().take(KEPT_LINE) {
            let _ = write!(text, " {}", step.uci(variant));
        }
    }
    text
}

/// Resumes a study from its text. Findings are taken up to the first line that cannot be read or
/// does not fit the game; the rest has to be searched again.
pub fn restore(study: &mut Study, text: &str) {
    let mut lines = text.lines();
    if lines.next() != Some(VERSION) {
        return;
    }
    let findings = study.positions().iter().rev().zip(lines);
    let findings: Vec<Finding> =
        findings.map_while(|(position, line)| parse_line(position, line)).collect();
    study.resume(findings);
}

fn parse_line(position: &Position, line: &str) -> Option<Finding> {
    let mut words = line.split(' ');
    let score: i32 = words.next()?.parse().ok().filter(|score: &i32| score.abs() <= MATE)?;
    let mut here = *position;
    let mut line = Vec::new();
    for word in words {
        let step = word.parse::<UciMove>().ok()?.to_move(&here).ok()?;
        line.push(step);
        here = here.play(step);
    }
    // A position with legal moves has a best one, unless it is dead.
    let fits = !line.is_empty() || !position.has_moves() || position.is_dead();
    fits.then_some(Finding { score, line })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{analyse, fools_mate};

    #[test]
    fn what_is_kept_is_read_back() {
        let (start, moves) = fools_mate();
        let study = analyse(&start, &moves, 2_000);
        let text = to_text(&study, Variant::Standard);
        assert_eq!(text.lines().count(), 6);
        assert_eq!(text.lines().nth(1), Some("-32000"));
        let mut again = Study::new(&start, &moves);
        restore(&mut again, &text);
        assert!(again.is_complete());
        assert_eq!(to_text(&again, Variant::Standard), text);
        for (one, other) in study.findings().iter().zip(again.findings()) {
            assert_eq!((one.score, one.best()), (other.score, other.best()));
        }
    }

    #[test]
    fn what_cannot_be_read_is_looked_at_anew() {
        let (start, moves) = fools_mate();
        let study = analyse(&start, &moves, 2_000);
        let text = to_text(&study, Variant::Standard);
        let lines: Vec<&str> = text.lines().collect();
        let done = |text: &str| {
            let mut again = Study::new(&start, &moves);
            restore(&mut again, text);
            again.done()
        };
        assert_eq!(done(&lines[..3].join("\n")), 2);
        // Of another version, cut within a number, a move that is not legal, a score beyond all.
        assert_eq!(done(&text.replacen('1', "2", 1)), 0);
        assert_eq!(done("1\n-32000\nx"), 1);
        assert_eq!(done("1\n-32000\n5 a1a8"), 1);
        assert_eq!(done("1\n40000"), 0);
        assert_eq!(done("1\n-32000\n31999"), 1, "a position with moves has a best one");
        for text in ["", "1", "\n\n", "1\n\n", "garbage"] {
            assert_eq!(done(text), 0, "{text:?}");
        }
    }
}
