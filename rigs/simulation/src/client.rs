//! Somebody with a screen who keeps to the protocol: says hello with the last event, takes the next
//! one, drops older ones, asks on a gap, and sends again what was not answered.

use std::collections::BTreeSet;

use hansu_chess::Color;
use hansu_client::{Seen, View};
use hansu_play::{Claimed, Millis, Offer};
use hansu_protocol::{
    ClientMessage, Language, Moves, Phase, ServerMessage, Snapshot, Special, Turn, Wish,
};

use crate::follow::{shown, side};
use crate::plan::{Person, Time};
use hansu_ground::Random;

/// A connection on which nothing is heard for so long is given up; the server beats every 4 s.
pub(crate) const SILENCE: Time = 10_000;
/// How long a client waits for its welcome.
const WELCOME: Time = 6_000;
/// How long a command may go without an answer before the connection is given up.
const PATIENCE: Time = 9_000;
/// How long one waits between two requests for what is missing.
const SYNC: Time = 700;
/// How long one who is to move waits for the targets.
const NO_TARGETS: Time = 3_000;

/// A client.
pub(crate) struct Client {
    pub(crate) person: Person,
    /// The connection it uses now.
    pub(crate) line: Option<usize>,
    pub(crate) welcomed: bool,
    /// What the shipped client makes of the messages. When to ask again and to resend is decided
    /// here, because this network loses single messages.
    view: View,
    pub(crate) presence: Option<(bool, bool, u32)>,
    pub(crate) wanted: Vec<Wanted>,
    pub(crate) heard: Time,
    called: Time,
    /// Switched off until then.
    pub(crate) away: Time,
    /// Thinks until then.
    pub(crate) thinks: Time,
    targets: Option<(u64, Moves)>,
    /// The event with which the board came to be as it is, or a later one.
    board: u64,
    without_targets: Option<Time>,
    synced: Time,
    number: usize,
    names: u32,
}

/// A command that was not answered yet.
pub(crate) struct Wanted {
    pub(crate) id: String,
    pub(crate) wish: Wish,
    /// The connections over which it was sent.
    pub(crate) lines: BTreeSet<usize>,
    sent: Option<Time>,
    /// When it shall be sent again.
    again: Option<Time>,
}

/// What a message leads to.
pub(crate) enum Heard {
    /// Something to be said.
    Say(ClientMessage),
    /// A command is answered: done, or refused with a code.
    Answer { id: String, answer: Result<u64, String> },
    /// The picture has changed.
    Shown,
    /// The server says goodbye.
    Closed,
}

impl Client {
    pub(crate) fn new(number: usize, person: Person) -> Client {
        Client {
            person,
            line: None,
            welcomed: false,
            view: View::new(""),
            presence: None,
            wanted: Vec::new(),
            heard: 0,
            called: 0,
            away: 0,
            thinks: 0,
            targets: None,
            board: 0,
            without_targets: None,
            synced: 0,
            number,
            names: 0,
        }
    }

    pub(crate) fn seq(&self) -> u64 {
        self.view.seen().seq
    }

    /// What the client shows; nothing before its first snapshot.
    pub(crate) fn shown(&self) -> Option<Snapshot> {
        self.seen().map(shown)
    }

    fn seen(&self) -> Option<&Seen> {
        Some(self.view.seen()).filter(|seen| seen.known)
    }

    pub(crate) fn seat(&self) -> Option<Color> {
        match self.person {
            Person::Player(color) => Some(color),
            Person::Watcher | Person::Meddler => None,
        }
    }

    /// A new connection.
    pub(crate) fn hello(&mut self, line: usize, now: Time) -> ClientMessage {
        (self.line, self.welcomed) = (Some(line), false);
        (self.called, self.heard) = (now, now);
        self.view.hello(Language::En)
    }

    pub(crate) fn hang_up(&mut self) {
        self.line = None;
        self.welcomed = false;
        self.without_targets = None;
    }

