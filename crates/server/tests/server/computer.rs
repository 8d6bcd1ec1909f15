//! Games against the computer: its moves are events of the log like those of players.

use hansu_ground::clients::{GameClient, get, key, post};
use hansu_play::Offer;
use hansu_protocol::{self as wire, Made, Phase, ServerMessage, Wish};
use serde_json::json;

use crate::test_server::TestServer;

/// A new game against the computer, and the seat of its opponent.
async fn meet(server: &TestServer, setting: serde_json::Value) -> (Made, GameClient) {
    let key = key(server.at).await;
    let mut new = json!({ "with": "computer", "name": "Mina" });
    new.as_object_mut().expect("an object").extend(setting.as_object().expect("one").clone());
    let made: Made = post(server.at, "/api/games", &new).key(&key).send().await.read();
    let seat = GameClient::join(server.at, &made.game, Some(&key)).await;
    (made, seat)
}

#[tokio::test]
async fn the_computer_answers_takes_back_declines_a_draw_and_plays_again() {
    let server = TestServer::open().await;
    let (made, mut white) = meet(&server, json!({ "color": "white", "level": 1 })).await;
    assert_eq!(made.seat, wire::Seat::White);
    let snapshot = white.snapshot().await;
    assert_eq!(snapshot.start.names.black, "Chick");
    // The computer is present for every client.
    let there = |message: &ServerMessage| {
        matches!(message, ServerMessage::Presence { white: true, black: true, .. })
    };
    white.wait(there).await;
    let seq = white.go("e2e4").await.expect("a move");
    white.reach(seq + 1).await;
    white.ask(Wish::Offer { what: Offer::Takeback }).await.expect("an offer");
    assert_eq!(white.event("taken_back").await["plies"], 2);
    white.ask(Wish::Offer { what: Offer::Draw }).await.expect("an offer");
    white.event("declined").await;
    let seq = white.go("d2d4").await.expect("a move");
    white.reach(seq + 1).await;
    white.ask(Wish::Resign).await.expect("an end");
    white.ask(Wish::Offer { what: Offer::Rematch }).await.expect("an offer");
    let next = white.event("rematch_agreed").await["next"].clone();
    // Colours change: the computer begins, although no client is connected yet.
    let path = format!("/api/games/{}/state", next.as_str().expect("a game"));
    for _ in 0..600 {
        let state: hansu_protocol::Snapshot = get(server.at, &path).send().await.read();
        if !state.plies.is_empty() {
            assert_eq!(state.start.names.white, "Chick");
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the computer does not begin");
}

#[tokio::test]
async fn a_whole_game_of_the_computer_ends_by_the_rules_and_is_kept() {
    let server = TestServer::open().await;
    // A king and a queen against a king: the opponent only moves its king, the computer must win.
    let setting = json!({
        "color": "black", "level": 10, "fen": "7k/8/8/8/8/5K2/6Q1/8 w - - 0 1",
    });
    let (made, mut black) = meet(&server, setting).await;
    let path = format!("/api/games/{}/state", made.game);
    loop {
        let turn = black
            .wait(|message| match message {
                ServerMessage::Turn { .. } => true,
                ServerMessage::Event(happened) => {
                    matches!(happened.entry.event, hansu_play::Event::Ended { .. })
                }
                _ => false,
            })
            .await;
        let ServerMessage::Turn { moves, .. } = turn else { break };
        let (from, to) = moves.targets.iter().next().expect("a move");
        black.go(&format!("{from}{}", &to[..2])).await.expect("a legal move");
    }
    let state: hansu_protocol::Snapshot = get(server.at, &path).send().await.read();
    assert_eq!(state.phase, Phase::Ended);
    let ending = state.ending.expect("an end");
    assert_eq!(ending.winner, Some(hansu_chess::Color::White), "{ending:?}");
}
