//! A game on a server, which is a `Host` here: connections are lost and restored, and no command is
//! lost or executed twice.

use hansu_console::screen::{Effect, Input, Invitation, NetworkNews, NetworkRequest};
use hansu_play::{Actor, Command, Offer, Start};
use hansu_protocol::{ClientMessage, Kind, ServerMessage, Wish};
use hansu_view::Host;
use hansu_words::Lang;
use ratatui::crossterm::event::KeyCode;

use super::*;

/// A stage that is connected to a server.
pub(crate) struct Online {
    pub(crate) stage: Stage,
    pub(crate) host: Host,
    session: u64,
    is_up: bool,
    pub(crate) said: Vec<ClientMessage>,
}

impl Online {
    pub(crate) fn new() -> Online {
        Online::seated(Actor::White)
    }

    fn seated(actor: Actor) -> Online {
        Online::at(Start::between("Mina", "Jun"), actor)
    }

    pub(crate) fn at(start: Start, actor: Actor) -> Online {
        let mut stage = Stage::new(Lang::En, BARE, (100, 30));
        stage.effects = stage.app.open_link("http://a:1/join/x", "Mina");
        let (host, _) = Host::start("g1", start, actor, stage.now).expect("a game");
        let mut online = Online { stage, host, session: 0, is_up: false, said: Vec::new() };
        online.settle();
        online
    }

    fn news(&mut self, news: NetworkNews) {
        self.stage.input(Input::Network { session: self.session, news });
        self.settle();
    }

    /// Delivers messages in both directions until there are none left.
    pub(crate) fn settle(&mut self) {
        while !self.stage.effects.is_empty() {
            let Effect::Network { session, request } = self.stage.effects.remove(0) else {
                continue;
            };
            self.session = session;
            let NetworkRequest::Send(message) = request else { continue };
            self.said.push(message.clone());
            if !self.is_up {
                continue;
            }
            let heard = self.host.hear(message, self.stage.now, || None);
            let messages = heard.map(|heard| heard.messages).unwrap_or_default();
            self.tell(messages);
        }
    }

    fn tell(&mut self, messages: Vec<ServerMessage>) {
        for message in messages {
            let news = NetworkNews::Message(Box::new(message));
            self.stage.input(Input::Network { session: self.session, news });
        }
    }

    pub(crate) fn connect(&mut self) {
        self.host.disconnect();
        self.is_up = true;
        self.news(NetworkNews::Connected);
    }

    fn cut(&mut self) {
        self.is_up = false;
        self.news(NetworkNews::Broken);
    }

    /// Executes a command of Black.
    pub(crate) fn black(&mut self, command: &Command) {
        let heard = self.host.act_as(Actor::Black, command, self.stage.now).expect("allowed");
        if self.is_up {
            self.tell(heard.messages);
        }
        self.settle();
    }

    pub(crate) fn black_moves(&mut self, uci: &str) {
        self.black(&Command::Move { uci: uci.parse().expect("a move") });
    }

    pub(crate) fn play(&mut self, moves: &[&str]) {
        self.stage.play(moves);
        self.settle();
    }
}

#[test]
fn a_game_on_a_server_is_played_and_comes_back_after_a_break() {
    let mut online = Online::new();
    assert!(online.stage.text().contains("Connecting"), "{}", online.stage.text());
    online.connect();
    assert!(online.stage.text().contains("Your move."), "{}", online.stage.text());
    online.play(&["e4"]);
    online.black_moves("e7e5");
    assert!(online.stage.text().contains("e5"), "{}", online.stage.text());
    // The connection is lost; a move that is made meanwhile is sent afterwards, once.
    online.cut();
    assert!(online.stage.text().contains("The connection is gone"), "{}", online.stage.text());
    online.play(&["Nf3"]);
    assert_eq!(online.host.state().plies(), 2);
    online.connect();
    assert_eq!(online.host.state().plies(), 3);
    assert!(online.stage.text().contains("2.  Nf3"), "{}", online.stage.text());
    // Moves of that time are shown.
    online.cut();
    online.black_moves("b8c6");
    online.connect();
    assert!(online.stage.text().contains("Nc6"), "{}", online.stage.text());
}

