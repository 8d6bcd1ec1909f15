//! A game that is kept in the log: each command is written there before it takes effect.

use std::sync::Arc;

use hansu_journal::{LoadError, now, row, to_event};
use hansu_play::{Actor, Command, Decision, Entry, Offer, Phase, Refusal, Start, State, act};
use hansu_records::{
    Append, Error, Filter, GameId, NewEvent, Page, Source, Status, Store, Visibility,
};

use crate::ResumeError;

/// A new game whose id is taken gets another id, at most this many times.
const MAX_ID_ATTEMPTS: usize = 8;

/// A game, and the log that stores it.
pub struct KeptGame {
    state: State,
    writer: GameWriter,
}

/// Writes the entries of a game to the log.
pub(crate) struct GameWriter {
    /// Entries that are not written yet: a game is stored from its first move or resignation on, so
    /// that opening the program and leaving it stores nothing.
    unwritten: Vec<Entry>,
    log: Option<Log>,
}

struct Log {
    store: Arc<dyn Store>,
    id: GameId,
}

/// Why entries were not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WriteError {
    /// Another window or program has written to the game.
    Conflict(Error),
    /// The log failed.
    Failed(Error),
}

impl GameWriter {
    /// A writer for a game; `unwritten` are the entries of a new game. Without a log it writes
    /// nothing.
    pub(crate) fn new(unwritten: Vec<Entry>, log: Option<(Arc<dyn Store>, GameId)>) -> GameWriter {
        GameWriter { unwritten, log: log.map(|(store, id)| Log { store, id }) }
    }

    /// The id of the game in the log; None without a log.
    pub(crate) fn id(&self) -> Option<GameId> {
        self.log.as_ref().map(|log| log.id)
    }

    /// Writes these entries, after those that were not written yet. `next` is the state after them.
    pub(crate) fn write(&mut self, entries: &[Entry], next: &State) -> Result<(), WriteError> {
        let Some(log) = &mut self.log else { return Ok(()) };
        let all = || self.unwritten.iter().chain(entries);
        let Some(expected) = all().next().map(|entry| entry.seq) else { return Ok(()) };
        let events: Vec<NewEvent> =
            all().map(to_event).collect::<Result<_, _>>().map_err(WriteError::Failed)?;
        let row = row(all(), next, Visibility::Public);
        for _ in 0..MAX_ID_ATTEMPTS {
            let append = Append {
                game: log.id,
                expected,
                command_key: None,
                events: events.clone(),
                row: row.clone(),
                begins: None,
                next: None,
            };
            match log.store.append(append) {
                Ok(_) => {
                    self.unwritten.clear();
                    return Ok(());
                }
                // Another game has this id.
                Err(Error::Conflict { .. }) if expected == 1 => {
                    log.id = GameId::random().map_err(WriteError::Failed)?;
                }
                Err(conflict @ Error::Conflict { .. }) => {
                    return Err(WriteError::Conflict(conflict));
                }
                Err(error) => return Err(WriteError::Failed(error)),
            }
        }
        Err(WriteError::Failed(Error::Busy))
    }

    /// Applies to `state` what other programs have added to the game, and returns the new entries.
    pub(crate) fn read_new(&self, state: &mut State) -> Result<Vec<Entry>, LoadError> {
        let Some(log) = &self.log else { return Ok(Vec::new()) };
        // A game that is not in the log yet is known to this process only.
        if !self.unwritten.is_empty() {
            return Ok(Vec::new());
        }
        hansu_journal::catch_up(&*log.store, log.id, state)
    }
}

/// Why a command has no effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CommandError {
    /// The rules refuse it.
    Refused(Refusal),
    /// Another program has changed the game; the state now includes that change.
    ChangedElsewhere,
    /// The log failed.
    NotSaved(Error),
}

/// Returned by reading the log: `Some` if other programs have added entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum News {
    Some,
    None,
}

/// The most unfinished computer games that are searched for one of the terminal.
const COMPUTER_GAMES: usize = 100;

/// The newest unfinished terminal game, against a person or the computer.
///
/// # Errors
///
/// If there is none, or the log fails.
pub fn newest_unfinished(store: &dyn Store) -> Result<GameId, ResumeError> {
    let unfinished = |source, limit| {
        let status = Some(Status::Live);
        let filter = Filter { source: Some(source), status, ..Filter::default() };
        store.list(&filter, &Page { limit, ..Page::default() })
    };
    let mut found = unfinished(Source::Terminal, 1)?.games;
    for game in unfinished(Source::Computer, COMPUTER_GAMES)?.games {
        // A game on a server has seats.
        if store.seats(game.id)?.is_empty() {
            found.push(game);
            break;
        }
    }
    let newest = found.into_iter().max_by_key(|game| game.summary.started);
    newest.map(|game| game.id).ok_or(ResumeError::NothingUnfinished)
}

