//! How the screen of a game is drawn.

use hansu_chess::{Color, Role};
use hansu_play::Millis;
use hansu_protocol::Phase;
use hansu_words::Screen;
use ratatui::layout::Rect;

use super::board::{Pieces, draw_board};
use super::canvas::{Canvas, Ink, fitted, padded, width, wrapped};
use super::event::Invitation;
use super::game::{Asking, Entry, GameScreen, Place, SOON};
use super::layout::Layout;
use crate::remote::chat_line;
use crate::tile::figure;

/// Captured pieces in a row.
const ROW: usize = 8;

impl GameScreen {
    /// Draws everything. Returns where the cursor of the terminal belongs while a line is typed.
    pub(crate) fn draw(
        &self,
        canvas: &mut Canvas<'_>,
        layout: &Layout,
        pieces: Pieces,
        now: Millis,
    ) -> Option<(u16, u16)> {
        let seen = self.view.seen();
        self.draw_title(canvas, layout);
        if seen.phase == Phase::Waiting && self.draw_invitation(canvas, layout) {
            self.draw_status(canvas, layout);
            return self.draw_input(canvas, layout);
        }
        if let Some(board) = self.shown_board() {
            let marks = self.marks();
            draw_board(canvas, layout, &board, &marks, self.seen_by(), pieces);
            self.draw_panel(canvas, layout.panel, pieces, now);
        }
        if self.is_help_shown {
            self.draw_help(canvas, layout);
        }
        self.draw_status(canvas, layout);
        self.draw_input(canvas, layout)
    }

    fn draw_title(&self, canvas: &mut Canvas<'_>, layout: &Layout) {
        let (seen, area) = (self.view.seen(), layout.title);
        let names = &seen.start.names;
        let mut text = self.lang.screen(Screen::Menu).to_owned();
        let is_named = |name: &str| !name.trim_matches('?').is_empty();
        if is_named(&names.white) || is_named(&names.black) {
            let half = usize::from(area.width).saturating_sub(width(&text) + 8) / 2;
            let (white, black) = (fitted(&names.white, half), fitted(&names.black, half));
            text = format!("{text} · {white} – {black}");
        }
        canvas.text(area, area.x, area.y, &text, Ink::Bold);
    }

    /// The code of an invitation while the second player is waited for. The link itself is in the
    /// status, over the whole width: a link that is broken over two lines cannot be copied.
    fn draw_invitation(&self, canvas: &mut Canvas<'_>, layout: &Layout) -> bool {
        let Some(Invitation { code, .. }) = self.invitation() else { return false };
        let size = u16::try_from(code.len()).unwrap_or(u16::MAX);
        let (body, rows) = (layout.body, size.div_ceil(2));
        // A code that is cut cannot be read.
        if canvas.is_unicode && rows <= body.height && size <= body.width {
            draw_code(canvas, Rect::new(body.x, body.y, size, rows), code);
        }
        true
    }

    fn invitation(&self) -> Option<&Invitation> {
        match &self.place {
            Place::Server(connection) => connection.invitation.as_ref(),
            Place::Local(_) | Place::Past(_) => None,
        }
    }

    fn draw_panel(&self, canvas: &mut Canvas<'_>, area: Rect, pieces: Pieces, now: Millis) {
        let (below, above) = (self.seen_by(), !self.seen_by());
        let captured = [above, below].map(|color| self.captured_rows(canvas, color, pieces));
        self.draw_player(canvas, area, area.y, above, now);
        for (row, y) in captured[0].iter().zip(area.y + 1..) {
            canvas.text(area, area.x, y, row, Ink::Plain);
        }
        let rows = u16::try_from(captured[1].len()).unwrap_or(0);
        let bottom = area.bottom().saturating_sub(1);
        self.draw_player(canvas, area, bottom, below, now);
        let own_captured = bottom.saturating_sub(rows);
        for (row, y) in captured[1].iter().zip(own_captured..) {
            canvas.text(area, area.x, y, row, Ink::Plain);
        }
        // Two rows stay free for each side, so that nothing moves when a piece is taken.
        let top = area.y + 3;
        let end = bottom.saturating_sub(2);
        let mut moves = Rect::new(area.x, top, area.width, end.saturating_sub(top));
        if !self.view.seen().chat.is_empty() && moves.height >= 6 {
            let height = (moves.height / 3).max(3);
            let chat = Rect::new(area.x, moves.bottom() - height, area.width, height);
            moves.height -= height;
            self.draw_chat(canvas, chat);
        }
        self.draw_moves(canvas, moves);
    }

