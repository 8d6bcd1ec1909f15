//! What every store of the log does, whatever database is behind it.

use std::sync::mpsc;

use crate::analysis::Analyses;
pub use crate::batch::{Batch, BatchAnswer, Imported, Progress};
use crate::dates::Millis;
use crate::holders::Holders;
use crate::stats::{Bucket, Facet, HeadToHead, Own, PlayerStats, Standing, Streaks, Tally, Viewer};
use crate::{
    Begins, Error, Filter, GameId, Holder, Invitation, Listing, Named, Page, Part, Played, Record,
    Row, Seat, Seek, Summary, dates, names,
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

/// An event that is to be kept; its text is a matter of whoever writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEvent {
    /// When it happened.
    pub at: Millis,
    /// The event, as text.
    pub body: String,
}

/// An event of the log.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Event {
    /// Its place in its game, from 1, without gaps.
    pub seq: u64,
    /// When it happened.
    pub at: Millis,
    /// The event, as text.
    pub body: String,
}

/// Events to be added to a game, with the row that they lead to. The first append of a game
/// (`expected` is 1) makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Append {
    /// Which game.
    pub game: GameId,
    /// The number that the first of these events will have: one more than the last known.
    pub expected: u64,
    /// A name the sender gave to the command. A second append with it changes nothing and is answered
    /// like the first, however much has happened in between.
    pub client: Option<String>,
    /// The events, in order.
    pub events: Vec<NewEvent>,
    /// What they make of the game's row.
    pub row: Row,
    /// Who sits down, with the first events of a game; with any others it is a conflict.
    pub begins: Option<Begins>,
    /// The first append of another game, kept with this one or not at all: who has agreed on a
    /// next game finds it begun.
    pub next: Option<Box<Append>>,
}

/// The answer to an append: it is on the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Appended {
    /// The number of its last event.
    pub seq: u64,
    /// Whether this or an earlier append with the same client id wrote it.
    pub once: Once,
}

/// Whether an append was new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Once {
    /// Written now.
    First,
    /// Written before; this was a resend.
    Again,
}

/// Called once with the answer, on the store's own thread: it must not wait for anything.
pub type Done = Box<dyn FnOnce(Result<Appended, Error>) + Send>;

/// The games that are played, event by event, and the servers that write them.
pub trait Log: Send + Sync {
    /// Gives events to be written and returns at once; `done` is called when they are on the
    /// disk, or are not going to be. A full queue is answered with [`Error::Busy`].
    fn submit(&self, append: Append, done: Done);

    /// Writes events and waits until they are on the disk.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] when `expected` is not the next number, when a game begins under a name
    /// that an invitation or a seek holds without using it, when [`Append::begins`] comes with any
    /// but the first events, or when [`Append::next`] is not the beginning of a new game;
    /// [`Error::Spent`] when the invitation or the seek that it uses is not open;
    /// [`Error::Busy`], or what the disk says.
    fn append(&self, append: Append) -> Result<Appended, Error> {
        let (sender, answer) = mpsc::sync_channel(1);
        self.submit(
            append,
            Box::new(move |result| {
                // Nobody listens only when the caller is gone.
                let _ = sender.send(result);
            }),
        );
        answer.recv().unwrap_or(Err(Error::Closed))
    }

    /// Events of a game after a number, in order.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], or what the disk says.
    fn events(&self, game: GameId, after: u64, limit: usize) -> Result<Vec<Event>, Error>;

    /// The number that an append with this client id got; `None` when there was none.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn answered(&self, game: GameId, client: &str) -> Result<Option<u64>, Error>;

    /// Who has the seats of a game, White first; nobody has those of a game of a file.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], or what the disk says.
    fn seats(&self, game: GameId) -> Result<Vec<Seat>, Error>;

    /// The seats of several games; games that are not there are left out.
    ///
    /// # Errors
    ///
    /// What the disk says.
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

    /// Writes down that a server is alive; it is on the disk when this returns. It does not
    /// overtake what the log was given before: after a crash clocks are credited from here on, and
    /// what was to be kept before it must be kept by then.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`], or what the disk says.
    fn beat(&self, node: &str, at: Millis) -> Result<(), Error>;

    /// When a server was last alive: the latest beat of all.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn last_beat(&self) -> Result<Option<Millis>, Error>;

    /// When each server was last alive.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn beats(&self) -> Result<Vec<(String, Millis)>, Error>;

