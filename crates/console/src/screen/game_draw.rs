//! Draws the screen of a game.

use hansu_chess::{Color, Role};
use hansu_play::Millis;
use hansu_protocol::Phase;
use hansu_words::Screen;
use ratatui::layout::Rect;

use super::board::{Pieces, draw_board};
use super::canvas::{Canvas, TextStyle, fitted, padded, width, wrapped};
use super::event::Invitation;
use super::game::{Dialog, GameScreen, GameSource, TENTHS_BELOW, TextInput};
use super::layout::Layout;
use crate::remote::chat_line;
use crate::tile::figure;

/// Captured pieces per row.
const ROW: usize = 8;

impl GameScreen {
    /// Draws the screen. Returns the position of the terminal's cursor while text is typed.
    pub(crate) fn draw(
        &self,
        canvas: &mut Canvas<'_>,
        layout: &Layout,
        pieces: Pieces,
        now: Millis,
    ) -> Option<(u16, u16)> {
        let seen = self.view.game();
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
        let (seen, area) = (self.view.game(), layout.title);
        let names = &seen.start.names;
        let mut text = self.lang.screen(Screen::Menu).to_owned();
        let is_named = |name: &str| !name.trim_matches('?').is_empty();
        if is_named(&names.white) || is_named(&names.black) {
            let half = usize::from(area.width).saturating_sub(width(&text) + 8) / 2;
            let (white, black) = (fitted(&names.white, half), fitted(&names.black, half));
            text = format!("{text} · {white} – {black}");
        }
        canvas.text(area, area.x, area.y, &text, TextStyle::Bold);
    }

    /// Draws the QR code of an invitation while the second player is missing. Returns false without
    /// an invitation. The link is in the status, over the whole width: a link that is broken over
    /// two lines cannot be copied.
    fn draw_invitation(&self, canvas: &mut Canvas<'_>, layout: &Layout) -> bool {
        let Some(Invitation { code, .. }) = self.invitation() else { return false };
        let size = u16::try_from(code.len()).unwrap_or(u16::MAX);
        let (body, rows) = (layout.body, size.div_ceil(2));
        // A cut QR code cannot be read.
        if canvas.is_unicode && rows <= body.height && size <= body.width {
            draw_code(canvas, Rect::new(body.x, body.y, size, rows), code);
        }
        true
    }

    fn invitation(&self) -> Option<&Invitation> {
        match &self.source {
            GameSource::Server(connection) => connection.invitation.as_ref(),
            GameSource::Local(_) | GameSource::Past(_) => None,
        }
    }

    fn draw_panel(&self, canvas: &mut Canvas<'_>, area: Rect, pieces: Pieces, now: Millis) {
        let (below, above) = (self.seen_by(), !self.seen_by());
        let captured = [above, below].map(|color| self.captured_rows(canvas, color, pieces));
        self.draw_player(canvas, area, area.y, above, now);
        for (row, y) in captured[0].iter().zip(area.y + 1..) {
            canvas.text(area, area.x, y, row, TextStyle::Plain);
        }
        let rows = u16::try_from(captured[1].len()).unwrap_or(0);
        let bottom = area.bottom().saturating_sub(1);
        self.draw_player(canvas, area, bottom, below, now);
        let own_captured = bottom.saturating_sub(rows);
        for (row, y) in captured[1].iter().zip(own_captured..) {
            canvas.text(area, area.x, y, row, TextStyle::Plain);
        }
        // Two rows are reserved for each side, so that nothing moves when a piece is captured.
        let top = area.y + 3;
        let end = bottom.saturating_sub(2);
        let mut moves = Rect::new(area.x, top, area.width, end.saturating_sub(top));
        if !self.view.game().chat.is_empty() && moves.height >= 6 {
            let height = (moves.height / 3).max(3);
            let chat = Rect::new(area.x, moves.bottom() - height, area.width, height);
            moves.height -= height;
            self.draw_chat(canvas, chat);
        }
        self.draw_moves(canvas, moves);
    }

