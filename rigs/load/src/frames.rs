//! Websocket frames made by hand: what no library would send.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::web;

/// How long an answer may take. A busy machine is slow, and its disk may stand still for ten seconds.
const ANSWER: Duration = Duration::from_secs(60);
/// The longest head of an answer.
const LONGEST_HEAD: usize = 16 * 1024;

/// What a frame is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind(pub u8);

impl Kind {
    /// More of a message.
    pub const MORE: Kind = Kind(0);
    /// Text.
    pub const TEXT: Kind = Kind(1);
    /// Bytes.
    pub const BYTES: Kind = Kind(2);
    /// The end.
    pub const CLOSE: Kind = Kind(8);
    /// Are you there?
    pub const PING: Kind = Kind(9);
    /// I am.
    pub const PONG: Kind = Kind(10);
}

/// How the length of a frame is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// As short as possible, which is the rule.
    Shortest,
    /// In two bytes.
    Two,
    /// In eight bytes.
    Eight,
    /// In eight bytes, and this number whatever the payload has.
    Said(u64),
}

/// A frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// What it is.
    pub kind: Kind,
    /// Whether it is the last of its message.
    pub last: bool,
    /// The three reserved bits.
    pub reserved: u8,
    /// A client's frames are masked; a server's are not.
    pub mask: Option<[u8; 4]>,
    /// How the length is written.
    pub length: Length,
    /// What it carries.
    pub payload: Vec<u8>,
}

impl Frame {
    /// A proper frame of a client.
    pub fn new(kind: Kind, payload: impl Into<Vec<u8>>) -> Frame {
        Frame {
            kind,
            last: true,
            reserved: 0,
            mask: Some([0x37, 0xfa, 0x21, 0x3d]),
            length: Length::Shortest,
            payload: payload.into(),
        }
    }

    /// The same, with more to come.
    #[must_use]
    pub fn unfinished(mut self) -> Frame {
        self.last = false;
        self
    }

    /// A close frame with a code.
    pub fn close(code: u16, reason: &[u8]) -> Frame {
        Frame::new(Kind::CLOSE, [&code.to_be_bytes(), reason].concat())
    }

    /// The frame as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let first = u8::from(self.last) << 7 | (self.reserved & 7) << 4 | (self.kind.0 & 15);
        let masked = u8::from(self.mask.is_some()) << 7;
        let mut bytes = vec![first];
        let count = self.payload.len() as u64;
        let length = match self.length {
            Length::Shortest if count > 0xffff => Length::Eight,
            Length::Shortest if count > 125 => Length::Two,
            other => other,
        };
        match length {
            Length::Shortest => bytes.push(masked | count as u8),
            Length::Two => {
                bytes.push(masked | 126);
                bytes.extend((count as u16).to_be_bytes());
            }
            Length::Eight | Length::Said(_) => {
                let said = if let Length::Said(said) = length { said } else { count };
                bytes.push(masked | 127);
                bytes.extend(said.to_be_bytes());
            }
        }
        bytes.extend(self.mask.iter().flatten());
        let mask = self.mask.unwrap_or_default();
        bytes.extend(self.payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        bytes
    }

    /// The code of a close frame.
    pub fn code(&self) -> Option<u16> {
        let code = self.payload.first_chunk::<2>()?;
        (self.kind == Kind::CLOSE).then(|| u16::from_be_bytes(*code))
    }
}

/// A connection on which anything can be said.
pub struct Raw {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl Raw {
    /// Connects; nothing is said yet.
    ///
    /// # Errors
    ///
    /// When the server does not accept.
    pub async fn connect(server: SocketAddr, number: usize) -> Result<Raw> {
        Ok(Raw { stream: web::connect(server, number).await?, unread: Vec::new() })
    }

    /// Connects and becomes a websocket.
    ///
    /// # Errors
    ///
    /// When the server does not want to.
    pub async fn upgrade(server: SocketAddr, path: &str, key: Option<&str>) -> Result<Raw> {
        let mut raw = Raw::connect(server, 0).await?;
        raw.say(upgrade(server, path, key).as_bytes()).await?;
        let head = raw.head().await?;
        ensure!(head.starts_with("HTTP/1.1 101 "), "no websocket: {head}");
        Ok(raw)
    }

