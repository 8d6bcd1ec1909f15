//! Uploads of games that were played in a browser without the server.

use hansu_ground::clients::{Response, get, key, request};
use hansu_play::{Actor, Entry, Event, Millis, Series, Sides, Source, Start};
use hansu_protocol::{ClientMessage, Language, Wish};
use hansu_records::{Append, Begins, GameId, Log as _, Seat, Side, Visibility};
use hansu_view::Host;
use serde_json::{Value, json};

use crate::test_server::TestServer;

/// A game as a browser keeps it, with `pairs` pairs of knight moves before its last one.
fn played(pairs: usize, last: Wish) -> Vec<Entry> {
    let start = Start { source: Source::Local, ..Start::between("Mina", "Jun") };
    let (mut host, mut entries) = Host::start("~", start, Actor::Both, Millis(1_000)).expect("one");
    let hello = ClientMessage::Hello { v: 1, seq: 0, lang: Language::En };
    let _ = host.hear(hello, Millis(1_001), || None).expect("a greeting");
    let pawns = ["a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6"];
    let dance = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves = (0..pairs).flat_map(|pair| {
        let pawns = pawns.chunks(2).nth(pair / 2).filter(|_| pair % 2 == 1);
        pawns.into_iter().flatten().chain(&dance).map(|uci| Wish::Move { uci: (*uci).to_owned() })
    });
    for (number, command) in moves.chain([last]).enumerate() {
        let message = ClientMessage::Command { id: number.to_string(), command };
        let heard = host.hear(message, Millis(2_000 + number as u64), || None).expect("taken");
        assert!(!heard.entries.is_empty(), "{number}: {:?}", heard.messages);
        entries.extend(heard.entries);
    }
    entries
}

fn texts(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(|entry| serde_json::to_string(entry).expect("JSON")).collect()
}

async fn bring(server: &TestServer, id: &str, key: &str, entries: &[String]) -> Response {
    let path = format!("/api/games/{id}/entries");
    request(server.at, "PUT", &path).json(&json!({ "entries": entries })).key(key).send().await
}

async fn games(server: &TestServer, key: &str) -> Vec<Value> {
    let list = get(server.at, "/api/games?mine=true").key(key).send().await.json();
    list["games"].as_array().expect("games").clone()
}

#[tokio::test]
async fn a_game_is_kept_once_however_often_it_is_brought() {
    let server = TestServer::open().await;
    let (mine, other) = (key(server.at).await, key(server.at).await);
    let id = GameId::random().expect("an id").to_string();
    let entries = texts(&played(2, Wish::Resign));
    for _ in 0..3 {
        let kept = bring(&server, &id, &mine, &entries).await;
        assert_eq!((kept.status, kept.json()["seq"].as_u64()), (200, Some(entries.len() as u64)));
    }
    let mut bringing = tokio::task::JoinSet::new();
    let (at, second) = (server.at, GameId::random().expect("an id").to_string());
    for _ in 0..8 {
        let (entries, mine, path) =
            (entries.clone(), mine.clone(), format!("/api/games/{second}/entries"));
        bringing.spawn(async move {
            let body = json!({ "entries": entries });
            request(at, "PUT", &path).json(&body).key(&mine).send().await.status
        });
    }
    assert!(bringing.join_all().await.iter().all(|status| *status == 200));
    let rows = games(&server, &mine).await;
    assert_eq!(rows.len(), 2);
    let row = &rows[0];
    assert_eq!((&row["white"], &row["result"]), (&json!("Mina"), &json!("0-1")), "{row}");
    assert_eq!((&row["visibility"], &row["source"]), (&json!("private"), &json!("local")));
    let state = get(server.at, &format!("/api/games/{id}/state")).key(&mine).send().await.json();
    assert_eq!(state["plies"].as_array().map(Vec::len), Some(10));
    // Other players do not see it and cannot put another game in its place.
    assert!(games(&server, &other).await.is_empty());
    assert_eq!(bring(&server, &id, &other, &entries).await.status, 403);
    let another = texts(&played(1, Wish::Resign));
    assert_eq!(bring(&server, &id, &mine, &another[..]).await.status, 403);
    // A longer game with the same beginning does not continue the first one.
    let longer = texts(&played(4, Wish::Resign));
    assert_eq!((&longer[0], longer.len() > entries.len()), (&entries[0], true));
    assert_eq!(bring(&server, &id, &mine, &longer).await.status, 403);
    let after = get(server.at, &format!("/api/games/{id}/state")).key(&mine).send().await.json();
    assert_eq!(after, state);
    let path = format!("/api/games/{id}/entries");
    let nobody = request(server.at, "PUT", &path).json(&json!({ "entries": entries })).send().await;
    assert_eq!(nobody.status, 401);
}

