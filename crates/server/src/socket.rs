//! One websocket, of a game or of the lobby: reads and sends messages, measures the round trip, and
//! closes a connection that is too slow or sends too much.

use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::SinkExt as _;
use hansu_live::Text;
use hansu_play::Millis;
use hansu_protocol as wire;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::error::Elapsed;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::clock::millis;
use crate::hosted_game::Inbox;
use crate::limits::{Bucket, Rate};

/// How long a client may take to send its greeting.
const GREETING_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two pings.
pub(crate) const PING_INTERVAL: Duration = Duration::from_secs(4);
/// A client is gone after this long without a frame, pongs included.
const SILENCE_TIMEOUT: Duration = Duration::from_millis(8_500);
/// The same for a client that has not answered any ping yet.
const FIRST_ANSWER_TIMEOUT: Duration = Duration::from_secs(6);
/// How long sending may take.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);
/// Number of round trips that are kept; the shortest one counts as the lag.
const ROUND_TRIPS: usize = 4;
/// At most this many messages over the rate are answered "too fast"; the next closes the
/// connection.
const MOST_WARNINGS: u32 = 20;
/// How long the closing handshake may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// The same for a client that broke a limit: it may go on flooding until the end of this timeout.
const DISMISSAL_TIMEOUT: Duration = Duration::from_millis(200);

/// Why a connection ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CloseReason {
    /// The client has closed it, or the network has.
    Gone,
    /// The client did not read, answer or greet in time.
    Slow,
    /// The client sent too many messages.
    Flood,
    /// The client sent something that is not a message.
    Malformed,
    /// The client uses another version of the protocol.
    Version,
    /// The server stops.
    Restart,
    /// The invitation to the game was withdrawn.
    NoGame,
}

impl CloseReason {
    fn code(self) -> Option<(u16, &'static str)> {
        match self {
            CloseReason::Gone => None,
            CloseReason::Slow => Some((wire::CLOSE_SLOW, "slow")),
            CloseReason::Flood => Some((wire::CLOSE_FLOOD, "flood")),
            CloseReason::Malformed => Some((wire::CLOSE_MALFORMED, "malformed")),
            CloseReason::Version => Some((wire::CLOSE_VERSION, "version")),
            CloseReason::Restart => Some((wire::CLOSE_RESTART, "restart")),
            CloseReason::NoGame => Some((wire::CLOSE_GONE, "gone")),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.code().map_or("gone", |(_, name)| name)
    }
}

/// What a connection has received, or is to do next.
pub(crate) enum Incoming<T> {
    /// A message.
    Message(T),
    /// A message over the rate: it is refused, not carried out.
    TooFast(T),
    /// The id of a command of an unknown type: a newer client may send one.
    UnknownCommand(String),
    /// A heartbeat is due. A ping is already buffered and leaves with the next message.
    Heartbeat,
}

/// A command of any type: has an id and a `type`.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum AnyCommand {
    Command {
        id: String,
        #[serde(rename = "command")]
        _command: AnyKind,
    },
}

#[derive(Deserialize)]
struct AnyKind {
    #[serde(rename = "type")]
    _kind: String,
}

/// A websocket with the queue of messages to be sent over it.
pub(crate) struct Connection {
    socket: WebSocket,
    inbox: Inbox,
    stop: CancellationToken,
    rate: Rate,
    bucket: Bucket,
    warnings: u32,
    last_frame: Instant,
    /// True once a queued message was sent.
    greeted: bool,
    /// True once a frame has arrived after the greeting.
    has_answered: bool,
    heartbeats: tokio::time::Interval,
    ping_sent: Option<Instant>,
    round_trips: [Option<Duration>; ROUND_TRIPS],
    pongs: usize,
}

impl Connection {
    pub(crate) fn new(
        socket: WebSocket,
        inbox: Inbox,
        stop: CancellationToken,
        rate: Rate,
    ) -> Connection {
        let now = Instant::now();
        let mut heartbeats = interval(PING_INTERVAL);
        heartbeats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Connection {
            socket,
            inbox,
            stop,
            rate,
            bucket: Bucket::new(now),
            warnings: 0,
            last_frame: now,
            greeted: false,
            has_answered: false,
            heartbeats,
            ping_sent: None,
            round_trips: [None; ROUND_TRIPS],
            pongs: 0,
        }
    }

    /// The shortest of the last `ROUND_TRIPS` round trips; zero before the first pong.
    pub(crate) fn lag(&self) -> Millis {
        self.round_trips.iter().flatten().min().map_or(Millis::ZERO, |&trip| millis(trip))
    }

