//! Moves on the screen of a game: chosen on the board, typed, and planned.

use hansu_chess::{Board, Refusal, Role, San, SanRefusal, Square, UciMove};
use hansu_play::Millis;
use hansu_protocol::{Phase, Seat, Special, Wish};
use hansu_words::{Lang, Screen};

use super::event::Effect;
use super::game::{Dialog, GameScreen, squares};

/// The most planned moves, as in the browser.
const MOST_PLANNED: usize = 16;

impl GameScreen {
    /// Sends, plans or refuses a move that was chosen on the board or typed.
    pub(crate) fn attempt(&mut self, step: UciMove, now: Millis, effects: &mut Vec<Effect>) {
        let UciMove { from, to, promotion } = step;
        self.drop_selection();
        let seen = self.view.game();
        if seen.phase == Phase::Waiting {
            return self.say(Screen::WaitingPlain);
        }
        if seen.phase != Phase::Playing || seen.seat.is_none() {
            return;
        }
        if !seen.is_our_turn() || self.is_sending() {
            return self.plan(step);
        }
        let Some(moves) = &seen.moves else {
            return self.send_wish(Wish::Move { uci: step.to_string() }, now, effects);
        };
        let targets = moves.targets.get(&from.to_string());
        if !targets.is_some_and(|targets| squares(targets).contains(to)) {
            self.planned.clear();
            let message = self.view.why(&step.to_string());
            return self.send(message, now, effects);
        }
        let special = moves.special.get(&format!("{from}{to}"));
        if special == Some(&Special::Promotion) && promotion.is_none() {
            self.planned.clear();
            self.selected = Some(from);
            (self.dialog, self.focus) = (Some(Dialog::Promotion { from, to }), 0);
            return;
        }
        self.send_wish(Wish::Move { uci: step.to_string() }, now, effects);
    }

    /// Appends a planned move.
    fn plan(&mut self, step: UciMove) {
        if !self.is_selectable(step.from) {
            return self.say(Screen::NotYours);
        }
        if self.planned.len() < MOST_PLANNED {
            self.planned.push(step);
        }
        self.say(Screen::Premove);
    }

    /// Plays the first planned move if it is the player's turn. If the move is illegal, all planned
    /// moves are dropped and the server is asked why.
    pub(crate) fn play_planned(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let seen = self.view.game();
        let is_time = seen.is_our_turn() && seen.moves.is_some() && !self.is_sending();
        if self.planned.is_empty() || !is_time {
            return;
        }
        let step = self.planned.remove(0);
        let selected = self.selected;
        self.attempt(step, now, effects);
        if self.dialog.is_none() && selected.is_some_and(|at| self.is_selectable(at)) {
            self.selected = selected;
        }
    }

