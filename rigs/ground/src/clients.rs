//! Clients as others would write them: HTTP by hand over a socket, and websockets. They know an
//! address and nothing of the server's code.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use hansu_protocol::{
    ClientMessage, LobbyNews, Made, Place, Refusal, ServerMessage, Snapshot, VERSION, Wish,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_websockets::{ClientBuilder, MaybeTlsStream, Message, WebSocketStream};

/// Longer than anything takes here, also on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The answer to a request; status 0 when there was none.
#[derive(Debug)]
pub struct Answer {
    /// The status; 0 when there was no answer.
    pub status: u16,
    head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The first header of a name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers(name).next()
    }

    /// All headers of a name.
    pub fn headers(&self, name: &str) -> impl Iterator<Item = &str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let named = lines.filter(move |(key, _)| key.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.trim())
    }

    /// The body as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The body of a success.
    pub fn read<T: DeserializeOwned>(&self) -> T {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text());
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The code of a refusal, with its status.
    pub fn refusal(&self) -> (u16, String) {
        let code = self.json()["code"].as_str().unwrap_or_default().to_owned();
        assert!(!self.json()["text"].as_str().unwrap_or_default().is_empty(), "{self:?}");
        (self.status, code)
    }
}

/// A request that is being written.
pub struct Request {
    at: SocketAddr,
    head: String,
    body: Vec<u8>,
}

/// A request by any method.
pub fn request(at: SocketAddr, method: &str, path: &str) -> Request {
    let head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
    Request { at, head, body: Vec::new() }
}

/// A GET.
pub fn get(at: SocketAddr, path: &str) -> Request {
    request(at, "GET", path)
}

/// A POST of JSON.
pub fn post(at: SocketAddr, path: &str, body: &impl Serialize) -> Request {
    request(at, "POST", path).json(body)
}

impl Request {
    /// With a header.
    pub fn header(mut self, name: &str, value: &str) -> Request {
        write!(self.head, "{name}: {value}\r\n").expect("writing to a text");
        self
    }

    /// With a player's key.
    pub fn key(self, key: &str) -> Request {
        self.header("authorization", &format!("Bearer {key}"))
    }

    /// With JSON as its body.
    pub fn json(self, body: &impl Serialize) -> Request {
        let body = serde_json::to_vec(body).expect("JSON");
        self.header("content-type", "application/json").body(body)
    }

    /// With a body.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Request {
        self.body = body.into();
        self
    }

    /// Sends it and waits for the answer.
    pub async fn send(mut self) -> Answer {
        if !self.head.to_lowercase().contains("\r\nhost:") {
            let host = self.at.to_string();
            self = self.header("host", &host);
        }
        let length = self.body.len().to_string();
        self = self.header("content-length", &length);
        let mut bytes = self.head.into_bytes();
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&self.body);
        raw(self.at, &bytes).await
    }
}

/// Sends bytes and reads until the server closes.
pub async fn raw(at: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(at).await.expect("a connection");
    // A server that has heard enough closes before everything is sent.
    let _ = stream.write_all(bytes).await;
    let mut all = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut all)).await.expect("an answer in time");
    let end = all.windows(4).position(|four| four == b"\r\n\r\n");
    let Some(end) = end else { return Answer { status: 0, head: String::new(), body: all } };
    let head = String::from_utf8(all[..end].to_vec()).expect("a head");
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    let mut answer = Answer { status, head, body: all[end + 4..].to_vec() };
    if answer.header("transfer-encoding") == Some("chunked") {
        answer.body = unchunked(&answer.body);
    }
    answer
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(at) = body.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&body[..at]).ok();
        let size = size.and_then(|size| usize::from_str_radix(size.trim(), 16).ok()).unwrap_or(0);
        body = &body[at + 2..];
        if size == 0 || body.len() < size + 2 {
            whole.extend_from_slice(&body[..size.min(body.len())]);
            break;
        }
        whole.extend_from_slice(&body[..size]);
        body = &body[size + 2..];
    }
    whole
}

