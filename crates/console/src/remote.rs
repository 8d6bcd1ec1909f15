//! The line game on a server: notices become text, typed lines become messages. The state of the
//! game is in `hansu_client::View`; the connection is the caller's.

use hansu_chess::{Game, Position, Refusal, Role, Square, UciMove};
use hansu_client::{Notice, View, ViewOutput};
use hansu_play::{Actor, Millis, Offer};
use hansu_protocol::{ChatMessage, ClientMessage, Language, Offered, Phase, ServerMessage, Wish};
use hansu_words::Lang;

use crate::input_line::{self, InputLine, LineCommand, LineError};
use crate::sentences::{self, Sentence};
use crate::{Next, Options, record};

/// A game on a server that is played line by line.
///
/// ```
/// use hansu_console::{InputLine, Options, Remote};
/// let mut remote = Remote::new(Options::default(), "a1");
/// assert_eq!(serde_json::to_value(remote.hello())?["type"], "hello");
/// // No move is sent before the server has sent the game.
/// assert!(remote.answer(InputLine::Text("e2 e4")).send.is_empty());
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct Remote {
    options: Options,
    view: View,
    promoting: Option<(Square, Square)>,
    next: Option<String>,
}

/// The answer to a line or a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteReply {
    /// The text for the player.
    pub text: String,
    /// The messages for the server.
    pub send: Vec<ClientMessage>,
    /// What follows.
    pub next: Next,
}

impl RemoteReply {
    fn new(send: Vec<ClientMessage>) -> RemoteReply {
        RemoteReply { text: String::new(), send, next: Next::Continue }
    }

    fn say(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }
}

impl Remote {
    /// A game that is not known yet. The ids of commands begin with `mark`, which must be different
    /// in each run of the program.
    pub fn new(options: Options, mark: &str) -> Remote {
        Remote { options, view: View::new(mark), promoting: None, next: None }
    }

    /// The first message on each connection. Pending commands follow after the server's welcome.
    pub fn hello(&self) -> ClientMessage {
        self.view.hello(match self.options.lang {
            Lang::Ko => Language::Ko,
            Lang::En => Language::En,
        })
    }

    /// True until the server has sent the game.
    pub fn is_new(&self) -> bool {
        !self.view.game().known
    }

    /// The id of the rematch, once both players have agreed to it.
    pub fn next_game(&self) -> Option<&str> {
        self.next.as_deref()
    }

    fn lang(&self) -> Lang {
        self.options.lang
    }

    fn say(&self, sentence: Sentence, reply: &mut RemoteReply) {
        reply.say(sentence.text(self.lang()));
    }

    /// The game, replayed from its moves. The server has checked them; an illegal one is skipped.
    fn game(&self) -> Game {
        let seen = self.view.game();
        let first = Position::from_fen(&seen.first.fen, seen.start.variant).unwrap_or_default();
        let mut game = Game::from_position(first, seen.start.variant);
        for UciMove { from, to, promotion } in seen.plies.iter().flat_map(|ply| ply.uci.parse()) {
            let _ = game.play(from, to, promotion);
        }
        game
    }

    /// Handles a message of the server that arrived at `now`.
    pub fn handle(&mut self, message: ServerMessage, now: Millis) -> RemoteReply {
        let ViewOutput { notices, send } = self.view.hear(message, now);
        let mut reply = RemoteReply::new(send);
        let is_shown = notices.contains(&Notice::Shown);
        for notice in notices {
            // After a snapshot the position is shown, so only these notices are needed.
            if !is_shown
                || matches!(notice, Notice::Shown | Notice::Chatted(_) | Notice::Rematch(_))
            {
                self.show_notice(notice, &mut reply);
            }
        }
        reply
    }

