//! Websocket frames and messages that no client should send.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::Bystander;
use crate::http::{Http, TIMEOUT};
use crate::report::Check;
use crate::socket::{CONTINUATION, Received, Socket, TEXT, frame};
use crate::test_game::Seats;

/// Sends all of them, at their own game.
pub(super) fn frames(http: Http, bystander: &Bystander<'_>, check: &mut Check) -> Result<()> {
    let seats = Seats::make(http, ["Eva", "Fritz"], &json!({}))?;
    for (name, bytes) in cutting() {
        let socket = Socket::enter(http, &seats.game, &seats.white, 0)?;
        socket.wait(TIMEOUT, |told| told["type"] == "snapshot")?;
        // The server may close before it has read everything.
        let _ = socket.send_bytes(&bytes);
        let closed = socket.wait_for_close(TIMEOUT);
        check.expect(closed.is_ok(), format!("{name}: {}", brief(&closed)));
        bystander.check_progress(check, name);
    }
    versions(http, &seats, check)?;
    bystander.check_progress(check, "other versions");
    check_malformed(http, &seats, check)?;
    unknown(http, &seats, check)?;
    bystander.check_progress(check, "unknown messages");
    flood(http, &seats, check)?;
    bystander.check_progress(check, "a flood");
    // The seat still works after all that, and chat does not invalidate its targets.
    let socket = Socket::enter(http, &seats.game, &seats.white, 0)?;
    socket.wait(TIMEOUT, |told| told["type"] == "turn")?;
    let said = socket.command("talk", &json!({"type": "chat", "text": "good luck"}))?;
    check.expect(said["type"] == "ack", format!("chat after the bombs: {said}"));
    let answer = socket.command("well", &json!({"type": "move", "uci": "e2e4"}))?;
    check.expect(answer["type"] == "ack", format!("a move after the bombs: {answer}"));
    Ok(())
}

