//! What client and server say to each other over a websocket, one JSON object a message.
//!
//! `docs/protocol.md` tells it in words, `web/src/wire.ts` is made from these types, and a test
//! fails when one of them is behind. Everything that needs the rules of chess (notation, targets,
//! checks, results) is told by the server, so that a client needs none.
//!
//! ```
//! use hansu_protocol::{ClientMessage, Wish};
//! let text = r#"{"type":"command","id":"a1","command":{"type":"move","uci":"e2e4"}}"#;
//! let said: ClientMessage = serde_json::from_str(text)?;
//! let wish = Wish::Move { uci: "e2e4".into() };
//! assert_eq!(said, ClientMessage::Command { id: "a1".into(), command: wish });
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

/// The version of this protocol. A client says in its `hello` which one it speaks.
pub const VERSION: u32 = 1;

/// The longest message a client may send, in bytes.
pub const LONGEST_MESSAGE: usize = 4 * 1024;

/// The longest id of a command, in bytes.
pub const LONGEST_ID: usize = 64;

/// The close code for a client that speaks another version.
pub const CLOSE_VERSION: u16 = 4000;
/// The close code for a client that sends what is no message.
pub const CLOSE_MALFORMED: u16 = 4001;
/// The close code for a client that sends too much.
pub const CLOSE_FLOOD: u16 = 4002;
/// The close code for a client that does not read, answer or greet.
pub const CLOSE_SLOW: u16 = 4003;
/// The close code for a game that is not there, or no longer.
pub const CLOSE_GONE: u16 = 4004;
/// The close code of a server that stops; come back in a moment.
pub const CLOSE_RESTART: u16 = 1012;

/// What a client says at a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    /// First of all: the version, and the last event the client has.
    Hello {
        /// The version of the protocol.
        v: u32,
        /// The number of the last event the client knows; 0 for none.
        #[serde(default)]
        seq: u64,
        /// The language of sentences.
        #[serde(default)]
        lang: Language,
    },
    /// To do something. It is done when it is acknowledged, and not before.
    Command {
        /// A name the client gives; a resend under the same name is done once.
        id: String,
        /// What.
        command: Wish,
    },
    /// There is a gap: what came after this event?
    Sync {
        /// The last event the client has.
        seq: u64,
    },
    /// Why may this move not be played? A question: nothing is done, kept or sent again.
    Why {
        /// The move, as UCI writes it.
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

/// What a client can ask of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Wish {
    /// Play a move.
    Move {
        /// As UCI writes it: `e2e4`, `e7e8q`.
        uci: String,
    },
    /// Give up.
    Resign,
    /// Offer something, or agree when the other side has offered the same.
    Offer {
        /// What.
        what: Offer,
    },
    /// Agree to an offer.
    Accept {
        /// To what.
        what: Offer,
    },
    /// Turn an offer down.
    Decline {
        /// Which.
        what: Offer,
    },
    /// Claim the draw of a threefold repetition or of fifty moves.
    ClaimDraw {
        /// With the move that leads to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
    },
    /// Claim the game from an opponent who has left.
    ClaimAbsence {
        /// A win or a draw.
        result: Claimed,
    },
    /// Give the game up before both sides have moved; nobody loses. Also withdraws an invitation.
    Abort,
    /// Give the opponent fifteen seconds.
    GiveTime {
        /// Who gets them; on one screen either side may.
        to: Turn,
    },
    /// Say something.
    Chat {
        /// What.
        text: String,
        /// A spectator's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
}

/// What the server says at a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to `hello`; a snapshot or the missing events follow.
    Welcome {
        /// The version of the protocol.
        v: u32,
        /// The game.
        game: String,
        /// Where the client sits; nowhere when it watches.
        seat: Option<Place>,
        /// The last event of the game.
        seq: u64,
        /// The server's time.
        now: Millis,
    },
    /// Everything, for a client that knows nothing or too little.
    Snapshot(Box<Snapshot>),
    /// Something has happened. The client takes `seq` one above its last, drops lower ones, and
    /// says `sync` on a gap.
    Event(Box<Happened>),
    /// To the side that is to move: where it may go.
    Turn {
        /// After which event.
        seq: u64,
        /// Its moves.
        moves: Moves,
    },
    /// A command is done and kept.
    Ack {
        /// The name the client gave it.
        id: String,
        /// Its last event.
        seq: u64,
    },
    /// A command is not done.
    Refused {
        /// The name the client gave it.
        id: String,
        /// The last event of the game.
        seq: u64,
        /// Why.
        refusal: Refusal,
    },
    /// The answer to `why`.
    Why {
        /// The last event of the game.
        seq: u64,
        /// The move that was asked about.
        uci: String,
        /// Why it may not be played; nothing when it may.
        refusal: Option<Refusal>,
    },
    /// Who is there.
    Presence {
        /// White is connected.
        white: bool,
        /// Black is connected.
        black: bool,
        /// How many watch.
        spectators: u32,
    },
    /// All is well, and this is the last event.
    Beat {
        /// The last event of the game.
        seq: u64,
        /// The server's time.
        now: Millis,
    },
    /// The connection is about to be closed.
    Bye {
        /// Why: `restart`, `slow`, `flood`, `malformed`, `version`, `gone`.
        reason: String,
    },
}