    fn show_notice(&mut self, notice: Notice, reply: &mut RemoteReply) {
        let seen = self.view.game();
        match notice {
            Notice::Shown if seen.phase == Phase::Waiting => self.say(Sentence::Waiting, reply),
            Notice::Shown => {
                self.introduce(reply);
                self.show_position(reply);
                for offer in seen.offers.iter().filter(|offer| !seen.is_ours(offer.by)) {
                    self.show_offer(*offer, reply);
                }
            }
            Notice::Started => {
                self.introduce(reply);
                self.show_position(reply);
            }
            // If the move ends the game, the position is shown once, with the end.
            Notice::Moved { .. } if self.game().outcome().is_some() => {}
            Notice::Moved { .. } | Notice::Ended(_) => self.show_position(reply),
            Notice::TakenBack => {
                self.say(Sentence::TakenBack, reply);
                self.show_position(reply);
            }
            Notice::Adjourned => self.say(Sentence::Adjourned, reply),
            Notice::Resumed => {
                self.say(Sentence::Resumed, reply);
                self.show_position(reply);
            }
            Notice::Offered(offer) => self.show_offer(offer, reply),
            Notice::Declined { what, .. } => {
                reply.say(&sentences::declined(what, self.lang()));
            }
            Notice::Left(side) if !seen.is_ours(side) => self.say(Sentence::OtherLeft, reply),
            Notice::Returned(side) if !seen.is_ours(side) => {
                self.say(Sentence::OtherReturned, reply);
            }
            Notice::Credited => self.say(Sentence::Credited, reply),
            Notice::Given { to, time } => reply.say(&sentences::given(to, time, self.lang())),
            Notice::Chatted(message) => reply.say(&chat_line(&message, self.lang())),
            Notice::Refused(refusal) => {
                reply.say(&refusal.text);
                self.prompt(reply);
            }
            Notice::Rematch(next) => {
                self.next = Some(next);
                reply.next = Next::End;
            }
            Notice::Bye(reason) if reason == "gone" => {
                self.say(Sentence::Withdrawn, reply);
                reply.next = Next::End;
            }
            Notice::Lapsed(_)
            | Notice::Left(_)
            | Notice::Returned(_)
            | Notice::Presence(_)
            | Notice::Bye(_) => {}
        }
    }

    fn introduce(&self, reply: &mut RemoteReply) {
        let seen = self.view.game();
        reply.say(&sentences::names(&seen.start.names, self.lang()));
        reply.say(sentences::seat(seen.seat, self.lang()));
        self.say(Sentence::RemoteHelp, reply);
    }

    fn show_offer(&self, Offered { what, by }: Offered, reply: &mut RemoteReply) {
        let is_ours = self.view.game().is_ours(by);
        let sentence = if is_ours { sentences::our_offer } else { sentences::their_offer };
        reply.say(&sentence(what, self.lang()));
    }

    fn show_position(&self, reply: &mut RemoteReply) {
        let game = self.game();
        self.options.board.draw(&game, &mut reply.text);
        match self.view.game().ending {
            Some(ending) => {
                reply.say(&self.lang().ending(ending));
                reply.say(&record(&game, Some(ending)));
                self.say(Sentence::AfterEnd, reply);
            }
            None => self.prompt(reply),
        }
    }

    fn prompt(&self, reply: &mut RemoteReply) {
        if matches!(self.view.game().phase, Phase::Playing | Phase::Adjourned) {
            reply.say(sentences::prompt(self.game().turn(), self.lang()));
        }
    }

    /// Answers a line of the player.
    pub fn answer(&mut self, line: InputLine<'_>) -> RemoteReply {
        let mut reply = RemoteReply::new(Vec::new());
        if let Some((from, to)) = self.promoting.take() {
            match input_line::parse_promotion(line, self.lang()) {
                Some(role) => self.play_move(from, to, Some(role), &mut reply),
                None => {
                    self.say(Sentence::BadPromotion, &mut reply);
                    self.ask_promotion(from, to, &mut reply);
                }
            }
            return reply;
        }
        if let InputLine::Text(text) = line
            && self.run_word(text.trim(), &mut reply)
        {
            return reply;
        }
        match input_line::parse_line(line, self.lang()) {
            Ok(LineCommand::Record) => reply.say(&record(&self.game(), self.view.game().ending)),
            Ok(LineCommand::Resign) => return self.send_wish(Wish::Resign),
            Ok(LineCommand::Move { from, to }) => {
                self.play_move(from, to, None, &mut reply);
                return reply;
            }
            Err(LineError::Format) => self.say(Sentence::RemoteHelp, &mut reply),
            Err(LineError::Tile) => self.say(Sentence::BadTile, &mut reply),
        }
        self.prompt(&mut reply);
        reply
    }

