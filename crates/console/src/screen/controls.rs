//! Keys and mouse on the screen of a game.

use hansu_chess::{Color, Role, Square, UciMove};
use hansu_play::{Claimed, Millis, Offer, Spectators};
use hansu_protocol::{Phase, Special, Wish};
use hansu_words::Screen;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;

use super::canvas::width;
use super::event::Effect;
use super::game::{After, Dialog, GameScreen, GameSource, Note, TextInput};
use super::layout::Layout;
use super::log_request::{ExportSource, LogRequest, pgn_date, record_from_view};

/// The longest typed move, chat message and file name, in characters.
const LONGEST_MOVE: usize = 12;
const LONGEST_CHAT: usize = 300;
const LONGEST_FILE: usize = 200;
/// Plies that Page Up and Page Down skip.
const LEAP: usize = 10;

/// The action of a choice under the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChoiceAction {
    Go(UciMove),
    Cancel,
    Resign,
    Leave,
    Withdraw,
    Accept(Offer),
    Decline(Offer),
    Claim(Claimed),
}

/// The Latin letter on the key of a Korean letter, so that shortcuts work with a Korean input method
/// as well. Other characters stay as they are.
pub(crate) fn latin(c: char) -> char {
    const KEYS: [(char, char); 26] = [
        ('ㅂ', 'q'),
        ('ㅈ', 'w'),
        ('ㄷ', 'e'),
        ('ㄱ', 'r'),
        ('ㅅ', 't'),
        ('ㅛ', 'y'),
        ('ㅕ', 'u'),
        ('ㅑ', 'i'),
        ('ㅐ', 'o'),
        ('ㅔ', 'p'),
        ('ㅁ', 'a'),
        ('ㄴ', 's'),
        ('ㅇ', 'd'),
        ('ㄹ', 'f'),
        ('ㅎ', 'g'),
        ('ㅗ', 'h'),
        ('ㅓ', 'j'),
        ('ㅏ', 'k'),
        ('ㅣ', 'l'),
        ('ㅋ', 'z'),
        ('ㅌ', 'x'),
        ('ㅊ', 'c'),
        ('ㅍ', 'v'),
        ('ㅠ', 'b'),
        ('ㅜ', 'n'),
        ('ㅡ', 'm'),
    ];
    KEYS.iter().find(|(korean, _)| *korean == c).map_or(c, |(_, latin)| *latin)
}

impl GameScreen {
    /// The choices under the board, each with its key.
    pub(crate) fn choices(&self) -> Vec<(char, String, ChoiceAction)> {
        let word = |phrase| self.lang.screen(phrase).to_owned();
        let step = |from, to, promotion| ChoiceAction::Go(UciMove { from, to, promotion });
        let yes_no = |act| {
            vec![('y', word(Screen::Yes), act), ('n', word(Screen::No), ChoiceAction::Cancel)]
        };
        match self.dialog {
            Some(Dialog::Castling { from, left, right }) => {
                let ways = [(left, Screen::Left), (right, Screen::Right)];
                let ways = ways.into_iter().filter_map(|(to, phrase)| Some((to?, phrase)));
                let mut choices: Vec<_> = ways
                    .zip(['1', '2'])
                    .map(|((to, phrase), key)| (key, word(phrase), step(from, to, None)))
                    .collect();
                let key = if choices.len() == 2 { '3' } else { '2' };
                choices.push((key, word(Screen::Cancel), ChoiceAction::Cancel));
                choices
            }
            Some(Dialog::Promotion { from, to }) => {
                let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
                let mut choices: Vec<_> = roles
                    .into_iter()
                    .map(|role| {
                        let name = self.lang.role(role).to_owned();
                        (role.letter().to_ascii_lowercase(), name, step(from, to, Some(role)))
                    })
                    .collect();
                choices.push(('c', word(Screen::Cancel), ChoiceAction::Cancel));
                choices
            }
            Some(Dialog::Resign) => yes_no(ChoiceAction::Resign),
            Some(Dialog::Leave) => yes_no(ChoiceAction::Leave),
            Some(Dialog::Withdraw) => yes_no(ChoiceAction::Withdraw),
            Some(Dialog::Claim) => vec![
                ('1', word(Screen::ClaimWin), ChoiceAction::Claim(Claimed::Win)),
                ('2', word(Screen::ClaimDraw), ChoiceAction::Claim(Claimed::Draw)),
                ('3', word(Screen::Cancel), ChoiceAction::Cancel),
            ],
            None => match self.open_offer() {
                Some(what) => vec![
                    ('y', word(Screen::Accept), ChoiceAction::Accept(what)),
                    ('n', word(Screen::Decline), ChoiceAction::Decline(what)),
                ],
                None => Vec::new(),
            },
        }
    }

