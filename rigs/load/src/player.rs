//! A player: one seat, one socket, moves by order, rematches, and comes back when the line breaks.

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

use crate::floor::{Floor, Order, add};
use crate::heard::{Entry, Heard, Snapshot, Turn};
use crate::web;

/// How long to wait before the next try to connect; twice as long after each.
const PAUSE: Duration = Duration::from_millis(25);
/// So often the wait grows: 25 ms, 50, 100, 200, 400, and 800 from then on.
const GROWTH: u32 = 5;
/// How long to wait after a refusal.
const REFUSED: Duration = Duration::from_millis(50);
/// After so many tries a player gives up.
const TRIES: u32 = 400;

/// A side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl Side {
    /// The side as the wire writes it.
    pub const fn code(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    /// The other side: a rematch changes colours.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// How the log calls a command of this side.
    pub fn client(self, id: u64) -> String {
        match self {
            Side::White => format!("w:{id}"),
            Side::Black => format!("b:{id}"),
        }
    }
}

/// What one player has seen of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Journal {
    /// The game.
    pub game: String,
    /// The side.
    pub side: Side,
    /// Moves that were sent, by their ids.
    pub moves: Vec<u64>,
    /// Commands that were acknowledged, with their events.
    pub acknowledged: Vec<(u64, u64)>,
    /// Events that were heard, with the hashes of their bytes.
    pub heard: Vec<(u64, u64)>,
    /// Snapshots that were heard, with the hashes of their moves.
    pub snapshots: Vec<(u64, u64)>,
}

impl Journal {
    /// Nothing seen yet.
    pub fn new(game: &str, side: Side) -> Journal {
        Journal {
            game: game.to_owned(),
            side,
            moves: Vec::new(),
            acknowledged: Vec::new(),
            heard: Vec::new(),
            snapshots: Vec::new(),
        }
    }
}

