//! The messages between client and server: over a websocket, one JSON object per message, and over
//! HTTP.
//!
//! `docs/protocol.md` describes them, `web/src/wire.ts` is generated from these types, and a test
//! fails if one of them is outdated. The server sends everything that needs the rules of chess
//! (notation, targets, checks, results), so that a client needs no rules.
//!
//! ```
//! use hansu_protocol::{ClientMessage, Wish};
//! let text = r#"{"type":"command","id":"a1","command":{"type":"move","uci":"e2e4"}}"#;
//! let message: ClientMessage = serde_json::from_str(text)?;
//! let wish = Wish::Move { uci: "e2e4".into() };
//! assert_eq!(message, ClientMessage::Command { id: "a1".into(), command: wish });
//! # Ok::<(), serde_json::Error>(())
//! ```

mod analysis;
mod api;
mod beginning;
mod hint;
mod lines;
mod lobby;
mod shapes;
#[cfg(test)]
mod typescript;

use std::collections::BTreeMap;

use hansu_play::{Claimed, Clocks, Ending, Entry, Millis, Offer, Sides, Start};
use serde::{Deserialize, Serialize};

pub use analysis::{Accuracy, Analysis, AnalysisState, Grade, JudgedMove, SeenPosition};
pub use api::{
    Broken, Bucket, Done, Game, GameList, GivenKey, Guest, HeadToHead, Imported, LegalMoves,
    Listed, Me, NewKey, NewPass, Note, Opening, Played, PlayerList, PlayerPage, PlayerRow, Posted,
    Proof, Renewal, Rival, Row, Run, Running, Standing, Statistics, Streaks, Tag, TagList, Tally,
    Why,
};
pub use beginning::{Choice, Invited, Kind, Made, Nearby, NewGame, Opponent, SpentInvitation};
pub use hint::{AskedHint, Hint};
pub use lines::{AskedLines, BestLine, FoundLines, LinesNews};
pub use lobby::{LiveGame, LobbyMessage, LobbyNews, OpenSeek, Seek};

/// The version of this protocol. A client sends the version it speaks in its `hello`.
pub const VERSION: u32 = 1;

/// The longest message a client may send, in bytes.
pub const LONGEST_MESSAGE: usize = 4 * 1024;

/// The longest id of a command, in bytes.
pub const LONGEST_ID: usize = 64;

/// The close code for a client that speaks another version.
pub const CLOSE_VERSION: u16 = 4000;
/// The close code for a client that sends an invalid message.
pub const CLOSE_MALFORMED: u16 = 4001;
/// The close code for a client that sends too many messages.
pub const CLOSE_FLOOD: u16 = 4002;
/// The close code for a client that reads too slowly, or sends no `hello` or no answer in time.
pub const CLOSE_SLOW: u16 = 4003;
/// The close code for a game that does not exist, or no longer.
pub const CLOSE_GONE: u16 = 4004;
/// The close code of a server that stops; the client should reconnect after a moment.
pub const CLOSE_RESTART: u16 = 1012;

/// A message from a client of a game to the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    /// The first message on a connection.
    Hello {
        /// The version of the protocol.
        v: u32,
        /// The number of the last event that the client has; 0 for none.
        #[serde(default)]
        seq: u64,
        /// The language of sentences.
        #[serde(default)]
        lang: Language,
    },
    /// A command. It is executed when it is acknowledged, and not before.
    Command {
        /// An id chosen by the client; a command with the same id is executed only once.
        id: String,
        /// The command.
        command: Wish,
    },
    /// Asks for the events after this one, because the client has found a gap.
    Sync {
        /// The last event the client has.
        seq: u64,
    },
    /// Asks why a move may not be played. Nothing is executed or logged.
    Why {
        /// The move in UCI notation.
        uci: String,
    },
}

/// The language of sentences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// Korean.
    Ko,
    /// English.
    #[default]
    En,
}

/// A command as a client sends it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Wish {
    /// Play a move.
    Move {
        /// In UCI notation: `e2e4`, `e7e8q`.
        uci: String,
    },
    /// Resign.
    Resign,
    /// Make an offer, or agree if the other side has made the same one.
    Offer {
        /// The offer.
        what: Offer,
    },
    /// Accept an offer.
    Accept {
        /// The offer.
        what: Offer,
    },
    /// Decline an offer.
    Decline {
        /// The offer.
        what: Offer,
    },
    /// Claim the draw of a threefold repetition or of fifty moves.
    ClaimDraw {
        /// The move that leads to it, if the draw is claimed with a move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
    },
    /// Claim the game from an opponent who has left.
    ClaimAbsence {
        /// A win or a draw.
        result: Claimed,
    },
    /// Abort the game before both sides have moved; neither side loses. Also withdraws an invitation.
    Abort,
    /// Give the opponent fifteen seconds.
    GiveTime {
        /// The side that gets them; on one screen, either side.
        to: Turn,
    },
    /// Send a chat message.
    Chat {
        /// The message.
        text: String,
        /// A spectator's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
}

