//! Somebody who watches games at one server after another, and writes down what there was to see.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio_util::sync::CancellationToken;
use tokio_websockets::{ClientBuilder, Message};

use crate::floor::Floor;
use crate::heard::Heard;
use crate::player::{Journal, Side, Socket, hash, hash_moves, hello};
use crate::web;

/// How long to wait before the next try to connect.
const PAUSE: Duration = Duration::from_millis(200);

/// Somebody without a seat.
pub struct Watcher {
    number: usize,
    floor: Arc<Floor>,
    place: usize,
    journal: Journal,
    last: u64,
    next: Option<String>,
}

impl Watcher {
    /// Watches a game, at the server at this place first.
    pub fn new(number: usize, floor: Arc<Floor>, place: usize, game: &str) -> Watcher {
        let journal = Journal::new(game, Side::White);
        Watcher { number, floor, place, journal, last: 0, next: None }
    }

    /// Watches until told to go home.
    pub async fn watch(mut self, stop: CancellationToken) {
        loop {
            let seen = tokio::select! {
                () = stop.cancelled() => break,
                seen = self.sit() => seen,
            };
            match (seen, self.next.take()) {
                (Ok(()), Some(next)) => {
                    let done =
                        std::mem::replace(&mut self.journal, Journal::new(&next, Side::White));
                    self.floor.keep(done);
                    self.last = 0;
                }
                (seen, _) => {
                    if let Err(why) = seen {
                        self.floor.lost(format!("watching: {}", why.root_cause()));
                    }
                    self.place += 1;
                    tokio::select! {
                        () = stop.cancelled() => break,
                        () = tokio::time::sleep(PAUSE) => {}
                    }
                }
            }
        }
        self.floor.keep(self.journal);
    }

    async fn connect(&self, server: SocketAddr) -> Result<Socket> {
        let stream = web::connect(server, self.number).await?;
        let uri = format!("ws://{server}/api/games/{}/socket", self.journal.game).parse()?;
        Ok(ClientBuilder::from_uri(uri).connect_on(stream).await?.0)
    }

    /// One connection; ends well when another game follows.
    async fn sit(&mut self) -> Result<()> {
        let mut socket = self.connect(self.floor.server(self.place)).await?;
        socket.send(hello(self.last)).await?;
        while self.next.is_none() {
            let Some(message) = socket.next().await else { return Ok(()) };
            self.hear(&message?)?;
        }
        Ok(())
    }

    fn hear(&mut self, message: &Message) -> Result<()> {
        let Some(text) = message.as_text() else { return Ok(()) };
        match Heard::read(text)? {
            Heard::Snapshot(snapshot) => {
                if snapshot.seq < self.last {
                    self.floor.trouble("a watcher saw a snapshot from the past");
                }
                self.last = snapshot.seq;
                let moves = hash_moves(snapshot.plies.iter().map(|ply| ply.uci.as_ref()));
                self.journal.snapshots.push((snapshot.seq, moves));
                self.next = snapshot.next.map(std::borrow::Cow::into_owned);
            }
            Heard::Event(event) => {
                let entry = &event.entry;
                self.journal.heard.push((entry.seq, hash(event.written)));
                if entry.seq > self.last + 1 {
                    self.floor.trouble("a watcher saw a gap between events");
                }
                self.last = self.last.max(entry.seq);
                if entry.kind == "rematch_agreed" {
                    self.next = entry.next.as_ref().map(|next| next.clone().into_owned());
                }
            }
            _ => {}
        }
        Ok(())
    }
}
