//! A client that follows the protocol: it sends `hello` with its last event, applies the next one,
//! drops older ones, syncs after a gap, and resends commands without an answer.

use std::collections::BTreeSet;

use hansu_chess::Color;
use hansu_client::{GameView, View};
use hansu_play::{Claimed, Millis, Offer};
use hansu_protocol::{
    ClientMessage, Language, Moves, Phase, ServerMessage, Snapshot, Special, Turn, Wish,
};

use crate::follow::{side, to_snapshot};
use crate::plan::{Person, Time};
use hansu_ground::Random;

/// A client gives a connection up after this long without a message; the server beats every 4 s.
pub(crate) const SILENCE: Time = 10_000;
/// Timeout of the welcome.
const WELCOME: Time = 6_000;
/// Timeout of a command's answer, after which the connection is given up.
const PATIENCE: Time = 9_000;
/// Minimum time between two `sync` messages.
const SYNC: Time = 700;
/// Time without targets after which a player to move sends `sync`.
const NO_TARGETS: Time = 3_000;

/// A client.
pub(crate) struct Client {
    pub(crate) person: Person,
    /// The connection it uses now.
    pub(crate) link: Option<usize>,
    pub(crate) welcomed: bool,
    /// The shipped client's state. Syncs and resends are decided here, because the simulated
    /// network loses single messages.
    view: View,
    pub(crate) presence: Option<(bool, bool, u32)>,
    pub(crate) pending: Vec<PendingCommand>,
    pub(crate) heard: Time,
    connected_at: Time,
    /// Offline until then.
    pub(crate) offline_until: Time,
    /// Sends no wishes until then.
    pub(crate) idle_until: Time,
    targets: Option<(u64, Moves)>,
    /// The number of the event that changed the board last, or of a later one.
    board: u64,
    without_targets: Option<Time>,
    last_sync: Time,
    number: usize,
    names: u32,
}

/// A command without an answer.
pub(crate) struct PendingCommand {
    pub(crate) id: String,
    pub(crate) wish: Wish,
    /// The connections over which it was sent.
    pub(crate) links: BTreeSet<usize>,
    sent: Option<Time>,
    /// When to send it again.
    again: Option<Time>,
}

/// What the client has to do.
pub(crate) enum Action {
    /// Send a message.
    Send(ClientMessage),
    /// Record the answer to a command: its event number, or the code of the refusal.
    Answer { id: String, answer: Result<u64, String> },
    /// Check the view, which has changed.
    CheckView,
    /// Close the connection.
    Close,
}

impl Client {
    pub(crate) fn new(number: usize, person: Person) -> Client {
        Client {
            person,
            link: None,
            welcomed: false,
            view: View::new(""),
            presence: None,
            pending: Vec::new(),
            heard: 0,
            connected_at: 0,
            offline_until: 0,
            idle_until: 0,
            targets: None,
            board: 0,
            without_targets: None,
            last_sync: 0,
            number,
            names: 0,
        }
    }

    pub(crate) fn seq(&self) -> u64 {
        self.view.game().seq
    }

    /// The view of the game as a snapshot; `None` before the first snapshot.
    pub(crate) fn snapshot(&self) -> Option<Snapshot> {
        self.game().map(to_snapshot)
    }

    fn game(&self) -> Option<&GameView> {
        Some(self.view.game()).filter(|game| game.known)
    }

    pub(crate) fn seat(&self) -> Option<Color> {
        match self.person {
            Person::Player(color) => Some(color),
            Person::Watcher | Person::Meddler => None,
        }
    }

    /// Begins a connection; returns `hello`.
    pub(crate) fn hello(&mut self, link: usize, now: Time) -> ClientMessage {
        (self.link, self.welcomed) = (Some(link), false);
        (self.connected_at, self.heard) = (now, now);
        self.view.hello(Language::En)
    }

    pub(crate) fn hang_up(&mut self) {
        self.link = None;
        self.welcomed = false;
        self.without_targets = None;
    }

    /// Handles a message.
    pub(crate) fn handle(&mut self, message: ServerMessage, now: Time) -> Vec<Action> {
        self.heard = now;
        let mut heard = Vec::new();
        match message {
            ServerMessage::Welcome { .. } => {
                self.welcomed = true;
                for pending in &mut self.pending {
                    pending.again = Some(now);
                }
            }
            ServerMessage::Snapshot(_) => heard.extend(self.apply(message, now)),
            ServerMessage::Event(ref happened) => {
                let seq = happened.entry.seq;
                if self.game().is_none() || seq > self.seq() + 1 {
                    heard.extend(self.sync(now));
                } else {
                    heard.extend(self.apply(message, now));
                }
            }
            ServerMessage::Turn { seq, moves } => {
                self.targets = Some((seq, moves));
                self.without_targets = None;
            }
            ServerMessage::Ack { id, seq } => {
                heard.push(Action::Answer { id, answer: Ok(seq) });
            }
            ServerMessage::Refused { id, refusal, .. } => {
                heard.push(Action::Answer { id, answer: Err(refusal.code) });
            }
            // The simulated clients do not ask why.
            ServerMessage::Why { .. } => {}
            ServerMessage::Presence { white, black, spectators } => {
                self.presence = Some((white, black, spectators));
            }
            ServerMessage::Beat { seq, .. } => {
                if seq > self.seq() {
                    heard.extend(self.sync(now));
                }
            }
            ServerMessage::Bye { .. } => heard.push(Action::Close),
        }
        heard
    }

