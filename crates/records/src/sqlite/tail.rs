//! What the rows of a game that is being played do not say yet.
//!
//! A move would change three pages: its event's, its game's, its line's, and each page is written
//! twice. So most moves write their event alone; what they played and the deadline stand beside it,
//! and the rows follow after [`EVERY`] events, or with anything else that changes. Whoever reads a
//! game that is being played puts rows and tail together, in one statement.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use hansu_chess::Position;
use rusqlite::Connection;

use crate::entry::wake;
use crate::{Append, Error, GameId, Moves, Played, Row, Status, Summary};

/// The rows follow after so many events.
const EVERY: u64 = 16;

/// So many games are known; more than that are looked up in the file.
const MOST_KNOWN: usize = 20_000;

/// The number of a game's last event.
macro_rules! last_seq {
    () => {
        "CASE WHEN g.status <> 0 THEN g.last_seq ELSE coalesce(
           (SELECT seq FROM events WHERE game_id = g.n ORDER BY seq DESC LIMIT 1), g.last_seq) END"
    };
}
/// When somebody must look at a game again.
macro_rules! deadline {
    () => {
        "CASE WHEN g.status <> 0 THEN g.deadline ELSE coalesce(
           (SELECT deadline FROM events WHERE game_id = g.n AND seq > g.last_seq
            ORDER BY seq DESC LIMIT 1), g.deadline) END"
    };
}
/// What was played since the rows were written, in hexadecimal.
macro_rules! played {
    () => {
        "CASE WHEN g.status = 0 THEN
           (SELECT group_concat(hex(moves), '' ORDER BY seq) FROM events
            WHERE game_id = g.n AND seq > g.last_seq) END"
    };
}
pub(crate) use {deadline, last_seq, played};

/// How long a game is.
pub(crate) const PLIES: &str = "CASE WHEN g.status <> 0 THEN g.plies ELSE g.plies +
    (SELECT coalesce(sum(length(moves)), 0) / 2 FROM events
     WHERE game_id = g.n AND seq > g.last_seq) END";

/// Adds what was played since to what the rows say.
pub(crate) fn join(summary: &mut Summary, played: Option<String>) -> Result<(), Error> {
    let Some(played) = played.filter(|played| !played.is_empty()) else { return Ok(()) };
    let mut bytes = summary.moves.as_bytes().to_vec();
    let pairs = played.as_bytes().chunks_exact(2);
    bytes.extend(pairs.filter_map(|pair| {
        let [high, low] = pair else { return None };
        let digit = |letter: &u8| char::from(*letter).to_digit(16);
        u8::try_from(digit(high)? << 4 | digit(low)?).ok()
    }));
    summary.moves = Moves::from_bytes(bytes).ok_or(Error::Damaged)?;
    summary.final_fen = position(summary).ok_or(Error::Damaged)?.fen();
    Ok(())
}

/// The position that the moves lead to.
fn position(summary: &Summary) -> Option<Position> {
    let start = summary.start().ok()?;
    summary.moves.replay(start, usize::MAX, |_, _| {}).ok()
}

/// The games that this process writes, as they are in the file.
#[derive(Default)]
pub(crate) struct Known {
    games: HashMap<GameId, Live>,
    version: i64,
}

impl Known {
    /// After a rollback nothing is known.
    pub(crate) fn forget(&mut self) {
        self.games.clear();
    }

    /// At the beginning of a transaction: what another process has written is not known.
    pub(crate) fn refresh(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let version = connection
            .prepare_cached("PRAGMA data_version")?
            .query_row([], |row| row.get::<_, i64>(0))?;
        if version != self.version {
            self.version = version;
            self.games.clear();
        }
        Ok(())
    }

    /// The number of a game's row and what was played, if its event alone can say what this append
    /// changes.
    pub(crate) fn step<'a>(&mut self, append: &'a Append) -> Option<(i64, &'a Played)> {
        self.games.get_mut(&append.game)?.step(append)
    }

    /// What there is to say of a game in a row, the last event of which has this number.
    pub(crate) fn summary(&self, game: GameId, n: i64, last_seq: u64) -> Option<Summary> {
        let live = self.games.get(&game)?;
        if (live.n, live.last_seq) != (n, last_seq) {
            return None;
        }
        let mut summary = live.summary.clone();
        if let Some(position) = live.position {
            summary.final_fen = position.fen();
        }
        Some(summary)
    }

    /// The rows have been written, with row number `n` and what `wake` is there.
    pub(crate) fn settle(
        &mut self,
        connection: &Connection,
        append: &Append,
        n: i64,
        wake: Option<i64>,
        summary: Cow<'_, Summary>,
    ) -> rusqlite::Result<()> {
        let before = self.games.remove(&append.game);
        if summary.status != Status::Live {
            return Ok(());
        }
        let last_seq = append.last_seq();
        // All that came before is known, or read once.
        let before = before.filter(|live| live.n == n && live.last_seq + 1 == append.expected);
        let clients = match before {
            Some(Live { mut clients, .. }) => {
                clients.extend(append.client.as_deref().map(digest));
                clients
            }
            None => {
                let mut query = connection.prepare_cached(
                    "SELECT client FROM events WHERE game_id = ?1 AND client IS NOT NULL",
                )?;
                let clients = query.query_map([n], |row| Ok(digest(row.get_ref(0)?.as_str()?)))?;
                clients.collect::<rusqlite::Result<_>>()?
            }
        };
        let live = Live {
            n,
            last_seq,
            settled: last_seq,
            wake,
            clients,
            summary: summary.into_owned(),
            position: None,
        };
        if self.games.len() >= MOST_KNOWN {
            self.games.clear();
        }
        self.games.insert(append.game, live);
        Ok(())
    }

    /// Whether no event of the game in a row, the last of which has this number, has this client id.
    pub(crate) fn is_new(&self, game: GameId, n: i64, last_seq: u64, client: &str) -> bool {
        self.games.get(&game).is_some_and(|live| {
            live.n == n && live.last_seq == last_seq && !live.clients.contains(&digest(client))
        })
    }

    /// The game is no more.
    pub(crate) fn remove(&mut self, game: GameId) {
        self.games.remove(&game);
    }
}

/// A game that is being played.
struct Live {
    n: i64,
    last_seq: u64,
    /// The event after which the rows were written.
    settled: u64,
    wake: Option<i64>,
    summary: Summary,
    /// The position, when it is another than that of the summary.
    position: Option<Position>,
    /// The client ids of its events; a doubtful one is looked up.
    clients: Vec<u64>,
}

impl Live {
    fn step<'a>(&mut self, append: &'a Append) -> Option<(i64, &'a Played)> {
        let Row::Played(played) = &append.row else { return None };
        let last_seq = append.last_seq();
        let client = append.client.as_deref().map(digest);
        let plain = append.begins.is_none()
            && append.next.is_none()
            && append.expected == self.last_seq + 1
            && last_seq - self.settled < EVERY
            && client.is_none_or(|client| !self.clients.contains(&client))
            && wake(self.wake, played.deadline) == self.wake
            && (played.opening.is_none() || played.opening == self.summary.opening);
        if !plain {
            return None;
        }
        if !played.moves.is_empty() {
            // Readers work the position out from the moves: they were decided by the rules.
            self.summary.moves.extend(played.moves.as_bytes());
            self.position = Some(played.position);
        }
        self.summary.deadline = played.deadline;
        self.last_seq = last_seq;
        self.clients.extend(client);
        Some((self.n, played))
    }
}

fn digest(client: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    client.hash(&mut hasher);
    hasher.finish()
}
