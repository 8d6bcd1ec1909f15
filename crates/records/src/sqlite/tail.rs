//! What the rows of a game that is being played do not say yet.
//!
//! A move would change three pages: its event's, its game's, its line's, and each page is written
//! twice. So most moves write their event alone; what they played and the deadline stand beside it,
//! and the rows follow after [`EVERY`] events, or with anything else that changes. Whoever reads a
//! game that is being played puts rows and tail together, in one statement.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use hansu_chess::Position;
use rusqlite::Connection;

use crate::entry::wake;
use crate::{Append, Error, GameId, Moves, Status, Summary};

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

    /// A game, if its event alone can say what this append changes.
    pub(crate) fn step<'a>(&mut self, append: &'a Append) -> Option<Step<'a>> {
        self.games.get_mut(&append.game)?.step(append)
    }

    /// The rows have been written, with row number `n` and what `wake` is there.
    pub(crate) fn settle(
        &mut self,
        connection: &Connection,
        append: &Append,
        n: i64,
        was: Option<i64>,
    ) -> rusqlite::Result<()> {
        let before = self.games.remove(&append.game);
        let summary = &append.summary;
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
            wake: wake(was, summary.deadline),
            clients,
            summary: summary.clone(),
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

/// What an event says for the rows.
pub(crate) struct Step<'a> {
    /// The number of the game's row.
    pub(crate) n: i64,
    /// The moves that were played with it.
    pub(crate) moves: &'a [u8],
}

/// A game that is being played.
struct Live {
    n: i64,
    last_seq: u64,
    /// The event after which the rows were written.
    settled: u64,
    wake: Option<i64>,
    summary: Summary,
    /// The client ids of its events; a doubtful one is looked up.
    clients: Vec<u64>,
}

impl Live {
    fn step<'a>(&mut self, append: &'a Append) -> Option<Step<'a>> {
        let next = &append.summary;
        let last_seq = append.last_seq();
        let client = append.client.as_deref().map(digest);
        let plain = append.begins.is_none()
            && append.next.is_none()
            && append.expected == self.last_seq + 1
            && last_seq - self.settled < EVERY
            && client.is_none_or(|client| !self.clients.contains(&client))
            && wake(self.wake, next.deadline) == self.wake
            && only_played(&self.summary, next);
        if !plain {
            return None;
        }
        let moves = next.moves.as_bytes().strip_prefix(self.summary.moves.as_bytes())?;
        if moves.is_empty() {
            if next.final_fen != self.summary.final_fen {
                return None;
            }
        } else {
            // Readers work the position out from the moves: they were decided by the rules.
            self.summary.moves.extend(moves);
            self.summary.final_fen.clone_from(&next.final_fen);
        }
        self.summary.deadline = next.deadline;
        self.last_seq = last_seq;
        self.clients.extend(client);
        Some(Step { n: self.n, moves })
    }
}

/// Whether nothing has changed but moves, position and deadline.
fn only_played(was: &Summary, is: &Summary) -> bool {
    let Summary {
        white,
        black,
        score,
        reason,
        started,
        ended,
        source,
        status,
        visibility,
        deadline: _,
        variant,
        start_fen,
        final_fen: _,
        time_control,
        opening,
        event,
        moves: _,
        headers,
        annotations,
    } = was;
    *white == is.white
        && *black == is.black
        && *score == is.score
        && *reason == is.reason
        && *started == is.started
        && *ended == is.ended
        && *source == is.source
        && *status == is.status
        && *visibility == is.visibility
        && *variant == is.variant
        && *start_fen == is.start_fen
        && *time_control == is.time_control
        && *opening == is.opening
        && *event == is.event
        && *headers == is.headers
        && *annotations == is.annotations
}

fn digest(client: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    client.hash(&mut hasher);
    hasher.finish()
}