#[tokio::test]
async fn what_is_no_game_played_to_its_end_is_refused() {
    let server = TestServer::open().await;
    let key = key(server.at).await;
    let whole = played(2, Wish::Resign);
    let changed = |change: &dyn Fn(&mut Vec<Entry>)| {
        let mut entries = whole.clone();
        change(&mut entries);
        texts(&entries)
    };
    let start = |change: &dyn Fn(&mut Start)| {
        changed(&|entries| {
            if let Event::Started(start) = &mut entries[0].event {
                change(start);
            }
        })
    };
    let cases = [
        ("nothing", Vec::new()),
        ("no end", changed(&|entries| drop(entries.pop()))),
        ("a hole", changed(&|entries| drop(entries.remove(3)))),
        ("two moves changed over", changed(&|entries| entries.swap(1, 2))),
        (
            "from the future",
            changed(&|entries| {
                let last = entries.len() - 1;
                entries[last].at = Millis(9_000_000_000_000);
            }),
        ),
        ("at a server", start(&|start| start.source = Source::Online)),
        (
            "against the computer",
            start(&|start| {
                let side = hansu_chess::Color::Black;
                start.computer = Some(hansu_play::Computer { side, level: 3, resigns: false });
            }),
        ),
        (
            "a series with a game of this server",
            start(&|start| {
                let previous = GameId::random().expect("an id").to_string();
                start.series = Some(Series { previous, games: 1, score: Sides::default() });
            }),
        ),
        ("a name nobody sees", start(&|start| start.names.white = "Mi\u{200B}na".to_owned())),
        ("no events", vec!["{}".to_owned()]),
        ("too many", vec![texts(&whole)[0].clone(); 5_000]),
    ];
    for (what, entries) in cases {
        let id = GameId::random().expect("an id").to_string();
        let told = bring(&server, &id, &key, &entries).await;
        assert_eq!(told.status, 400, "{what}: {:?}", told.json());
    }
    assert_eq!(bring(&server, "nonsense", &key, &texts(&whole)).await.status, 404);
    assert!(games(&server, &key).await.is_empty());
}

#[tokio::test]
async fn a_rematch_of_the_same_browser_is_kept() {
    let server = TestServer::open().await;
    let key = key(server.at).await;
    let mut entries = played(1, Wish::Resign);
    if let Event::Started(start) = &mut entries[0].event {
        let previous = format!("~{}", GameId::random().expect("an id"));
        start.series = Some(Series { previous, games: 1, score: Sides { white: 2, black: 0 } });
    }
    let id = GameId::random().expect("an id").to_string();
    assert_eq!(bring(&server, &id, &key, &texts(&entries)).await.status, 200);
    let state = get(server.at, &format!("/api/games/{id}/state")).key(&key).send().await.json();
    assert_eq!(state["start"]["series"]["score"]["white"], json!(2), "{state}");
}

#[tokio::test]
async fn a_long_game_goes_on_where_it_was_broken_off() {
    let server = TestServer::open().await;
    let key = key(server.at).await;
    // Longer than one append takes.
    let mut entries = played(8, Wish::Resign);
    let end = entries.pop().expect("an end");
    for number in 0..400 {
        let seq = entries.len() as u64 + 1;
        let event =
            Event::Chatted { from: Actor::Both, name: None, text: format!("line {number}") };
        entries.push(Entry { seq, at: end.at, event });
    }
    entries.push(Entry { seq: entries.len() as u64 + 1, ..end });
    // The first append is in the log; then the server was killed.
    let id = GameId::random().expect("an id");
    let state = hansu_play::State::replay(&entries).expect("a game");
    let first = entries[..256].iter().map(hansu_journal::to_event);
    let holder = key.parse::<hansu_server::keys::Key>().expect("a key").holder();
    let seats = vec![Seat { side: Side::Both, holder }];
    let append = Append {
        game: id,
        expected: 1,
        command_key: None,
        events: first.collect::<Result<_, _>>().expect("events"),
        row: hansu_journal::summary(&state, Visibility::Private).into(),
        begins: Some(Begins { seats, uses: None }),
        next: None,
    };
    server.store.append(append).expect("a piece");
    let (id, all) = (id.to_string(), texts(&entries));
    let kept = bring(&server, &id, &key, &all).await;
    assert_eq!(kept.status, 200, "{:?}", kept.json());
    let state = get(server.at, &format!("/api/games/{id}/state")).key(&key).send().await.json();
    assert_eq!((&state["seq"], &state["phase"]), (&json!(all.len()), &json!("ended")));
}
