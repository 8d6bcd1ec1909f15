//! A server of one game for tests: `hansu_play` decides, and messages are made from its states.
//! It also makes the random choices: what the client wants and what the others do.

use std::collections::BTreeMap;

use hansu_chess::{Color, Position};
use hansu_play::{
    Actor, Claimed, Command, Entry, Event, Millis, Offer, Phase, Sides, Start, State, TimeControl,
    apply, decide, stamp,
};
use hansu_protocol as wire;
use wire::{ChatMessage, ClientMessage, Happened, Seat, ServerMessage, Turn, VERSION, Wish};

/// A client this far behind gets a snapshot instead of events.
const RECENT: u64 = 5;

/// Random numbers from a seed (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

pub(crate) struct Server {
    start: Start,
    pub(crate) state: State,
    pub(crate) seat: Option<Seat>,
    pub(crate) now: u64,
    pub(crate) events: Vec<Happened>,
    pub(crate) chat: Vec<ChatMessage>,
    /// The sequence numbers with which commands were answered, by id.
    pub(crate) answered: BTreeMap<String, u64>,
}

fn side(color: Color) -> Turn {
    match color {
        Color::White => Turn::White,
        Color::Black => Turn::Black,
    }
}

fn board(position: &Position) -> wire::Board {
    let check = position.is_check().then(|| position.king(position.turn()).to_string());
    wire::Board { fen: position.fen(), check }
}

impl Server {
    pub(crate) fn new(seat: Option<Seat>, random: &mut Random) -> Server {
        let mut start = Start::between("Mina", "Jun");
        // Positions with few pieces: short texts, and games that end.
        let fens = [
            None,
            Some("4k3/P7/8/8/8/8/7p/R3K3 w Q - 0 1"),
            Some("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1"),
        ];
        start.fen = fens[random.below(fens.len())].map(str::to_owned);
        if random.chance(60) {
            start.time = TimeControl::fischer(Millis::minutes(5), Millis::seconds(3));
        }
        start.spectators = hansu_play::Spectators::Chat;
        let mut server = Server {
            start,
            state: State::default(),
            seat,
            now: 1_794_700_000_000,
            events: Vec::new(),
            chat: Vec::new(),
            answered: BTreeMap::new(),
        };
        if random.chance(80) {
            server.begin();
        }
        server
    }

    /// The second player arrives, if the game still waits.
    pub(crate) fn begin(&mut self) -> Vec<ServerMessage> {
        self.act(Actor::System, &Command::Start(self.start.clone())).unwrap_or_default()
    }

    pub(crate) fn seq(&self) -> u64 {
        self.state.seq()
    }

    pub(crate) fn actor(&self) -> Actor {
        match self.seat {
            Some(Seat::White) => Actor::White,
            Some(Seat::Black) => Actor::Black,
            Some(Seat::Both) => Actor::Both,
            None => Actor::Spectator,
        }
    }

    /// Executes a command; returns its events as messages, and the legal moves if they are due.
    pub(crate) fn act(
        &mut self,
        actor: Actor,
        command: &Command,
    ) -> Result<Vec<ServerMessage>, String> {
        self.now += 700;
        let now = Millis(self.now);
        let events = decide(&self.state, actor, command, now)
            .map_err(|refusal| refusal.code().to_owned())?;
        let mut messages = Vec::new();
        let mut moves_due = false;
        for entry in stamp(&self.state, events, now) {
            apply(&mut self.state, &entry).expect("a decided event fits");
            moves_due |= matches!(
                entry.event,
                Event::Started(_) | Event::Moved { .. } | Event::TakenBack { .. }
            );
            let happened = self.happened(entry);
            self.events.push(happened.clone());
            messages.push(ServerMessage::Event(Box::new(happened)));
        }
        messages.extend(self.turn().filter(|_| moves_due));
        Ok(messages)
    }

    fn happened(&mut self, entry: Entry) -> Happened {
        let game = self.state.game();
        let (mut san, mut changed) = (None, false);
        match &entry.event {
            Event::Moved { .. } => {
                let ply = game.moves().len() - 1;
                san = Some(game.positions()[ply].san(game.moves()[ply]).to_string());
                changed = true;
            }
            Event::Started(_) | Event::TakenBack { .. } => changed = true,
            Event::Chatted { from, name, text } => {
                let name = match from {
                    Actor::White => self.start.names.white.clone(),
                    Actor::Black => self.start.names.black.clone(),
                    _ => name.clone().unwrap_or_default(),
                };
                self.chat.push(ChatMessage { at: entry.at, from: *from, name, text: text.clone() });
            }
            _ => {}
        }
        let board = changed.then(|| board(game.position()));
        Happened { entry, san, board, ticking: self.ticking() }
    }

