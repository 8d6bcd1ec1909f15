//! The line game on a server: the text for each message, and what is sent for each line.

use hansu_console::{InputLine, Next, Options, Remote, RemoteReply};
use hansu_play::Millis;
use hansu_protocol::{ClientMessage, ServerMessage, Turn, Wish};
use hansu_words::Lang;
use serde_json::{Value, json};

const FIRST: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const HELP: &str = "A move is 'e2 e4'. Also: record, resign, draw, takeback, accept, decline, \
                    rematch, give (15 seconds), say (something), quit\n";
const NOTHING: &str = "Nothing is on offer.\n";

struct Terminal(Remote);

impl Terminal {
    fn new() -> Terminal {
        Terminal(Remote::new(Options { lang: Lang::En, ..Options::default() }, "t"))
    }

    /// Seated as White or Black at a game that has just begun.
    fn seated(seat: &str) -> Terminal {
        let mut terminal = Terminal::new();
        terminal.welcome(seat, 1);
        terminal.hear(&snapshot(json!({})));
        terminal
    }

    fn hear(&mut self, message: &Value) -> RemoteReply {
        let message: ServerMessage = serde_json::from_value(message.clone()).expect("a message");
        self.0.handle(message, Millis(0))
    }

    fn welcome(&mut self, seat: &str, seq: u64) -> RemoteReply {
        let game = "0aBcDeFgHiJk";
        self.hear(&json!({"type":"welcome","v":1,"game":game,"seat":seat,"seq":seq,"now":5}))
    }

    fn event(&mut self, seq: u64, event: Value) -> RemoteReply {
        let mut entry = json!({"v":1,"seq":seq,"at":seq});
        let mut message = json!({"type":"event"});
        let Value::Object(event) = event else { panic!("an object") };
        for (field, value) in event {
            let is_entry = !matches!(field.as_str(), "san" | "board");
            (if is_entry { &mut entry } else { &mut message })[field] = value;
        }
        message["entry"] = entry;
        self.hear(&message)
    }

    fn e4(&mut self, seq: u64) -> RemoteReply {
        let board = json!({"fen": E4});
        self.event(seq, json!({"type":"moved","uci":"e2e4","received":1,"san":"e4","board":board}))
    }

    fn offer(&mut self, seq: u64, what: &str, by: &str) -> RemoteReply {
        self.event(seq, json!({"type":"offered","what":what,"by":by}))
    }

    fn line(&mut self, text: &str) -> RemoteReply {
        self.0.answer(InputLine::Text(text))
    }

    fn accept(&mut self) -> (String, Vec<Wish>) {
        let spoken = self.line("accept");
        (spoken.text, spoken.send.iter().map(wish).collect())
    }
}

fn wish(message: &ClientMessage) -> Wish {
    match message {
        ClientMessage::Command { command, .. } => command.clone(),
        other => panic!("{other:?}"),
    }
}

fn snapshot(change: Value) -> Value {
    let mut snapshot = json!({
        "type":"snapshot","seq":1,"phase":"playing",
        "start":{"names":{"white":"Mina","black":"Jun"},"source":"online"},
        "started":1,"first":{"fen":FIRST},"plies":[],"offers":[],
        "left":{"white":null,"black":null},"chat":[],"visibility":"private"
    });
    let Value::Object(change) = change else { panic!("an object") };
    for (field, value) in change {
        snapshot[field] = value;
    }
    snapshot
}

fn nothing() -> (String, Vec<Wish>) {
    (NOTHING.to_owned(), Vec::new())
}

fn accepted(what: &str) -> (String, Vec<Wish>) {
    let wish = json!({"type":"accept","what":what});
    (String::new(), vec![serde_json::from_value(wish).expect("a wish")])
}

#[test]
fn an_offer_of_the_other_side_lapses_when_we_move() {
    for what in ["draw", "adjournment", "takeback"] {
        let mut terminal = Terminal::seated("white");
        terminal.offer(2, what, "black");
        terminal.e4(3);
        assert_eq!(terminal.accept(), nothing(), "{what}");
    }
}

