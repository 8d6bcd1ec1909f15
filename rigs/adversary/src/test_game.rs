//! A game between two players of this client. They know no rules: they choose among the moves that
//! the server sends.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use crate::http::{Http, TIMEOUT};
use crate::ledger::{Ledger, SentMove};
use crate::socket::{Received, Socket};
use hansu_ground::Random;

/// Refusals that ask to send the same command again later.
const LATER: [&str; 5] = ["unavailable", "unsure", "busy", "too_fast", "clock_in_doubt"];

/// The time between two moves of a player.
const PACE: Duration = Duration::from_millis(125);

/// A started game with the keys of both seats.
#[derive(Clone, Debug)]
pub struct Seats {
    /// The game.
    pub game: String,
    /// White's key.
    pub white: String,
    /// Black's key.
    pub black: String,
}

impl Seats {
    /// Makes a game with new keys and accepts its invitation; `more` are further fields of `POST
    /// /api/games`.
    ///
    /// # Errors
    ///
    /// When the server refuses.
    pub fn make(http: Http, names: [&str; 2], more: &Value) -> Result<Seats> {
        let (white, black) = (http.key()?, http.key()?);
        Seats::between(http, [&white, &black], names, more)
    }

    /// The same with existing keys.
    ///
    /// # Errors
    ///
    /// When the server refuses.
    pub fn between(http: Http, keys: [&str; 2], names: [&str; 2], more: &Value) -> Result<Seats> {
        let [white, black] = keys;
        let mut wish = json!({"with": "friend", "name": names[0], "color": "white"});
        if let (Some(wish), Some(more)) = (wish.as_object_mut(), more.as_object()) {
            wish.extend(more.clone());
        }
        let made = http.post("/api/games", white, &wish)?;
        let made_json = made.json();
        let game = made_json["game"].as_str().with_context(|| made.brief())?.to_owned();
        let token = made_json["invitation"].as_str().with_context(|| made.brief())?;
        let taken =
            http.post(&format!("/api/invitations/{token}"), black, &json!({"name": names[1]}))?;
        ensure!(taken.status == 201, "the invitation: {}", taken.brief());
        Ok(Seats { game, white: white.to_owned(), black: black.to_owned() })
    }

    /// Sends a command over HTTP.
    ///
    /// # Errors
    ///
    /// When no answer comes.
    pub fn command(
        &self,
        http: Http,
        key: &str,
        id: &str,
        command: &Value,
    ) -> Result<crate::http::Response> {
        let path = format!("/api/games/{}/commands", self.game);
        http.post(&path, key, &json!({"id": id, "command": command}))
    }

    /// Plays moves over HTTP, White first; each must be accepted.
    ///
    /// # Errors
    ///
    /// When one is refused.
    pub fn play(&self, http: Http, moves: &str) -> Result<()> {
        for (place, uci) in moves.split_whitespace().enumerate() {
            let key = if place % 2 == 0 { &self.white } else { &self.black };
            let done = self.command(
                http,
                key,
                &format!("play{place}"),
                &json!({"type": "move", "uci": uci}),
            )?;
            ensure!(done.status == 200, "{uci}: {}", done.brief());
        }
        Ok(())
    }

    /// The state of the game, without `left`.
    ///
    /// # Errors
    ///
    /// When the server refuses.
    pub fn state(&self, http: Http) -> Result<Value> {
        let answer = http.get(&format!("/api/games/{}/state", self.game), "")?;
        ensure!(answer.status == 200, "{}", answer.brief());
        let mut state = answer.json();
        // `left`, since when a player is away, changes without any command.
        let left = state.as_object_mut().and_then(|state| state.remove("left"));
        ensure!(left.is_some(), "a state without \"left\": {}", answer.brief());
        Ok(state)
    }
}

/// One side with its connection.
struct Player {
    key: String,
    socket: Option<Socket>,
    seq: u64,
    /// The number of the last move event. Targets from before it are outdated.
    board: u64,
    /// The number of the event before this turn, and the legal moves.
    turn: Option<(u64, Vec<String>)>,
    failures: u32,
    /// When the player may send again: the server accepts ten messages a second.
    next_send: Instant,
}

/// A running game with its ledger.
pub struct TestGame {
    /// What was sent and acknowledged.
    pub ledger: Ledger,
    /// True once the server has sent the game's end.
    pub over: bool,
    servers: Vec<Http>,
    players: [Player; 2],
    random: Random,
    prefix: String,
}

