//! Sockets that send too much, or frames that break the protocol.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use hansu_protocol as wire;

use super::Others;
use crate::frames::{Frame, Length, Opcode, RawConnection};

/// The first byte of a close frame.
const CLOSING: u8 = 0x88;
/// Frames per write.
const AT_ONCE: usize = 64;

/// Opens a socket to a game and sends `hello`.
async fn open_game_socket(others: &Others, number: usize) -> Result<RawConnection> {
    let opened = &others.games[number % others.games.len()];
    let path = format!("/api/games/{}/socket", opened.game);
    let mut raw = RawConnection::upgrade(others.program.address(), &path, None).await?;
    raw.send(&Frame::new(Opcode::TEXT, r#"{"type":"hello","v":1}"#)).await?;
    let welcome = raw.read_frame().await?.context("no welcome")?;
    ensure!(welcome.payload.starts_with(br#"{"type":"welcome""#), "no welcome");
    Ok(raw)
}

/// Runs every kind of flood; returns how long each lasted until the server closed the connection.
///
/// # Errors
///
/// When a flood is not closed, or only because the client answered no pings.
pub async fn all(others: &Others) -> Result<Vec<(&'static str, Duration)>> {
    let chat = r#"{"type":"command","id":"f","command":{"type":"chat","text":"again"}}"#;
    let kinds = [
        ("commands", Frame::new(Opcode::TEXT, chat).bytes()),
        ("syncs", Frame::new(Opcode::TEXT, r#"{"type":"sync","seq":0}"#).bytes()),
        ("pings", Frame::new(Opcode::PING, "there?").bytes()),
        ("pongs", Frame::new(Opcode::PONG, "").bytes()),
        ("empty fragments", Frame::new(Opcode::CONTINUATION, "").without_fin().bytes()),
    ];
    let mut borne = Vec::new();
    for (number, (name, frame)) in kinds.into_iter().enumerate() {
        let mut raw = open_game_socket(others, number).await?;
        if name == "empty fragments" {
            raw.send(&Frame::new(Opcode::TEXT, "{").without_fin()).await?;
        }
        borne.push((name, flood(raw, &frame.repeat(AT_ONCE)).await.with_context(|| name)?));
    }
    Ok(borne)
}

/// Sends the same bytes again and again until the server closes the connection.
async fn flood(raw: RawConnection, bytes: &[u8]) -> Result<Duration> {
    let begin = Instant::now();
    let (mut reader, mut writer) = raw.into_stream().into_split();
    let endless = async {
        loop {
            if tokio::io::AsyncWriteExt::write_all(&mut writer, bytes).await.is_err() {
                return;
            }
        }
    };
    // The flooding client also reads.
    let mut heard = Vec::new();
    let ends = async {
        let _ = tokio::io::AsyncReadExt::read_to_end(&mut reader, &mut heard).await;
    };
    let over = async {
        tokio::pin!(ends);
        tokio::select! {
            () = &mut ends => {}
            // The server's close frame may still be on its way.
            () = endless => ends.await,
        }
    };
    tokio::time::timeout(Duration::from_secs(60), over).await.context("never closed")?;
    let borne = begin.elapsed();
    let slow = wire::CLOSE_SLOW.to_be_bytes();
    let silence = heard.windows(4).any(|frame| frame[0] == CLOSING && frame[2..] == slow);
    ensure!(!silence, "closed after {borne:?}, and only because it had answered nothing");
    Ok(borne)
}

/// Sends frames that break Hansu's protocol or the websocket protocol: each must close its own
/// connection at once, and the server goes on. Returns the number of kinds.
///
/// # Errors
///
/// When a connection is not closed for its frame.
pub async fn send_malformed(others: &Others) -> Result<usize> {
    let text = |text: &str| Frame::new(Opcode::TEXT, text).bytes();
    let deep = format!("{}{}", "[".repeat(2_000), "]".repeat(2_000));
    let long_id = "x".repeat(65);
    let plain = Frame::new(Opcode::TEXT, r#"{"type":"sync","seq":0}"#);
    let frames: Vec<(&str, Vec<u8>)> = vec![
        ("no JSON", text("hello")),
        ("nothing", text("")),
        ("another type", text(r#"{"type":"nonsense"}"#)),
        ("a second hello", text(r#"{"type":"hello","v":1}"#)),
        ("a number that is none", text(r#"{"type":"sync","seq":-1}"#)),
        ("an endless number", text(r#"{"type":"sync","seq":1e999}"#)),
        ("a command without id", text(r#"{"type":"command","command":{"type":"resign"}}"#)),
        ("an empty id", text(r#"{"type":"command","id":"","command":{"type":"resign"}}"#)),
        (
            "a long id",
            text(&format!(
                r#"{{"type":"command","id":"{long_id}","command":{{"type":"resign"}}}}"#
            )),
        ),
        ("an id with blanks", text(r#"{"type":"command","id":"a b","command":{"type":"resign"}}"#)),
        ("deep JSON", text(&deep)),
        ("a long message", text(&" ".repeat(4_097))),
        ("a very long message", text(&" ".repeat(70_000))),
        ("bytes", Frame::new(Opcode::BINARY, plain.payload.clone()).bytes()),
        ("no UTF-8", Frame::new(Opcode::TEXT, [0xc3, 0x28]).bytes()),
        ("half of a letter", Frame::new(Opcode::TEXT, "{\"한".as_bytes()[..4].to_vec()).bytes()),
        ("no mask", Frame { mask: None, ..plain.clone() }.bytes()),
        ("a reserved bit", Frame { reserved: 4, ..plain.clone() }.bytes()),
        ("a reserved kind", Frame::new(Opcode(3), "x").bytes()),
        ("a reserved control", Frame::new(Opcode(11), "x").bytes()),
        ("a long ping", Frame::new(Opcode::PING, vec![0; 126]).bytes()),
        ("a ping in pieces", Frame::new(Opcode::PING, "x").without_fin().bytes()),
        ("more of nothing", Frame::new(Opcode::CONTINUATION, "x").bytes()),
        (
            "text within text",
            [Frame::new(Opcode::TEXT, "{").without_fin().bytes(), plain.bytes()].concat(),
        ),
        ("2^62 bytes to come", Frame { length: Length::Claimed(1 << 62), ..plain.clone() }.bytes()),
        ("2^63 bytes to come", Frame { length: Length::Claimed(1 << 63), ..plain.clone() }.bytes()),
        (
            "a long message in pieces",
            [
                Frame::new(Opcode::TEXT, " ".repeat(4_000)).without_fin().bytes(),
                Frame::new(Opcode::CONTINUATION, " ".repeat(4_000)).bytes(),
            ]
            .concat(),
        ),
        ("a close of one byte", Frame::new(Opcode::CLOSE, [3]).bytes()),
        ("a close with a forbidden code", Frame::close(1005, b"").bytes()),
        ("a close that is no UTF-8", Frame::close(1000, &[0xff]).bytes()),
    ];
    for (number, (name, bytes)) in frames.iter().enumerate() {
        let mut raw = open_game_socket(others, number).await?;
        raw.write(bytes).await?;
        let close = raw.read_to_close().await.with_context(|| format!("{name} is borne"))?;
        let slow = wire::CLOSE_SLOW.to_be_bytes();
        let silence = close.is_some_and(|close| close.payload.starts_with(&slow));
        ensure!(!silence, "{name} was borne, and only its silence ended it");
    }
    Ok(frames.len())
}