#[test]
fn an_offer_stands_when_its_own_side_moves_except_a_takeback() {
    for (what, expected) in [
        ("draw", accepted("draw")),
        ("adjournment", accepted("adjournment")),
        ("takeback", nothing()),
    ] {
        let mut terminal = Terminal::seated("black");
        terminal.offer(2, what, "white");
        terminal.e4(3);
        assert_eq!(terminal.accept(), expected, "{what}");
    }
}

#[test]
fn offers_are_gone_after_a_takeback_an_adjournment_a_resumption_and_the_end() {
    let board = json!({"fen": FIRST});
    let events = [
        json!({"type":"taken_back","plies":1,"board":board}),
        json!({"type":"adjourned"}),
        json!({"type":"resumed"}),
        json!({"type":"ended","winner":"white","reason":"resignation"}),
    ];
    for event in events {
        let mut terminal = Terminal::seated("black");
        terminal.e4(2);
        terminal.offer(3, "draw", "white");
        terminal.event(4, event.clone());
        assert_eq!(terminal.accept(), nothing(), "{event}");
    }
}

#[test]
fn an_offer_in_a_snapshot_is_told_and_can_be_accepted() {
    let mut terminal = Terminal::new();
    terminal.welcome("white", 4);
    let offers = json!([{"what":"draw","by":"black"}, {"what":"takeback","by":"white"}]);
    let shown = terminal.hear(&snapshot(json!({"seq":4,"offers":offers})));
    assert!(shown.text.ends_with("The other side offers: draw. (accept / decline)\n"), "{shown:?}");
    assert_eq!(shown.text.matches("offers:").count(), 1);
    assert_eq!(terminal.accept(), accepted("draw"));
    // The answer is pending: a second `accept` does not send it twice.
    assert_eq!(terminal.accept(), nothing());
}

#[test]
fn a_declined_offer_is_gone() {
    let mut terminal = Terminal::seated("white");
    terminal.offer(2, "draw", "black");
    let spoken = terminal.line("decline");
    assert_eq!(wish(&spoken.send[0]), Wish::Decline { what: hansu_play::Offer::Draw });
    let told = terminal.event(3, json!({"type":"declined","what":"draw","by":"white"}));
    assert_eq!(told.text, "Declined: draw.\n");
    assert_eq!(terminal.accept(), nothing());
}

#[test]
fn a_pending_command_is_sent_again_after_each_welcome_until_it_is_answered() {
    let mut terminal = Terminal::seated("white");
    let sent = terminal.line("e2 e4").send;
    assert_eq!(terminal.welcome("white", 1).send, sent);
    assert_eq!(terminal.welcome("white", 1).send, sent);
    terminal.e4(2);
    assert_eq!(terminal.welcome("white", 2).send, []);
    let sent = terminal.line("draw").send;
    assert_eq!(terminal.welcome("white", 2).send, sent);
    let refusal = json!({"code":"too_soon","text":"Not now."});
    let ClientMessage::Command { id, .. } = &sent[0] else { panic!("a command") };
    let told = terminal.hear(&json!({"type":"refused","id":id,"seq":2,"refusal":refusal}));
    assert_eq!(told.text, "Not now.\nBlack to move.\n");
    assert_eq!(terminal.welcome("white", 2).send, []);
}

#[test]
fn a_gap_is_asked_about() {
    let mut terminal = Terminal::seated("white");
    let spoken = terminal.offer(7, "draw", "black");
    assert_eq!((spoken.text.as_str(), spoken.send), ("", vec![ClientMessage::Sync { seq: 1 }]));
}

#[test]
fn chat_that_was_missed_is_told_after_the_snapshot() {
    let mut terminal = Terminal::seated("white");
    let chat = json!([{"at":2,"from":"black","name":"Jun","text":"hello\u{1b}[2J"}]);
    let shown = terminal.hear(&snapshot(json!({"seq":9,"chat":chat})));
    assert!(shown.text.ends_with("White to move.\nJun: hello[2J\n"), "{shown:?}");
    let again = terminal.hear(&snapshot(json!({"seq":9,"chat":chat})));
    assert!(!again.text.contains("hello"), "{again:?}");
}