impl KeptGame {
    /// Starts a new game. Without a log nothing is stored.
    ///
    /// # Errors
    ///
    /// If the names or the position cannot be used.
    pub fn start(
        start: &Start,
        log: Option<(Arc<dyn Store>, GameId)>,
    ) -> Result<KeptGame, Refusal> {
        let now = now();
        let start = Command::Start(start.clone());
        let Decision { entries: unwritten, after: state } =
            act(&State::default(), Actor::Both, &start, now, now)?;
        Ok(KeptGame { state, writer: GameWriter::new(unwritten, log) })
    }

    /// Resumes a game of the log. `name` is the beginning of its id.
    ///
    /// # Errors
    ///
    /// If the game cannot be resumed.
    pub fn resume(store: Arc<dyn Store>, name: &str) -> Result<KeptGame, ResumeError> {
        let id = match store.find(name, 2)?[..] {
            [] => return Err(ResumeError::NoSuchGame),
            [id] => id,
            [..] => return Err(ResumeError::SeveralGames),
        };
        let writer = GameWriter::new(Vec::new(), Some((store, id)));
        let mut game = KeptGame { state: State::default(), writer };
        game.catch_up()?;
        let source = game.state.start().map(|start| start.source);
        // A game on a server has seats, a terminal game has none.
        let seats = match &game.writer.log {
            Some(log) => log.store.seats(log.id)?,
            None => Vec::new(),
        };
        match (game.state.phase(), source) {
            // An imported game has no events.
            (Phase::New, _) => Err(ResumeError::Elsewhere),
            (_, Some(hansu_play::Source::Online)) => Err(ResumeError::Elsewhere),
            (_, Some(hansu_play::Source::Computer)) if !seats.is_empty() => {
                Err(ResumeError::Elsewhere)
            }
            (Phase::Ended(_), _) => Err(ResumeError::Over),
            (Phase::Playing, _) => Ok(game),
            (Phase::Adjourned, _) => {
                // Both players are at this terminal, so the offer is an agreement.
                let go_on = Command::Offer { what: Offer::Resumption, next: None };
                game.act(&go_on).map_err(|error| match error {
                    CommandError::NotSaved(error) => ResumeError::Log(error),
                    CommandError::Refused(_) | CommandError::ChangedElsewhere => {
                        ResumeError::Elsewhere
                    }
                })?;
                Ok(game)
            }
        }
    }

    /// The current state of the game.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The id of the game in the log; None without a log.
    pub fn id(&self) -> Option<GameId> {
        self.writer.id()
    }

    /// The writer of the game, without its state.
    pub(crate) fn into_writer(self) -> GameWriter {
        self.writer
    }

    /// Executes a command. When this returns `Ok`, the command is on the disk.
    pub(crate) fn act(&mut self, command: &Command) -> Result<(), CommandError> {
        let now = now();
        let Decision { entries, after } =
            act(&self.state, Actor::Both, command, now, now).map_err(CommandError::Refused)?;
        self.write(&entries, &after)?;
        self.state = after;
        Ok(())
    }

    fn write(&mut self, entries: &[Entry], next: &State) -> Result<(), CommandError> {
        match self.writer.write(entries, next) {
            Ok(()) => Ok(()),
            Err(WriteError::Failed(error)) => Err(CommandError::NotSaved(error)),
            Err(WriteError::Conflict(conflict)) => Err(match self.catch_up() {
                Ok(News::Some) => CommandError::ChangedElsewhere,
                Ok(News::None) => CommandError::NotSaved(conflict),
                Err(ResumeError::Log(error)) => CommandError::NotSaved(error),
                Err(ResumeError::NoSuchGame) => CommandError::NotSaved(Error::NoSuchGame),
                Err(_) => CommandError::NotSaved(Error::Damaged),
            }),
        }
    }

    /// Reads what other programs have added to the game.
    pub(crate) fn catch_up(&mut self) -> Result<News, ResumeError> {
        let entries = self.writer.read_new(&mut self.state)?;
        Ok(if entries.is_empty() { News::None } else { News::Some })
    }
}