    /// Says bytes.
    ///
    /// # Errors
    ///
    /// When the connection is gone.
    pub async fn say(&mut self, bytes: &[u8]) -> Result<()> {
        timeout(ANSWER, self.stream.write_all(bytes))
            .await
            .context("the server does not read")??;
        Ok(())
    }

    /// Says a frame.
    ///
    /// # Errors
    ///
    /// When the connection is gone.
    pub async fn send(&mut self, frame: &Frame) -> Result<()> {
        self.say(&frame.bytes()).await
    }

    /// The connection itself.
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Gives the connection away; what was read and not used is forgotten.
    pub fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// Reads more; false at the end.
    async fn more(&mut self) -> Result<bool> {
        let mut bytes = [0; 4096];
        let read = timeout(ANSWER, self.stream.read(&mut bytes)).await;
        // A connection that is reset has ended as well.
        let count = read.context("no answer")?.unwrap_or(0);
        self.unread.extend(bytes.iter().take(count));
        Ok(count > 0)
    }

    /// The head of an answer.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub async fn head(&mut self) -> Result<String> {
        loop {
            let end = self.unread.windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(end) = end {
                let head = self.unread.drain(..end + 4).collect();
                return Ok(String::from_utf8(head)?);
            }
            ensure!(self.unread.len() <= LONGEST_HEAD, "an endless head");
            if !self.more().await? {
                bail!("closed without an answer: {}", String::from_utf8_lossy(&self.unread));
            }
        }
    }

    /// The next frame; nothing when the server has closed the connection.
    ///
    /// # Errors
    ///
    /// When nothing comes in time.
    pub async fn frame(&mut self) -> Result<Option<Frame>> {
        loop {
            if let Some((frame, length)) = parse(&self.unread) {
                self.unread.drain(..length);
                return Ok(Some(frame));
            }
            if !self.more().await? {
                return Ok(None);
            }
        }
    }

    /// Reads until the server closes; the close frame if it sent one.
    ///
    /// # Errors
    ///
    /// When it does not close in time after its last word.
    pub async fn end(&mut self) -> Result<Option<Frame>> {
        let mut close = None;
        while let Some(frame) = self.frame().await? {
            if frame.kind == Kind::CLOSE {
                close = Some(frame);
            }
        }
        Ok(close)
    }
}

/// The request that makes a connection a websocket.
pub fn upgrade(server: SocketAddr, path: &str, key: Option<&str>) -> String {
    let bearer = key.map(|key| format!("Authorization: Bearer {key}\r\n")).unwrap_or_default();
    format!(
        "GET {path} HTTP/1.1\r\nHost: {server}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{bearer}\r\n"
    )
}

/// A frame at the beginning of bytes, with the bytes that it takes.
fn parse(bytes: &[u8]) -> Option<(Frame, usize)> {
    let [first, second] = *bytes.first_chunk::<2>()?;
    let rest = bytes.get(2..)?;
    let (head, count) = match second & 127 {
        126 => (4, u64::from(u16::from_be_bytes(*rest.first_chunk::<2>()?))),
        127 => (10, u64::from_be_bytes(*rest.first_chunk::<8>()?)),
        short => (2, u64::from(short)),
    };
    let masked = second & 128 != 0;
    let mask = if masked { Some(*bytes.get(head..)?.first_chunk::<4>()?) } else { None };
    let begin = head + if masked { 4 } else { 0 };
    let end = begin.checked_add(usize::try_from(count).ok()?)?;
    let payload = bytes.get(begin..end)?;
    let key = mask.unwrap_or_default();
    let payload = payload.iter().zip(key.iter().cycle()).map(|(byte, mask)| byte ^ mask).collect();
    let frame = Frame {
        kind: Kind(first & 15),
        last: first & 128 != 0,
        reserved: first >> 4 & 7,
        mask,
        length: Length::Shortest,
        payload,
    };
    Some((frame, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_back() {
        for count in [0, 1, 125, 126, 65_535, 65_536] {
            let frame = Frame::new(Kind::BYTES, vec![7; count]);
            let bytes = frame.bytes();
            assert_eq!(parse(&bytes), Some((frame, bytes.len())), "{count}");
            assert_eq!(parse(&bytes[..bytes.len() - 1]), None);
        }
    }

    #[test]
    fn the_example_of_the_standard() {
        // RFC 6455, 5.7: a masked "Hello".
        let bytes = Frame::new(Kind::TEXT, "Hello").bytes();
        let known = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58];
        assert_eq!(bytes, known);
    }
}
