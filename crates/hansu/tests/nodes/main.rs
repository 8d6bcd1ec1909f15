//! Several real `hansu serve` with one real PostgreSQL and one real NATS, and their failures.

mod clocks;
mod kills;
mod outages;
mod together;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use hansu_ground::clients::{GameClient, PATIENCE, get, key, post};
use hansu_ground::process::Process;
use hansu_ground::{Nats, Postgres};
use hansu_protocol::{Made, ServerMessage};
use serde_json::{Value, json};
use tempfile::TempDir;

const HANSU: &str = env!("CARGO_BIN_EXE_hansu");

/// A database, a bus, and the nodes that use them.
struct Town {
    nodes: Vec<Process>,
    nats: Nats,
    postgres: Postgres,
    address: String,
    /// The address of the bus.
    bus: String,
    folder: TempDir,
    /// More arguments of the servers.
    extra: &'static [&'static str],
}

impl Town {
    async fn found(nodes: usize) -> Town {
        Town::found_with(nodes, &[]).await
    }

    async fn found_with(nodes: usize, extra: &'static [&'static str]) -> Town {
        let (postgres, nats) =
            (Postgres::hasty().expect("PostgreSQL"), Nats::start().expect("NATS"));
        let address = postgres.fresh().expect("a place");
        let folder = tempfile::tempdir().expect("a folder");
        let bus = nats.address();
        let mut town = Town { nodes: Vec::new(), nats, postgres, address, bus, folder, extra };
        for _ in 0..nodes {
            town.grow();
        }
        for node in 0..nodes {
            town.knows(node, nodes - 1).await;
        }
        town
    }

    /// Starts another node.
    fn grow(&mut self) -> SocketAddr {
        let arguments = ["--database", &self.address, "--bus", &self.bus];
        let arguments = arguments.into_iter().chain(self.extra.iter().copied()).map(AsRef::as_ref);
        let node = Process::over(HANSU, arguments, self.folder.path(), "info");
        let at = node.at;
        self.nodes.push(node);
        at
    }

    fn at(&self, node: usize) -> SocketAddr {
        self.nodes[node].at
    }

    /// The value of a metric of a node.
    async fn figure(&self, node: usize, name: &str) -> Option<f64> {
        let figures = get(self.at(node), "/metrics").send().await;
        let line = figures.text().lines().find(|line| line.starts_with(name))?.to_owned();
        line.rsplit(' ').next()?.parse().ok()
    }

    async fn until(&self, node: usize, name: &str, value: f64) {
        let started = Instant::now();
        while self.figure(node, name).await != Some(value) {
            assert!(started.elapsed() < PATIENCE, "{name} is not {value}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until a node receives its own messages and knows `others` other nodes.
    async fn knows(&self, node: usize, others: usize) {
        self.until(node, "hansu_bus_up", 1.0).await;
        self.until(node, "hansu_other_nodes", others as f64).await;
    }

    /// Starts a game whose players connect to these two nodes.
    async fn meet(&self, white_at: usize, black_at: usize, setting: Value) -> Apart {
        let (at, other) = (self.at(white_at), self.at(black_at));
        let keys = [key(at).await, key(other).await];
        let mut new = json!({ "with": "friend", "name": "Anna", "color": "white" });
        for (name, value) in setting.as_object().into_iter().flatten() {
            new[name] = value.clone();
        }
        let made: Made = post(at, "/api/games", &new).key(&keys[0]).send().await.read();
        let white = GameClient::join(at, &made.game, Some(&keys[0])).await;
        let path = format!("/api/invitations/{}", made.invitation.expect("an invitation"));
        let guest = json!({ "name": "Ben" });
        let _: Made = post(other, &path, &guest).key(&keys[1]).send().await.read();
        let black = GameClient::join(other, &made.game, Some(&keys[1])).await;
        Apart { game: made.game, white, black, keys, plies: 0 }
    }

    fn schema(&self) -> &str {
        self.address.rsplit("%3D").next().expect("a schema")
    }

    /// The number of events of a kind in the log of a game.
    fn count(&self, game: &str, kind: &str) -> usize {
        self.count_where(game, &format!("e.body LIKE '%\"type\":\"{kind}\"%'"))
    }

    /// Waits until a node has written a heartbeat since the last event of a game.
    async fn beats_after(&self, game: &str) {
        let schema = self.schema();
        let sql = format!(
            "SELECT count(*) FROM {schema}.beats b WHERE b.at > (SELECT max(e.at)
             FROM {schema}.events e JOIN {schema}.games g ON g.n = e.game WHERE g.id = '{game}')"
        );
        let started = Instant::now();
        while self.postgres.run(&sql).expect("a count").trim() == "0" {
            assert!(started.elapsed() < PATIENCE, "no heartbeat");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Asserts that no clock was credited as if no server had run. A node that a busy machine kept
    /// from its heartbeats for four seconds looks dead: a credit of more than that is right. So is
    /// the credit for a slow commit, which has another key.
    fn credited_no_outage(&self, game: &str) {
        let wrong = "e.client LIKE 'outage:%' AND (e.body::json->>'time')::bigint <= 4000";
        assert_eq!(self.count_where(game, wrong), 0, "{}", self.story(game));
    }

    fn count_where(&self, game: &str, condition: &str) -> usize {
        let schema = self.schema();
        let sql = format!(
            "SELECT count(*) FROM {schema}.events e JOIN {schema}.games g ON g.n = e.game
             WHERE g.id = '{game}' AND {condition}"
        );
        self.postgres.run(&sql).expect("a count").parse().expect("a number")
    }

    /// The events of a game, for the messages of failed tests.
    fn story(&self, game: &str) -> String {
        let schema = self.schema();
        let sql = format!(
            "SELECT e.body FROM {schema}.events e JOIN {schema}.games g ON g.n = e.game
             WHERE g.id = '{game}' ORDER BY e.seq"
        );
        self.postgres.run(&sql).expect("events")
    }

    /// Asserts that no node has logged trouble with games or the database.
    fn is_calm(&self) {
        let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let trouble = log.lines().find(|line| {
            (line.contains("WARN") || line.contains("ERROR")) && !line.contains("the bus is away")
        });
        assert_eq!(trouble, None);
    }
}

/// Two players at two nodes.
struct Apart {
    game: String,
    white: GameClient,
    black: GameClient,
    keys: [String; 2],
    /// Moves that were played with [`Apart::play`].
    plies: usize,
}

impl Apart {
    /// Plays moves in turn, each when the one before has arrived. The delay is not checked (the load
    /// rigs measure it): a disk may block for 10 s.
    async fn play(&mut self, moves: &str) {
        for uci in moves.split_whitespace() {
            let (us, them) = match self.plies % 2 {
                0 => (&mut self.white, &mut self.black),
                _ => (&mut self.black, &mut self.white),
            };
            self.plies += 1;
            let seq = us.go(uci).await.unwrap_or_else(|why| panic!("{uci}: {why:?}"));
            them.reach(seq).await;
        }
    }
}

/// Waits until a client receives this presence.
async fn sees(seat: &mut GameClient, who: (bool, bool, u32)) {
    let told = |message: &ServerMessage| {
        matches!(*message, ServerMessage::Presence { white, black, spectators }
            if (white, black, spectators) == who)
    };
    let last = seat.received.iter().rev().find(|m| matches!(m, ServerMessage::Presence { .. }));
    if !last.is_some_and(told) {
        seat.wait(told).await;
    }
}
