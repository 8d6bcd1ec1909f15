//! A study as text, for the log: a line a position, the last one first, with the score for the side
//! to move and the best line as UCI writes it. Only what the search found; judgements, sentences
//! and accuracy are made from it anew.

use std::fmt::Write as _;

use hansu_chess::{Position, UciMove, Variant};
use hansu_engine::{Look, MATE, Study};

/// What the text begins with. Scores of mates count from [`MATE`]: another number there needs
/// another version here.
const VERSION: &str = "1";
const _: () = assert!(MATE == 32_000);

/// Moves of a line that are kept.
pub const KEPT_LINE: usize = 10;

/// What is known by now.
pub fn to_text(study: &Study, variant: Variant) -> String {
    let mut text = VERSION.to_owned();
    for look in study.looks() {
        // Writing to a text does not fail.
        let _ = write!(text, "\n{}", look.score);
        for step in look.line.iter().take(KEPT_LINE) {
            let _ = write!(text, " {}", step.uci(variant));
        }
    }
    text
}

/// Goes on from what was kept, as far as it fits the game: what cannot be read is looked at anew.
pub fn restore(study: &mut Study, text: &str) {
    let mut lines = text.lines();
    if lines.next() != Some(VERSION) {
        return;
    }
    let looks = study.positions().iter().rev().zip(lines);
    let looks: Vec<Look> = looks.map_while(|(position, line)| read(position, line)).collect();
    study.resume(looks);
}

fn read(position: &Position, line: &str) -> Option<Look> {
    let mut words = line.split(' ');
    let score: i32 = words.next()?.parse().ok().filter(|score: &i32| score.abs() <= MATE)?;
    let mut here = *position;
    let mut line = Vec::new();
    for word in words {
        let step = word.parse::<UciMove>().ok()?.to_move(&here).ok()?;
        line.push(step);
        here = here.play(step);
    }
    // Where there are moves one of them is the best, unless the position is dead.
    let fits = !line.is_empty() || !position.has_moves() || position.is_dead();
    fits.then_some(Look { score, line })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{fools_mate, look};

    #[test]
    fn what_is_kept_is_read_back() {
        let (start, moves) = fools_mate();
        let study = look(&start, &moves, 2_000);
        let text = to_text(&study, Variant::Standard);
        assert_eq!(text.lines().count(), 6);
        assert_eq!(text.lines().nth(1), Some("-32000"));
        let mut again = Study::new(&start, &moves);
        restore(&mut again, &text);
        assert!(again.is_complete());
        assert_eq!(to_text(&again, Variant::Standard), text);
        for (one, other) in study.looks().iter().zip(again.looks()) {
            assert_eq!((one.score, one.best()), (other.score, other.best()));
        }
    }

    #[test]
    fn what_cannot_be_read_is_looked_at_anew() {
        let (start, moves) = fools_mate();
        let study = look(&start, &moves, 2_000);
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
