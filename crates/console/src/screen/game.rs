//! The screen of one game: its state, and how messages change it. Moves are in `moving.rs`, keys and
//! mouse in `controls.rs`, drawing in `game_draw.rs`.

use hansu_chess::{Bitboard, Color, Game, Position, Square, UciMove};
use hansu_client::{Notice, View, ViewOutput};
use hansu_play::{Command, Millis, Offer, Sides};
use hansu_protocol::{ClientMessage, Language, Phase, ServerMessage, Turn, Wish};
use hansu_records::GameId;
use hansu_words::{Lang, Screen};

use super::event::{Effect, Invitation, NetworkRequest, ThinkRequest};
use super::local::LocalGame;
use crate::board::last_move;
use crate::tile::Marks;

/// The most messages that one input may cause; more would be an endless loop.
const MOST_MESSAGES: usize = 64;

/// Where the game runs.
pub(crate) enum GameSource {
    /// In this process.
    Local(Box<LocalGame>),
    /// On a server.
    Server(Connection),
    /// In the log, for replay only.
    Past(GameId),
}

/// The connection of a game on a server.
#[derive(Debug, Default)]
pub(crate) struct Connection {
    pub(crate) session: u64,
    pub(crate) is_up: bool,
    /// True once it was up.
    pub(crate) was_up: bool,
    pub(crate) invitation: Option<Invitation>,
    /// The URL of the game.
    pub(crate) address: Option<String>,
}

/// A question to the player, with choices under the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialog {
    /// To which side the selected king castles. The board can be used meanwhile.
    Castling {
        from: Square,
        left: Option<Square>,
        right: Option<Square>,
    },
    /// Which piece a pawn becomes.
    Promotion {
        from: Square,
        to: Square,
    },
    Resign,
    Leave,
    /// Withdraw the invitation.
    Withdraw,
    /// Claim a win or a draw, since the opponent has left.
    Claim,
}

/// The text that is being typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TextInput {
    Move(String),
    Chat(String),
    /// The name of the file that the game is exported to.
    File(String),
}

/// A message under the board, until the next key.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Note {
    pub(crate) text: String,
    pub(crate) is_alarm: bool,
}

/// What follows after a key or a click.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum After {
    Stay,
    Leave,
    /// Start another game like this one.
    Again,
}

/// The screen of one game.
pub(crate) struct GameScreen {
    pub(crate) view: View,
    pub(crate) source: GameSource,
    /// The number of a game in this process, so that the computer's answers for others are dropped.
    number: u64,
    /// The game, replayed from the view's moves whenever these change.
    pub(crate) game: Game,
    pub(crate) lang: Lang,
    pub(crate) bell: bool,
    /// The name of a spectator in the chat.
    pub(crate) name: String,
    pub(crate) cursor: Square,
    pub(crate) is_cursor_shown: bool,
    /// The cursor before the last key, if that was `h`: it may have begun a move.
    pub(crate) before_h: Option<Square>,
    pub(crate) selected: Option<Square>,
    /// The square where the mouse button was pressed.
    pub(crate) pressed: Option<Square>,
    pub(crate) dialog: Option<Dialog>,
    pub(crate) focus: usize,
    pub(crate) text_input: Option<TextInput>,
    /// Planned moves, first to last; they are played when it is the player's turn.
    pub(crate) planned: Vec<UciMove>,
    /// The ply that is shown; None for the last one.
    pub(crate) ply: Option<usize>,
    pub(crate) is_flipped: bool,
    pub(crate) is_help_shown: bool,
    pub(crate) note: Note,
    pub(crate) proof: Bitboard,
    /// The number of the event after which the computer was asked.
    asked_after: Option<u64>,
}

impl GameScreen {
    fn new(source: GameSource, lang: Lang, bell: bool, mark: &str) -> GameScreen {
        GameScreen {
            view: View::new(mark),
            source,
            number: 0,
            game: Game::start(),
            lang,
            bell,
            name: String::new(),
            cursor: Square::E2,
            is_cursor_shown: false,
            before_h: None,
            selected: None,
            pressed: None,
            dialog: None,
            focus: 0,
            text_input: None,
            planned: Vec::new(),
            ply: None,
            is_flipped: false,
            is_help_shown: false,
            note: Note::default(),
            proof: Bitboard::EMPTY,
            asked_after: None,
        }
    }