/// Frames after which the server closes the connection.
fn cutting() -> Vec<(&'static str, Vec<u8>)> {
    let text = |payload: &[u8]| frame(true, TEXT, payload);
    let long = json!({"type": "command", "id": "x", "command": {"type": "chat", "text": "a".repeat(5_000)}});
    let mut absurd = vec![0x81, 0xFF];
    absurd.extend_from_slice(&(1_u64 << 62).to_be_bytes());
    absurd.extend_from_slice(&[0; 64]);
    let mut pieces = frame(false, TEXT, b"{");
    pieces.extend(frame(false, CONTINUATION, b" ").repeat(10_000));
    let mut compressed = frame(true, TEXT, b"\xaa\x56\x4a\x2c\x28");
    compressed[0] |= 0x40;
    let ping = frame(true, 9, &[b'p'; 200]);
    vec![
        ("a message above 4 KiB", text(long.to_string().as_bytes())),
        ("a megabyte in one frame", text(&vec![b'a'; 1 << 20])),
        ("a frame of an absurd length", absurd),
        ("a message in 10,000 pieces", pieces),
        ("a piece of nothing", frame(true, CONTINUATION, b"x")),
        ("a compressed frame", compressed),
        ("a frame without a mask", b"\x81\x02{}".to_vec()),
        ("a reserved kind of frame", frame(true, 3, b"x")),
        ("a large ping", ping),
        ("wrong UTF-8", text(b"{\"type\":\"\xff\xfe\"}")),
        ("a binary frame", frame(true, 2, b"\0\x01\x02")),
        ("no JSON", text(b"hello")),
        ("deep JSON", text(&[b'['; 4_000])),
        ("a list", text(b"[1,2,3]")),
        ("a message without a type", text(b"{}")),
        ("a command without an id", text(br#"{"type":"command","command":{"type":"resign"}}"#)),
        ("an end with a wrong code", frame(true, 8, &[0, 1, 2])),
    ]
}

/// A connection with another version gets `bye` and is closed with 4000.
fn versions(http: Http, seats: &Seats, check: &mut Check) -> Result<()> {
    let path = format!("/api/games/{}/socket", seats.game);
    for version in [0_u64, 2, 99, u64::from(u32::MAX)] {
        let socket = Socket::connect(http, &path, "")?;
        socket.send_json(&json!({"type": "hello", "v": version, "seq": 0, "lang": "en"}))?;
        let bye = socket.wait(TIMEOUT, |told| told["type"] == "bye");
        let said = bye.as_ref().is_ok_and(|bye| bye["reason"] == "version");
        check.expect(said, format!("version {version}: {}", brief(&bye)));
        let code = socket.wait_for_close(TIMEOUT)?;
        check.expect(code == 4000, format!("version {version}: closed with {code}"));
    }
    for first in [
        json!({"type": "sync", "seq": 0}),
        json!({"type": "command", "id": "x", "command": {"type": "resign"}}),
    ] {
        let socket = Socket::connect(http, &path, &seats.white)?;
        socket.send_json(&first)?;
        let code = socket.wait_for_close(TIMEOUT);
        check.expect(code.is_ok(), format!("{first} before hello: {}", brief(&code)));
    }
    // An impossible `seq` is answered with a snapshot.
    for seq in [u64::from(u32::MAX), 1_000_000] {
        let socket = Socket::enter(http, &seats.game, "", seq)?;
        let told = socket.wait(TIMEOUT, |told| told["type"] == "snapshot");
        check.expect(told.is_ok(), format!("hello with seq {seq}: {}", brief(&told)));
    }
    Ok(())
}

/// Malformed messages are answered with `bye` and closed with 4001.
fn check_malformed(http: Http, seats: &Seats, check: &mut Check) -> Result<()> {
    for text in ["hello", "[1,2,3]", "{}", r#"{"type":5}"#] {
        let socket = Socket::enter(http, &seats.game, &seats.white, 0)?;
        socket.wait(TIMEOUT, |told| told["type"] == "snapshot")?;
        socket.send_bytes(&frame(true, TEXT, text.as_bytes()))?;
        let bye = socket.wait(TIMEOUT, |told| told["type"] == "bye");
        let said = bye.as_ref().is_ok_and(|bye| bye["reason"] == "malformed");
        check.expect(said, format!("{text}: {}", brief(&bye)));
        let code = socket.wait_for_close(TIMEOUT)?;
        check.expect(code == 4001, format!("{text}: closed with {code}"));
    }
    Ok(())
}

/// Unknown commands, as of a newer client, are refused, and the connection stays open.
fn unknown(http: Http, seats: &Seats, check: &mut Check) -> Result<()> {
    let socket = Socket::enter(http, &seats.game, &seats.white, 0)?;
    let commands: [Value; 5] = [
        json!({"type": "castle_twice"}),
        json!({"type": "offer", "what": "the moon"}),
        json!({"type": "teleport", "deep": {"er": [1, 2, 3]}}),
        json!({"type": "claim_absence", "result": "everything"}),
        json!({"type": "move", "uci": "e9e1"}),
    ];
    for (number, command) in commands.iter().enumerate() {
        let answer = socket.command(&format!("u{number}"), command)?;
        check.expect(answer["type"] == "refused", format!("{command}: {answer}"));
        let code = answer["refusal"]["code"].as_str().unwrap_or_default();
        check.expect(!code.is_empty(), format!("{command} without a code: {answer}"));
    }
    // An unknown field is ignored.
    socket.send_json(&json!({"type": "why", "uci": "e2e5", "colour": "green"}))?;
    let why = socket.wait(TIMEOUT, |told| told["type"] == "why");
    check.expect(why.is_ok(), format!("a question with a new field: {}", brief(&why)));
    // Invalid ids.
    for id in ["", &"x".repeat(65), "with\nline", "한수"] {
        let socket = Socket::enter(http, &seats.game, &seats.white, 0)?;
        socket.wait(TIMEOUT, |told| told["type"] == "snapshot")?;
        socket.send_json(&json!({"type": "command", "id": id, "command": {"type": "resign"}}))?;
        let refused = loop {
            match socket.receive(TIMEOUT) {
                Some(Received::Message(told)) if told["type"] == "ack" => break false,
                Some(Received::Message(told)) if told["type"] == "refused" => break true,
                Some(Received::Message(_)) => {}
                Some(Received::Closed(_)) => break true,
                None => break false,
            }
        };
        check.expect(refused, format!("an id {id:?} was taken"));
    }
    check.expect(seats.state(http)?["phase"] == "playing", "the game is over after rubbish");
    Ok(())
}

/// The server accepts thirty messages at once, then ten a second, and closes a client that goes on.
fn flood(http: Http, seats: &Seats, check: &mut Check) -> Result<()> {
    let socket = Socket::enter(http, &seats.game, &seats.black, 0)?;
    socket.wait(TIMEOUT, |told| told["type"] == "snapshot")?;
    for number in 0..2_000 {
        let command = json!({"type": "command", "id": format!("f{number}"), "command": {"type": "move", "uci": "e7e5"}});
        if socket.send_json(&command).is_err() {
            break;
        }
    }
    let (mut slowed, mut closed) = (0, false);
    while let Some(heard) = socket.receive(Duration::from_secs(20)) {
        match heard {
            Received::Message(told) if told["refusal"]["code"] == "too_fast" => slowed += 1,
            Received::Message(_) => {}
            Received::Closed(_) => {
                closed = true;
                break;
            }
        }
    }
    check.expect(closed, format!("2,000 messages at once, {slowed} too fast, and still open"));
    Ok(())
}

/// The value or the error, in one line.
fn brief<T: std::fmt::Debug>(result: &Result<T>) -> String {
    match result {
        Ok(came) => format!("{came:?}"),
        Err(error) => format!("{error:#}"),
    }
}
