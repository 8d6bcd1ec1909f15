//! A websocket at a game or in the lobby: reads, answers, keeps time, and lets go of who is slow.

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
use crate::limits::{Bucket, Rate};
use crate::table::Inbox;

/// How long a client may take to say hello.
const GREETING: Duration = Duration::from_secs(10);
/// How often a client is asked whether it is there.
pub(crate) const PING: Duration = Duration::from_secs(4);
/// Who has said nothing for so long, not even to a ping, is gone.
const SILENCE: Duration = Duration::from_millis(8_500);
/// The same for somebody who has not answered once.
const FIRST_ANSWER: Duration = Duration::from_secs(6);
/// How long one message may take to be taken.
const PATIENCE: Duration = Duration::from_secs(5);
/// Round trips that are remembered; the shortest counts.
const TRIPS: usize = 4;
/// Messages over the rate that are answered "too fast"; one more closes the connection.
const WARNINGS: u32 = 20;
/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(1);
/// The same with somebody who is sent away: who floods goes on flooding until then.
const DISMISSAL: Duration = Duration::from_millis(200);

/// Why a connection ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The client has gone.
    Gone,
    /// It did not read, answer or greet.
    Slow,
    /// It sent too much.
    Flood,
    /// It sent what is no message.
    Malformed,
    /// It speaks another version.
    Version,
    /// The server stops.
    Restart,
    /// There is no such game any more.
    NoGame,
}

impl End {
    fn code(self) -> Option<(u16, &'static str)> {
        match self {
            End::Gone => None,
            End::Slow => Some((wire::CLOSE_SLOW, "slow")),
            End::Flood => Some((wire::CLOSE_FLOOD, "flood")),
            End::Malformed => Some((wire::CLOSE_MALFORMED, "malformed")),
            End::Version => Some((wire::CLOSE_VERSION, "version")),
            End::Restart => Some((wire::CLOSE_RESTART, "restart")),
            End::NoGame => Some((wire::CLOSE_GONE, "gone")),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.code().map_or("gone", |(_, name)| name)
    }
}

/// Something that a connection brought.
pub(crate) enum Brought<T> {
    /// A message.
    Said(T),
    /// A message over the rate: to be answered, not to be done.
    TooFast(T),
    /// A command that this server does not know, by its id: a newer client may send one.
    Unknown(String),
    /// Time for a sign of life; a ping waits to go along with it.
    Beat,
}

/// What is a command at least, whatever is to be done.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Unknown {
    Command {
        id: String,
        #[serde(rename = "command")]
        _command: Kind,
    },
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    _kind: String,
}

/// A websocket with its queue of messages to be sent.
pub(crate) struct Line {
    socket: WebSocket,
    inbox: Inbox,
    stop: CancellationToken,
    rate: Rate,
    bucket: Bucket,
    warnings: u32,
    heard: Instant,
    /// Whether the client was greeted, and whether it has said anything since.
    greeted: bool,
    attentive: bool,
    beats: tokio::time::Interval,
    pinged: Option<Instant>,
    trips: [Option<Duration>; TRIPS],
    trip: usize,
}

impl Line {
    pub(crate) fn new(
        socket: WebSocket,
        inbox: Inbox,
        stop: CancellationToken,
        rate: Rate,
    ) -> Line {
        let now = Instant::now();
        let mut beats = interval(PING);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Line {
            socket,
            inbox,
            stop,
            rate,
            bucket: Bucket::new(now),
            warnings: 0,
            heard: now,
            greeted: false,
            attentive: false,
            beats,
            pinged: None,
            trips: [None; TRIPS],
            trip: 0,
        }
    }

    /// What the way to the client and back takes, at its best of late.
    pub(crate) fn lag(&self) -> Millis {
        self.trips.iter().flatten().min().map_or(Millis::ZERO, |&trip| millis(trip))
    }

