//! Failures around the server: log lines that cannot be written, deleted files, a second server.

use std::fs;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hansu_ground::clients::{self, GameClient, Pair, clock, get, post};
use hansu_ground::process::{GRACE, Process};
use hansu_protocol::{Made, ServerMessage, Snapshot, Wish};
use hansu_records::{Log as _, SqliteStore};
use serde_json::json;

use crate::HANSU;

/// Timeout for expected events.
const PATIENCE: Duration = Duration::from_secs(60);

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hansu"));
    command.args(["serve", "--listen", "127.0.0.1:0"]).env("LANG", "en_US.UTF-8");
    command
}

#[tokio::test]
async fn log_lines_that_cannot_be_written_end_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let full = fs::File::options().write(true).open("/dev/full").expect("a full disk");
    let mut serve = command();
    serve.arg("--data").arg(folder.path()).env("HANSU_LOG", "trace").stderr(full);
    let mut server = Process::spawn(serve);
    for _ in 0..3 {
        let mut pair = Pair::meet(server.at, json!({ "time": clock(600_000) })).await;
        pair.play("e2e4 e7e5").await;
    }
    assert_eq!(get(server.at, "/readyz").send().await.status, 200);
    server.signal("-TERM");
    assert_eq!(server.wait_for_exit(GRACE).await, Some(0));
}

#[tokio::test]
async fn a_log_that_is_deleted_under_the_server_is_noticed_and_nothing_more_is_acknowledged() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Process::start(HANSU, folder.path(), "warn");
    let mut pair = Pair::meet(server.at, json!({ "time": clock(600_000) })).await;
    pair.play("e2e4 e7e5").await;
    let file = hansu_records::log_file(folder.path());
    fs::rename(&file, folder.path().join("elsewhere.db")).expect("a file");
    pair.white.send("late", Wish::Move { uci: "g1f3".into() }).await;
    pair.white.answer("late").await.expect_err("not kept, so not acknowledged");
    assert_eq!(get(server.at, "/readyz").send().await.status, 503);
    server.signal("-TERM");
    // The final message does not claim that every move is in the log.
    assert_eq!(server.wait_for_exit(GRACE).await, Some(2));
}

#[tokio::test]
async fn a_second_server_over_one_folder_says_who_has_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Process::start(HANSU, folder.path(), "warn");
    let mut second = command();
    second.arg("--data").arg(folder.path()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut second = second.spawn().expect("hansu serve");
    let since = Instant::now();
    while second.try_wait().expect("a status").is_none() {
        if since.elapsed() > PATIENCE {
            let _ = second.kill();
            panic!("the second server runs as well");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let second = second.wait_with_output().expect("an end");
    let said = String::from_utf8(second.stderr).expect("text");
    assert!(!second.status.success(), "{said}");
    assert!(said.contains(&format!("process {}", server.child.id())), "{said}");
    // The command line may use the folder meanwhile.
    let list = Command::new(env!("CARGO_BIN_EXE_hansu"))
        .args(["games", "list", "--data"])
        .arg(folder.path())
        .output()
        .expect("hansu games");
    assert!(list.status.success());
    // A killed server has released the lock.
    server.signal("-KILL");
    server.wait_for_exit(GRACE).await;
    Process::start(HANSU, folder.path(), "warn");
}

#[tokio::test]
async fn chat_of_a_spectator_without_a_key_is_kept_after_a_restart_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut said = 0;
    let mut game = None;
    for _ in 0..2 {
        let mut server = Process::start(HANSU, folder.path(), "warn");
        let id = match &game {
            Some(id) => String::clone(id),
            None => {
                let new = json!({ "spectators": "chat", "visibility": "public" });
                let mut pair = Pair::meet(server.at, new).await;
                pair.play("e2e4").await;
                game.insert(pair.game.clone()).clone()
            }
        };
        let mut watcher = GameClient::join(server.at, &id, None).await;
        watcher.snapshot().await;
        // Connections are numbered from 1 in every process, and clients may number theirs so, too.
        watcher.send("c1", Wish::Chat { text: "hello".into(), name: Some("Kim".into()) }).await;
        let seq = watcher.answer("c1").await.expect("it is kept");
        assert!(seq > said, "the second one is another: {seq}");
        said = seq;
        server.signal("-KILL");
        server.wait_for_exit(GRACE).await;
    }
}

#[tokio::test]
async fn the_service_manager_hears_that_the_server_works() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).expect("a socket");
    manager.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let mut serve = command();
    serve.arg("--data").arg(folder.path()).stderr(Stdio::null());
    serve.env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "200000");
    let server = Process::spawn(serve);
    let heard = || {
        let mut bytes = [0; 64];
        let length = manager.recv(&mut bytes).expect("a word");
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    };
    assert_eq!(heard(), "READY=1");
    assert_eq!(heard(), "WATCHDOG=1");
    assert_eq!(heard(), "WATCHDOG=1");
    // Without its log the server stops the heartbeats. One that was sent before may still arrive.
    fs::remove_file(hansu_records::log_file(folder.path())).expect("a file");
    let since = Instant::now();
    manager.set_read_timeout(Some(Duration::from_secs(3))).expect("a timeout");
    let mut bytes = [0; 64];
    while manager.recv(&mut bytes).is_ok() {
        assert!(since.elapsed() < PATIENCE, "it still claims to work");
    }
    drop(server);
}

