//! Connections that break at any moment, answers that get lost, servers that are
//! started again.

use std::time::Duration;

use hansu_ground::clients::{GameClient, Pair, clock, get, post};
use hansu_play::{Millis, Offer};
use hansu_protocol::{ClientMessage, Phase, ServerMessage, Wish};
use hansu_server::{Clock, Config};
use serde_json::{Value, json};

use crate::test_server::TestServer;

#[tokio::test]
async fn a_returning_client_gets_the_missing_events_or_a_snapshot() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    pair.play("e2e4 e7e5").await;
    let Pair { at, game, keys, mut white, black, .. } = pair;
    let last = black.seq;
    drop(black);
    white.go("g1f3").await.unwrap();
    white.ask(Wish::Chat { text: "still there?".into(), name: None }).await.unwrap();
    let mut black = GameClient::resume(at, &game, Some(&keys[1]), last).await;
    black.reach(white.seq).await;
    assert!(!black.received.iter().any(|m| matches!(m, ServerMessage::Snapshot(_))));
    black.wait(|message| matches!(message, ServerMessage::Turn { .. })).await;
    // Nothing is missing: only the welcome, the turn and the presence are sent.
    let mut same = GameClient::resume(at, &game, Some(&keys[1]), white.seq).await;
    same.wait(|message| matches!(message, ServerMessage::Presence { .. })).await;
    assert!(
        !same
            .received
            .iter()
            .any(|m| { matches!(m, ServerMessage::Snapshot(_) | ServerMessage::Event(_)) })
    );
    // Far behind, or ahead of the log: a snapshot.
    for _ in 0..13 {
        white.ask(Wish::Chat { text: "…".into(), name: None }).await.unwrap();
        black.ask(Wish::Chat { text: "…".into(), name: None }).await.unwrap();
    }
    white.reach(black.seq).await;
    for seq in [1, last, white.seq + 1, u64::MAX] {
        let mut back = GameClient::resume(at, &game, Some(&keys[1]), seq).await;
        assert_eq!(back.snapshot().await.seq, white.seq, "from {seq}");
    }
}

#[tokio::test]
async fn a_gap_is_asked_about() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    pair.play("e2e4 e7e5").await;
    pair.white.seq = 1;
    pair.white.connection.send_json(&ClientMessage::Sync { seq: 1 }).await;
    pair.white.reach(3).await;
    pair.white.connection.send_json(&ClientMessage::Sync { seq: 0 }).await;
    let snapshot = pair.white.snapshot().await;
    assert_eq!((snapshot.seq, snapshot.plies.len(), snapshot.phase), (3, 2, Phase::Playing));
    assert_eq!(snapshot.plies[1].san, "e5");
}

/// A player whose connection breaks after every step.
#[tokio::test]
async fn a_connection_that_breaks_all_the_time_loses_nothing() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({ "time": clock(600_000) })).await;
    let steps = [("e2e4", "e7e5"), ("g1f3", "b8c6"), ("f1b5", "a7a6")];
    for (ours, theirs) in steps {
        let seq = pair.white.go(ours).await.unwrap();
        pair.black.reach(seq).await;
        let seq = pair.black.go(theirs).await.unwrap();
        // The connection breaks with the event on its way.
        let known = pair.white.seq;
        pair.white = GameClient::resume(pair.at, &pair.game, Some(&pair.keys[0]), known).await;
        pair.white.reach(seq).await;
    }
    pair.white.ask(Wish::Offer { what: Offer::Draw }).await.unwrap();
    let known = pair.black.seq;
    pair.black = GameClient::resume(pair.at, &pair.game, Some(&pair.keys[1]), known).await;
    pair.black.reach(pair.white.seq).await;
    let seq = pair.black.ask(Wish::Accept { what: Offer::Draw }).await.unwrap();
    let known = pair.white.seq;
    pair.white = GameClient::resume(pair.at, &pair.game, Some(&pair.keys[0]), known).await;
    pair.white.reach(seq).await;
    assert_eq!(pair.ending().await.1, "agreement");
}

