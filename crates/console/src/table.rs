//! The game on the table: every command goes through the log before it counts.

use std::sync::Arc;

use hansu_journal::{LoadError, now, row, written};
use hansu_play::{Acted, Actor, Command, Entry, Offer, Phase, Refusal, Start, State, act};
use hansu_records::{
    Append, Error, Filter, GameId, NewEvent, Page, Source, Status, Store, Visibility,
};

/// A new game whose name is taken gets another one, but not for ever.
const NAMES_TRIED: usize = 8;

/// A game, and the log that keeps it.
pub struct Table {
    state: State,
    keeper: Keeper,
}

/// Writes what happens in a game into the log.
pub(crate) struct Keeper {
    /// What has happened but is not worth keeping yet: a game is kept from its first move or
    /// resignation on, so that looking in and leaving leaves nothing behind.
    unkept: Vec<Entry>,
    log: Option<Log>,
}

struct Log {
    store: Arc<dyn Store>,
    id: GameId,
}

/// Why something was not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KeepError {
    /// Another window or program has written to the game.
    Conflict(Error),
    /// The log did not take it.
    Failed(Error),
}

impl Keeper {
    /// A keeper for a new game whose first entries are these. Without a log nothing is kept.
    pub(crate) fn new(unkept: Vec<Entry>, log: Option<(Arc<dyn Store>, GameId)>) -> Keeper {
        Keeper { unkept, log: log.map(|(store, id)| Log { store, id }) }
    }

    /// The name of the game in the log.
    pub(crate) fn id(&self) -> Option<GameId> {
        self.log.as_ref().map(|log| log.id)
    }

    /// Writes entries, with those that have waited.
    pub(crate) fn keep(&mut self, entries: &[Entry], next: &State) -> Result<(), KeepError> {
        let Some(log) = &mut self.log else { return Ok(()) };
        let all = || self.unkept.iter().chain(entries);
        let Some(expected) = all().next().map(|entry| entry.seq) else { return Ok(()) };
        let events: Vec<NewEvent> =
            all().map(written).collect::<Result<_, _>>().map_err(KeepError::Failed)?;
        let row = row(all(), next, Visibility::Public);
        for _ in 0..NAMES_TRIED {
            let append = Append {
                game: log.id,
                expected,
                client: None,
                events: events.clone(),
                row: row.clone(),
                begins: None,
                next: None,
            };
            match log.store.append(append) {
                Ok(_) => {
                    self.unkept.clear();
                    return Ok(());
                }
                // Another game has this name.
                Err(Error::Conflict { .. }) if expected == 1 => {
                    log.id = GameId::random().map_err(KeepError::Failed)?;
                }
                Err(conflict @ Error::Conflict { .. }) => {
                    return Err(KeepError::Conflict(conflict));
                }
                Err(error) => return Err(KeepError::Failed(error)),
            }
        }
        Err(KeepError::Failed(Error::Busy))
    }

    /// Brings a state up to what others have added to the game, and gives the new entries.
    pub(crate) fn news(&self, state: &mut State) -> Result<Vec<Entry>, LoadError> {
        let Some(log) = &self.log else { return Ok(Vec::new()) };
        // A game that is not in the log yet belongs to this window alone.
        if !self.unkept.is_empty() {
            return Ok(Vec::new());
        }
        hansu_journal::catch_up(&*log.store, log.id, state)
    }
}

/// Why a command had no effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stopped {
    /// The game refuses it.
    Refused(Refusal),
    /// Somebody else has played on; the state is theirs now.
    GoneOn,
    /// The log did not take it.
    NotKept(Error),
}

/// Whether the log knows more than the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum News {
    Some,
    None,
}

/// Why a game cannot be gone on with.
///
/// ```
/// use hansu_console::NotResumed;
/// use hansu_records::Error;
/// assert_eq!(NotResumed::from(Error::NoSuchGame), NotResumed::NoSuchGame);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotResumed {
    /// No game of the terminal is unfinished.
    NothingUnfinished,
    /// No game has that name.
    NoSuchGame,
    /// Several games have names that begin so.
    SeveralGames,
    /// The game is over.
    Over,
    /// The game is played elsewhere, or was read from a file.
    Elsewhere,
    /// What the log has of the game makes no sense, or is of a newer version.
    Unreadable,
    /// The log failed.
    Log(Error),
}

impl From<Error> for NotResumed {
    fn from(error: Error) -> NotResumed {
        match error {
            Error::NoSuchGame => NotResumed::NoSuchGame,
            other => NotResumed::Log(other),
        }
    }
}

impl From<LoadError> for NotResumed {
    fn from(error: LoadError) -> NotResumed {
        match error {
            LoadError::Log(error) => error.into(),
            LoadError::Unreadable { .. } => NotResumed::Unreadable,
        }
    }
}

/// Unfinished games against the computer that are looked at for one of the terminal.
const COMPUTER_GAMES: usize = 100;

