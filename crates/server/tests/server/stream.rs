//! Games as lines of JSON.

use hansu_ground::clients::{PATIENCE, Pair, get, post};
use hansu_protocol::{ServerMessage, Wish};
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::test_server::TestServer;

/// A client that reads a stream of lines.
struct Script(BufReader<TcpStream>);

impl Script {
    async fn listen(server: &TestServer, path: &str, key: Option<&str>) -> Script {
        let mut stream = TcpStream::connect(server.at).await.expect("a connection");
        let key = key.map(|key| format!("authorization: Bearer {key}\r\n")).unwrap_or_default();
        let head =
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: gzip\r\n{key}\r\n");
        stream.write_all(head.as_bytes()).await.expect("a request");
        let mut script = Script(BufReader::new(stream));
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            script.0.read_line(&mut head).await.expect("a head");
        }
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert!(head.contains("application/x-ndjson") && !head.contains("gzip"), "{head}");
        script
    }

    /// The next line that is a message: skips the chunk sizes of the transfer encoding.
    async fn next(&mut self) -> Option<ServerMessage> {
        loop {
            let mut line = String::new();
            let read =
                timeout(PATIENCE, self.0.read_line(&mut line)).await.expect("a line in time");
            if read.ok()? == 0 {
                return None;
            }
            if line.starts_with('{') {
                return Some(serde_json::from_str(&line).expect("a message"));
            }
        }
    }

    async fn wait(&mut self, fits: impl Fn(&ServerMessage) -> bool) -> ServerMessage {
        loop {
            let message = self.next().await.expect("a message");
            if fits(&message) {
                return message;
            }
        }
    }
}

fn is_event(message: &ServerMessage, seq: u64) -> bool {
    matches!(message, ServerMessage::Event(happened) if happened.entry.seq == seq)
}

#[tokio::test]
async fn a_bot_plays_with_lines_and_requests() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    let path = format!("/api/games/{}/stream", pair.game);
    // Black leaves the browser and goes on as a bot.
    let key = pair.keys[1].clone();
    pair.play("e2e4").await;
    let mut bot = Script::listen(&server, &path, Some(&key)).await;
    let first = bot.next().await.unwrap();
    assert!(
        matches!(
            first,
            ServerMessage::Welcome { seat: Some(hansu_protocol::Seat::Black), seq: 2, .. }
        ),
        "{first:?}"
    );
    assert!(matches!(bot.next().await, Some(ServerMessage::Snapshot(_))));
    let ServerMessage::Turn { moves, .. } =
        bot.wait(|m| matches!(m, ServerMessage::Turn { .. })).await
    else {
        panic!()
    };
    assert_eq!(moves.targets["e7"], "e6e5");
    let commands = format!("/api/games/{}/commands", pair.game);
    let step = json!({ "id": "b1", "command": { "type": "move", "uci": "e7e5" } });
    assert_eq!(
        post(server.at, &commands, &step).key(&key).send().await.json(),
        json!({ "seq": 3 })
    );
    bot.wait(|message| is_event(message, 3)).await;
    pair.white.reach(3).await;
    pair.white.go("g1f3").await.unwrap();
    bot.wait(|message| is_event(message, 4)).await;
    // From the middle: only what is missing.
    let mut late = Script::listen(&server, &format!("{path}?seq=2"), None).await;
    assert!(matches!(late.next().await, Some(ServerMessage::Welcome { seat: None, .. })));
    assert!(is_event(&late.next().await.unwrap(), 3));
    assert!(is_event(&late.next().await.unwrap(), 4));
    // A heartbeat within a few seconds, and `Bye` at the end.
    late.wait(|message| matches!(message, ServerMessage::Beat { seq: 4, .. })).await;
    server.stop().await;
    let bye = late.wait(|message| matches!(message, ServerMessage::Bye { .. })).await;
    assert_eq!(bye, ServerMessage::Bye { reason: "restart".into() });
    assert_eq!(late.next().await, None);
}

#[tokio::test]
async fn a_game_of_a_file_has_moves_and_no_stream() {
    let server = TestServer::open().await;
    let pgn = "[White \"Anna\"]\n[Black \"Ben\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let path = "/api/import?visibility=public";
    let key = hansu_ground::clients::key(server.at).await;
    let imported =
        hansu_ground::clients::request(server.at, "POST", path).key(&key).body(pgn).send().await;
    assert_eq!(imported.json()["added"], 1);
    let games = get(server.at, "/api/games").send().await.json();
    let id = games["games"][0]["id"].as_str().unwrap().to_owned();
    let stream = get(server.at, &format!("/api/games/{id}/stream")).send().await;
    assert_eq!(stream.refusal(), (409, "no_events".into()));
    // But it can be replayed like any other.
    let state = get(server.at, &format!("/api/games/{id}/state")).send().await.json();
    assert_eq!(state["plies"][3]["san"], "Qh4#");
    assert_eq!(state["plies"][3]["board"]["check"], "e1");
    assert_eq!(state["start"]["names"]["black"], "Ben");
    assert_eq!(state["phase"], "ended");
}

#[tokio::test]
async fn a_listener_counts_as_a_spectator_until_it_goes() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    let path = format!("/api/games/{}/stream", pair.game);
    let script = Script::listen(&server, &path, None).await;
    let watched = |many| move |message: &ServerMessage| matches!(message, ServerMessage::Presence { spectators, .. } if *spectators == many);
    pair.white.wait(watched(1)).await;
    drop(script);
    // The server notices it when it sends the next line, before or after it answers.
    pair.white.send("chat", Wish::Chat { text: "anybody?".into(), name: None }).await;
    pair.white.wait(watched(0)).await;
}
