//! Keys and mouse at the screen of a game.

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
use super::game::{After, Asking, Entry, GameScreen, Note, Place};
use super::layout::Layout;
use super::reading::{Exported, LogRequest, day, shown_record};

/// The longest typed move, chat line and name of a file, in characters.
const LONGEST_MOVE: usize = 12;
const LONGEST_CHAT: usize = 300;
const LONGEST_FILE: usize = 200;
/// Plies that Page Up and Page Down leap over.
const LEAP: usize = 10;

/// What a choice under the board does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    Go(UciMove),
    Cancel,
    Resign,
    Leave,
    Withdraw,
    Accept(Offer),
    Decline(Offer),
    Claim(Claimed),
}

/// The Latin letter on the key of a Korean one: an input method that is left on does no harm.
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
    pub(crate) fn choices(&self) -> Vec<(char, String, Act)> {
        let word = |phrase| self.lang.screen(phrase).to_owned();
        let step = |from, to, promotion| Act::Go(UciMove { from, to, promotion });
        let yes_no =
            |act| vec![('y', word(Screen::Yes), act), ('n', word(Screen::No), Act::Cancel)];
        match self.asking {
            Some(Asking::Castling { from, left, right }) => {
                let ways = [(left, Screen::Left), (right, Screen::Right)];
                let ways = ways.into_iter().filter_map(|(to, phrase)| Some((to?, phrase)));
                let mut choices: Vec<_> = ways
                    .zip(['1', '2'])
                    .map(|((to, phrase), key)| (key, word(phrase), step(from, to, None)))
                    .collect();
                let key = if choices.len() == 2 { '3' } else { '2' };
                choices.push((key, word(Screen::Cancel), Act::Cancel));
                choices
            }
            Some(Asking::Promotion { from, to }) => {
                let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
                let mut choices: Vec<_> = roles
                    .into_iter()
                    .map(|role| {
                        let name = self.lang.role(role).to_owned();
                        (role.letter().to_ascii_lowercase(), name, step(from, to, Some(role)))
                    })
                    .collect();
                choices.push(('c', word(Screen::Cancel), Act::Cancel));
                choices
            }
            Some(Asking::Resign) => yes_no(Act::Resign),
            Some(Asking::Leave) => yes_no(Act::Leave),
            Some(Asking::Withdraw) => yes_no(Act::Withdraw),
            Some(Asking::Claim) => vec![
                ('1', word(Screen::ClaimWin), Act::Claim(Claimed::Win)),
                ('2', word(Screen::ClaimDraw), Act::Claim(Claimed::Draw)),
                ('3', word(Screen::Cancel), Act::Cancel),
            ],
            None => match self.open_offer() {
                Some(what) => vec![
                    ('y', word(Screen::Accept), Act::Accept(what)),
                    ('n', word(Screen::Decline), Act::Decline(what)),
                ],
                None => Vec::new(),
            },
        }
    }

    /// Where each choice stands in the line for input.
    pub(crate) fn choice_places(&self, layout: &Layout) -> Vec<Rect> {
        let mut x = layout.input.x;
        let place = |(_, name, _): &(char, String, Act)| {
            let wide = u16::try_from(width(name) + 4).unwrap_or(u16::MAX);
            let place = Rect::new(x, layout.input.y, wide, 1).intersection(layout.input);
            x = x.saturating_add(wide + 1);
            place
        };
        self.choices().iter().map(place).collect()
    }

    /// True while nothing but the answer is taken.
    fn must_answer(&self) -> bool {
        !matches!(self.asking, None | Some(Asking::Castling { .. }))
    }

    fn act(&mut self, act: Act, now: Millis, effects: &mut Vec<Effect>) -> After {
        self.asking = None;
        self.focus = 0;
        match act {
            Act::Go(step) => self.attempt(step, now, effects),
            Act::Cancel => self.drop_selection(),
            Act::Resign => self.wish(Wish::Resign, now, effects),
            Act::Leave => return After::Leave,
            Act::Withdraw => {
                self.wish(Wish::Abort, now, effects);
                // There is nothing to come back to.
                if let Place::Server(connection) = &mut self.place {
                    connection.address = None;
                }
                return After::Leave;
            }
            Act::Accept(what) => self.wish(Wish::Accept { what }, now, effects),
            Act::Decline(what) => self.wish(Wish::Decline { what }, now, effects),
            Act::Claim(result) => self.wish(Wish::ClaimAbsence { result }, now, effects),
        }
        After::Stay
    }

    /// Takes a key.
    pub(crate) fn key(&mut self, key: KeyEvent, now: Millis, effects: &mut Vec<Effect>) -> After {
        if self.is_help_shown {
            self.is_help_shown = false;
            return After::Stay;
        }
        if self.entry.is_some() {
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
            return self.act(act, now, effects);
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
                    let act = choices.get(self.focus).map_or(Act::Cancel, |choice| choice.2);
                    return self.act(act, now, effects);
                }
                KeyCode::Esc => return self.act(Act::Cancel, now, effects),
                _ => {}
            }
            return After::Stay;
        }
        if self.browse_key(code) {
            return After::Stay;
        }
        self.board_key(code, now, effects)
    }

    /// Goes through the moves; false if the key means something else.
    fn browse_key(&mut self, code: KeyCode) -> bool {
        let last = self.game.moves().len();
        let at = self.ply.unwrap_or(last);
        let is_past = matches!(self.place, Place::Past(_));
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

    fn board_key(&mut self, code: KeyCode, now: Millis, effects: &mut Vec<Effect>) -> After {
        let seen = self.view.seen();
        let (phase, seat, seen_known) = (seen.phase, seen.seat, seen.known);
        let is_server = matches!(self.place, Place::Server(_));
        match code {
            KeyCode::Left | KeyCode::Char('h') => self.step(-1, 0),
            KeyCode::Right | KeyCode::Char('l') => self.step(1, 0),
            KeyCode::Up | KeyCode::Char('k') => self.step(0, 1),
            KeyCode::Down | KeyCode::Char('j') => self.step(0, -1),
            KeyCode::Enter | KeyCode::Char(' ') => {
                self.is_cursor_shown = true;
                self.touch(self.cursor, now, effects);
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
                if matches!(self.place, Place::Local(_)) {
                    return After::Again;
                }
                self.wish(Wish::Offer { what: Offer::Rematch }, now, effects);
            }
            KeyCode::Char('s') if seen_known => {
                self.entry = Some(Entry::File(self.file_name()));
            }
            KeyCode::Char('m') if is_server => self.begin_chat(),
            _ if seat.is_none() => {}
            KeyCode::Char('t') if is_server && phase == Phase::Adjourned => {
                self.wish(Wish::Offer { what: Offer::Resumption }, now, effects);
            }
            KeyCode::Char('r') if matches!(phase, Phase::Playing | Phase::Adjourned) => {
                self.drop_selection();
                (self.asking, self.focus) = (Some(Asking::Resign), 1);
            }
            _ if phase != Phase::Playing => {}
            KeyCode::Char('t') if is_server => {
                self.wish(Wish::Offer { what: Offer::Adjournment }, now, effects);
            }
            KeyCode::Char('u') => self.wish(Wish::Offer { what: Offer::Takeback }, now, effects),
            KeyCode::Char('o') => {
                let can_claim = self.view.seen().moves.as_ref().is_some_and(|m| m.claim.is_some());
                let wish = if can_claim {
                    Wish::ClaimDraw { with: None }
                } else {
                    Wish::Offer { what: Offer::Draw }
                };
                self.wish(wish, now, effects);
            }
            KeyCode::Char('w') if is_server => {
                self.drop_selection();
                (self.asking, self.focus) = (Some(Asking::Claim), 0);
            }
            KeyCode::Char('+') => {
                let to = self.view.seen().receiver();
                self.wish(Wish::GiveTime { to }, now, effects);
            }
            KeyCode::Char('x') => self.wish(Wish::Abort, now, effects),
            KeyCode::Char(':' | '/' | 'i') => self.entry = Some(Entry::Move(String::new())),
            KeyCode::Char(c @ ('a'..='g' | 'N' | 'B' | 'R' | 'Q' | 'K' | 'O')) => {
                self.entry = Some(Entry::Move(c.to_string()));
            }
            _ => {}
        }
        After::Stay
    }

    fn begin_chat(&mut self) {
        let seen = self.view.seen();
        if seen.seat.is_none() && seen.start.spectators == Spectators::Silent {
            return self.say(Screen::SilentSpectators);
        }
        self.entry = Some(Entry::Chat(String::new()));
    }

    fn guest_name(&self) -> String {
        if self.name.is_empty() {
            return self.lang.screen(Screen::Guest).to_owned();
        }
        self.name.clone()
    }

    fn exported(&self) -> Exported {
        let kept = match &self.place {
            Place::Past(id) => Some(*id),
            Place::Local(game) => game.kept_id(),
            Place::Server(_) => None,
        };
        let shown = || Exported::Shown(Box::new(shown_record(self.view.seen(), &self.game)));
        kept.map_or_else(shown, Exported::Kept)
    }

    /// A name for the file of this game, of letters that every system takes.
    fn file_name(&self) -> String {
        let seen = self.view.seen();
        let names = &seen.start.names;
        let date = seen.started.map(day).unwrap_or_default();
        let parts = ["hansu", &names.white, &names.black, &date].map(|part| {
            let is_plain = |c: char| c.is_alphanumeric() || c == '-';
            part.chars().map(|c| if is_plain(c) { c } else { '-' }).collect::<String>()
        });
        let parts = parts.iter().map(|part| part.trim_matches('-')).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("-") + ".pgn"
    }

    fn leave(&mut self) -> After {
        let seen = self.view.seen();
        let asking = match seen.phase {
            Phase::Waiting if seen.known && seen.seat.is_some() => Asking::Withdraw,
            Phase::Playing if seen.seat.is_some() && !seen.plies.is_empty() => Asking::Leave,
            _ => return After::Leave,
        };
        self.drop_selection();
        (self.asking, self.focus) = (Some(asking), 0);
        After::Stay
    }

    /// Moves the cursor as the board is seen.
    fn step(&mut self, right: i8, up: i8) {
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
        let Some(entry) = &mut self.entry else { return };
        let (text, longest, is_move) = match entry {
            Entry::Move(text) => (text, LONGEST_MOVE, true),
            Entry::Chat(text) => (text, LONGEST_CHAT, false),
            Entry::File(text) => (text, LONGEST_FILE, false),
        };
        match key.code {
            KeyCode::Esc => self.entry = None,
            // As in a shell.
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => text.clear(),
            KeyCode::Backspace if text.is_empty() => self.entry = None,
            KeyCode::Backspace => {
                text.pop();
            }
            KeyCode::Enter => match self.entry.take() {
                Some(Entry::Move(text)) => self.typed(&text, now, effects),
                Some(Entry::Chat(text)) if !text.trim().is_empty() => {
                    let name = self.view.seen().seat.is_none().then(|| self.guest_name());
                    self.wish(Wish::Chat { text, name }, now, effects);
                }
                Some(Entry::File(file)) if !file.trim().is_empty() => {
                    effects.push(Effect::Log(LogRequest::Export { game: self.exported(), file }));
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

    /// A square was chosen.
    pub(crate) fn touch(&mut self, at: Square, now: Millis, effects: &mut Vec<Effect>) {
        self.note = Note::default();
        self.proof = hansu_chess::Bitboard::EMPTY;
        if self.ply.take().is_some() {
            return;
        }
        let is_target = self.marks().targets.contains(at);
        // A click beside the pieces takes back what is planned.
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
            let is_playing = self.view.seen().phase == Phase::Playing;
            if is_playing && self.view.seen().seat.is_some() {
                let is_piece = self.game.position().piece_at(at).is_some();
                self.say(if is_piece { Screen::NotYours } else { Screen::NothingThere });
            }
            return;
        }
        self.selected = Some(at);
        self.cursor = at;
        let Some(moves) = &self.view.seen().moves else { return };
        let way = |wanted: Special| {
            let of_king = |(text, special): (&String, &Special)| {
                let to = text.strip_prefix(&at.to_string())?;
                (*special == wanted).then(|| to.parse().ok())?
            };
            moves.special.iter().find_map(of_king)
        };
        let (left, right) = (way(Special::CastlingLeft), way(Special::CastlingRight));
        if left.is_some() || right.is_some() {
            self.asking = Some(Asking::Castling { from: at, left, right });
        }
    }

    /// Takes the mouse.
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
                    return self.act(act, now, effects);
                }
                if self.must_answer() {
                    return After::Stay;
                }
                self.is_cursor_shown = false;
                self.entry = None;
                // A piece that is already in the hand stays there until the button goes up.
                if let Some(at) = square
                    && self.selected != Some(at)
                    && !matches!(self.place, Place::Past(_))
                {
                    self.touch(at, now, effects);
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