    /// Takes a message.
    pub(crate) fn hear(&mut self, message: ServerMessage, now: Time) -> Vec<Heard> {
        self.heard = now;
        let mut heard = Vec::new();
        match message {
            ServerMessage::Welcome { .. } => {
                self.welcomed = true;
                for wanted in &mut self.wanted {
                    wanted.again = Some(now);
                }
            }
            ServerMessage::Snapshot(_) => heard.extend(self.see(message, now)),
            ServerMessage::Event(ref happened) => {
                let seq = happened.entry.seq;
                if self.seen().is_none() || seq > self.seq() + 1 {
                    heard.extend(self.sync(now));
                } else {
                    heard.extend(self.see(message, now));
                }
            }
            ServerMessage::Turn { seq, moves } => {
                self.targets = Some((seq, moves));
                self.without_targets = None;
            }
            ServerMessage::Ack { id, seq } => {
                heard.push(Heard::Answer { id, answer: Ok(seq) });
            }
            ServerMessage::Refused { id, refusal, .. } => {
                heard.push(Heard::Answer { id, answer: Err(refusal.code) });
            }
            // Only asked for by boards.
            ServerMessage::Why { .. } => {}
            ServerMessage::Presence { white, black, spectators } => {
                self.presence = Some((white, black, spectators));
            }
            ServerMessage::Beat { seq, .. } => {
                if seq > self.seq() {
                    heard.extend(self.sync(now));
                }
            }
            ServerMessage::Bye { .. } => heard.push(Heard::Closed),
        }
        heard
    }

    /// Lets the shipped client take a message.
    fn see(&mut self, message: ServerMessage, now: Time) -> Option<Heard> {
        let (seq, board) = (self.seq(), self.view.seen().board_seq);
        let is_snapshot = matches!(message, ServerMessage::Snapshot(_));
        let _ = self.view.hear(message, Millis(now));
        if is_snapshot || self.view.seen().board_seq != board {
            self.changed(self.view.seen().board_seq);
        }
        (is_snapshot || self.seq() != seq).then_some(Heard::Shown)
    }

    /// Targets of an older board are of no use, and the wait for those of the new one begins: its
    /// event and its targets may be late one after the other.
    fn changed(&mut self, seq: u64) {
        self.board = seq;
        self.without_targets = None;
        if self.targets.as_ref().is_some_and(|(known, _)| *known < seq) {
            self.targets = None;
        }
    }

    fn sync(&mut self, now: Time) -> Option<Heard> {
        if now < self.synced + SYNC && self.synced > 0 {
            return None;
        }
        self.synced = now;
        Some(Heard::Say(ClientMessage::Sync { seq: self.seq() }))
    }

    /// What is to be said without being asked: what was not answered, and what is missing.
    pub(crate) fn remember(&mut self, now: Time) -> Vec<Heard> {
        let mut heard = Vec::new();
        let Some(line) = self.line else { return heard };
        if !self.welcomed {
            if now > self.called + WELCOME {
                heard.push(Heard::Closed);
            }
            return heard;
        }
        for wanted in &mut self.wanted {
            if wanted.again.is_some_and(|again| again <= now) {
                wanted.again = None;
                wanted.sent = Some(now);
                wanted.lines.insert(line);
                let (id, command) = (wanted.id.clone(), wanted.wish.clone());
                heard.push(Heard::Say(ClientMessage::Command { id, command }));
            }
        }
        let is_lost = |wanted: &Wanted| wanted.sent.is_some_and(|sent| now > sent + PATIENCE);
        if now > self.heard + SILENCE || self.wanted.iter().any(is_lost) {
            heard.push(Heard::Closed);
        }
        if self.needs_targets() && self.targets.is_none() {
            let since = *self.without_targets.get_or_insert(now);
            if now > since + NO_TARGETS {
                heard.extend(self.sync(now));
            }
        } else {
            self.without_targets = None;
        }
        heard
    }

    fn needs_targets(&self) -> bool {
        self.seen().is_some_and(|seen| {
            seen.phase == Phase::Playing && self.seat().map(side) == Some(seen.turn())
        })
    }

    /// For how long one who is to move has not been told where to.
    pub(crate) fn without_targets(&self, now: Time) -> Time {
        self.without_targets.map_or(0, |since| now.saturating_sub(since))
    }

    /// Something is wanted.
    pub(crate) fn want(&mut self, wish: Wish, now: Time) -> String {
        self.names += 1;
        let id = format!("{}-{}", self.number, self.names);
        self.wanted.push(Wanted {
            id: id.clone(),
            wish,
            lines: BTreeSet::new(),
            sent: None,
            again: Some(now),
        });
        id
    }

    /// The server asks to try again.
    pub(crate) fn later(&mut self, id: &str, at: Time) {
        if let Some(wanted) = self.wanted.iter_mut().find(|wanted| wanted.id == id) {
            (wanted.again, wanted.sent) = (Some(at), None);
        }
    }

