//! Websocket frames made by hand, including those that no library would send.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::api;

/// Timeout of an answer. A busy machine is slow, and its disk may stall for ten seconds.
const ANSWER: Duration = Duration::from_secs(60);
/// The longest accepted head of a response, in bytes.
const LONGEST_HEAD: usize = 16 * 1024;

/// The opcode of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opcode(pub u8);

impl Opcode {
    /// A further fragment of a message.
    pub const CONTINUATION: Opcode = Opcode(0);
    /// A text message.
    pub const TEXT: Opcode = Opcode(1);
    /// A binary message.
    pub const BINARY: Opcode = Opcode(2);
    /// Closes the connection.
    pub const CLOSE: Opcode = Opcode(8);
    /// A ping.
    pub const PING: Opcode = Opcode(9);
    /// The answer to a ping.
    pub const PONG: Opcode = Opcode(10);
}

/// How the length of a frame is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// As short as possible, as the standard demands.
    Shortest,
    /// In two bytes.
    Two,
    /// In eight bytes.
    Eight,
    /// In eight bytes with this number, whatever the payload's length is.
    Claimed(u64),
}

/// A websocket frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The opcode.
    pub opcode: Opcode,
    /// True for the last frame of a message (FIN).
    pub last: bool,
    /// The three reserved bits, as a number below 8.
    pub reserved: u8,
    /// The mask; a client's frames have one, a server's do not.
    pub mask: Option<[u8; 4]>,
    /// How the length is encoded.
    pub length: Length,
    /// The payload before masking.
    pub payload: Vec<u8>,
}

impl Frame {
    /// A valid frame of a client.
    pub fn new(opcode: Opcode, payload: impl Into<Vec<u8>>) -> Frame {
        Frame {
            opcode,
            last: true,
            reserved: 0,
            mask: Some([0x37, 0xfa, 0x21, 0x3d]),
            length: Length::Shortest,
            payload: payload.into(),
        }
    }

    /// The same frame without FIN.
    #[must_use]
    pub fn without_fin(mut self) -> Frame {
        self.last = false;
        self
    }

    /// A close frame with a code.
    pub fn close(code: u16, reason: &[u8]) -> Frame {
        Frame::new(Opcode::CLOSE, [&code.to_be_bytes(), reason].concat())
    }

    /// The frame as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let first = u8::from(self.last) << 7 | (self.reserved & 7) << 4 | (self.opcode.0 & 15);
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
            Length::Eight | Length::Claimed(_) => {
                let number = if let Length::Claimed(number) = length { number } else { count };
                bytes.push(masked | 127);
                bytes.extend(number.to_be_bytes());
            }
        }
        bytes.extend(self.mask.iter().flatten());
        let mask = self.mask.unwrap_or_default();
        bytes.extend(self.payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        bytes
    }

    /// The code of a close frame; `None` for other frames.
    pub fn code(&self) -> Option<u16> {
        let code = self.payload.first_chunk::<2>()?;
        (self.opcode == Opcode::CLOSE).then(|| u16::from_be_bytes(*code))
    }
}

/// A TCP connection that can send any bytes.
pub struct RawConnection {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl RawConnection {
    /// Connects without sending anything.
    ///
    /// # Errors
    ///
    /// When the server does not accept the connection.
    pub async fn connect(server: SocketAddr, number: usize) -> Result<RawConnection> {
        Ok(RawConnection { stream: api::connect(server, number).await?, unread: Vec::new() })
    }

    /// Connects and upgrades to a websocket.
    ///
    /// # Errors
    ///
    /// When the server refuses.
    pub async fn upgrade(
        server: SocketAddr,
        path: &str,
        key: Option<&str>,
    ) -> Result<RawConnection> {
        let mut raw = RawConnection::connect(server, 0).await?;
        raw.write(upgrade_request(server, path, key).as_bytes()).await?;
        let head = raw.read_head().await?;
        ensure!(head.starts_with("HTTP/1.1 101 "), "no websocket: {head}");
        Ok(raw)
    }

    /// Sends bytes.
    ///
    /// # Errors
    ///
    /// When the connection is closed.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        timeout(ANSWER, self.stream.write_all(bytes))
            .await
            .context("the server does not read")??;
        Ok(())
    }

    /// Sends a frame.
    ///
    /// # Errors
    ///
    /// When the connection is closed.
    pub async fn send(&mut self, frame: &Frame) -> Result<()> {
        self.write(&frame.bytes()).await
    }

    /// The connection itself.
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// The TCP stream; bytes that were read but not used are dropped.
    pub fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// Reads more bytes; false at the end of the stream.
    async fn read_more(&mut self) -> Result<bool> {
        let mut bytes = [0; 4096];
        let read = timeout(ANSWER, self.stream.read(&mut bytes)).await;
        // A reset counts as an end.
        let count = read.context("no answer")?.unwrap_or(0);
        self.unread.extend(bytes.iter().take(count));
        Ok(count > 0)
    }

    /// Reads the head of a response.
    ///
    /// # Errors
    ///
    /// When the connection ends before, or the head is too long.
    pub async fn read_head(&mut self) -> Result<String> {
        loop {
            let end = self.unread.windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(end) = end {
                let head = self.unread.drain(..end + 4).collect();
                return Ok(String::from_utf8(head)?);
            }
            ensure!(self.unread.len() <= LONGEST_HEAD, "an endless head");
            if !self.read_more().await? {
                bail!("closed without an answer: {}", String::from_utf8_lossy(&self.unread));
            }
        }
    }

    /// The next frame; `None` when the server has closed the connection.
    ///
    /// # Errors
    ///
    /// When nothing comes in time.
    pub async fn read_frame(&mut self) -> Result<Option<Frame>> {
        loop {
            if let Some((frame, length)) = parse(&self.unread) {
                self.unread.drain(..length);
                return Ok(Some(frame));
            }
            if !self.read_more().await? {
                return Ok(None);
            }
        }
    }

    /// Reads until the server closes the connection; the close frame if it sent one.
    ///
    /// # Errors
    ///
    /// When the server sends nothing for longer than the timeout.
    pub async fn read_to_close(&mut self) -> Result<Option<Frame>> {
        let mut close = None;
        while let Some(frame) = self.read_frame().await? {
            if frame.opcode == Opcode::CLOSE {
                close = Some(frame);
            }
        }
        Ok(close)
    }
}

/// The request that upgrades a connection to a websocket.
pub fn upgrade_request(server: SocketAddr, path: &str, key: Option<&str>) -> String {
    let bearer = key.map(|key| format!("Authorization: Bearer {key}\r\n")).unwrap_or_default();
    format!(
        "GET {path} HTTP/1.1\r\nHost: {server}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{bearer}\r\n"
    )
}

/// Parses a frame at the beginning of bytes; returns it with its length in bytes.
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
        opcode: Opcode(first & 15),
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
            let frame = Frame::new(Opcode::BINARY, vec![7; count]);
            let bytes = frame.bytes();
            assert_eq!(parse(&bytes), Some((frame, bytes.len())), "{count}");
            assert_eq!(parse(&bytes[..bytes.len() - 1]), None);
        }
    }

    #[test]
    fn the_example_of_the_standard() {
        // RFC 6455, 5.7: a masked "Hello".
        let bytes = Frame::new(Opcode::TEXT, "Hello").bytes();
        let known = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58];
        assert_eq!(bytes, known);
    }
}
