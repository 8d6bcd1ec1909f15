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

/// Somebody who looks for an opponent.
#[derive(Clone, Debug)]
pub(crate) struct Seeker {
    pub(crate) id: String,
    /// The connection: it is told when an opponent is found, and the seek ends with it.
    pub(crate) connection: u64,
    pub(crate) holder: Holder,
    pub(crate) seek: Seek,
    /// How the log knows it, when there are several nodes.
    pub(crate) claim: Option<Claim>,
}

/// What whoever takes a seek uses up in the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    pub(crate) hash: [u8; 32],
    /// The game that it will be.
    pub(crate) game: GameId,
    pub(crate) made: i64,
}

/// What became of a seek.
#[derive(Debug)]
pub(crate) enum Sought {
    /// Somebody fits: it is off the list, the two shall play.
    Paired(Seeker),
    /// It is on the list.
    Open,
    /// The list is full.
    Full,
}

#[derive(Default)]
struct Inner {
    /// On the list, of all nodes.
    seekers: Vec<Seeker>,
    /// Seeks of this node that the log keeps.
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

    /// Somebody leaves; what they sought goes with them.
    pub(crate) fn leave(&self, connection: u64) {
        let mut inner = self.inner();
        inner.listeners.retain(|(id, _)| *id != connection);
        inner.seekers.retain(|seeker| seeker.connection != connection);
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
            && inner.seekers.iter().zip(&seekers).all(|(one, other)| one.id == other.id);
        if !same {
            inner.seekers = seekers;
            self.changed();
        }
    }

    /// Takes a seek off the list: somebody has taken it.
    pub(crate) fn hide(&self, id: &str) {
        self.inner().seekers.retain(|seeker| seeker.id != id);
        self.changed();
    }

    /// The log keeps a seek; whether its owner is still there.
    pub(crate) fn post(&self, seeker: Seeker) -> bool {
        let mut inner = self.inner();
        let there = inner.listeners.iter().any(|(id, _)| *id == seeker.connection);
        if there {
            inner.posted.retain(|other| other.id != seeker.id);
            inner.posted.push(seeker);
        }
        there
    }

    /// The log does not keep a seek any more.
    pub(crate) fn unpost(&self, id: &str) {
        self.inner().posted.retain(|seeker| seeker.id != id);
        self.hide(id);
    }

    /// Seeks of this node that the log keeps.
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
        self.inner().seekers.iter().find(|seeker| seeker.id == id).cloned()
    }

    /// Looks for somebody who fits, the longest waiting first; else waits.
    pub(crate) fn seek(&self, seeker: Seeker) -> Sought {
        let mut inner = self.inner();
        inner.seekers.retain(|other| other.connection != seeker.connection);
        self.changed();
        if let Some(at) = inner.seekers.iter().position(|other| fits(other, &seeker)) {
            return Sought::Paired(inner.seekers.remove(at));
        }
        if inner.seekers.len() >= MOST_SEEKS {
            return Sought::Full;
        }
        inner.seekers.push(seeker);
        Sought::Open
    }

    /// Takes a seek off the list to play against it.
    pub(crate) fn take(&self, id: &str) -> Option<Seeker> {
        let mut inner = self.inner();
        let at = inner.seekers.iter().position(|seeker| seeker.id == id)?;
        self.changed();
        Some(inner.seekers.remove(at))
    }

    /// Whose seek this is.
    pub(crate) fn owner(&self, id: &str) -> Option<Holder> {
        self.inner().seekers.iter().find(|seeker| seeker.id == id).map(|seeker| seeker.holder)
    }

    /// Puts a seek back that did not come to a game, if its owner is still there.
    pub(crate) fn put_back(&self, seeker: Seeker) {
        let mut inner = self.inner();
        if inner.listeners.iter().any(|(id, _)| *id == seeker.connection) {
            inner.seekers.insert(0, seeker);
            self.changed();
        }
    }

    /// No longer looks for anybody.
    pub(crate) fn cancel(&self, connection: u64) {
        self.inner().seekers.retain(|seeker| seeker.connection != connection);
        self.changed();
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
        let open = |seeker: &Seeker| OpenSeek { id: seeker.id.clone(), seek: seeker.seek.clone() };
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
