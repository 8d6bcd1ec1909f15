//! One game: takebacks, adjournment, spectators, chat, two browsers on one seat, refusals.

use hansu_ground::clients::{GameClient, Pair, clock, get};
use hansu_play::Offer;
use hansu_protocol::{ServerMessage, Wish};
use serde_json::{Value, json};

use crate::test_server::TestServer;

async fn meet(server: &TestServer, setting: Value) -> Pair {
    Pair::meet(server.at, setting).await
}

fn chat(text: &str, name: Option<&str>) -> Wish {
    Wish::Chat { text: text.to_owned(), name: name.map(str::to_owned) }
}

#[tokio::test]
async fn a_takeback_gives_the_board_and_the_clocks_back() {
    let server = TestServer::open().await;
    let mut pair = meet(&server, json!({ "time": clock(600_000) })).await;
    pair.play("e2e4 e7e5 g1f3 b8c6").await;
    pair.white.ask(Wish::Offer { what: Offer::Takeback }).await.unwrap();
    let seq = pair.black.ask(Wish::Accept { what: Offer::Takeback }).await.unwrap();
    pair.white.reach(seq).await;
    let board = pair.white.received.iter().rev().find_map(|message| match message {
        ServerMessage::Event(happened) => happened.board.clone(),
        _ => None,
    });
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(board.unwrap().fen, fen);
    // White is to move again, and has received the legal moves.
    let turn = pair.white.wait(|message| matches!(message, ServerMessage::Turn { .. })).await;
    let ServerMessage::Turn { moves, seq: after } = turn else { panic!() };
    assert_eq!((moves.targets["g1"].as_str(), after), ("e2f3h3", seq));
    pair.play("d2d4").await;
    let row = get(server.at, &format!("/api/games/{}", pair.game)).send().await.json();
    assert_eq!(row["game"]["moves"], "e2e4 e7e5 d2d4");
}

#[tokio::test]
async fn a_game_is_adjourned_and_gone_on_with() {
    let server = TestServer::open().await;
    let mut pair = meet(&server, json!({ "time": clock(600_000) })).await;
    pair.play("e2e4 e7e5").await;
    pair.white.ask(Wish::Offer { what: Offer::Adjournment }).await.unwrap();
    let seq = pair.black.ask(Wish::Accept { what: Offer::Adjournment }).await.unwrap();
    pair.white.reach(seq).await;
    assert_eq!(pair.white.go("g1f3").await.unwrap_err().code, "adjourned");
    let row = get(server.at, &format!("/api/games/{}", pair.game)).send().await.json();
    assert_eq!(row["game"]["status"], "adjourned");
    pair.black.ask(Wish::Offer { what: Offer::Resumption }).await.unwrap();
    let seq = pair.white.ask(Wish::Accept { what: Offer::Resumption }).await.unwrap();
    pair.black.reach(seq).await;
    pair.play("g1f3 b8c6").await;
}

#[tokio::test]
async fn spectators_watch_and_talk_where_they_may_and_never_move() {
    let server = TestServer::open().await;
    let setting = json!({ "visibility": "public", "spectators": "chat" });
    let mut pair = meet(&server, setting).await;
    let key = hansu_ground::clients::key(server.at).await;
    let mut one = GameClient::join(server.at, &pair.game, None).await;
    let mut two = GameClient::join(server.at, &pair.game, Some(&key)).await;
    let watched =
        |message: &ServerMessage| matches!(message, ServerMessage::Presence { spectators: 2, .. });
    pair.white.wait(watched).await;
    for wish in [
        Wish::Move { uci: "e2e4".into() },
        Wish::Resign,
        Wish::Abort,
        Wish::Offer { what: Offer::Draw },
        Wish::ClaimDraw { with: None },
    ] {
        assert_eq!(one.refusal_code(wish.clone()).await, "not_seated");
        assert_eq!(two.refusal_code(wish).await, "not_seated");
    }
    one.ask(chat("go on!", Some("Cho"))).await.unwrap();
    let said = pair.black.event("chatted").await;
    assert_eq!((&said["from"], &said["name"]), (&json!("spectator"), &json!("Cho")));
    drop(two);
    pair.white
        .wait(|message| matches!(message, ServerMessage::Presence { spectators: 1, .. }))
        .await;

    let mut silent = meet(&server, json!({})).await;
    let mut three = GameClient::join(server.at, &silent.game, None).await;
    assert_eq!(three.refusal_code(chat("hello", Some("Cho"))).await, "chat_closed");
    // Players may chat, only under their own names.
    silent.white.ask(chat("hello", Some("Ben"))).await.unwrap();
    let said = three.event("chatted").await;
    assert_eq!((&said["from"], &said["name"]), (&json!("white"), &Value::Null));
}

