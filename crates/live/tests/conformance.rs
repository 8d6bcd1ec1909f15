//! `Host`, a game in process, answers a client as the server's live game does: the same random
//! messages at the same times give the same answers. Presence follows other rules and is left out.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use hansu_chess::Variant;
use hansu_live::{
    Asker, CommandKey, CommandRequest, Effect, Effects, FLAG_GRACE, Hello, LiveGame, MOST_UNSENT,
    Outbox, Room, Text, text,
};
use hansu_play::{Actor, Claimed, Millis, Moment, Offer, Start, State, TimeControl, apply};
use hansu_protocol::{ClientMessage, Language, ServerMessage, Turn, VERSION, Wish};
use hansu_records::{Appended, GameId, Holder, Once, Seat, Side, Visibility};
use hansu_view::{self as view, Host, HostError};
use hansu_words::Lang;

const GAME: &str = "conform00000";
const MESSAGES: usize = 100_000;
const SEED: u64 = 20_261_117;

/// Random numbers from a seed (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % most
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn text(&mut self, letters: &[u8], length: usize) -> String {
        (0..length).map(|_| char::from(self.of(letters))).collect()
    }
}

/// One connection of the server's game.
struct Client {
    id: u64,
    inbox: Receiver<Text>,
    lang: Lang,
}

/// The server's live game with one client, and a log that takes every write.
struct Served {
    game: LiveGame,
    actor: Actor,
    log: BTreeMap<String, u64>,
    client: Option<Client>,
    clients: u64,
}

impl Served {
    fn new(state: State, actor: Actor, now: Millis) -> Served {
        let id: GameId = GAME.parse().expect("an id");
        let room = Room::new(id, Visibility::Private, state, now);
        let side = match actor {
            Actor::White => Side::White,
            Actor::Black => Side::Black,
            _ => Side::Both,
        };
        let seats = vec![Seat { side, holder: Holder([1; 32]) }];
        let game = LiveGame::new(id, room, None, seats, VecDeque::new(), now);
        Served { game, actor, log: BTreeMap::new(), client: None, clients: 0 }
    }

    fn part(&mut self, now: Millis) {
        if let Some(client) = self.client.take() {
            self.game.leave(client.id, self.actor, now);
        }
    }

    /// Carries the effects out, as the holder of a live game does.
    fn perform(&mut self, effects: Effects, now: Millis) {
        let mut open: VecDeque<Effect> = effects.into_iter().collect();
        while let Some(effect) = open.pop_front() {
            let more = match effect {
                Effect::Write(append) => {
                    let last = append.expected + append.events.len() as u64 - 1;
                    let known =
                        append.command_key.as_ref().and_then(|key| self.log.get(key).copied());
                    let once = if known.is_some() { Once::Again } else { Once::First };
                    let seq = known.unwrap_or(last);
                    if let Some(key) = append.command_key {
                        self.log.insert(key, seq);
                    }
                    self.game.finish_write(Ok(Appended { seq, once }), now)
                }
                Effect::LookUp { to, key, refused } => {
                    let found = self.log.get(&key.to_string()).copied();
                    self.game.finish_look_up(to, &key, Ok(found), refused)
                }
                Effect::Read { .. } => panic!("nobody else writes into this log"),
                _ => continue,
            };
            open.extend(more);
        }
    }

    fn tick(&mut self, now: Millis) -> Vec<ServerMessage> {
        let effects = self.game.tick(now);
        self.perform(effects, now);
        self.said()
    }

    /// As `crates/server/src/http/sockets.rs` does it.
    fn hear(
        &mut self,
        message: ClientMessage,
        now: Millis,
    ) -> Result<Vec<ServerMessage>, HostError> {
        let Some(Client { id, lang, .. }) = self.client else {
            self.greet(&message, now)?;
            return Ok(self.said());
        };
        let mut answer = None;
        match message {
            ClientMessage::Hello { .. } => return Err(HostError::Malformed),
            ClientMessage::Sync { seq } => self.game.sync(id, seq),
            ClientMessage::Why { uci } => {
                answer = Some(self.game.why(self.actor, &uci, Moment::at(now), lang));
            }
            ClientMessage::Command { id: name, .. } if !view::is_command_id(&name) => {
                return Err(HostError::Malformed);
            }
            ClientMessage::Command { id: name, command: wish } => {
                match view::command(wish, self.actor, next_game) {
                    Ok(command) => {
                        let asked = CommandRequest {
                            by: Some(Asker { id, lang, since: 0 }),
                            actor: self.actor,
                            command,
                            moment: Moment::at(now),
                            key: Some(CommandKey::new(self.actor, "", &name)),
                            begins: None,
                        };
                        let effects = self.game.ask(asked, now);
                        self.perform(effects, now);
                    }
                    Err(why) => {
                        let (seq, refusal) = (self.game.seq(), view::server_refusal(why, lang));
                        answer = Some(text(&ServerMessage::Refused { id: name, seq, refusal }));
                    }
                }
            }
        }
        let mut said = self.said();
        said.extend(answer.as_ref().and_then(read));
        Ok(said)
    }