    /// What one would like to do now.
    pub(crate) fn wish(&self, random: &mut Random) -> Option<Wish> {
        let view = self.seen()?;
        if self.wanted.len() >= 3 {
            return None;
        }
        match self.person {
            Person::Watcher => random.permille(25).then(|| self.chat(random)),
            Person::Meddler => random.permille(100).then(|| self.meddle(view, random)),
            Person::Player(color) => match view.phase {
                Phase::Waiting => None,
                Phase::Playing => self.play(view, color, random),
                Phase::Adjourned => Some(match random.below(4) {
                    0 => self.chat(random),
                    1 => Wish::Offer { what: Offer::Draw },
                    _ => Wish::Offer { what: Offer::Resumption },
                }),
                Phase::Ended => match random.below(40) {
                    0 => Some(self.chat(random)),
                    1 => Some(Wish::Offer { what: Offer::Rematch }),
                    2 => Some(Wish::Accept { what: Offer::Rematch }),
                    3 => Some(Wish::Resign),
                    _ => None,
                },
            },
        }
    }

    fn chat(&self, random: &mut Random) -> Wish {
        // Every line is another, so that a doubled one is seen.
        let text = format!("{}.{}", self.number, self.names);
        let name = random.permille(500).then(|| "Watcher".to_owned());
        Wish::Chat { text, name }
    }

    fn meddle(&self, view: &Seen, random: &mut Random) -> Wish {
        let what = random.pick(&Offer::ALL).unwrap_or(Offer::Draw);
        match random.below(7) {
            0 => Wish::Resign,
            1 => Wish::Offer { what },
            2 => Wish::Accept { what },
            3 => Wish::Abort,
            4 => Wish::ClaimAbsence { result: Claimed::Win },
            5 => self.chat(random),
            _ if view.plies.is_empty() => Wish::Move { uci: "e2e4".to_owned() },
            _ => Wish::Move { uci: "g8f6".to_owned() },
        }
    }

    fn play(&self, view: &Seen, color: Color, random: &mut Random) -> Option<Wish> {
        let own = side(color);
        let open = view.offers.iter().find(|offer| offer.by != own).map(|offer| offer.what);
        if let Some(what) = open
            && random.permille(150)
        {
            return Some(match random.below(6) {
                0..=3 => Wish::Decline { what },
                4 => Wish::Offer { what },
                _ => Wish::Accept { what },
            });
        }
        let opponent_left = view.left[!color].is_some();
        match random.below(100) {
            0..=1 => return Some(self.chat(random)),
            2..=3 => return Some(Wish::Offer { what: random.pick(&Offer::ALL)? }),
            4 if random.permille(300) => return Some(Wish::GiveTime { to: side(!color) }),
            6 => return Some(Wish::Accept { what: random.pick(&Offer::ALL)? }),
            7 => return Some(Wish::ClaimDraw { with: None }),
            8 => return Some(Wish::Move { uci: "e1e8".to_owned() }),
            9 if random.permille(50) => return Some(Wish::Resign),
            10 if random.permille(50) => return Some(Wish::Abort),
            11 => return Some(Wish::Move { uci: "no move".to_owned() }),
            12..=30 if opponent_left => {
                let result = random.pick(&[Claimed::Win, Claimed::Draw])?;
                return Some(Wish::ClaimAbsence { result });
            }
            _ => {}
        }
        let is_moving = |wish: &Wish| matches!(wish, Wish::Move { .. } | Wish::ClaimDraw { .. });
        if view.turn() != own || self.wanted.iter().any(|wanted| is_moving(&wanted.wish)) {
            return None;
        }
        let (_, moves) = self.targets.as_ref()?;
        let uci = choose(moves, random)?;
        let claims = moves.claim.is_some() && random.permille(300);
        Some(match (claims, random.permille(20)) {
            (true, _) => Wish::ClaimDraw { with: None },
            (false, true) => Wish::ClaimDraw { with: Some(uci) },
            (false, false) => Wish::Move { uci },
        })
    }

    /// Gives up, so that a game comes to its end.
    pub(crate) fn gives_up(&self) -> Option<Wish> {
        let view = self.seen()?;
        let goes_on = matches!(view.phase, Phase::Playing | Phase::Adjourned);
        let plays = self.seat().map(side) == Some(Turn::White);
        (plays && goes_on && self.wanted.is_empty()).then_some(Wish::Resign)
    }
}

/// One of the moves that the server has told.
fn choose(moves: &Moves, random: &mut Random) -> Option<String> {
    let from: Vec<&String> = moves.targets.keys().collect();
    let from = random.pick(&from)?;
    let targets = moves.targets.get(from)?;
    let place = 2 * random.index(targets.len() / 2);
    let to = targets.get(place..place + 2)?;
    let promotes = moves.special.get(&format!("{from}{to}")) == Some(&Special::Promotion);
    let role = if promotes { random.pick(&["q", "r", "b", "n"])? } else { "" };
    Some(format!("{from}{to}{role}"))
}