    /// The area of each choice in the input line.
    pub(crate) fn choice_places(&self, layout: &Layout) -> Vec<Rect> {
        let mut x = layout.input.x;
        let place = |(_, name, _): &(char, String, ChoiceAction)| {
            let wide = u16::try_from(width(name) + 4).unwrap_or(u16::MAX);
            let place = Rect::new(x, layout.input.y, wide, 1).intersection(layout.input);
            x = x.saturating_add(wide + 1);
            place
        };
        self.choices().iter().map(place).collect()
    }

    /// True while only an answer to the question is accepted.
    fn must_answer(&self) -> bool {
        !matches!(self.dialog, None | Some(Dialog::Castling { .. }))
    }

    fn run_choice(
        &mut self,
        action: ChoiceAction,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> After {
        self.dialog = None;
        self.focus = 0;
        match action {
            ChoiceAction::Go(step) => self.attempt(step, now, effects),
            ChoiceAction::Cancel => self.drop_selection(),
            ChoiceAction::Resign => self.send_wish(Wish::Resign, now, effects),
            ChoiceAction::Leave => return After::Leave,
            ChoiceAction::Withdraw => {
                self.send_wish(Wish::Abort, now, effects);
                // The game is gone, so its address is not offered.
                if let GameSource::Server(connection) = &mut self.source {
                    connection.address = None;
                }
                return After::Leave;
            }
            ChoiceAction::Accept(what) => self.send_wish(Wish::Accept { what }, now, effects),
            ChoiceAction::Decline(what) => self.send_wish(Wish::Decline { what }, now, effects),
            ChoiceAction::Claim(result) => {
                self.send_wish(Wish::ClaimAbsence { result }, now, effects);
            }
        }
        After::Stay
    }

    /// Handles a key.
    pub(crate) fn key(&mut self, key: KeyEvent, now: Millis, effects: &mut Vec<Effect>) -> After {
        let before_h = self.before_h.take();
        if self.is_help_shown {
            self.is_help_shown = false;
            return After::Stay;
        }
        if self.text_input.is_some() {
            self.type_key(key, now, effects);
            return After::Stay;
        }
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return After::Stay;
        }
        let code = match key.code {
            KeyCode::Char(c) => KeyCode::Char(latin(c)),
            other => other,
        };
        let choices = self.choices();
        if let KeyCode::Char(c) = code
            && let Some(&(_, _, act)) =
                choices.iter().find(|(key, _, _)| *key == c.to_ascii_lowercase())
        {
            return self.run_choice(act, now, effects);
        }
        if self.must_answer() {
            match code {
                KeyCode::Left | KeyCode::BackTab | KeyCode::Up => {
                    self.focus =
                        (self.focus + choices.len().saturating_sub(1)) % choices.len().max(1);
                }
                KeyCode::Right | KeyCode::Tab | KeyCode::Down => {
                    self.focus = (self.focus + 1) % choices.len().max(1);
                }
                KeyCode::Enter | KeyCode::Char(' ') => {
                    let act =
                        choices.get(self.focus).map_or(ChoiceAction::Cancel, |choice| choice.2);
                    return self.run_choice(act, now, effects);
                }
                KeyCode::Esc => return self.run_choice(ChoiceAction::Cancel, now, effects),
                _ => {}
            }
            return After::Stay;
        }
        if self.browse_key(code) {
            return After::Stay;
        }
        self.board_key(code, before_h, now, effects)
    }

