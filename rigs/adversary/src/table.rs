//! A game of two of our own players, who know no rules: they choose among the targets they are told.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use crate::http::{Http, PATIENCE};
use crate::ledger::{Ledger, Sent};
use crate::socket::{Heard, Socket};
use hansu_ground::Random;

/// Refusals that ask to send the same command again later.
const LATER: [&str; 5] = ["unavailable", "unsure", "busy", "too_fast", "clock_in_doubt"];

/// How long a player thinks.
const PACE: Duration = Duration::from_millis(125);

/// A game that was made, with the keys of both seats.
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
    /// Makes a game with a friend and takes its invitation up; `more` are further fields of
    /// `POST /api/games`.
    ///
    /// # Errors
    ///
    /// When the server does not want it.
    pub fn make(http: Http, names: [&str; 2], more: &Value) -> Result<Seats> {
        let (white, black) = (http.key()?, http.key()?);
        Seats::between(http, [&white, &black], names, more)
    }

    /// The same for two who have keys.
    ///
    /// # Errors
    ///
    /// When the server does not want it.
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

    /// Does a command over HTTP.
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
    ) -> Result<crate::http::Answer> {
        let path = format!("/api/games/{}/commands", self.game);
        http.post(&path, key, &json!({"id": id, "command": command}))
    }

    /// Plays moves over HTTP in turn; all must be taken.
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

    /// The game as it stands.
    ///
    /// # Errors
    ///
    /// When the server does not tell.
    pub fn state(&self, http: Http) -> Result<Value> {
        let answer = http.get(&format!("/api/games/{}/state", self.game), "")?;
        ensure!(answer.status == 200, "{}", answer.brief());
        let mut state = answer.json();
        // Since when a player has been away: nobody does anything for it to change.
        let left = state.as_object_mut().and_then(|state| state.remove("left"));
        ensure!(left.is_some(), "a state without \"left\": {}", answer.brief());
        Ok(state)
    }
}

/// One seat's connection.
struct Chair {
    key: String,
    socket: Option<Socket>,
    seq: u64,
    /// The last event that changed the board: targets are good until the next.
    board: u64,
    /// The moves one may choose among, and the event they are for.
    turn: Option<(u64, Vec<String>)>,
    failures: u32,
    /// When one may say something again: ten messages a second are taken.
    rested: Instant,
}

/// A game under way, with its ledger.
pub struct Table {
    /// What was promised.
    pub ledger: Ledger,
    /// Whether the server has said that it is over.
    pub over: bool,
    servers: Vec<Http>,
    chairs: [Chair; 2],
    random: Random,
    prefix: String,
}

impl Table {
    /// Two players at a game; each may be at another of several servers.
    pub fn new(servers: &[Http], seats: &Seats, mut random: Random) -> Table {
        let chair = |key: &String| Chair {
            key: key.clone(),
            socket: None,
            seq: 0,
            board: 0,
            turn: None,
            failures: 0,
            rested: Instant::now(),
        };
        let prefix = format!("{:x}", random.number());
        Table {
            ledger: Ledger::of(&seats.game),
            over: false,
            servers: servers.to_vec(),
            chairs: [chair(&seats.white), chair(&seats.black)],
            random,
            prefix,
        }
    }

