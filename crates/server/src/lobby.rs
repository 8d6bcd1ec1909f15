//! The lobby: open seeks, the rules of pairing, and the list of games to watch.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hansu_live::{Text, text};
use hansu_protocol::{self as wire, Choice, LobbyNews, OpenSeek, Seek};
use hansu_records::{GameId, Holder};
use tokio::sync::mpsc;

/// At most this many seeks are on the list.
pub(crate) const MOST_SEEKS: usize = 500;
/// At most this many games are on the list.
const MOST_GAMES: usize = 50;

/// A seek and the player behind it.
#[derive(Clone, Debug)]
pub(crate) struct Seeker {
    /// The id of the game to come; also the id of the seek.
    pub(crate) game: GameId,
    /// The connection that made the seek: it gets a message when an opponent is found, and the seek
    /// ends with it. 0 when it is a connection to another node.
    pub(crate) connection: u64,
    pub(crate) holder: Holder,
    pub(crate) seek: Seek,
    pub(crate) made: i64,
}

#[derive(Default)]
struct Inner {
    /// The seeks of all nodes, as the lobby shows them.
    seekers: Vec<Seeker>,
    /// Seeks of connections to this node.
    posted: Vec<Seeker>,
    listeners: Vec<(u64, mpsc::Sender<Text>)>,
}

/// The lobby of this node.
#[derive(Default)]
pub(crate) struct Lobby {
    inner: Mutex<Inner>,
    changed: AtomicBool,
    people: AtomicU32,
}

impl Lobby {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that what the lobby shows has changed; the next tick sends it.
    pub(crate) fn note_change(&self) {
        self.changed.store(true, Ordering::Relaxed);
    }

    /// Counts a new connection to the server.
    pub(crate) fn count_in(&self) {
        self.people.fetch_add(1, Ordering::Relaxed);
        self.note_change();
    }

    /// Counts a connection less.
    pub(crate) fn count_out(&self) {
        self.people.fetch_sub(1, Ordering::Relaxed);
        self.note_change();
    }

    /// The number of connections to this node.
    pub(crate) fn people(&self) -> u32 {
        self.people.load(Ordering::Relaxed)
    }

    /// Adds a connection to the lobby.
    pub(crate) fn enter(&self, connection: u64, outbox: mpsc::Sender<Text>) {
        self.inner().listeners.push((connection, outbox));
        self.note_change();
    }

    /// Removes a connection from the lobby. Its seeks were cancelled before.
    pub(crate) fn leave(&self, connection: u64) {
        let mut inner = self.inner();
        inner.listeners.retain(|(id, _)| *id != connection);
        inner.posted.retain(|seeker| seeker.connection != connection);
        self.note_change();
    }

    /// True if no connection is in the lobby.
    pub(crate) fn is_empty(&self) -> bool {
        self.inner().listeners.is_empty()
    }

    /// Replaces the list of seeks by those of all nodes.
    pub(crate) fn set_seekers(&self, seekers: Vec<Seeker>) {
        let mut inner = self.inner();
        let same = inner.seekers.len() == seekers.len()
            && inner.seekers.iter().zip(&seekers).all(|(one, other)| one.game == other.game);
        if !same {
            inner.seekers = seekers;
            self.note_change();
        }
    }

    /// Takes a seek off the list.
    pub(crate) fn remove(&self, game: GameId) {
        self.inner().seekers.retain(|seeker| seeker.game != game);
        self.note_change();
    }

    /// Adds a seek that is in the log. Returns false, and adds nothing, when its connection is
    /// gone.
    pub(crate) fn post(&self, seeker: &Seeker) -> bool {
        let mut inner = self.inner();
        let there = inner.listeners.iter().any(|(id, _)| *id == seeker.connection);
        if there {
            inner.posted.retain(|other| other.game != seeker.game);
            inner.posted.push(seeker.clone());
            if inner.seekers.iter().all(|other| other.game != seeker.game) {
                inner.seekers.push(seeker.clone());
            }
            self.note_change();
        }
        there
    }

    /// Removes a seek that is no longer in the log.
    pub(crate) fn unpost(&self, game: GameId) {
        self.inner().posted.retain(|seeker| seeker.game != game);
        self.remove(game);
    }

    /// Seeks of connections to this node.
    pub(crate) fn posted(&self) -> Vec<Seeker> {
        self.inner().posted.clone()
    }

    /// The seeks of one connection.
    pub(crate) fn posted_by(&self, connection: u64) -> Vec<Seeker> {
        let inner = self.inner();
        inner.posted.iter().filter(|seeker| seeker.connection == connection).cloned().collect()
    }

    /// Finds a seek on the list by its id.
    pub(crate) fn find(&self, id: &str) -> Option<Seeker> {
        let game: GameId = id.parse().ok()?;
        self.inner().seekers.iter().find(|seeker| seeker.game == game).cloned()
    }

    /// Sends a message to one connection; removes the connection when its queue is full.
    pub(crate) fn send(&self, connection: u64, news: &LobbyNews) {
        let message = text(news);
        self.inner()
            .listeners
            .retain(|(id, outbox)| *id != connection || outbox.try_send(message.clone()).is_ok());
    }

    /// Sends what the lobby shows to all connections in it, if it has changed.
    pub(crate) fn publish(&self, news: impl FnOnce() -> LobbyNews) {
        if self.is_empty() || !self.changed.swap(false, Ordering::Relaxed) {
            return;
        }
        let message = text(&news());
        self.inner().listeners.retain(|(_, outbox)| outbox.try_send(message.clone()).is_ok());
    }

    /// What the lobby shows: seeks, at most `MOST_GAMES` of these games, and the number of people
    /// here and at other nodes.
    pub(crate) fn news(&self, mut games: Vec<wire::LiveGame>, elsewhere: u32) -> LobbyNews {
        // Game ids increase with time, so the newest comes first.
        games.sort_by(|one, other| {
            other.spectators.cmp(&one.spectators).then_with(|| other.id.cmp(&one.id))
        });
        games.truncate(MOST_GAMES);
        let open =
            |seeker: &Seeker| OpenSeek { id: seeker.game.to_string(), seek: seeker.seek.clone() };
        let seeks = self.inner().seekers.iter().map(open).collect();
        let people = self.people().saturating_add(elsewhere);
        LobbyNews::Lobby { v: wire::VERSION, seeks, games, people }
    }
}

/// True if two seeks of different players want the same game with different colours.
pub(crate) fn fits(one: &Seeker, other: &Seeker) -> bool {
    let (a, b) = (&one.seek, &other.seek);
    let colours = a.color == Choice::Any || b.color == Choice::Any || a.color != b.color;
    one.holder != other.holder && colours && a.variant == b.variant && a.time == b.time
}

/// True if the first of two players gets White: as they wish, else as the coin says.
pub(crate) fn first_is_white(first: Choice, second: Choice, coin: bool) -> bool {
    match (first, second) {
        (Choice::White, _) | (Choice::Any, Choice::Black) => true,
        (Choice::Black, _) | (Choice::Any, Choice::White) => false,
        (Choice::Any, Choice::Any) => coin,
    }
}
