//! A player: one seat and one socket. It moves by order, plays rematches, and reconnects when the
//! connection breaks.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use futures_util::{SinkExt as _, StreamExt as _};
use hansu_play::Offer;
use hansu_protocol::{ClientMessage, Language, VERSION, Wish};
use hyper::header::{AUTHORIZATION, HeaderValue};
use tokio::net::TcpStream;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_websockets::{ClientBuilder, Message, WebSocketStream};
use xxhash_rust::xxh3::xxh3_64;

use crate::api;
use crate::coordinator::{Coordinator, Order, add};
use crate::received::{EntryFields, Received, Snapshot, Turn};

/// Base of the wait before the next attempt to connect; it doubles with each failure.
const BASE_WAIT: Duration = Duration::from_millis(25);
/// How often the wait doubles: 25 ms, 50, 100, 200, 400, and 800 from then on.
const MAX_DOUBLINGS: u32 = 5;
/// How long to wait after a refusal.
const REFUSAL_WAIT: Duration = Duration::from_millis(50);
/// A player gives up after this many failed attempts to connect.
const MAX_ATTEMPTS: u32 = 400;

/// A side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl Side {
    /// The side's name in the protocol.
    pub const fn code(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    /// The other side, which a player has in the rematch.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The log's key of a command of this side.
    pub fn client(self, id: u64) -> String {
        match self {
            Side::White => format!("w:{id}"),
            Side::Black => format!("b:{id}"),
        }
    }
}

/// What one player has sent and received in one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Journal {
    /// The game.
    pub game: String,
    /// The side.
    pub side: Side,
    /// The ids of moves that were sent.
    pub moves: Vec<u64>,
    /// Acknowledged commands: id and event number.
    pub acknowledged: Vec<(u64, u64)>,
    /// Received events: number and hash of the bytes.
    pub received: Vec<(u64, u64)>,
    /// Received snapshots: number of the last event and hash of the moves.
    pub snapshots: Vec<(u64, u64)>,
}

impl Journal {
    /// An empty journal.
    pub fn new(game: &str, side: Side) -> Journal {
        Journal {
            game: game.to_owned(),
            side,
            moves: Vec::new(),
            acknowledged: Vec::new(),
            received: Vec::new(),
            snapshots: Vec::new(),
        }
    }
}

