//! Hostile clients, a few of each kind; others play on and notice nothing.

use std::time::Duration;

use hansu_load::abuse::{Others, flood, handshakes, keys, readers, requests};
use hansu_load::program;

async fn others() -> Others {
    Others::start(&program::hansu().unwrap(), 20, 100.0).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_that_never_read_are_closed_within_ten_seconds() {
    let others = others().await;
    let silent = readers::never_read(&others, 60).await.unwrap();
    println!("{silent}");
    // Who does not answer even once is not waited for as long as somebody who falls silent.
    assert!(silent.closed < Duration::from_millis(8_300), "{silent}");
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