/// A hash of bytes.
pub fn hash(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

/// A hash of moves.
pub fn hash_moves<S: AsRef<str>>(moves: impl IntoIterator<Item = S>) -> u64 {
    let mut text = String::new();
    for step in moves {
        // Writing to a text does not fail.
        let _ = write!(text, "{} ", step.as_ref());
    }
    hash(&text)
}

/// A command under way.
struct Pending {
    id: u64,
    text: String,
    /// When it was meant to be sent; nothing for what is not measured.
    meant: Option<Instant>,
    is_move: bool,
    /// When it was first sent, and when last.
    sent: (Instant, Instant),
    /// Whether it had to be sent again.
    again: bool,
}

/// Where the player stands in a game.
#[derive(Default)]
struct Standing {
    last: u64,
    /// The last event of one's own that is known to be kept: what was sent again may be acknowledged
    /// before its event is told.
    kept: u64,
    /// After which event it is this player's turn, and the move that was chosen.
    turn: Option<(u64, Wish)>,
    over: bool,
    offered: bool,
    next: Option<String>,
}

/// How a connection ended.
enum Parting {
    /// Another game follows.
    Next(String),
    /// The player was told to drop it.
    Dropped,
    /// It broke.
    Lost(String),
    /// The player goes home.
    Home,
}

/// One seat.
pub struct Player {
    number: u32,
    /// Which server: neighbours, who play each other, begin at different ones.
    place: usize,
    floor: Arc<Floor>,
    orders: UnboundedReceiver<Order>,
    key: String,
    game: String,
    side: Side,
    standing: Standing,
    pending: Option<Pending>,
    /// Whether the server has said welcome on this connection.
    here: bool,
    /// Whether the player is among those who could move.
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
/// When the server does not accept.
pub async fn connect(server: SocketAddr, number: u32, game: &str, key: &str) -> Result<Socket> {
    let stream = web::connect(server, number as usize).await?;
    let uri = format!("ws://{server}/api/games/{game}/socket").parse()?;
    let (socket, _) = ClientBuilder::from_uri(uri)
        .add_header(AUTHORIZATION, HeaderValue::from_str(&format!("Bearer {key}"))?)?
        .connect_on(stream)
        .await?;
    Ok(socket)
}

/// Connects with a seat and greets, for somebody who plays by hand.
///
/// # Errors
///
/// When the server does not accept.
pub async fn watch(server: SocketAddr, game: &str, key: &str) -> Result<Socket> {
    let mut socket = connect(server, 0, game, key).await?;
    socket.send(hello(0)).await?;
    Ok(socket)
}

/// Plays a move and waits until it is acknowledged; its event.
///
/// # Errors
///
/// When it is refused.
pub async fn ask(socket: &mut Socket, id: &str, uci: &str) -> Result<u64> {
    let command = Wish::Move { uci: uci.to_owned() };
    socket.send(said(&ClientMessage::Command { id: id.to_owned(), command })).await?;
    while let Some(message) = socket.next().await {
        let message = message?;
        let Some(text) = message.as_text() else { continue };
        match Heard::read(text)? {
            Heard::Ack(ack) if ack.id == id => return Ok(ack.seq),
            Heard::Refused(no) if no.id == id => bail!("{uci}: {}", no.refusal.code),
            _ => {}
        }
    }
    bail!("{uci}: closed")
}

/// The first message of a connection.
pub fn hello(seq: u64) -> Message {
    said(&ClientMessage::Hello { v: VERSION, seq, lang: Language::En })
}

/// Whether a refusal says nothing for good.
fn is_for_now(code: &str) -> bool {
    matches!(code, "too_fast" | "busy" | "unavailable" | "unsure")
}

fn text(message: &ClientMessage) -> String {
    // Nothing in the protocol has keys that are no texts, so this does not fail.
    serde_json::to_string(message).unwrap_or_default()
}

/// A message of a client.
pub fn said(message: &ClientMessage) -> Message {
    Message::text(text(message))
}

impl Player {
    /// Somebody with a seat.
    pub fn new(
        number: u32,
        floor: Arc<Floor>,
        orders: UnboundedReceiver<Order>,
        game: &str,
        key: &str,
        side: Side,
    ) -> Player {
        Player {
            number,
            place: (number / 2 + number % 2) as usize,
            floor,
            orders,
            key: key.to_owned(),
            game: game.to_owned(),
            side,
            standing: Standing::default(),
            pending: None,
            here: false,
            queued: false,
            ids: 0,
            random: fastrand::Rng::with_seed(u64::from(number) + 1),
            journal: Journal::new(game, side),
        }
    }

    /// Plays until told to go home.
    pub async fn play(mut self) {
        let mut failures = 0;
        loop {
            let server = self.floor.server(self.place);
            let parting = match self.arrive(server).await {
                Ok(socket) => {
                    let parting = self.sit(socket).await;
                    if std::mem::take(&mut self.here) {
                        failures = 0;
                        self.floor.parted();
                    }
                    parting
                }
                Err(error) => {
                    failures += 1;
                    Parting::Lost(format!("connecting: {}", error.root_cause()))
                }
            };
            match parting {
                Parting::Home => break,
                Parting::Dropped => {}
                Parting::Next(next) => self.move_on(next),
                Parting::Lost(why) => {
                    self.place += 1;
                    self.floor.lost(why);
                    if failures > TRIES {
                        self.floor.trouble("somebody gave up");
                        break;
                    }
                    let pause = PAUSE * 2_u32.pow(failures.min(GROWTH));
                    if self.wait(pause).await.is_break() {
                        break;
                    }
                }
            }
        }
        self.floor.keep(self.journal);
    }

    async fn arrive(&self, server: SocketAddr) -> Result<Socket> {
        let connected = connect(server, self.number, &self.game, &self.key);
        match self.floor.patience() {
            Some(patience) => {
                tokio::time::timeout(patience, connected).await.context("no answer")?
            }
            None => connected.await,
        }
    }

    /// Until when an answer is waited for: to the command under way, or to hello.
    fn deadline(&self, since: Instant) -> Option<tokio::time::Instant> {
        let patience = self.floor.patience()?;
        match &self.pending {
            _ if !self.here => Some((since + patience).into()),
            Some(pending) => Some((pending.sent.1 + patience).into()),
            None => None,
        }
    }

    /// Waits, and hears whether to go home.
    async fn wait(&mut self, time: Duration) -> std::ops::ControlFlow<()> {
        let jitter = time.mul_f64(0.5 + self.random.f64());
        let end = tokio::time::Instant::now() + jitter;
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(end) => return std::ops::ControlFlow::Continue(()),
                order = self.orders.recv() => match order {
                    Some(Order::Leave) | None => return std::ops::ControlFlow::Break(()),
                    // Whoever is not there cannot move; the turn is told anew.
                    Some(Order::Move(_)) => self.queued = false,
                    Some(Order::Reconnect) => {}
                }
            }
        }
    }

    /// To the next game of the series, with the other colour.
    fn move_on(&mut self, game: String) {
        add(&self.floor.tally.rematches);
        self.side = self.side.other();
        let journal = std::mem::replace(&mut self.journal, Journal::new(&game, self.side));
        self.floor.keep(journal);
        self.game = game;
        self.standing = Standing::default();
        self.pending = None;
    }

    /// One connection, from hello to its end.
    async fn sit(&mut self, mut socket: Socket) -> Parting {
        // What the turn was is told again.
        self.standing.turn = None;
        if let Err(error) = socket.send(hello(self.standing.last)).await {
            return Parting::Lost(format!("hello: {error}"));
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
                    Some(Ok(message)) => self.hear(&message).await,
                    Some(Err(error)) => Err(format!("reading: {error}")),
                    None => Err("the server closed".to_owned()),
                },
                order = self.orders.recv() => match order {
                    Some(Order::Move(meant)) => {
                        self.queued = false;
                        Ok(self.obey(meant))
                    }
                    Some(Order::Reconnect) => return Parting::Dropped,
                    Some(Order::Leave) | None => {
                        let _ = socket.close().await;
                        return Parting::Home;
                    }
                },
            };
            let answer = match answer {
                Ok(answer) => answer,
                Err(why) => return Parting::Lost(why),
            };
            for text in [answer, self.act()].into_iter().flatten() {
                if let Err(error) = socket.send(Message::text(text)).await {
                    return Parting::Lost(format!("sending: {error}"));
                }
            }
            if self.pending.is_none()
                && let Some(next) = self.standing.next.take()
            {
                return Parting::Next(next);
            }
        }
    }

    /// What is to be done without an order: the rematch. Says who is ready to move.
    fn act(&mut self) -> Option<String> {
        let behind = self.standing.last < self.standing.kept;
        if self.pending.is_some() || self.standing.next.is_some() || behind {
            return None;
        }
        if self.standing.over {
            let what = Offer::Rematch;
            return match (self.side, self.standing.offered) {
                (Side::White, false) => Some(self.command(Wish::Offer { what }, None)),
                (Side::Black, true) => Some(self.command(Wish::Accept { what }, None)),
                (Side::White, true) | (Side::Black, false) => None,
            };
        }
        if self.standing.turn.is_some() && !self.queued {
            self.queued = true;
            self.floor.is_ready(self.number);
        }
        None
    }

    /// Makes the move that was chosen.
    fn obey(&mut self, meant: Instant) -> Option<String> {
        if self.pending.is_some() {
            return None;
        }
        let (_, wish) = self.standing.turn.take()?;
        Some(self.command(wish, Some(meant)))
    }

    fn command(&mut self, wish: Wish, meant: Option<Instant>) -> String {
        self.ids += 1;
        let id = self.ids;
        let is_move = matches!(wish, Wish::Move { .. });
        if self.floor.keeps_journals && is_move {
            self.journal.moves.push(id);
        }
        let text = text(&ClientMessage::Command { id: id.to_string(), command: wish });
        if is_move {
            self.floor.makes(self.number, meant);
        }
        let sent = (Instant::now(), Instant::now());
        self.pending = Some(Pending { id, text: text.clone(), meant, is_move, sent, again: false });
        text
    }

    /// Takes a message in; what has to be answered at once.
    async fn hear(&mut self, message: &Message) -> Result<Option<String>, String> {
        if let Some((code, reason)) = message.as_close() {
            return Err(format!("closed: {} {reason}", u16::from(code)));
        }
        let Some(text) = message.as_text() else { return Ok(None) };
        let heard = Heard::read(text).context("no message").map_err(|error| error.to_string())?;
        match heard {
            Heard::Welcome(welcome) => {
                if welcome.seat.as_deref() != Some(self.side.code()) {
                    self.floor.trouble(format!("seated at {:?}", welcome.seat));
                }
                self.here = true;
                self.floor.arrived();
                // The same command under the same id: it is done once.
                if let Some(pending) = &mut self.pending {
                    pending.meant = None;
                    (pending.sent.1, pending.again) = (Instant::now(), true);
                    self.floor.makes(self.number, None);
                    add(&self.floor.tally.resent);
                    return Ok(Some(pending.text.clone()));
                }
            }
            Heard::Snapshot(snapshot) => self.snapshot(&snapshot),
            Heard::Event(event) => return Ok(self.event(&event.entry, event.written)),
            Heard::Turn(turn) => self.turn(&turn),
            Heard::Ack(ack) => self.acknowledged(&ack.id, ack.seq),
            // After an outage, or beyond what the server can do, everything comes at once; whoever
            // is told to wait asks again.
            Heard::Refused(refused) if is_for_now(&refused.refusal.code) => {
                self.floor.lost(format!("refused: {}", refused.refusal.code));
                if let Some(own) =
                    self.pending.as_mut().filter(|own| refused.id == own.id.to_string())
                {
                    own.again = true;
                    let again = own.text.clone();
                    tokio::time::sleep(REFUSED).await;
                    own.sent.1 = Instant::now();
                    return Ok(Some(again));
                }
            }
            Heard::Refused(refused) => {
                self.floor.trouble(format!("refused: {}", refused.refusal.code));
                if self.pending.as_ref().is_some_and(|own| refused.id == own.id.to_string()) {
                    self.pending = None;
                    tokio::time::sleep(REFUSED).await;
                    // Where do we stand?
                    let seq = self.standing.last;
                    return Ok(Some(self::text(&ClientMessage::Sync { seq })));
                }
            }
            Heard::Other => {}
        }
        Ok(None)
    }

    fn snapshot(&mut self, snapshot: &Snapshot<'_>) {
        add(&self.floor.tally.snapshots);
        let standing = &mut self.standing;
        if snapshot.seq < standing.last {
            self.floor.trouble("a snapshot from the past");
        }
        standing.last = snapshot.seq;
        standing.over = snapshot.phase == "ended";
        let white = |offer: &crate::heard::Offered<'_>| {
            offer.what == "rematch" && offer.by == Side::White.code()
        };
        standing.offered = snapshot.offers.iter().any(white);
        standing.next = snapshot.next.as_ref().map(|next| next.clone().into_owned());
        if self.floor.keeps_journals {
            let moves = hash_moves(snapshot.plies.iter().map(|ply| ply.uci.as_ref()));
            self.journal.snapshots.push((snapshot.seq, moves));
        }
    }

    fn event(&mut self, entry: &Entry<'_>, written: &str) -> Option<String> {
        let standing = &mut self.standing;
        if self.floor.keeps_journals {
            self.journal.heard.push((entry.seq, hash(written)));
        }
        if entry.seq > standing.last + 1 {
            self.floor.trouble("a gap between events");
            return Some(text(&ClientMessage::Sync { seq: standing.last }));
        }
        if entry.seq <= standing.last {
            return None;
        }
        standing.last = entry.seq;
        match entry.kind.as_ref() {
            "moved" if self.pending.is_none() => self.floor.sees(self.number),
            "ended" => {
                standing.over = true;
                standing.turn = None;
                if self.side == Side::White {
                    add(&self.floor.tally.ended);
                }
            }
            "offered" if entry.what.as_deref() == Some("rematch") => {
                standing.offered |= entry.by.as_deref() == Some(Side::White.code());
            }
            "rematch_agreed" => {
                standing.next = entry.next.as_ref().map(|next| next.clone().into_owned());
            }
            _ => {}
        }
        None
    }

    fn turn(&mut self, turn: &Turn<'_>) {
        let wish = if turn.seq >= self.floor.longest {
            Some(Wish::Resign)
        } else {
            turn.any(&mut self.random).map(|uci| Wish::Move { uci })
        };
        self.standing.turn = wish.map(|wish| (turn.seq, wish));
    }

    fn acknowledged(&mut self, id: &str, seq: u64) {
        let Some(pending) = self.pending.take_if(|own| id == own.id.to_string()) else {
            self.floor.trouble("an acknowledgement of nothing");
            return;
        };
        add(&self.floor.tally.acknowledged);
        if pending.again {
            self.floor.stalled(pending.sent.0.elapsed());
        }
        if pending.is_move {
            add(&self.floor.tally.moves);
            if let Some(meant) = pending.meant {
                self.floor.measured(meant.elapsed());
            }
        }
        if self.floor.keeps_journals {
            self.journal.acknowledged.push((pending.id, seq));
        }
        self.standing.kept = self.standing.kept.max(seq);
        // A turn that was told before this command was done is over.
        self.standing.turn.take_if(|(told, _)| *told <= seq);
    }
}
