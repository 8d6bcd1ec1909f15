//! The real `hansu serve`: signals, crashes, restarts, and what gets into its log lines.

mod database;
mod join;
mod misfortunes;
mod tls;

use std::io::Read as _;
use std::time::Duration;

use hansu_ground::clients::{GameClient, Pair, clock, get, post};
use hansu_ground::process::{GRACE, Process};
use hansu_protocol::{Made, Phase, ServerMessage, Snapshot, Wish};
use serde_json::json;

const HANSU: &str = env!("CARGO_BIN_EXE_hansu");

#[tokio::test]
async fn a_polite_kill_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Process::start(HANSU, folder.path(), "warn");
    let mut pairs = Vec::new();
    for _ in 0..5 {
        pairs.push(Pair::meet(server.at, json!({ "time": clock(600_000) })).await);
    }
    let mut kept = Vec::new();
    for pair in &mut pairs {
        pair.play("e2e4 e7e5").await;
    }
    // Moves are being sent when the signal arrives: each is acknowledged or not stored.
    for pair in &mut pairs {
        pair.white.send("last", Wish::Move { uci: "g1f3".into() }).await;
    }
    server.signal("-TERM");
    for pair in &mut pairs {
        let mut acknowledged = 3;
        while let Some(message) = pair.white.next().await {
            if let ServerMessage::Ack { seq, .. } = message {
                acknowledged = acknowledged.max(seq);
            }
        }
        assert_eq!(pair.white.connection.close_code, Some(hansu_protocol::CLOSE_RESTART));
        kept.push((pair.game.clone(), pair.keys.clone(), acknowledged, pair.white.seq));
    }
    assert_eq!(server.wait_for_exit(GRACE).await, Some(0));
    let mut output = String::new();
    server.child.stdout.as_mut().expect("output").read_to_string(&mut output).expect("text");
    assert!(output.contains("Every move is in the log"), "{output}");
    let server = Process::start(HANSU, folder.path(), "warn");
    for (game, keys, acknowledged, seen) in kept {
        let mut white = GameClient::join(server.at, &game, Some(&keys[0])).await;
        let snapshot = white.snapshot().await;
        // Every acknowledged move is stored.
        assert!(snapshot.seq >= acknowledged.max(seen), "{snapshot:?}");
        assert_eq!(snapshot.phase, Phase::Playing);
        // A move that is sent again is executed once.
        white.send("last", Wish::Move { uci: "g1f3".into() }).await;
        assert_eq!(white.answer("last").await, Ok(4));
        assert!(snapshot.plies.len() <= 3);
    }
    let check = hansu_records::SqliteStore::open(&hansu_records::log_file(folder.path())).unwrap();
    hansu_records::Archive::check(&check).expect("a sound log");
}

#[tokio::test]
async fn after_a_crash_games_go_on_and_clocks_are_credited() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Process::start(HANSU, folder.path(), "warn");
    // Eight seconds for the game: less than the server will be away.
    let mut pair = Pair::meet(server.at, json!({ "time": clock(8_000) })).await;
    pair.play("e2e4 e7e5").await;
    let seq = pair.white.seq;
    // The last heartbeat is at most 1 s old.
    server.signal("-KILL");
    assert_eq!(server.wait_for_exit(GRACE).await, None);
    tokio::time::sleep(Duration::from_secs(9)).await;
    let server = Process::start(HANSU, folder.path(), "warn");
    let mut white = GameClient::resume(server.at, &pair.game, Some(&pair.keys[0]), seq).await;
    // The credit is an event that every client receives.
    white.reach(seq + 1).await;
    let path = format!("/api/games/{}/state", pair.game);
    let state: Snapshot = get(server.at, &path).send().await.read();
    assert_eq!(state.phase, Phase::Playing, "{state:?}");
    let left = state.ticking.expect("a clock that runs").left.0;
    // Up to 1 s of it may be lost between two heartbeats, and more on a busy machine.
    assert!((3_000..=8_000).contains(&left), "{left}");
    white.go("g1f3").await.expect("the game goes on");
}

#[tokio::test]
async fn no_secret_gets_into_a_log_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Process::start(HANSU, folder.path(), "trace");
    let mut pair = Pair::meet(server.at, json!({})).await;
    pair.play("e2e4 e7e5").await;
    let me = get(server.at, "/api/me").send().await;
    let cookie = me.header("set-cookie").expect("a cookie").split(';').next().unwrap().to_owned();
    let origin = format!("http://{}", server.at);
    let new = json!({ "with": "friend", "name": "Cho" });
    let made =
        post(server.at, "/api/games", &new).header("cookie", &cookie).header("origin", &origin);
    let made: Made = made.send().await.read();
    let invitation = made.invitation.expect("an invitation");
    get(server.at, &format!("/api/invitations/{invitation}")).send().await;
    get(server.at, &format!("/join/{invitation}")).send().await;
    let path = format!("/api/invitations/{invitation}?lang=ko");
    post(server.at, &path, &json!({ "name": "Dan" })).key(&pair.keys[0]).send().await;
    get(server.at, "/api/games?mine=true").key(&pair.keys[1]).send().await;
    let secret = "what nobody else should read";
    pair.white.ask(Wish::Chat { text: secret.into(), name: None }).await.unwrap();
    server.signal("-TERM");
    server.wait_for_exit(GRACE).await;
    let log = std::fs::read_to_string(folder.path().join("log")).expect("log lines");
    assert!(log.contains("request"), "there are lines: {log:.500}");
    let secrets = [
        pair.keys[0].as_str(),
        &pair.keys[1],
        cookie.strip_prefix("hansu=").expect("a cookie"),
        &invitation,
        secret,
    ];
    for secret in secrets {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None);
    }
}
