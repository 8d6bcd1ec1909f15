//! The record of a game (기보), in the format that the mission fixes.

use std::fmt::Write;

use hansu_chess::{Color, Game, Reason};
use hansu_play::Ending;

/// The record: a line for each pair of moves, with a tab between them, and the result as the last
/// line unless the game ended by resignation. The last line has no newline.
///
/// A game in which Black begins has `...` for White's first move.
///
/// ```
/// use hansu_chess::Game;
/// let mut game = Game::start();
/// for step in ["e4", "e5", "Nf3"] {
///     game.play_san(step)?;
/// }
/// assert_eq!(hansu_console::record(&game, None), "1. e4\te5\n2. Nf3");
/// # Ok::<(), hansu_chess::SanError>(())
/// ```
pub fn record(game: &Game, ending: Option<Ending>) -> String {
    let mut text = String::with_capacity(game.moves().len() * 8);
    for (&step, position) in game.moves().iter().zip(game.positions()) {
        // Writing to a String cannot fail.
        if position.turn() == Color::White || text.is_empty() {
            let between = if text.is_empty() { "" } else { "\n" };
            let _ = write!(text, "{between}{}. ", position.fullmoves());
        }
        if position.turn() == Color::Black {
            text.push_str(if text.ends_with(' ') { "...\t" } else { "\t" });
        }
        position.san(step).push_to(&mut text);
    }
    if let Some(ending) = ending.filter(|ending| ending.reason != Reason::Resignation.into()) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(ending.result());
    }
    text
}

#[cfg(test)]
mod tests {
    use hansu_chess::{Position, Variant};

    use super::*;

    #[test]
    fn black_may_begin_at_any_number() {
        let start: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 40".parse().expect("a position");
        let mut game = Game::from_position(start, Variant::Standard);
        assert_eq!(record(&game, None), "");
        for step in ["Kd7", "e4", "Ke6", "Ke2"] {
            game.play_san(step).expect(step);
        }
        assert_eq!(record(&game, None), "40. ...\tKd7\n41. e4\tKe6\n42. Ke2");
    }

    #[test]
    fn a_resignation_leaves_no_result() {
        let game = Game::start();
        let resigned = Ending { winner: Some(Color::White), reason: Reason::Resignation.into() };
        assert_eq!(record(&game, Some(resigned)), "");
        let agreed = Ending { winner: None, reason: Reason::Agreement.into() };
        assert_eq!(record(&game, Some(agreed)), "1/2-1/2");
    }
}
