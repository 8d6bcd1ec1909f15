//! What every store of the log does, whatever database is behind it.

use std::sync::mpsc;

use crate::analysis::Analyses;
pub use crate::batch::{Batch, BatchAnswer, Imported, Progress};
use crate::dates::LogTime;
use crate::holders::Holders;
use crate::stats::{Bucket, Facet, HeadToHead, Own, PlayerStats, Standing, Streaks, Tally, Viewer};
use crate::{
    Begins, Error, Filter, GameId, Holder, Invitation, Listing, OpeningName, Page, Part, Played,
    Record, Row, Seat, Seek, Summary, dates, names,
};

/// The most events in one append.
pub const MOST_EVENTS: usize = 256;
/// The longest event, in bytes.
pub const LONGEST_EVENT: usize = 64 * 1024;
/// The longest name, in bytes.
pub const LONGEST_NAME: usize = 400;
/// The longest note, in bytes.
pub const LONGEST_NOTE: usize = 16 * 1024;
/// The longest tag, in bytes.
pub const LONGEST_TAG: usize = 100;
/// The most tags on one game.
pub const MOST_TAGS: usize = 64;
/// The most bytes of PGN tags, and of annotations.
pub const LONGEST_HEADERS: usize = 1024 * 1024;

/// The longest text of an invitation, in bytes.
pub const LONGEST_INVITATION: usize = 16 * 1024;
/// The most invitations that one holder may have open.
pub const MOST_INVITATIONS: usize = 64;

/// An event to be written. The log does not interpret its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEvent {
    /// When it happened.
    pub at: LogTime,
    /// The event as text.
    pub body: String,
}

/// An event of the log.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Event {
    /// Its number in the game, from 1, without gaps.
    pub seq: u64,
    /// When it happened.
    pub at: LogTime,
    /// The event as text.
    pub body: String,
}

/// Events to be added to a game, with the resulting row. The first append of a game (`expected` is
/// 1) creates it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Append {
    /// Which game.
    pub game: GameId,
    /// The number of the first of these events: one more than the last event that the sender knows.
    pub expected: u64,
    /// The idempotency key of the command. A second append to the game with this key changes
    /// nothing and gets the answer of the first, however many events were written in between.
    pub command_key: Option<String>,
    /// The events, in order.
    pub events: Vec<NewEvent>,
    /// How they change the game's row.
    pub row: Row,
    /// The seats of the game; only with its first events, otherwise it is a conflict.
    pub begins: Option<Begins>,
    /// The first append of a rematch. Both appends are written, or neither: players who agreed on a
    /// rematch always find its game.
    pub next: Option<Box<Append>>,
}

/// The answer to an append that is on the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Appended {
    /// The number of its last event.
    pub seq: u64,
    /// Tells whether this append wrote it, or an earlier one with the same command key.
    pub once: Once,
}

/// Tells a new append from a resend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Once {
    /// Written now.
    First,
    /// Written before; this was a resend.
    Again,
}

/// Called once with the answer, on the store's own thread: it must not block.
pub type Done = Box<dyn FnOnce(Result<Appended, Error>) + Send>;

/// The games that are played, event by event, and the servers that write them.
pub trait Log: Send + Sync {
    /// Queues events and returns at once; `done` is called when they are on the disk, or when
    /// writing them has failed. A full queue gives [`Error::Busy`].
    fn submit(&self, append: Append, done: Done);

    /// Writes events and waits until they are on the disk.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] when `expected` is not the next number, when a game begins under a name
    /// that an invitation or a seek holds without using it, when [`Append::begins`] comes with any
    /// but the first events, or when [`Append::next`] is not the beginning of a new game;
    /// [`Error::Spent`] when the invitation or the seek that it uses is not open; [`Error::Busy`],
    /// or a storage error.
    fn append(&self, append: Append) -> Result<Appended, Error> {
        let (sender, answer) = mpsc::sync_channel(1);
        self.submit(
            append,
            Box::new(move |result| {
                // The receiver is gone only if the caller is.
                let _ = sender.send(result);
            }),
        );
        answer.recv().unwrap_or(Err(Error::Closed))
    }