    /// The first message, within a time.
    pub(crate) async fn greeting<T: DeserializeOwned>(&mut self) -> Result<T, End> {
        let stop = self.stop.clone();
        let first = async {
            loop {
                match self.socket.recv().await {
                    Some(Ok(Message::Text(text))) => {
                        return serde_json::from_str(&text).map_err(|_| End::Malformed);
                    }
                    Some(Ok(Message::Binary(_)) | Err(_)) => return Err(End::Malformed),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(_))) | None => return Err(End::Gone),
                }
            }
        };
        tokio::select! {
            first = timeout(GREETING, first) => first.unwrap_or(Err(End::Slow)),
            () = stop.cancelled() => Err(End::Restart),
        }
    }

    /// Waits for the next thing to be done, and sends meanwhile what is to be sent.
    pub(crate) async fn next<T: DeserializeOwned>(&mut self) -> Result<Brought<T>, End> {
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return Err(End::Restart),
                // Who was greeted and has not answered the first ping yet is told nothing more: a
                // thousand who never read cost their greeting, and not every move they watch.
                message = self.inbox.recv(), if self.attentive || !self.greeted => match message {
                    Some(message) => {
                        self.greeted = true;
                        self.send_all(message).await?;
                    }
                    // The table has let go of us: we were too slow.
                    None => return Err(End::Slow),
                },
                // Before the socket: whoever floods it would use up the task's share of time for ever.
                _ = self.beats.tick() => {
                    let now = Instant::now();
                    let answered = self.trip > 0;
                    let gone = self.heard + if answered { SILENCE } else { FIRST_ANSWER };
                    if now >= gone {
                        return Err(End::Slow);
                    }
                    // Who is silent is looked at when it is time, not with the next beat.
                    if gone < now + PING {
                        self.beats.reset_at(gone.into());
                    }
                    self.pinged = Some(now);
                    self.feed(Message::Ping(bytes::Bytes::new())).await?;
                    return Ok(Brought::Beat);
                }
                frame = self.socket.recv() => {
                    let now = Instant::now();
                    match frame {
                        Some(Ok(frame)) => {
                            (self.heard, self.attentive) = (now, true);
                            if let Some(brought) = self.take(frame, now)? {
                                return Ok(brought);
                            }
                        }
                        // Too large, not UTF-8, against the protocol: the library has seen to it.
                        Some(Err(_)) => return Err(End::Malformed),
                        None => return Err(End::Gone),
                    }
                }
            }
        }
    }

    fn take<T: DeserializeOwned>(
        &mut self,
        frame: Message,
        now: Instant,
    ) -> Result<Option<Brought<T>>, End> {
        let in_time = self.bucket.take(self.rate, now).is_ok();
        if !in_time {
            self.warnings += 1;
            if self.warnings > WARNINGS {
                return Err(End::Flood);
            }
        }
        match frame {
            Message::Text(text) => {
                let Ok(said) = serde_json::from_str(&text) else {
                    let Ok(Unknown::Command { id, .. }) = serde_json::from_str(&text) else {
                        return Err(End::Malformed);
                    };
                    return Ok(Some(Brought::Unknown(id)));
                };
                Ok(Some(if in_time { Brought::Said(said) } else { Brought::TooFast(said) }))
            }
            Message::Pong(_) => {
                if let Some(pinged) = self.pinged.take() {
                    self.trips[self.trip % TRIPS] = Some(now.duration_since(pinged));
                    self.trip += 1;
                }
                Ok(None)
            }
            Message::Ping(_) => Ok(None),
            Message::Binary(_) => Err(End::Malformed),
            Message::Close(_) => Err(End::Gone),
        }
    }

    /// A message and all that wait behind it, in one go.
    async fn send_all(&mut self, first: Text) -> Result<(), End> {
        let (socket, inbox) = (&mut self.socket, &mut self.inbox);
        let sent = timeout(PATIENCE, async {
            socket.feed(text_frame(&first)).await?;
            while let Ok(more) = inbox.try_recv() {
                socket.feed(text_frame(&more)).await?;
            }
            socket.flush().await
        });
        taken(&sent.await)
    }

    /// Leaves with the next message: a ping and a beat are one packet.
    async fn feed(&mut self, message: Message) -> Result<(), End> {
        taken(&timeout(PATIENCE, self.socket.feed(message)).await)
    }

    pub(crate) async fn send(&mut self, message: &Text) -> Result<(), End> {
        taken(&timeout(PATIENCE, self.socket.send(text_frame(message))).await)
    }

    /// Says goodbye with `bye`, if the client is there to hear it.
    pub(crate) async fn close(mut self, end: End, bye: &Text) {
        let Some((code, reason)) = end.code() else { return };
        metrics::counter!("hansu_sockets_closed_total", "reason" => reason).increment(1);
        let frame = CloseFrame { code, reason: reason.into() };
        let polite = matches!(end, End::Restart | End::NoGame | End::Version);
        let _ = timeout(if polite { GOODBYE } else { DISMISSAL }, async {
            if end != End::Slow {
                self.socket.send(text_frame(bye)).await?;
            }
            self.socket.send(Message::Close(Some(frame))).await?;
            // The client answers; only then is nothing lost on the way.
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

/// Whether a message was taken in time.
fn taken(sent: &Result<Result<(), axum::Error>, Elapsed>) -> Result<(), End> {
    match sent {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(End::Gone),
        Err(_) => Err(End::Slow),
    }
}
