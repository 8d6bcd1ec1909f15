//! What a worker asks, and what it is answered.

use hansu_computer::{Question, Reply};
use hansu_play::Millis;
use hansu_protocol::{Language, LegalMoves, NewGame, Refusal, Row, Snapshot, Why};
use serde::{Deserialize, Serialize};

use crate::free::{FreeAnswer, FreeRequest};

/// What a worker asks: `{"tick":{"now":5}}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Begins a game; it takes the place of the one before.
    Start {
        /// The name of the game, made by the caller.
        id: String,
        /// What the page would ask of the server.
        game: NewGame,
        /// The language of names that were left out.
        #[serde(default)]
        lang: Language,
        /// For Chess960 without a position: any number, from which a start is drawn.
        #[serde(default)]
        draw: u32,
        /// The time.
        now: Millis,
    },
    /// Begins the next game of a series: colours changed over, the score brought forward.
    Again {
        /// The name of the new game.
        id: String,
        /// The name of the one before.
        previous: String,
        /// All of it, to its end.
        entries: Vec<Kept>,
        /// The time.
        now: Millis,
    },
    /// Goes on with a game that was kept.
    Resume {
        /// The name of the game.
        id: String,
        /// All of it.
        entries: Vec<Kept>,
    },
    /// A client says something.
    Hear {
        /// A message of the protocol.
        text: String,
        /// The time.
        now: Millis,
    },
    /// Time has passed; a flag may fall.
    Tick {
        /// The time.
        now: Millis,
    },
    /// The computer has thought about what it was asked.
    Thought {
        /// The question's `seq`: a game that has gone on meanwhile does not listen.
        seq: u64,
        /// What it says.
        reply: Reply,
        /// The time.
        now: Millis,
    },
    /// What came last could not be kept: it has not happened.
    Undo {},
    /// A game as it was kept, for lists and reviews. The game that is played stays as it is.
    Look {
        /// The name of the game.
        id: String,
        /// All of it.
        entries: Vec<Kept>,
        /// The day as PGN writes it.
        #[serde(default)]
        date: Option<String>,
    },
    /// The legal moves of a position.
    Moves {
        /// The position.
        fen: String,
    },
    /// Why a move is not legal in a position.
    Why {
        /// The position.
        fen: String,
        /// The move.
        r#move: String,
        /// The language of the sentence.
        #[serde(default)]
        lang: Language,
    },
    /// A question of the free board.
    Free(FreeRequest),
}

/// An entry of a game as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// Its place.
    pub seq: u64,
    /// The entry, in the text that the log keeps.
    pub body: String,
    /// The client's name of the command that led to it, with the last entry of the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

/// What a worker is answered. What does not apply is left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// To be kept before the messages are shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<Kept>,
    /// Messages of the protocol for the client, as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
    /// With entries: the game's row in lists, to be kept beside them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<Row>,
    /// With a row: when the game began. The row leaves dates to the caller, who has a calendar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<Millis>,
    /// With a row: when the game ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Millis>,
    /// When a tick may have something to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wake: Option<Millis>,
    /// What the computer has to think about now. It stays the same question while its `seq` does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub think: Option<Question>,
    /// A game that was looked at; its row comes as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looked: Option<Looked>,
    /// The legal moves of a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<LegalMoves>,
    /// Whether a move is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
    /// What the free board is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free: Option<FreeAnswer>,
    /// Why nothing was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Refusal>,
    /// The code with which a server would close the connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close: Option<u16>,
}

/// A game as it was kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Looked {
    /// For a review.
    pub state: Snapshot,
    /// As PGN.
    pub pgn: String,
}
