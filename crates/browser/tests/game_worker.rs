//! The game of a worker, with requests as the page sends them: text in, text out.

use hansu_browser::{GameWorker, Request, Response, StoredEntry};
use hansu_chess::pgn::Reader;
use hansu_computer::{Reply, Thinker};
use hansu_play::{Millis, Offer, TimeControl};
use hansu_protocol::{
    Choice, ClientMessage, Language, NewGame, Opponent, Seat, ServerMessage, VERSION, Wish,
};
use proptest::prelude::*;

/// A game worker with the entries that its page has stored.
#[derive(Default)]
struct Worker {
    module: GameWorker,
    kept: Vec<StoredEntry>,
}

impl Worker {
    fn ask(&mut self, request: &Request) -> Response {
        let text = serde_json::to_string(request).expect("requests are JSON");
        let answer = self.module.answer(&text);
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// Sends a request and stores the entries; returns the messages.
    fn send(&mut self, request: &Request) -> Vec<ServerMessage> {
        let answer = self.ask(request);
        assert_eq!(answer.error, None);
        self.kept.extend(answer.entries);
        answer.messages.iter().map(|text| serde_json::from_str(text).expect(text)).collect()
    }

    fn start(game: NewGame) -> Worker {
        let mut worker = Worker::default();
        worker.send(&start(game));
        worker.send(&hello(0));
        worker
    }

    fn command(&mut self, id: &str, wish: Wish, now: u64) -> Vec<ServerMessage> {
        self.send(&command(id, wish, now))
    }

    fn play(&mut self, moves: &[&str]) {
        for (number, uci) in moves.iter().enumerate() {
            let told = self.command(&format!("m{number}"), step(uci), 10 + number as u64);
            assert!(told.iter().any(|m| matches!(m, ServerMessage::Ack { .. })), "{uci}: {told:?}");
        }
    }
}

fn local() -> NewGame {
    NewGame {
        with: Opponent::Local,
        name: "Mina".into(),
        other: Some("Jun".into()),
        color: Default::default(),
        time: TimeControl::Unlimited,
        variant: Default::default(),
        fen: None,
        visibility: None,
        spectators: Default::default(),
        level: None,
        resigns: false,
    }
}

fn start(game: NewGame) -> Request {
    Request::Start { id: "g1".into(), game, lang: Language::Ko, draw: 0, now: Millis(5) }
}

fn say(message: &ClientMessage, now: u64) -> Request {
    let text = serde_json::to_string(message).expect("messages are JSON");
    Request::Hear { text, now: Millis(now) }
}

fn hello(seq: u64) -> Request {
    say(&ClientMessage::Hello { v: VERSION, seq, lang: Language::En }, 6)
}

fn command(id: &str, wish: Wish, now: u64) -> Request {
    say(&ClientMessage::Command { id: id.into(), command: wish }, now)
}

fn step(uci: &str) -> Wish {
    Wish::Move { uci: uci.into() }
}

#[test]
fn a_game_is_begun_greeted_and_played() {
    let mut worker = Worker::default();
    let begun = worker.ask(&start(local()));
    assert_eq!(begun.entries.len(), 1);
    assert!(begun.entries[0].body.starts_with(r#"{"v":1,"seq":1,"at":5,"type":"started""#));
    let row = begun.row.expect("a game that begins has a row");
    assert_eq!((&*row.white, &*row.black, &*row.status), ("Mina", "Jun", "live"));
    let welcome = worker.send(&hello(0));
    assert!(matches!(&welcome[0], ServerMessage::Welcome { game, .. } if game == "g1"));
    let played = worker.ask(&command("a", step("e2e4"), 7));
    assert_eq!(played.entries.len(), 1);
    assert_eq!(played.entries[0].client.as_deref(), Some("a"));
    assert_eq!(played.row.map(|row| row.moves).as_deref(), Some("e2e4"));
}

#[test]
fn a_missing_name_becomes_guest_in_the_language_of_the_request() {
    let mut worker = Worker::default();
    let begun = worker.ask(&start(NewGame { name: " ".into(), other: None, ..local() }));
    assert_eq!(begun.row.map(|row| (row.white, row.black)), Some(("손님".into(), "손님".into())));
}

#[test]
fn a_refused_move_says_why_and_nothing_is_kept() {
    let mut worker = Worker::start(local());
    let refused = worker.ask(&command("a", step("e2e5"), 7));
    assert!(refused.entries.is_empty());
    assert!(refused.messages[0].contains(r#""type":"refused","id":"a""#), "{refused:?}");
}

#[test]
fn entries_that_could_not_be_stored_are_undone() {
    let mut worker = Worker::start(local());
    let lost = worker.ask(&command("a", step("e2e4"), 7));
    assert_eq!(lost.entries.len(), 1);
    assert_eq!(worker.ask(&Request::Undo {}).error, None);
    // The same command once more, as a client sends it again: done now, at the same place.
    let again = worker.ask(&command("a", step("e2e4"), 8));
    assert_eq!(again.entries[0].seq, lost.entries[0].seq);
    // Undoing twice goes back once.
    worker.ask(&Request::Undo {});
    worker.ask(&Request::Undo {});
    let first = worker.ask(&command("b", step("d2d4"), 9));
    assert_eq!(first.entries[0].seq, 2);
}

#[test]
fn a_resend_after_a_crash_is_not_done_again() {
    let mut worker = Worker::start(local());
    worker.play(&["e2e4", "e7e5"]);
    worker.command("hi", Wish::Chat { text: "안녕".into(), name: None }, 20);
    let kept = worker.kept.clone();
    let mut other = Worker::default();
    other.send(&Request::Resume { id: "g1".into(), entries: kept.clone() });
    other.send(&hello(0));
    for (id, wish, seq) in [
        ("m1", step("e7e5"), 3),
        ("hi", Wish::Chat { text: "안녕".into(), name: None }, kept.len() as u64),
    ] {
        let answer = other.ask(&command(id, wish, 30));
        assert!(answer.entries.is_empty(), "{answer:?}");
        let ack = ServerMessage::Ack { id: id.into(), seq };
        let told: ServerMessage = serde_json::from_str(&answer.messages[0]).expect("a message");
        assert_eq!(told, ack);
    }
}

#[test]
fn a_flag_falls_when_its_time_has_come() {
    let time = TimeControl::sudden_death(Millis::seconds(1));
    let mut worker = Worker::start(NewGame { time, ..local() });
    worker.play(&["e2e4", "e7e5", "g1f3"]);
    let wake = worker.ask(&command("x", step("b8c6"), 14)).wake.expect("a clock runs");
    assert!(worker.ask(&Request::Tick { now: wake.minus(Millis(1)) }).entries.is_empty());
    let fallen = worker.ask(&Request::Tick { now: wake });
    let row = fallen.row.expect("the game has ended");
    assert_eq!((&*row.status, row.reason.as_deref()), ("finished", Some("timeout")));
    assert_eq!(fallen.wake, None);
    assert!(fallen.ended.is_some());
}

#[test]
fn a_command_that_came_after_its_flag_is_refused_also_when_it_is_sent_again() {
    let time = TimeControl::sudden_death(Millis::seconds(1));
    let mut worker = Worker::start(NewGame { time, ..local() });
    worker.play(&["e2e4", "e7e5", "g1f3"]);
    let late = worker.send(&command("late", step("b8c6"), 60_000));
    assert!(matches!(&late[0], ServerMessage::Event(_)), "{late:?}");
    assert!(matches!(&late[1], ServerMessage::Refused { .. }), "{late:?}");
    let mut other = Worker::default();
    other.send(&Request::Resume { id: "g1".into(), entries: worker.kept.clone() });
    other.send(&hello(0));
    let again = other.send(&command("late", step("b8c6"), 60_001));
    assert!(matches!(&again[..], [ServerMessage::Refused { .. }]), "{again:?}");
}

#[test]
fn a_kept_game_is_looked_at_without_disturbing_the_one_that_is_played() {
    let mut worker = Worker::start(local());
    worker.play(&["f2f3", "e7e5", "g2g4", "d8h4"]);
    let entries = worker.kept.clone();
    worker.send(&start(local()));
    worker.send(&hello(0));
    let date = Some("2026.11.17".to_owned());
    let looked = worker.ask(&Request::Look { id: "g1".into(), entries, date });
    let row = looked.row.expect("a row");
    assert_eq!((&*row.result, row.reason.as_deref(), row.plies), ("0-1", Some("checkmate"), 4));
    let looked = looked.looked.expect("a game");
    assert_eq!(looked.state.plies[3].san, "Qh4#");
    let read = Reader::new(looked.pgn.as_bytes()).next_game().expect("a game").expect("readable");
    assert_eq!(read.moves().count(), 4);
    assert_eq!(read.tags.value("Date"), Some("2026.11.17"));
    assert_eq!(worker.ask(&command("a", step("e2e4"), 50)).entries[0].seq, 2);
}

#[test]
fn entries_that_do_not_follow_from_each_other_are_refused() {
    let mut worker = Worker::start(local());
    worker.play(&["e2e4", "e7e5"]);
    let mut gap = worker.kept.clone();
    gap.remove(1);
    for entries in [Vec::new(), gap, worker.kept[1..].to_vec()] {
        let (id, date) = ("g1".to_owned(), None);
        let resume = Request::Resume { id: id.clone(), entries: entries.clone() };
        for request in [resume, Request::Look { id, entries, date }] {
            let code = worker.ask(&request).error.map(|error| error.code);
            assert_eq!(code.as_deref(), Some("unreadable"));
        }
    }
}

#[test]
fn a_message_that_a_server_would_close_for_names_the_close_code() {
    let mut worker = Worker::start(local());
    let hear = |text: &str| Request::Hear { text: text.into(), now: Millis(9) };
    let long = format!("{}{}", r#"{"type":"sync","seq":1}"#, " ".repeat(5_000));
    for (text, code) in [
        ("nonsense", 4001),
        (r#"{"type":"command","id":"","command":{"type":"resign"}}"#, 4001),
        (&*long, 4001),
        (r#"{"type":"hello","v":99}"#, 4000),
    ] {
        assert_eq!(worker.ask(&hear(text)).close, Some(code), "{text:.40}");
    }
}

#[test]
fn a_board_without_a_game_is_told_its_moves_and_reasons() {
    let mut worker = Worker::default();
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
    let moves = worker.ask(&Request::Moves { fen: fen.clone() }).moves.expect("moves");
    assert_eq!(moves.targets.targets["e2"], "e3e4");
    let why = |fen: &str, step: &str| Request::Why {
        fen: fen.into(),
        r#move: step.into(),
        lang: Language::Ko,
    };
    let told = worker.ask(&why(&fen, "a1a5")).why.expect("an answer");
    assert!(told.text.is_some_and(|text| text.contains("a2")));
    assert_eq!(worker.ask(&why(&fen, "zz")).error.map(|e| e.code).as_deref(), Some("bad_move"));
    assert!(worker.ask(&why("no fen", "e2e4")).error.is_some());
}

/// Any wish, most of them moves near the beginning of a game.
fn wish() -> impl Strategy<Value = String> {
    let squares = proptest::sample::select(vec![
        "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1", "d2d4", "e5d4", "e4e5", "d7d5",
    ]);
    prop_oneof![
        4 => squares.prop_map(|uci| format!(r#"{{"type":"move","uci":"{uci}"}}"#)),
        2 => "[a-h][1-8][a-h][1-8]q?".prop_map(|uci| format!(r#"{{"type":"move","uci":"{uci}"}}"#)),
        1 => proptest::sample::select(vec![
            r#"{"type":"resign"}"#,
            r#"{"type":"abort"}"#,
            r#"{"type":"claim_draw"}"#,
            r#"{"type":"claim_draw","with":"g1f3"}"#,
            r#"{"type":"claim_absence","result":"win"}"#,
            r#"{"type":"offer","what":"draw"}"#,
            r#"{"type":"accept","what":"draw"}"#,
            r#"{"type":"offer","what":"takeback"}"#,
            r#"{"type":"accept","what":"takeback"}"#,
            r#"{"type":"offer","what":"adjournment"}"#,
            r#"{"type":"offer","what":"resumption"}"#,
            r#"{"type":"offer","what":"rematch"}"#,
            r#"{"type":"decline","what":"rematch"}"#,
            r#"{"type":"chat","text":"hi","name":"me"}"#,
        ]).prop_map(str::to_owned),
    ]
}

/// Any request: sound ones, sound ones with a wrong time, and texts that are not requests.
fn request() -> impl Strategy<Value = String> {
    let now = prop_oneof![0..100_000_u64, Just(u64::MAX), any::<u64>()];
    let hear = (wish(), "[a-z]{0,2}", now.clone()).prop_map(|(wish, id, now)| {
        let text = format!(r#"{{"type":"command","id":"{id}","command":{wish}}}"#);
        serde_json::to_string(&Request::Hear { text, now: Millis(now) }).expect("JSON")
    });
    let time = proptest::sample::select(vec![
        r#"{"kind":"unlimited"}"#,
        r#"{"kind":"clock","stages":[{"time":1000,"bonus":"none"}]}"#,
        r#"{"kind":"clock","stages":[{"time":60000,"bonus":{"increment":2000}}]}"#,
        r#"{"kind":"clock","stages":[]}"#,
        r#"{"kind":"correspondence","days":3}"#,
    ]);
    let fen = proptest::sample::select(vec![
        "null",
        "\"7k/8/5KQ1/8/8/8/8/8 b - - 0 1\"",
        "\"7k/5K2/6Q1/8/8/8/8/8 b - - 0 1\"",
        "\"8/8/8/8/8/8/8/8 w - - 0 1\"",
        "\"4k3/P7/8/8/8/8/8/4K3 w - - 149 90\"",
    ]);
    let kind = proptest::sample::select(vec!["standard", "chess960"]);
    let begin = (time, fen, kind, any::<u32>(), now.clone()).prop_map(|(time, fen, kind, draw, now)| {
        format!(
            r#"{{"start":{{"id":"g1","game":{{"with":"local","time":{time},"fen":{fen},"variant":"{kind}"}},"draw":{draw},"now":{now}}}}}"#
        )
    });
    let tick = now.prop_map(|now| format!(r#"{{"tick":{{"now":{now}}}}}"#));
    prop_oneof![
        12 => hear,
        1 => begin,
        2 => tick,
        1 => Just(r#"{"undo":{}}"#.to_owned()),
        1 => any::<u64>().prop_map(|seq| {
            let text = format!(r#"{{"type":"hello","v":1,"seq":{seq}}}"#);
            serde_json::to_string(&Request::Hear { text, now: Millis(1) }).expect("JSON")
        }),
        1 => any::<u64>().prop_map(|seq| {
            let text = format!(r#"{{"type":"sync","seq":{seq}}}"#);
            serde_json::to_string(&Request::Hear { text, now: Millis(1) }).expect("JSON")
        }),
        1 => ".{0,60}",
        1 => "[a-h][1-8].{0,20}".prop_map(|text| {
            let why = Request::Why { fen: text.clone(), r#move: text, lang: Language::En };
            serde_json::to_string(&why).expect("JSON")
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every request gets a JSON response, and the stored entries are the game at every moment: a
    /// worker that resumes from them has the same state.
    #[test]
    fn any_text_is_answered_and_what_is_kept_is_the_game(texts in proptest::collection::vec(request(), 1..120)) {
        let mut module = GameWorker::default();
        let begun = module.answer(&serde_json::to_string(&start(local())).expect("JSON"));
        let mut kept = serde_json::from_str::<Response>(&begun).expect("an answer").entries;
        let mut before = Some(Vec::new());
        for text in &texts {
            let answer: Response = serde_json::from_str(&module.answer(text)).expect("an answer");
            match before.replace(kept.clone()) {
                Some(before) if text.starts_with(r#"{"undo""#) => kept = before,
                _ => {}
            }
            if text.starts_with(r#"{"undo""#) {
                before = None;
            }
            if answer.entries.first().is_some_and(|entry| entry.seq == 1) {
                kept.clear();
            }
            kept.extend(answer.entries);
            prop_assert!(kept.iter().zip(kept.iter().skip(1)).all(|(a, b)| a.seq + 1 == b.seq));
        }
        if kept.is_empty() {
            return Ok(());
        }
        let resume = Request::Resume { id: "g1".into(), entries: kept };
        let mut other = GameWorker::default();
        let resumed: Response = serde_json::from_str(&other.answer(&serde_json::to_string(&resume).expect("JSON"))).expect("an answer");
        prop_assert_eq!(resumed.error, None);
        let greeting = serde_json::to_string(&hello(0)).expect("JSON");
        let (one, two): (Response, Response) = (
            serde_json::from_str(&module.answer(&greeting)).expect("an answer"),
            serde_json::from_str(&other.answer(&greeting)).expect("an answer"),
        );
        prop_assert_eq!(one.messages, two.messages);
    }

    /// Entries that were changed are refused or played, and never more than that.
    #[test]
    fn changed_entries_do_no_harm(at in 0usize..400, with in "[\\x20-\\x7e]{0,3}") {
        let mut worker = Worker::start(local());
        worker.play(&["e2e4", "e7e5", "g1f3"]);
        let mut all = worker.kept.clone();
        let entry = at % all.len();
        let body = &mut all[entry].body;
        let place = at % body.len();
        body.replace_range(place..=place, &with);
        worker.ask(&Request::Resume { id: "g".into(), entries: all });
    }
}

fn against_computer(color: Choice) -> NewGame {
    NewGame { with: Opponent::Computer, color, level: Some(2), other: None, ..local() }
}

/// Lets the computer answer the open question, as the page's worker does.
fn think(worker: &mut Worker, now: u64) -> Option<u64> {
    let question = worker.ask(&Request::Tick { now: Millis(now) }).think?;
    let reply = Thinker::default().reply(&question).expect("a reply");
    let thought = Request::Thought { seq: question.seq, reply, now: Millis(now) };
    worker.send(&thought);
    Some(question.seq)
}

#[test]
fn the_computer_is_asked_for_its_moves_and_plays_them() {
    let mut worker = Worker::start(against_computer(Choice::Black));
    // It has White, and the client sits at the other side.
    assert!(think(&mut worker, 10).is_some());
    let plies = |worker: &mut Worker| {
        let (id, entries) = ("g1".into(), worker.kept.clone());
        let answer = worker.ask(&Request::Look { id, entries, date: None });
        answer.looked.expect("a game").state.plies.len()
    };
    assert_eq!(plies(&mut worker), 1);
    assert_eq!(think(&mut worker, 11), None, "it is not its turn");
    worker.command("a", step("g8f6"), 12);
    // A reply to an older question is not listened to.
    let stale = Request::Thought { seq: 1, reply: Reply::default(), now: Millis(13) };
    assert_eq!(worker.send(&stale), []);
    assert!(think(&mut worker, 14).is_some());
    assert_eq!(plies(&mut worker), 3);
    // A takeback is granted with the request itself, and one entry carries the command's name.
    worker.command("b", Wish::Offer { what: Offer::Takeback }, 15);
    assert!(plies(&mut worker) < 3);
    assert_eq!(worker.kept.iter().filter(|kept| kept.client.as_deref() == Some("b")).count(), 1);
}

#[test]
fn a_draw_is_answered_by_the_computer() {
    let mut worker = Worker::start(against_computer(Choice::White));
    worker.play(&["e2e4"]);
    think(&mut worker, 20);
    worker.command("d", Wish::Offer { what: Offer::Draw }, 21);
    let seq = worker.kept.last().map(|kept| kept.seq);
    assert_eq!(think(&mut worker, 22), seq);
    assert!(worker.kept.last().is_some_and(|kept| kept.body.contains("declined")));
}

/// White's rooks keep Black's king on its rank, and White's king walks without a repetition.
const WALK: &str = "h1 g1 f1 e1 d1 d2 e2 f2 g2 h2 h3 g3 f3 e3 d3 d4 e4 f4 g4 h4 h5 g5";

#[test]
fn the_computer_resigns_a_lost_game_only_where_it_may() {
    let fen = Some("7k/R7/8/8/8/8/8/2R4K w - - 0 1".to_owned());
    for resigns in [false, true] {
        let game = NewGame { fen: fen.clone(), resigns, ..against_computer(Choice::White) };
        let mut worker = Worker::start(game);
        let squares: Vec<&str> = WALK.split(' ').collect();
        for (now, pair) in (100..).step_by(10).zip(squares.windows(2)) {
            assert!(worker.kept.iter().all(|kept| !kept.body.contains("resignation")));
            worker.command(pair[0], step(&pair.concat()), now);
            think(&mut worker, now + 1);
        }
        let ended = worker.kept.iter().filter(|kept| kept.body.contains("resignation")).count();
        assert_eq!(ended, usize::from(resigns), "{:?}", worker.kept.last());
    }
}

#[test]
fn what_the_computer_was_asked_is_asked_again_after_an_undo_and_a_resume() {
    let mut worker = Worker::start(against_computer(Choice::White));
    worker.play(&["e2e4"]);
    let asked = worker.ask(&Request::Tick { now: Millis(20) }).think.expect("a question");
    let reply = Thinker::default().reply(&asked).expect("a reply");
    let moved = worker.ask(&Request::Thought { seq: asked.seq, reply, now: Millis(21) });
    assert_eq!((moved.entries.len(), moved.think), (1, None));
    // It could not be kept.
    assert_eq!(worker.ask(&Request::Undo {}).think.as_ref(), Some(&asked));
    let mut other = Worker { kept: worker.kept.clone(), ..Worker::default() };
    let resume = Request::Resume { id: "g1".into(), entries: worker.kept.clone() };
    assert_eq!(other.ask(&resume).think, Some(asked));
    let told = other.send(&hello(0));
    assert!(
        told.iter().any(|m| matches!(m, ServerMessage::Welcome { seat: Some(Seat::White), .. }))
    );
}

#[test]
fn there_is_no_such_level() {
    let game = NewGame { level: Some(11), ..against_computer(Choice::Any) };
    assert!(Worker::default().ask(&start(game)).error.is_some());
}

#[test]
fn the_next_game_of_a_series_has_the_colours_changed_over_and_the_score() {
    let mut worker = Worker::start(against_computer(Choice::White));
    let again = |id: &str, previous: &str, entries| Request::Again {
        id: id.into(),
        previous: previous.into(),
        entries,
        now: Millis(40),
    };
    // A game that is not over has no next one.
    let early = worker.ask(&again("~b", "~a", worker.kept.clone()));
    assert!(early.error.is_some() && early.entries.is_empty());
    worker.play(&["e2e4"]);
    worker.command("r", Wish::Resign, 30);
    let before = worker.kept.clone();
    let row = worker.ask(&again("~b", "~a", before)).row.expect("a row");
    assert_eq!((row.id.as_str(), row.source.as_str()), ("~b", "computer"));
    assert_eq!(row.black, "Mina");
    let told = worker.ask(&hello(0)).messages.join(" ");
    assert!(
        told.contains(r#""previous":"~a""#) && told.contains(r#""score":{"white":2,"black":0}"#)
    );
    // The computer, now White, is asked for the first move.
    assert!(think(&mut worker, 41).is_some());
}

#[test]
fn the_computer_does_not_lose_on_time_while_the_page_is_closed() {
    let minute =
        hansu_play::Stage { moves: None, time: Millis(60_000), bonus: hansu_play::Bonus::None };
    let time = hansu_play::TimeControl::Clock { stages: vec![minute] };
    let mut worker = Worker::start(NewGame { time, ..against_computer(Choice::White) });
    worker.play(&["e2e4"]);
    think(&mut worker, 2_000);
    worker.command("m", step("d2d3"), 3_000);
    let kept = worker.kept.clone();
    let later = |kept: &[StoredEntry], now: u64| {
        let mut worker = Worker { kept: kept.to_vec(), ..Worker::default() };
        worker.ask(&Request::Resume { id: "g1".into(), entries: kept.to_vec() });
        worker.send(&Request::Tick { now: Millis(now) });
        worker
    };
    // Its move is asked for, an hour later.
    let mut worker = later(&kept, 3_600_000);
    assert!(think(&mut worker, 3_600_100).is_some());
    // The person's own clock runs, as at a server.
    let over = later(&worker.kept, 7_200_000);
    assert!(over.kept.last().is_some_and(|kept| kept.body.contains("timeout")));
    // A page that stays open gives nothing back.
    let mut open = later(&kept, 3_500);
    open.send(&Request::Tick { now: Millis(3_600_000) });
    assert!(open.kept.last().is_some_and(|kept| kept.body.contains("timeout")));
}