#[tokio::test]
async fn a_process_that_stood_still_takes_nobodys_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Process::start(HANSU, folder.path(), "warn");
    // From the second heartbeat on, the server knows that the first one was stored.
    let log = SqliteStore::open(&folder.path().join("games.db")).expect("the log");
    let end = Instant::now() + PATIENCE;
    let mut beats = std::collections::BTreeSet::new();
    while beats.len() < 2 {
        assert!(Instant::now() < end, "no sign of life");
        beats.extend(log.last_beat().expect("a log"));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(log);
    let mut pair = Pair::meet(server.at, json!({ "time": clock(6_000) })).await;
    pair.play("e2e4 e7e5").await;
    server.signal("-STOP");
    // White's 6 s are over, and the move waits in the socket when the process continues. Clients
    // that are silent for so long would be let go, but it was not they who stood still.
    tokio::time::sleep(Duration::from_secs(10)).await;
    pair.white.send("late", Wish::Move { uci: "g1f3".into() }).await;
    server.signal("-CONT");
    pair.white.answer("late").await.expect("the time is given back before any flag");
    server.signal("-TERM");
    assert_eq!(server.wait_for_exit(GRACE).await, Some(0));
}

/// The server is killed while the computer thinks. The next server lets it think again, and it makes
/// one move.
#[tokio::test]
async fn the_computer_goes_on_thinking_after_a_crash() {
    const ROUNDS: usize = 4;
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Process::start(HANSU, folder.path(), "warn");
    let key = clients::key(server.at).await;
    let new = json!({ "with": "computer", "name": "Mina", "color": "white", "level": 9 });
    let made: Made = post(server.at, "/api/games", &new).key(&key).send().await.read();
    let path = format!("/api/games/{}/state", made.game);
    for round in 1..=ROUNDS {
        let state: Snapshot = get(server.at, &path).key(&key).send().await.read();
        let board = state.plies.last().map_or(&state.first.fen, |ply| &ply.board.fen);
        let moves = get(server.at, &format!("/api/moves?fen={}", board.replace(' ', "%20")));
        let moves = moves.send().await.json();
        let step = moves["moves"][0]["uci"].as_str().expect("a legal move").to_owned();
        let mut white = GameClient::join(server.at, &made.game, Some(&key)).await;
        let seq = white.go(&step).await.expect("a move");
        server.signal("-KILL");
        assert_eq!(server.wait_for_exit(GRACE).await, None);
        server = Process::start(HANSU, folder.path(), "warn");
        let mut white = GameClient::resume(server.at, &made.game, Some(&key), seq).await;
        let answered = |message: &ServerMessage| matches!(message, ServerMessage::Event(happened) if happened.san.is_some());
        white.wait(answered).await;
        let state: Snapshot = get(server.at, &path).key(&key).send().await.read();
        assert_eq!(state.plies.len(), 2 * round, "{state:?}");
    }
}