/// A message from the server to a client of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to `hello`; a snapshot or the missing events follow.
    Welcome {
        /// The version of the protocol.
        v: u32,
        /// The game's id.
        game: String,
        /// The client's seat; none for a spectator.
        seat: Option<Seat>,
        /// The number of the last event of the game.
        seq: u64,
        /// The server's time.
        now: Millis,
    },
    /// The whole game, for a client that has no events or too few.
    Snapshot(Box<Snapshot>),
    /// An event of the game. The client applies it if `seq` is one above its last event, ignores it
    /// if `seq` is lower, and sends `sync` if it is higher.
    Event(Box<Happened>),
    /// The legal moves, for the side to move.
    Turn {
        /// The last event of the game.
        seq: u64,
        /// The moves.
        moves: Moves,
    },
    /// A command is executed, and its events are in the log.
    Ack {
        /// The command's id.
        id: String,
        /// The number of its last event.
        seq: u64,
    },
    /// A command is not executed.
    Refused {
        /// The command's id.
        id: String,
        /// The last event of the game.
        seq: u64,
        /// The reason.
        refusal: Refusal,
    },
    /// The answer to `why`.
    Why {
        /// The last event of the game.
        seq: u64,
        /// The move that was asked about.
        uci: String,
        /// Why it may not be played; none if it may.
        refusal: Option<Refusal>,
    },
    /// The connected clients.
    Presence {
        /// White is connected.
        white: bool,
        /// Black is connected.
        black: bool,
        /// The number of spectators.
        spectators: u32,
    },
    /// A heartbeat.
    Beat {
        /// The last event of the game.
        seq: u64,
        /// The server's time.
        now: Millis,
    },
    /// The connection is about to be closed.
    Bye {
        /// The reason: `restart`, `slow`, `flood`, `malformed`, `version` or `gone`.
        reason: String,
    },
}

/// The seat of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    /// White's seat.
    White,
    /// Black's seat.
    Black,
    /// Both seats: two players on one screen.
    Both,
}

/// Why a command is not executed or a request is not answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Refusal {
    /// A code for programs; it never changes.
    pub code: String,
    /// The squares that the reason is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
    /// The squares of the pieces that prove it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
    /// The reason as a sentence in the client's language.
    pub text: String,
}

/// An event, and what a board shows after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Happened {
    /// The event.
    #[cfg_attr(test, ts(as = "hansu_play::EntryShape"))]
    #[cfg_attr(feature = "openapi", schema(value_type = hansu_play::EntryShape))]
    pub entry: Entry,
    /// Only for a move: its algebraic notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// Only if the board has changed: the new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<Board>,
    /// The clock that runs now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticking: Option<Ticking>,
}

/// A position as a board shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Board {
    /// The position as FEN.
    pub fen: String,
    /// The square of the king that is in check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
}

/// A clock that runs: it shows `left` until `from`, and less and less afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ticking {
    /// The side to move.
    pub side: Turn,
    /// The time that it shows before it counts down.
    pub left: Millis,
    /// When it starts to count down, in the server's time; missing for a first move, which is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Millis>,
    /// When the game ends on time if no move comes, in the server's time.
    pub until: Millis,
}

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// White.
    White,
    /// Black.
    Black,
}

/// The legal moves of the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Moves {
    /// For each square with a piece that can move, its target squares as one string:
    /// `{"e2":"e3e4"}`. A king castles by moving two squares; in Chess960 onto its rook.
    pub targets: BTreeMap<String, String>,
    /// The special moves, by their two squares: `{"e1g1":"castling_right"}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub special: BTreeMap<String, Special>,
    /// The draw that can be claimed, if any: `threefold_repetition` or `fifty_moves`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
}

/// A special kind of move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Special {
    /// Castling towards the a-file.
    CastlingLeft,
    /// Castling towards the h-file.
    CastlingRight,
    /// A pawn captures in passing.
    EnPassant,
    /// A pawn reaches the last rank and is promoted.
    Promotion,
}

/// A whole game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Snapshot {
    /// The number of the last event.
    pub seq: u64,
    /// The phase of the game.
    pub phase: Phase,
    /// What was fixed before the first move. In a game that waits for its second player, that
    /// player's name is empty.
    pub start: Start,
    /// When the game began; missing while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Millis>,
    /// The start position.
    pub first: Board,
    /// The moves that were played and not taken back.
    pub plies: Vec<Ply>,
    /// The clocks as of the last event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// The clock that runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticking: Option<Ticking>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// The open offers.
    pub offers: Vec<Offered>,
    /// Since when each player has been away.
    pub left: Sides<Option<Millis>>,
    /// The chat of this game and of the earlier games of its series.
    pub chat: Vec<ChatMessage>,
    /// The id of the next game of the series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Who may watch.
    pub visibility: Visibility,
}

/// The phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Waiting for the second player.
    Waiting,
    /// Under way.
    Playing,
    /// Adjourned, to be resumed later.
    Adjourned,
    /// Over.
    Ended,
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ply {
    /// In UCI notation.
    pub uci: String,
    /// In algebraic notation.
    pub san: String,
    /// The board after it.
    pub board: Board,
    /// The clocks after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
}

/// An open offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Offered {
    /// The offer.
    pub what: Offer,
    /// The side that made it.
    pub by: Turn,
}

/// A chat message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChatMessage {
    /// When it was sent.
    pub at: Millis,
    /// The sender's seat or role. In an earlier game of a series the colours were different: there
    /// the name tells who the sender is.
    pub from: hansu_play::Actor,
    /// The sender's name.
    pub name: String,
    /// The message.
    pub text: String,
}

/// Who may watch a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everyone; the game is in the list of games.
    Public,
    /// Everyone who has its link.
    #[default]
    Private,
}
