//! A room with its people: who is connected to a game here, and what is said to them.
//!
//! It waits for nothing: what is to be written, read or looked up is left to whoever holds the
//! table, so that a simulation can hold one as well as the server.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hansu_chess::Color;
use hansu_journal::visibility;
use hansu_play::{Actor, Command, Entry, Event, Millis, Moment, Offer, Start};
use hansu_protocol::{self as wire, ServerMessage};
use hansu_records::{Appended, Begins, Error, GameId, Holder, Seat, Side};
use hansu_view::{self as view, MOST_SAID};
use hansu_words::Lang;

use self::plies::Plies;
use crate::room::{Asked, Here, Room, Sight};
use crate::{Answer, Asker, CommandKey, Effect, Effects, NotDone, Notice, Text, Told, text};

/// Messages that may wait for one connection; who reads more slowly is closed and comes back.
pub const MOST_UNSENT: usize = 64;
/// Events that are kept ready for those who come back after a moment.
const RECENT: usize = 8;
/// How long those at a table wait to hear how many watch, unless something else is said before:
/// many come and go at once, and each time all would be told.
const CROWD: Millis = Millis(1_000);

/// A game on this node.
pub struct LiveGame {
    id: GameId,
    inner: Mutex<Inner>,
    /// From when on a tick may have something to do: thousands of tables are asked ten times a
    /// second, and most have nothing.
    wakes: AtomicU64,
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
    recent: VecDeque<(u64, Text)>,
    said: VecDeque<wire::Said>,
    plies: Plies,
    shown: Shown,
    /// Who is connected at other nodes.
    others: Vec<(u64, Here)>,
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
    outbox: Outbox,
}

/// Sends a message to one connection; false when its queue is full or it is gone.
pub type Outbox = Arc<dyn Fn(&Text) -> bool + Send + Sync>;

/// Somebody who connects.
pub struct Hello {
    /// The connection's number, which no other has.
    pub id: u64,
    /// As whom.
    pub actor: Actor,
    /// The last event that the client has; 0 for none.
    pub seq: u64,
    /// Where messages to it go.
    pub outbox: Outbox,
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

impl LiveGame {
    /// A table with nobody at it. `wanted` is what a game that waits shall be; `said` is the chat
    /// so far.
    pub fn new(
        id: GameId,
        room: Room,
        wanted: Option<Start>,
        seats: Vec<Seat>,
        mut said: VecDeque<wire::Said>,
        now: Millis,
    ) -> LiveGame {
        said.drain(..said.len().saturating_sub(MOST_SAID));
        let inner = Inner {
            room,
            wanted,
            seats,
            listeners: Vec::new(),
            recent: VecDeque::new(),
            said,
            plies: Plies::default(),
            shown: Shown::default(),
            others: Vec::new(),
            told: Here::default(),
            used: now,
            gone: false,
        };
        LiveGame { id, inner: Mutex::new(inner), wakes: AtomicU64::new(0) }
    }

    fn inner(&self) -> Held<'_> {
        // Nothing panics while the lock is held; if it did, the log still has the truth.
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        Held { inner, wakes: &self.wakes }
    }

