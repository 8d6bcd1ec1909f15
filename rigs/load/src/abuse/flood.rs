//! Sockets that say too much, or what nobody may say.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use hansu_protocol as wire;

use super::Others;
use crate::frames::{Frame, Kind, Length, Raw};

/// The first byte of a frame that closes.
const CLOSING: u8 = 0x88;
/// What is sent at once.
const AT_ONCE: usize = 64;

/// A socket at a game that has greeted.
async fn greeted(others: &Others, number: usize) -> Result<Raw> {
    let opened = &others.games[number % others.games.len()];
    let path = format!("/api/games/{}/socket", opened.game);
    let mut raw = Raw::upgrade(others.program.address(), &path, None).await?;
    raw.send(&Frame::new(Kind::TEXT, r#"{"type":"hello","v":1}"#)).await?;
    let welcome = raw.frame().await?.context("no welcome")?;
    ensure!(welcome.payload.starts_with(br#"{"type":"welcome""#), "no welcome");
    Ok(raw)
}

/// Every kind of flood; how long each was borne.
///
/// # Errors
///
/// When one is not ended, or only for its silence.
pub async fn all(others: &Others) -> Result<Vec<(&'static str, Duration)>> {
    let chat = r#"{"type":"command","id":"f","command":{"type":"chat","text":"again"}}"#;
    let kinds = [
        ("commands", Frame::new(Kind::TEXT, chat).bytes()),
        ("syncs", Frame::new(Kind::TEXT, r#"{"type":"sync","seq":0}"#).bytes()),
        ("pings", Frame::new(Kind::PING, "there?").bytes()),
        ("pongs", Frame::new(Kind::PONG, "").bytes()),
        ("empty fragments", Frame::new(Kind::MORE, "").unfinished().bytes()),
    ];
    let mut borne = Vec::new();
    for (number, (name, frame)) in kinds.into_iter().enumerate() {
        let mut raw = greeted(others, number).await?;
        if name == "empty fragments" {
            raw.send(&Frame::new(Kind::TEXT, "{").unfinished()).await?;
        }
        borne.push((name, flood(raw, &frame.repeat(AT_ONCE)).await.with_context(|| name)?));
    }
    Ok(borne)
}

/// Says the same again and again until the server has had enough.
async fn flood(raw: Raw, bytes: &[u8]) -> Result<Duration> {
    let begin = Instant::now();
    let (mut reader, mut writer) = raw.into_stream().into_split();
    let endless = async {
        loop {
            if tokio::io::AsyncWriteExt::write_all(&mut writer, bytes).await.is_err() {
                return;
            }
        }
    };
    // Somebody who floods may well read.
    let mut heard = Vec::new();
    let ends = async {
        let _ = tokio::io::AsyncReadExt::read_to_end(&mut reader, &mut heard).await;
    };
    let over = async {
        tokio::pin!(ends);
        tokio::select! {
            () = &mut ends => {}
            // What the server said at the end may still be on its way.
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

/// Frames that break the protocol, ours or the websocket's: each ends its own connection at once,
/// and the server goes on. How many kinds there were.
///
/// # Errors
///
/// When one is borne.
pub async fn malformed(others: &Others) -> Result<usize> {
    let text = |text: &str| Frame::new(Kind::TEXT, text).bytes();
    let deep = format!("{}{}", "[".repeat(2_000), "]".repeat(2_000));
    let long_id = "x".repeat(65);
    let plain = Frame::new(Kind::TEXT, r#"{"type":"sync","seq":0}"#);
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
        ("bytes", Frame::new(Kind::BYTES, plain.payload.clone()).bytes()),
        ("no UTF-8", Frame::new(Kind::TEXT, [0xc3, 0x28]).bytes()),
        ("half of a letter", Frame::new(Kind::TEXT, "{\"한".as_bytes()[..4].to_vec()).bytes()),
        ("no mask", Frame { mask: None, ..plain.clone() }.bytes()),
        ("a reserved bit", Frame { reserved: 4, ..plain.clone() }.bytes()),
        ("a reserved kind", Frame::new(Kind(3), "x").bytes()),
        ("a reserved control", Frame::new(Kind(11), "x").bytes()),
        ("a long ping", Frame::new(Kind::PING, vec![0; 126]).bytes()),
        ("a ping in pieces", Frame::new(Kind::PING, "x").unfinished().bytes()),
        ("more of nothing", Frame::new(Kind::MORE, "x").bytes()),
        (
            "text within text",
            [Frame::new(Kind::TEXT, "{").unfinished().bytes(), plain.bytes()].concat(),
        ),
        ("2^62 bytes to come", Frame { length: Length::Said(1 << 62), ..plain.clone() }.bytes()),
        ("2^63 bytes to come", Frame { length: Length::Said(1 << 63), ..plain.clone() }.bytes()),
        (
            "a long message in pieces",
            [
                Frame::new(Kind::TEXT, " ".repeat(4_000)).unfinished().bytes(),
                Frame::new(Kind::MORE, " ".repeat(4_000)).bytes(),
            ]
            .concat(),
        ),
        ("a close of one byte", Frame::new(Kind::CLOSE, [3]).bytes()),
        ("a close with a forbidden code", Frame::close(1005, b"").bytes()),
        ("a close that is no UTF-8", Frame::close(1000, &[0xff]).bytes()),
    ];
    for (number, (name, bytes)) in frames.iter().enumerate() {
        let mut raw = greeted(others, number).await?;
        raw.say(bytes).await?;
        let close = raw.end().await.with_context(|| format!("{name} is borne"))?;
        let slow = wire::CLOSE_SLOW.to_be_bytes();
        let silence = close.is_some_and(|close| close.payload.starts_with(&slow));
        ensure!(!silence, "{name} was borne, and only its silence ended it");
    }
    Ok(frames.len())
}
