//! Reads the entries of a game from the log.

use std::fmt;

use hansu_play::{Entry, State, apply};
use hansu_records::{Error, GameId, Store};

/// Events in one read.
const CHUNK: usize = 1_000;

/// Why a game cannot be loaded from the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// The log failed, or has no such game.
    Log(Error),
    /// An event cannot be applied after those before it, or has a newer version.
    Unreadable {
        /// The number of the event.
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

/// All entries of a game, checked by applying each after those before it. An imported game has
/// none.
///
/// # Errors
///
/// When the log fails, has no such game, or has an event that cannot be applied.
pub fn load(store: &dyn Store, game: GameId) -> Result<Vec<Entry>, LoadError> {
    catch_up(store, game, &mut State::default())
}

/// Applies new entries from the log to the state of a game, and returns them.
///
/// # Errors
///
/// As [`load`]; the state is unchanged then.
pub fn catch_up(
    store: &dyn Store,
    game: GameId,
    state: &mut State,
) -> Result<Vec<Entry>, LoadError> {
    let mut entries = Vec::new();
    // The state is copied only if there are new entries; usually there are none.
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
