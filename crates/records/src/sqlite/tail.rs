//! The tail of a live game: what its rows do not have yet.
//!
//! A move would change three pages (of `events`, `games` and `lines`), and each page is written
//! twice. So most moves write only their event, with the moves and the deadline in its row; the
//! rows in `games` and `lines` follow after [`EVERY`] events, or with any other change. Readers of
//! a live game combine rows and tail in one statement.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use hansu_chess::Position;
use rusqlite::Connection;

use crate::game_row::wake;
use crate::{Append, Error, GameId, Moves, Played, Row, Status, Summary};

/// The rows are written after this many events at the latest.
const EVERY: u64 = 16;

/// The most games in the cache; when it is full, it is cleared and games are read from the file.
const MOST_KNOWN: usize = 20_000;

/// The number of a game's last event.
macro_rules! last_seq {
    () => {
        "CASE WHEN g.status <> 0 THEN g.last_seq ELSE coalesce(
           (SELECT seq FROM events WHERE game_id = g.n ORDER BY seq DESC LIMIT 1), g.last_seq) END"
    };
}
/// The deadline of a game.
macro_rules! deadline {
    () => {
        "CASE WHEN g.status <> 0 THEN g.deadline ELSE coalesce(
           (SELECT deadline FROM events WHERE game_id = g.n AND seq > g.last_seq
            ORDER BY seq DESC LIMIT 1), g.deadline) END"
    };
}
/// The moves since the rows were written, in hexadecimal.
macro_rules! played {
    () => {
        "CASE WHEN g.status = 0 THEN
           (SELECT group_concat(hex(moves), '' ORDER BY seq) FROM events
            WHERE game_id = g.n AND seq > g.last_seq) END"
    };
}
pub(crate) use {deadline, last_seq, played};

/// The number of plies of a game.
pub(crate) const PLIES: &str = "CASE WHEN g.status <> 0 THEN g.plies ELSE g.plies +
    (SELECT coalesce(sum(length(moves)), 0) / 2 FROM events
     WHERE game_id = g.n AND seq > g.last_seq) END";

/// Adds the moves of the tail to a summary from the rows.
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

/// The position after all moves.
fn position(summary: &Summary) -> Option<Position> {
    let start = summary.start().ok()?;
    summary.moves.replay(start, usize::MAX, |_, _| {}).ok()
}

/// The live games that this process writes, with their state in the file.
#[derive(Default)]
pub(crate) struct TailCache {
    games: HashMap<GameId, CachedGame>,
    version: i64,
}

impl TailCache {
    /// Clears the cache, after a rollback.
    pub(crate) fn forget(&mut self) {
        self.games.clear();
    }

    /// At the beginning of a transaction: clears the cache if another process has written.
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

    /// If this append can be written as its event alone: the row number of its game, and the moves.
    pub(crate) fn append_to_tail<'a>(&mut self, append: &'a Append) -> Option<(i64, &'a Played)> {
        self.games.get_mut(&append.game)?.append_to_tail(append)
    }

    /// The cached summary, if the game's row and last event have these numbers.
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

    /// Remembers a game whose rows were just written, with row number `n` and this `wake`.
    pub(crate) fn store_row(
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
        // Earlier command keys come from the cache, or are read once.
        let before = before.filter(|live| live.n == n && live.last_seq + 1 == append.expected);
        let command_keys = match before {
            Some(CachedGame { mut command_keys, .. }) => {
                command_keys.extend(append.command_key.as_deref().map(digest));
                command_keys
            }
            None => {
                let mut query = connection.prepare_cached(
                    "SELECT client FROM events WHERE game_id = ?1 AND client IS NOT NULL",
                )?;
                let command_keys =
                    query.query_map([n], |row| Ok(digest(row.get_ref(0)?.as_str()?)))?;
                command_keys.collect::<rusqlite::Result<_>>()?
            }
        };
        let live = CachedGame {
            n,
            last_seq,
            row_seq: last_seq,
            wake,
            command_keys,
            summary: summary.into_owned(),
            position: None,
        };
        if self.games.len() >= MOST_KNOWN {
            self.games.clear();
        }
        self.games.insert(append.game, live);
        Ok(())
    }

    /// True if the cache knows all events of the game and none has this command key.
    pub(crate) fn is_new(&self, game: GameId, n: i64, last_seq: u64, command_key: &str) -> bool {
        self.games.get(&game).is_some_and(|live| {
            live.n == n
                && live.last_seq == last_seq
                && !live.command_keys.contains(&digest(command_key))
        })
    }

    /// Removes a deleted game.
    pub(crate) fn remove(&mut self, game: GameId) {
        self.games.remove(&game);
    }
}

/// A live game.
struct CachedGame {
    n: i64,
    last_seq: u64,
    /// The last event that the rows include.
    row_seq: u64,
    wake: Option<i64>,
    summary: Summary,
    /// The position, if it is newer than that of the summary.
    position: Option<Position>,
    /// Hashes of the command keys of its events; a key whose hash is here is looked up.
    command_keys: Vec<u64>,
}

impl CachedGame {
    fn append_to_tail<'a>(&mut self, append: &'a Append) -> Option<(i64, &'a Played)> {
        let Row::Played(played) = &append.row else { return None };
        let last_seq = append.last_seq();
        let command_key = append.command_key.as_deref().map(digest);
        let plain = append.begins.is_none()
            && append.next.is_none()
            && append.expected == self.last_seq + 1
            && last_seq - self.row_seq < EVERY
            && command_key.is_none_or(|command_key| !self.command_keys.contains(&command_key))
            && wake(self.wake, played.deadline) == self.wake
            && (played.opening.is_none() || played.opening == self.summary.opening);
        if !plain {
            return None;
        }
        if !played.moves.is_empty() {
            // Readers compute the position from the moves; the rules have checked them.
            self.summary.moves.extend(played.moves.as_bytes());
            self.position = Some(played.position);
        }
        self.summary.deadline = played.deadline;
        self.last_seq = last_seq;
        self.command_keys.extend(command_key);
        Some((self.n, played))
    }
}

fn digest(command_key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    command_key.hash(&mut hasher);
    hasher.finish()
}
