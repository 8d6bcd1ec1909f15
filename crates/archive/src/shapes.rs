//! What the archive is asked, and what it answers.

use hansu_protocol::{
    Broken, Language, Opening, PlayerPage, PlayerRow, Refusal, Row, Snapshot, Statistics,
};
use serde::{Deserialize, Serialize};

/// What the archive is asked: `{"next":{"games":50}}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Begins to read games of a PGN text; one text at a time.
    Read {
        /// The text.
        text: String,
        /// The language of what is wrong with games.
        #[serde(default)]
        lang: Language,
        /// The games that the browser has: they are not found again.
        #[serde(default)]
        known: Vec<Listed>,
    },
    /// Reads on.
    Next {
        /// The most games of the answer.
        games: usize,
    },
    /// A game that was read, for a review.
    Look {
        /// Its name.
        id: String,
        /// The PGN that was kept.
        pgn: String,
    },
    /// The openings of games.
    Name {
        /// The games.
        games: Vec<Played>,
    },
    /// Counts results.
    Count {
        /// All games.
        games: Vec<Listed>,
        /// Of one player; of everybody without a name.
        #[serde(default)]
        player: Option<String>,
    },
}

/// The moves of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Played {
    /// `standard` or `chess960`.
    pub variant: String,
    /// Where it started, when not as usual.
    pub start_fen: Option<String>,
    /// The moves as UCI writes them, with blanks between them.
    pub moves: String,
}

/// What counts of a game's row. All parts may be missing: what a browser has kept may be old.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Why it ended, as a code.
    pub reason: Option<String>,
    /// When it began, as RFC 3339 writes it.
    pub started: Option<String>,
    /// The day as PGN writes it.
    pub date: String,
    /// Where it was played.
    pub source: String,
    /// Where it stands.
    pub status: String,
    /// The opening, where it is known.
    pub opening: Option<Opening>,
    /// Its moves.
    #[serde(flatten)]
    pub played: Played,
}

/// What the archive answers. What does not apply is left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// What was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<Batch>,
    /// A game that was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looked: Option<Box<Looked>>,
    /// The openings, one for each game that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<Vec<Option<Opening>>>,
    /// The results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<Box<Counted>>,
    /// Why nothing was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Refusal>,
}

/// Some games of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Batch {
    /// Games that the browser does not have, to be kept.
    pub games: Vec<Found>,
    /// Games that it has.
    pub duplicates: u64,
    /// Games that could not be read.
    pub broken: u64,
    /// The first of these.
    pub errors: Vec<Broken>,
    /// How much of the text was read, in hundredths.
    pub part: u8,
    /// Whether this is the end.
    pub done: bool,
    /// With the end: whether there are more games than are taken at once.
    pub more: bool,
}

/// A game of a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// Its row in lists.
    pub row: Row,
    /// All of it, to be kept.
    pub pgn: String,
}

/// A game that was read, for a review.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Looked {
    /// Its row in lists.
    pub row: Row,
    /// Its moves.
    pub state: Snapshot,
}

/// Results.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counted {
    /// The people with the most games.
    pub players: Vec<PlayerRow>,
    /// Of everybody.
    pub all: Option<Statistics>,
    /// Of one player.
    pub player: Option<PlayerPage>,
}
