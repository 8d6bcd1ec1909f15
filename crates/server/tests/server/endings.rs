//! Two players through every kind of ending.

use std::time::Duration;

use hansu_ground::clients::{GameClient, Pair, clock};
use hansu_play::{Claimed, Offer};
use hansu_protocol::Wish;
use hansu_server::{Clock, Config};
use serde_json::{Value, json};

use crate::test_server::TestServer;

async fn meet(server: &TestServer, setting: Value) -> Pair {
    Pair::meet(server.at, setting).await
}

fn from(fen: &str) -> Value {
    json!({ "fen": fen })
}

fn ending(winner: &str, reason: &str) -> (String, String) {
    (winner.to_owned(), reason.to_owned())
}

#[tokio::test]
async fn checkmate() {
    let server = TestServer::open().await;
    let mut pair = meet(&server, json!({})).await;
    pair.play("f2f3 e7e5 g2g4 d8h4").await;
    assert_eq!(pair.ending().await, ending("black", "checkmate"));
    assert_eq!(pair.white.refusal_code(Wish::Resign).await, "game_over");
    assert_eq!(pair.white.go("e1f2").await.unwrap_err().code, "game_over");
}

#[tokio::test]
async fn stalemate_dead_position_and_seventy_five_moves_end_by_themselves() {
    let server = TestServer::open().await;
    for (fen, uci, reason) in [
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", "stalemate"),
        ("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2", "dead_position"),
        ("4k3/8/8/p1p1p1p1/P1P1P3/6P1/8/4K3 w - - 0 1", "g3g4", "locked_pawns"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 149 100", "a1a2", "seventy_five_moves"),
    ] {
        let mut pair = meet(&server, from(fen)).await;
        pair.play(uci).await;
        assert_eq!(pair.ending().await, ending("none", reason));
    }
}

#[tokio::test]
async fn threefold_repetition_is_claimed_and_fivefold_is_not() {
    let server = TestServer::open().await;
    let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
    let mut pair = meet(&server, json!({})).await;
    pair.play(there_and_back).await;
    assert_eq!(pair.white.refusal_code(Wish::ClaimDraw { with: None }).await, "nothing_to_claim");
    pair.play(there_and_back).await;
    pair.white.ask(Wish::ClaimDraw { with: None }).await.unwrap();
    assert_eq!(pair.ending().await, ending("none", "threefold_repetition"));

    let mut pair = meet(&server, json!({})).await;
    pair.play(&there_and_back.repeat(4)).await;
    assert_eq!(pair.ending().await, ending("none", "fivefold_repetition"));
}

#[tokio::test]
async fn fifty_moves_are_claimed_with_the_move_that_makes_them() {
    let server = TestServer::open().await;
    let mut pair = meet(&server, from("4k3/8/8/8/8/8/8/R3K3 w - - 99 80")).await;
    assert_eq!(pair.white.refusal_code(Wish::ClaimDraw { with: None }).await, "nothing_to_claim");
    pair.white.ask(Wish::ClaimDraw { with: Some("a1a2".into()) }).await.unwrap();
    assert_eq!(pair.ending().await, ending("none", "fifty_moves"));
}

#[tokio::test]
async fn resignation_and_agreement() {
    let server = TestServer::open().await;
    let mut pair = meet(&server, json!({})).await;
    pair.play("e2e4").await;
    pair.white.ask(Wish::Resign).await.unwrap();
    assert_eq!(pair.ending().await, ending("black", "resignation"));

    let mut pair = meet(&server, json!({})).await;
    pair.white.ask(Wish::Offer { what: Offer::Draw }).await.unwrap();
    assert_eq!(
        pair.white.refusal_code(Wish::Accept { what: Offer::Draw }).await,
        "nothing_offered"
    );
    pair.black.ask(Wish::Decline { what: Offer::Draw }).await.unwrap();
    pair.black.ask(Wish::Offer { what: Offer::Draw }).await.unwrap();
    // Offering what the opponent has offered accepts it.
    pair.white.ask(Wish::Offer { what: Offer::Draw }).await.unwrap();
    assert_eq!(pair.ending().await, ending("none", "agreement"));
}

#[tokio::test]
async fn a_flag_falls_by_itself_and_loses_only_if_mate_is_possible() {
    let server = TestServer::open().await;
    let mut pair = meet(&server, json!({ "time": clock(1_000) })).await;
    pair.play("e2e4 e7e5").await;
    assert_eq!(pair.ending().await, ending("black", "timeout"));

    let bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let mut pair = meet(&server, json!({ "time": clock(1_000), "fen": bare })).await;
    pair.play("e2e4 e8e7").await;
    assert_eq!(pair.ending().await, ending("none", "timeout_draw"));
}

#[tokio::test]
async fn a_flag_falls_in_a_game_without_connections() {
    let server = TestServer::open().await;
    let mut pair = meet(&server, json!({ "time": clock(1_000) })).await;
    pair.play("e2e4 e7e5").await;
    let Pair { at, game, keys, white, black, .. } = pair;
    drop((white, black));
    let mut snapshot = None;
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_secs(3)).await;
        snapshot = Some(GameClient::join(at, &game, Some(&keys[0])).await.snapshot().await);
        if snapshot.as_ref().is_some_and(|snapshot| snapshot.ending.is_some()) {
            break;
        }
    }
    let ended = serde_json::to_value(snapshot.unwrap().ending).unwrap();
    assert_eq!(ended, json!({ "winner": "black", "reason": "timeout" }));
}

#[tokio::test]
async fn a_game_is_aborted_until_both_have_moved() {
    let server = TestServer::open().await;
    let mut pair = meet(&server, json!({})).await;
    pair.play("e2e4").await;
    pair.black.ask(Wish::Abort).await.unwrap();
    assert_eq!(pair.ending().await, ending("none", "abort"));

    let mut pair = meet(&server, json!({})).await;
    pair.play("e2e4 e7e5").await;
    assert_eq!(pair.white.refusal_code(Wish::Abort).await, "too_late_to_abort");
}

/// With a clock ten times as fast: eight seconds of grace and a minute of absence.
#[tokio::test]
async fn a_game_is_claimed_from_an_absent_player() {
    let config = Config { clock: Clock::start().times(10), ..Config::default() };
    let server = TestServer::with(config).await;
    let mut pair = meet(&server, json!({ "time": clock(86_400_000) })).await;
    pair.play("e2e4 e7e5").await;
    let claim = Wish::ClaimAbsence { result: Claimed::Win };
    assert_eq!(pair.white.refusal_code(claim.clone()).await, "opponent_there");
    let Pair { at, game, keys, mut white, black, .. } = pair;
    drop(black);
    assert_eq!(white.event("left").await["side"], "black");
    assert_eq!(white.refusal_code(claim.clone()).await, "opponent_there");
    // A player who returns in time cannot be claimed against.
    let black = GameClient::join(at, &game, Some(&keys[1])).await;
    assert_eq!(white.event("returned").await["side"], "black");
    drop(black);
    white.event("left").await;
    tokio::time::sleep(Duration::from_millis(60_000 / 10 + 100)).await;
    white.ask(claim).await.unwrap();
    let row = hansu_ground::clients::get(at, &format!("/api/games/{game}")).send().await.json();
    assert_eq!(row["game"]["reason"], "abandonment");
    assert_eq!(row["game"]["result"], "1-0");
}