    fn greet(&mut self, message: &ClientMessage, now: Millis) -> Result<(), HostError> {
        let &ClientMessage::Hello { v, seq, lang } = message else {
            return Err(HostError::Malformed);
        };
        if v != VERSION {
            return Err(HostError::Version);
        }
        self.clients += 1;
        let (sender, inbox) = sync_channel::<Text>(MOST_UNSENT);
        let outbox: Outbox = Arc::new(move |text| sender.try_send(text.clone()).is_ok());
        let hello = Hello { id: self.clients, actor: self.actor, seq, outbox };
        self.client = Some(Client { id: self.clients, inbox, lang: view::lang(lang) });
        let effects = self.game.join(hello, now);
        self.perform(effects, now);
        Ok(())
    }

    fn said(&self) -> Vec<ServerMessage> {
        let inbox = self.client.as_ref().map(|client| &client.inbox);
        inbox.into_iter().flat_map(Receiver::try_iter).filter_map(|text| read(&text)).collect()
    }
}

/// A message, unless it is about presence.
fn read(text: &Text) -> Option<ServerMessage> {
    let message = serde_json::from_str(text).expect("a message");
    (!matches!(message, ServerMessage::Presence { .. })).then_some(message)
}

fn next_game() -> Option<String> {
    Some("conform00001".to_owned())
}

fn start(chance: &mut Chance) -> Start {
    let second = Millis::seconds(1);
    let time = chance.of(&[
        TimeControl::Unlimited,
        TimeControl::Unlimited,
        TimeControl::sudden_death(Millis::seconds(20)),
        TimeControl::fischer(Millis::seconds(5), second),
        TimeControl::delay(Millis::seconds(5), second),
        TimeControl::bronstein(Millis::seconds(5), second),
    ]);
    let fen = chance.of(&[
        None,
        None,
        None,
        Some("4k3/P6p/8/3pP3/8/8/p6P/4K2R w K d6 0 1"),
        Some("8/8/8/8/8/4k3/4p3/4K3 w - - 98 80"),
        Some("7k/8/5KQ1/8/8/8/8/8 b - - 0 1"),
        Some("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"),
    ]);
    let variant = chance.of(&[Variant::Standard, Variant::Standard, Variant::Chess960]);
    Start { time, variant, fen: fen.map(str::to_owned), ..Start::between("Mina", "Jun") }
}

fn uci(chance: &mut Chance, state: &State) -> String {
    let legal = state.game().position().legal_moves();
    match chance.below(5) {
        0 => {
            let square =
                |chance: &mut Chance| chance.text(b"abcdefgh", 1) + &chance.text(b"12345678", 1);
            let end = chance.of(&["", "", "q", "k"]);
            square(chance) + &square(chance) + end
        }
        1 if chance.below(4) == 0 => chance.text(b"abe24q0 ", 4),
        _ if legal.is_empty() => "e2e4".to_owned(),
        _ => {
            let all: Vec<_> = legal.into_iter().collect();
            chance.of(&all).uci(state.game().variant()).to_string()
        }
    }
}

