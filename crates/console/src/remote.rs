//! The terminal at a game of a server: notices become text, typed lines become messages. What is
//! known of the game is in `hansu_client::View`; there is no connection here.

use hansu_chess::{Game, Position, Refusal, Role, Square, UciMove};
use hansu_client::{Heard, Notice, View};
use hansu_play::{Actor, Millis, Offer};
use hansu_protocol::{ClientMessage, Language, Offered, Phase, Said, ServerMessage, Wish};
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
    view: View,
    promoting: Option<(Square, Square)>,
    next: Option<String>,
}

/// The answer to a line or a message.
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
    fn new(send: Vec<ClientMessage>) -> Spoken {
        Spoken { text: String::new(), send, next: Next::Line }
    }

    fn say(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }
}

impl Remote {
    /// A conversation that has not begun. The ids of commands begin with `mark`, which must be
    /// different in each run of the program.
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

    /// True until the server has shown the game.
    pub fn is_new(&self) -> bool {
        !self.view.seen().known
    }

    /// The next game of the series, once both players have agreed to it here.
    pub fn next_game(&self) -> Option<&str> {
        self.next.as_deref()
    }

    fn lang(&self) -> Lang {
        self.options.lang
    }

    fn say(&self, sentence: Sentence, spoken: &mut Spoken) {
        spoken.say(sentence.text(self.lang()));
    }

    /// The game by its moves. The server has judged them; one that cannot be played is left out.
    fn game(&self) -> Game {
        let seen = self.view.seen();
        let first = Position::from_fen(&seen.first.fen, seen.start.variant).unwrap_or_default();
        let mut game = Game::from_position(first, seen.start.variant);
        for UciMove { from, to, promotion } in seen.plies.iter().flat_map(|ply| ply.uci.parse()) {
            let _ = game.play(from, to, promotion);
        }
        game
    }

    /// Takes a message of the server that arrived at `now`.
    pub fn hear(&mut self, message: ServerMessage, now: Millis) -> Spoken {
        let Heard { notices, send } = self.view.hear(message, now);
        let mut spoken = Spoken::new(send);
        let is_shown = notices.contains(&Notice::Shown);
        for notice in notices {
            // After a snapshot the position says what has happened, except for these.
            if !is_shown
                || matches!(notice, Notice::Shown | Notice::Chatted(_) | Notice::Rematch(_))
            {
                self.tell(notice, &mut spoken);
            }
        }
        spoken
    }

    fn tell(&mut self, notice: Notice, spoken: &mut Spoken) {
        let seen = self.view.seen();
        match notice {
            Notice::Shown if seen.phase == Phase::Waiting => self.say(Sentence::Waiting, spoken),
            Notice::Shown => {
                self.introduce(spoken);
                self.show_position(spoken);
                for offer in seen.offers.iter().filter(|offer| !seen.is_ours(offer.by)) {
                    self.offered(*offer, spoken);
                }
            }
            Notice::Started => {
                self.introduce(spoken);
                self.show_position(spoken);
            }
            // A game that ends with its move is shown once, with the end.
            Notice::Moved { .. } if self.game().outcome().is_some() => {}
            Notice::Moved { .. } | Notice::Ended(_) => self.show_position(spoken),
            Notice::TakenBack => {
                self.say(Sentence::TakenBack, spoken);
                self.show_position(spoken);
            }
            Notice::Adjourned => self.say(Sentence::Adjourned, spoken),
            Notice::Resumed => {
                self.say(Sentence::Resumed, spoken);
                self.show_position(spoken);
            }
            Notice::Offered(offer) => self.offered(offer, spoken),
            Notice::Declined { what, .. } => {
                spoken.say(&sentences::declined(what, self.lang()));
            }
            Notice::Left(side) if !seen.is_ours(side) => self.say(Sentence::OtherLeft, spoken),
            Notice::Returned(side) if !seen.is_ours(side) => {
                self.say(Sentence::OtherReturned, spoken);
            }
            Notice::Credited => self.say(Sentence::Credited, spoken),
            Notice::Given { to, time } => spoken.say(&sentences::given(to, time, self.lang())),
            Notice::Chatted(said) => spoken.say(&chat_line(&said, self.lang())),
            Notice::Refused(refusal) => {
                spoken.say(&refusal.text);
                self.prompt(spoken);
            }
            Notice::Rematch(next) => {
                self.next = Some(next);
                spoken.next = Next::End;
            }
            Notice::Bye(reason) if reason == "gone" => {
                self.say(Sentence::Withdrawn, spoken);
                spoken.next = Next::End;
            }
            Notice::Lapsed(_)
            | Notice::Left(_)
            | Notice::Returned(_)
            | Notice::Presence(_)
            | Notice::Bye(_) => {}
        }
    }

    fn introduce(&self, spoken: &mut Spoken) {
        let seen = self.view.seen();
        spoken.say(&sentences::names(&seen.start.names, self.lang()));
        spoken.say(sentences::seat(seen.seat, self.lang()));
        self.say(Sentence::RemoteHelp, spoken);
    }