    fn ticking(&self) -> Option<wire::Ticking> {
        let hansu_play::Ticking { left, from, until } = self.state.ticking()?;
        Some(wire::Ticking { side: side(self.state.turn()), left, from, until })
    }

    /// The legal moves (a few of them), if the client is to move.
    pub(crate) fn turn(&self) -> Option<ServerMessage> {
        let ours = match self.seat? {
            Seat::Both => true,
            Seat::White => self.state.turn() == Color::White,
            Seat::Black => self.state.turn() == Color::Black,
        };
        if !ours || self.state.phase() != Phase::Playing {
            return None;
        }
        let mut moves = wire::Moves::default();
        for step in self.state.game().position().legal_moves().iter().take(3) {
            let uci = step.uci(self.start.variant);
            let squares = moves.targets.entry(uci.from.to_string()).or_default();
            squares.push_str(&uci.to.to_string());
        }
        Some(ServerMessage::Turn { seq: self.seq(), moves })
    }

    pub(crate) fn snapshot(&self) -> ServerMessage {
        let state = &self.state;
        let game = state.game();
        let is_new = state.phase() == Phase::New;
        let fen = self.start.fen.as_deref();
        let waiting = fen.and_then(|fen| Position::from_fen(fen, self.start.variant).ok());
        let first = if is_new { waiting.unwrap_or_default() } else { game.positions()[0] };
        let plies = (0..game.moves().len()).map(|ply| wire::Ply {
            uci: game.moves()[ply].uci(self.start.variant).to_string(),
            san: game.positions()[ply].san(game.moves()[ply]).to_string(),
            board: board(&game.positions()[ply + 1]),
            clocks: state.clocks_after(ply),
        });
        let offers = Offer::ALL
            .into_iter()
            .filter_map(|what| state.offered(what).map(|by| wire::Offered { what, by: side(by) }));
        ServerMessage::Snapshot(Box::new(wire::Snapshot {
            seq: state.seq(),
            phase: match state.phase() {
                Phase::New => wire::Phase::Waiting,
                Phase::Playing => wire::Phase::Playing,
                Phase::Adjourned => wire::Phase::Adjourned,
                Phase::Ended(_) => wire::Phase::Ended,
            },
            start: self.start.clone(),
            started: state.started_at(),
            first: board(&first),
            plies: plies.collect(),
            clocks: if is_new { self.start.time.initial() } else { state.clocks() },
            ticking: self.ticking(),
            ending: state.ending(),
            offers: offers.collect(),
            left: Sides {
                white: state.away_since(Color::White),
                black: state.away_since(Color::Black),
            },
            chat: self.chat.clone(),
            next: state.next_game().map(str::to_owned),
            visibility: wire::Visibility::Private,
        }))
    }

    /// Everything after an event.
    fn catch_up(&self, seq: u64) -> Vec<ServerMessage> {
        let mut messages = Vec::new();
        if seq > self.seq() || seq == 0 || self.seq() - seq > RECENT {
            messages.push(self.snapshot());
        } else {
            let missing = self.events.iter().filter(|event| event.entry.seq > seq).cloned();
            messages.extend(missing.map(|event| ServerMessage::Event(Box::new(event))));
        }
        messages.extend(self.turn());
        messages
    }

    /// Answers a message as the server does.
    pub(crate) fn hear(&mut self, message: ClientMessage) -> Vec<ServerMessage> {
        match message {
            ClientMessage::Hello { seq, .. } => {
                let now = Millis(self.now);
                let (game, seat, last) = ("0aBcDeFgHiJk".to_owned(), self.seat, self.seq());
                let mut messages =
                    vec![ServerMessage::Welcome { v: VERSION, game, seat, seq: last, now }];
                messages.extend(self.catch_up(seq));
                messages.push(ServerMessage::Presence { white: true, black: true, spectators: 1 });
                messages
            }
            ClientMessage::Sync { seq } => self.catch_up(seq),
            ClientMessage::Why { uci } => {
                vec![ServerMessage::Why { seq: self.seq(), uci, refusal: None }]
            }
            ClientMessage::Command { id, command } => {
                if let Some(&seq) = self.answered.get(&id) {
                    return vec![ServerMessage::Ack { id, seq }];
                }
                let done = command_of(command).and_then(|command| self.act(self.actor(), &command));
                let seq = self.seq();
                match done {
                    Ok(mut messages) => {
                        self.answered.insert(id.clone(), seq);
                        messages.push(ServerMessage::Ack { id, seq });
                        messages
                    }
                    Err(code) => {
                        let (squares, by) = (Vec::new(), Vec::new());
                        let refusal = wire::Refusal { code, squares, by, text: "No.".to_owned() };
                        vec![ServerMessage::Refused { id, seq, refusal }]
                    }
                }
            }
        }
    }