#[test]
fn a_planned_move_is_played_when_the_turn_comes() {
    let mut online = Online::new();
    online.connect();
    online.play(&["e4", "g1f3"]);
    assert!(online.stage.text().contains("as soon as it is your turn"), "{}", online.stage.text());
    assert!(online.stage.text().contains("~♘~"), "{}", online.stage.text());
    online.black_moves("e7e5");
    assert_eq!(online.host.state().plies(), 3);
    // A planned move that is no longer possible is not played.
    online.play(&["f3e5"]);
    online.black_moves("d7d6");
    assert_eq!(online.host.state().plies(), 5, "the capture is possible");
    online.play(&["e5f7"]);
    online.black_moves("d6e5");
    assert_eq!(online.host.state().plies(), 6);
    // The knight was taken: the reason is told.
    let text = online.stage.text();
    assert!(text.contains("The pawn on e5 is Black's"), "{text}");
}

#[test]
fn several_moves_are_planned_and_played_one_after_the_other() {
    let mut online = Online::new();
    online.connect();
    online.play(&["e4", "g1f3", "f3g5", "g5f7"]);
    let text = online.stage.text();
    assert!(text.contains("~♘~") && !text.contains("♟  ♟  ~♟~"), "the knight stands on f7: {text}");
    online.black_moves("e7e5");
    assert_eq!(online.host.state().plies(), 3);
    online.black_moves("b8c6");
    assert_eq!(online.host.state().plies(), 5);
    online.black_moves("g8f6");
    assert_eq!(online.host.state().plies(), 7);
    assert_eq!(online.host.state().game().moves().len(), 7);
    // All the rest is dropped when one cannot be played.
    online.play(&["f7d8", "d8e6", "d2d4"]);
    online.black_moves("e8f7");
    assert_eq!(online.host.state().plies(), 8, "{}", online.stage.text());
    online.play(&["a3"]);
    online.black_moves("h7h6");
    assert_eq!(online.host.state().plies(), 10, "nothing is left of the plan");
}

#[test]
fn planned_moves_are_taken_back_by_escape_and_by_a_click_beside() {
    let mut online = Online::new();
    online.connect();
    online.play(&["e4", "g1f3", "f1c4"]);
    online.stage.key(KeyCode::Esc);
    online.black_moves("e7e5");
    assert_eq!(online.host.state().plies(), 2);
    online.play(&["Nf3", "f1c4"]);
    // Tiles are six columns and three lines; a4 is empty.
    online.stage.click((2 + 2, 1 + 3 * 4));
    online.black_moves("b8c6");
    assert_eq!(online.host.state().plies(), 4);
    assert!(!online.stage.text().contains('~'), "{}", online.stage.text());
}

#[test]
fn no_more_moves_are_planned_than_the_page_takes() {
    let mut online = Online::new();
    online.connect();
    online.play(&["e4"]);
    let pawns = "a2a3 a3a4 b2b3 c2c3 d2d3 f2f3 g2g3 h2h3 h3h4 g3g4 f3f4 d3d4 c3c4 b3b4 e4e5";
    let planned: Vec<&str> = pawns.split(' ').chain(["b1c3", "c3e4", "f1d3"]).collect();
    online.play(&planned);
    for _ in 0..8 {
        online.black_moves("b8a6");
        online.black_moves("a6b8");
    }
    online.black_moves("b8a6");
    // White's first, sixteen planned, and Black's before each and after the last.
    assert_eq!(online.host.state().plies(), 1 + 2 * 16 + 1);
}

#[test]
fn a_notation_typed_too_early_is_told_how_to_plan() {
    let mut online = Online::new();
    online.connect();
    online.play(&["e4"]);
    online.play(&["Nf3"]);
    let text = online.stage.text();
    assert!(text.contains("type its squares: g1f3"), "{text}");
}

#[test]
fn an_offer_is_shown_and_answered() {
    let mut online = Online::new();
    online.connect();
    online.play(&["e4"]);
    online.black_moves("e7e5");
    online.play(&["Nf3"]);
    online.black(&Command::Offer { what: Offer::Draw, next: None });
    let text = online.stage.text();
    assert!(text.contains("The other side offers: draw."), "{text}");
    assert!(text.contains("y Accept") && text.contains("n Decline"), "{text}");
    online.stage.key(KeyCode::Char('y'));
    online.settle();
    let is_accept = |said: &ClientMessage| match said {
        ClientMessage::Command { command, .. } => *command == Wish::Accept { what: Offer::Draw },
        _ => false,
    };
    assert!(online.said.iter().any(is_accept), "{:?}", online.said);
    assert!(online.stage.text().contains("Draw by agreement"), "{}", online.stage.text());
}