    fn draw_player(&self, canvas: &mut Canvas<'_>, area: Rect, y: u16, color: Color, now: Millis) {
        let seen = self.view.game();
        let is_turn = seen.phase == Phase::Playing && self.game.turn() == color;
        let clock = self.clock(color, now);
        let clock_text = clock.map(clock_text).unwrap_or_default();
        let places = usize::from(area.width).saturating_sub(width(&clock_text) + 3);
        let name = fitted(&seen.start.names[color], places);
        let name = if name.trim_matches('?').is_empty() { self.lang.color(color) } else { &name };
        let sign = if is_turn { "▸ " } else { "  " };
        let style = if is_turn { TextStyle::Bold } else { TextStyle::Plain };
        canvas.text(area, area.x, y, &format!("{sign}{name}"), style);
        let is_short = clock.is_some_and(|left| left.0 < TENTHS_BELOW);
        let style = match (is_turn, is_short) {
            (true, true) => TextStyle::Alarm,
            (true, false) => TextStyle::Accent,
            _ => TextStyle::Plain,
        };
        canvas.right(area, y, &clock_text, style);
    }

    /// The pieces that a side has captured, in rows of eight, the most valuable first.
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
        let plies = &self.view.game().plies;
        let Some(first) = self.game.positions().first() else { return };
        let begins = usize::from(first.turn() == Color::Black);
        let number = usize::from(first.fullmoves());
        let shown = self.ply.unwrap_or(plies.len());
        let is_wide = area.width >= 20;
        let column = if is_wide { (area.width - 4) / 2 } else { area.width - 4 };
        // A wide line has two plies, a narrow one has one.
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
                canvas.text(area, area.x, y, &format!("{count}{dots}"), TextStyle::Muted);
            }
            let offset = if is_black && is_wide { column } else { 0 };
            let style = if at + 1 == shown { TextStyle::Chosen } else { TextStyle::Plain };
            canvas.text(area, area.x + 4 + offset, y, &ply.san, style);
        }
    }

    fn draw_chat(&self, canvas: &mut Canvas<'_>, area: Rect) {
        canvas.rule(area, area.y);
        let places = usize::from(area.width);
        let mut lines: Vec<String> = Vec::new();
        let height = usize::from(area.height.saturating_sub(1));
        for said in self.view.game().chat.iter().rev() {
            let mut wrapped = wrapped(&chat_line(said, self.lang), places);
            wrapped.reverse();
            lines.extend(wrapped);
            if lines.len() >= height {
                break;
            }
        }
        lines.truncate(height);
        for (line, y) in lines.iter().rev().zip(area.y + 1..) {
            canvas.text(area, area.x, y, line, TextStyle::Plain);
        }
    }

    fn draw_help(&self, canvas: &mut Canvas<'_>, layout: &Layout) {
        let area = layout.body;
        for y in area.top()..area.bottom() {
            let blank = " ".repeat(usize::from(area.width));
            canvas.text(area, area.x, y, &blank, TextStyle::Plain);
        }
        canvas.text(area, area.x + 1, area.y, self.lang.screen(Screen::HelpTitle), TextStyle::Bold);
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
                canvas.text(area, area.x + 1, y, &line, TextStyle::Plain);
                y += 1;
            }
        }
    }

    /// The text under the board, and its style.
    fn status(&self) -> (String, TextStyle) {
        let word = |phrase| self.lang.screen(phrase).to_owned();
        let seen = self.view.game();
        if let GameSource::Server(connection) = &self.source
            && !connection.is_up
            && seen.bye.is_none()
        {
            let phrase = if connection.was_up { Screen::Reconnecting } else { Screen::Connecting };
            return (word(phrase), TextStyle::Alarm);
        }
        match self.dialog {
            Some(Dialog::Castling { .. }) => return (word(Screen::Castle), TextStyle::Accent),
            Some(Dialog::Promotion { .. }) => return (word(Screen::Promote), TextStyle::Accent),
            Some(Dialog::Resign) => return (word(Screen::ResignAsk), TextStyle::Accent),
            Some(Dialog::Leave) => return (word(Screen::LeaveAsk), TextStyle::Accent),
            Some(Dialog::Withdraw) => return (word(Screen::AbortAsk), TextStyle::Accent),
            Some(Dialog::Claim) => return (word(Screen::ClaimAsk), TextStyle::Accent),
            None => {}
        }
        if !self.note.text.is_empty() {
            let style = if self.note.is_alarm { TextStyle::Alarm } else { TextStyle::Plain };
            return (self.note.text.clone(), style);
        }
        if let (Phase::Waiting, Some(invitation)) = (seen.phase, self.invitation()) {
            return (format!("{} {}", word(Screen::Waiting), invitation.link), TextStyle::Accent);
        }
        if let Some(what) = self.open_offer() {
            return (self.lang.screen_offer(what), TextStyle::Accent);
        }
        let is_past = matches!(self.source, GameSource::Past(_));
        let is_at_end = self.ply.is_none_or(|ply| ply >= seen.plies.len());
        if let Some(ending) = seen.ending.filter(|_| is_at_end || !is_past) {
            return (self.lang.ending(ending), TextStyle::Bold);
        }
        if is_past {
            return (self.caption(), TextStyle::Plain);
        }
        (self.situation(), TextStyle::Plain)
    }

    /// The caption of a game of the log: `Nf3 · 23/80`.
    fn caption(&self) -> String {
        let (plies, at) = (&self.view.game().plies, self.ply.unwrap_or(0));
        let start = || self.lang.screen(Screen::Start).to_owned();
        let san = at.checked_sub(1).and_then(|at| plies.get(at)).map(|ply| ply.san.clone());
        format!("{} · {at}/{}", san.unwrap_or_else(start), plies.len())
    }

    fn situation(&self) -> String {
        let word = |phrase| self.lang.screen(phrase).to_owned();
        let seen = self.view.game();
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
                    matches!(&self.source, GameSource::Local(game) if game.question().is_some());
                match seen.seat {
                    _ if is_computer => word(Screen::Thinking),
                    None => format!("{} {}", word(Screen::Watching), word(to_move)),
                    Some(hansu_protocol::Seat::Both) => word(to_move),
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
        let (text, style) = self.status();
        canvas.paragraph(layout.status, &text, style);
    }

    /// Draws the choices or the text that is being typed, and the keys in the line below.
    fn draw_input(&self, canvas: &mut Canvas<'_>, layout: &Layout) -> Option<(u16, u16)> {
        let area = layout.input;
        self.draw_keys(canvas, layout.keys);
        if let Some(text_input) = &self.text_input {
            let (phrase, text) = match text_input {
                TextInput::Move(text) => (Screen::TypeMove, text),
                TextInput::Chat(text) => (Screen::TypeChat, text),
                TextInput::File(text) => (Screen::TypeFile, text),
            };
            let x = canvas.text(area, area.x, area.y, self.lang.screen(phrase), TextStyle::Accent);
            let x = canvas.text(area, x, area.y, ": ", TextStyle::Accent);
            // Of a long text the end is shown.
            let places = usize::from(area.right().saturating_sub(x + 1));
            let mut shown: String = text.clone();
            while width(&shown) > places {
                shown.remove(0);
            }
            let x = canvas.text(area, x, area.y, &shown, TextStyle::Plain);
            return Some((x.min(area.right().saturating_sub(1)), area.y));
        }
        let places = self.choice_places(layout);
        let is_modal = !matches!(self.dialog, None | Some(Dialog::Castling { .. }));
        for (at, ((key, name, _), place)) in self.choices().iter().zip(places).enumerate() {
            let style =
                if is_modal && at == self.focus { TextStyle::Chosen } else { TextStyle::Accent };
            let text = padded(&format!(" {key} {name} "), usize::from(place.width));
            canvas.text(place, place.x, place.y, &text, style);
        }
        None
    }

    fn draw_keys(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let is_past = matches!(self.source, GameSource::Past(_));
        let phase = self.view.game().phase;
        let long = match phase {
            _ if is_past => Screen::KeysReplay,
            Phase::Waiting => Screen::KeysWaiting,
            _ if self.view.game().seat.is_none() => Screen::KeysWatch,
            Phase::Ended => Screen::KeysOver,
            Phase::Adjourned => Screen::KeysAdjourned,
            Phase::Playing => Screen::KeysGame,
        };
        let mut text = self.lang.screen(long);
        if width(text) > usize::from(area.width) && long == Screen::KeysGame {
            text = self.lang.screen(Screen::KeysGameShort);
        }
        canvas.text(area, area.x, area.y, text, TextStyle::Muted);
    }
}

/// Draws a QR code, two modules per character. Light modules are drawn, dark ones are blank.
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
        canvas.text(area, area.x, y, &line, TextStyle::Code);
    }
}

/// A time on a clock: `1:02:03`, `4:05`, `0:09.3`.
pub(crate) fn clock_text(left: Millis) -> String {
    let tenths = left.0.div_ceil(100);
    if left.0 < TENTHS_BELOW {
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
