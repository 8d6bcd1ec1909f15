//! A live game: a room with its connections, and the messages they get.
//!
//! No call blocks: writing, reading and looking up are effects for the holder of the game, so that
//! a simulation can hold one as well as the server.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hansu_chess::Color;
use hansu_journal::visibility;
use hansu_play::{Actor, Command, Entry, Event, Millis, Moment, Offer, Start};
use hansu_protocol::{self as wire, ServerMessage};
use hansu_records::{Appended, Begins, Error, GameId, Holder, Seat, Side};
use hansu_view::{self as view, MOST_CHAT};
use hansu_words::Lang;

use self::ply_cache::PlyCache;
use crate::room::{CommandRequest, Connections, Room, Sight};
use crate::{
    Asker, CommandAnswer, CommandError, CommandKey, CommandResult, Effect, Effects, Notice, Text,
    text,
};

/// At most this many messages wait for one connection. A connection that reads more slowly is
/// closed, and the client reconnects.
pub const MOST_UNSENT: usize = 64;
/// The number of events kept for clients that reconnect after a moment.
const RECENT: usize = 8;
/// A changed number of spectators is sent at most this long after the last presence message, or
/// earlier along with an event. Many spectators come and go at once, and each change would cost one
/// message for every connection.
const PRESENCE_DELAY: Millis = Millis(1_000);

/// A game on this node.
pub struct LiveGame {
    id: GameId,
    inner: Mutex<Inner>,
    /// The earliest time at which a tick may have something to do. Thousands of games are checked
    /// ten times a second, and most have nothing.
    wake_at: AtomicU64,
}

/// The lock on a live game; when it is dropped, it stores the next time for a tick.
struct InnerGuard<'a> {
    inner: MutexGuard<'a, Inner>,
    wake_at: &'a AtomicU64,
}

impl Deref for InnerGuard<'_> {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

impl DerefMut for InnerGuard<'_> {
    fn deref_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
}

impl Drop for InnerGuard<'_> {
    fn drop(&mut self) {
        // Before the lock is released, so that the next holder of the lock stores its time later.
        self.wake_at.store(self.inner.wake_at().0, Ordering::Relaxed);
    }
}

struct Inner {
    room: Room,
    /// The settings of a game that waits for its second player; `None` once it has begun.
    wanted: Option<Start>,
    seats: Vec<Seat>,
    listeners: Vec<Listener>,
    recent: VecDeque<(u64, Text)>,
    chat: VecDeque<wire::ChatMessage>,
    plies: PlyCache,
    sent_presence: SentPresence,
    /// The connections at each other node, by the node's number.
    others: Vec<(u64, Connections)>,
    /// The connections of this node as last sent to the other nodes.
    sent_connections: Connections,
    /// When a client last joined, left or asked for something.
    used: Millis,
    /// The invitation was withdrawn.
    gone: bool,
}

/// White is connected, Black is connected, the number of spectators.
type Presence = (bool, bool, u32);

/// The last presence message.
#[derive(Clone, Copy, Default)]
struct SentPresence {
    /// What was sent to all connections; `None` if one of them got something else.
    presence: Option<Presence>,
    /// White and Black, as last sent.
    players: (bool, bool),
    /// When a presence message was last sent by itself and not along with an event.
    at: Millis,
}

struct Listener {
    id: u64,
    actor: Actor,
    outbox: Outbox,
}

/// Sends a message to one connection; false when its queue is full or it is gone.
pub type Outbox = Arc<dyn Fn(&Text) -> bool + Send + Sync>;

/// A new connection.
pub struct Hello {
    /// The connection's number; unique in the process.
    pub id: u64,
    /// The client's seat or role in the game.
    pub actor: Actor,
    /// The last event that the client has; 0 for none.
    pub seq: u64,
    /// Sends messages to it.
    pub outbox: Outbox,
}

