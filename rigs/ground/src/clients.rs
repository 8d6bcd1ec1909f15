//! A client written from the protocol alone: HTTP by hand over a socket, and websockets. It knows
//! an address and uses no code of the server.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::stream::SplitSink;
use futures_util::{SinkExt as _, StreamExt as _};
use hansu_protocol::{
    self as wire, ClientMessage, LobbyNews, Made, Refusal, ServerMessage, Snapshot, VERSION, Wish,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_websockets::{ClientBuilder, MaybeTlsStream, Message, WebSocketStream};

/// The timeout of every request and message, long enough for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The response to a request.
#[derive(Debug)]
pub struct Response {
    /// The status code; 0 when the server sent no complete head.
    pub status: u16,
    head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// The value of the first header with this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers(name).next()
    }

    /// The values of all headers with this name.
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

    /// The body of a 2xx response; any other status fails the test.
    pub fn read<T: DeserializeOwned>(&self) -> T {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text());
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The status and the code of a refusal.
    pub fn refusal(&self) -> (u16, String) {
        let code = self.json()["code"].as_str().unwrap_or_default().to_owned();
        assert!(!self.json()["text"].as_str().unwrap_or_default().is_empty(), "{self:?}");
        (self.status, code)
    }
}

/// A request before it is sent.
pub struct Request {
    at: SocketAddr,
    head: String,
    body: Vec<u8>,
}

/// A request with any method.
pub fn request(at: SocketAddr, method: &str, path: &str) -> Request {
    let head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
    Request { at, head, body: Vec::new() }
}

/// A GET request.
pub fn get(at: SocketAddr, path: &str) -> Request {
    request(at, "GET", path)
}

/// A POST request with a JSON body.
pub fn post(at: SocketAddr, path: &str, body: &impl Serialize) -> Request {
    request(at, "POST", path).json(body)
}

impl Request {
    /// Adds a header.
    pub fn header(mut self, name: &str, value: &str) -> Request {
        write!(self.head, "{name}: {value}\r\n").expect("writing to a String");
        self
    }

    /// Adds the `Authorization` header of a player's key.
    pub fn key(self, key: &str) -> Request {
        self.header("authorization", &format!("Bearer {key}"))
    }

    /// Sets a JSON body and its content type.
    pub fn json(self, body: &impl Serialize) -> Request {
        let body = serde_json::to_vec(body).expect("JSON");
        self.header("content-type", "application/json").body(body)
    }

    /// Sets the body.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Request {
        self.body = body.into();
        self
    }

    /// Sends the request and waits for the response.
    pub async fn send(mut self) -> Response {
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
pub async fn raw(at: SocketAddr, bytes: &[u8]) -> Response {
    let mut stream = TcpStream::connect(at).await.expect("a connection");
    // A server that refuses the request may close before everything is sent.
    let _ = stream.write_all(bytes).await;
    let mut all = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut all)).await.expect("an answer in time");
    let end = all.windows(4).position(|four| four == b"\r\n\r\n");
    let Some(end) = end else { return Response { status: 0, head: String::new(), body: all } };
    let head = String::from_utf8(all[..end].to_vec()).expect("a head");
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    let mut answer = Response { status, head, body: all[end + 4..].to_vec() };
    if answer.header("transfer-encoding") == Some("chunked") {
        answer.body = decode_chunked(&answer.body);
    }
    answer
}

