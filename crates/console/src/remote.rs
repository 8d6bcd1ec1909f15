//! The terminal at a game of a server: lines and messages in, text and messages out. Opens no
//! connection itself.

use std::fmt::Write as _;

use hansu_chess::{Color, Game, Position, Square, UciMove};
use hansu_play::{Actor, Ending, Entry, Event, Offer, Start};
use hansu_protocol::{ClientMessage, Language, Place, ServerMessage, Snapshot, VERSION, Wish};
use hansu_words::Lang;

use crate::line::{self, Line, Slip};
use crate::sentences::{self, Sentence};
use crate::{Next, Options, record};

/// A conversation about a game of a server.
///
/// ```
/// use hansu_console::{Line, Options, Remote};
/// let mut remote = Remote::new(Options::default(), "a1");
/// assert_eq!(serde_json::to_value(remote.hello())?["type"], "hello");
/// // Nothing can be played before the server has shown the game.
/// assert!(remote.line(Line::Text("e2 e4")).send.is_empty());
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct Remote {
    options: Options,
    /// What tells this terminal's commands from those of an earlier run.
    prefix: String,
    seat: Option<Place>,
    seq: u64,
    start: Option<Start>,
    game: Game,
    ending: Option<Ending>,
    offers: Vec<Offer>,
    promoting: Option<(Square, Square)>,
    sent: u64,
    /// Sent, and not answered yet: sent once more under the same name after a break.
    unanswered: Vec<(String, Wish)>,
    next: Option<String>,
}

/// What is said to a line or a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spoken {
    /// For the player.
    pub text: String,
    /// For the server.
    pub send: Vec<ClientMessage>,
    /// What comes after it.
    pub next: Next,
}

impl Spoken {
    fn nothing() -> Spoken {
        Spoken { text: String::new(), send: Vec::new(), next: Next::Line }
    }
}

impl Remote {
    /// A conversation that has not begun. `prefix` is different for every run of the program.
    pub fn new(options: Options, prefix: &str) -> Remote {
        Remote {
            options,
            prefix: prefix.to_owned(),
            seat: None,
            seq: 0,
            start: None,
            game: Game::start(),
            ending: None,
            offers: Vec::new(),
            promoting: None,
            sent: 0,
            unanswered: Vec::new(),
            next: None,
        }
    }

    /// What is said first on every connection.
    pub fn hello(&self) -> ClientMessage {
        let lang = match self.options.lang {
            Lang::Ko => Language::Ko,
            Lang::En => Language::En,
        };
        ClientMessage::Hello { v: VERSION, seq: self.seq, lang }
    }

    /// What is said again after a break.
    pub fn again(&self) -> Vec<ClientMessage> {
        let again = |(id, command): &(String, Wish)| ClientMessage::Command {
            id: id.clone(),
            command: command.clone(),
        };
        self.unanswered.iter().map(again).collect()
    }

    /// Whether the server has shown nothing yet.
    pub fn is_new(&self) -> bool {
        self.start.is_none() && self.seq == 0
    }

    /// The next game of the series, once both want it.
    pub fn next_game(&self) -> Option<&str> {
        self.next.as_deref()
    }

    fn lang(&self) -> Lang {
        self.options.lang
    }