    /// A game in this process.
    pub(crate) fn local(
        (mut game, number): (LocalGame, u64),
        lang: Lang,
        bell: bool,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> GameScreen {
        let messages = game.hello_messages(now);
        let mut screen = GameScreen::new(GameSource::Local(Box::new(game)), lang, bell, "board");
        screen.number = number;
        screen.handle_messages(messages, now, effects);
        screen
    }

    /// A game on a server; its state comes over the network.
    pub(crate) fn server(session: u64, lang: Lang, bell: bool, mark: &str) -> GameScreen {
        let connection = Connection { session, ..Connection::default() };
        GameScreen::new(GameSource::Server(connection), lang, bell, mark)
    }

    /// A game of the log, from the messages that describe it.
    pub(crate) fn past(
        id: GameId,
        messages: Vec<ServerMessage>,
        lang: Lang,
        now: Millis,
    ) -> GameScreen {
        let mut screen = GameScreen::new(GameSource::Past(id), lang, false, "past");
        screen.handle_messages(messages, now, &mut Vec::new());
        screen.ply = Some(0);
        screen
    }

    /// The side at the bottom of the board.
    pub(crate) fn seen_by(&self) -> Color {
        let own = match self.view.game().seat {
            Some(hansu_protocol::Seat::Black) => Color::Black,
            _ => Color::White,
        };
        if self.is_flipped { !own } else { own }
    }

    pub(crate) fn say(&mut self, phrase: Screen) {
        self.note = Note { text: self.lang.screen(phrase).to_owned(), is_alarm: false };
    }

    pub(crate) fn complain(&mut self, text: &str) {
        self.note = Note { text: text.to_owned(), is_alarm: true };
    }

    /// Sends the hello, once there is a connection to the server.
    pub(crate) fn send_hello(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        if let GameSource::Server(connection) = &mut self.source {
            connection.is_up = true;
            connection.was_up = true;
        }
        let hello = self.view.hello(match self.lang {
            Lang::Ko => Language::Ko,
            Lang::En => Language::En,
        });
        self.send(hello, now, effects);
    }

    /// Marks the connection as lost; the network reconnects.
    pub(crate) fn set_disconnected(&mut self) {
        if let GameSource::Server(connection) = &mut self.source {
            connection.is_up = false;
        }
    }

    /// The URL of an unfinished game on a server.
    pub(crate) fn address(&self) -> Option<&str> {
        let is_over = self.view.game().phase == Phase::Ended || self.view.game().bye.is_some();
        match &self.source {
            GameSource::Server(connection) if !is_over => connection.address.as_deref(),
            _ => None,
        }
    }

    /// Sends a message to the server, or to the game in this process and handles its answers.
    pub(crate) fn send(&mut self, message: ClientMessage, now: Millis, effects: &mut Vec<Effect>) {
        match &mut self.source {
            GameSource::Local(game) => {
                let messages = game.handle(message, now);
                self.handle_messages(messages, now, effects);
            }
            GameSource::Server(connection) => {
                // Without a connection the command stays pending and is sent after the welcome.
                if connection.is_up {
                    let request = NetworkRequest::Send(message);
                    effects.push(Effect::Network { session: connection.session, request });
                }
            }
            GameSource::Past(_) => {}
        }
    }

    pub(crate) fn send_wish(&mut self, wish: Wish, now: Millis, effects: &mut Vec<Effect>) {
        let message = self.view.wish(wish);
        self.send(message, now, effects);
    }

    /// Handles messages, and sends the messages with which the view answers.
    pub(crate) fn handle_messages(
        &mut self,
        messages: Vec<ServerMessage>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let mut messages: std::collections::VecDeque<ServerMessage> = messages.into();
        let mut handled = 0;
        while let Some(message) = messages.pop_front() {
            handled += 1;
            let seq = self.view.game().seq;
            let ViewOutput { notices, send } = self.view.hear(message, now);
            if self.view.game().seq != seq || notices.contains(&Notice::Shown) {
                self.rebuild();
            }
            let is_shown = notices.contains(&Notice::Shown);
            for notice in notices {
                self.handle_notice(notice, is_shown, effects);
            }
            for message in send {
                match &mut self.source {
                    GameSource::Local(game) if handled < MOST_MESSAGES => {
                        messages.extend(game.handle(message, now));
                    }
                    GameSource::Local(_) => {}
                    _ => self.send(message, now, effects),
                }
            }
        }
        self.play_planned(now, effects);
        self.ask_computer(effects);
    }

    /// Replays the moves of the view. The server has checked them; an illegal one is skipped.
    fn rebuild(&mut self) {
        let seen = self.view.game();
        let known = self.game.moves().len();
        let is_next = seen.plies.len() == known + 1
            && self.game.position().fen()
                == known.checked_sub(1).map_or(&seen.first, |at| &seen.plies[at].board).fen;
        if !is_next {
            let first = Position::from_fen(&seen.first.fen, seen.start.variant).unwrap_or_default();
            self.game = Game::from_position(first, seen.start.variant);
        }
        let from = if is_next { known } else { 0 };
        let steps = seen.plies[from..].iter().flat_map(|ply| ply.uci.parse());
        for UciMove { from, to, promotion } in steps {
            let _ = self.game.play(from, to, promotion);
        }
        if let Some(from) = self.selected
            && self.game.position().piece_at(from).is_none()
        {
            self.drop_selection();
        }
    }

    pub(crate) fn drop_selection(&mut self) {
        self.selected = None;
        if matches!(self.dialog, Some(Dialog::Castling { .. } | Dialog::Promotion { .. })) {
            self.dialog = None;
        }
    }

    fn handle_notice(&mut self, notice: Notice, is_shown: bool, effects: &mut Vec<Effect>) {
        let is_ours = |side: Turn| self.view.game().is_ours(side);
        match notice {
            Notice::Moved { by, .. } => {
                if !is_ours(by) || self.view.game().seat.is_none() {
                    self.ring(effects);
                }
                self.proof = Bitboard::EMPTY;
                // A refusal that came with the snapshot stays.
                if !is_shown {
                    self.note = Note::default();
                }
                // A piece that can still be moved or planned stays selected.
                if self.selected.is_some_and(|at| !self.is_selectable(at)) {
                    self.drop_selection();
                }
                if is_shown {
                    self.ply = None;
                }
            }
            Notice::Ended(_) => {
                self.ring(effects);
                self.drop_selection();
                self.dialog = None;
                self.planned.clear();
                self.note = Note::default();
            }
            Notice::Refused(refusal) => {
                let squares = refusal.squares.iter().chain(&refusal.by);
                self.proof = squares.filter_map(|text| text.parse().ok()).collect();
                let denied = self.view.game().denied.as_ref();
                if denied.is_some_and(|denied| matches!(denied.wish, Some(Wish::Move { .. }))) {
                    self.planned.clear();
                }
                self.complain(&refusal.text);
            }
            Notice::TakenBack => {
                self.drop_selection();
                self.planned.clear();
                self.say(Screen::TakenBack);
            }
            Notice::Offered(offer) if is_ours(offer.by) => {
                let text = self.lang.screen_offered(offer.what);
                self.note = Note { text, is_alarm: false };
            }
            Notice::Offered(_) => {
                // The status line shows the offer as long as it is open.
                self.note = Note::default();
                self.ring(effects);
            }
            Notice::Declined { what, .. } => {
                let text = self.lang.screen_declined(what);
                self.note = Note { text, is_alarm: false };
            }
            Notice::Adjourned => self.say(Screen::Adjourned),
            Notice::Left(side) if !is_ours(side) => self.say(Screen::OtherLeft),
            Notice::Returned(side) if !is_ours(side) => self.say(Screen::OtherReturned),
            Notice::Resumed => self.note = Note::default(),
            Notice::Credited => self.say(Screen::Credited),
            Notice::Given { to, time } => {
                let text = crate::sentences::given(to, time, self.lang);
                self.note = Note { text, is_alarm: false };
            }
            Notice::Started => self.ring(effects),
            Notice::Rematch(game) => {
                if let GameSource::Server(connection) = &self.source {
                    let request = NetworkRequest::Follow { game };
                    effects.push(Effect::Network { session: connection.session, request });
                }
            }
            Notice::Bye(reason) if reason == "gone" => self.say(Screen::Withdrawn),
            Notice::Bye(_) => {
                let text = self.lang.screen(Screen::OtherVersion);
                self.complain(text);
            }
            Notice::Shown
            | Notice::Lapsed(_)
            | Notice::Left(_)
            | Notice::Returned(_)
            | Notice::Presence(_)
            | Notice::Chatted(_) => {}
        }
    }

    fn ring(&self, effects: &mut Vec<Effect>) {
        if self.bell && !effects.contains(&Effect::Bell) {
            effects.push(Effect::Bell);
        }
    }

    /// Asks the computer, once after each event.
    fn ask_computer(&mut self, effects: &mut Vec<Effect>) {
        let GameSource::Local(game) = &self.source else { return };
        if self.asked_after == Some(game.state().seq()) {
            return;
        }
        if let Some(thinking) = game.question() {
            self.asked_after = Some(thinking.seq);
            effects.push(Effect::Think(Box::new(ThinkRequest { game: self.number, ..thinking })));
        }
    }

    /// Handles the computer's answer.
    pub(crate) fn handle_thought(
        &mut self,
        (number, seq): (u64, u64),
        command: Option<Command>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let GameSource::Local(game) = &mut self.source else { return };
        if number != self.number || game.state().seq() != seq {
            return;
        }
        let messages =
            command.map(|command| game.run_computer_command(&command, now)).unwrap_or_default();
        if messages.is_empty() {
            let text = self.lang.screen(Screen::ThoughtFailed);
            return self.complain(text);
        }
        self.handle_messages(messages, now, effects);
    }

    /// Lets a flag fall in a game in this process, if its time is up.
    pub(crate) fn tick(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        if let GameSource::Local(game) = &mut self.source {
            let messages = game.tick(now);
            if !messages.is_empty() {
                self.handle_messages(messages, now, effects);
            }
        }
    }

    /// The time that a clock shows; None without a clock.
    pub(crate) fn clock(&self, color: Color, now: Millis) -> Option<Millis> {
        let seen = self.view.game();
        if let Some(clocks) = self.ply.and_then(|ply| self.clocks_after(ply)) {
            return Some(clocks[color]);
        }
        let side = hansu_view::side(color);
        match seen.ticking.filter(|ticking| ticking.side == side) {
            Some(ticking) => Some(ticking.from.map_or(ticking.left, |from| {
                ticking.left.minus(self.server_time(now).minus(from))
            })),
            None => Some(seen.clocks?[color]),
        }
    }

    fn clocks_after(&self, ply: usize) -> Option<Sides<Millis>> {
        self.view.game().plies.get(ply.checked_sub(1)?)?.clocks
    }

    fn server_time(&self, now: Millis) -> Millis {
        let offset = self.view.game().offset.unwrap_or(0);
        Millis(now.0.saturating_add_signed(offset))
    }

    /// Milliseconds until a running clock shows another time; None if no clock runs.
    pub(crate) fn next_tick(&self, now: Millis) -> Option<u64> {
        let ticking = self.view.game().ticking?;
        let until = ticking.until.minus(self.server_time(now)).0.max(10);
        let Some(from) = ticking.from else { return Some(until.min(1_000)) };
        let started = self.server_time(now).0.saturating_sub(from.0);
        let left = ticking.left.0.saturating_sub(started);
        let step = if left < TENTHS_BELOW { 100 } else { 1_000 };
        Some((left % step + 1).max(20).min(until))
    }

    /// The marks on the board.
    pub(crate) fn marks(&self) -> Marks {
        let Some(position) = self.position() else { return Marks::default() };
        if let Some(ply) = self.ply {
            let mut shown = self.game.clone();
            while shown.moves().len() > ply {
                shown.take_back();
            }
            return Marks::of(position, last_move(&shown));
        }
        let mut marks = Marks::of(position, last_move(&self.game));
        marks.proof = self.proof;
        marks.selected = self.selected;
        marks.cursor = Some(self.cursor).filter(|_| self.is_cursor_shown);
        let seen = self.view.game();
        if let (Some(from), Some(moves)) = (self.selected, &seen.moves) {
            marks.targets =
                moves.targets.get(&from.to_string()).map_or(Bitboard::EMPTY, |t| squares(t));
        }
        for step in self.moves_ahead() {
            marks.planned |= [step.from, step.to].into_iter().collect();
        }
        marks
    }

    /// The position that is shown; None before the game is known.
    pub(crate) fn position(&self) -> Option<&Position> {
        if !self.view.game().known {
            return None;
        }
        let positions = self.game.positions();
        positions.get(self.ply.unwrap_or(usize::MAX)).or(positions.last())
    }

    /// The newest offer of the other side.
    pub(crate) fn open_offer(&self) -> Option<Offer> {
        let seen = self.view.game();
        if seen.seat.is_none() || seen.seat == Some(hansu_protocol::Seat::Both) {
            return None;
        }
        let theirs = seen.offers.iter().rev().find(|offer| !seen.is_ours(offer.by))?;
        let is_answered = self.view.pending().open().iter().any(|open| {
            matches!(open.wish, Wish::Accept { what } | Wish::Decline { what } if what == theirs.what)
        });
        (!is_answered).then_some(theirs.what)
    }
}

/// A clock shows tenths of a second below this many milliseconds.
pub(crate) const TENTHS_BELOW: u64 = 20_000;

/// The squares of a text such as `e3e4`.
pub(crate) fn squares(text: &str) -> Bitboard {
    let pair = |at: usize| text.get(at..at + 2).and_then(|square| square.parse::<Square>().ok());
    (0..text.len()).step_by(2).filter_map(pair).collect()
}