/// A new key, as a terminal gets one.
pub async fn key(at: SocketAddr) -> String {
    let made = request(at, "POST", "/api/keys").send().await;
    assert_eq!(made.status, 201);
    made.json()["key"].as_str().expect("a key").to_owned()
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Opens a websocket; the status when the server does not want to.
pub async fn knock(at: SocketAddr, path: &str, headers: &[(&str, &str)]) -> Result<Socket, String> {
    let uri = format!("ws://{at}{path}").parse().expect("an address");
    let mut builder = ClientBuilder::from_uri(uri);
    for (name, value) in headers {
        let name = name.parse().expect("a header");
        builder = builder.add_header(name, value.parse().expect("a value")).expect("a header");
    }
    let opened = timeout(PATIENCE, builder.connect()).await.expect("an answer in time");
    opened.map(|(socket, _)| socket).map_err(|error| error.to_string())
}

/// A websocket with messages of JSON.
pub struct Line {
    socket: Socket,
    /// The code with which the server closed.
    pub closed: Option<u16>,
}

impl Line {
    /// Opens a websocket.
    pub async fn open(at: SocketAddr, path: &str, key: Option<&str>) -> Line {
        let bearer = key.map(|key| format!("Bearer {key}"));
        let headers: Vec<_> = bearer.iter().map(|b| ("authorization", b.as_str())).collect();
        let socket = knock(at, path, &headers).await.expect("a websocket");
        Line { socket, closed: None }
    }

    /// Over a socket that is open.
    pub fn on(socket: Socket) -> Line {
        Line { socket, closed: None }
    }

    /// Sends a message.
    pub async fn say(&mut self, message: &impl Serialize) {
        self.say_text(serde_json::to_string(message).expect("JSON")).await;
    }

    /// Sends a text.
    pub async fn say_text(&mut self, text: impl Into<String>) {
        self.send(Message::text(text.into())).await;
    }

    /// Whoever is closed finds out by reading.
    pub async fn send(&mut self, message: Message) {
        let _ = self.socket.send(message).await;
    }

    /// The next message; nothing when the connection has ended.
    pub async fn next<T: DeserializeOwned>(&mut self) -> Option<T> {
        loop {
            let next = timeout(PATIENCE, self.socket.next()).await.expect("a message in time");
            let message = next?.ok()?;
            if let Some((code, _)) = message.as_close() {
                self.closed = Some(code.into());
            } else if let Some(text) = message.as_text() {
                let read = serde_json::from_str(text);
                return Some(read.unwrap_or_else(|error| panic!("{error}: {text}")));
            }
        }
    }

    /// Reads until the end, and says with which code.
    pub async fn end(&mut self) -> Option<u16> {
        while self.next::<Value>().await.is_some() {}
        self.closed
    }
}

/// Somebody at a game: every event is seen once and in order, or the test fails.
pub struct Seat {
    /// The connection.
    pub line: Line,
    /// The last event.
    pub seq: u64,
    /// All messages so far.
    pub heard: Vec<ServerMessage>,
    /// Which of them were waited for, by their place.
    taken: BTreeSet<usize>,
}

/// Names of commands: never one twice, also after a connection has broken.
static COMMANDS: AtomicU32 = AtomicU32::new(1);

impl Seat {
    /// Sits down and waits for the welcome.
    pub async fn take(at: SocketAddr, game: &str, key: Option<&str>) -> Seat {
        Seat::resume(at, game, key, 0).await
    }

    /// Comes back with the last event one has.
    pub async fn resume(at: SocketAddr, game: &str, key: Option<&str>, seq: u64) -> Seat {
        let line = Line::open(at, &format!("/api/games/{game}/socket"), key).await;
        Seat::greet(line, seq).await
    }

    /// Greets, as a client that knows events up to a number.
    pub async fn greet(mut line: Line, seq: u64) -> Seat {
        line.say(&json!({ "type": "hello", "v": VERSION, "seq": seq, "lang": "en" })).await;
        let mut seat = Seat { line, seq, heard: Vec::new(), taken: BTreeSet::new() };
        seat.wait(|message| matches!(message, ServerMessage::Welcome { .. })).await;
        seat
    }

    /// The next message.
    pub async fn next(&mut self) -> Option<ServerMessage> {
        let message: ServerMessage = self.line.next().await?;
        match &message {
            ServerMessage::Snapshot(snapshot) => self.seq = snapshot.seq,
            ServerMessage::Event(happened) => {
                assert_eq!(happened.entry.seq, self.seq + 1, "events come once and in order");
                self.seq = happened.entry.seq;
            }
            _ => {}
        }
        self.heard.push(message.clone());
        Some(message)
    }

    /// The first message that fits and was not taken yet, heard before or to come.
    async fn pick(&mut self, fits: impl Fn(&ServerMessage) -> bool) -> ServerMessage {
        let known =
            (0..self.heard.len()).find(|at| !self.taken.contains(at) && fits(&self.heard[*at]));
        let at = match known {
            Some(at) => at,
            None => {
                self.wait(&fits).await;
                self.heard.len() - 1
            }
        };
        self.taken.insert(at);
        self.heard[at].clone()
    }

    /// Waits for a new message; those before it are kept in `heard`.
    pub async fn wait(&mut self, fits: impl Fn(&ServerMessage) -> bool) -> ServerMessage {
        let patience = tokio::time::Instant::now() + PATIENCE;
        loop {
            assert!(tokio::time::Instant::now() < patience, "waited in vain: {:?}", self.heard);
            let Some(message) = self.next().await else {
                panic!("closed ({:?}) after {:?}", self.line.closed, self.heard)
            };
            if fits(&message) {
                return message;
            }
        }
    }

    /// Waits until the last event is at least this one.
    pub async fn reach(&mut self, seq: u64) {
        while self.seq < seq {
            assert!(self.next().await.is_some(), "closed before event {seq}");
        }
    }

    /// Waits for the whole game.
    pub async fn snapshot(&mut self) -> Snapshot {
        match self.wait(|message| matches!(message, ServerMessage::Snapshot(_))).await {
            ServerMessage::Snapshot(snapshot) => *snapshot,
            other => panic!("{other:?}"),
        }
    }

    /// The next event of a kind, heard already or not.
    pub async fn event(&mut self, kind: &str) -> Value {
        let is = |message: &ServerMessage| {
            matches!(message, ServerMessage::Event(happened)
                if serde_json::to_value(&happened.entry).expect("JSON")["type"] == kind)
        };
        serde_json::to_value(self.pick(is).await).expect("JSON")["entry"].clone()
    }

    /// Sends a command under a name.
    pub async fn send(&mut self, id: &str, command: Wish) {
        self.line.say(&ClientMessage::Command { id: id.to_owned(), command }).await;
    }

    /// What becomes of a command.
    pub async fn answer(&mut self, to: &str) -> Result<u64, Refusal> {
        let fits = |message: &ServerMessage| matches!(message, ServerMessage::Ack { id, .. } | ServerMessage::Refused { id, .. } if id == to);
        match self.pick(fits).await {
            ServerMessage::Ack { seq, .. } => Ok(seq),
            ServerMessage::Refused { refusal, .. } => Err(refusal),
            other => panic!("{other:?}"),
        }
    }

    /// Asks for something and waits for the answer.
    pub async fn ask(&mut self, command: Wish) -> Result<u64, Refusal> {
        let id = format!("c{}", COMMANDS.fetch_add(1, Ordering::Relaxed));
        self.send(&id, command).await;
        self.answer(&id).await
    }

    /// Plays a move.
    pub async fn go(&mut self, uci: &str) -> Result<u64, Refusal> {
        self.ask(Wish::Move { uci: uci.to_owned() }).await
    }

    /// The code of the refusal that a command meets.
    pub async fn refused(&mut self, command: Wish) -> String {
        let refusal = self.ask(command).await.expect_err("a refusal");
        assert!(!refusal.text.is_empty());
        refusal.code
    }
}

/// Two players at a game.
pub struct Pair {
    /// The server.
    pub at: SocketAddr,
    /// The game.
    pub game: String,
    /// White's seat.
    pub white: Seat,
    /// Black's seat.
    pub black: Seat,
    /// The players' keys.
    pub keys: [String; 2],
}

impl Pair {
    /// Anna has White, Ben has Black; `setting` is what else the game shall be.
    pub async fn meet(at: SocketAddr, setting: Value) -> Pair {
        let keys = [key(at).await, key(at).await];
        let mut new = json!({ "with": "friend", "name": "Anna", "color": "white" });
        for (name, value) in setting.as_object().into_iter().flatten() {
            new[name] = value.clone();
        }
        let made: Made = post(at, "/api/games", &new).key(&keys[0]).send().await.read();
        let invitation = made.invitation.expect("an invitation");
        let mut white = Seat::take(at, &made.game, Some(&keys[0])).await;
        let path = format!("/api/invitations/{invitation}");
        let joined: Made =
            post(at, &path, &json!({ "name": "Ben" })).key(&keys[1]).send().await.read();
        assert_eq!(joined.game, made.game);
        let black = Seat::take(at, &made.game, Some(&keys[1])).await;
        white.event("started").await;
        Pair { at, game: made.game, white, black, keys }
    }

    /// Plays moves, one side after the other, White first or whose turn it is in `first`.
    pub async fn play(&mut self, moves: &str) {
        for (ply, uci) in moves.split_whitespace().enumerate() {
            let (us, them) = match ply % 2 {
                0 => (&mut self.white, &mut self.black),
                _ => (&mut self.black, &mut self.white),
            };
            let seq = us.go(uci).await.unwrap_or_else(|why| panic!("{uci}: {why:?}"));
            them.reach(seq).await;
        }
    }

    /// How the game ended, as both were told and as the log has it.
    pub async fn ending(&mut self) -> (String, String) {
        let told = |entry: &Value| {
            let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
            (text("winner"), text("reason"))
        };
        let mut endings = Vec::new();
        for seat in [&mut self.white, &mut self.black] {
            let heard = seat.heard.iter().filter_map(ended).next_back();
            let entry = match heard {
                Some(entry) => entry,
                None => seat.event("ended").await,
            };
            endings.push(told(&entry));
        }
        assert_eq!(endings[0], endings[1]);
        let row = get(self.at, &format!("/api/games/{}", self.game)).send().await.json();
        assert_eq!(row["game"]["reason"], endings[0].1);
        assert_eq!(row["live"], false);
        endings.remove(0)
    }
}

fn ended(message: &ServerMessage) -> Option<Value> {
    let ServerMessage::Event(happened) = message else { return None };
    let entry = serde_json::to_value(&happened.entry).expect("JSON");
    (entry["type"] == "ended").then_some(entry)
}

/// A clock that gives each side so many milliseconds for the game.
pub fn clock(millis: u64) -> Value {
    json!({ "kind": "clock", "stages": [{ "time": millis }] })
}

/// Somebody in the lobby.
pub struct Visitor {
    /// The connection.
    pub line: Line,
    asked: u32,
}

impl Visitor {
    /// Enters the lobby.
    pub async fn enter(at: SocketAddr, key: Option<&str>) -> Visitor {
        let mut line = Line::open(at, "/api/lobby/socket", key).await;
        line.say(&json!({ "type": "hello", "v": VERSION })).await;
        let mut visitor = Visitor { line, asked: 0 };
        visitor.wait(|news| matches!(news, LobbyNews::Lobby { .. })).await;
        visitor
    }

    /// Waits for news that fit.
    pub async fn wait(&mut self, fits: impl Fn(&LobbyNews) -> bool) -> LobbyNews {
        loop {
            let news = self.line.next::<LobbyNews>().await.expect("news");
            if fits(&news) {
                return news;
            }
        }
    }

    /// Asks; the name of the seek, or the code of the refusal.
    pub async fn ask(&mut self, mut message: Value) -> Result<Option<String>, String> {
        self.asked += 1;
        let name = format!("q{}", self.asked);
        message["id"] = json!(name);
        self.line.say(&message).await;
        let answered = |news: &LobbyNews| matches!(news, LobbyNews::Ack { id, .. } | LobbyNews::Refused { id, .. } if *id == name);
        match self.wait(answered).await {
            LobbyNews::Ack { seek, .. } => Ok(seek),
            LobbyNews::Refused { refusal, .. } => Err(refusal.code),
            other => panic!("{other:?}"),
        }
    }

    /// Waits for an opponent: the game, and the seat in it.
    pub async fn paired(&mut self) -> (String, Place) {
        match self.wait(|news| matches!(news, LobbyNews::Paired { .. })).await {
            LobbyNews::Paired { game, seat } => (game, seat),
            other => panic!("{other:?}"),
        }
    }

    /// Waits until so many seeks are on the list.
    pub async fn sees(&mut self, seeks: usize) {
        self.wait(|news| matches!(news, LobbyNews::Lobby { seeks: s, .. } if s.len() == seeks))
            .await;
    }
}

/// A wish for an opponent.
pub fn seek(name: &str, color: &str, time: &Value) -> Value {
    json!({ "type": "seek", "seek": { "name": name, "color": color, "time": time } })
}