    /// At most `limit` events of a game after event number `after`, in order.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], or a storage error.
    fn events(&self, game: GameId, after: u64, limit: usize) -> Result<Vec<Event>, Error>;

    /// The number of the last event of the append with this command key; `None` if there was none.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn find_command(&self, game: GameId, command_key: &str) -> Result<Option<u64>, Error>;

    /// The seats of a game, White first. An imported game has at most the seat of its importer.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], or a storage error.
    fn seats(&self, game: GameId) -> Result<Vec<Seat>, Error>;

    /// The seats of several games; unknown games are left out.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn seats_of(&self, games: &[GameId]) -> Result<Vec<(GameId, Seat)>, Error> {
        let mut all = Vec::new();
        for &game in games {
            match self.seats(game) {
                Ok(seats) => all.extend(seats.into_iter().map(|seat| (game, seat))),
                Err(Error::NoSuchGame) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(all)
    }

    /// Writes a server's heartbeat; it is on the disk when this returns. It does not overtake
    /// appends that were submitted before it: after a crash the clocks are credited from the last
    /// heartbeat on, so everything submitted before it must be on the disk.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`], or a storage error.
    fn beat(&self, node: &str, at: LogTime) -> Result<(), Error>;

    /// The latest heartbeat of all servers.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn last_beat(&self) -> Result<Option<LogTime>, Error>;

    /// The last heartbeat of each server.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn beats(&self) -> Result<Vec<(String, LogTime)>, Error>;

    /// Deletes heartbeats older than `before` and returns their number. A log in a file has a
    /// single server with a single name, so nothing is deleted.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn sweep_beats(&self, before: LogTime) -> Result<u64, Error> {
        let _ = before;
        Ok(0)
    }

    /// The number of the last event of each of these games, in one query; unknown games are left
    /// out.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn last_events(&self, games: &[GameId]) -> Result<Vec<(GameId, u64)>, Error> {
        let records = games.iter().map(|&game| self.record(game));
        let known = records.filter_map(Result::transpose);
        known.map(|record| record.map(|record| (record.id, record.last_seq))).collect()
    }

    /// The clock of the database. Servers that share it measure the offset of their own clock
    /// against it. A log in a file uses the clock of this machine.
    ///
    /// # Errors
    ///
    /// A database error.
    fn clock(&self) -> Result<LogTime, Error> {
        Ok(dates::now())
    }

    /// A game.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn record(&self, game: GameId) -> Result<Option<Record>, Error>;

    /// Games whose deadline has passed, the earliest deadline first.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn overdue(&self, now: LogTime, limit: usize) -> Result<Vec<(GameId, LogTime)>, Error>;
}

/// Players who wait: invitations to one opponent, and seeks for any.
pub trait Invitations: Send + Sync {
    /// Writes an invitation; it is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] when the game or the hash is taken, [`Error::TooMany`] when the holder
    /// has [`MOST_INVITATIONS`] others that have not expired when this one is made,
    /// [`Error::TooLong`], or a storage error.
    fn invite(&self, invitation: Invitation) -> Result<(), Error>;

    /// The invitation with this hash, even if it was used, withdrawn or has expired, until it is
    /// swept.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn invitation(&self, hash: &[u8; 32]) -> Result<Option<Invitation>, Error>;

    /// The invitation to a game, even if it was used, withdrawn or has expired, until it is swept.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn invitation_of(&self, game: GameId) -> Result<Option<Invitation>, Error>;

    /// Withdraws the invitation to a game. Its row stays, marked as withdrawn.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`] when none is open, or a storage error.
    fn withdraw(&self, game: GameId) -> Result<(), Error>;