    /// Runs a word of the game on a server, such as `draw`. Returns false for any other text.
    fn run_word(&mut self, text: &str, reply: &mut RemoteReply) -> bool {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let wish = match (input_line::normalize(word).as_str(), rest.trim()) {
            ("나가기" | "quit", "") => {
                reply.next = Next::End;
                return true;
            }
            ("무승부" | "draw", "") => Some(Wish::Offer { what: Offer::Draw }),
            ("무르기" | "takeback", "") => Some(Wish::Offer { what: Offer::Takeback }),
            ("재대국" | "rematch", "") => Some(Wish::Offer { what: Offer::Rematch }),
            ("중단" | "abort", "") => Some(Wish::Abort),
            ("시간" | "give", "") => Some(Wish::GiveTime { to: self.view.game().receiver() }),
            ("수락" | "accept", "") => self.open_offer().map(|what| Wish::Accept { what }),
            ("거절" | "decline", "") => self.open_offer().map(|what| Wish::Decline { what }),
            ("말" | "say", text) if !text.is_empty() => {
                Some(Wish::Chat { text: text.to_owned(), name: None })
            }
            _ => return false,
        };
        match wish {
            Some(wish) => *reply = self.send_wish(wish),
            None => self.say(Sentence::NoOffer, reply),
        }
        true
    }

    /// The newest offer of the other side to which no answer is pending.
    fn open_offer(&self) -> Option<Offer> {
        let (seen, pending) = (self.view.game(), self.view.pending().open());
        let is_answered = |offer: Offer| {
            pending.iter().any(|command| match command.wish {
                Wish::Accept { what } | Wish::Decline { what } => what == offer,
                _ => false,
            })
        };
        let theirs = seen.offers.iter().rev().filter(|offer| !seen.is_ours(offer.by));
        theirs.map(|offer| offer.what).find(|what| !is_answered(*what))
    }

    fn play_move(
        &mut self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
        reply: &mut RemoteReply,
    ) {
        if self.view.game().phase == Phase::Waiting {
            return self.say(Sentence::NoOpponent, reply);
        }
        // The server checks the move; only the choice of a promotion is made here.
        let refusal = self.game().refusal(from, to, promotion);
        if matches!(refusal, Some(Refusal::PromotionMissing { .. })) {
            return self.ask_promotion(from, to, reply);
        }
        *reply = self.send_wish(Wish::Move { uci: UciMove { from, to, promotion }.to_string() });
    }

    fn ask_promotion(&mut self, from: Square, to: Square, reply: &mut RemoteReply) {
        self.promoting = Some((from, to));
        self.say(Sentence::Promotion, reply);
    }

    fn send_wish(&mut self, wish: Wish) -> RemoteReply {
        RemoteReply::new(vec![self.view.wish(wish)])
    }
}

/// A chat message as one line, without control characters.
pub(crate) fn chat_line(ChatMessage { from, name, text, .. }: &ChatMessage, lang: Lang) -> String {
    let is_player = matches!(from, Actor::White | Actor::Black);
    let name = if name.is_empty() && !is_player { "?" } else { name };
    let line = match from {
        Actor::Spectator => format!("{name} {}: {text}", lang.watching()),
        _ => format!("{name}: {text}"),
    };
    line.chars().filter(|c| !c.is_control()).collect()
}