fn wish(chance: &mut Chance, state: &State) -> Wish {
    let what = chance.of(&Offer::ALL);
    match chance.below(40) {
        0 => Wish::Resign,
        1 => Wish::Abort,
        2 => Wish::ClaimDraw { with: None },
        3 => Wish::ClaimDraw { with: Some(uci(chance, state)) },
        4 => Wish::ClaimAbsence { result: chance.of(&[Claimed::Win, Claimed::Draw]) },
        5..=7 => Wish::Offer { what },
        8 | 9 => Wish::Accept { what },
        10 => Wish::Decline { what },
        11 | 12 => {
            let name = chance.of(&[None, Some("me".to_owned())]);
            let text = chance.of(&["hi", "", "안녕", "e\u{301}", "\u{202e}", "long"]).to_owned();
            Wish::Chat { text, name }
        }
        13 => Wish::GiveTime { to: chance.of(&[Turn::White, Turn::Black]) },
        _ => Wish::Move { uci: uci(chance, state) },
    }
}

/// A message that a client may send, and now and then one that it may not.
fn message(chance: &mut Chance, host: &Host, sent: &mut Vec<ClientMessage>) -> ClientMessage {
    let state = host.state();
    let seq = (state.seq() + 2).saturating_sub(chance.below(14) as u64);
    let lang = chance.of(&[Language::Ko, Language::En]);
    match chance.below(100) {
        0 | 1 => ClientMessage::Hello { v: VERSION, seq, lang },
        2 => ClientMessage::Hello { v: VERSION + 1, seq, lang },
        3..=6 => ClientMessage::Sync { seq },
        7..=14 => ClientMessage::Why { uci: uci(chance, state) },
        15 => ClientMessage::Command { id: String::new(), command: Wish::Resign },
        // A resend, or another command under an old id.
        16..=21 if !sent.is_empty() => match (chance.of(sent), chance.below(4)) {
            (ClientMessage::Command { id, .. }, 0) => {
                ClientMessage::Command { id, command: wish(chance, state) }
            }
            (again, _) => again,
        },
        _ => {
            let id = format!("c{}", sent.len());
            let command = ClientMessage::Command { id, command: wish(chance, state) };
            sent.push(command.clone());
            command
        }
    }
}

#[test]
fn a_game_in_process_answers_as_the_server_does() {
    let mut chance = Chance(SEED);
    let (mut messages, mut flags, mut endings) = (0, 0, 0);
    while messages < MESSAGES {
        let mut now = Millis(1_000_000);
        let actor = chance.of(&[Actor::Both, Actor::Both, Actor::Both, Actor::White]);
        let Ok((mut host, entries)) = Host::start(GAME, start(&mut chance), actor, now) else {
            continue;
        };
        let mut state = State::default();
        for entry in &entries {
            apply(&mut state, entry).expect("what was decided fits");
        }
        let mut served = Served::new(state, actor, now);
        let mut sent = Vec::new();
        let mut greeted = false;
        for _ in 0..chance.below(300) {
            now = now.plus(Millis(chance.of(&[1, 30, 400, 400, 2_000, 9_000])));
            // The server forgives lag, and lets a flag fall a moment later, since a move may be on
            // its way. A game in process does neither, so no message comes within that time.
            if let Some(clock) = host.state().ticking() {
                let zero = clock.from.map_or(clock.until, |from| from.plus(clock.left));
                let fallen = clock.until.plus(FLAG_GRACE);
                if now >= zero && now < fallen {
                    now = fallen;
                }
                flags += usize::from(now >= zero);
            }
            let said = match greeted {
                true => message(&mut chance, &host, &mut sent),
                false => ClientMessage::Hello {
                    v: VERSION,
                    seq: chance.below(12) as u64,
                    lang: Language::Ko,
                },
            };
            let idle = chance.below(3) == 0;
            if idle {
                let own: Vec<_> = host.tick(now).messages.into_iter().filter(|_| greeted).collect();
                assert_eq!(own, served.tick(now), "a tick at {now:?}");
            }
            let told = served.hear(said.clone(), now);
            let own = host.hear(said.clone(), now, next_game).map(|heard| {
                let all = heard.messages.into_iter();
                all.filter(|m| !matches!(m, ServerMessage::Presence { .. })).collect::<Vec<_>>()
            });
            messages += 1;
            assert_eq!(own, told, "after message {messages} at {now:?}: {said:?}");
            greeted = true;
            if own.is_err() {
                host.disconnect();
                served.part(now);
                greeted = false;
            }
        }
        endings += usize::from(host.state().ending().is_some());
    }
    // The sequences reach what they are meant to reach.
    assert!(flags > 100 && endings > 100, "{flags} flags, {endings} endings");
}