    /// Deletes unused invitations that expired by this time, and withdrawn ones that were made by
    /// this time; returns their number. A used invitation stays as long as its game.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn sweep_invitations(&self, by: LogTime) -> Result<u64, Error>;

    /// Writes a seek; it is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] when the id of the game is taken, [`Error::TooLong`], or a storage
    /// error.
    fn seek(&self, seek: Seek) -> Result<(), Error>;

    /// The seeks of all servers, the oldest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn seeks(&self, limit: usize) -> Result<Vec<Seek>, Error>;

    /// Cancels a seek.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`] when there is none, because its game has begun, or a storage error.
    fn cancel_seek(&self, game: GameId) -> Result<(), Error>;
}

/// All games: search, lists, counts, statistics, tags and notes, import.
pub trait Archive: Send + Sync {
    /// At most `limit` games whose ids begin with this text: users type only the first letters.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn find(&self, beginning: &str, limit: usize) -> Result<Vec<GameId>, Error>;

    /// Games that pass a filter, a page at a time.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn list(&self, filter: &Filter, page: &Page) -> Result<Listing, Error>;

    /// How many games pass a filter.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn count(&self, filter: &Filter) -> Result<u64, Error>;

    /// A game as a viewer sees it, with the viewer's own tags and note. The keeper of the log sees
    /// the tags and notes of all holders.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn record_for(&self, viewer: Viewer, game: GameId) -> Result<Option<Record>, Error>;

    /// Adds a player's tag to a game; `None` is the keeper of the log.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], [`Error::TooLong`], or a storage error.
    fn tag(&self, by: Option<Holder>, game: GameId, tag: &str) -> Result<(), Error>;

    /// Removes a player's tag from a game; the keeper of the log removes this tag of all holders.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], or a storage error.
    fn untag(&self, by: Option<Holder>, game: GameId, tag: &str) -> Result<(), Error>;

    /// All tags that a viewer sees, each with its number of games.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn tags(&self, viewer: Viewer) -> Result<Vec<(String, u64)>, Error>;

    /// Writes a player's note about a game. An empty note deletes it; an empty note of the keeper
    /// of the log deletes the notes of all holders.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], [`Error::TooLong`], or a storage error.
    fn note(&self, by: Option<Holder>, game: GameId, note: &str) -> Result<(), Error>;

    /// Deletes a game and everything that belongs to it.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], or a storage error.
    fn delete(&self, game: GameId) -> Result<(), Error>;

    /// Adds the games of a file that the log does not have yet. Waits while the queue is full.
    ///
    /// # Errors
    ///
    /// A storage error; none of the batch is kept then.
    fn import(&self, batch: Batch) -> Result<BatchAnswer, Error>;

    /// How far a file has been read.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn progress(&self, key: &str) -> Result<Option<Progress>, Error>;

    /// Results of all ended games that a viewer may see.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn totals(&self, viewer: Viewer) -> Result<Tally, Error>;

    /// Results by reason, month, opening or source; of all games, or of one player's games.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn by(&self, viewer: Viewer, facet: Facet, player: Option<&str>) -> Result<Vec<Bucket>, Error>;

    /// One player's results; `None` if no counted game has a player of that name.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn player(&self, viewer: Viewer, name: &str) -> Result<Option<PlayerStats>, Error>;

    /// The players with the most games.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn players(&self, viewer: Viewer, limit: usize) -> Result<Vec<PlayerStats>, Error>;

    /// Two players' games against each other.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn head_to_head(&self, viewer: Viewer, one: &str, other: &str) -> Result<HeadToHead, Error>;

    /// A player's opponents, the most frequent first.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn opponents(
        &self,
        viewer: Viewer,
        name: &str,
        limit: usize,
    ) -> Result<Vec<(String, Standing)>, Error>;

    /// A player's runs of wins and of games without a loss.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn streaks(&self, viewer: Viewer, name: &str) -> Result<Streaks, Error>;

    /// The results of the player who holds a key, with at most this number of opponents.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn own(&self, holder: Holder, opponents: usize) -> Result<Own, Error>;

    /// Reads the whole log and says whether it is sound.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`], or a storage error.
    fn check(&self) -> Result<(), Error>;
}