/// The hash of a text's bytes.
pub fn hash(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

/// The hash of a list of moves.
pub fn hash_moves<S: AsRef<str>>(moves: impl IntoIterator<Item = S>) -> u64 {
    let mut text = String::new();
    for step in moves {
        // Writing to a String does not fail.
        let _ = write!(text, "{} ", step.as_ref());
    }
    hash(&text)
}

/// A command that was not answered yet.
struct Pending {
    id: u64,
    text: String,
    /// When it was due; `None` if it is not measured.
    meant: Option<Instant>,
    is_move: bool,
    /// When it was sent first and last.
    sent: (Instant, Instant),
    /// True if it had to be sent again.
    again: bool,
}

/// What the player knows about the current game.
#[derive(Default)]
struct GameProgress {
    last: u64,
    /// The last acknowledged event of this player's commands. After a resend the acknowledgement
    /// may come before the event.
    kept: u64,
    /// Set when it is this player's turn: the number of the event before, and the chosen move or
    /// resignation.
    turn: Option<(u64, Wish)>,
    over: bool,
    offered: bool,
    next: Option<String>,
}

/// How a connection ended.
enum Disconnect {
    /// The next game of the series begins.
    Next(String),
    /// The player was ordered to drop it.
    Dropped,
    /// It broke, with the reason.
    Lost(String),
    /// The player ends.
    Left,
}

/// A player with one seat.
pub struct Player {
    number: u32,
    /// The index of the server; the two players of a game begin at different ones.
    server_index: usize,
    coordinator: Arc<Coordinator>,
    orders: UnboundedReceiver<Order>,
    key: String,
    game: String,
    side: Side,
    progress: GameProgress,
    pending: Option<Pending>,
    /// True once the server has sent `welcome` on this connection.
    welcomed: bool,
    /// True while the player is in the queue of those that are ready to move.
    queued: bool,
    ids: u64,
    random: fastrand::Rng,
    journal: Journal,
}

/// A websocket to a server.
pub type Socket = WebSocketStream<TcpStream>;

/// Connects to a game.
///
/// # Errors
///
/// When the server does not accept the connection.
pub async fn connect(server: SocketAddr, number: u32, game: &str, key: &str) -> Result<Socket> {
    let stream = api::connect(server, number as usize).await?;
    let uri = format!("ws://{server}/api/games/{game}/socket").parse()?;
    let (socket, _) = ClientBuilder::from_uri(uri)
        .add_header(AUTHORIZATION, HeaderValue::from_str(&format!("Bearer {key}"))?)?
        .connect_on(stream)
        .await?;
    Ok(socket)
}

/// Connects with a key and sends `hello`, for a test that sends the moves itself.
///
/// # Errors
///
/// When the server does not accept the connection.
pub async fn connect_and_greet(server: SocketAddr, game: &str, key: &str) -> Result<Socket> {
    let mut socket = connect(server, 0, game, key).await?;
    socket.send(hello(0)).await?;
    Ok(socket)
}

/// Sends a move and waits for its acknowledgement; returns the number of its event.
///
/// # Errors
///
/// When it is refused.
pub async fn play_move(socket: &mut Socket, id: &str, uci: &str) -> Result<u64> {
    let command = Wish::Move { uci: uci.to_owned() };
    socket.send(to_frame(&ClientMessage::Command { id: id.to_owned(), command })).await?;
    while let Some(message) = socket.next().await {
        let message = message?;
        let Some(text) = message.as_text() else { continue };
        match Received::parse(text)? {
            Received::Ack(ack) if ack.id == id => return Ok(ack.seq),
            Received::Refused(no) if no.id == id => bail!("{uci}: {}", no.refusal.code),
            _ => {}
        }
    }
    bail!("{uci}: closed")
}

/// The first message of a connection.
pub fn hello(seq: u64) -> Message {
    to_frame(&ClientMessage::Hello { v: VERSION, seq, lang: Language::En })
}

/// Returns true for refusals after which the same command may be sent again.
fn is_temporary(code: &str) -> bool {
    matches!(code, "too_fast" | "busy" | "unavailable" | "unsure")
}

fn text(message: &ClientMessage) -> String {
    // All map keys are strings, so serialisation cannot fail.
    serde_json::to_string(message).unwrap_or_default()
}

/// A client's message as a text frame.
pub fn to_frame(message: &ClientMessage) -> Message {
    Message::text(text(message))
}

impl Player {
    /// A player of one side of a game.
    pub fn new(
        number: u32,
        coordinator: Arc<Coordinator>,
        orders: UnboundedReceiver<Order>,
        game: &str,
        key: &str,
        side: Side,
    ) -> Player {
        Player {
            number,
            server_index: (number / 2 + number % 2) as usize,
            coordinator,
            orders,
            key: key.to_owned(),
            game: game.to_owned(),
            side,
            progress: GameProgress::default(),
            pending: None,
            welcomed: false,
            queued: false,
            ids: 0,
            random: fastrand::Rng::with_seed(u64::from(number) + 1),
            journal: Journal::new(game, side),
        }
    }

    /// Plays until ordered to leave.
    pub async fn play(mut self) {
        let mut failures = 0;
        loop {
            let server = self.coordinator.server(self.server_index);
            let reason = match self.connect(server).await {
                Ok(socket) => {
                    let reason = self.run_connection(socket).await;
                    if std::mem::take(&mut self.welcomed) {
                        failures = 0;
                        self.coordinator.record_disconnected();
                    }
                    reason
                }
                Err(error) => {
                    failures += 1;
                    Disconnect::Lost(format!("connecting: {}", error.root_cause()))
                }
            };
            match reason {
                Disconnect::Left => break,
                Disconnect::Dropped => {}
                Disconnect::Next(next) => self.move_on(next),
                Disconnect::Lost(why) => {
                    self.server_index += 1;
                    self.coordinator.record_loss(why);
                    if failures > MAX_ATTEMPTS {
                        self.coordinator.record_problem("somebody gave up");
                        break;
                    }
                    let pause = BASE_WAIT * 2_u32.pow(failures.min(MAX_DOUBLINGS));
                    if self.wait(pause).await.is_break() {
                        break;
                    }
                }
            }
        }
        self.coordinator.keep_journal(self.journal);
    }

    async fn connect(&self, server: SocketAddr) -> Result<Socket> {
        let connected = connect(server, self.number, &self.game, &self.key);
        match self.coordinator.answer_timeout() {
            Some(timeout) => tokio::time::timeout(timeout, connected).await.context("no answer")?,
            None => connected.await,
        }
    }

    /// The deadline of the answer to the pending command or to `hello`.
    fn deadline(&self, since: Instant) -> Option<tokio::time::Instant> {
        let timeout = self.coordinator.answer_timeout()?;
        match &self.pending {
            _ if !self.welcomed => Some((since + timeout).into()),
            Some(pending) => Some((pending.sent.1 + timeout).into()),
            None => None,
        }
    }

    /// Waits; `Break` if the player was ordered to leave meanwhile.
    async fn wait(&mut self, time: Duration) -> std::ops::ControlFlow<()> {
        let jitter = time.mul_f64(0.5 + self.random.f64());
        let end = tokio::time::Instant::now() + jitter;
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(end) => return std::ops::ControlFlow::Continue(()),
                order = self.orders.recv() => match order {
                    Some(Order::Leave) | None => return std::ops::ControlFlow::Break(()),
                    // A disconnected player cannot move; the server sends the turn again.
                    Some(Order::Move(_)) => self.queued = false,
                    Some(Order::Reconnect) => {}
                }
            }
        }
    }

    /// Enters the next game of the series, with the other colour.
    fn move_on(&mut self, game: String) {
        add(&self.coordinator.tally.rematches);
        self.side = self.side.other();
        let journal = std::mem::replace(&mut self.journal, Journal::new(&game, self.side));
        self.coordinator.keep_journal(journal);
        self.game = game;
        self.progress = GameProgress::default();
        self.pending = None;
    }

    /// Runs one connection, from `hello` to its end.
    async fn run_connection(&mut self, mut socket: Socket) -> Disconnect {
        // The server sends the turn again.
        self.progress.turn = None;
        if let Err(error) = socket.send(hello(self.progress.last)).await {
            return Disconnect::Lost(format!("hello: {error}"));
        }
        let since = Instant::now();
        loop {
            let deadline = self.deadline(since);
            let late = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep_until(deadline).await,
                    None => std::future::pending().await,
                }
            };
            let answer = tokio::select! {
                () = late => Err("no answer".to_owned()),
                message = socket.next() => match message {
                    Some(Ok(message)) => self.handle(&message).await,
                    Some(Err(error)) => Err(format!("reading: {error}")),
                    None => Err("the server closed".to_owned()),
                },
                order = self.orders.recv() => match order {
                    Some(Order::Move(meant)) => {
                        self.queued = false;
                        Ok(self.chosen_move(meant))
                    }
                    Some(Order::Reconnect) => return Disconnect::Dropped,
                    Some(Order::Leave) | None => {
                        let _ = socket.close().await;
                        return Disconnect::Left;
                    }
                },
            };
            let answer = match answer {
                Ok(answer) => answer,
                Err(why) => return Disconnect::Lost(why),
            };
            for text in [answer, self.next_command()].into_iter().flatten() {
                if let Err(error) = socket.send(Message::text(text)).await {
                    return Disconnect::Lost(format!("sending: {error}"));
                }
            }
            if self.pending.is_none()
                && let Some(next) = self.progress.next.take()
            {
                return Disconnect::Next(next);
            }
        }
    }

    /// The next command without an order: offers or accepts the rematch. Also marks the player as
    /// ready to move.
    fn next_command(&mut self) -> Option<String> {
        let behind = self.progress.last < self.progress.kept;
        if self.pending.is_some() || self.progress.next.is_some() || behind {
            return None;
        }
        if self.progress.over {
            let what = Offer::Rematch;
            return match (self.side, self.progress.offered) {
                (Side::White, false) => Some(self.command(Wish::Offer { what }, None)),
                (Side::Black, true) => Some(self.command(Wish::Accept { what }, None)),
                (Side::White, true) | (Side::Black, false) => None,
            };
        }
        if self.progress.turn.is_some() && !self.queued {
            self.queued = true;
            self.coordinator.mark_ready(self.number);
        }
        None
    }

    /// The command of the chosen move; `None` if there is none or a command is pending.
    fn chosen_move(&mut self, meant: Instant) -> Option<String> {
        if self.pending.is_some() {
            return None;
        }
        let (_, wish) = self.progress.turn.take()?;
        Some(self.command(wish, Some(meant)))
    }

    fn command(&mut self, wish: Wish, meant: Option<Instant>) -> String {
        self.ids += 1;
        let id = self.ids;
        let is_move = matches!(wish, Wish::Move { .. });
        if self.coordinator.keeps_journals && is_move {
            self.journal.moves.push(id);
        }
        let text = text(&ClientMessage::Command { id: id.to_string(), command: wish });
        if is_move {
            self.coordinator.record_move_sent(self.number, meant);
        }
        let sent = (Instant::now(), Instant::now());
        self.pending = Some(Pending { id, text: text.clone(), meant, is_move, sent, again: false });
        text
    }

    /// Handles a message; returns an answer to send at once.
    async fn handle(&mut self, message: &Message) -> Result<Option<String>, String> {
        if let Some((code, reason)) = message.as_close() {
            return Err(format!("closed: {} {reason}", u16::from(code)));
        }
        let Some(text) = message.as_text() else { return Ok(None) };
        let received =
            Received::parse(text).context("no message").map_err(|error| error.to_string())?;
        match received {
            Received::Welcome(welcome) => {
                if welcome.seat.as_deref() != Some(self.side.code()) {
                    self.coordinator.record_problem(format!("seated at {:?}", welcome.seat));
                }
                self.welcomed = true;
                self.coordinator.record_connected();
                // Sends the same command with the same id, so that the server does it only once.
                if let Some(pending) = &mut self.pending {
                    pending.meant = None;
                    (pending.sent.1, pending.again) = (Instant::now(), true);
                    self.coordinator.record_move_sent(self.number, None);
                    add(&self.coordinator.tally.resent);
                    return Ok(Some(pending.text.clone()));
                }
            }
            Received::Snapshot(snapshot) => self.handle_snapshot(&snapshot),
            Received::Event(event) => return Ok(self.handle_event(&event.entry, event.raw_entry)),
            Received::Turn(turn) => self.handle_turn(&turn),
            Received::Ack(ack) => self.handle_ack(&ack.id, ack.seq),
            // After an outage or at overload all commands come at once; the server asks to wait,
            // and the player sends the command again.
            Received::Refused(refused) if is_temporary(&refused.refusal.code) => {
                self.coordinator.record_loss(format!("refused: {}", refused.refusal.code));
                if let Some(own) =
                    self.pending.as_mut().filter(|own| refused.id == own.id.to_string())
                {
                    own.again = true;
                    let again = own.text.clone();
                    tokio::time::sleep(REFUSAL_WAIT).await;
                    own.sent.1 = Instant::now();
                    return Ok(Some(again));
                }
            }
            Received::Refused(refused) => {
                self.coordinator.record_problem(format!("refused: {}", refused.refusal.code));
                if self.pending.as_ref().is_some_and(|own| refused.id == own.id.to_string()) {
                    self.pending = None;
                    tokio::time::sleep(REFUSAL_WAIT).await;
                    // Asks for the state of the game.
                    let seq = self.progress.last;
                    return Ok(Some(self::text(&ClientMessage::Sync { seq })));
                }
            }
            Received::Other => {}
        }
        Ok(None)
    }

    fn handle_snapshot(&mut self, snapshot: &Snapshot<'_>) {
        add(&self.coordinator.tally.snapshots);
        let progress = &mut self.progress;
        if snapshot.seq < progress.last {
            self.coordinator.record_problem("a snapshot from the past");
        }
        progress.last = snapshot.seq;
        progress.over = snapshot.phase == "ended";
        let white = |offer: &crate::received::OpenOffer<'_>| {
            offer.what == "rematch" && offer.by == Side::White.code()
        };
        progress.offered = snapshot.offers.iter().any(white);
        progress.next = snapshot.next.as_ref().map(|next| next.clone().into_owned());
        if self.coordinator.keeps_journals {
            let moves = hash_moves(snapshot.plies.iter().map(|ply| ply.uci.as_ref()));
            self.journal.snapshots.push((snapshot.seq, moves));
        }
    }

    fn handle_event(&mut self, entry: &EntryFields<'_>, raw_entry: &str) -> Option<String> {
        let progress = &mut self.progress;
        if self.coordinator.keeps_journals {
            self.journal.received.push((entry.seq, hash(raw_entry)));
        }
        if entry.seq > progress.last + 1 {
            self.coordinator.record_problem("a gap between events");
            return Some(text(&ClientMessage::Sync { seq: progress.last }));
        }
        if entry.seq <= progress.last {
            return None;
        }
        progress.last = entry.seq;
        match entry.kind.as_ref() {
            "moved" if self.pending.is_none() => self.coordinator.record_move_seen(self.number),
            "ended" => {
                progress.over = true;
                progress.turn = None;
                if self.side == Side::White {
                    add(&self.coordinator.tally.ended);
                }
            }
            "offered" if entry.what.as_deref() == Some("rematch") => {
                progress.offered |= entry.by.as_deref() == Some(Side::White.code());
            }
            "rematch_agreed" => {
                progress.next = entry.next.as_ref().map(|next| next.clone().into_owned());
            }
            _ => {}
        }
        None
    }

    fn handle_turn(&mut self, turn: &Turn<'_>) {
        let wish = if turn.seq >= self.coordinator.longest {
            Some(Wish::Resign)
        } else {
            turn.random_move(&mut self.random).map(|uci| Wish::Move { uci })
        };
        self.progress.turn = wish.map(|wish| (turn.seq, wish));
    }

    fn handle_ack(&mut self, id: &str, seq: u64) {
        let Some(pending) = self.pending.take_if(|own| id == own.id.to_string()) else {
            self.coordinator.record_problem("an acknowledgement of nothing");
            return;
        };
        add(&self.coordinator.tally.acknowledged);
        if pending.again {
            self.coordinator.record_stall(pending.sent.0.elapsed());
        }
        if pending.is_move {
            add(&self.coordinator.tally.moves);
            if let Some(meant) = pending.meant {
                self.coordinator.record_latency(meant.elapsed());
            }
        }
        if self.coordinator.keeps_journals {
            self.journal.acknowledged.push((pending.id, seq));
        }
        self.progress.kept = self.progress.kept.max(seq);
        // A turn that was sent before this command was done is over.
        self.progress.turn.take_if(|(after, _)| *after <= seq);
    }
}
