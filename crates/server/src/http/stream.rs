//! A game as a stream of lines of JSON, for scripts and bots: the messages of the websocket, one
//! per line.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream::{Stream, unfold};
use hansu_live::{Hello, Text, text};
use hansu_play::Actor;
use hansu_protocol::ServerMessage;
use hansu_words::ServerRefusal;
use serde::Deserialize;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::App;
use super::games::game;
use super::params::{PathParams, QueryParams, read};
use super::player::Player;
use super::problem::Problem;
use super::sockets::{ConnectionCount, SocketPermit};
use crate::hosted_game::{HostedGame, Inbox, outbox, queue};
use crate::socket::PING_INTERVAL;

/// The media type of a stream.
pub(crate) const KIND: &str = "application/x-ndjson";

/// The query: the last event that the client has.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Since {
    seq: Option<String>,
    #[serde(rename = "lang")]
    _lang: Option<String>,
}

/// Streams a game until the client disconnects or the server stops.
pub(crate) async fn stream(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
    QueryParams(since): QueryParams<Since>,
) -> Result<Response, Problem> {
    let lang = player.lang;
    let id = game(&id, lang)?;
    let seq = read("seq", since.seq, |text| text.parse::<u64>().ok(), lang)?.unwrap_or(0);
    let permit = SocketPermit::acquire(&app, &player)?;
    let hosted = app.hub.hosted_game(id).await.map_err(|why| Problem::hosting(why, lang))?;
    let (sender, inbox) = queue();
    if !app.hub.reach(&hosted, seq).await {
        return Err(Problem::of(ServerRefusal::Unavailable, lang));
    }
    // A player with a stream is present in the game, as with a websocket.
    let actor = hosted.actor(player.holder());
    let connection = app.hub.fresh_id();
    let hello = Hello { id: connection, actor, seq, outbox: outbox(sender) };
    app.hub.at(&hosted, |game, now| game.join(hello, now));
    let mut beats = interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let _count = ConnectionCount::new(&app);
    let stream = GameStream { app, hosted, connection, actor, inbox, beats, _count, permit };
    Ok(ndjson(unfold(Some(stream), GameStream::next)))
}

/// A line of a stream, with its newline.
pub(crate) type StreamLine = Result<Bytes, Infallible>;

/// An answer that is sent line by line.
pub(crate) fn ndjson(lines: impl Stream<Item = StreamLine> + Send + 'static) -> Response {
    // A proxy that buffers lines would delay them.
    let headers = [(header::CONTENT_TYPE.as_str(), KIND), ("x-accel-buffering", "no")];
    (headers, Body::from_stream(lines)).into_response()
}

/// The stream of one client of one game.
struct GameStream {
    app: App,
    hosted: Arc<HostedGame>,
    connection: u64,
    actor: Actor,
    inbox: Inbox,
    beats: Interval,
    _count: ConnectionCount,
    permit: SocketPermit,
}

impl GameStream {
    /// The next line; the last one is `Bye`.
    async fn next(stream: Option<GameStream>) -> Option<(StreamLine, Option<GameStream>)> {
        let mut stream = stream?;
        let goodbye = tokio::select! {
            biased;
            () = stream.permit.stop.cancelled() => "restart",
            message = stream.inbox.recv() => match message {
                Some(message) => return Some((to_line(&message), Some(stream))),
                None if stream.hosted.is_gone() => "gone",
                None => "slow",
            },
            _ = stream.beats.tick() => {
                let beat = ServerMessage::Beat { seq: stream.hosted.seq(), now: stream.app.hub.now() };
                return Some((to_line(&text(&beat)), Some(stream)));
            }
        };
        Some((to_line(&text(&ServerMessage::Bye { reason: goodbye.to_owned() })), None))
    }
}

/// Removes the connection from the game, however the stream ends.
impl Drop for GameStream {
    fn drop(&mut self) {
        self.hosted.leave(self.connection, self.actor, self.app.hub.now());
    }
}

fn to_line(message: &Text) -> StreamLine {
    let mut line = Vec::with_capacity(message.len() + 1);
    line.extend_from_slice(message.as_bytes());
    line.push(b'\n');
    Ok(line.into())
}
