//! Copies a whole log into another one; each may be in a file or in PostgreSQL.
//!
//! The copy is made in pieces, and the progress is written with each of them: a copy may be
//! interrupted at any time and continues where it stopped. At the end both logs are read again and
//! compared row by row, by a hash of each row.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use xxhash_rust::xxh3::Xxh3;

use crate::analysis::KeptAnalysis;
use crate::dates::LogTime;
use crate::stats::Viewer;
use crate::store::{Progress, Store};
use crate::{Error, Filter, Invitation, Record, Seat, Seek};

/// Prefix of the key of a copy's progress in the target; the id of the source's first game follows.
const KEY: &str = "copy of ";

/// Returns true for the progress of a copy, false for that of an imported file.
pub(crate) fn is_of_copy(progress: &Progress) -> bool {
    progress.key.starts_with(KEY)
}

/// Games in one piece.
const GAMES: usize = 200;
const NAMES: usize = 2_000;

/// An event with all its columns.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct CopiedEvent {
    /// When it happened.
    pub at: LogTime,
    /// The idempotency key of its command.
    pub command_key: Option<String>,
    /// The event, as text.
    pub body: String,
}

/// A game with everything that belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopiedGame {
    /// Its row number, in the order of arrival.
    pub n: i64,
    /// Its row, tags and note.
    pub record: Record,
    /// The fingerprint by which an import recognises the game; `None` for a live game.
    pub hash: Option<[u8; 16]>,
    /// Its events, from the first on.
    pub events: Vec<CopiedEvent>,
    /// Its seats.
    pub seats: Vec<Seat>,
    /// Tags and notes by holder: first the tags in order, then the note.
    pub remarks: Vec<Remark>,
    /// Its analysis, if there is one.
    pub analysis: Option<KeptAnalysis>,
}

/// A tag or a note on a game.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Remark {
    /// Its author; empty for the keeper of the log.
    pub holder: Vec<u8>,
    /// True for a note, false for a tag.
    pub is_note: bool,
    /// The text of the tag or note.
    pub text: String,
}

/// The tables of a log that do not belong to games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash)]
pub struct OtherTables {
    /// Invitations, in the order of their game ids.
    pub invitations: Vec<Invitation>,
    /// Seeks, the oldest first.
    pub seeks: Vec<Seek>,
    /// The last heartbeat of each server.
    pub beats: Vec<(String, LogTime)>,
    /// The progress of imports.
    pub imports: Vec<Progress>,
}

/// A piece of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Players by id, with the first spelling of their names.
    Names(Vec<(i64, String)>),
    /// Games, in the order of arrival.
    Games(Vec<CopiedGame>),
    /// Everything else.
    OtherTables(OtherTables),
}

/// A log that can be copied.
pub trait Carry: Store {
    /// At most `limit` players after this id.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn names_after(&self, after: i64, limit: usize) -> Result<Vec<(i64, String)>, Error>;

    /// At most `limit` games after this row number.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn games_after(&self, after: i64, limit: usize) -> Result<Vec<CopiedGame>, Error>;

    /// The tables that do not belong to games.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn other_tables(&self) -> Result<OtherTables, Error>;

    /// Writes a piece, and the progress in the same transaction.
    ///
    /// # Errors
    ///
    /// A storage error; nothing of the piece is written then.
    fn take_in(&self, piece: &Piece, reached: &Progress) -> Result<(), Error>;
}

/// The progress of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Games are being copied.
    Copying {
        /// Games copied, now or before an interruption.
        games: u64,
        /// Games in the source.
        all: u64,
    },
    /// Both logs are being compared.
    Comparing {
        /// Games compared.
        games: u64,
        /// Games in the source.
        all: u64,
    },
}

/// The result of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopyOutcome {
    /// Both logs have the same rows.
    Same {
        /// Games.
        games: u64,
        /// Events of these games.
        events: u64,
        /// The hash of all rows.
        hash: u128,
    },
    /// Some rows differ: one of the logs was written to during the copy.
    Differs {
        /// The number of rows that differ.
        rows: u64,
    },
    /// The target already had games of its own or of another log; nothing was copied.
    NotEmpty,
    /// The report stopped the copy between two pieces.
    Stopped,
}

