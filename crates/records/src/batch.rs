//! Batches of imported games.

use crate::store::{LONGEST_NOTE, LONGEST_TAG, MOST_TAGS, tidy_tag, within};
use crate::{Error, GameId, Holder, Part, Summary, Visibility, fingerprint};

/// Games of a file, to be added in one transaction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch {
    /// The games, with their tags and notes.
    pub games: Vec<Imported>,
    /// The progress of the file after these games; written in the same transaction.
    pub progress: Option<Progress>,
    /// The holder who imports them: owner of the tags and notes, and of the games as
    /// [`Side::Importer`](crate::Side::Importer). `None` is the keeper of the log.
    pub by: Option<Holder>,
}

/// One game of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// The id that it had in the log it was exported from. It keeps this id, and a game with this
    /// id is a duplicate.
    pub id: Option<GameId>,
    /// Its row.
    pub summary: Summary,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its note.
    pub note: Option<String>,
}

/// How far a file has been read.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, Hash)]
pub struct Progress {
    /// Identifies the file: a hash of its beginning, and its length.
    pub key: String,
    /// Games of the file that were read, good or broken; they need not be added again.
    pub seen: u64,
    /// Games added.
    pub added: u64,
    /// Games that the log already had.
    pub duplicates: u64,
    /// Games that could not be read.
    pub broken: u64,
    /// True if the end of the file was reached.
    pub finished: bool,
}

/// The result of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BatchAnswer {
    /// Games added.
    pub added: u64,
    /// Games that the log already had.
    pub duplicates: u64,
}

impl Imported {
    /// Checks the sizes against the limits of the log.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`].
    pub fn limits(&self) -> Result<(), Error> {
        let tags = self.tags.len() <= MOST_TAGS && self.tags.iter().all(|t| t.len() <= LONGEST_TAG);
        within(tags, Part::Tags)?;
        let note = self.note.as_ref().map_or(0, String::len);
        within(note <= LONGEST_NOTE, Part::Note)?;
        self.summary.limits()
    }
}

/// Checks sizes and tags, and computes the fingerprints. This runs on the caller's thread, to keep
/// work off the writer's.
pub(crate) fn prepare(mut batch: Batch) -> Result<(Batch, Vec<[u8; 16]>), Error> {
    for game in &mut batch.games {
        game.limits()?;
        for tag in &mut game.tags {
            *tag = tidy_tag(tag)?;
        }
    }
    let hash = |game: &Imported| match batch.by.filter(|_| !is_public(game)) {
        // A player must not learn that another player has the same private game.
        Some(holder) => fingerprint::of_holder(&game.summary, &holder),
        None => fingerprint(&game.summary),
    };
    let hashes = batch.games.iter().map(hash).collect();
    Ok((batch, hashes))
}

fn is_public(game: &Imported) -> bool {
    game.summary.visibility == Visibility::Public
}