#[tokio::test]
async fn two_browsers_on_one_seat_see_and_do_the_same() {
    let server = TestServer::open().await;
    let mut pair = meet(&server, json!({})).await;
    let mut second = GameClient::join(server.at, &pair.game, Some(&pair.keys[0])).await;
    second.snapshot().await;
    let seq = pair.white.go("e2e4").await.unwrap();
    second.reach(seq).await;
    pair.black.reach(seq).await;
    let seq = pair.black.go("e7e5").await.unwrap();
    second.reach(seq).await;
    pair.white.reach(seq).await;
    // Both receive the legal moves; the later move is refused.
    second.wait(|message| matches!(message, ServerMessage::Turn { .. })).await;
    let seq = second.go("g1f3").await.unwrap();
    assert_eq!(pair.white.go("b1c3").await.unwrap_err().code, "not_your_turn");
    pair.white.reach(seq).await;
    // One leaves, and the seat is still taken.
    drop(second);
    let seen = pair.black.go("b8c6").await.unwrap();
    pair.white.reach(seen).await;
    let here =
        |message: &ServerMessage| matches!(message, ServerMessage::Presence { white: false, .. });
    assert!(!pair.black.received.iter().any(here));
}

#[tokio::test]
async fn refusals_say_why_with_the_squares_that_prove_it() {
    let server = TestServer::open().await;
    let fen = "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1";
    let mut pair = meet(&server, json!({ "fen": fen })).await;
    let pinned = pair.white.go("c3d5").await.unwrap_err();
    assert_eq!(pinned.code, "pinned");
    assert_eq!(pinned.by, ["b4"]);
    assert!(pinned.text.contains("b4"), "{}", pinned.text);
    assert_eq!(pair.black.go("b4c3").await.unwrap_err().code, "not_your_turn");
    assert_eq!(pair.white.go("over there").await.unwrap_err().code, "bad_move");
    assert_eq!(pair.white.refusal_code(chat("   ", None)).await, "text_empty");
    assert_eq!(pair.white.refusal_code(chat(&"x".repeat(2_000), None)).await, "text_too_long");
    // No event was written.
    assert_eq!(pair.white.seq, 1);
}

#[tokio::test]
async fn one_screen_plays_both_sides() {
    let server = TestServer::open().await;
    let key = hansu_ground::clients::key(server.at).await;
    let new = json!({ "with": "local", "name": "Anna", "other": "Ben" });
    let made = hansu_ground::clients::post(server.at, "/api/games", &new).key(&key).send().await;
    let made: hansu_protocol::Made = made.read();
    assert_eq!(made.seat, hansu_protocol::Seat::Both);
    let mut screen = GameClient::join(server.at, &made.game, Some(&key)).await;
    for uci in ["e2e4", "e7e5", "g1f3"] {
        screen.go(uci).await.unwrap();
    }
    // Taken back at once: there is no opponent to agree.
    screen.ask(Wish::Offer { what: Offer::Takeback }).await.unwrap();
    screen.event("taken_back").await;
    let row = get(server.at, &format!("/api/games/{}", made.game)).send().await.json();
    assert_eq!((&row["game"]["moves"], &row["seat"]), (&json!("e2e4 e7e5"), &Value::Null));
}
