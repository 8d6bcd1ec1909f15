//! The screen of one game: what it knows, and what follows from messages. Moves that are tried are
//! in `moving.rs`, keys and mouse in `hand.rs`, drawing in `game_draw.rs`.

use hansu_chess::{Bitboard, Color, Game, Position, Square, UciMove};
use hansu_client::{Heard, Notice, View};
use hansu_play::{Command, Millis, Offer, Sides};
use hansu_protocol::{ClientMessage, Language, Phase, ServerMessage, Turn, Wish};
use hansu_records::GameId;
use hansu_words::{Lang, Screen};

use super::event::{Effect, Invitation, NetworkRequest, Thinking};
use super::local::LocalGame;
use crate::board::last_move;
use crate::tile::Marks;

/// Messages that one key may lead to; more would be a circle.
const MOST_MESSAGES: usize = 64;

/// Where the game is.
pub(crate) enum Place {
    /// In this process.
    Local(Box<LocalGame>),
    /// On a server.
    Server(Connection),
    /// In the log, to look at.
    Past(GameId),
}

/// How a game on a server is reached.
#[derive(Debug, Default)]
pub(crate) struct Connection {
    pub(crate) session: u64,
    pub(crate) is_up: bool,
    pub(crate) was_up: bool,
    pub(crate) invitation: Option<Invitation>,
    /// The address of the game.
    pub(crate) address: Option<String>,
}

/// Something that waits for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asking {
    /// Which way the selected king castles. The board goes on meanwhile.
    Castling {
        from: Square,
        left: Option<Square>,
        right: Option<Square>,
    },
    /// What a pawn becomes.
    Promotion {
        from: Square,
        to: Square,
    },
    Resign,
    Leave,
    /// Whether an invitation is withdrawn.
    Withdraw,
    /// What is claimed from an opponent who has left.
    Claim,
}

/// A line that is being typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    Move(String),
    Chat(String),
    /// The name of a file for the game.
    File(String),
}

/// What is said under the board until the next key.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Note {
    pub(crate) text: String,
    pub(crate) is_alarm: bool,
}

/// Whether the screen stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum After {
    Stay,
    Leave,
    /// The same game again.
    Again,
}

/// The screen of one game.
pub(crate) struct GameScreen {
    pub(crate) view: View,
    pub(crate) place: Place,
    /// Tells thoughts about this game from those about others.
    number: u64,
    /// The game by its moves, made anew when the view changes.
    pub(crate) game: Game,
    pub(crate) lang: Lang,
    pub(crate) bell: bool,
    /// What a spectator is called in the chat.
    pub(crate) name: String,
    pub(crate) cursor: Square,
    pub(crate) is_cursor_shown: bool,
    pub(crate) selected: Option<Square>,
    /// Where the mouse went down.
    pub(crate) pressed: Option<Square>,
    pub(crate) asking: Option<Asking>,
    pub(crate) focus: usize,
    pub(crate) entry: Option<Entry>,
    /// Moves for when it is our turn, in their order.
    pub(crate) planned: Vec<UciMove>,
    /// The ply that is looked at, when not the last.
    pub(crate) ply: Option<usize>,
    pub(crate) is_flipped: bool,
    pub(crate) is_help_shown: bool,
    pub(crate) note: Note,
    pub(crate) proof: Bitboard,
    /// The event after which the computer was asked.
    asked: Option<u64>,
}