#[test]
fn quitting_an_old_game_does_not_lead_to_its_rematch() {
    let ended = json!({
        "seq":9,"phase":"ended","ending":{"winner":"white","reason":"resignation"},"next":"0aBcDeFgHiJl"
    });
    let mut terminal = Terminal::new();
    terminal.welcome("white", 9);
    assert_eq!(terminal.hear(&snapshot(ended)).next, Next::Continue);
    assert_eq!(terminal.line("quit").next, Next::End);
    assert_eq!(terminal.0.next_game(), None);
}

#[test]
fn an_agreed_rematch_leads_to_the_next_game() {
    let mut terminal = Terminal::seated("white");
    terminal.event(2, json!({"type":"ended","winner":"white","reason":"resignation"}));
    terminal.offer(3, "rematch", "black");
    assert_eq!(terminal.accept(), accepted("rematch"));
    let agreed = terminal.event(4, json!({"type":"rematch_agreed","next":"0aBcDeFgHiJl"}));
    assert_eq!((agreed.text.as_str(), agreed.next), ("", Next::End));
    assert_eq!(terminal.0.next_game(), Some("0aBcDeFgHiJl"));
}

#[test]
fn a_game_from_its_invitation_to_its_end() {
    let mut terminal = Terminal::new();
    assert!(terminal.0.is_new());
    terminal.welcome("white", 0);
    let waiting = terminal.hear(&snapshot(json!({"seq":0,"phase":"waiting"})));
    assert_eq!(waiting.text, "Waiting for the other player.\n");
    assert_eq!(terminal.line("e2 e4").text, "Nobody plays against you yet.\n");
    let board = "rnbqkbnr\npppppppp\n8\n8\n8\n8\nPPPPPPPP\nRNBQKBNR\n";
    let begun = terminal.event(
        1,
        json!({"type":"started","names":{"white":"Mina","black":"Jun"},"source":"online",
               "board":{"fen":FIRST}}),
    );
    let expected = format!("White Mina, Black Jun\nYou play White.\n{HELP}{board}White to move.\n");
    assert_eq!(begun.text, expected);
    assert_eq!(terminal.line("draw").send.len(), 1);
    assert_eq!(terminal.offer(2, "draw", "white").text, "Offered: draw.\n");
    let moved = terminal.e4(3);
    let board = "rnbqkbnr\npppppppp\n8\n8\n4P3\n8\nPPPP1PPP\nRNBQKBNR\n";
    assert_eq!(moved.text, format!("{board}Black to move.\n"));
    let left = terminal.event(4, json!({"type":"left","side":"black"}));
    assert_eq!(left.text, "The other player has left.\n");
    let own = terminal.event(5, json!({"type":"left","side":"white"}));
    assert_eq!(own.text, "");
    let back = terminal.event(6, json!({"type":"returned","side":"black"}));
    assert_eq!(back.text, "The other player is back.\n");
    let credited = terminal.event(7, json!({"type":"credited","time":5}));
    let given_back = "The time during which the server could not take moves was given back.\n";
    assert_eq!(credited.text, given_back);
    let given = terminal.event(8, json!({"type":"time_given","to":"white","time":15_000}));
    assert_eq!(given.text, "White got 15 more seconds.\n");
    let reply = terminal.event(9, json!({"type":"chatted","from":"black","text":"oh"}));
    assert_eq!(reply.text, "Jun: oh\n");
    let reply = terminal.event(10, json!({"type":"chatted","from":"spectator","text":"ah"}));
    assert_eq!(reply.text, "? (watching): ah\n");
    let ended = terminal.event(11, json!({"type":"ended","winner":"white","reason":"resignation"}));
    assert!(ended.text.starts_with(board), "{ended:?}");
    assert!(ended.text.ends_with("1. e4\nrematch / quit\n"), "{ended:?}");
    let gone = terminal.hear(&json!({"type":"bye","reason":"gone"}));
    assert_eq!((gone.text.as_str(), gone.next), ("The invitation was withdrawn.\n", Next::End));
}

#[test]
fn time_is_given_to_the_other_side() {
    for (seat, to) in [("white", Turn::Black), ("black", Turn::White)] {
        let mut terminal = Terminal::seated(seat);
        for word in ["give", "시간"] {
            let sent = terminal.line(word).send;
            assert_eq!(
                sent.iter().map(wish).collect::<Vec<_>>(),
                [Wish::GiveTime { to }],
                "{seat}"
            );
        }
    }
}