    fn draw_player(&self, canvas: &mut Canvas<'_>, area: Rect, y: u16, color: Color, now: Millis) {
        let seen = self.view.seen();
        let is_turn = seen.phase == Phase::Playing && self.game.turn() == color;
        let clock = self.clock(color, now);
        let clock_text = clock.map(clock_text).unwrap_or_default();
        let places = usize::from(area.width).saturating_sub(width(&clock_text) + 3);
        let name = fitted(&seen.start.names[color], places);
        let name = if name.trim_matches('?').is_empty() { self.lang.color(color) } else { &name };
        let sign = if is_turn { "▸ " } else { "  " };
        let ink = if is_turn { Ink::Bold } else { Ink::Plain };
        canvas.text(area, area.x, y, &format!("{sign}{name}"), ink);
        let is_short = clock.is_some_and(|left| left.0 < SOON);
        let ink = match (is_turn, is_short) {
            (true, true) => Ink::Alarm,
            (true, false) => Ink::Accent,
            _ => Ink::Plain,
        };
        canvas.right(area, y, &clock_text, ink);
    }

    /// What a side has taken, in rows of eight, the most valuable first.
    fn captured_rows(&self, canvas: &Canvas<'_>, by: Color, pieces: Pieces) -> Vec<String> {
        let mut shown = self.game.clone();
        while self.ply.is_some_and(|ply| shown.moves().len() > ply) {
            shown.take_back();
        }
        let mut taken = shown.captured(!by);
        let order = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn, Role::King];
        taken.sort_by_key(|role| order.iter().position(|other| other == role));
        let is_letters = pieces == Pieces::Letters || !canvas.is_unicode;
        let symbol = |role: &Role| {
            let piece = role.of(!by);
            if is_letters { piece.letter() } else { figure(piece) }
        };
        taken.chunks(ROW).map(|row| row.iter().map(symbol).collect()).collect()
    }

    fn draw_moves(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let plies = &self.view.seen().plies;
        let Some(first) = self.game.positions().first() else { return };
        let begins = usize::from(first.turn() == Color::Black);
        let number = usize::from(first.fullmoves());
        let shown = self.ply.unwrap_or(plies.len());
        let is_wide = area.width >= 20;
        let column = if is_wide { (area.width - 4) / 2 } else { area.width - 4 };
        // A line holds two plies where there is room for them, else one.
        let line_of = |ply: usize| if is_wide { (ply + begins) / 2 } else { ply };
        let height = usize::from(area.height);
        let last = plies.len().saturating_sub(1);
        let current = line_of(shown.saturating_sub(1));
        let lines = line_of(last) + 1;
        let top = current.saturating_sub(height / 2).min(lines.saturating_sub(height));
        let top = if self.ply.is_none() { lines.saturating_sub(height) } else { top };
        for (at, ply) in plies.iter().enumerate() {
            let Some(row) = line_of(at).checked_sub(top).filter(|row| *row < height) else {
                continue;
            };
            let y = area.y + u16::try_from(row).unwrap_or(0);
            let is_black = (at + begins) % 2 == 1;
            let count = number + (at + begins) / 2;
            if !is_black || at == 0 || !is_wide {
                let dots = if is_black && !is_wide { "…" } else { "." };
                canvas.text(area, area.x, y, &format!("{count}{dots}"), Ink::Muted);
            }
            let offset = if is_black && is_wide { column } else { 0 };
            let ink = if at + 1 == shown { Ink::Chosen } else { Ink::Plain };
            canvas.text(area, area.x + 4 + offset, y, &ply.san, ink);
        }
    }

    fn draw_chat(&self, canvas: &mut Canvas<'_>, area: Rect) {
        canvas.rule(area, area.y);
        let places = usize::from(area.width);
        let mut lines: Vec<String> = Vec::new();
        let height = usize::from(area.height.saturating_sub(1));
        for said in self.view.seen().chat.iter().rev() {
            let mut wrapped = wrapped(&chat_line(said, self.lang), places);
            wrapped.reverse();
            lines.extend(wrapped);
            if lines.len() >= height {
                break;
            }
        }
        lines.truncate(height);
        for (line, y) in lines.iter().rev().zip(area.y + 1..) {
            canvas.text(area, area.x, y, line, Ink::Plain);
        }
    }

    fn draw_help(&self, canvas: &mut Canvas<'_>, layout: &Layout) {
        let area = layout.body;
        for y in area.top()..area.bottom() {
            let blank = " ".repeat(usize::from(area.width));
            canvas.text(area, area.x, y, &blank, Ink::Plain);
        }
        canvas.text(area, area.x + 1, area.y, self.lang.screen(Screen::HelpTitle), Ink::Bold);
        let mut y = area.y + 1;
        for phrase in [
            Screen::HelpMove,
            Screen::HelpType,
            Screen::HelpOffers,
            Screen::HelpLook,
            Screen::HelpMore,
            Screen::HelpAway,
            Screen::HelpLeave,
            Screen::HelpShell,
        ] {
            for line in wrapped(self.lang.screen(phrase), usize::from(area.width) - 2) {
                canvas.text(area, area.x + 1, y, &line, Ink::Plain);
                y += 1;
            }
        }
    }

    /// What is said under the board, and how.
    fn status(&self) -> (String, Ink) {
        let word = |phrase| self.lang.screen(phrase).to_owned();
        let seen = self.view.seen();
        if let Place::Server(connection) = &self.place
            && !connection.is_up
            && seen.bye.is_none()
        {
            let phrase = if connection.was_up { Screen::Reconnecting } else { Screen::Connecting };
            return (word(phrase), Ink::Alarm);
        }
        match self.asking {
            Some(Asking::Castling { .. }) => return (word(Screen::Castle), Ink::Accent),
            Some(Asking::Promotion { .. }) => return (word(Screen::Promote), Ink::Accent),
            Some(Asking::Resign) => return (word(Screen::ResignAsk), Ink::Accent),
            Some(Asking::Leave) => return (word(Screen::LeaveAsk), Ink::Accent),
            Some(Asking::Withdraw) => return (word(Screen::AbortAsk), Ink::Accent),
            Some(Asking::Claim) => return (word(Screen::ClaimAsk), Ink::Accent),
            None => {}
        }
        if !self.note.text.is_empty() {
            let ink = if self.note.is_alarm { Ink::Alarm } else { Ink::Plain };
            return (self.note.text.clone(), ink);
        }
        if let (Phase::Waiting, Some(invitation)) = (seen.phase, self.invitation()) {
            return (format!("{} {}", word(Screen::Waiting), invitation.link), Ink::Accent);
        }
        if let Some(what) = self.open_offer() {
            return (self.lang.screen_offer(what), Ink::Accent);
        }
        let is_past = matches!(self.place, Place::Past(_));
        let is_at_end = self.ply.is_none_or(|ply| ply >= seen.plies.len());
        if let Some(ending) = seen.ending.filter(|_| is_at_end || !is_past) {
            return (self.lang.ending(ending), Ink::Bold);
        }
        if is_past {
            return (self.caption(), Ink::Plain);
        }
        (self.situation(), Ink::Plain)
    }

    /// `12. Nf3 · 23/80` in a game of the log.
    fn caption(&self) -> String {
        let (plies, at) = (&self.view.seen().plies, self.ply.unwrap_or(0));
        let start = || self.lang.screen(Screen::Start).to_owned();
        let san = at.checked_sub(1).and_then(|at| plies.get(at)).map(|ply| ply.san.clone());
        format!("{} · {at}/{}", san.unwrap_or_else(start), plies.len())
    }

    fn situation(&self) -> String {
        let word = |phrase| self.lang.screen(phrase).to_owned();
        let seen = self.view.seen();
        let mut text = match seen.phase {
            Phase::Waiting => word(Screen::WaitingPlain),
            Phase::Adjourned => word(Screen::Adjourned),
            Phase::Ended => String::new(),
            Phase::Playing if !self.planned.is_empty() => word(Screen::Premove),
            Phase::Playing if self.is_sending() => word(Screen::Sending),
            Phase::Playing => {
                let to_move = match self.game.turn() {
                    Color::White => Screen::WhiteToMove,
                    Color::Black => Screen::BlackToMove,
                };
                let is_computer =
                    matches!(&self.place, Place::Local(game) if game.question().is_some());
                match seen.seat {
                    _ if is_computer => word(Screen::Thinking),
                    None => format!("{} {}", word(Screen::Watching), word(to_move)),
                    Some(hansu_protocol::Place::Both) => word(to_move),
                    Some(_) if seen.is_our_turn() => word(Screen::YourTurn),
                    Some(_) => word(Screen::TheirTurn),
                }
            }
        };
        if seen.phase == Phase::Playing && self.game.position().is_check() {
            text = format!("{} {text}", word(Screen::Check));
        }
        text
    }

    fn draw_status(&self, canvas: &mut Canvas<'_>, layout: &Layout) {
        let (text, ink) = self.status();
        canvas.paragraph(layout.status, &text, ink);
    }

    /// Choices, a typed line or nothing; the keys under it.
    fn draw_input(&self, canvas: &mut Canvas<'_>, layout: &Layout) -> Option<(u16, u16)> {
        let area = layout.input;
        self.draw_keys(canvas, layout.keys);
        if let Some(entry) = &self.entry {
            let (phrase, text) = match entry {
                Entry::Move(text) => (Screen::TypeMove, text),
                Entry::Chat(text) => (Screen::TypeChat, text),
                Entry::File(text) => (Screen::TypeFile, text),
            };
            let x = canvas.text(area, area.x, area.y, self.lang.screen(phrase), Ink::Accent);
            let x = canvas.text(area, x, area.y, ": ", Ink::Accent);
            // Of a long line the end is seen.
            let places = usize::from(area.right().saturating_sub(x + 1));
            let mut shown: String = text.clone();
            while width(&shown) > places {
                shown.remove(0);
            }
            let x = canvas.text(area, x, area.y, &shown, Ink::Plain);
            return Some((x.min(area.right().saturating_sub(1)), area.y));
        }
        let places = self.choice_places(layout);
        let is_modal = !matches!(self.asking, None | Some(Asking::Castling { .. }));
        for (at, ((key, name, _), place)) in self.choices().iter().zip(places).enumerate() {
            let ink = if is_modal && at == self.focus { Ink::Chosen } else { Ink::Accent };
            let text = padded(&format!(" {key} {name} "), usize::from(place.width));
            canvas.text(place, place.x, place.y, &text, ink);
        }
        None
    }

    fn draw_keys(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let is_past = matches!(self.place, Place::Past(_));
        let phase = self.view.seen().phase;
        let long = match phase {
            _ if is_past => Screen::KeysReplay,
            Phase::Waiting => Screen::KeysWaiting,
            _ if self.view.seen().seat.is_none() => Screen::KeysWatch,
            Phase::Ended => Screen::KeysOver,
            Phase::Adjourned => Screen::KeysAdjourned,
            Phase::Playing => Screen::KeysGame,
        };
        let mut text = self.lang.screen(long);
        if width(text) > usize::from(area.width) && long == Screen::KeysGame {
            text = self.lang.screen(Screen::KeysGameShort);
        }
        canvas.text(area, area.x, area.y, text, Ink::Muted);
    }
}

/// A QR code, two points a character. A terminal is mostly dark: light points are drawn.
fn draw_code(canvas: &mut Canvas<'_>, area: Rect, code: &[Vec<bool>]) {
    let is_dark =
        |x: usize, y: usize| code.get(y).and_then(|line| line.get(x)).copied().unwrap_or(true);
    for (row, y) in (area.top()..area.bottom()).enumerate() {
        let line: String = (0..usize::from(area.width))
            .map(|x| match (is_dark(x, 2 * row), is_dark(x, 2 * row + 1)) {
                (false, false) => '█',
                (false, true) => '▀',
                (true, false) => '▄',
                (true, true) => ' ',
            })
            .collect();
        canvas.text(area, area.x, y, &line, Ink::Code);
    }
}

/// `1:02:03`, `4:05`, `0:09.3`.
pub(crate) fn clock_text(left: Millis) -> String {
    let tenths = left.0.div_ceil(100);
    if left.0 < SOON {
        return format!("0:{:02}.{}", tenths / 10, tenths % 10);
    }
    let seconds = left.0.div_ceil(1_000);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}