impl GameScreen {
    fn new(place: Place, lang: Lang, bell: bool, mark: &str) -> GameScreen {
        GameScreen {
            view: View::new(mark),
            place,
            number: 0,
            game: Game::start(),
            lang,
            bell,
            name: String::new(),
            cursor: Square::E2,
            is_cursor_shown: false,
            selected: None,
            pressed: None,
            asking: None,
            focus: 0,
            entry: None,
            planned: Vec::new(),
            ply: None,
            is_flipped: false,
            is_help_shown: false,
            note: Note::default(),
            proof: Bitboard::EMPTY,
            asked: None,
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
        let messages = game.greet(now);
        let mut screen = GameScreen::new(Place::Local(Box::new(game)), lang, bell, "board");
        screen.number = number;
        screen.hear_all(messages, now, effects);
        screen
    }

    /// A game on a server, which will be told of over the network.
    pub(crate) fn server(session: u64, lang: Lang, bell: bool, mark: &str) -> GameScreen {
        let connection = Connection { session, ..Connection::default() };
        GameScreen::new(Place::Server(connection), lang, bell, mark)
    }

    /// A game that is over, from its messages.
    pub(crate) fn past(
        id: GameId,
        messages: Vec<ServerMessage>,
        lang: Lang,
        now: Millis,
    ) -> GameScreen {
        let mut screen = GameScreen::new(Place::Past(id), lang, false, "past");
        screen.hear_all(messages, now, &mut Vec::new());
        screen.ply = Some(0);
        screen
    }

    /// The side at the bottom.
    pub(crate) fn seen_by(&self) -> Color {
        let own = match self.view.seen().seat {
            Some(hansu_protocol::Place::Black) => Color::Black,
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

    /// There is a connection to the server.
    pub(crate) fn greet(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        if let Place::Server(connection) = &mut self.place {
            connection.is_up = true;
            connection.was_up = true;
        }
        let hello = self.view.hello(match self.lang {
            Lang::Ko => Language::Ko,
            Lang::En => Language::En,
        });
        self.send(hello, now, effects);
    }

    /// The connection broke; it is tried again.
    pub(crate) fn cut(&mut self) {
        if let Place::Server(connection) = &mut self.place {
            connection.is_up = false;
        }
    }

    /// The address under which a game that is not over is found again.
    pub(crate) fn address(&self) -> Option<&str> {
        let is_over = self.view.seen().phase == Phase::Ended || self.view.seen().bye.is_some();
        match &self.place {
            Place::Server(connection) if !is_over => connection.address.as_deref(),
            _ => None,
        }
    }

    /// Says something to wherever the game is, and takes the answers.
    pub(crate) fn send(&mut self, message: ClientMessage, now: Millis, effects: &mut Vec<Effect>) {
        match &mut self.place {
            Place::Local(game) => {
                let messages = game.hear(message, now);
                self.hear_all(messages, now, effects);
            }
            Place::Server(connection) => {
                // What is said while the connection is away is sent again after the welcome.
                if connection.is_up {
                    let request = NetworkRequest::Say(message);
                    effects.push(Effect::Network { session: connection.session, request });
                }
            }
            Place::Past(_) => {}
        }
    }

    pub(crate) fn wish(&mut self, wish: Wish, now: Millis, effects: &mut Vec<Effect>) {
        let message = self.view.wish(wish);
        self.send(message, now, effects);
    }

    /// Takes messages; what the view answers goes the same way.
    pub(crate) fn hear_all(
        &mut self,
        messages: Vec<ServerMessage>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let mut messages: std::collections::VecDeque<ServerMessage> = messages.into();
        let mut heard_so_far = 0;
        while let Some(message) = messages.pop_front() {
            heard_so_far += 1;
            let seq = self.view.seen().seq;
            let Heard { notices, send } = self.view.hear(message, now);
            if self.view.seen().seq != seq || notices.contains(&Notice::Shown) {
                self.rebuild();
            }
            let is_shown = notices.contains(&Notice::Shown);
            for notice in notices {
                self.tell(notice, is_shown, effects);
            }
            for message in send {
                match &mut self.place {
                    Place::Local(game) if heard_so_far < MOST_MESSAGES => {
                        messages.extend(game.hear(message, now));
                    }
                    Place::Local(_) => {}
                    _ => self.send(message, now, effects),
                }
            }
        }
        self.play_planned(now, effects);
        self.ask_computer(effects);
    }

    /// Plays the moves of the view through. The server has judged them; one that cannot be played
    /// is left out.
    fn rebuild(&mut self) {
        let seen = self.view.seen();
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
        if matches!(self.asking, Some(Asking::Castling { .. } | Asking::Promotion { .. })) {
            self.asking = None;
        }
    }

    fn tell(&mut self, notice: Notice, is_shown: bool, effects: &mut Vec<Effect>) {
        let is_ours = |side: Turn| self.view.seen().is_ours(side);
        match notice {
            Notice::Moved { by, .. } => {
                if !is_ours(by) || self.view.seen().seat.is_none() {
                    self.ring(effects);
                }
                self.proof = Bitboard::EMPTY;
                // With a snapshot comes what was said about it.
                if !is_shown {
                    self.note = Note::default();
                }
                // A piece that is held for a planned move stays in the hand.
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
                self.asking = None;
                self.planned.clear();
                self.note = Note::default();
            }
            Notice::Refused(refusal) => {
                let squares = refusal.squares.iter().chain(&refusal.by);
                self.proof = squares.filter_map(|text| text.parse().ok()).collect();
                let denied = self.view.seen().denied.as_ref();
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
                // The offer itself is shown as long as it stands.
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
                if let Place::Server(connection) = &self.place {
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
        let Place::Local(game) = &self.place else { return };
        if self.asked == Some(game.state().seq()) {
            return;
        }
        if let Some(thinking) = game.question() {
            self.asked = Some(thinking.seq);
            effects.push(Effect::Think(Box::new(Thinking { game: self.number, ..thinking })));
        }
    }

    /// The computer has thought.
    pub(crate) fn thought(
        &mut self,
        (number, seq): (u64, u64),
        command: Option<Command>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let Place::Local(game) = &mut self.place else { return };
        if number != self.number || game.state().seq() != seq {
            return;
        }
        let messages = command.map(|command| game.computer(&command, now)).unwrap_or_default();
        if messages.is_empty() {
            let text = self.lang.screen(Screen::ThoughtFailed);
            return self.complain(text);
        }
        self.hear_all(messages, now, effects);
    }

    /// Time has passed.
    pub(crate) fn tick(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        if let Place::Local(game) = &mut self.place {
            let messages = game.tick(now);
            if !messages.is_empty() {
                self.hear_all(messages, now, effects);
            }
        }
    }

    /// What a clock shows.
    pub(crate) fn clock(&self, color: Color, now: Millis) -> Option<Millis> {
        let seen = self.view.seen();
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
        self.view.seen().plies.get(ply.checked_sub(1)?)?.clocks
    }

    fn server_time(&self, now: Millis) -> Millis {
        let offset = self.view.seen().offset.unwrap_or(0);
        Millis(now.0.saturating_add_signed(offset))
    }

    /// When the screen changes by itself, in milliseconds: a clock that runs shows another time.
    pub(crate) fn next_tick(&self, now: Millis) -> Option<u64> {
        let ticking = self.view.seen().ticking?;
        let until = ticking.until.minus(self.server_time(now)).0.max(10);
        let Some(from) = ticking.from else { return Some(until.min(1_000)) };
        let started = self.server_time(now).0.saturating_sub(from.0);
        let left = ticking.left.0.saturating_sub(started);
        let step = if left < SOON { 100 } else { 1_000 };
        Some((left % step + 1).max(20).min(until))
    }

    /// What is marked on the board.
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
        let seen = self.view.seen();
        if let (Some(from), Some(moves)) = (self.selected, &seen.moves) {
            marks.targets =
                moves.targets.get(&from.to_string()).map_or(Bitboard::EMPTY, |t| squares(t));
        }
        for step in self.ahead() {
            marks.planned |= [step.from, step.to].into_iter().collect();
        }
        marks
    }

    /// The position that is shown; none before the game is known.
    pub(crate) fn position(&self) -> Option<&Position> {
        if !self.view.seen().known {
            return None;
        }
        let positions = self.game.positions();
        positions.get(self.ply.unwrap_or(usize::MAX)).or(positions.last())
    }

    /// The newest offer of the other side.
    pub(crate) fn open_offer(&self) -> Option<Offer> {
        let seen = self.view.seen();
        if seen.seat.is_none() || seen.seat == Some(hansu_protocol::Place::Both) {
            return None;
        }
        let theirs = seen.offers.iter().rev().find(|offer| !seen.is_ours(offer.by))?;
        let is_answered = self.view.pending().open().iter().any(|open| {
            matches!(open.wish, Wish::Accept { what } | Wish::Decline { what } if what == theirs.what)
        });
        (!is_answered).then_some(theirs.what)
    }
}

/// Below this many milliseconds tenths of a second are shown.
pub(crate) const SOON: u64 = 20_000;

/// The squares of a text such as `e3e4`.
pub(crate) fn squares(text: &str) -> Bitboard {
    let pair = |at: usize| text.get(at..at + 2).and_then(|square| square.parse::<Square>().ok());
    (0..text.len()).step_by(2).filter_map(pair).collect()
}
