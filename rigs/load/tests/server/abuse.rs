//! Hostile clients, a few of each kind; others play on and notice nothing.

use std::time::{Duration, Instant};

use hansu_load::abuse::{Others, flood, handshakes, keys, readers, requests};
use hansu_load::frames::{Frame, Kind, Raw};
use serde_json::Value;
use tokio::time::timeout;

async fn others() -> Others {
    Others::start(&hansu_ground::hansu().unwrap(), 20, 100.0).await.unwrap()
}

/// In one try of a few: a machine that stands still for a second may turn them round.
#[tokio::test(flavor = "multi_thread")]
async fn readers_that_never_read_are_closed_before_one_that_fell_silent() {
    let others = others().await;
    let mut tries = 0;
    while !closes_readers_first(&others).await {
        tries += 1;
        assert!(tries < 5, "closed after one that was silent for longer");
    }
    others.stop().await.unwrap();
}

async fn closes_readers_first(others: &Others) -> bool {
    let mut silent = guest(others, &format!("/api/games/{}/socket", others.games[0].game)).await;
    while told(&mut silent).await.is_some() {}
    silent.send(&Frame::new(Kind::PONG, "")).await.unwrap();
    // From now on it answers nothing; they come later, and are gone sooner.
    let until_closed = async {
        loop {
            let frame = silent.frame().await.unwrap().unwrap();
            if frame.kind == Kind::CLOSE {
                assert!(frame.payload.ends_with(b"slow"));
                return Instant::now();
            }
        }
    };
    let readers = async {
        let readers = readers::never_read(others, 60, Duration::from_secs(60)).await.unwrap();
        println!("{readers}");
        Instant::now()
    };
    let (silent, readers) = tokio::join!(until_closed, readers);
    readers < silent
}

/// Somebody who has said hello there.
async fn guest(others: &Others, path: &str) -> Raw {
    let mut raw = Raw::upgrade(others.program.address(), path, None).await.unwrap();
    raw.send(&Frame::new(Kind::TEXT, r#"{"type":"hello","v":1}"#)).await.unwrap();
    raw
}

/// The next message, and `None` for a ping.
async fn told(raw: &mut Raw) -> Option<Value> {
    let frame = raw.frame().await.unwrap().unwrap();
    (frame.kind != Kind::PING).then(|| serde_json::from_slice(&frame.payload).unwrap())
}

/// What somebody is told who answers nothing, until nothing more comes.
async fn told_in_silence(raw: &mut Raw) -> Vec<String> {
    let mut kinds = Vec::new();
    while let Ok(told) = timeout(Duration::from_secs(2), told(raw)).await {
        let kind = told.as_ref().map_or("ping", |message| message["type"].as_str().unwrap());
        kinds.push(kind.to_owned());
    }
    kinds
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_not_answered_once_is_greeted_and_told_nothing_more() {
    let others = others().await;
    // Five moves a second are made in this game.
    let mut raw = guest(&others, &format!("/api/games/{}/socket", others.games[0].game)).await;
    assert_eq!(
        told_in_silence(&mut raw).await,
        ["welcome", "snapshot", "presence", "ping", "beat"]
    );
    // Now all that has happened meanwhile.
    raw.send(&Frame::new(Kind::PONG, "")).await.unwrap();
    let mut seqs = Vec::new();
    while seqs.len() < 6 {
        if let Some(message) = told(&mut raw).await
            && message["type"] == "event"
        {
            seqs.push(message["entry"]["seq"].as_u64().unwrap());
        }
    }
    assert!(seqs.is_sorted_by(|one, next| one + 1 == *next), "{seqs:?}");
    others.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_not_answered_in_the_lobby_hears_nothing_of_newcomers() {
    let others = others().await;
    let mut raw = guest(&others, "/api/lobby/socket").await;
    assert_eq!(told(&mut raw).await.unwrap()["people"], 41);
    let _second = guest(&others, "/api/lobby/socket").await;
    assert_eq!(told_in_silence(&mut raw).await, ["ping", "beat"]);
    raw.send(&Frame::new(Kind::PONG, "")).await.unwrap();
    assert_eq!(told(&mut raw).await.unwrap()["people"], 42);
    others.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn floods_and_broken_frames_end_their_own_connection() {
    let others = others().await;
    println!("{:?}", flood::all(&others).await.unwrap());
    assert!(flood::malformed(&others).await.unwrap() >= 30);
    others.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn half_open_handshakes_are_closed_and_others_are_served() {
    let others = others().await;
    println!("{}", handshakes::half_open(&others, 200).await.unwrap());
    others.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_requests_get_a_clear_answer() {
    let others = others().await;
    assert!(requests::all(&others).await.unwrap() >= 40);
    others.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_forged_swapped_stale_or_missing_key_moves_anything() {
    let others = others().await;
    let refused = keys::all(&others, 2_000).await.unwrap();
    assert!(refused.requests + refused.sockets == 2_000 && refused.sockets >= 32);
    others.stop().await.unwrap();
}