#[tokio::test]
async fn a_command_is_done_once_however_often_it_is_sent() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    let step = |uci: &str| Wish::Move { uci: uci.to_owned() };
    // Sent three times at once, then answered three times alike.
    for _ in 0..3 {
        pair.white.send("m1", step("e2e4")).await;
    }
    for _ in 0..3 {
        assert_eq!(pair.white.answer("m1").await, Ok(2));
    }
    pair.black.reach(2).await;
    let seq = pair.black.go("e7e5").await.unwrap();
    pair.white.reach(seq).await;
    // The acknowledgement is lost, the connection breaks, the client sends again.
    pair.white.send("m2", step("g1f3")).await;
    pair.black.reach(4).await;
    let known = pair.white.seq;
    pair.white = GameClient::resume(pair.at, &pair.game, Some(&pair.keys[0]), known).await;
    pair.white.send("m2", step("g1f3")).await;
    assert_eq!(pair.white.answer("m2").await, Ok(4));
    // Command ids are separate for each seat: the same id of the other side is another command.
    assert_eq!(pair.black.ask(step("d2d4")).await.unwrap_err().code, "not_your_piece");
    pair.black.send("m2", step("b8c6")).await;
    assert_eq!(pair.black.answer("m2").await, Ok(5));
    let row = get(pair.at, &format!("/api/games/{}", pair.game)).send().await.json();
    assert_eq!(row["game"]["moves"], "e2e4 e7e5 g1f3 b8c6");
}

#[tokio::test]
async fn commands_out_of_order_are_refused_and_can_be_sent_again() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    let step = |uci: &str| Wish::Move { uci: uci.to_owned() };
    // White's second move overtakes the first.
    pair.white.send("second", step("g1f3")).await;
    pair.white.send("first", step("e2e4")).await;
    assert_eq!(pair.white.answer("second").await, Ok(2));
    assert_eq!(pair.white.answer("first").await.unwrap_err().code, "not_your_turn");
    pair.black.reach(2).await;
    pair.black.go("e7e5").await.unwrap();
    pair.white.reach(3).await;
    // A refused command has used up nothing, not even its id.
    pair.white.send("first", step("e2e4")).await;
    assert_eq!(pair.white.answer("first").await, Ok(4));
}

#[tokio::test]
async fn a_resend_is_recognised_after_a_restart() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({ "time": clock(600_000) })).await;
    pair.play("e2e4").await;
    pair.black.send("lost", Wish::Move { uci: "e7e5".into() }).await;
    pair.white.reach(3).await;
    let Pair { game, keys, mut white, black, .. } = pair;
    let stopping = tokio::spawn(server.restart(Config::default()));
    // All connections get `Bye` and are to reconnect.
    assert_eq!(white.connection.read_to_end().await, Some(hansu_protocol::CLOSE_RESTART));
    drop(black);
    let server = stopping.await.unwrap();
    let mut black = GameClient::resume(server.at, &game, Some(&keys[1]), 2).await;
    black.send("lost", Wish::Move { uci: "e7e5".into() }).await;
    assert_eq!(black.answer("lost").await, Ok(3));
    let mut white = GameClient::resume(server.at, &game, Some(&keys[0]), 3).await;
    white.go("g1f3").await.unwrap();
    // Over HTTP as well, with or without a restart.
    let path = format!("/api/games/{game}/commands");
    let again = json!({ "id": "lost", "command": { "type": "move", "uci": "e7e5" } });
    let answer = post(server.at, &path, &again).key(&keys[1]).send().await;
    assert_eq!(answer.json(), json!({ "seq": 3 }));
    server.stop().await;
}

#[tokio::test]
async fn clocks_are_credited_for_the_time_that_the_server_was_away() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({ "time": clock(60_000) })).await;
    pair.play("e2e4 e7e5").await;
    let Pair { game, keys, white, black, .. } = pair;
    drop((white, black));
    // An hour later: far more than the clock had.
    let clock = Clock::start().ahead(Millis::minutes(60));
    let server = server.restart(Config { clock, ..Config::default() }).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut white = GameClient::join(server.at, &game, Some(&keys[0])).await;
    let snapshot = white.snapshot().await;
    assert_eq!(snapshot.phase, Phase::Playing, "{snapshot:?}");
    let ticking = snapshot.ticking.expect("a clock that runs");
    assert!(ticking.left > Millis::seconds(50), "{ticking:?}");
    // All clients can see it: it is an event of the game.
    let events = hansu_records::Log::events(&*server.store, game.parse().unwrap(), 0, 100);
    let bodies: Vec<Value> =
        events.unwrap().iter().map(|event| serde_json::from_str(&event.body).unwrap()).collect();
    // A commit that a slow disk delays is credited as well, with seconds.
    let minutes = |body: &&Value| body["time"].as_u64() > Some(60_000);
    let credited = bodies.iter().filter(|body| body["type"] == "credited").filter(minutes).count();
    assert_eq!(credited, 1, "{bodies:?}");
    white.go("g1f3").await.unwrap();
}