/// Where a client sits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// On White's seat.
    White,
    /// On Black's seat.
    Black,
    /// On both: one screen.
    Both,
}

/// Why something is not done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Refusal {
    /// A short name for programs; it never changes.
    pub code: String,
    /// The squares it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
    /// Where the pieces stand that prove it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
    /// A sentence in the client's language.
    pub text: String,
}

/// An event with what a board shows after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Happened {
    /// The event.
    #[cfg_attr(test, ts(as = "hansu_play::EntryShape"))]
    #[cfg_attr(feature = "openapi", schema(value_type = hansu_play::EntryShape))]
    pub entry: Entry,
    /// After a move: how it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// When the board has changed: how it looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<Board>,
    /// The clock that runs now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticking: Option<Ticking>,
}

/// How a board looks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Board {
    /// The position.
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
    /// Whose.
    pub side: Turn,
    /// What it shows.
    pub left: Millis,
    /// When it starts to count down, in the server's time; never for a first move, which is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Millis>,
    /// When the game is over if nothing happens.
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

/// Where the side to move may go.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Moves {
    /// From each square, the squares a piece may go to, one after the other: `{"e2":"e3e4"}`. A
    /// king that castles goes two squares aside; in Chess960 onto its rook.
    pub targets: BTreeMap<String, String>,
    /// What is special about a move, by its two squares: `{"e1g1":"castling_right"}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub special: BTreeMap<String, Special>,
    /// Whether a draw may be claimed: `threefold_repetition` or `fifty_moves`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
}

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Special {
    /// Castling towards the a-file.
    CastlingLeft,
    /// Castling towards the h-file.
    CastlingRight,
    /// A pawn takes in passing.
    EnPassant,
    /// A pawn arrives and becomes something else.
    Promotion,
}

/// A whole game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Snapshot {
    /// The last event.
    pub seq: u64,
    /// Where the game stands.
    pub phase: Phase,
    /// What was fixed before the first move; for a game that waits, the side that waits has its
    /// name and the other an empty one.
    pub start: Start,
    /// When the game began; nothing while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Millis>,
    /// The position from which it was played.
    pub first: Board,
    /// The moves that count.
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
    /// What is on offer.
    pub offers: Vec<Offered>,
    /// Since when a player has been away.
    pub left: Sides<Option<Millis>>,
    /// What was said, also in the games before this one of a series.
    pub chat: Vec<Said>,
    /// The next game of a series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Who may watch.
    pub visibility: Visibility,
}

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// For the second player.
    Waiting,
    /// Under way.
    Playing,
    /// To be gone on with another day.
    Adjourned,
    /// Over.
    Ended,
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ply {
    /// As UCI writes it.
    pub uci: String,
    /// As people write it.
    pub san: String,
    /// The board after it.
    pub board: Board,
    /// The clocks after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
}

/// Something on offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Offered {
    /// What.
    pub what: Offer,
    /// By which side.
    pub by: Turn,
}

/// Something that was said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Said {
    /// When.
    pub at: Millis,
    /// From where; in an earlier game of a series seats had other colours, so names count.
    pub from: hansu_play::Actor,
    /// By whom.
    pub name: String,
    /// What.
    pub text: String,
}

/// Who may watch a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody; the game is on the list.
    Public,
    /// Whoever has its link.
    #[default]
    Private,
}