    fn both(&self, korean: &'static str, english: &'static str) -> &'static str {
        match self.lang() {
            Lang::Ko => korean,
            Lang::En => english,
        }
    }

    /// What the server says.
    pub fn hear(&mut self, message: ServerMessage) -> Spoken {
        let mut spoken = Spoken::nothing();
        match message {
            ServerMessage::Welcome { seat, .. } => self.seat = seat,
            ServerMessage::Snapshot(snapshot) => self.show(*snapshot, &mut spoken),
            ServerMessage::Event(happened) => {
                let seq = happened.entry.seq;
                if seq == self.seq + 1 {
                    self.seq = seq;
                    self.happened(&happened.entry, &mut spoken);
                } else if seq > self.seq {
                    spoken.send.push(ClientMessage::Sync { seq: self.seq });
                }
            }
            ServerMessage::Ack { id, .. } => self.unanswered.retain(|(known, _)| *known != id),
            ServerMessage::Refused { id, refusal, .. } => {
                self.unanswered.retain(|(known, _)| *known != id);
                let _ = writeln!(spoken.text, "{}", refusal.text);
                self.prompt(&mut spoken.text);
            }
            ServerMessage::Bye { reason } => {
                if reason == "gone" {
                    spoken.text.push_str(
                        self.both("초대가 거둬들여졌어요.\n", "The invitation was withdrawn.\n"),
                    );
                    spoken.next = Next::End;
                }
            }
            ServerMessage::Turn { .. }
            | ServerMessage::Why { .. }
            | ServerMessage::Presence { .. }
            | ServerMessage::Beat { .. } => {}
        }
        spoken
    }

    fn show(&mut self, snapshot: Snapshot, spoken: &mut Spoken) {
        self.seq = snapshot.seq;
        self.ending = snapshot.ending;
        self.next = snapshot.next;
        self.offers.clear();
        let variant = snapshot.start.variant;
        let first = Position::from_fen(&snapshot.first.fen, variant).unwrap_or_default();
        self.game = Game::from_position(first, variant);
        for ply in &snapshot.plies {
            self.play(&ply.uci);
        }
        if snapshot.phase == hansu_protocol::Phase::Waiting {
            spoken.text.push_str(
                self.both("상대를 기다리고 있어요.\n", "Waiting for the other player.\n"),
            );
            return;
        }
        self.start = Some(snapshot.start);
        self.introduce(&mut spoken.text);
        self.show_position(spoken);
    }

    fn introduce(&self, text: &mut String) {
        let Some(start) = &self.start else { return };
        let (white, black) = (&start.names.white, &start.names.black);
        let _ = match self.lang() {
            Lang::Ko => writeln!(text, "백 {white}, 흑 {black}"),
            Lang::En => writeln!(text, "White {white}, Black {black}"),
        };
        text.push_str(match (self.seat, self.lang()) {
            (Some(Place::White), Lang::Ko) => "백으로 둬요.\n",
            (Some(Place::White), Lang::En) => "You play White.\n",
            (Some(Place::Black), Lang::Ko) => "흑으로 둬요.\n",
            (Some(Place::Black), Lang::En) => "You play Black.\n",
            (Some(Place::Both), Lang::Ko) => "두 편을 모두 둬요.\n",
            (Some(Place::Both), Lang::En) => "You play both sides.\n",
            (None, Lang::Ko) => "구경하고 있어요.\n",
            (None, Lang::En) => "You watch.\n",
        });
        text.push_str(self.help());
    }

    fn help(&self) -> &'static str {
        self.both(
            "수는 'e2 e4'처럼 써요. 기보, 기권, 무승부, 무르기, 수락, 거절, 재대국, 말 (하고 싶은 말), 나가기\n",
            "A move is 'e2 e4'. Also: record, resign, draw, takeback, accept, decline, rematch, \
             say (something), quit\n",
        )
    }

    fn play(&mut self, uci: &str) {
        if let Ok(UciMove { from, to, promotion }) = uci.parse() {
            // The server has judged the move; one that does not fit shows with the next snapshot.
            let _ = self.game.play(from, to, promotion);
        }
    }

    fn happened(&mut self, entry: &Entry, spoken: &mut Spoken) {
        match &entry.event {
            Event::Started(start) => {
                self.start = Some(start.clone());
                let fen = start.fen.as_deref();
                let first = fen.and_then(|fen| Position::from_fen(fen, start.variant).ok());
                self.game = Game::from_position(first.unwrap_or_default(), start.variant);
                self.introduce(&mut spoken.text);
                self.show_position(spoken);
            }
            Event::Moved { uci, .. } => {
                self.offers.retain(|offer| *offer != Offer::Takeback);
                self.play(&uci.to_string());
                // A game that ends with its move is shown once, with the end.
                if self.game.outcome().is_none() {
                    self.show_position(spoken);
                }
            }
            Event::TakenBack { plies, .. } => {
                for _ in 0..*plies {
                    self.game.take_back();
                }
                self.note("수를 물렀어요.", "Moves were taken back.", spoken);
                self.show_position(spoken);
            }
            Event::Offered { what, by } => self.offered(*what, *by, spoken),
            Event::Declined { what, .. } => {
                let what = self.lang().offer(*what);
                let _ = match self.lang() {
                    Lang::Ko => writeln!(spoken.text, "{what}: 거절했어요."),
                    Lang::En => writeln!(spoken.text, "Declined: {what}."),
                };
            }
            Event::Adjourned { .. } => {
                self.note("봉수했어요. 다음에 이어서 둬요.", "The game is adjourned.", spoken);
            }
            Event::Resumed => {
                self.note("다시 시작해요.", "The game goes on.", spoken);
                self.show_position(spoken);
            }
            Event::Left { side } if !self.is_own(*side) => {
                self.note("상대가 자리를 비웠어요.", "The other player has left.", spoken);
            }
            Event::Returned { side } if !self.is_own(*side) => {
                self.note("상대가 돌아왔어요.", "The other player is back.", spoken);
            }
            Event::Credited { .. } => self.note(
                "서버가 멈춘 동안의 시간을 돌려받았어요.",
                "The time during which the server was away was given back.",
                spoken,
            ),
            Event::Left { .. } | Event::Returned { .. } => {}
            Event::Chatted { from, name, text } => {
                self.chatted(*from, name.as_deref(), text, spoken);
            }
            Event::RematchAgreed { next } => {
                self.next = Some(next.clone());
                spoken.next = Next::End;
            }
            Event::Ended { ending, .. } => {
                self.ending = Some(*ending);
                self.show_position(spoken);
            }
        }
    }

    fn note(&self, korean: &'static str, english: &'static str, spoken: &mut Spoken) {
        spoken.text.push_str(self.both(korean, english));
        spoken.text.push('\n');
    }

    fn is_own(&self, side: Color) -> bool {
        match self.seat {
            Some(Place::White) => side == Color::White,
            Some(Place::Black) => side == Color::Black,
            Some(Place::Both) => true,
            None => false,
        }
    }

    fn offered(&mut self, what: Offer, by: Color, spoken: &mut Spoken) {
        let name = self.lang().offer(what);
        if self.is_own(by) {
            let _ = match self.lang() {
                Lang::Ko => writeln!(spoken.text, "{name}: 상대에게 물었어요."),
                Lang::En => writeln!(spoken.text, "Offered: {name}."),
            };
            return;
        }
        self.offers.retain(|offer| *offer != what);
        self.offers.push(what);
        let _ = match self.lang() {
            Lang::Ko => writeln!(spoken.text, "{name}: 상대가 제안했어요. (수락 / 거절)"),
            Lang::En => writeln!(spoken.text, "The other side offers: {name}. (accept / decline)"),
        };
    }

    fn chatted(&self, from: Actor, name: Option<&str>, text: &str, spoken: &mut Spoken) {
        let names = self.start.as_ref().map(|start| &start.names);
        let who = match (from, names) {
            (Actor::White, Some(names)) => names.white.as_str(),
            (Actor::Black, Some(names)) => names.black.as_str(),
            _ => name.unwrap_or("?"),
        };
        // Control characters do not get this far, but a terminal is the place to be sure.
        let line: String = format!("{who}: {text}").chars().filter(|c| !c.is_control()).collect();
        let _ = writeln!(spoken.text, "{line}");
    }

    fn show_position(&self, spoken: &mut Spoken) {
        self.options.board.draw(&self.game, &mut spoken.text);
        match self.ending {
            Some(ending) => {
                let _ = writeln!(spoken.text, "{}", self.lang().ending(ending));
                let _ = writeln!(spoken.text, "{}", record(&self.game, Some(ending)));
                self.note("재대국 / 나가기", "rematch / quit", spoken);
            }
            None => self.prompt(&mut spoken.text),
        }
    }

    fn prompt(&self, text: &mut String) {
        if self.ending.is_none() && self.start.is_some() {
            text.push_str(sentences::prompt(self.game.turn(), self.lang()));
            text.push('\n');
        }
    }

    /// What the player types.
    pub fn line(&mut self, line: Line<'_>) -> Spoken {
        let mut spoken = Spoken::nothing();
        if let Some((from, to)) = self.promoting.take() {
            match line::promotion(line, self.lang()) {
                Some(role) => self.go(from, to, Some(role), &mut spoken),
                None => {
                    spoken.text.push_str(Sentence::BadPromotion.text(self.lang()));
                    spoken.text.push('\n');
                    self.ask_promotion(from, to, &mut spoken);
                }
            }
            return spoken;
        }
        if let Line::Text(text) = line
            && self.word(text.trim(), &mut spoken)
        {
            return spoken;
        }
        match line::wish(line, self.lang()) {
            Ok(line::Wish::Record) => {
                let _ = writeln!(spoken.text, "{}", record(&self.game, self.ending));
                self.prompt(&mut spoken.text);
            }
            Ok(line::Wish::Resign) => self.ask(Wish::Resign, &mut spoken),
            Ok(line::Wish::Move { from, to }) => self.go(from, to, None, &mut spoken),
            Err(Slip::Format) => {
                spoken.text.push_str(self.help());
                self.prompt(&mut spoken.text);
            }
            Err(Slip::Tile) => {
                spoken.text.push_str(Sentence::BadTile.text(self.lang()));
                spoken.text.push('\n');
                self.prompt(&mut spoken.text);
            }
        }
        spoken
    }

    /// A word of the game over the network; whether it was one.
    fn word(&mut self, text: &str, spoken: &mut Spoken) -> bool {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match (line::composed(word).as_str(), rest.trim()) {
            ("나가기" | "quit", "") => spoken.next = Next::End,
            ("무승부" | "draw", "") => self.ask(Wish::Offer { what: Offer::Draw }, spoken),
            ("무르기" | "takeback", "") => {
                self.ask(Wish::Offer { what: Offer::Takeback }, spoken);
            }
            ("재대국" | "rematch", "") => self.ask(Wish::Offer { what: Offer::Rematch }, spoken),
            ("중단" | "abort", "") => self.ask(Wish::Abort, spoken),
            ("수락" | "accept", "") => self.answer(|what| Wish::Accept { what }, spoken),
            ("거절" | "decline", "") => self.answer(|what| Wish::Decline { what }, spoken),
            ("말" | "say", said) if !said.is_empty() => {
                self.ask(Wish::Chat { text: said.to_owned(), name: None }, spoken);
            }
            _ => return false,
        }
        true
    }

    /// Answers the offer that came last.
    fn answer(&mut self, wish: impl Fn(Offer) -> Wish, spoken: &mut Spoken) {
        match self.offers.pop() {
            Some(what) => self.ask(wish(what), spoken),
            None => self.note("받은 제안이 없어요.", "Nothing is on offer.", spoken),
        }
    }

    fn go(
        &mut self,
        from: Square,
        to: Square,
        promotion: Option<hansu_chess::Role>,
        spoken: &mut Spoken,
    ) {
        if self.start.is_none() {
            return self.note("아직 상대가 없어요.", "Nobody plays against you yet.", spoken);
        }
        // The server judges; only the question which piece a pawn shall become is asked here.
        let refusal = self.game.refusal(from, to, promotion);
        if matches!(refusal, Some(hansu_chess::Refusal::PromotionMissing { .. })) {
            return self.ask_promotion(from, to, spoken);
        }
        self.ask(Wish::Move { uci: UciMove { from, to, promotion }.to_string() }, spoken);
    }

    fn ask_promotion(&mut self, from: Square, to: Square, spoken: &mut Spoken) {
        self.promoting = Some((from, to));
        spoken.text.push_str(Sentence::Promotion.text(self.lang()));
        spoken.text.push('\n');
    }

    fn ask(&mut self, command: Wish, spoken: &mut Spoken) {
        self.sent += 1;
        let id = format!("{}-{}", self.prefix, self.sent);
        self.unanswered.push((id.clone(), command.clone()));
        spoken.send.push(ClientMessage::Command { id, command });
    }
}
