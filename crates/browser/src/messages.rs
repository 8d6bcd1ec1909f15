//! Requests of the page's worker, and the responses.

use hansu_computer::{Question, Reply};
use hansu_play::Millis;
use hansu_protocol::{Language, LegalMoves, NewGame, Refusal, Row, Snapshot, Why};
use serde::{Deserialize, Serialize};

use crate::free::{FreeRequest, FreeResponse};

/// A request: `{"tick":{"now":5}}`. `now` is always in milliseconds since 1970.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Begins a game, which replaces the running one.
    Start {
        /// The id of the game, made by the caller.
        id: String,
        /// The same as the page would send to a server.
        game: NewGame,
        /// The language of default names.
        #[serde(default)]
        lang: Language,
        /// A random number. It chooses the start position in Chess960 without a position.
        #[serde(default)]
        draw: u32,
        /// The current time.
        now: Millis,
    },
    /// Begins the next game of a series: with exchanged colours, and the score carried forward.
    Again {
        /// The id of the new game.
        id: String,
        /// The id of the game before.
        previous: String,
        /// All entries of the game before.
        entries: Vec<StoredEntry>,
        /// The current time.
        now: Millis,
    },
    /// Resumes a stored game.
    Resume {
        /// The id of the game.
        id: String,
        /// All entries of the game.
        entries: Vec<StoredEntry>,
    },
    /// A message of the client.
    Hear {
        /// A `ClientMessage` as JSON.
        text: String,
        /// The current time.
        now: Millis,
    },
    /// Time has passed: a flag may fall.
    Tick {
        /// The current time.
        now: Millis,
    },
    /// The reply of the computer to a question.
    Thought {
        /// The question's `seq`: the reply is ignored if the game has newer events.
        seq: u64,
        /// The reply.
        reply: Reply,
        /// The current time.
        now: Millis,
    },
    /// Reverts the last request, because its entries could not be stored.
    Undo {},
    /// Reads a stored game, for lists and reviews. The running game does not change.
    Look {
        /// The id of the game.
        id: String,
        /// All entries of the game.
        entries: Vec<StoredEntry>,
        /// The date in the form of PGN.
        #[serde(default)]
        date: Option<String>,
    },
    /// Asks for the legal moves of a position.
    Moves {
        /// The position as FEN.
        fen: String,
    },
    /// Asks why a move is not legal in a position.
    Why {
        /// The position as FEN.
        fen: String,
        /// The move in UCI notation.
        r#move: String,
        /// The language of the sentence.
        #[serde(default)]
        lang: Language,
    },
    /// A request of the free board.
    Free(FreeRequest),
}

/// An entry of a game in the form in which the page stores it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredEntry {
    /// Its number in the game.
    pub seq: u64,
    /// The entry, in the text form of the log.
    pub body: String,
    /// The key of the client's command that led to it; set on the last entry of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

/// A response. Fields that do not apply are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Response {
    /// New entries: the page stores them before it passes on the messages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<StoredEntry>,
    /// Messages for the client, each a `ServerMessage` as JSON.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
    /// With entries: the game's row in lists, stored beside them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<Row>,
    /// With a row: when the game began. The caller sets the dates of the row, since it has a
    /// calendar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<Millis>,
    /// With a row: when the game ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Millis>,
    /// When the next tick is due; `None` while none is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wake: Option<Millis>,
    /// The open question for the computer. Responses repeat it until it is answered; its `seq`
    /// tells questions apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub think: Option<Question>,
    /// For [`Request::Look`]: the stored game. `row` is set as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looked: Option<StoredGame>,
    /// The legal moves of a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<LegalMoves>,
    /// Why a move is not legal, or that it is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
    /// The response to the free board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free: Option<FreeResponse>,
    /// Why the request was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Refusal>,
    /// The WebSocket close code with which a server would end the connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close: Option<u16>,
}

/// A stored game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredGame {
    /// The game in the form of a server's snapshot, for a review.
    pub state: Snapshot,
    /// As PGN.
    pub pgn: String,
}