    /// Lets the shipped client apply a message.
    fn apply(&mut self, message: ServerMessage, now: Time) -> Option<Action> {
        let (seq, board) = (self.seq(), self.view.game().board_seq);
        let is_snapshot = matches!(message, ServerMessage::Snapshot(_));
        let _ = self.view.hear(message, Millis(now));
        if is_snapshot || self.view.game().board_seq != board {
            self.board_changed(self.view.game().board_seq);
        }
        (is_snapshot || self.seq() != seq).then_some(Action::CheckView)
    }

    /// Drops targets of an older board and restarts the wait for new ones, since a board's event
    /// and its targets may both be late.
    fn board_changed(&mut self, seq: u64) {
        self.board = seq;
        self.without_targets = None;
        if self.targets.as_ref().is_some_and(|(known, _)| *known < seq) {
            self.targets = None;
        }
    }

    fn sync(&mut self, now: Time) -> Option<Action> {
        if now < self.last_sync + SYNC && self.last_sync > 0 {
            return None;
        }
        self.last_sync = now;
        Some(Action::Send(ClientMessage::Sync { seq: self.seq() }))
    }

    /// The actions that are due: resends, a sync, or closing the connection after a timeout.
    pub(crate) fn due_actions(&mut self, now: Time) -> Vec<Action> {
        let mut heard = Vec::new();
        let Some(link) = self.link else { return heard };
        if !self.welcomed {
            if now > self.connected_at + WELCOME {
                heard.push(Action::Close);
            }
            return heard;
        }
        for pending in &mut self.pending {
            if pending.again.is_some_and(|again| again <= now) {
                pending.again = None;
                pending.sent = Some(now);
                pending.links.insert(link);
                let (id, command) = (pending.id.clone(), pending.wish.clone());
                heard.push(Action::Send(ClientMessage::Command { id, command }));
            }
        }
        let is_lost =
            |pending: &PendingCommand| pending.sent.is_some_and(|sent| now > sent + PATIENCE);
        if now > self.heard + SILENCE || self.pending.iter().any(is_lost) {
            heard.push(Action::Close);
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
        self.game().is_some_and(|game| {
            game.phase == Phase::Playing && self.seat().map(side) == Some(game.turn())
        })
    }

    /// How long a player to move has had no targets.
    pub(crate) fn without_targets(&self, now: Time) -> Time {
        self.without_targets.map_or(0, |since| now.saturating_sub(since))
    }

    /// Adds a command; returns its id.
    pub(crate) fn want(&mut self, wish: Wish, now: Time) -> String {
        self.names += 1;
        let id = format!("{}-{}", self.number, self.names);
        self.pending.push(PendingCommand {
            id: id.clone(),
            wish,
            links: BTreeSet::new(),
            sent: None,
            again: Some(now),
        });
        id
    }

    /// Schedules a resend of a command that the server could not do.
    pub(crate) fn retry_at(&mut self, id: &str, at: Time) {
        if let Some(pending) = self.pending.iter_mut().find(|pending| pending.id == id) {
            (pending.again, pending.sent) = (Some(at), None);
        }
    }

    /// A random wish, if any.
    pub(crate) fn wish(&self, random: &mut Random) -> Option<Wish> {
        let view = self.game()?;
        if self.pending.len() >= 3 {
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
        // All texts differ, so that a duplicate is noticed.
        let text = format!("{}.{}", self.number, self.names);
        let name = random.permille(500).then(|| "Watcher".to_owned());
        Wish::Chat { text, name }
    }

    fn meddle(&self, view: &GameView, random: &mut Random) -> Wish {
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

    fn play(&self, view: &GameView, color: Color, random: &mut Random) -> Option<Wish> {
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
        if view.turn() != own || self.pending.iter().any(|pending| is_moving(&pending.wish)) {
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

    /// White resigns, so that a game comes to its end.
    pub(crate) fn final_wish(&self) -> Option<Wish> {
        let view = self.game()?;
        let goes_on = matches!(view.phase, Phase::Playing | Phase::Adjourned);
        let plays = self.seat().map(side) == Some(Turn::White);
        (plays && goes_on && self.pending.is_empty()).then_some(Wish::Resign)
    }
}

/// A random move of those that the server has sent.
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