    /// Plays until told to stop, through whatever happens to the servers; then until nothing is in
    /// flight. Moves in all when it ends.
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
            // Also through a database that is away for some seconds, on a slow machine.
            ensure!(progress.elapsed() < 2 * PATIENCE, "{}: does not go on", self.ledger.game);
        }
    }

    /// One side: comes back when it has to, listens a moment, moves when it may.
    fn step(&mut self, side: usize) -> Result<()> {
        let server = self.server(side);
        let Some(chair) = self.chairs.get_mut(side) else { bail!("no such side") };
        if chair.socket.is_none() {
            match Socket::enter(server, &self.ledger.game, &chair.key, chair.seq) {
                Ok(socket) => {
                    (chair.socket, chair.turn) = (Some(socket), None);
                    self.resend(side)?;
                }
                Err(_) => {
                    chair.failures += 1;
                    std::thread::sleep(Duration::from_millis(20));
                    return Ok(());
                }
            }
        }
        let Some(chair) = self.chairs.get_mut(side) else { bail!("no such side") };
        let mut news = chair.socket.as_ref().and_then(|own| own.hear(Duration::from_millis(2)));
        while let Some(heard) = news.take() {
            match heard {
                Heard::Message(message) => self.take(side, &message)?,
                Heard::Closed(_) => {
                    let Some(chair) = self.chairs.get_mut(side) else { bail!("no such side") };
                    chair.socket = None;
                    chair.failures += 1;
                    return Ok(());
                }
            }
            let chair = self.chairs.get(side).context("no such side")?;
            news = chair.socket.as_ref().and_then(|own| own.hear(Duration::ZERO));
        }
        self.choose(side)
    }

    /// The server that a side goes to: another after each failure.
    fn server(&self, side: usize) -> Http {
        let failures = self.chairs.get(side).map_or(0, |chair| chair.failures as usize);
        let place = (side + failures) % self.servers.len().max(1);
        *self.servers.get(place).unwrap_or(&Http(([127, 0, 0, 1], 9).into()))
    }

    fn take(&mut self, side: usize, message: &Value) -> Result<()> {
        let Some(chair) = self.chairs.get_mut(side) else { bail!("no such side") };
        let seq = message["seq"].as_u64();
        match message["type"].as_str().unwrap_or_default() {
            "snapshot" => {
                chair.seq = seq.unwrap_or(0);
                self.over |= message["phase"] == "ended";
            }
            "event" => {
                let entry = &message["entry"];
                let seq = entry["seq"].as_u64().unwrap_or(0);
                if seq > chair.seq + 1 {
                    let sync = json!({"type": "sync", "seq": chair.seq});
                    let _ = chair.socket.as_ref().map(|socket| socket.say(&sync));
                } else {
                    chair.seq = chair.seq.max(seq);
                }
                if entry["type"] == "moved" {
                    chair.board = chair.board.max(seq);
                }
                self.over |= entry["type"] == "ended";
                self.ledger.saw(entry);
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
                chair.turn = Some((seq.unwrap_or(0), moves.collect()));
            }
            "ack" => {
                let id = message["id"].as_str().unwrap_or_default();
                self.ledger.acked(id, seq.context("an ack without a number")?);
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
            "beat" if seq.is_some_and(|seq| seq > chair.seq) => {
                let sync = json!({"type": "sync", "seq": chair.seq});
                let _ = chair.socket.as_ref().map(|socket| socket.say(&sync));
            }
            _ => {}
        }
        Ok(())
    }

    /// Sends what is in flight again under its id, when it is this side's; and something that was
    /// acknowledged before, however long ago.
    fn resend(&mut self, side: usize) -> Result<()> {
        let all = self.ledger.sent.len();
        let own: Vec<usize> = (0..all).filter(|at| at % 2 == side).collect();
        let flying = own.last().copied().filter(|last| self.ledger.sent[*last].acked.is_none());
        let old = self.random.pick(&own);
        let chair = self.chairs.get(side).context("no such side")?;
        for at in flying.into_iter().chain(old) {
            let Sent { id, uci, .. } = &self.ledger.sent[at];
            let again =
                json!({"type": "command", "id": id, "command": {"type": "move", "uci": uci}});
            // When it fails, the connection's end is heard next.
            let _ = chair.socket.as_ref().map(|socket| socket.say(&again));
            self.ledger.resent += 1;
        }
        Ok(())
    }

    fn choose(&mut self, side: usize) -> Result<()> {
        let flying = self.ledger.sent.last().is_some_and(|sent| sent.acked.is_none());
        let turn = self.ledger.sent.len() % 2 == side;
        let chair = self.chairs.get_mut(side).context("no such side")?;
        let Some((seq, moves)) = &chair.turn else { return Ok(()) };
        if self.over || flying || !turn || *seq < chair.board || Instant::now() < chair.rested {
            return Ok(());
        }
        chair.rested = Instant::now() + PACE;
        let Some(uci) = moves.get(self.random.index(moves.len())).cloned() else { return Ok(()) };
        chair.turn = None;
        let id = format!("{}-{}", self.prefix, self.ledger.sent.len());
        let wish = json!({"type": "move", "uci": uci});
        let command = json!({"type": "command", "id": id, "command": wish});
        self.ledger.sent.push(Sent { id: id.clone(), uci, acked: None });
        // Some moves go over HTTP; when no answer comes, they are sent again over the websocket.
        if self.random.below(6) == 0 {
            return self.post(side, &id, &wish);
        }
        let chair = self.chairs.get(side).context("no such side")?;
        let _ = chair.socket.as_ref().map(|socket| socket.say(&command));
        // Some say everything twice.
        if self.random.below(8) == 0 {
            let chair = self.chairs.get(side).context("no such side")?;
            let _ = chair.socket.as_ref().map(|socket| socket.say(&command));
            self.ledger.resent += 1;
        }
        Ok(())
    }

    /// Sends a move over HTTP.
    fn post(&mut self, side: usize, id: &str, wish: &Value) -> Result<()> {
        let chair = self.chairs.get(side).context("no such side")?;
        let path = format!("/api/games/{}/commands", self.ledger.game);
        let body = json!({"id": id, "command": wish});
        match self.server(side).post(&path, &chair.key, &body) {
            Ok(answer) if answer.status == 200 => {
                let seq = answer.json()["seq"].as_u64();
                self.ledger.acked(id, seq.context("an answer without a number")?);
                Ok(())
            }
            Ok(answer) if answer.status != 503 && answer.status != 429 => {
                bail!("{}: a move was refused: {}", self.ledger.game, answer.brief())
            }
            _ => self.resend(side),
        }
    }
}