    /// Which game this is.
    pub fn id(&self) -> GameId {
        self.id
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
    pub fn seat(&self, seats: Vec<Seat>) {
        let mut inner = self.inner();
        inner.seats = seats;
        inner.wanted = None;
    }

    /// Gives seats to other keys. Connections at a seat that has another key now are closed: they
    /// come back with that key, or as spectators when they do not have it.
    pub fn reseat(&self, new: impl Fn(Seat) -> Seat) {
        let mut inner = self.inner();
        let mut changed = Vec::new();
        for seat in &mut inner.seats {
            let old = std::mem::replace(seat, new(*seat));
            if old.holder != seat.holder {
                changed.push(old.side);
            }
        }
        let sits = |actor: Actor| match actor {
            Actor::White => changed.contains(&Side::White),
            Actor::Black => changed.contains(&Side::Black),
            Actor::Both => !changed.is_empty(),
            Actor::System | Actor::Spectator => false,
        };
        // A connection ends when its queue is gone.
        inner.listeners.retain(|listener| !sits(listener.actor));
    }

    /// Looks at the room.
    pub fn look<T>(&self, look: impl FnOnce(&Room) -> T) -> T {
        look(&self.inner().room)
    }

    /// Whether the game waits for its second player.
    pub fn is_waiting(&self) -> bool {
        self.inner().wanted.is_some()
    }

    /// Whether nobody is known to have a seat.
    pub fn is_unseated(&self) -> bool {
        self.inner().seats.is_empty()
    }

    /// Somebody connects and is told everything, or what is missing.
    pub fn join(&self, hello: Hello, now: Millis) -> Effects {
        let mut inner = self.inner();
        let Hello { id, actor, seq, outbox } = hello;
        inner.used = now;
        let welcome = ServerMessage::Welcome {
            v: wire::VERSION,
            game: self.id.to_string(),
            seat: view::seat(actor),
            seq: inner.room.state().seq(),
            now,
        };
        // A new outbox has room for all that follows: at most `RECENT` and four more.
        outbox(&text(&welcome));
        inner.catch_up(seq, &outbox);
        inner.show_turn(actor, &outbox);
        inner.room.arrive(actor);
        outbox(&text(&presence(inner.presence())));
        // The newcomer knows more than the others, and must hear when it is so no longer.
        inner.shown.presence = None;
        inner.listeners.push(Listener { id, actor, outbox });
        let mut effects = Effects::default();
        inner.room.tick(now, &mut effects);
        inner.perform(effects)
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
    pub fn ask(&self, mut asked: Asked, now: Millis) -> Effects {
        let mut inner = self.inner();
        inner.used = now;
        if may_agree_on_rematch(&asked.command) {
            asked.begins = Some(inner.rematch());
        }
        let mut effects = Effects::default();
        inner.room.ask(asked, now, &mut effects);
        inner.perform(effects)
    }

    /// Why a move may not be played: a question that changes nothing and is kept nowhere.
    pub fn why(&self, actor: Actor, uci: &str, now: Moment, lang: Lang) -> Text {
        text(&view::why(self.inner().room.state(), actor, uci, now, lang))
    }

    /// The computer could not be asked; the next tick asks again.
    pub fn forget_thought(&self) {
        self.inner().room.forget_thought();
    }

    /// Time passes.
    pub fn tick(&self, now: Millis) -> Effects {
        let mut inner = self.inner();
        inner.show_presence(now);
        let mut effects = Effects::default();
        inner.room.tick(now, &mut effects);
        let mut effects = inner.perform(effects);
        if let Some(here) = inner.tell_others() {
            effects.push(Effect::Here(here));
        }
        effects
    }

    /// The log has written, or not.
    pub fn wrote(&self, answer: Result<Appended, Error>, now: Millis) -> Effects {
        let mut inner = self.inner();
        let mut effects = Effects::default();
        inner.room.wrote(answer, now, &mut effects);
        inner.perform(effects)
    }

    /// The log has read, or not.
    pub fn read(&self, answer: Result<Vec<Entry>, Error>, now: Millis) -> Effects {
        let mut inner = self.inner();
        let mut effects = Effects::default();
        inner.room.read(answer, now, &mut effects);
        inner.perform(effects)
    }

    /// Somebody has heard that the log knows more.
    pub fn hint(&self, seq: u64) -> Effects {
        let mut inner = self.inner();
        let mut effects = Effects::default();
        inner.room.hint(seq, &mut effects);
        inner.perform(effects)
    }

    /// The log has taken nothing since that moment.
    pub fn refuses(&self, since: Millis) {
        self.inner().room.refuses(since);
    }

    /// Another node has told what it has written.
    pub fn heard(&self, entries: &[Entry], now: Millis) -> Effects {
        let mut inner = self.inner();
        let mut effects = Effects::default();
        match (inner.wanted.is_some(), entries.last()) {
            // Who sits down is in the log and not in what was told.
            (true, Some(last)) => inner.room.hint(last.seq, &mut effects),
            _ => inner.room.heard(entries, now, &mut effects),
        }
        inner.perform(effects)
    }

    /// Another node has told who is connected there; `since` is when it was last heard.
    pub fn others(&self, node: u64, here: Here, since: Millis) {
        let mut inner = self.inner();
        inner.others.retain(|(other, _)| *other != node);
        if here != Here::default() {
            inner.others.push((node, here));
        }
        let all = inner.others.iter().fold(Here::default(), |all, (_, here)| all.and(*here));
        inner.room.elsewhere(all, since);
    }

    /// Another node is no more, and nobody is connected there; it was last heard at `since`.
    pub fn without(&self, node: u64, since: Millis) {
        let known = self.inner().others.iter().any(|(other, _)| *other == node);
        if known {
            self.others(node, Here::default(), since);
        }
    }

    /// This node sees further than before, or less far.
    pub fn see(&self, sight: Sight, now: Millis) {
        self.inner().room.see(sight, now);
    }

    /// The log has said whether a command was done before, or could not say.
    pub fn looked_up(
        &self,
        to: Asker,
        key: &CommandKey,
        found: Result<Option<u64>, Error>,
        refused: Answer,
    ) -> Effects {
        let mut inner = self.inner();
        let answer = match found {
            Ok(Some(seq)) => Answer::Done { seq },
            Ok(None) => refused,
            // Without knowing, the client must not be told that it was not done.
            Err(error) => inner.not_done(NotDone::Failed(error), to.lang),
        };
        let mut effects = Effects::default();
        inner.answer(to, Some(key), answer, &mut effects);
        effects
    }

    /// The game does not take place: everybody here is sent away.
    pub fn dismiss(&self) {
        let mut inner = self.inner();
        inner.gone = true;
        inner.listeners.clear();
    }

    /// Whether the game does not take place.
    pub fn is_gone(&self) -> bool {
        self.inner().gone
    }

    /// Whether nobody has used the table since then and nothing is under way.
    pub fn is_forgettable(&self, since: Millis) -> bool {
        let inner = self.inner();
        inner.used < since && inner.room.is_idle() && inner.room.is_deserted()
    }

    /// The last event.
    pub fn seq(&self) -> u64 {
        self.inner().room.state().seq()
    }

    /// The whole game.
    pub fn snapshot(&self) -> wire::Snapshot {
        self.inner().snapshot()
    }
}

mod plies;
mod telling;
#[cfg(test)]
mod tests;