/// The newest game of the terminal that has not ended, against a person or the computer.
///
/// # Errors
///
/// When there is none, or the log fails.
pub fn newest_unfinished(store: &dyn Store) -> Result<GameId, NotResumed> {
    let unfinished = |source, limit| {
        let status = Some(Status::Live);
        let filter = Filter { source: Some(source), status, ..Filter::default() };
        store.list(&filter, &Page { limit, ..Page::default() })
    };
    let mut found = unfinished(Source::Terminal, 1)?.games;
    for game in unfinished(Source::Computer, COMPUTER_GAMES)?.games {
        // One at a server has seats.
        if store.seats(game.id)?.is_empty() {
            found.push(game);
            break;
        }
    }
    let newest = found.into_iter().max_by_key(|game| game.summary.started);
    newest.map(|game| game.id).ok_or(NotResumed::NothingUnfinished)
}

impl Table {
    /// A new game. Without a log nothing is kept.
    ///
    /// # Errors
    ///
    /// When the names or the position cannot be used.
    pub fn start(start: &Start, log: Option<(Arc<dyn Store>, GameId)>) -> Result<Table, Refusal> {
        let now = now();
        let start = Command::Start(start.clone());
        let Acted { entries: unkept, after: state } =
            act(&State::default(), Actor::Both, &start, now, now)?;
        Ok(Table { state, keeper: Keeper::new(unkept, log) })
    }

    /// A game of the log; its name may be shortened.
    ///
    /// # Errors
    ///
    /// When it cannot be gone on with.
    pub fn resume(store: Arc<dyn Store>, name: &str) -> Result<Table, NotResumed> {
        let id = match store.find(name, 2)?[..] {
            [] => return Err(NotResumed::NoSuchGame),
            [id] => id,
            [..] => return Err(NotResumed::SeveralGames),
        };
        let keeper = Keeper::new(Vec::new(), Some((store, id)));
        let mut table = Table { state: State::default(), keeper };
        table.catch_up()?;
        let source = table.state.start().map(|start| start.source);
        // A game at a server has seats; one in the terminal has none.
        let seats = match &table.keeper.log {
            Some(log) => log.store.seats(log.id)?,
            None => Vec::new(),
        };
        match (table.state.phase(), source) {
            // A game that was read from a file has no events.
            (Phase::New, _) => Err(NotResumed::Elsewhere),
            (_, Some(hansu_play::Source::Online)) => Err(NotResumed::Elsewhere),
            (_, Some(hansu_play::Source::Computer)) if !seats.is_empty() => {
                Err(NotResumed::Elsewhere)
            }
            (Phase::Ended(_), _) => Err(NotResumed::Over),
            (Phase::Playing, _) => Ok(table),
            (Phase::Adjourned, _) => {
                // Both players sit here, so both agree to go on.
                let go_on = Command::Offer { what: Offer::Resumption, next: None };
                table.act(&go_on).map_err(|stopped| match stopped {
                    Stopped::NotKept(error) => NotResumed::Log(error),
                    Stopped::Refused(_) | Stopped::GoneOn => NotResumed::Elsewhere,
                })?;
                Ok(table)
            }
        }
    }

    /// The game as it stands.
    ///
    /// ```
    /// use hansu_console::Table;
    /// use hansu_play::{Phase, Start};
    /// let table = Table::start(&Start::between("Mina", "Jun"), None)?;
    /// assert_eq!(table.state().phase(), Phase::Playing);
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The name of the game in the log.
    ///
    /// ```
    /// use hansu_console::Table;
    /// use hansu_play::Start;
    /// assert_eq!(Table::start(&Start::between("Mina", "Jun"), None)?.id(), None);
    /// # Ok::<(), hansu_play::Refusal>(())
    /// ```
    pub fn id(&self) -> Option<GameId> {
        self.keeper.id()
    }

    /// What keeps the game, for a game that is held elsewhere.
    pub(crate) fn into_keeper(self) -> Keeper {
        self.keeper
    }

    /// Does what was asked and, when this returns well, has it on the disk.
    pub(crate) fn act(&mut self, command: &Command) -> Result<(), Stopped> {
        let now = now();
        let Acted { entries, after } =
            act(&self.state, Actor::Both, command, now, now).map_err(Stopped::Refused)?;
        self.keep(&entries, &after)?;
        self.state = after;
        Ok(())
    }

    fn keep(&mut self, entries: &[Entry], next: &State) -> Result<(), Stopped> {
        match self.keeper.keep(entries, next) {
            Ok(()) => Ok(()),
            Err(KeepError::Failed(error)) => Err(Stopped::NotKept(error)),
            Err(KeepError::Conflict(conflict)) => Err(match self.catch_up() {
                Ok(News::Some) => Stopped::GoneOn,
                Ok(News::None) => Stopped::NotKept(conflict),
                Err(NotResumed::Log(error)) => Stopped::NotKept(error),
                Err(NotResumed::NoSuchGame) => Stopped::NotKept(Error::NoSuchGame),
                Err(_) => Stopped::NotKept(Error::Damaged),
            }),
        }
    }

    /// Reads what others have added to the game.
    pub(crate) fn catch_up(&mut self) -> Result<News, NotResumed> {
        let entries = self.keeper.news(&mut self.state)?;
        Ok(if entries.is_empty() { News::None } else { News::Some })
    }
}