/// Everything that a store does for Hansu.
pub trait Store: Log + Invitations + Archive + Analyses + Holders {}

impl<T: Log + Invitations + Archive + Analyses + Holders> Store for T {}

impl Append {
    /// The number of the last of these events.
    pub(crate) const fn last_seq(&self) -> u64 {
        self.expected.saturating_add(self.events.len() as u64).saturating_sub(1)
    }

    /// Checks the sizes against the limits of the log.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`].
    pub fn limits(&self) -> Result<(), Error> {
        let fits = !self.events.is_empty()
            && self.events.len() <= MOST_EVENTS
            && self.events.iter().all(|e| e.body.len() <= LONGEST_EVENT);
        within(fits, Part::Events)?;
        let command_key = self.command_key.as_ref().map_or(0, String::len);
        within(command_key <= LONGEST_NAME, Part::Client)?;
        within(self.begins.as_ref().is_none_or(Begins::fits), Part::Seats)?;
        if let Some(next) = &self.next {
            // Only one rematch: a chain of appends would get around the limits.
            within(next.next.is_none(), Part::Events)?;
            next.limits()?;
        }
        match &self.row {
            Row::Whole(summary) => summary.limits(),
            Row::Played(played) => played.limits(),
        }
    }
}

impl Played {
    fn limits(&self) -> Result<(), Error> {
        within(self.opening.as_ref().is_none_or(OpeningName::fits), Part::Text)?;
        within(self.moves.len() <= crate::moves::MOST_PLIES, Part::Moves)
    }
}

impl Summary {
    /// Checks the sizes against the limits of the log.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`].
    pub fn limits(&self) -> Result<(), Error> {
        let names = [Some(&self.white), Some(&self.black), self.event.as_ref()];
        within(names.iter().flatten().all(|name| name.len() <= LONGEST_NAME), Part::Name)?;
        let texts = [
            self.reason.as_ref(),
            self.start_fen.as_ref(),
            Some(&self.final_fen),
            self.time_control.as_ref(),
        ];
        let texts = texts.iter().flatten().all(|text| text.len() <= LONGEST_NAME);
        within(texts && self.opening.as_ref().is_none_or(OpeningName::fits), Part::Text)?;
        within(self.moves.len() <= crate::moves::MOST_PLIES, Part::Moves)?;
        let headers: usize = self.headers.iter().map(|(k, v)| k.len() + v.len()).sum();
        let annotations = self.annotations.as_ref().map_or(0, String::len);
        within(headers <= LONGEST_HEADERS && annotations <= LONGEST_HEADERS, Part::Headers)
    }
}

/// Normalises a user's tag like a name, in lower case.
pub(crate) fn tidy_tag(tag: &str) -> Result<String, Error> {
    let tag = names::fold(tag);
    within(tag.len() <= LONGEST_TAG && tag != "?", Part::Tags)?;
    Ok(tag)
}

/// The holder under which tags and notes are stored; empty for the keeper of the log.
pub(crate) fn author(by: Option<&Holder>) -> &[u8] {
    by.map_or(&[], |holder| &holder.0)
}

impl Viewer {
    /// The holder whose tags and notes the viewer sees; `None` for those of all holders.
    pub(crate) fn reads(&self) -> Option<&[u8]> {
        match self {
            Viewer::Keeper => None,
            Viewer::Guest(Some(Holder(hash))) => Some(hash),
            // A holder that does not exist.
            Viewer::Guest(None) => Some(&[0]),
        }
    }
}

/// Returns true if a game id can begin with this text.
pub(crate) fn is_beginning(text: &str) -> bool {
    (1..=12).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

pub(crate) fn within(fits: bool, part: Part) -> Result<(), Error> {
    fits.then_some(()).ok_or(Error::TooLong(part))
}
