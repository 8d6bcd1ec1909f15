//! A game as a stream of lines, for scripts and bots: what a websocket says, one message a line.

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
use super::ask::{Asking, At, read};
use super::games::game;
use super::player::Player;
use super::problem::Problem;
use super::sockets::{Counted, Place};
use crate::socket::PING;
use crate::table::{Inbox, Table, outbox, queue};

/// The kind of text this is.
pub(crate) const KIND: &str = "application/x-ndjson";

/// From where on.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Since {
    seq: Option<String>,
    #[serde(rename = "lang")]
    _lang: Option<String>,
}

/// Everything that happens in a game, until the client goes or the server stops.
pub(crate) async fn stream(
    State(app): State<App>,
    player: Player,
    At(id): At<String>,
    Asking(since): Asking<Since>,
) -> Result<Response, Problem> {
    let lang = player.lang;
    let id = game(&id, lang)?;
    let seq = read("seq", since.seq, |text| text.parse::<u64>().ok(), lang)?.unwrap_or(0);
    let place = Place::take(&app, &player)?;
    let table = app.hub.table(id).await.map_err(|why| Problem::table(why, lang))?;
    let (sender, inbox) = queue();
    if !app.hub.reach(&table, seq).await {
        return Err(Problem::of(ServerRefusal::Unavailable, lang));
    }
    // Whoever has a seat and listens is there, as at a websocket.
    let actor = table.actor(player.holder());
    let connection = app.hub.fresh_id();
    let hello = Hello { id: connection, actor, seq, outbox: outbox(sender) };
    app.hub.at(&table, |game, now| game.join(hello, now));
    let mut beats = interval_at(Instant::now() + PING, PING);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let _counted = Counted::new(&app);
    let ear = Ear { app, table, connection, actor, inbox, beats, _counted, place };
    Ok(lines(unfold(Some(ear), Ear::next)))
}

/// A line of an answer.
pub(crate) type Line = Result<Bytes, Infallible>;

/// An answer that is told line by line.
pub(crate) fn lines(lines: impl Stream<Item = Line> + Send + 'static) -> Response {
    // A proxy that gathers lines would keep them from the client.
    let headers = [(header::CONTENT_TYPE.as_str(), KIND), ("x-accel-buffering", "no")];
    (headers, Body::from_stream(lines)).into_response()
}

/// One client of one game.
struct Ear {
    app: App,
    table: Arc<Table>,
    connection: u64,
    actor: Actor,
    inbox: Inbox,
    beats: Interval,
    _counted: Counted,
    place: Place,
}

impl Ear {
    /// The next line; the last one says goodbye.
    async fn next(ear: Option<Ear>) -> Option<(Line, Option<Ear>)> {
        let mut ear = ear?;
        let goodbye = tokio::select! {
            biased;
            () = ear.place.stop.cancelled() => "restart",
            message = ear.inbox.recv() => match message {
                Some(message) => return Some((line(&message), Some(ear))),
                None if ear.table.is_gone() => "gone",
                None => "slow",
            },
            _ = ear.beats.tick() => {
                let beat = ServerMessage::Beat { seq: ear.table.seq(), now: ear.app.hub.now() };
                return Some((line(&text(&beat)), Some(ear)));
            }
        };
        Some((line(&text(&ServerMessage::Bye { reason: goodbye.to_owned() })), None))
    }
}

/// However it ends, the table hears of it.
impl Drop for Ear {
    fn drop(&mut self) {
        self.table.part(self.connection, self.actor, self.app.hub.now());
    }
}

fn line(message: &Text) -> Line {
    let mut line = Vec::with_capacity(message.len() + 1);
    line.extend_from_slice(message.as_bytes());
    line.push(b'\n');
    Ok(line.into())
}