impl TestGame {
    /// Two players of a game; with several servers they begin at different ones.
    pub fn new(servers: &[Http], seats: &Seats, mut random: Random) -> TestGame {
        let player = |key: &String| Player {
            key: key.clone(),
            socket: None,
            seq: 0,
            board: 0,
            turn: None,
            failures: 0,
            next_send: Instant::now(),
        };
        let prefix = format!("{:x}", random.number());
        TestGame {
            ledger: Ledger::new(&seats.game),
            over: false,
            servers: servers.to_vec(),
            players: [player(&seats.white), player(&seats.black)],
            random,
            prefix,
        }
    }

    /// Plays while `go_on` returns true, through any faults of the servers, and then until nothing
    /// is in flight. Returns the total number of moves.
    ///
    /// # Errors
    ///
    /// When the game does not go on, or a command is refused that should not be.
    pub fn play(&mut self, go_on: impl Fn(usize) -> bool) -> Result<usize> {
        let mut progress = Instant::now();
        let mut moves = self.ledger.sent.len();
        loop {
            let flying = self.ledger.sent.last().is_some_and(|sent| sent.acked.is_none());
            if self.over || !flying && !go_on(moves) {
                return Ok(moves);
            }
            for side in 0..2 {
                self.step(side)?;
            }
            if self.ledger.sent.len() > moves {
                (moves, progress) = (self.ledger.sent.len(), Instant::now());
            }
            // Long enough for a database that is away for some seconds on a slow machine.
            ensure!(progress.elapsed() < 2 * TIMEOUT, "{}: does not go on", self.ledger.game);
        }
    }

    /// One step of one side: reconnects if needed, handles messages for up to 2 ms, moves if it is
    /// its turn.
    fn step(&mut self, side: usize) -> Result<()> {
        let server = self.server(side);
        let Some(player) = self.players.get_mut(side) else { bail!("no such side") };
        if player.socket.is_none() {
            match Socket::enter(server, &self.ledger.game, &player.key, player.seq) {
                Ok(socket) => {
                    (player.socket, player.turn) = (Some(socket), None);
                    self.resend(side)?;
                }
                Err(_) => {
                    player.failures += 1;
                    std::thread::sleep(Duration::from_millis(20));
                    return Ok(());
                }
            }
        }
        let Some(player) = self.players.get_mut(side) else { bail!("no such side") };
        let mut news = player.socket.as_ref().and_then(|own| own.receive(Duration::from_millis(2)));
        while let Some(received) = news.take() {
            match received {
                Received::Message(message) => self.handle(side, &message)?,
                Received::Closed(_) => {
                    let Some(player) = self.players.get_mut(side) else { bail!("no such side") };
                    player.socket = None;
                    player.failures += 1;
                    return Ok(());
                }
            }
            let player = self.players.get(side).context("no such side")?;
            news = player.socket.as_ref().and_then(|own| own.receive(Duration::ZERO));
        }
        self.choose(side)
    }

    /// The server that a side connects to: the next one after each failure.
    fn server(&self, side: usize) -> Http {
        let failures = self.players.get(side).map_or(0, |player| player.failures as usize);
        let place = (side + failures) % self.servers.len().max(1);
        *self.servers.get(place).unwrap_or(&Http(([127, 0, 0, 1], 9).into()))
    }