    /// Waits for the client's first message, at most `GREETING_TIMEOUT`.
    pub(crate) async fn receive_greeting<T: DeserializeOwned>(&mut self) -> Result<T, CloseReason> {
        let stop = self.stop.clone();
        let first = async {
            loop {
                match self.socket.recv().await {
                    Some(Ok(Message::Text(text))) => {
                        return serde_json::from_str(&text).map_err(|_| CloseReason::Malformed);
                    }
                    Some(Ok(Message::Binary(_)) | Err(_)) => return Err(CloseReason::Malformed),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(_))) | None => return Err(CloseReason::Gone),
                }
            }
        };
        tokio::select! {
            first = timeout(GREETING_TIMEOUT, first) => first.unwrap_or(Err(CloseReason::Slow)),
            () = stop.cancelled() => Err(CloseReason::Restart),
        }
    }

    /// Waits for the next message or heartbeat, and meanwhile sends what is queued.
    pub(crate) async fn next<T: DeserializeOwned>(&mut self) -> Result<Incoming<T>, CloseReason> {
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return Err(CloseReason::Restart),
                // After the first messages nothing more is sent before the client has answered a
                // ping: a thousand clients that never read cost one snapshot each, not every move.
                message = self.inbox.recv(), if self.has_answered || !self.greeted => match message {
                    Some(message) => {
                        self.greeted = true;
                        self.send_all(message).await?;
                    }
                    // The live game has dropped this connection because its queue was full.
                    None => return Err(CloseReason::Slow),
                },
                // Before the socket, which a flooding client keeps ready for ever.
                due = self.heartbeats.tick() => {
                    let now = Instant::now();
                    // While the server stood still, nobody was silent: what was sent meanwhile has
                    // not been read, and nobody was pinged.
                    let late = now.saturating_duration_since(due.into_std());
                    self.last_frame = now.min(self.last_frame + late);
                    let answered = self.pongs > 0;
                    let gone = self.last_frame + if answered { SILENCE_TIMEOUT } else { FIRST_ANSWER_TIMEOUT };
                    if now >= gone {
                        return Err(CloseReason::Slow);
                    }
                    // A deadline before the next heartbeat brings the heartbeat forward.
                    if gone < now + PING_INTERVAL {
                        self.heartbeats.reset_at(gone.into());
                    }
                    self.ping_sent = Some(now);
                    self.feed(Message::Ping(bytes::Bytes::new())).await?;
                    return Ok(Incoming::Heartbeat);
                }
                frame = self.socket.recv() => {
                    let now = Instant::now();
                    match frame {
                        Some(Ok(frame)) => {
                            (self.last_frame, self.has_answered) = (now, true);
                            if let Some(incoming) = self.read_frame(frame, now)? {
                                return Ok(incoming);
                            }
                        }
                        // Too large, not UTF-8 or against the protocol: the library checks that.
                        Some(Err(_)) => return Err(CloseReason::Malformed),
                        None => return Err(CloseReason::Gone),
                    }
                }
            }
        }
    }

    fn read_frame<T: DeserializeOwned>(
        &mut self,
        frame: Message,
        now: Instant,
    ) -> Result<Option<Incoming<T>>, CloseReason> {
        let in_time = self.bucket.take(self.rate, now).is_ok();
        if !in_time {
            self.warnings += 1;
            if self.warnings > MOST_WARNINGS {
                return Err(CloseReason::Flood);
            }
        }
        match frame {
            Message::Text(text) => {
                let Ok(message) = serde_json::from_str(&text) else {
                    let Ok(AnyCommand::Command { id, .. }) = serde_json::from_str(&text) else {
                        return Err(CloseReason::Malformed);
                    };
                    return Ok(Some(Incoming::UnknownCommand(id)));
                };
                Ok(Some(if in_time {
                    Incoming::Message(message)
                } else {
                    Incoming::TooFast(message)
                }))
            }
            Message::Pong(_) => {
                if let Some(sent) = self.ping_sent.take() {
                    self.round_trips[self.pongs % ROUND_TRIPS] = Some(now.duration_since(sent));
                    self.pongs += 1;
                }
                Ok(None)
            }
            Message::Ping(_) => Ok(None),
            Message::Binary(_) => Err(CloseReason::Malformed),
            Message::Close(_) => Err(CloseReason::Gone),
        }
    }

    /// Sends a message and all that are queued behind it, with one flush.
    async fn send_all(&mut self, first: Text) -> Result<(), CloseReason> {
        let (socket, inbox) = (&mut self.socket, &mut self.inbox);
        let sent = timeout(SEND_TIMEOUT, async {
            socket.feed(text_frame(&first)).await?;
            while let Ok(more) = inbox.try_recv() {
                socket.feed(text_frame(&more)).await?;
            }
            socket.flush().await
        });
        check_sent(&sent.await)
    }

    /// Buffers a frame without a flush, so that a ping and the heartbeat after it are one packet.
    async fn feed(&mut self, message: Message) -> Result<(), CloseReason> {
        check_sent(&timeout(SEND_TIMEOUT, self.socket.feed(message)).await)
    }

    pub(crate) async fn send(&mut self, message: &Text) -> Result<(), CloseReason> {
        check_sent(&timeout(SEND_TIMEOUT, self.socket.send(text_frame(message))).await)
    }

    /// Sends `bye` and a close frame, and waits for the client's close frame.
    pub(crate) async fn close(mut self, end: CloseReason, bye: &Text) {
        let Some((code, reason)) = end.code() else { return };
        metrics::counter!("hansu_sockets_closed_total", "reason" => reason).increment(1);
        let frame = CloseFrame { code, reason: reason.into() };
        let polite =
            matches!(end, CloseReason::Restart | CloseReason::NoGame | CloseReason::Version);
        let _ = timeout(if polite { CLOSE_TIMEOUT } else { DISMISSAL_TIMEOUT }, async {
            if end != CloseReason::Slow {
                self.socket.send(text_frame(bye)).await?;
            }
            self.socket.send(Message::Close(Some(frame))).await?;
            // What was sent is sure to have arrived only when the client has answered.
            while let Some(Ok(_)) = self.socket.recv().await {}
            Ok::<_, axum::Error>(())
        })
        .await;
    }
}

/// A message as a frame.
fn text_frame(text: &Text) -> Message {
    Message::Text((&**text).into())
}

/// Why the connection ends when sending has failed or taken too long.
fn check_sent(sent: &Result<Result<(), axum::Error>, Elapsed>) -> Result<(), CloseReason> {
    match sent {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(CloseReason::Gone),
        Err(_) => Err(CloseReason::Slow),
    }
}