    fn random_move(&self, random: &mut Random) -> String {
        let legal = self.state.game().position().legal_moves();
        if legal.is_empty() || random.chance(10) {
            return "a1a8".to_owned();
        }
        legal[random.below(legal.len())].uci(self.start.variant).to_string()
    }

    /// A random wish of the client; mostly one that fits the game.
    pub(crate) fn random_wish(&self, random: &mut Random) -> Wish {
        let open: Vec<Offer> =
            Offer::ALL.into_iter().filter(|what| self.state.offered(*what).is_some()).collect();
        if !open.is_empty() && random.chance(45) {
            let what = random.pick(&open);
            return if random.chance(60) { Wish::Accept { what } } else { Wish::Decline { what } };
        }
        match (self.state.phase(), random.below(100)) {
            (Phase::Playing, 0..=54) => Wish::Move { uci: self.random_move(random) },
            (Phase::Playing, 55..=74) => Wish::Offer {
                what: random.pick(&[
                    Offer::Draw,
                    Offer::Takeback,
                    Offer::Takeback,
                    Offer::Adjournment,
                ]),
            },
            (Phase::Adjourned, 0..=59) => Wish::Offer { what: Offer::Resumption },
            (Phase::Ended(_), 0..=59) => Wish::Offer { what: Offer::Rematch },
            (_, 75..=77) => Wish::Resign,
            (_, 78..=79) => Wish::Abort,
            (_, 80..=82) => Wish::ClaimDraw { with: None },
            (_, 85..=88) => Wish::GiveTime { to: random.pick(&[Turn::White, Turn::Black]) },
            (_, 83..=84) => Wish::ClaimAbsence { result: Claimed::Win },
            _ => Wish::Chat { text: format!("say {}", random.below(100)), name: None },
        }
    }

    /// A random action of another: the opponent, the server or a spectator.
    pub(crate) fn random_event(&mut self, random: &mut Random) -> Vec<ServerMessage> {
        if self.state.phase() == Phase::New {
            return self.begin();
        }
        let color = random.pick(&Color::ALL);
        let (actor, command) = match random.below(100) {
            0..=7 => (Actor::System, Command::Leave { side: color }),
            8..=15 => {
                let is_away = self.state.away_since(Color::White).is_some();
                let side = if is_away { Color::White } else { Color::Black };
                (Actor::System, Command::Return { side })
            }
            16..=19 => (Actor::System, Command::Credit { time: Millis(400) }),
            20..=24 => {
                let (text, name) = ("hm".to_owned(), Some("Ara".to_owned()));
                (Actor::Spectator, Command::Chat { text, name })
            }
            _ => {
                let other = match self.seat {
                    Some(Seat::White) => Actor::Black,
                    Some(Seat::Black) => Actor::White,
                    Some(Seat::Both) => Actor::Both,
                    None => Actor::seat(if random.chance(70) { self.state.turn() } else { color }),
                };
                match command_of(self.random_wish(random)) {
                    Ok(command) => (other, command),
                    Err(_) => return Vec::new(),
                }
            }
        };
        self.act(actor, &command).unwrap_or_default()
    }
}

fn command_of(wish: Wish) -> Result<Command, String> {
    let uci = |text: &str| text.parse().map_err(|_| "bad_move".to_owned());
    let next = |what| (what == Offer::Rematch).then(|| "0aBcDeFgHiJl".to_owned());
    Ok(match wish {
        Wish::Move { uci: text } => Command::Move { uci: uci(&text)? },
        Wish::Resign => Command::Resign,
        Wish::Offer { what } => Command::Offer { what, next: next(what) },
        Wish::Accept { what } => Command::Accept { what, next: next(what) },
        Wish::Decline { what } => Command::Decline { what },
        Wish::ClaimDraw { with } => {
            Command::ClaimDraw { with: with.map(|text| uci(&text)).transpose()? }
        }
        Wish::ClaimAbsence { result } => Command::ClaimAbsence { result },
        Wish::Abort => Command::Abort,
        Wish::GiveTime { to: Turn::White } => Command::GiveTime { to: Color::White },
        Wish::GiveTime { to: Turn::Black } => Command::GiveTime { to: Color::Black },
        Wish::Chat { text, name } => Command::Chat { text, name },
    })
}
