//! A move is on the disk before any client receives it. A kill does not prove that: what a killed
//! process wrote is still in the machine's memory.

use std::ffi::OsString;
use std::time::Duration;

use anyhow::{Context as _, Result};
use bytes::Bytes;
use hansu_load::api::ApiClient;
use hansu_load::program::Program;
use hansu_load::trace;
use hansu_load::{opening, player};
use hyper::Method;
use serde_json::json;

/// Legal moves: knights go out and home again, then pawns.
const STEPS: [&str; 12] = [
    "g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8", "e2e4", "e7e5", "d2d4", "d7d5",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_disk_is_synced_before_an_acknowledgement_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("strace.log");
    let played = play(folder.path(), &log).await.unwrap();
    let calls = trace::read(&std::fs::read_to_string(&log).unwrap()).unwrap();
    let syncs = trace::prove(&calls, &played).unwrap();
    assert!(syncs >= played.len(), "{syncs} syncs for {} moves, one after another", played.len());
}

/// Plays a game on a server under `strace`, one move after the other; returns the ids of White's
/// moves.
async fn play(folder: &std::path::Path, log: &std::path::Path) -> Result<Vec<String>> {
    // -D makes the server, not strace, the child process, so that its end is noticed.
    let words = ["strace", "-D", "-f", "-ttt", "-y", "-s", "5000", "-e", "signal=none", "-e"];
    let mut wrap: Vec<OsString> = words.map(OsString::from).into();
    wrap.push(format!("trace={}", trace::CALLS).into());
    wrap.extend(["-o".into(), log.as_os_str().to_owned()]);
    let data = folder.join("data");
    let mut program = Program::start_under(&wrap, &hansu_ground::hansu()?, &data).await?;
    let mut api = ApiClient::connect(program.address(), 0).await?;
    let opened = opening::game(&mut api, 1).await?;
    let mut socket =
        player::connect_and_greet(program.address(), &opened.game, &opened.white).await?;
    let mut ids = Vec::new();
    for (number, step) in STEPS.into_iter().enumerate() {
        let id = format!("sync-{number:03}-");
        let key = if number % 2 == 0 { &opened.white } else { &opened.black };
        if number % 2 == 0 {
            // White plays over a websocket, where the acknowledgement has the id.
            player::play_move(&mut socket, &id, step).await?;
            ids.push(id);
        } else {
            let path = format!("/api/games/{}/commands", opened.game);
            let body = json!({ "id": id, "command": { "type": "move", "uci": step } });
            let body = Bytes::from(serde_json::to_vec(&body)?);
            let (status, _) = api.request(Method::POST, &path, Some(key), body).await?;
            anyhow::ensure!(status.is_success(), "{status}");
        }
    }
    drop((socket, api));
    let server = program.process()?;
    program.stop().await.context("under strace")?;
    // strace ends a moment after the server.
    for _ in 0..200 {
        let seen = std::fs::read_to_string(log)?;
        if seen.lines().any(|line| line.starts_with(&format!("{server} ")) && line.contains("+++"))
        {
            return Ok(ids);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    anyhow::bail!("strace did not see the end of {server}")
}
