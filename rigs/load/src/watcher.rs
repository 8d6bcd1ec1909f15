//! A spectator that watches games at one server after another and keeps a journal of what it
//! receives.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio_util::sync::CancellationToken;
use tokio_websockets::{ClientBuilder, Message};

use crate::api;
use crate::coordinator::Coordinator;
use crate::player::{Journal, Side, Socket, hash, hash_moves, hello};
use crate::received::Received;

/// The wait before the next attempt to connect.
const BASE_WAIT: Duration = Duration::from_millis(200);

/// A spectator of a series of games.
pub struct Watcher {
    number: usize,
    coordinator: Arc<Coordinator>,
    server_index: usize,
    journal: Journal,
    last: u64,
    next: Option<String>,
}

impl Watcher {
    /// Watches a game, first at the server with this index.
    pub fn new(
        number: usize,
        coordinator: Arc<Coordinator>,
        server_index: usize,
        game: &str,
    ) -> Watcher {
        let journal = Journal::new(game, Side::White);
        Watcher { number, coordinator, server_index, journal, last: 0, next: None }
    }

    /// Watches until stopped.
    pub async fn watch(mut self, stop: CancellationToken) {
        loop {
            let seen = tokio::select! {
                () = stop.cancelled() => break,
                seen = self.run_connection() => seen,
            };
            match (seen, self.next.take()) {
                (Ok(()), Some(next)) => {
                    let done =
                        std::mem::replace(&mut self.journal, Journal::new(&next, Side::White));
                    self.coordinator.keep_journal(done);
                    self.last = 0;
                }
                (seen, _) => {
                    if let Err(why) = seen {
                        self.coordinator.record_loss(format!("watching: {}", why.root_cause()));
                    }
                    self.server_index += 1;
                    tokio::select! {
                        () = stop.cancelled() => break,
                        () = tokio::time::sleep(BASE_WAIT) => {}
                    }
                }
            }
        }
        self.coordinator.keep_journal(self.journal);
    }

    async fn connect(&self, server: SocketAddr) -> Result<Socket> {
        let stream = api::connect(server, self.number).await?;
        let uri = format!("ws://{server}/api/games/{}/socket", self.journal.game).parse()?;
        Ok(ClientBuilder::from_uri(uri).connect_on(stream).await?.0)
    }

    /// Runs one connection; returns `Ok` when it was closed or the next game begins.
    async fn run_connection(&mut self) -> Result<()> {
        let mut socket = self.connect(self.coordinator.server(self.server_index)).await?;
        socket.send(hello(self.last)).await?;
        while self.next.is_none() {
            let Some(message) = socket.next().await else { return Ok(()) };
            self.handle(&message?)?;
        }
        Ok(())
    }

    fn handle(&mut self, message: &Message) -> Result<()> {
        let Some(text) = message.as_text() else { return Ok(()) };
        match Received::parse(text)? {
            Received::Snapshot(snapshot) => {
                if snapshot.seq < self.last {
                    self.coordinator.record_problem("a watcher saw a snapshot from the past");
                }
                self.last = snapshot.seq;
                let moves = hash_moves(snapshot.plies.iter().map(|ply| ply.uci.as_ref()));
                self.journal.snapshots.push((snapshot.seq, moves));
                self.next = snapshot.next.map(std::borrow::Cow::into_owned);
            }
            Received::Event(event) => {
                let entry = &event.entry;
                self.journal.received.push((entry.seq, hash(event.raw_entry)));
                if entry.seq > self.last + 1 {
                    self.coordinator.record_problem("a watcher saw a gap between events");
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
