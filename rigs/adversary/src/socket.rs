//! A websocket client of our own (RFC 6455): frames can be anything, pings are answered.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::http::Http;

/// A text frame's opcode.
pub const TEXT: u8 = 1;
/// A frame that goes on with the message before.
pub const CONTINUATION: u8 = 0;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// What came from the server.
#[derive(Clone, PartialEq, Debug)]
pub enum Heard {
    /// A message.
    Message(Value),
    /// The connection has ended, with the code of its close frame (0 for none).
    Closed(u16),
}

/// An open websocket.
pub struct Socket {
    stream: Arc<Mutex<TcpStream>>,
    heard: Receiver<Heard>,
}

/// The head of a request for a websocket.
pub fn upgrade(http: Http, path: &str, key: &str, more: &str) -> String {
    let bearer =
        if key.is_empty() { String::new() } else { format!("Authorization: Bearer {key}\r\n") };
    format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: aGFuc3UgYWR2ZXJzYXJ5IQ==\r\n{bearer}{more}\r\n",
        http.0
    )
}

/// One frame, masked with zeros as far as the mask goes: the mask hides nothing here.
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
    /// Connects; the server's status when it refuses.
    ///
    /// # Errors
    ///
    /// When the server does not switch to websockets.
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
        let (tell, heard) = mpsc::channel();
        let writer = Arc::clone(&stream);
        std::thread::spawn(move || {
            let code = listen(reader, &writer, &tell);
            // The listener may be gone.
            let _ = tell.send(Heard::Closed(code));
        });
        Ok(Socket { stream, heard })
    }

    /// Connects to a game and greets, with the last event one has.
    ///
    /// # Errors
    ///
    /// As [`Socket::connect`].
    pub fn enter(http: Http, game: &str, key: &str, seq: u64) -> Result<Socket> {
        let socket = Socket::connect(http, &format!("/api/games/{game}/socket"), key)?;
        socket.say(&json!({"type": "hello", "v": 1, "seq": seq, "lang": "en"}))?;
        Ok(socket)
    }

    /// Says one message.
    ///
    /// # Errors
    ///
    /// When the connection has ended.
    pub fn say(&self, message: &Value) -> Result<()> {
        self.bytes(&frame(true, TEXT, message.to_string().as_bytes()))
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    ///
    /// When the connection has ended.
    pub fn bytes(&self, bytes: &[u8]) -> Result<()> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).write_all(bytes)?;
        Ok(())
    }

    /// What comes next; nothing when nothing comes in time.
    pub fn hear(&self, patience: Duration) -> Option<Heard> {
        match self.heard.recv_timeout(patience) {
            Ok(heard) => Some(heard),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Heard::Closed(0)),
        }
    }

    /// Waits for a message that is wanted; others are skipped.
    ///
    /// # Errors
    ///
    /// When the connection ends or it does not come in time.
    pub fn wait(&self, patience: Duration, wanted: impl Fn(&Value) -> bool) -> Result<Value> {
        let end = Instant::now() + patience;
        loop {
            match self.hear(end.saturating_duration_since(Instant::now())) {
                Some(Heard::Message(message)) if wanted(&message) => return Ok(message),
                Some(Heard::Message(_)) => {}
                Some(Heard::Closed(code)) => bail!("closed with {code}"),
                None => bail!("did not come within {} s", patience.as_secs()),
            }
        }
    }

    /// Waits until the server closes; the code it gives.
    ///
    /// # Errors
    ///
    /// When it does not close in time.
    pub fn wait_closed(&self, patience: Duration) -> Result<u16> {
        let end = Instant::now() + patience;
        loop {
            match self.hear(end.saturating_duration_since(Instant::now())) {
                Some(Heard::Closed(code)) => return Ok(code),
                Some(Heard::Message(_)) => {}
                None => bail!("still open after {} s", patience.as_secs()),
            }
        }
    }

    /// Sends a command and waits for its `ack` or `refused`.
    ///
    /// # Errors
    ///
    /// When neither comes.
    pub fn command(&self, id: &str, command: &Value) -> Result<Value> {
        self.say(&json!({"type": "command", "id": id, "command": command}))?;
        self.wait(crate::http::PATIENCE, |message| {
            message["id"] == id && (message["type"] == "ack" || message["type"] == "refused")
        })
        .with_context(|| format!("the answer to {command}"))
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        // Ends the thread that reads.
        let _ = stream.shutdown(std::net::Shutdown::Both);
    }
}

/// Reads frames until the end; the code of the server's close frame.
fn listen(mut stream: TcpStream, writer: &Mutex<TcpStream>, tell: &mpsc::Sender<Heard>) -> u16 {
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
                    if tell.send(Heard::Message(message)).is_err() {
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
    // The server sends no messages of this size; an absurd length is the end.
    let length = usize::try_from(length).ok().filter(|length| *length < 64 << 20)?;
    let mut payload = vec![0; length];
    stream.read_exact(&mut payload).ok()?;
    Some((first & 0x80 != 0, first & 0x0F, payload))
}
