//! Carries everything that a log keeps into another one, whatever database each is in.
//!
//! The copy goes in pieces, and how far it has come is written with each of them: it may be
//! interrupted at any time and goes on where it was. In the end both logs are read once more, row by
//! row, and every row is compared by a hash of all its parts.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use xxhash_rust::xxh3::Xxh3;

use crate::analysis::KeptAnalysis;
use crate::dates::Millis;
use crate::stats::Viewer;
use crate::store::{Progress, Store};
use crate::{Error, Filter, Invitation, Record, Seat, Seek};

/// The target says how far it has come under a key that begins so and names the source.
const KEY: &str = "copy of ";

/// Whether a progress is that of a copy, not of a file that was imported.
pub(crate) fn is_of_copy(progress: &Progress) -> bool {
    progress.key.starts_with(KEY)
}

/// So many games and names at a time.
const GAMES: usize = 200;
const NAMES: usize = 2_000;

/// An event with all its parts.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Line {
    /// When it happened.
    pub at: Millis,
    /// The name that its sender gave to the command.
    pub client: Option<String>,
    /// The event, as text.
    pub body: String,
}

/// A game with all that belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Whole {
    /// Its place in the order of arrival.
    pub n: i64,
    /// Its row, words and note.
    pub record: Record,
    /// By what it is recognised in a file.
    pub hash: Option<[u8; 16]>,
    /// Its events, from the first on.
    pub events: Vec<Line>,
    /// Who sits there.
    pub seats: Vec<Seat>,
    /// What people wrote on it, by holder: words in order, then the note.
    pub remarks: Vec<Remark>,
    /// What a computer found in it.
    pub analysis: Option<KeptAnalysis>,
}

/// A word or a note on a game.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Remark {
    /// Who wrote it; empty for the keeper of the log.
    pub holder: Vec<u8>,
    /// Whether it is a note.
    pub is_note: bool,
    /// The word or the note.
    pub text: String,
}

/// What a log keeps beside games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash)]
pub struct Rest {
    /// Games that wait for a player.
    pub invitations: Vec<Invitation>,
    /// Players who wait for any opponent.
    pub seeks: Vec<Seek>,
    /// When each server was last alive.
    pub beats: Vec<(String, Millis)>,
    /// How far files have been read.
    pub imports: Vec<Progress>,
}

/// A piece of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Players, by number, as their names were first written.
    Names(Vec<(i64, String)>),
    /// Games, in the order of arrival.
    Games(Vec<Whole>),
    /// Everything else.
    Rest(Rest),
}

/// A log that can be carried.
pub trait Carry: Store {
    /// Players after a number.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn names_after(&self, after: i64, limit: usize) -> Result<Vec<(i64, String)>, Error>;

    /// Games after a place in the order of arrival.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn games_after(&self, after: i64, limit: usize) -> Result<Vec<Whole>, Error>;

    /// What is kept beside games.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn rest(&self) -> Result<Rest, Error>;

    /// Takes a piece in, and writes in the same transaction how far that is.
    ///
    /// # Errors
    ///
    /// What the disk says; nothing of it is kept then.
    fn take_in(&self, piece: &Piece, reached: &Progress) -> Result<(), Error>;
}

/// How far a copy is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// So many games of all have been copied.
    Copying {
        /// Copied, now or before an interruption.
        games: u64,
        /// Of so many.
        all: u64,
    },
    /// So many games of all have been compared.
    Comparing {
        /// Compared.
        games: u64,
        /// Of so many.
        all: u64,
    },
}

/// What became of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copied {
    /// Both logs have the same rows: so many games and events, and the hash of all of it.
    Same {
        /// Games.
        games: u64,
        /// Their events.
        events: u64,
        /// The hash.
        hash: u128,
    },
    /// So many rows are not the same: one of the logs was written to meanwhile.
    Differs {
        /// Rows.
        rows: u64,
    },
    /// The target had games of its own before the first copy, or those of another log; nothing was
    /// done.
    NotEmpty,
    /// It was stopped between two pieces.
    Stopped,
}

/// Copies a log into an empty one, or goes on with it.
///
/// # Errors
///
/// What either log says.
pub fn copy(
    from: &dyn Carry,
    to: &dyn Carry,
    report: &mut dyn FnMut(Stage) -> ControlFlow<()>,
) -> Result<Copied, Error> {
    let all = from.count(&Filter::default())?;
    // A log is known by its first game: a copy of one log never goes on with another.
    let first = from.games_after(i64::MIN, 1)?.pop().map(|game| game.record.id.to_string());
    let key = format!("{KEY}{}", first.unwrap_or_default());
    let mut reached = match to.progress(&key)? {
        Some(reached) => reached,
        None if to.names_after(i64::MIN, 1)?.is_empty() && to.rest()? == Rest::default() => {
            Progress { key, ..Progress::default() }
        }
        None => return Ok(Copied::NotEmpty),
    };
    // Players first, by number, so that each has the name and the rank of before. The progress of a
    // copy counts its last player among the duplicates, and its last game as seen.
    loop {
        let names = from.names_after(reached.duplicates.cast_signed(), NAMES)?;
        let Some(last) = names.last().map(|(id, _)| *id) else { break };
        reached.duplicates = last.cast_unsigned();
        to.take_in(&Piece::Names(names), &reached)?;
    }
    loop {
        if report(Stage::Copying { games: reached.added, all }).is_break() {
            return Ok(Copied::Stopped);
        }
        let games = from.games_after(reached.seen.cast_signed(), GAMES)?;
        let Some(last) = games.last().map(|game| game.n) else { break };
        reached.seen = last.cast_unsigned();
        reached.added += games.len() as u64;
        to.take_in(&Piece::Games(games), &reached)?;
    }
    let rest = from.rest()?;
    reached.finished = true;
    to.take_in(&Piece::Rest(rest), &reached)?;
    compare(from, to, all, report)
}

/// Reads both logs and compares every row by its hash.
fn compare(
    from: &dyn Carry,
    to: &dyn Carry,
    all: u64,
    report: &mut dyn FnMut(Stage) -> ControlFlow<()>,
) -> Result<Copied, Error> {
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
        // A side that ends earlier has fewer: each of the others differs.
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
            return Ok(Copied::Stopped);
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
    let (ours, theirs) = (from.rest()?, to.rest()?);
    same(Some(digest(&ours)), Some(digest(&theirs)));
    let counted = from.totals(Viewer::Keeper)? == to.totals(Viewer::Keeper)?;
    differ += u64::from(!counted);
    let hash = hash.digest128();
    Ok(match differ {
        0 => Copied::Same { games, events, hash },
        rows => Copied::Differs { rows },
    })
}

/// A hash of all parts of something, for comparing what two logs have.
fn digest(of: &impl Hash) -> u128 {
    let mut hash = Xxh3::new();
    of.hash(&mut hash);
    hash.digest128()
}

/// Words and notes are hashed as remarks, with their holders, and not as the record tells them.
impl Hash for Whole {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Whole { n, record, hash, events, seats, remarks, analysis } = self;
        let Record { id, summary, last_seq, tags: _, note: _ } = record;
        (n, id, summary, last_seq).hash(state);
        (hash, events, seats, remarks, analysis).hash(state);
    }
}
