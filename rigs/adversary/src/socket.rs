//! A websocket client (RFC 6455) that can send any frame; pings are answered.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::http::Http;

/// The opcode of a text frame.
pub const TEXT: u8 = 1;
/// The opcode of a frame that continues the message before.
pub const CONTINUATION: u8 = 0;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// Something received from the server.
#[derive(Clone, PartialEq, Debug)]
pub enum Received {
    /// A message.
    Message(Value),
    /// The connection has ended, with the code of its close frame (0 for none).
    Closed(u16),
}

/// An open websocket.
pub struct Socket {
    stream: Arc<Mutex<TcpStream>>,
    received: Receiver<Received>,
}

/// The request that opens a websocket; `more` are further header lines.
pub fn upgrade(http: Http, path: &str, key: &str, more: &str) -> String {
    let bearer =
        if key.is_empty() { String::new() } else { format!("Authorization: Bearer {key}\r\n") };
    format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: aGFuc3UgYWR2ZXJzYXJ5IQ==\r\n{bearer}{more}\r\n",
        http.0
    )
}

/// A frame with the mask zero, which leaves the payload readable.
pub fn frame(fin: bool, opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![u8::from(fin) << 7 | opcode];
    match payload.len() {
        length @ 0..=125 => bytes.push(0x80 | u8::try_from(length).unwrap_or(0)),
        length @ 126..=0xFFFF => {
            bytes.push(0x80 | 126);
            bytes.extend_from_slice(&u16::try_from(length).unwrap_or(0).to_be_bytes());
        }
        length => {
            bytes.push(0x80 | 127);
            bytes.extend_from_slice(&u64::try_from(length).unwrap_or(0).to_be_bytes());
        }
    }
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(payload);
    bytes
}

impl Socket {
    /// Opens a websocket.
    ///
    /// # Errors
    ///
    /// The server's status line, when it refuses.
    pub fn connect(http: Http, path: &str, key: &str) -> Result<Socket> {
        let mut stream = http.open()?;
        stream.write_all(upgrade(http, path, key, "").as_bytes())?;
        let mut head = Vec::new();
        let mut byte = [0; 1];
        while !head.ends_with(b"\r\n\r\n") {
            if stream.read(&mut byte)? == 0 || head.len() > 16 * 1024 {
                bail!("no answer to the upgrade");
            }
            head.extend_from_slice(&byte);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        if !head.starts_with("HTTP/1.1 101") {
            bail!("no websocket: {}", head.lines().next().unwrap_or_default());
        }
        stream.set_read_timeout(None)?;
        let reader = stream.try_clone()?;
        let stream = Arc::new(Mutex::new(stream));
        let (sender, received) = mpsc::channel();
        let writer = Arc::clone(&stream);
        std::thread::spawn(move || {
            let code = read_frames(reader, &writer, &sender);
            // The receiver may be dropped already.
            let _ = sender.send(Received::Closed(code));
        });
        Ok(Socket { stream, received })
    }

    /// Opens a websocket to a game and sends `hello` with the number of the last known event.
    ///
    /// # Errors
    ///
    /// As [`Socket::connect`].
    pub fn enter(http: Http, game: &str, key: &str, seq: u64) -> Result<Socket> {
        let socket = Socket::connect(http, &format!("/api/games/{game}/socket"), key)?;
        socket.send_json(&json!({"type": "hello", "v": 1, "seq": seq, "lang": "en"}))?;
        Ok(socket)
    }

    /// Sends a JSON message.
    ///
    /// # Errors
    ///
    /// When the connection has ended.
    pub fn send_json(&self, message: &Value) -> Result<()> {
        self.send_bytes(&frame(true, TEXT, message.to_string().as_bytes()))
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    ///
    /// When the connection has ended.
    pub fn send_bytes(&self, bytes: &[u8]) -> Result<()> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).write_all(bytes)?;
        Ok(())
    }