/// Returns true if the command may begin a rematch at once: one side accepts, or both offer.
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
    /// A live game without connections. `wanted` are the settings of a game that waits for its
    /// second player; `chat` is the chat so far.
    pub fn new(
        id: GameId,
        room: Room,
        wanted: Option<Start>,
        seats: Vec<Seat>,
        mut chat: VecDeque<wire::ChatMessage>,
        now: Millis,
    ) -> LiveGame {
        chat.drain(..chat.len().saturating_sub(MOST_CHAT));
        let inner = Inner {
            room,
            wanted,
            seats,
            listeners: Vec::new(),
            recent: VecDeque::new(),
            chat,
            plies: PlyCache::default(),
            sent_presence: SentPresence::default(),
            others: Vec::new(),
            sent_connections: Connections::default(),
            used: now,
            gone: false,
        };
        LiveGame { id, inner: Mutex::new(inner), wake_at: AtomicU64::new(0) }
    }

    fn inner(&self) -> InnerGuard<'_> {
        // No code panics while the lock is held; if it did, the log would still be right.
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        InnerGuard { inner, wake_at: &self.wake_at }
    }

    /// The id of the game.
    pub fn id(&self) -> GameId {
        self.id
    }

    /// Returns true if a tick may have something to do.
    pub fn is_due(&self, now: Millis) -> bool {
        self.wake_at.load(Ordering::Relaxed) <= now.0
    }

    /// The role that a player key has in this game.
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

    /// Sets the seats when the game begins.
    pub fn set_seats(&self, seats: Vec<Seat>) {
        let mut inner = self.inner();
        inner.seats = seats;
        inner.wanted = None;
    }

    /// Moves seats to other player keys. Connections at a seat whose key has changed are closed: the
    /// client reconnects with the new key, or as a spectator if it does not have that key.
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
        // Dropping the outbox closes the connection.
        inner.listeners.retain(|listener| !sits(listener.actor));
    }

    /// Reads something from the room.
    pub fn look<T>(&self, look: impl FnOnce(&Room) -> T) -> T {
        look(&self.inner().room)
    }

    /// Returns true if the game waits for its second player.
    pub fn is_waiting(&self) -> bool {
        self.inner().wanted.is_some()
    }

    /// Returns true if no seats are known.
    pub fn is_unseated(&self) -> bool {
        self.inner().seats.is_empty()
    }

    /// Adds a connection and sends it a snapshot, or the events it has missed.
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
        // A new outbox has room for everything that follows: at most `RECENT` + 4 messages.
        outbox(&text(&welcome));
        inner.catch_up(seq, &outbox);
        inner.send_turn(actor, &outbox);
        inner.room.arrive(actor);
        outbox(&text(&presence(inner.presence())));
        // The new connection has a newer presence than the others: the next one goes to all.
        inner.sent_presence.presence = None;
        inner.listeners.push(Listener { id, actor, outbox });
        let mut effects = Effects::default();
        inner.room.tick(now, &mut effects);
        inner.perform(effects)
    }

    /// Removes a connection.
    pub fn leave(&self, id: u64, actor: Actor, now: Millis) {
        let mut inner = self.inner();
        inner.used = now;
        inner.listeners.retain(|listener| listener.id != id);
        inner.room.depart(actor, now);
    }

    /// Sends a connection what came after event `seq`.
    pub fn sync(&self, id: u64, seq: u64) {
        let mut inner = self.inner();
        if let Some(listener) = inner.listeners.iter().find(|listener| listener.id == id) {
            let (actor, outbox) = (listener.actor, listener.outbox.clone());
            inner.catch_up(seq, &outbox);
            inner.send_turn(actor, &outbox);
        }
    }

    /// Takes a command. Its answer comes as [`Effect::Answered`], now or after a later call.
    pub fn ask(&self, mut asked: CommandRequest, now: Millis) -> Effects {
        let mut inner = self.inner();
        inner.used = now;
        if may_agree_on_rematch(&asked.command) {
            asked.begins = Some(inner.rematch());
        }
        let mut effects = Effects::default();
        inner.room.ask(asked, now, &mut effects);
        inner.perform(effects)
    }

    /// Why a move may not be played. A question: it changes nothing and is not logged.
    pub fn why(&self, actor: Actor, uci: &str, now: Moment, lang: Lang) -> Text {
        text(&view::why(self.inner().room.state(), actor, uci, now, lang))
    }

    /// The computer could not be asked: the next tick asks it again.
    pub fn ask_computer_again(&self) {
        self.inner().room.ask_computer_again();
    }

    /// Does what is due at this time: flags, presence, messages to other nodes.
    pub fn tick(&self, now: Millis) -> Effects {
        let mut inner = self.inner();
        inner.send_due_presence(now);
        let mut effects = Effects::default();
        inner.room.tick(now, &mut effects);
        let mut effects = inner.perform(effects);
        if let Some(here) = inner.take_unsent_connections() {
            effects.push(Effect::Connections(here));
        }
        effects
    }

    /// Takes the log's answer to [`Effect::Write`].
    pub fn finish_write(&self, answer: Result<Appended, Error>, now: Millis) -> Effects {
        let mut inner = self.inner();
        let mut effects = Effects::default();
        inner.room.finish_write(answer, now, &mut effects);
        inner.perform(effects)
    }

    /// Takes the log's answer to [`Effect::Read`].
    pub fn finish_read(&self, answer: Result<Vec<Entry>, Error>, now: Millis) -> Effects {
        let mut inner = self.inner();
        let mut effects = Effects::default();
        inner.room.finish_read(answer, now, &mut effects);
        inner.perform(effects)
    }

    /// The log is said to have event `seq`: reads the log if it is missing here.
    pub fn hint(&self, seq: u64) -> Effects {
        let mut inner = self.inner();
        let mut effects = Effects::default();
        inner.room.hint(seq, &mut effects);
        inner.perform(effects)
    }

    /// The log has refused all writes since this time.
    pub fn note_log_refusal(&self, since: Millis) {
        self.inner().room.note_log_refusal(since);
    }

    /// Takes entries that another node has written.
    pub fn receive_entries(&self, entries: &[Entry], now: Millis) -> Effects {
        let mut inner = self.inner();
        let mut effects = Effects::default();
        match (inner.wanted.is_some(), entries.last()) {
            // The seats of the new game are in the log, not in the entries.
            (true, Some(last)) => inner.room.hint(last.seq, &mut effects),
            _ => inner.room.receive_entries(entries, now, &mut effects),
        }
        inner.perform(effects)
    }

    /// Sets the connections at another node; `since` is when its last message came.
    pub fn set_node_connections(&self, node: u64, here: Connections, since: Millis) {
        let mut inner = self.inner();
        inner.others.retain(|(other, _)| *other != node);
        if here != Connections::default() {
            inner.others.push((node, here));
        }
        let all = inner.others.iter().fold(Connections::default(), |all, (_, here)| all.and(*here));
        inner.room.set_elsewhere(all, since);
    }

    /// Another node is gone, with all its connections; `since` is when its last message came.
    pub fn remove_node(&self, node: u64, since: Millis) {
        let known = self.inner().others.iter().any(|(other, _)| *other == node);
        if known {
            self.set_node_connections(node, Connections::default(), since);
        }
    }

    /// Sets the other nodes from which messages arrive.
    pub fn set_sight(&self, sight: Sight, now: Millis) {
        self.inner().room.set_sight(sight, now);
    }

    /// Takes the log's answer to [`Effect::LookUp`]: the last event of the command if it was done
    /// before.
    pub fn finish_look_up(
        &self,
        to: Asker,
        key: &CommandKey,
        found: Result<Option<u64>, Error>,
        refused: CommandAnswer,
    ) -> Effects {
        let mut inner = self.inner();
        let answer = match found {
            Ok(Some(seq)) => CommandAnswer::Done { seq },
            Ok(None) => refused,
            // It may have been done: the client must not get the refusal.
            Err(error) => inner.refusal_answer(CommandError::Failed(error), to.lang),
        };
        let mut effects = Effects::default();
        inner.answer(to, Some(key), answer, &mut effects);
        effects
    }

    /// The invitation was withdrawn: the game does not take place, and all connections are closed.
    pub fn dismiss(&self) {
        let mut inner = self.inner();
        inner.gone = true;
        inner.listeners.clear();
    }

    /// Returns true after [`LiveGame::dismiss`].
    pub fn is_gone(&self) -> bool {
        self.inner().gone
    }

    /// Returns true if the game was not used since this time, has no connections and waits for
    /// nothing.
    pub fn is_forgettable(&self, since: Millis) -> bool {
        let inner = self.inner();
        inner.used < since && inner.room.is_idle() && inner.room.is_deserted()
    }

    /// The number of the last event.
    pub fn seq(&self) -> u64 {
        self.inner().room.state().seq()
    }

    /// The whole game.
    pub fn snapshot(&self) -> wire::Snapshot {
        self.inner().snapshot()
    }
}

mod ply_cache;
mod sending;
#[cfg(test)]
mod tests;