    /// Browses through the moves. Returns false if the key means something else.
    fn browse_key(&mut self, code: KeyCode) -> bool {
        let last = self.game.moves().len();
        let at = self.ply.unwrap_or(last);
        let is_past = matches!(self.source, GameSource::Past(_));
        let to = match code {
            KeyCode::Char(',' | '<') => at.saturating_sub(1),
            KeyCode::Char('.' | '>') => at + 1,
            KeyCode::PageUp => at.saturating_sub(LEAP),
            KeyCode::PageDown => at + LEAP,
            KeyCode::Home => 0,
            KeyCode::End => last,
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h') if is_past => {
                at.saturating_sub(1)
            }
            KeyCode::Right | KeyCode::Enter | KeyCode::Char(' ' | 'l') if is_past => at + 1,
            KeyCode::Up | KeyCode::Char('k') if is_past => at.saturating_sub(LEAP),
            KeyCode::Down | KeyCode::Char('j') if is_past => at + LEAP,
            _ => return false,
        };
        self.ply = if to >= last && !is_past { None } else { Some(to.min(last)) };
        true
    }

    fn board_key(
        &mut self,
        code: KeyCode,
        before_h: Option<Square>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> After {
        let seen = self.view.game();
        let (phase, seat, seen_known) = (seen.phase, seen.seat, seen.known);
        let is_server = matches!(self.source, GameSource::Server(_));
        if let (Some(before), KeyCode::Char(c @ ('1'..='8' | 'x'))) = (before_h, code)
            && phase == Phase::Playing
            && seat.is_some()
        {
            self.cursor = before;
            self.text_input = Some(TextInput::Move(format!("h{c}")));
            return After::Stay;
        }
        match code {
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Char('h') => {
                self.before_h = Some(self.cursor);
                self.move_cursor(-1, 0);
            }
            KeyCode::Right | KeyCode::Char('l') => self.move_cursor(1, 0),
            KeyCode::Up | KeyCode::Char('k') => self.move_cursor(0, 1),
            KeyCode::Down | KeyCode::Char('j') => self.move_cursor(0, -1),
            KeyCode::Enter | KeyCode::Char(' ') => {
                self.is_cursor_shown = true;
                self.choose_square(self.cursor, now, effects);
            }
            KeyCode::Esc => {
                self.drop_selection();
                self.planned.clear();
                self.ply = None;
                self.note = Note::default();
                self.proof = hansu_chess::Bitboard::EMPTY;
            }
            KeyCode::Char('v') => self.is_flipped = !self.is_flipped,
            KeyCode::Char('?') => self.is_help_shown = true,
            KeyCode::Char('q') => return self.leave(),
            KeyCode::Char('p') if phase == Phase::Ended && seat.is_some() => {
                if matches!(self.source, GameSource::Local(_)) {
                    return After::Again;
                }
                self.send_wish(Wish::Offer { what: Offer::Rematch }, now, effects);
            }
            KeyCode::Char('s') if seen_known => {
                self.text_input = Some(TextInput::File(self.file_name()));
            }
            KeyCode::Char('m') if is_server => self.begin_chat(),
            _ if seat.is_none() => {}
            KeyCode::Char('t') if is_server && phase == Phase::Adjourned => {
                self.send_wish(Wish::Offer { what: Offer::Resumption }, now, effects);
            }
            KeyCode::Char('r') if matches!(phase, Phase::Playing | Phase::Adjourned) => {
                self.drop_selection();
                (self.dialog, self.focus) = (Some(Dialog::Resign), 1);
            }
            _ if phase != Phase::Playing => {}
            KeyCode::Char('t') if is_server => {
                self.send_wish(Wish::Offer { what: Offer::Adjournment }, now, effects);
            }
            KeyCode::Char('u') => {
                self.send_wish(Wish::Offer { what: Offer::Takeback }, now, effects);
            }
            KeyCode::Char('o') => {
                let can_claim = self.view.game().moves.as_ref().is_some_and(|m| m.claim.is_some());
                let wish = if can_claim {
                    Wish::ClaimDraw { with: None }
                } else {
                    Wish::Offer { what: Offer::Draw }
                };
                self.send_wish(wish, now, effects);
            }
            KeyCode::Char('w') if is_server => {
                self.drop_selection();
                (self.dialog, self.focus) = (Some(Dialog::Claim), 0);
            }
            KeyCode::Char('+') => {
                let to = self.view.game().receiver();
                self.send_wish(Wish::GiveTime { to }, now, effects);
            }
            KeyCode::Char('x') => self.send_wish(Wish::Abort, now, effects),
            KeyCode::Char(':' | '/' | 'i') => {
                self.text_input = Some(TextInput::Move(String::new()));
            }
            KeyCode::Char(c @ ('a'..='g' | 'N' | 'B' | 'R' | 'Q' | 'K' | 'O')) => {
                self.text_input = Some(TextInput::Move(c.to_string()));
            }
            _ => {}
        }
        After::Stay
    }

    fn begin_chat(&mut self) {
        let seen = self.view.game();
        if seen.seat.is_none() && seen.start.spectators == Spectators::Silent {
            return self.say(Screen::SilentSpectators);
        }
        self.text_input = Some(TextInput::Chat(String::new()));
    }

    fn guest_name(&self) -> String {
        if self.name.is_empty() {
            return self.lang.screen(Screen::Guest).to_owned();
        }
        self.name.clone()
    }

    fn export_source(&self) -> ExportSource {
        let kept = match &self.source {
            GameSource::Past(id) => Some(*id),
            GameSource::Local(game) => game.kept_id(),
            GameSource::Server(_) => None,
        };
        let shown =
            || ExportSource::Shown(Box::new(record_from_view(self.view.game(), &self.game)));
        kept.map_or_else(shown, ExportSource::Kept)
    }

    /// The suggested name for this game's file, without characters that a file system may refuse.
    fn file_name(&self) -> String {
        let seen = self.view.game();
        let names = &seen.start.names;
        let date = seen.started.map(pgn_date).unwrap_or_default();
        let parts = ["hansu", &names.white, &names.black, &date].map(|part| {
            let is_plain = |c: char| c.is_alphanumeric() || c == '-';
            part.chars().map(|c| if is_plain(c) { c } else { '-' }).collect::<String>()
        });
        let parts = parts.iter().map(|part| part.trim_matches('-')).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("-") + ".pgn"
    }

    fn leave(&mut self) -> After {
        let seen = self.view.game();
        let dialog = match seen.phase {
            Phase::Waiting if seen.known && seen.seat.is_some() => Dialog::Withdraw,
            Phase::Playing if seen.seat.is_some() && !seen.plies.is_empty() => Dialog::Leave,
            _ => return After::Leave,
        };
        self.drop_selection();
        (self.dialog, self.focus) = (Some(dialog), 0);
        After::Stay
    }

    /// Moves the cursor to the right and up, as the board is shown.
    fn move_cursor(&mut self, right: i8, up: i8) {
        let (files, ranks) = match self.seen_by() {
            Color::White => (right, up),
            Color::Black => (-right, -up),
        };
        if self.is_cursor_shown {
            self.cursor = self.cursor.offset(files, ranks).unwrap_or(self.cursor);
        }
        self.is_cursor_shown = true;
        self.ply = None;
    }

    fn type_key(&mut self, key: KeyEvent, now: Millis, effects: &mut Vec<Effect>) {
        let Some(text_input) = &mut self.text_input else { return };
        let (text, longest, is_move) = match text_input {
            TextInput::Move(text) => (text, LONGEST_MOVE, true),
            TextInput::Chat(text) => (text, LONGEST_CHAT, false),
            TextInput::File(text) => (text, LONGEST_FILE, false),
        };
        match key.code {
            KeyCode::Esc => self.text_input = None,
            // As in a shell.
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => text.clear(),
            KeyCode::Backspace if text.is_empty() => self.text_input = None,
            KeyCode::Backspace => {
                text.pop();
            }
            KeyCode::Enter => match self.text_input.take() {
                Some(TextInput::Move(text)) => self.play_typed(&text, now, effects),
                Some(TextInput::Chat(text)) if !text.trim().is_empty() => {
                    let name = self.view.game().seat.is_none().then(|| self.guest_name());
                    self.send_wish(Wish::Chat { text, name }, now, effects);
                }
                Some(TextInput::File(file)) if !file.trim().is_empty() => {
                    effects
                        .push(Effect::Log(LogRequest::Export { game: self.export_source(), file }));
                }
                _ => {}
            },
            KeyCode::Char(c) => {
                let is_text = !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
                if is_text && !c.is_control() && text.chars().count() < longest {
                    text.push(if is_move { latin(c) } else { c });
                }
            }
            _ => {}
        }
    }

    /// Handles a square that was chosen with the keyboard or the mouse.
    pub(crate) fn choose_square(&mut self, at: Square, now: Millis, effects: &mut Vec<Effect>) {
        self.note = Note::default();
        self.proof = hansu_chess::Bitboard::EMPTY;
        if self.ply.take().is_some() {
            return;
        }
        let is_target = self.marks().targets.contains(at);
        // Choosing a square without an own piece drops the planned moves.
        if self.selected.is_none() && !self.planned.is_empty() && !self.is_selectable(at) {
            return self.planned.clear();
        }
        match self.selected {
            Some(from) if from == at => self.drop_selection(),
            Some(from) if is_target || !self.is_selectable(at) => {
                self.attempt(UciMove { from, to: at, promotion: None }, now, effects);
            }
            _ => self.select(at),
        }
    }

    fn select(&mut self, at: Square) {
        self.drop_selection();
        if !self.is_selectable(at) {
            let is_playing = self.view.game().phase == Phase::Playing;
            if is_playing && self.view.game().seat.is_some() {
                let is_piece = self.game.position().piece_at(at).is_some();
                self.say(if is_piece { Screen::NotYours } else { Screen::NothingThere });
            }
            return;
        }
        self.selected = Some(at);
        self.cursor = at;
        let Some(moves) = &self.view.game().moves else { return };
        let way = |wanted: Special| {
            let of_king = |(text, special): (&String, &Special)| {
                let to = text.strip_prefix(&at.to_string())?;
                (*special == wanted).then(|| to.parse().ok())?
            };
            moves.special.iter().find_map(of_king)
        };
        let (left, right) = (way(Special::CastlingLeft), way(Special::CastlingRight));
        if left.is_some() || right.is_some() {
            self.dialog = Some(Dialog::Castling { from: at, left, right });
        }
    }

    /// Handles a mouse event.
    pub(crate) fn mouse(
        &mut self,
        mouse: MouseEvent,
        layout: &Layout,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> After {
        let MouseEvent { kind, column: x, row: y, .. } = mouse;
        let square = layout.square_at(x, y, self.seen_by());
        match kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.is_help_shown = false;
                let is_hit = |place: &Rect| {
                    y == place.y && x >= place.x && x < place.right() && !place.is_empty()
                };
                let hit = self.choice_places(layout).iter().position(is_hit);
                if let Some((_, _, act)) = hit.and_then(|at| self.choices().get(at).cloned()) {
                    return self.run_choice(act, now, effects);
                }
                if self.must_answer() {
                    return After::Stay;
                }
                self.is_cursor_shown = false;
                self.text_input = None;
                // A second click on the selected piece drops the selection.
                if let Some(at) = square
                    && self.selected != Some(at)
                    && !matches!(self.source, GameSource::Past(_))
                {
                    self.choose_square(at, now, effects);
                    self.pressed = self.selected.filter(|selected| *selected == at);
                } else {
                    self.pressed = None;
                    if square.is_some() && square == self.selected {
                        self.drop_selection();
                    }
                }
            }
            MouseEventKind::Up(MouseButton::Left) => {
                let from = self.pressed.take();
                if let (Some(from), Some(to)) = (from, square)
                    && from != to
                    && self.selected == Some(from)
                {
                    self.attempt(UciMove { from, to, promotion: None }, now, effects);
                }
            }
            MouseEventKind::ScrollUp => {
                self.browse_key(KeyCode::Char(','));
            }
            MouseEventKind::ScrollDown => {
                self.browse_key(KeyCode::Char('.'));
            }
            _ => {}
        }
        After::Stay
    }
}
