//! Games of a file on their way into the log.

use crate::store::{LONGEST_NOTE, LONGEST_TAG, MOST_TAGS, tidy_tag, within};
use crate::{Error, GameId, Holder, Part, Summary, Visibility, fingerprint};

/// Games of a file, to be added in one transaction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch {
    /// The games, with their users' words and notes.
    pub games: Vec<Imported>,
    /// How far the file has been read with these games; kept in the same transaction.
    pub progress: Option<Progress>,
    /// Who brings them: their words and notes are this holder's, and so are the games, as
    /// [`Side::Importer`](crate::Side::Importer). `None` is the keeper of the log.
    pub by: Option<Holder>,
}

/// One game of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// The name it had in the log it comes from. It keeps it, and a game of that name is the same.
    pub id: Option<GameId>,
    /// Its row.
    pub summary: Summary,
    /// Its user's words.
    pub tags: Vec<String>,
    /// Its user's note.
    pub note: Option<String>,
}

/// How far a file has been read.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, Hash)]
pub struct Progress {
    /// What tells the file from others: a hash of its beginning and its length.
    pub key: String,
    /// Games of the file that have been seen, good or broken: they need not be added again.
    pub seen: u64,
    /// Games added.
    pub added: u64,
    /// Games that were there.
    pub duplicates: u64,
    /// Games that could not be read.
    pub broken: u64,
    /// Whether the end was reached.
    pub finished: bool,
}

/// What became of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BatchAnswer {
    /// Games added.
    pub added: u64,
    /// Games that were there.
    pub duplicates: u64,
}

impl Imported {
    /// Whether everything has a size the log takes.
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

/// A batch whose sizes and words are good, with what tells its games from others. It is reckoned by
/// whoever brings them: the writer has enough to do.
pub(crate) fn prepared(mut batch: Batch) -> Result<(Batch, Vec<[u8; 16]>), Error> {
    for game in &mut batch.games {
        game.limits()?;
        for tag in &mut game.tags {
            *tag = tidy_tag(tag)?;
        }
    }
    let hash = |game: &Imported| match batch.by.filter(|_| !is_public(game)) {
        // A player must not learn that another player has the same game.
        Some(holder) => fingerprint::of_holder(&game.summary, &holder),
        None => fingerprint(&game.summary),
    };
    let hashes = batch.games.iter().map(hash).collect();
    Ok((batch, hashes))
}

fn is_public(game: &Imported) -> bool {
    game.summary.visibility == Visibility::Public
}