/// Copies a log into an empty one, or continues an interrupted copy.
///
/// # Errors
///
/// An error of either log.
pub fn copy(
    from: &dyn Carry,
    to: &dyn Carry,
    report: &mut dyn FnMut(Stage) -> ControlFlow<()>,
) -> Result<CopyOutcome, Error> {
    let all = from.count(&Filter::default())?;
    // A log is identified by its first game: a copy of one log never continues with another.
    let first = from.games_after(i64::MIN, 1)?.pop().map(|game| game.record.id.to_string());
    let key = format!("{KEY}{}", first.unwrap_or_default());
    let mut reached = match to.progress(&key)? {
        Some(reached) => reached,
        None if to.names_after(i64::MIN, 1)?.is_empty()
            && to.other_tables()? == OtherTables::default() =>
        {
            Progress { key, ..Progress::default() }
        }
        None => return Ok(CopyOutcome::NotEmpty),
    };
    // Players first, by id, so that each keeps its name and rank. The progress of a copy stores the
    // id of the last copied player in `duplicates`, and the row number of the last game in `seen`.
    loop {
        let names = from.names_after(reached.duplicates.cast_signed(), NAMES)?;
        let Some(last) = names.last().map(|(id, _)| *id) else { break };
        reached.duplicates = last.cast_unsigned();
        to.take_in(&Piece::Names(names), &reached)?;
    }
    loop {
        if report(Stage::Copying { games: reached.added, all }).is_break() {
            return Ok(CopyOutcome::Stopped);
        }
        let games = from.games_after(reached.seen.cast_signed(), GAMES)?;
        let Some(last) = games.last().map(|game| game.n) else { break };
        reached.seen = last.cast_unsigned();
        reached.added += games.len() as u64;
        to.take_in(&Piece::Games(games), &reached)?;
    }
    let other = from.other_tables()?;
    reached.finished = true;
    to.take_in(&Piece::OtherTables(other), &reached)?;
    compare(from, to, all, report)
}

/// Reads both logs and compares every row by its hash.
fn compare(
    from: &dyn Carry,
    to: &dyn Carry,
    all: u64,
    report: &mut dyn FnMut(Stage) -> ControlFlow<()>,
) -> Result<CopyOutcome, Error> {
    let (mut games, mut events, mut differ) = (0, 0, 0);
    let mut hash = Xxh3::new();
    let mut same = |one: Option<u128>, other: Option<u128>| {
        hash.update(&one.unwrap_or_default().to_le_bytes());
        differ += u64::from(one != other);
    };
    let mut after = i64::MIN;
    loop {
        let (ours, theirs) = (from.names_after(after, NAMES)?, to.names_after(after, NAMES)?);
        let last = [&ours, &theirs].into_iter().filter_map(|names| names.last()).map(|name| name.0);
        // If one side has fewer rows, each row without a counterpart differs.
        for at in 0..ours.len().max(theirs.len()) {
            same(ours.get(at).map(digest), theirs.get(at).map(digest));
        }
        match last.max() {
            Some(last) => after = last,
            None => break,
        }
    }
    let mut after = i64::MIN;
    loop {
        if report(Stage::Comparing { games, all }).is_break() {
            return Ok(CopyOutcome::Stopped);
        }
        let (ours, theirs) = (from.games_after(after, GAMES)?, to.games_after(after, GAMES)?);
        for at in 0..ours.len().max(theirs.len()) {
            same(ours.get(at).map(digest), theirs.get(at).map(digest));
        }
        games += ours.len() as u64;
        events += ours.iter().map(|game| game.events.len() as u64).sum::<u64>();
        let last = [&ours, &theirs].into_iter().filter_map(|games| games.last()).map(|game| game.n);
        match last.max() {
            Some(last) => after = last,
            None => break,
        }
    }
    let (ours, theirs) = (from.other_tables()?, to.other_tables()?);
    same(Some(digest(&ours)), Some(digest(&theirs)));
    let counted = from.totals(Viewer::Keeper)? == to.totals(Viewer::Keeper)?;
    differ += u64::from(!counted);
    let hash = hash.digest128();
    Ok(match differ {
        0 => CopyOutcome::Same { games, events, hash },
        rows => CopyOutcome::Differs { rows },
    })
}

/// A hash of all fields, to compare the rows of two logs.
fn digest(of: &impl Hash) -> u128 {
    let mut hash = Xxh3::new();
    of.hash(&mut hash);
    hash.digest128()
}

/// Tags and notes are hashed as remarks, with their holders, not as the record's merged fields.
impl Hash for CopiedGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let CopiedGame { n, record, hash, events, seats, remarks, analysis } = self;
        let Record { id, summary, last_seq, tags: _, note: _ } = record;
        (n, id, summary, last_seq).hash(state);
        (hash, events, seats, remarks, analysis).hash(state);
    }
}