    /// Forgets the servers that were last alive before then; how many. A log in a file has one
    /// server, which has one name, and forgets nothing.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn sweep_beats(&self, before: Millis) -> Result<u64, Error> {
        let _ = before;
        Ok(0)
    }

    /// The number of the last event of each of these games, in one question; games that are not
    /// there are left out.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn last_events(&self, games: &[GameId]) -> Result<Vec<(GameId, u64)>, Error> {
        let records = games.iter().map(|&game| self.record(game));
        let known = records.filter_map(Result::transpose);
        known.map(|record| record.map(|record| (record.id, record.last_seq))).collect()
    }

    /// The time of the log's own clock, by which servers that share it measure how far theirs is
    /// off. A log in a file is read where it is written, and has the clock of this machine.
    ///
    /// # Errors
    ///
    /// What the database says.
    fn clock(&self) -> Result<Millis, Error> {
        Ok(dates::now())
    }

    /// A game.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn record(&self, game: GameId) -> Result<Option<Record>, Error>;

    /// Games whose deadline has passed, the most urgent first.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn overdue(&self, now: Millis, limit: usize) -> Result<Vec<(GameId, Millis)>, Error>;
}

/// Players who wait: invitations to one opponent, and seeks for any.
pub trait Invitations: Send + Sync {
    /// Keeps an invitation; it is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] when the game or the hash is taken, [`Error::TooMany`] when the holder
    /// has [`MOST_INVITATIONS`] others that have not expired when this one is made,
    /// [`Error::TooLong`], or what the disk says.
    fn invite(&self, invitation: Invitation) -> Result<(), Error>;

    /// The invitation with this hash, also when it was used, withdrawn or has expired, and was not
    /// swept yet.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn invitation(&self, hash: &[u8; 32]) -> Result<Option<Invitation>, Error>;

    /// The invitation to a game, also when it was used, withdrawn or has expired, and was not swept
    /// yet.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn invitation_of(&self, game: GameId) -> Result<Option<Invitation>, Error>;

    /// Takes the invitation to a game back. It is remembered as withdrawn, with its name.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`] when none is open, or what the disk says.
    fn withdraw(&self, game: GameId) -> Result<(), Error>;

    /// Removes the invitations that had expired by then or are withdrawn and were made by then; how
    /// many. A used one stays as long as its game.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn sweep_invitations(&self, by: Millis) -> Result<u64, Error>;

    /// Keeps a seek; it is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] when the name of the game is taken, [`Error::TooLong`], or what the disk
    /// says.
    fn seek(&self, seek: Seek) -> Result<(), Error>;

    /// The seeks of all servers, the oldest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn seeks(&self, limit: usize) -> Result<Vec<Seek>, Error>;

    /// Takes a seek back.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`] when there is none, because its game has begun, or what the disk says.
    fn cancel_seek(&self, game: GameId) -> Result<(), Error>;
}

/// All games, to be found, counted, described and filled from files.
pub trait Archive: Send + Sync {
    /// The games whose names begin so, at most `limit`: people type only the first letters.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn find(&self, beginning: &str, limit: usize) -> Result<Vec<GameId>, Error>;

    /// Games that pass a filter, a page at a time.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn list(&self, filter: &Filter, page: &Page) -> Result<Listing, Error>;

    /// How many games pass a filter.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn count(&self, filter: &Filter) -> Result<u64, Error>;

    /// A game as a viewer sees it: with their own words and note. The keeper of the log sees those
    /// of all.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn record_for(&self, viewer: Viewer, game: GameId) -> Result<Option<Record>, Error>;

    /// Puts a player's word on a game; `None` is the keeper of the log.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], [`Error::TooLong`], or what the disk says.
    fn tag(&self, by: Option<Holder>, game: GameId, tag: &str) -> Result<(), Error>;

    /// Takes a player's word off a game; the keeper of the log takes off the same word of all.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], or what the disk says.
    fn untag(&self, by: Option<Holder>, game: GameId, tag: &str) -> Result<(), Error>;

    /// All words that a viewer sees on games, with how many games each is on.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn tags(&self, viewer: Viewer) -> Result<Vec<(String, u64)>, Error>;

    /// Writes a player's note about a game. An empty one removes it; an empty one of the keeper of
    /// the log removes the notes of all.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], [`Error::TooLong`], or what the disk says.
    fn note(&self, by: Option<Holder>, game: GameId, note: &str) -> Result<(), Error>;

    /// Removes a game and all that belongs to it.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], or what the disk says.
    fn delete(&self, game: GameId) -> Result<(), Error>;