    /// The move that the server has not answered yet, then the planned moves.
    pub(crate) fn moves_ahead(&self) -> impl Iterator<Item = UciMove> + '_ {
        let sent = self.view.pending().open().iter().filter_map(|open| match &open.wish {
            Wish::Move { uci } => uci.parse().ok(),
            _ => None,
        });
        sent.chain(self.planned.iter().copied())
    }

    /// The board that is shown: the unanswered and planned moves are made on it.
    pub(crate) fn shown_board(&self) -> Option<Board> {
        let mut board = *self.position()?.board();
        if self.ply.is_none() {
            for UciMove { from, to, .. } in self.moves_ahead() {
                let piece = board.piece_at(from);
                board.set(from, None);
                board.set(to, piece);
            }
        }
        Some(board)
    }

    /// Returns true if the square has a piece that the player may move or plan to move.
    pub(crate) fn is_selectable(&self, at: Square) -> bool {
        let seen = self.view.game();
        let color = self.shown_board().and_then(|board| board.color_at(at));
        let Some(color) = color else { return false };
        let is_turn = seen.seat != Some(Seat::Both) || color == self.game.turn();
        seen.phase == Phase::Playing && is_turn && seen.is_ours(hansu_view::side(color))
    }

    /// Plays a typed move: `e2e4`, `e2 e4`, `Nf3`, `nf3`, `나f3`.
    pub(crate) fn play_typed(&mut self, text: &str, now: Millis, effects: &mut Vec<Effect>) {
        let text = latin_notation(text);
        // As on a score sheet, `=` claims a draw with the move before it.
        if let Some(step) = text.strip_suffix('=') {
            return self.claim_with(step, now, effects);
        }
        if text.is_empty() {
            return;
        }
        if let Ok(step) = text.to_ascii_lowercase().parse::<UciMove>() {
            return self.attempt(step, now, effects);
        }
        let seen = self.view.game();
        if seen.phase == Phase::Playing && !seen.is_our_turn() {
            return self.say(Screen::PlanSquares);
        }
        match self.judge_notation(&text) {
            Ok(step) => self.attempt(step, now, effects),
            Err(why) => self.complain(&why),
        }
    }

    fn claim_with(&mut self, text: &str, now: Millis, effects: &mut Vec<Effect>) {
        let written = text.to_ascii_lowercase().parse();
        match written.map_or_else(|_| self.judge_notation(text), Ok::<UciMove, String>) {
            Ok(step) => {
                let with = Some(step.to_string());
                self.send_wish(Wish::ClaimDraw { with }, now, effects);
            }
            Err(why) => self.complain(&why),
        }
    }

    /// The move that a notation means, or the message why it cannot be played.
    fn judge_notation(&mut self, text: &str) -> Result<UciMove, String> {
        // `bc4` is a pawn's move if that is legal, else a bishop's.
        let mut letters = text.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        let capital: String = first.into_iter().chain(letters).collect();
        let plain = San::lenient(text);
        let is_piece = matches!(text.as_bytes(), [b'k' | b'q' | b'r' | b'b' | b'n' | b'o', ..]);
        let san = match (plain, San::lenient(&capital)) {
            (Ok(san), Ok(_)) if self.game.judge_san(&san).is_ok() => Ok(san),
            (_, Ok(san)) if is_piece => Ok(san),
            (plain, _) => plain,
        };
        let san = san.map_err(|error| format!("{text}: {}", self.lang.san_error(error)))?;
        match self.game.judge_san(&san) {
            Ok(step) => Ok(step.uci(self.game.variant())),
            // The board asks for the piece.
            Err(SanRefusal::Move { meant, why: Refusal::PromotionMissing { .. } }) => Ok(meant),
            Err(SanRefusal::Move { why, .. }) => {
                self.proof = why.squares() | why.by();
                Err(self.lang.refusal(why, self.game.position()))
            }
            Err(SanRefusal::NoPiece { role }) => Err(self.lang.screen_no_piece(role)),
            Err(SanRefusal::Ambiguous) => {
                let why = self.lang.san_error(hansu_chess::SanError::Ambiguous);
                Err(format!("{text}: {why}"))
            }
        }
    }

    /// True while a move waits for the server's answer.
    pub(crate) fn is_sending(&self) -> bool {
        self.view.pending().open().iter().any(|open| matches!(open.wish, Wish::Move { .. }))
    }
}

/// A typed move without spaces, with letters instead of the Korean names of pieces.
fn latin_notation(text: &str) -> String {
    let mut text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    for role in Role::ALL {
        let letter = if role == Role::Pawn { String::new() } else { role.letter().to_string() };
        text = text.replace(Lang::Ko.role(role), &letter);
    }
    let text = text.replace('나', "N").replace('비', "B");
    match text.to_ascii_lowercase().as_str() {
        "o-o" | "o-o-o" => text.to_ascii_uppercase(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn korean_names_of_pieces_are_letters() {
        assert_eq!(latin_notation("나f3"), "Nf3");
        assert_eq!(latin_notation(" 나이트 f3 "), "Nf3");
        assert_eq!(latin_notation("비숍xc4"), "Bxc4");
        assert_eq!(latin_notation("e8=퀸"), "e8=Q");
        assert_eq!(latin_notation("폰e4"), "e4");
        assert_eq!(latin_notation("o-o-o"), "O-O-O");
        assert_eq!(latin_notation("e2 e4"), "e2e4");
    }
}