    /// The next message or the end; `None` at a timeout.
    pub fn receive(&self, timeout: Duration) -> Option<Received> {
        match self.received.recv_timeout(timeout) {
            Ok(received) => Some(received),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Received::Closed(0)),
        }
    }

    /// Waits for a message that fits and skips the others.
    ///
    /// # Errors
    ///
    /// When the connection ends or the message does not come in time.
    pub fn wait(&self, timeout: Duration, wanted: impl Fn(&Value) -> bool) -> Result<Value> {
        let end = Instant::now() + timeout;
        loop {
            match self.receive(end.saturating_duration_since(Instant::now())) {
                Some(Received::Message(message)) if wanted(&message) => return Ok(message),
                Some(Received::Message(_)) => {}
                Some(Received::Closed(code)) => bail!("closed with {code}"),
                None => bail!("did not come within {} s", timeout.as_secs()),
            }
        }
    }

    /// Waits until the server closes; returns the close code.
    ///
    /// # Errors
    ///
    /// When it does not close in time.
    pub fn wait_for_close(&self, timeout: Duration) -> Result<u16> {
        let end = Instant::now() + timeout;
        loop {
            match self.receive(end.saturating_duration_since(Instant::now())) {
                Some(Received::Closed(code)) => return Ok(code),
                Some(Received::Message(_)) => {}
                None => bail!("still open after {} s", timeout.as_secs()),
            }
        }
    }

    /// Sends a command and waits for its `ack` or `refused`.
    ///
    /// # Errors
    ///
    /// When neither comes in time.
    pub fn command(&self, id: &str, command: &Value) -> Result<Value> {
        self.send_json(&json!({"type": "command", "id": id, "command": command}))?;
        self.wait(crate::http::TIMEOUT, |message| {
            message["id"] == id && (message["type"] == "ack" || message["type"] == "refused")
        })
        .with_context(|| format!("the answer to {command}"))
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        // Ends the reading thread.
        let _ = stream.shutdown(std::net::Shutdown::Both);
    }
}

/// Reads frames until the end; returns the code of the server's close frame, or 0.
fn read_frames(
    mut stream: TcpStream,
    writer: &Mutex<TcpStream>,
    sender: &mpsc::Sender<Received>,
) -> u16 {
    let mut text = Vec::new();
    while let Some((fin, opcode, payload)) = read_frame(&mut stream) {
        match opcode {
            CLOSE => {
                let code = payload.first_chunk::<2>().map_or(0, |code| u16::from_be_bytes(*code));
                return code;
            }
            PING => {
                let pong = frame(true, PONG, &payload);
                let _ = writer.lock().unwrap_or_else(PoisonError::into_inner).write_all(&pong);
            }
            CONTINUATION | TEXT => {
                text.extend_from_slice(&payload);
                if fin {
                    let message = serde_json::from_slice(&text).unwrap_or_default();
                    text.clear();
                    if sender.send(Received::Message(message)).is_err() {
                        return 0;
                    }
                }
            }
            _ => {}
        }
    }
    0
}

fn read_frame(stream: &mut TcpStream) -> Option<(bool, u8, Vec<u8>)> {
    let mut head = [0; 2];
    stream.read_exact(&mut head).ok()?;
    let [first, second] = head;
    let length = match second & 0x7F {
        126 => {
            let mut length = [0; 2];
            stream.read_exact(&mut length).ok()?;
            u64::from(u16::from_be_bytes(length))
        }
        127 => {
            let mut length = [0; 8];
            stream.read_exact(&mut length).ok()?;
            u64::from_be_bytes(length)
        }
        length => u64::from(length),
    };
    // The server sends no frames above 64 MiB; such a length ends the connection.
    let length = usize::try_from(length).ok().filter(|length| *length < 64 << 20)?;
    let mut payload = vec![0; length];
    stream.read_exact(&mut payload).ok()?;
    Some((first & 0x80 != 0, first & 0x0F, payload))
}