#[test]
fn an_invitation_is_shown_with_its_code() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 40));
    let time = hansu_play::TimeControl::Unlimited;
    let effects =
        stage.app.invite("http://a:1", "Mina", hansu_protocol::Choice::Any, time, Kind::Standard);
    let Effect::Network { session, .. } = effects[0] else { panic!("{effects:?}") };
    let code = vec![vec![true, false]; 2];
    let invitation = Invitation { link: "http://a:1/join/abc".to_owned(), code };
    stage.input(Input::Network { session, news: NetworkNews::Invited(invitation) });
    stage.input(Input::Network { session, news: NetworkNews::Connected });
    let text = stage.text();
    assert!(text.contains("http://a:1/join/abc"), "{text}");
    assert!(text.contains(" █"), "{text}");
}

#[test]
fn a_link_that_leads_nowhere_leads_back_with_the_reason() {
    let mut online = Online::new();
    online.news(NetworkNews::Failed("no such invitation".to_owned()));
    assert!(online.stage.text().contains("no such invitation"), "{}", online.stage.text());
    // News of an older session are dropped.
    online.stage.input(Input::Network { session: 0, news: NetworkNews::Connected });
    assert!(online.stage.text().contains("Two players here"), "{}", online.stage.text());
}

#[test]
fn a_game_that_is_left_says_where_to_come_back_to() {
    let mut online = Online::new();
    online.news(NetworkNews::Found("http://a:1/game/x".to_owned()));
    online.connect();
    online.play(&["e4"]);
    assert_eq!(online.stage.app.unfinished(), Some("http://a:1/game/x"));
    online.stage.keys(&[KeyCode::Char('q'), KeyCode::Char('y')]);
    assert_eq!(online.stage.app.unfinished(), Some("http://a:1/game/x"));
    // A game that is over needs no way back.
    let mut online = Online::new();
    online.news(NetworkNews::Found("http://a:1/game/x".to_owned()));
    online.connect();
    online.stage.keys(&[KeyCode::Char('r'), KeyCode::Char('y')]);
    online.settle();
    assert_eq!(online.stage.app.unfinished(), None);
}

#[test]
fn who_watches_sees_moves_and_makes_none() {
    let mut online = Online::seated(Actor::Spectator);
    online.connect();
    assert!(online.stage.text().contains("You are watching."), "{}", online.stage.text());
    let said = online.said.len();
    online.play(&["e4"]);
    online.stage.keys(&[KeyCode::Up, KeyCode::Enter, KeyCode::Up, KeyCode::Enter]);
    online.stage.keys(&[KeyCode::Char('r'), KeyCode::Char('u'), KeyCode::Char('o')]);
    online.settle();
    assert_eq!(online.said.len(), said, "{:?}", online.said);
    let step = Command::Move { uci: "e2e4".parse().expect("a move") };
    let heard = online.host.act_as(Actor::White, &step, online.stage.now).expect("allowed");
    online.tell(heard.messages);
    assert!(online.stage.text().contains("1.  e4"), "{}", online.stage.text());
}

#[test]
fn black_sees_the_board_from_the_other_side() {
    let mut online = Online::seated(Actor::Black);
    online.connect();
    let text = online.stage.text();
    let files = text.lines().find(|line| line.trim_start().starts_with("h ")).expect("files");
    assert!(files.contains('a'), "{text}");
    online.stage.key(KeyCode::Char('v'));
    assert!(online.stage.text().contains("a     b"), "{}", online.stage.text());
}

#[test]
fn a_planned_promotion_asks_what_the_pawn_becomes() {
    let fen = Some("k7/4P3/8/8/8/8/8/K7 b - - 0 1".to_owned());
    let start = Start { fen, ..Start::between("Mina", "Jun") };
    let mut online = Online::at(start, Actor::White);
    online.connect();
    online.play(&["e7e8"]);
    online.black_moves("a8b7");
    let text = online.stage.text();
    assert!(text.contains("What shall the pawn become?"), "{text}");
    online.stage.key(KeyCode::Char('n'));
    online.settle();
    assert!(online.stage.text().contains("e8=N"), "{}", online.stage.text());
}