    fn handle(&mut self, side: usize, message: &Value) -> Result<()> {
        let Some(player) = self.players.get_mut(side) else { bail!("no such side") };
        let seq = message["seq"].as_u64();
        match message["type"].as_str().unwrap_or_default() {
            "snapshot" => {
                player.seq = seq.unwrap_or(0);
                self.over |= message["phase"] == "ended";
            }
            "event" => {
                let entry = &message["entry"];
                let seq = entry["seq"].as_u64().unwrap_or(0);
                if seq > player.seq + 1 {
                    let sync = json!({"type": "sync", "seq": player.seq});
                    let _ = player.socket.as_ref().map(|socket| socket.send_json(&sync));
                } else {
                    player.seq = player.seq.max(seq);
                }
                if entry["type"] == "moved" {
                    player.board = player.board.max(seq);
                }
                self.over |= entry["type"] == "ended";
                self.ledger.record_event(entry);
            }
            "turn" => {
                let targets = message["moves"]["targets"].as_object();
                let special = &message["moves"]["special"];
                let moves = targets.into_iter().flatten().flat_map(|(from, to)| {
                    let to = to.as_str().unwrap_or_default();
                    to.as_bytes().chunks(2).map(move |square| {
                        let uci = format!("{from}{}", String::from_utf8_lossy(square));
                        let piece = if special[&uci] == "promotion" { "q" } else { "" };
                        format!("{uci}{piece}")
                    })
                });
                player.turn = Some((seq.unwrap_or(0), moves.collect()));
            }
            "ack" => {
                let id = message["id"].as_str().unwrap_or_default();
                self.ledger.record_ack(id, seq.context("an ack without a number")?);
            }
            "refused" => {
                let code = message["refusal"]["code"].as_str().unwrap_or_default().to_owned();
                if !LATER.contains(&code.as_str()) && !self.over {
                    bail!("{}: a command was refused: {message}", self.ledger.game);
                }
                if !self.over {
                    std::thread::sleep(Duration::from_millis(100));
                    self.resend(side)?;
                }
            }
            "beat" if seq.is_some_and(|seq| seq > player.seq) => {
                let sync = json!({"type": "sync", "seq": player.seq});
                let _ = player.socket.as_ref().map(|socket| socket.send_json(&sync));
            }
            _ => {}
        }
        Ok(())
    }

    /// Sends this side's move in flight again with the same id, and also a random earlier move.
    fn resend(&mut self, side: usize) -> Result<()> {
        let all = self.ledger.sent.len();
        let own: Vec<usize> = (0..all).filter(|at| at % 2 == side).collect();
        let flying = own.last().copied().filter(|last| self.ledger.sent[*last].acked.is_none());
        let old = self.random.pick(&own);
        let player = self.players.get(side).context("no such side")?;
        for at in flying.into_iter().chain(old) {
            let SentMove { id, uci, .. } = &self.ledger.sent[at];
            let again =
                json!({"type": "command", "id": id, "command": {"type": "move", "uci": uci}});
            // If sending fails, the end of the connection is received next.
            let _ = player.socket.as_ref().map(|socket| socket.send_json(&again));
            self.ledger.resent += 1;
        }
        Ok(())
    }

    fn choose(&mut self, side: usize) -> Result<()> {
        let flying = self.ledger.sent.last().is_some_and(|sent| sent.acked.is_none());
        let turn = self.ledger.sent.len() % 2 == side;
        let player = self.players.get_mut(side).context("no such side")?;
        let Some((seq, moves)) = &player.turn else { return Ok(()) };
        if self.over || flying || !turn || *seq < player.board || Instant::now() < player.next_send
        {
            return Ok(());
        }
        player.next_send = Instant::now() + PACE;
        let Some(uci) = moves.get(self.random.index(moves.len())).cloned() else { return Ok(()) };
        player.turn = None;
        let id = format!("{}-{}", self.prefix, self.ledger.sent.len());
        let wish = json!({"type": "move", "uci": uci});
        let command = json!({"type": "command", "id": id, "command": wish});
        self.ledger.sent.push(SentMove { id: id.clone(), uci, acked: None });
        // One of six moves goes over HTTP; without an answer it is sent again over the websocket.
        if self.random.below(6) == 0 {
            return self.post(side, &id, &wish);
        }
        let player = self.players.get(side).context("no such side")?;
        let _ = player.socket.as_ref().map(|socket| socket.send_json(&command));
        // One of eight moves is sent twice.
        if self.random.below(8) == 0 {
            let player = self.players.get(side).context("no such side")?;
            let _ = player.socket.as_ref().map(|socket| socket.send_json(&command));
            self.ledger.resent += 1;
        }
        Ok(())
    }

    /// Sends a move over HTTP.
    fn post(&mut self, side: usize, id: &str, wish: &Value) -> Result<()> {
        let player = self.players.get(side).context("no such side")?;
        let path = format!("/api/games/{}/commands", self.ledger.game);
        let body = json!({"id": id, "command": wish});
        match self.server(side).post(&path, &player.key, &body) {
            Ok(answer) if answer.status == 200 => {
                let seq = answer.json()["seq"].as_u64();
                self.ledger.record_ack(id, seq.context("an answer without a number")?);
                Ok(())
            }
            Ok(answer) if answer.status != 503 && answer.status != 429 => {
                bail!("{}: a move was refused: {}", self.ledger.game, answer.brief())
            }
            _ => self.resend(side),
        }
    }
}
