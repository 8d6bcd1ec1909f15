//! A room with its people: who is connected to a game here, and what is said to them.
//!
//! It waits for nothing: what is to be written, read or looked up is left to whoever holds the
//! table, so that a simulation can hold one as well as the server.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use hansu_chess::Color;
use hansu_play::{Actor, Command, Entry, Event, Millis, Offer, Start};
use hansu_protocol::{self as wire, ServerMessage, Wish};
use hansu_records::{Appended, Begins, Error, GameId, Holder, Seat, Side};
use hansu_words::{Lang, ServerRefusal};
use tokio::sync::{mpsc, oneshot};

use self::plies::Plies;
use crate::bus::{Follow, NodeId};
use crate::figures;
use crate::room::{Act, Asked, Here, Room, Sight, Told};
use crate::view;

/// Messages that may wait for one connection; who reads more slowly is closed and comes back.
pub(crate) const MOST_UNSENT: usize = 64;
/// Events that are kept ready for those who come back after a moment.
const RECENT: usize = 8;
/// How long those at a table wait to hear how many watch, unless something else is said before:
/// many come and go at once, and each time all would be told.
const CROWD: Millis = Millis(1_000);
/// What was said, as far as newcomers are told.
const MOST_SAID: usize = 100;

/// A game on this node.
pub struct Table {
    pub(crate) id: GameId,
    inner: Mutex<Inner>,
    /// From when on a tick may have something to do: thousands of tables are asked ten times a
    /// second, and most have nothing.
    wakes: AtomicU64,
    /// News of the game are heard as long as there is a table.
    _follow: Option<Follow>,
}

/// A table in somebody's hands; let go, it says when it wants to be looked at again.
struct Held<'a> {
    inner: MutexGuard<'a, Inner>,
    wakes: &'a AtomicU64,
}

impl Deref for Held<'_> {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

impl DerefMut for Held<'_> {
    fn deref_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // Before the lock goes: whoever changes the table next also says it next.
        self.wakes.store(self.inner.wakes().0, Ordering::Relaxed);
    }
}

struct Inner {
    room: Room,
    /// What a game that waits shall be; nothing once it has begun.
    wanted: Option<Start>,
    seats: Vec<Seat>,
    listeners: Vec<Listener>,
    /// Those who asked over HTTP.
    callers: HashMap<u64, (oneshot::Sender<Answer>, Lang)>,
    /// What was asked and is not answered yet: by whom, under which name, since when.
    open: Vec<(u64, String, Instant)>,
    recent: VecDeque<(u64, Utf8Bytes)>,
    said: VecDeque<wire::Said>,
    plies: Plies,
    shown: Shown,
    /// Who is connected at other nodes.
    others: Vec<(NodeId, Here)>,
    /// What the other nodes were told of who is connected here.
    told: Here,
    used: Millis,
    /// The invitation was withdrawn.
    gone: bool,
}

/// Whether White and Black are here, and how many watch.
type Presence = (bool, bool, u32);

/// What everybody was told of who is there.
#[derive(Clone, Copy, Default)]
struct Shown {
    /// Nothing when somebody was told something else.
    presence: Option<Presence>,
    /// Whether White and Black were.
    players: (bool, bool),
    /// When that was said for itself, not along with something else.
    at: Millis,
}

struct Listener {
    id: u64,
    actor: Actor,
    lang: Lang,
    outbox: Outbox,
}

/// Messages that wait for one connection, and where they are taken from.
pub type Outbox = mpsc::Sender<Utf8Bytes>;
/// Where a connection's messages come out.
pub type Inbox = mpsc::Receiver<Utf8Bytes>;

/// A queue for one connection.
pub fn queue() -> (Outbox, Inbox) {
    mpsc::channel(MOST_UNSENT)
}

/// The id under which the log keeps a command: whose it is, a colon, and the client's own name
/// for it, so that nobody answers for another.
pub fn client(actor: Actor, who: &str, id: &str) -> String {
    match actor {
        Actor::White => format!("w:{id}"),
        Actor::Black => format!("b:{id}"),
        Actor::Both => format!("l:{id}"),
        Actor::System => format!("x:{id}"),
        Actor::Spectator => format!("s{who}:{id}"),
    }
}

/// What became of a command, for whoever asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    Done { seq: u64 },
    Refused { seq: u64, refusal: wire::Refusal },
}

