//! Hostile clients, a few of each kind; the other players are not disturbed.

use std::time::{Duration, Instant};

use hansu_load::abuse::{Others, flood, handshakes, keys, readers, requests};
use hansu_load::frames::{Frame, Opcode, RawConnection};
use serde_json::Value;
use tokio::time::timeout;

async fn others() -> Others {
    Others::start(&hansu_ground::hansu().unwrap(), 20, 100.0).await.unwrap()
}

/// One of five attempts must succeed: a machine that stalls for a second may reverse the order.
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
    while read_message(&mut silent).await.is_some() {}
    // The machine may have stalled for so long that the server has closed it.
    if silent.send(&Frame::new(Opcode::PONG, "")).await.is_err() {
        return false;
    }
    // From now on this client answers nothing. The readers come later and are closed sooner.
    let until_closed = async {
        loop {
            let frame = silent.read_frame().await.unwrap().unwrap();
            if frame.opcode == Opcode::CLOSE {
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

/// Opens a socket and sends `hello`.
async fn guest(others: &Others, path: &str) -> RawConnection {
    let mut raw = RawConnection::upgrade(others.program.address(), path, None).await.unwrap();
    raw.send(&Frame::new(Opcode::TEXT, r#"{"type":"hello","v":1}"#)).await.unwrap();
    raw
}

/// The next message, and `None` for a ping.
async fn read_message(raw: &mut RawConnection) -> Option<Value> {
    let frame = raw.read_frame().await.unwrap().unwrap();
    (frame.opcode != Opcode::PING).then(|| serde_json::from_slice(&frame.payload).unwrap())
}

/// What a client without answers gets until nothing comes for 2 s: what was ready when it was
/// greeted, and after the first ping nothing but heartbeats. Returns the former.
async fn read_without_answering(raw: &mut RawConnection) -> Vec<Value> {
    let (mut ready, mut pings) = (Vec::new(), 0);
    while let Ok(message) = timeout(Duration::from_secs(2), read_message(raw)).await {
        match message {
            None => pings += 1,
            Some(message) if pings == 0 => ready.push(message),
            Some(message) => assert_eq!(message["type"], "beat"),
        }
    }
    assert!(pings > 0, "no ping after {ready:?}");
    ready
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_has_not_answered_once_gets_the_welcome_and_nothing_more() {
    let others = others().await;
    // Five moves a second are made in this game.
    let mut raw = guest(&others, &format!("/api/games/{}/socket", others.games[0].game)).await;
    let ready = read_without_answering(&mut raw).await;
    for (message, kind) in ready.iter().zip(["welcome", "snapshot", "presence"]) {
        assert_eq!(message["type"], kind);
    }
    assert!(ready.len() >= 3, "{ready:?}");
    // After the pong comes everything that has happened meanwhile.
    raw.send(&Frame::new(Opcode::PONG, "")).await.unwrap();
    let mut seqs = Vec::new();
    while seqs.len() < 6 {
        if let Some(message) = read_message(&mut raw).await
            && message["type"] == "event"
        {
            seqs.push(message["entry"]["seq"].as_u64().unwrap());
        }
    }
    assert!(seqs.is_sorted_by(|one, next| one + 1 == *next), "{seqs:?}");
    others.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_has_not_answered_in_the_lobby_gets_no_news_of_newcomers() {
    let others = others().await;
    let mut raw = guest(&others, "/api/lobby/socket").await;
    assert_eq!(read_message(&mut raw).await.unwrap()["people"], 41);
    let _second = guest(&others, "/api/lobby/socket").await;
    for ready in read_without_answering(&mut raw).await {
        assert_eq!(ready["people"], 41);
    }
    raw.send(&Frame::new(Opcode::PONG, "")).await.unwrap();
    loop {
        match read_message(&mut raw).await {
            Some(news) if news["people"] == 42 => break,
            news => assert!(news.is_none_or(|news| news["people"] == 41 || news["type"] == "beat")),
        }
    }
    others.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn floods_and_broken_frames_end_their_own_connection() {
    let others = others().await;
    println!("{:?}", flood::all(&others).await.unwrap());
    assert!(flood::send_malformed(&others).await.unwrap() >= 30);
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
