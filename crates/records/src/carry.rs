//! Carries everything that a log keeps into another one, whatever database each is in.
//!
//! The copy goes in pieces, and how far it has come is written with each of them: it may be
//! interrupted at any time and goes on where it was. In the end both logs are read once more, row by
//! row, and every row is compared by a hash of all its parts.

use std::ops::ControlFlow;

use xxhash_rust::xxh3::Xxh3;

use crate::analysis::KeptAnalysis;
use crate::dates::Millis;
use crate::entry::variant_number;
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
#[derive(Clone, PartialEq, Eq, Debug)]
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Who wrote it; empty for the keeper of the log.
    pub holder: Vec<u8>,
    /// Whether it is a note.
    pub is_note: bool,
    /// The word or the note.
    pub text: String,
}

/// What a log keeps beside games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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
            same(ours.get(at).map(name_hash), theirs.get(at).map(name_hash));
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
            same(ours.get(at).map(Whole::digest), theirs.get(at).map(Whole::digest));
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
    same(Some(ours.digest()), Some(theirs.digest()));
    let counted = from.totals(Viewer::Keeper)? == to.totals(Viewer::Keeper)?;
    differ += u64::from(!counted);
    let hash = hash.digest128();
    Ok(match differ {
        0 => Copied::Same { games, events, hash },
        rows => Copied::Differs { rows },
    })
}

fn name_hash((id, name): &(i64, String)) -> u128 {
    let mut parts = Parts::default();
    parts.number(*id);
    parts.text(name);
    parts.0.digest128()
}

/// A hash over parts of known lengths: what stands where cannot be mistaken.
#[derive(Default)]
struct Parts(Xxh3);

impl Parts {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn number(&mut self, number: i64) {
        self.0.update(&number.to_le_bytes());
    }

    fn perhaps<T>(&mut self, value: Option<&T>, part: impl FnOnce(&mut Parts, &T)) {
        self.number(i64::from(value.is_some()));
        if let Some(value) = value {
            part(self, value);
        }
    }

    fn perhaps_text(&mut self, text: Option<&String>) {
        self.perhaps(text, |parts, text| parts.text(text));
    }
}

impl Whole {
    /// A hash of everything in it.
    pub fn digest(&self) -> u128 {
        let mut parts = Parts::default();
        let (record, row) = (&self.record, &self.record.summary);
        parts.number(self.n);
        parts.text(record.id.as_str());
        parts.number(record.last_seq.cast_signed());
        for text in [&row.white, &row.black, &row.final_fen] {
            parts.text(text);
        }
        let texts = [&row.reason, &row.start_fen, &row.time_control, &row.event, &row.annotations];
        texts.into_iter().for_each(|text| parts.perhaps_text(text.as_ref()));
        for number in [row.started, row.ended, row.deadline] {
            parts.perhaps(number.as_ref(), |parts, number| parts.number(*number));
        }
        for number in [
            row.score.number(),
            row.source.number(),
            row.status.number(),
            row.visibility.number(),
            variant_number(row.variant),
        ] {
            parts.number(number);
        }
        parts.perhaps(row.opening.as_ref(), |parts, opening| {
            parts.text(&opening.eco);
            parts.text(&opening.name);
        });
        parts.bytes(row.moves.as_bytes());
        parts.number(row.headers.len() as i64);
        for (key, value) in &row.headers {
            parts.text(key);
            parts.text(value);
        }
        parts.number(self.remarks.len() as i64);
        for remark in &self.remarks {
            parts.bytes(&remark.holder);
            parts.number(i64::from(remark.is_note));
            parts.text(&remark.text);
        }
        parts.perhaps(self.hash.as_ref(), |parts, hash| parts.bytes(hash));
        parts.number(self.events.len() as i64);
        for line in &self.events {
            parts.number(line.at);
            parts.perhaps_text(line.client.as_ref());
            parts.text(&line.body);
        }
        parts.number(self.seats.len() as i64);
        for seat in &self.seats {
            parts.number(seat.side.number());
            parts.bytes(&seat.holder.0);
        }
        parts.perhaps(self.analysis.as_ref(), |parts, analysis| {
            analysis.numbers().into_iter().for_each(|number| parts.number(number));
            parts.number(analysis.at);
            parts.text(&analysis.body);
        });
        parts.0.digest128()
    }
}

impl Rest {
    fn digest(&self) -> u128 {
        let mut parts = Parts::default();
        for one in &self.invitations {
            parts.bytes(&one.hash);
            parts.text(one.game.as_str());
            parts.text(&one.body);
            parts.bytes(&one.holder.0);
            parts.number(one.made);
            parts.number(one.expires);
            parts.number(one.state.number());
        }
        for one in &self.seeks {
            parts.text(one.game.as_str());
            parts.text(&one.node);
            parts.text(&one.body);
            parts.bytes(&one.holder.0);
            parts.number(one.made);
        }
        for (node, at) in &self.beats {
            parts.text(node);
            parts.number(*at);
        }
        for one in &self.imports {
            parts.text(&one.key);
            for number in [one.seen, one.added, one.duplicates, one.broken, one.finished.into()] {
                parts.number(number.cast_signed());
            }
        }
        parts.0.digest128()
    }
}
