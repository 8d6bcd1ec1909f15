//! Where opponents meet: open seeks, pairing, and the games one can watch.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hansu_live::{Text, text};
use hansu_protocol::{self as wire, Choice, LobbyNews, OpenSeek, Seek};
use hansu_records::{GameId, Holder};
use tokio::sync::mpsc;

/// Seeks on the list at once.
pub(crate) const MOST_SEEKS: usize = 500;
/// Games on the list at once.
const MOST_GAMES: usize = 50;

/// A player who looks for an opponent.
#[derive(Clone, Debug)]
pub(crate) struct Seeker {
    /// The game that it will be.
    pub(crate) game: GameId,
    /// The connection: it is told when an opponent is found, and the seek ends with it. 0 when it
    /// is another node's.
    pub(crate) connection: u64,
    pub(crate) holder: Holder,
    pub(crate) seek: Seek,
    pub(crate) made: i64,
}

#[derive(Default)]
struct Inner {
    /// The list that the lobby shows, of all nodes.
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

    /// What the lobby shows has changed; it is told with the next tick.
    pub(crate) fn changed(&self) {
        self.changed.store(true, Ordering::Relaxed);
    }

    /// Somebody connects to the server.
    pub(crate) fn count_in(&self) {
        self.people.fetch_add(1, Ordering::Relaxed);
        self.changed();
    }

    /// Somebody disconnects.
    pub(crate) fn count_out(&self) {
        self.people.fetch_sub(1, Ordering::Relaxed);
        self.changed();
    }

    /// How many are connected.
    pub(crate) fn people(&self) -> u32 {
        self.people.load(Ordering::Relaxed)
    }

    /// Somebody enters the lobby.
    pub(crate) fn enter(&self, connection: u64, outbox: mpsc::Sender<Text>) {
        self.inner().listeners.push((connection, outbox));
        self.changed();
    }

    /// A connection leaves. Its seeks were cancelled before.
    pub(crate) fn leave(&self, connection: u64) {
        let mut inner = self.inner();
        inner.listeners.retain(|(id, _)| *id != connection);
        inner.posted.retain(|seeker| seeker.connection != connection);
        self.changed();
    }

    /// Whether nobody is there.
    pub(crate) fn is_empty(&self) -> bool {
        self.inner().listeners.is_empty()
    }

    /// Shows the seeks of all nodes.
    pub(crate) fn show(&self, seekers: Vec<Seeker>) {
        let mut inner = self.inner();
        let same = inner.seekers.len() == seekers.len()
            && inner.seekers.iter().zip(&seekers).all(|(one, other)| one.game == other.game);
        if !same {
            inner.seekers = seekers;
            self.changed();
        }
    }

    /// Takes a seek off the list.
    pub(crate) fn hide(&self, game: GameId) {
        self.inner().seekers.retain(|seeker| seeker.game != game);
        self.changed();
    }

    /// Shows a seek that the log keeps; whether its connection is still there.
    pub(crate) fn post(&self, seeker: &Seeker) -> bool {
        let mut inner = self.inner();
        let there = inner.listeners.iter().any(|(id, _)| *id == seeker.connection);
        if there {
            inner.posted.retain(|other| other.game != seeker.game);
            inner.posted.push(seeker.clone());
            if inner.seekers.iter().all(|other| other.game != seeker.game) {
                inner.seekers.push(seeker.clone());
            }
            self.changed();
        }
        there
    }

    /// The log does not keep a seek any more.
    pub(crate) fn unpost(&self, game: GameId) {
        self.inner().posted.retain(|seeker| seeker.game != game);
        self.hide(game);
    }

    /// Seeks of connections to this node.
    pub(crate) fn posted(&self) -> Vec<Seeker> {
        self.inner().posted.clone()
    }

    /// Those of one connection.
    pub(crate) fn posted_by(&self, connection: u64) -> Vec<Seeker> {
        let inner = self.inner();
        inner.posted.iter().filter(|seeker| seeker.connection == connection).cloned().collect()
    }

    /// A seek on the list.
    pub(crate) fn find(&self, id: &str) -> Option<Seeker> {
        let game: GameId = id.parse().ok()?;
        self.inner().seekers.iter().find(|seeker| seeker.game == game).cloned()
    }

    /// Tells one connection something. Who does not read is dropped.
    pub(crate) fn tell(&self, connection: u64, news: &LobbyNews) {
        let message = text(news);
        self.inner()
            .listeners
            .retain(|(id, outbox)| *id != connection || outbox.try_send(message.clone()).is_ok());
    }

    /// Tells everybody what the lobby shows, if that has changed and somebody is there.
    pub(crate) fn publish(&self, news: impl FnOnce() -> LobbyNews) {
        if self.is_empty() || !self.changed.swap(false, Ordering::Relaxed) {
            return;
        }
        let message = text(&news());
        self.inner().listeners.retain(|(_, outbox)| outbox.try_send(message.clone()).is_ok());
    }

    /// What the lobby shows: these games, and people here and at other nodes.
    pub(crate) fn news(&self, mut games: Vec<wire::LiveGame>, elsewhere: u32) -> LobbyNews {
        // Game names follow the time: the newest first.
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

/// Whether two seeks want the same game with different colours. Nobody is paired with oneself.
pub(crate) fn fits(one: &Seeker, other: &Seeker) -> bool {
    let (a, b) = (&one.seek, &other.seek);
    let colours = a.color == Choice::Any || b.color == Choice::Any || a.color != b.color;
    one.holder != other.holder && colours && a.variant == b.variant && a.time == b.time
}

/// Whether the first of two players gets White: as they wish, else by the coin.
pub(crate) fn first_is_white(first: Choice, second: Choice, coin: bool) -> bool {
    match (first, second) {
        (Choice::White, _) | (Choice::Any, Choice::Black) => true,
        (Choice::Black, _) | (Choice::Any, Choice::White) => false,
        (Choice::Any, Choice::Any) => coin,
    }
}
