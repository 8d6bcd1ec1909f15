//! Requests to the archive, and its responses.

use hansu_protocol::{
    Broken, Language, Opening, PlayerPage, PlayerRow, Refusal, Row, Snapshot, Statistics,
};
use serde::{Deserialize, Serialize};

/// A request to the archive: `{"next":{"games":50}}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Begins to import a PGN text; the one before, if any, is dropped.
    Read {
        /// The text.
        text: String,
        /// The language of error sentences.
        #[serde(default)]
        lang: Language,
        /// The games that the browser has: they count as duplicates.
        #[serde(default)]
        known: Vec<ListedGame>,
    },
    /// Reads the next games of the text.
    Next {
        /// The most games of the response.
        games: usize,
    },
    /// Reads a stored game for a review.
    Look {
        /// Its id.
        id: String,
        /// Its stored PGN.
        pgn: String,
    },
    /// Asks for the openings of games.
    Name {
        /// The games.
        games: Vec<GameMoves>,
    },
    /// Asks for statistics.
    Count {
        /// All games.
        games: Vec<ListedGame>,
        /// The player; without one the results of all games are counted.
        #[serde(default)]
        player: Option<String>,
    },
}

/// The moves of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GameMoves {
    /// `standard` or `chess960`.
    pub variant: String,
    /// The start position, unless it is the usual one.
    pub start_fen: Option<String>,
    /// The moves in UCI notation, with blanks between them.
    pub moves: String,
}

/// The part of a game's row that statistics need. All fields may be missing: rows that an older
/// version of the page stored have fewer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ListedGame {
    /// Its id.
    pub id: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Why it ended, as a code.
    pub reason: Option<String>,
    /// When it began, in RFC 3339.
    pub started: Option<String>,
    /// The date in the form of PGN.
    pub date: String,
    /// Where it comes from, as a code: `local`, `computer`, `import` …
    pub source: String,
    /// `live`, `adjourned`, `finished` or `aborted`.
    pub status: String,
    /// The opening, where it is known.
    pub opening: Option<Opening>,
    /// Its moves.
    #[serde(flatten)]
    pub played: GameMoves,
}

/// A response of the archive. Fields that do not apply are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Response {
    /// The next games of the imported text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<GameBatch>,
    /// A game for a review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looked: Option<Box<ReadGame>>,
    /// The openings, one for each requested game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<Vec<Option<Opening>>>,
    /// Statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<Box<CountedResults>>,
    /// Why the request was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Refusal>,
}

/// The next games of an imported text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameBatch {
    /// Games that the browser does not have; the page stores them.
    pub games: Vec<FoundGame>,
    /// Number of games that the browser has already.
    pub duplicates: u64,
    /// Number of games that could not be read.
    pub broken: u64,
    /// Errors of these; at most 100 in one import.
    pub errors: Vec<Broken>,
    /// Percentage of the text that has been read.
    pub part: u8,
    /// True if the text has been read to its end, or the limit of games is reached.
    pub done: bool,
    /// With `done`: true if the text has more games than one import takes.
    pub more: bool,
}

/// A new game of an imported text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FoundGame {
    /// Its row in lists.
    pub row: Row,
    /// The whole game, for the page to store.
    pub pgn: String,
}

/// A stored game for a review.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReadGame {
    /// Its row in lists.
    pub row: Row,
    /// The game in the form of a server's snapshot.
    pub state: Snapshot,
}

/// Statistics of a browser's games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CountedResults {
    /// The players with the most games, at most 100; without the computer.
    pub players: Vec<PlayerRow>,
    /// Of all games; `None` when a player was given.
    pub all: Option<Statistics>,
    /// Of one player; `None` without a player or when the player has no games.
    pub player: Option<PlayerPage>,
}