fn decode_chunked(mut body: &[u8]) -> Vec<u8> {
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

/// A new key from `POST /api/keys`, as the terminal gets one.
pub async fn key(at: SocketAddr) -> String {
    let made = request(at, "POST", "/api/keys").send().await;
    assert_eq!(made.status, 201);
    made.json()["key"].as_str().expect("a key").to_owned()
}

type WebSocket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Opens a websocket; the error as text when the server refuses.
pub async fn open_websocket(
    at: SocketAddr,
    path: &str,
    headers: &[(&str, &str)],
) -> Result<WebSocket, String> {
    let uri = format!("ws://{at}{path}").parse().expect("an address");
    let mut builder = ClientBuilder::from_uri(uri);
    for (name, value) in headers {
        let name = name.parse().expect("a header");
        builder = builder.add_header(name, value.parse().expect("a value")).expect("a header");
    }
    let opened = timeout(PATIENCE, builder.connect()).await.expect("an answer in time");
    opened.map(|(socket, _)| socket).map_err(|error| error.to_string())
}

/// A websocket that carries JSON messages. It is read all the time, also while a test looks
/// elsewhere: a server lets those go who do not answer its pings.
pub struct Connection {
    sink: SplitSink<WebSocket, Message>,
    messages: UnboundedReceiver<Message>,
    reader: JoinHandle<()>,
    /// The code of the server's close frame.
    pub close_code: Option<u16>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl Connection {
    /// Opens a websocket.
    pub async fn open(at: SocketAddr, path: &str, key: Option<&str>) -> Connection {
        let bearer = key.map(|key| format!("Bearer {key}"));
        let headers: Vec<_> = bearer.iter().map(|b| ("authorization", b.as_str())).collect();
        Connection::from_socket(open_websocket(at, path, &headers).await.expect("a websocket"))
    }

    /// Wraps an open websocket.
    pub fn from_socket(socket: WebSocket) -> Connection {
        let (sink, mut stream) = socket.split();
        let (sender, messages) = unbounded_channel();
        let reader = tokio::spawn(async move {
            while let Some(Ok(message)) = stream.next().await {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Connection { sink, messages, reader, close_code: None }
    }

    /// Sends a message as JSON.
    pub async fn send_json(&mut self, message: &impl Serialize) {
        self.send_text(serde_json::to_string(message).expect("JSON")).await;
    }

    /// Sends a text frame.
    pub async fn send_text(&mut self, text: impl Into<String>) {
        self.send(Message::text(text.into())).await;
    }

    /// Sends a frame. An error is ignored: a closed connection shows when it is read.
    pub async fn send(&mut self, message: Message) {
        let _ = self.sink.send(message).await;
    }

    /// The next message; `None` when the connection has ended.
    pub async fn next<T: DeserializeOwned>(&mut self) -> Option<T> {
        loop {
            let message =
                timeout(PATIENCE, self.messages.recv()).await.expect("a message in time")?;
            if let Some((code, _)) = message.as_close() {
                self.close_code = Some(code.into());
            } else if let Some(text) = message.as_text() {
                let read = serde_json::from_str(text);
                return Some(read.unwrap_or_else(|error| panic!("{error}: {text}")));
            }
        }
    }

    /// Reads until the connection ends and returns the close code.
    pub async fn read_to_end(&mut self) -> Option<u16> {
        while self.next::<Value>().await.is_some() {}
        self.close_code
    }
}

/// A client of one game. The test fails unless every event comes once and in order.
pub struct GameClient {
    /// The connection.
    pub connection: Connection,
    /// The number of the last event.
    pub seq: u64,
    /// All messages received so far.
    pub received: Vec<ServerMessage>,
    /// The indices of messages that [`GameClient::pick`] has returned.
    taken: BTreeSet<usize>,
}

/// Ids of commands: unique in the process, also after a reconnect.
static COMMANDS: AtomicU32 = AtomicU32::new(1);

impl GameClient {
    /// Opens a connection to a game and waits for the welcome.
    pub async fn join(at: SocketAddr, game: &str, key: Option<&str>) -> GameClient {
        GameClient::resume(at, game, key, 0).await
    }

    /// Reconnects with the number of the last known event.
    pub async fn resume(at: SocketAddr, game: &str, key: Option<&str>, seq: u64) -> GameClient {
        let connection = Connection::open(at, &format!("/api/games/{game}/socket"), key).await;
        GameClient::greet(connection, seq).await
    }

    /// Sends `hello` with the number of the last known event and waits for the welcome.
    pub async fn greet(mut connection: Connection, seq: u64) -> GameClient {
        connection
            .send_json(&json!({ "type": "hello", "v": VERSION, "seq": seq, "lang": "en" }))
            .await;
        let mut seat = GameClient { connection, seq, received: Vec::new(), taken: BTreeSet::new() };
        seat.wait(|message| matches!(message, ServerMessage::Welcome { .. })).await;
        seat
    }

    /// The next message.
    pub async fn next(&mut self) -> Option<ServerMessage> {
        let message: ServerMessage = self.connection.next().await?;
        match &message {
            ServerMessage::Snapshot(snapshot) => self.seq = snapshot.seq,
            ServerMessage::Event(happened) => {
                assert_eq!(happened.entry.seq, self.seq + 1, "events come once and in order");
                self.seq = happened.entry.seq;
            }
            _ => {}
        }
        self.received.push(message.clone());
        Some(message)
    }

    /// The first message that fits and was not returned before, received already or to come.
    async fn pick(&mut self, fits: impl Fn(&ServerMessage) -> bool) -> ServerMessage {
        let known = (0..self.received.len())
            .find(|at| !self.taken.contains(at) && fits(&self.received[*at]));
        let at = match known {
            Some(at) => at,
            None => {
                self.wait(&fits).await;
                self.received.len() - 1
            }
        };
        self.taken.insert(at);
        self.received[at].clone()
    }

    /// Waits for a new message that fits; those before it are kept in `received`.
    pub async fn wait(&mut self, fits: impl Fn(&ServerMessage) -> bool) -> ServerMessage {
        let patience = tokio::time::Instant::now() + PATIENCE;
        loop {
            assert!(tokio::time::Instant::now() < patience, "waited in vain: {:?}", self.received);
            let Some(message) = self.next().await else {
                panic!("closed ({:?}) after {:?}", self.connection.close_code, self.received)
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

    /// Waits for a snapshot of the game.
    pub async fn snapshot(&mut self) -> Snapshot {
        match self.wait(|message| matches!(message, ServerMessage::Snapshot(_))).await {
            ServerMessage::Snapshot(snapshot) => *snapshot,
            other => panic!("{other:?}"),
        }
    }

    /// The next event of a kind, received already or to come.
    pub async fn event(&mut self, kind: &str) -> Value {
        let is = |message: &ServerMessage| {
            matches!(message, ServerMessage::Event(happened)
                if serde_json::to_value(&happened.entry).expect("JSON")["type"] == kind)
        };
        serde_json::to_value(self.pick(is).await).expect("JSON")["entry"].clone()
    }

    /// Sends a command with an id.
    pub async fn send(&mut self, id: &str, command: Wish) {
        self.connection.send_json(&ClientMessage::Command { id: id.to_owned(), command }).await;
    }

    /// Waits for the answer to a command: its event's number, or the refusal.
    pub async fn answer(&mut self, to: &str) -> Result<u64, Refusal> {
        let fits = |message: &ServerMessage| matches!(message, ServerMessage::Ack { id, .. } | ServerMessage::Refused { id, .. } if id == to);
        match self.pick(fits).await {
            ServerMessage::Ack { seq, .. } => Ok(seq),
            ServerMessage::Refused { refusal, .. } => Err(refusal),
            other => panic!("{other:?}"),
        }
    }

    /// Sends a command and waits for the answer.
    pub async fn ask(&mut self, command: Wish) -> Result<u64, Refusal> {
        let id = format!("c{}", COMMANDS.fetch_add(1, Ordering::Relaxed));
        self.send(&id, command).await;
        self.answer(&id).await
    }

    /// Sends a move and waits for the answer.
    pub async fn go(&mut self, uci: &str) -> Result<u64, Refusal> {
        self.ask(Wish::Move { uci: uci.to_owned() }).await
    }

    /// Sends a command that must be refused; returns the refusal's code.
    pub async fn refusal_code(&mut self, command: Wish) -> String {
        let refusal = self.ask(command).await.expect_err("a refusal");
        assert!(!refusal.text.is_empty());
        refusal.code
    }
}

/// Two players at a game.
pub struct Pair {
    /// The server's address.
    pub at: SocketAddr,
    /// The game's id.
    pub game: String,
    /// White's connection.
    pub white: GameClient,
    /// Black's connection.
    pub black: GameClient,
    /// The keys of White and Black.
    pub keys: [String; 2],
}

impl Pair {
    /// Starts a game of Anna (White) and Ben (Black); `setting` has further fields of the request.
    pub async fn meet(at: SocketAddr, setting: Value) -> Pair {
        let keys = [key(at).await, key(at).await];
        let mut new = json!({ "with": "friend", "name": "Anna", "color": "white" });
        for (name, value) in setting.as_object().into_iter().flatten() {
            new[name] = value.clone();
        }
        let made: Made = post(at, "/api/games", &new).key(&keys[0]).send().await.read();
        let invitation = made.invitation.expect("an invitation");
        let mut white = GameClient::join(at, &made.game, Some(&keys[0])).await;
        let path = format!("/api/invitations/{invitation}");
        let joined: Made =
            post(at, &path, &json!({ "name": "Ben" })).key(&keys[1]).send().await.read();
        assert_eq!(joined.game, made.game);
        let black = GameClient::join(at, &made.game, Some(&keys[1])).await;
        white.event("started").await;
        Pair { at, game: made.game, white, black, keys }
    }

    /// Plays moves by turns, White first. Waits until both sides have each event.
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

    /// Winner and reason, checked to be the same for both players and in the log.
    pub async fn ending(&mut self) -> (String, String) {
        let winner_and_reason = |entry: &Value| {
            let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
            (text("winner"), text("reason"))
        };
        let mut endings = Vec::new();
        for seat in [&mut self.white, &mut self.black] {
            let known = seat.received.iter().filter_map(ended_entry).next_back();
            let entry = match known {
                Some(entry) => entry,
                None => seat.event("ended").await,
            };
            endings.push(winner_and_reason(&entry));
        }
        assert_eq!(endings[0], endings[1]);
        let row = get(self.at, &format!("/api/games/{}", self.game)).send().await.json();
        assert_eq!(row["game"]["reason"], endings[0].1);
        assert_eq!(row["live"], false);
        endings.remove(0)
    }
}

fn ended_entry(message: &ServerMessage) -> Option<Value> {
    let ServerMessage::Event(happened) = message else { return None };
    let entry = serde_json::to_value(&happened.entry).expect("JSON");
    (entry["type"] == "ended").then_some(entry)
}

/// A time control that gives each side this many milliseconds for the game.
pub fn clock(millis: u64) -> Value {
    json!({ "kind": "clock", "stages": [{ "time": millis }] })
}

/// A client in the lobby.
pub struct LobbyClient {
    /// The connection.
    pub connection: Connection,
    requests: u32,
}

impl LobbyClient {
    /// Enters the lobby.
    pub async fn enter(at: SocketAddr, key: Option<&str>) -> LobbyClient {
        let mut connection = Connection::open(at, "/api/lobby/socket", key).await;
        connection.send_json(&json!({ "type": "hello", "v": VERSION })).await;
        let mut visitor = LobbyClient { connection, requests: 0 };
        visitor.wait(|news| matches!(news, LobbyNews::Lobby { .. })).await;
        visitor
    }

    /// Waits for a message that fits.
    pub async fn wait(&mut self, fits: impl Fn(&LobbyNews) -> bool) -> LobbyNews {
        loop {
            let news = self.connection.next::<LobbyNews>().await.expect("news");
            if fits(&news) {
                return news;
            }
        }
    }

    /// Sends a request and waits for the answer: the seek's id, or the refusal's code.
    pub async fn ask(&mut self, mut message: Value) -> Result<Option<String>, String> {
        self.requests += 1;
        let name = format!("q{}", self.requests);
        message["id"] = json!(name);
        self.connection.send_json(&message).await;
        let is_answer = |news: &LobbyNews| matches!(news, LobbyNews::Ack { id, .. } | LobbyNews::Refused { id, .. } if *id == name);
        match self.wait(is_answer).await {
            LobbyNews::Ack { seek, .. } => Ok(seek),
            LobbyNews::Refused { refusal, .. } => Err(refusal.code),
            other => panic!("{other:?}"),
        }
    }

    /// Waits for an opponent; returns the game and the seat in it.
    pub async fn wait_for_pairing(&mut self) -> (String, wire::Seat) {
        match self.wait(|news| matches!(news, LobbyNews::Paired { .. })).await {
            LobbyNews::Paired { game, seat } => (game, seat),
            other => panic!("{other:?}"),
        }
    }

    /// Waits until the list has this many seeks.
    pub async fn wait_for_seeks(&mut self, seeks: usize) {
        self.wait(|news| matches!(news, LobbyNews::Lobby { seeks: s, .. } if s.len() == seeks))
            .await;
    }
}

/// A `seek` message: the wish for an opponent.
pub fn seek(name: &str, color: &str, time: &Value) -> Value {
    json!({ "type": "seek", "seek": { "name": name, "color": color, "time": time } })
}
