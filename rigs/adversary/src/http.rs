//! HTTP/1.1 as docs/api.md needs it, over plain TCP: a hostile client must be able to send
//! anything.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

/// Timeout of an answer, long enough for a busy machine.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// The number of responses with 429 or 503 but without `Retry-After`, in the whole run.
pub static WITHOUT_RETRY_AFTER: AtomicU64 = AtomicU64::new(0);

/// A response to a request.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers: names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The complete body.
    pub body: Vec<u8>,
}

impl Response {
    /// The value of the first header with this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON; null when it is not valid JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The code of a refusal; empty if there is none.
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The status and the first 160 characters of the body, for reports.
    pub fn brief(&self) -> String {
        let body: String = self.text().chars().take(160).collect();
        format!("{} {body}", self.status)
    }

    /// Parses a response from the bytes read so far; `None` while it is incomplete.
    fn parse(bytes: &[u8], ended: bool) -> Result<Option<Response>> {
        let Some(end) = find(bytes, b"\r\n\r\n") else { return Ok(None) };
        let head = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned();
        let mut lines = head.split("\r\n");
        let first = lines.next().unwrap_or_default();
        let status = first.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.with_context(|| format!("no status in {first:?}"))?;
        let headers: Vec<_> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let mut answer = Response { status, headers, body: Vec::new() };
        let rest = bytes.get(end + 4..).unwrap_or_default();
        let length = answer.header("content-length").and_then(|text| text.parse::<usize>().ok());
        if let Some(length) = length {
            if rest.len() < length && !ended {
                return Ok(None);
            }
            answer.body = rest.get(..length).unwrap_or(rest).to_vec();
        } else if answer.header("transfer-encoding").is_some() {
            if !ended && !rest.ends_with(b"0\r\n\r\n") {
                return Ok(None);
            }
            answer.body = unchunk(rest);
        } else if status != 101 && status != 204 && !ended {
            return Ok(None);
        }
        Ok(Some(answer))
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn unchunk(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(line) = find(rest, b"\r\n") {
        let size = String::from_utf8_lossy(rest.get(..line).unwrap_or_default()).into_owned();
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        let begin = line + 2;
        match rest.get(begin..begin + size) {
            Some(chunk) if size > 0 => body.extend_from_slice(chunk),
            _ => break,
        }
        rest = rest.get(begin + size + 2..).unwrap_or_default();
    }
    body
}

/// The address of a server, to which requests are sent.
#[derive(Clone, Copy, Debug)]
pub struct Http(pub SocketAddr);

impl Http {
    /// Opens a connection without sending anything.
    ///
    /// # Errors
    ///
    /// When the server does not accept it.
    pub fn open(self) -> Result<TcpStream> {
        let stream = TcpStream::connect_timeout(&self.0, Duration::from_secs(10))?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// Sends bytes as they are and reads one response.
    ///
    /// # Errors
    ///
    /// When no response comes.
    pub fn raw(self, bytes: &[u8]) -> Result<Response> {
        let mut stream = self.open()?;
        // A server may answer and close before it has read everything.
        let sent = stream.write_all(bytes);
        match read_response(&mut stream) {
            Ok(answer) => Ok(answer),
            Err(error) => {
                sent?;
                Err(error)
            }
        }
    }

    /// Sends a request with headers and a body.
    ///
    /// # Errors
    ///
    /// When no response comes.
    pub fn send(
        self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Result<Response> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {}\r\n", self.0));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = body {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(body.unwrap_or_default());
        self.raw(&bytes).with_context(|| format!("{method} {path}"))
    }

    /// Sends a request with a key, unless it is empty, and with a JSON body, if any.
    ///
    /// # Errors
    ///
    /// When no response comes.
    pub fn request(
        self,
        method: &str,
        path: &str,
        key: &str,
        body: Option<&Value>,
    ) -> Result<Response> {
        let bearer = format!("Bearer {key}");
        let mut headers = vec![];
        if !key.is_empty() {
            headers.push(("Authorization", bearer.as_str()));
        }
        let body = body.map(Value::to_string);
        if body.is_some() {
            headers.push(("Content-Type", "application/json"));
        }
        self.send(method, path, &headers, body.as_ref().map(String::as_bytes))
    }

    /// Sends a GET request with a key.
    ///
    /// # Errors
    ///
    /// When no response comes.
    pub fn get(self, path: &str, key: &str) -> Result<Response> {
        self.request("GET", path, key, None)
    }

    /// Sends a POST request with a key and a JSON body.
    ///
    /// # Errors
    ///
    /// When no response comes.
    pub fn post(self, path: &str, key: &str, body: &Value) -> Result<Response> {
        self.request("POST", path, key, Some(body))
    }

    /// Requests a new key.
    ///
    /// # Errors
    ///
    /// When the server refuses.
    pub fn key(self) -> Result<String> {
        let answer = self.request("POST", "/api/keys", "", None)?;
        let key = answer.json()["key"].as_str().map(str::to_owned);
        key.with_context(|| format!("no key: {}", answer.brief()))
    }

    /// Returns true if `/readyz` says that the server can store games.
    pub fn is_ready(self) -> bool {
        self.get("/readyz", "").is_ok_and(|answer| answer.status == 200)
    }
}

/// Reads one response from a connection.
///
/// # Errors
///
/// When the connection ends or nothing comes before the read timeout.
pub fn read_response(stream: &mut TcpStream) -> Result<Response> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = match stream.read(&mut buffer) {
            Ok(count) => count,
            // A reset after the head ends the response.
            Err(_) if find(&bytes, b"\r\n\r\n").is_some() => 0,
            Err(error) => return Err(error.into()),
        };
        bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        if let Some(answer) = Response::parse(&bytes, count == 0)? {
            if matches!(answer.status, 429 | 503) && answer.header("retry-after").is_none() {
                WITHOUT_RETRY_AFTER.fetch_add(1, Ordering::Relaxed);
            }
            return Ok(answer);
        }
        if count == 0 {
            bail!("closed without an answer");
        }
    }
}

/// Percent-encodes a text for a URL.
pub fn escape(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