/// What is left to do outside, once the table is let go.
#[derive(Debug)]
pub enum Errand {
    /// Write this; the answer goes to [`Table::wrote`].
    Write(Box<hansu_records::Append>),
    /// Read the events after this one; the answer goes to [`Table::read`].
    Read {
        /// The last event that is known here.
        after: u64,
    },
    /// A resend may have been refused because the first sending was done: the log knows, and its
    /// answer goes to [`Table::looked_up`].
    LookUp {
        /// Who asked.
        to: u64,
        /// The command's name in the log.
        client: String,
        /// Why it was refused, if it was not done before.
        refusal: wire::Refusal,
    },
    /// What the list of live games shows has changed.
    Changed,
    /// Who is connected here has changed: other nodes want to know.
    Here(Here),
}

/// Somebody who connects.
pub struct Hello {
    /// The connection's number, which no other has.
    pub id: u64,
    /// As whom.
    pub actor: Actor,
    /// In which language sentences are.
    pub lang: Lang,
    /// The last event that the client has; 0 for none.
    pub seq: u64,
    /// Where messages to it go.
    pub outbox: Outbox,
}

/// What a thread keeps of its paper: more than nearly all messages need.
const PAPER: usize = 16 * 1024;

thread_local! {
    /// What messages are written on before their length is known: a message that waits takes no
    /// more room than it needs.
    static SHEET: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A message as it goes over the wire.
pub(crate) fn text<T: serde::Serialize>(message: &T) -> Utf8Bytes {
    SHEET.with_borrow_mut(|sheet| {
        sheet.clear();
        sheet.shrink_to(PAPER);
        // Nothing in the protocol has keys that are no texts, so this does not fail.
        let written = serde_json::to_writer(&mut *sheet, message).ok();
        written.and_then(|()| str::from_utf8(sheet).ok()).unwrap_or_default().into()
    })
}

/// Where somebody sits.
pub(crate) fn place(actor: Actor) -> Option<wire::Place> {
    match actor {
        Actor::White => Some(wire::Place::White),
        Actor::Black => Some(wire::Place::Black),
        Actor::Both => Some(wire::Place::Both),
        Actor::System | Actor::Spectator => None,
    }
}

/// Whether a next game may come of it at once: one side accepts, or both offer.
fn may_agree_on_rematch(command: &Command) -> bool {
    matches!(
        command,
        Command::Offer { what: Offer::Rematch, .. } | Command::Accept { what: Offer::Rematch, .. }
    )
}

fn presence((white, black, spectators): Presence) -> ServerMessage {
    ServerMessage::Presence { white, black, spectators }
}

impl Table {
    /// A table with nobody at it. `wanted` is what a game that waits shall be; `said` is the chat
    /// so far.
    pub fn new(
        id: GameId,
        room: Room,
        wanted: Option<Start>,
        seats: Vec<Seat>,
        mut said: VecDeque<wire::Said>,
        now: Millis,
    ) -> Table {
        said.drain(..said.len().saturating_sub(MOST_SAID));
        let inner = Inner {
            room,
            wanted,
            seats,
            listeners: Vec::new(),
            callers: HashMap::new(),
            open: Vec::new(),
            recent: VecDeque::new(),
            said,
            plies: Plies::default(),
            shown: Shown::default(),
            others: Vec::new(),
            told: Here::default(),
            used: now,
            gone: false,
        };
        Table { id, inner: Mutex::new(inner), wakes: AtomicU64::new(0), _follow: None }
    }

    /// The same table, hearing what other nodes tell of its game.
    pub(crate) fn following(self, follow: Option<Follow>) -> Table {
        Table { _follow: follow, ..self }
    }

    fn inner(&self) -> Held<'_> {
        // Nothing panics while the lock is held; if it did, the log still has the truth.
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        Held { inner, wakes: &self.wakes }
    }

    /// Whether a tick may have something to do.
    pub fn is_due(&self, now: Millis) -> bool {
        self.wakes.load(Ordering::Relaxed) <= now.0
    }

    /// As whom somebody comes to this game.
    pub fn actor(&self, holder: Option<Holder>) -> Actor {
        let inner = self.inner();
        let has = |side| inner.seats.iter().any(|s| Some(s.holder) == holder && s.side == side);
        match (has(Side::White), has(Side::Black), has(Side::Both)) {
            (_, _, true) | (true, true, _) => Actor::Both,
            (true, false, false) => Actor::White,
            (false, true, false) => Actor::Black,
            (false, false, false) => Actor::Spectator,
        }
    }

    /// Who sits here from now on, once the game has begun.
    pub(crate) fn seat(&self, seats: Vec<Seat>) {
        let mut inner = self.inner();
        inner.seats = seats;
        inner.wanted = None;
    }

    /// Looks at the room.
    pub fn look<T>(&self, look: impl FnOnce(&Room) -> T) -> T {
        look(&self.inner().room)
    }

    /// Whether the game waits for its second player.
    pub(crate) fn is_waiting(&self) -> bool {
        self.inner().wanted.is_some()
    }

    /// Whether nobody is known to have a seat.
    pub(crate) fn is_unseated(&self) -> bool {
        self.inner().seats.is_empty()
    }

    /// Somebody connects and is told everything, or what is missing.
    pub fn join(&self, hello: Hello, now: Millis) -> Vec<Errand> {
        let mut inner = self.inner();
        let Hello { id, actor, lang, seq, outbox } = hello;
        inner.used = now;
        let welcome = ServerMessage::Welcome {
            v: wire::VERSION,
            game: self.id.to_string(),
            seat: place(actor),
            seq: inner.room.state().seq(),
            now,
        };
        // A new outbox has room for all that follows: at most `RECENT` and four more.
        let _ = outbox.try_send(text(&welcome));
        inner.catch_up(seq, &outbox);
        inner.show_turn(actor, &outbox);
        inner.room.arrive(actor);
        let _ = outbox.try_send(text(&presence(inner.presence())));
        // The newcomer knows more than the others, and must hear when it is so no longer.
        inner.shown.presence = None;
        inner.listeners.push(Listener { id, actor, lang, outbox });
        let mut acts = Vec::new();
        inner.room.tick(now, &mut acts);
        inner.perform(acts)
    }

    /// Somebody disconnects.
    pub fn part(&self, id: u64, actor: Actor, now: Millis) {
        let mut inner = self.inner();
        inner.used = now;
        inner.listeners.retain(|listener| listener.id != id);
        inner.room.depart(actor, now);
    }

    /// Somebody has found a gap.
    pub fn sync(&self, id: u64, seq: u64) {
        let mut inner = self.inner();
        if let Some(listener) = inner.listeners.iter().find(|listener| listener.id == id) {
            let (actor, outbox) = (listener.actor, listener.outbox.clone());
            inner.catch_up(seq, &outbox);
            inner.show_turn(actor, &outbox);
        }
    }

    /// Somebody asks for something.
    pub fn ask(&self, mut asked: Asked, now: Millis) -> Vec<Errand> {
        let mut inner = self.inner();
        inner.used = now;
        if may_agree_on_rematch(&asked.command) {
            asked.begins = Some(inner.rematch());
        }
        if let (Some(by), Some(client)) = (asked.by, &asked.client) {
            inner.open.push((by, client.clone(), Instant::now()));
        }
        let mut acts = Vec::new();
        inner.room.ask(asked, now, &mut acts);
        inner.perform(acts)
    }

    /// The same over HTTP: the answer comes back once.
    pub(crate) fn call(
        &self,
        asked: Asked,
        lang: Lang,
        now: Millis,
    ) -> (oneshot::Receiver<Answer>, Vec<Errand>) {
        let (sender, answer) = oneshot::channel();
        if let Some(id) = asked.by {
            self.inner().callers.insert(id, (sender, lang));
        }
        (answer, self.ask(asked, now))
    }

    /// Time passes.
    pub fn tick(&self, now: Millis) -> Vec<Errand> {
        let mut inner = self.inner();
        inner.show_presence(now);
        let mut acts = Vec::new();
        inner.room.tick(now, &mut acts);
        let mut errands = inner.perform(acts);
        errands.extend(inner.tell_others());
        errands
    }

    /// The log has written, or not.
    pub fn wrote(&self, answer: Result<Appended, Error>, now: Millis) -> Vec<Errand> {
        let mut inner = self.inner();
        let mut acts = Vec::new();
        inner.room.wrote(answer, now, &mut acts);
        inner.perform(acts)
    }

    /// The log has read, or not.
    pub fn read(&self, answer: Result<Vec<Entry>, Error>, now: Millis) -> Vec<Errand> {
        let mut inner = self.inner();
        let mut acts = Vec::new();
        inner.room.read(answer, now, &mut acts);
        inner.perform(acts)
    }

    /// Somebody has heard that the log knows more.
    pub fn hint(&self, seq: u64) -> Vec<Errand> {
        let mut inner = self.inner();
        let mut acts = Vec::new();
        inner.room.hint(seq, &mut acts);
        inner.perform(acts)
    }

    /// Another node has told what it has written.
    pub fn heard(&self, entries: &[Entry], now: Millis) -> Vec<Errand> {
        let mut inner = self.inner();
        let mut acts = Vec::new();
        match (inner.wanted.is_some(), entries.last()) {
            // Who sits down is in the log and not in what was told.
            (true, Some(last)) => inner.room.hint(last.seq, &mut acts),
            _ => inner.room.heard(entries, now, &mut acts),
        }
        inner.perform(acts)
    }

    /// Another node has told who is connected there; `since` is when it was last heard.
    pub(crate) fn others(&self, node: NodeId, here: Here, since: Millis) {
        let mut inner = self.inner();
        inner.others.retain(|(other, _)| *other != node);
        if here != Here::default() {
            inner.others.push((node, here));
        }
        let all = inner.others.iter().fold(Here::default(), |all, (_, here)| all.and(*here));
        inner.room.elsewhere(all, since);
    }

    /// Another node is no more, and nobody is connected there; it was last heard at `since`.
    pub(crate) fn without(&self, node: NodeId, since: Millis) {
        let known = self.inner().others.iter().any(|(other, _)| *other == node);
        if known {
            self.others(node, Here::default(), since);
        }
    }

    /// This node sees further than before, or less far.
    pub(crate) fn see(&self, sight: Sight, now: Millis) {
        self.inner().room.see(sight, now);
    }

    /// The log has said whether a command was done before, or has not.
    pub fn looked_up(
        &self,
        to: u64,
        client: &str,
        seq: Result<Option<u64>, Error>,
        no: wire::Refusal,
    ) {
        let mut inner = self.inner();
        let answer = match seq {
            Ok(Some(seq)) => Answer::Done { seq },
            Ok(None) => Answer::Refused { seq: inner.room.state().seq(), refusal: no },
            // Who does not know must not say that it was not done.
            Err(error) => {
                let refusal = view::failure(error, inner.lang(to));
                Answer::Refused { seq: inner.room.state().seq(), refusal }
            }
        };
        inner.answer(to, Some(client), answer);
    }

    /// The game does not take place: everybody here is sent away.
    pub(crate) fn dismiss(&self) {
        let mut inner = self.inner();
        inner.gone = true;
        inner.listeners.clear();
    }

    /// Whether the game does not take place.
    pub(crate) fn is_gone(&self) -> bool {
        self.inner().gone
    }

    /// Whether nobody has used the table since then and nothing is under way.
    pub fn is_forgettable(&self, since: Millis) -> bool {
        let inner = self.inner();
        inner.used < since
            && inner.room.is_idle()
            && inner.room.is_deserted()
            && inner.callers.is_empty()
    }

    /// The last event.
    pub fn seq(&self) -> u64 {
        self.inner().room.state().seq()
    }

    /// The whole game.
    pub fn snapshot(&self) -> wire::Snapshot {
        self.inner().snapshot()
    }

    /// What a wish comes to. `fresh` draws the name of the next game, if it may come to that.
    ///
    /// # Errors
    ///
    /// When a text is no move, or no name can be drawn.
    pub fn command(
        &self,
        wish: Wish,
        actor: Actor,
        fresh: impl Fn() -> Result<GameId, Error>,
    ) -> Result<Command, ServerRefusal> {
        figures::asked(&wish);
        let uci = |text: &str| text.parse().map_err(|_| ServerRefusal::BadMove);
        let next = |what| match what {
            Offer::Rematch => match fresh() {
                Ok(id) => Ok(Some(id.to_string())),
                Err(_) => Err(ServerRefusal::Unavailable),
            },
            _ => Ok(None),
        };
        Ok(match wish {
            Wish::Move { uci: step } => Command::Move { uci: uci(&step)? },
            Wish::Resign => Command::Resign,
            Wish::Offer { what } => Command::Offer { what, next: next(what)? },
            Wish::Accept { what } => Command::Accept { what, next: next(what)? },
            Wish::Decline { what } => Command::Decline { what },
            Wish::ClaimDraw { with } => {
                Command::ClaimDraw { with: with.as_deref().map(uci).transpose()? }
            }
            Wish::ClaimAbsence { result } => Command::ClaimAbsence { result },
            Wish::Abort => Command::Abort,
            Wish::Chat { text, name } => {
                // Players are known by their seats.
                let name = name.filter(|_| actor == Actor::Spectator);
                Command::Chat { text, name }
            }
        })
    }
}

mod plies;
mod telling;
#[cfg(test)]
mod tests;