    fn offered(&self, Offered { what, by }: Offered, spoken: &mut Spoken) {
        let is_ours = self.view.seen().is_ours(by);
        let sentence = if is_ours { sentences::our_offer } else { sentences::their_offer };
        spoken.say(&sentence(what, self.lang()));
    }

    fn show_position(&self, spoken: &mut Spoken) {
        let game = self.game();
        self.options.board.draw(&game, &mut spoken.text);
        match self.view.seen().ending {
            Some(ending) => {
                spoken.say(&self.lang().ending(ending));
                spoken.say(&record(&game, Some(ending)));
                self.say(Sentence::AfterEnd, spoken);
            }
            None => self.prompt(spoken),
        }
    }

    fn prompt(&self, spoken: &mut Spoken) {
        if matches!(self.view.seen().phase, Phase::Playing | Phase::Adjourned) {
            spoken.say(sentences::prompt(self.game().turn(), self.lang()));
        }
    }

    /// Takes a line of the player.
    pub fn line(&mut self, line: Line<'_>) -> Spoken {
        let mut spoken = Spoken::new(Vec::new());
        if let Some((from, to)) = self.promoting.take() {
            match line::promotion(line, self.lang()) {
                Some(role) => self.go(from, to, Some(role), &mut spoken),
                None => {
                    self.say(Sentence::BadPromotion, &mut spoken);
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
            Ok(line::Wish::Record) => spoken.say(&record(&self.game(), self.view.seen().ending)),
            Ok(line::Wish::Resign) => return self.ask(Wish::Resign),
            Ok(line::Wish::Move { from, to }) => {
                self.go(from, to, None, &mut spoken);
                return spoken;
            }
            Err(Slip::Format) => self.say(Sentence::RemoteHelp, &mut spoken),
            Err(Slip::Tile) => self.say(Sentence::BadTile, &mut spoken),
        }
        self.prompt(&mut spoken);
        spoken
    }

    /// Takes a word of the game over the network; returns false if it was not one.
    fn word(&mut self, text: &str, spoken: &mut Spoken) -> bool {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let wish = match (line::composed(word).as_str(), rest.trim()) {
            ("나가기" | "quit", "") => {
                spoken.next = Next::End;
                return true;
            }
            ("무승부" | "draw", "") => Some(Wish::Offer { what: Offer::Draw }),
            ("무르기" | "takeback", "") => Some(Wish::Offer { what: Offer::Takeback }),
            ("재대국" | "rematch", "") => Some(Wish::Offer { what: Offer::Rematch }),
            ("중단" | "abort", "") => Some(Wish::Abort),
            ("시간" | "give", "") => Some(Wish::GiveTime { to: self.view.seen().receiver() }),
            ("수락" | "accept", "") => self.open_offer().map(|what| Wish::Accept { what }),
            ("거절" | "decline", "") => self.open_offer().map(|what| Wish::Decline { what }),
            ("말" | "say", said) if !said.is_empty() => {
                Some(Wish::Chat { text: said.to_owned(), name: None })
            }
            _ => return false,
        };
        match wish {
            Some(wish) => *spoken = self.ask(wish),
            None => self.say(Sentence::NoOffer, spoken),
        }
        true
    }

    /// The newest offer of the other side that is not being answered.
    fn open_offer(&self) -> Option<Offer> {
        let (seen, pending) = (self.view.seen(), self.view.pending().open());
        let is_answered = |offer: Offer| {
            pending.iter().any(|command| match command.wish {
                Wish::Accept { what } | Wish::Decline { what } => what == offer,
                _ => false,
            })
        };
        let theirs = seen.offers.iter().rev().filter(|offer| !seen.is_ours(offer.by));
        theirs.map(|offer| offer.what).find(|what| !is_answered(*what))
    }

    fn go(&mut self, from: Square, to: Square, promotion: Option<Role>, spoken: &mut Spoken) {
        if self.view.seen().phase == Phase::Waiting {
            return self.say(Sentence::NoOpponent, spoken);
        }
        // The server judges; only which piece a pawn becomes is asked here.
        let refusal = self.game().refusal(from, to, promotion);
        if matches!(refusal, Some(Refusal::PromotionMissing { .. })) {
            return self.ask_promotion(from, to, spoken);
        }
        *spoken = self.ask(Wish::Move { uci: UciMove { from, to, promotion }.to_string() });
    }

    fn ask_promotion(&mut self, from: Square, to: Square, spoken: &mut Spoken) {
        self.promoting = Some((from, to));
        self.say(Sentence::Promotion, spoken);
    }

    fn ask(&mut self, wish: Wish) -> Spoken {
        Spoken::new(vec![self.view.wish(wish)])
    }
}

/// A chat message in one line, without control characters.
pub(crate) fn chat_line(Said { from, name, text, .. }: &Said, lang: Lang) -> String {
    let is_player = matches!(from, Actor::White | Actor::Black);
    let name = if name.is_empty() && !is_player { "?" } else { name };
    let line = match from {
        Actor::Spectator => format!("{name} {}: {text}", lang.watching()),
        _ => format!("{name}: {text}"),
    };
    line.chars().filter(|c| !c.is_control()).collect()
}
