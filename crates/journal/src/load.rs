//! Entries of a game, from the log.

use std::fmt;

use hansu_play::{Entry, State, apply};
use hansu_records::{Error, GameId, Store};

/// Events that are read at once.
const CHUNK: usize = 1_000;

/// Why a game of the log cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// The log failed, or has no such game.
    Log(Error),
    /// An event makes no sense after those before it, or is of a newer version.
    Unreadable {
        /// Its number.
        seq: u64,
    },
}

impl From<Error> for LoadError {
    fn from(error: Error) -> LoadError {
        LoadError::Log(error)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Log(error) => error.fmt(f),
            LoadError::Unreadable { seq } => write!(f, "event {seq} of the game cannot be read"),
        }
    }
}

impl std::error::Error for LoadError {}

/// All entries of a game, each of which fits after those before it. A game of a file has none.
///
/// # Errors
///
/// When the log has no such game, fails, or has events of the game that make no sense.
pub fn load(store: &dyn Store, game: GameId) -> Result<Vec<Entry>, LoadError> {
    catch_up(store, game, &mut State::default())
}

/// Brings a state up to what the log has of its game, and gives the entries that were new.
///
/// # Errors
///
/// As [`load`]; the state is as it was then.
pub fn catch_up(
    store: &dyn Store,
    game: GameId,
    state: &mut State,
) -> Result<Vec<Entry>, LoadError> {
    let mut entries = Vec::new();
    // A copy only when there is news: mostly there is none.
    let mut next: Option<State> = None;
    loop {
        let seq = next.as_ref().unwrap_or(state).seq();
        let events = store.events(game, seq, CHUNK)?;
        for event in &events {
            let unreadable = LoadError::Unreadable { seq: event.seq };
            let entry: Entry = serde_json::from_str(&event.body).map_err(|_| unreadable)?;
            let next = next.get_or_insert_with(|| state.clone());
            apply(next, &entry).map_err(|_| unreadable)?;
            entries.push(entry);
        }
        if events.len() < CHUNK {
            break;
        }
    }
    if let Some(next) = next {
        *state = next;
    }
    Ok(entries)
}