    /// Adds games of a file that are not there yet. Waits for a place in the queue.
    ///
    /// # Errors
    ///
    /// What the disk says; none of the batch is kept then.
    fn import(&self, batch: Batch) -> Result<BatchAnswer, Error>;

    /// How far a file has been read.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn progress(&self, key: &str) -> Result<Option<Progress>, Error>;

    /// Results of all ended games that a viewer may see.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn totals(&self, viewer: Viewer) -> Result<Tally, Error>;

    /// Results by reason, month, opening or source; of everybody, or of one player's games.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn by(&self, viewer: Viewer, facet: Facet, player: Option<&str>) -> Result<Vec<Bucket>, Error>;

    /// One player's results; `None` when there is no player of that name in any game that counts.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn player(&self, viewer: Viewer, name: &str) -> Result<Option<PlayerStats>, Error>;

    /// The players with the most games.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn players(&self, viewer: Viewer, limit: usize) -> Result<Vec<PlayerStats>, Error>;

    /// Two players' games against each other.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn head_to_head(&self, viewer: Viewer, one: &str, other: &str) -> Result<HeadToHead, Error>;

    /// A player's opponents, those met most often first.
    ///
    /// # Errors
    ///
    /// What the disk says.
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
    /// What the disk says.
    fn streaks(&self, viewer: Viewer, name: &str) -> Result<Streaks, Error>;

    /// The results of the player who holds a key, with at most this number of opponents.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn own(&self, holder: Holder, opponents: usize) -> Result<Own, Error>;

    /// Reads the whole log and says whether it is sound.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`], or what the disk says.
    fn check(&self) -> Result<(), Error>;
}

/// All that a database does for Hansu.
pub trait Store: Log + Invitations + Archive + Analyses + Holders {}

impl<T: Log + Invitations + Archive + Analyses + Holders> Store for T {}

impl Append {
    /// The number that the last of these events will have.
    pub(crate) const fn last_seq(&self) -> u64 {
        self.expected.saturating_add(self.events.len() as u64).saturating_sub(1)
    }

    /// Whether everything has a size the log takes.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`].
    pub fn limits(&self) -> Result<(), Error> {
        let fits = !self.events.is_empty()
            && self.events.len() <= MOST_EVENTS
            && self.events.iter().all(|e| e.body.len() <= LONGEST_EVENT);
        within(fits, Part::Events)?;
        let client = self.client.as_ref().map_or(0, String::len);
        within(client <= LONGEST_NAME, Part::Client)?;
        within(self.begins.as_ref().is_none_or(Begins::fits), Part::Seats)?;
        if let Some(next) = &self.next {
            // One game follows another; a chain would be a way past the limits.
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
        within(self.opening.as_ref().is_none_or(Named::fits), Part::Text)?;
        within(self.moves.len() <= crate::moves::MOST_PLIES, Part::Moves)
    }
}

impl Summary {
    /// Whether everything has a size the log takes.
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
        within(texts && self.opening.as_ref().is_none_or(Named::fits), Part::Text)?;
        within(self.moves.len() <= crate::moves::MOST_PLIES, Part::Moves)?;
        let headers: usize = self.headers.iter().map(|(k, v)| k.len() + v.len()).sum();
        let annotations = self.annotations.as_ref().map_or(0, String::len);
        within(headers <= LONGEST_HEADERS && annotations <= LONGEST_HEADERS, Part::Headers)
    }
}

/// A user's word for games: like a name, in small letters.
pub(crate) fn tidy_tag(tag: &str) -> Result<String, Error> {
    let tag = names::fold(tag);
    within(tag.len() <= LONGEST_TAG && tag != "?", Part::Tags)?;
    Ok(tag)
}

/// The holder under whom words and notes are kept: that of the keeper of the log is empty.
pub(crate) fn author(by: Option<&Holder>) -> &[u8] {
    by.map_or(&[], |holder| &holder.0)
}

impl Viewer {
    /// The holder whose words and notes are seen; `None` for those of all.
    pub(crate) fn reads(&self) -> Option<&[u8]> {
        match self {
            Viewer::Keeper => None,
            Viewer::Guest(Some(Holder(hash))) => Some(hash),
            // A holder that there is not.
            Viewer::Guest(None) => Some(&[0]),
        }
    }
}

/// Whether the name of a game can begin so.
pub(crate) fn is_beginning(text: &str) -> bool {
    (1..=12).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

pub(crate) fn within(fits: bool, part: Part) -> Result<(), Error> {
    fits.then_some(()).ok_or(Error::TooLong(part))
}
