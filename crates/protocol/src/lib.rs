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
mod hint;
mod lines;
mod shapes;
#[cfg(test)]
mod typescript;

use std::collections::BTreeMap;

use hansu_play::{
    Claimed, Clocks, Ending, Entry, Millis, Offer, Sides, Source, Spectators, Start, TimeControl,
};
use serde::{Deserialize, Serialize};

pub use analysis::{Accuracy, Analysis, AnalysisState, Grade, JudgedMove, SeenPosition};
pub use api::{
    Broken, Bucket, Done, Game, GameList, GivenKey, Guest, HeadToHead, Imported, LegalMoves,
    Listed, Me, NewKey, NewPass, Note, Opening, Played, PlayerList, PlayerPage, PlayerRow, Posted,
    Proof, Renewal, Rival, Row, Run, Standing, Statistics, Streaks, Tag, TagList, Tally, Why,
};
pub use hint::{AskedHint, Hint};
pub use lines::{AskedLines, BestLine, FoundLines, LinesNews};

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

/// What a client says in the lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LobbyMessage {
    /// First of all.
    Hello {
        /// The version of the protocol.
        v: u32,
        /// The language of sentences.
        #[serde(default)]
        lang: Language,
    },
    /// Look for an opponent. One seek a connection: a new one takes the place of the old one, and
    /// it ends with the connection.
    Seek {
        /// A name the client gives to the request.
        id: String,
        /// What is sought.
        seek: Seek,
    },
    /// Play against somebody who seeks.
    Take {
        /// A name the client gives to the request.
        id: String,
        /// Which seek.
        seek: String,
        /// One's name.
        name: String,
    },
    /// No longer look for an opponent.
    Cancel {
        /// A name the client gives to the request.
        id: String,
    },
}

/// What somebody looks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seek {
    /// One's name.
    pub name: String,
    /// The clock.
    #[serde(default)]
    pub time: TimeControl,
    /// One's colour.
    #[serde(default)]
    pub color: Choice,
    /// `standard` or `chess960`.
    #[serde(default)]
    pub variant: Kind,
}

/// A wish for a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// White.
    White,
    /// Black.
    Black,
    /// Either.
    #[default]
    Any,
}

/// Standard chess or Chess960.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The usual start.
    #[default]
    Standard,
    /// One of 960 starts, drawn by the server.
    Chess960,
}

/// What the server says in the lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LobbyNews {
    /// The answer to `hello`, and again whenever something has changed (at most twice a second).
    Lobby {
        /// The version of the protocol.
        v: u32,
        /// Who looks for an opponent, the longest first.
        seeks: Vec<OpenSeek>,
        /// Public games under way, the newest first.
        games: Vec<LiveGame>,
        /// How many are connected here, in the lobby or at a game.
        people: u32,
    },
    /// A request is done.
    Ack {
        /// The name the client gave it.
        id: String,
        /// For a seek: its name on the list, until somebody takes it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seek: Option<String>,
    },
    /// A request is not done.
    Refused {
        /// The name the client gave it.
        id: String,
        /// Why.
        refusal: Refusal,
    },
    /// An opponent is found: go to the game.
    Paired {
        /// The game.
        game: String,
        /// One's seat.
        seat: Place,
    },
    /// All is well.
    Beat {
        /// The server's time.
        now: Millis,
    },
    /// The connection is about to be closed.
    Bye {
        /// Why.
        reason: String,
    },
}

/// Somebody who looks for an opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpenSeek {
    /// What to `take`.
    pub id: String,
    /// What is sought.
    #[serde(flatten)]
    pub seek: Seek,
}

/// A game to watch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveGame {
    /// Its name.
    pub id: String,
    /// Who plays.
    pub names: Sides<String>,
    /// The clock.
    pub time: TimeControl,
    /// The board.
    pub fen: String,
    /// How many moves were played, counting both sides' moves.
    pub plies: u32,
    /// How many watch.
    pub spectators: u32,
}

/// What a new game shall be (`POST /api/games`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewGame {
    /// With whom.
    pub with: Opponent,
    /// One's name; on one screen, White's.
    #[serde(default)]
    pub name: String,
    /// On one screen: Black's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// One's colour.
    #[serde(default)]
    pub color: Choice,
    /// The clock.
    #[serde(default)]
    pub time: TimeControl,
    /// Standard chess or Chess960.
    #[serde(default)]
    pub variant: Kind,
    /// Where it starts, when not as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Who may watch; a game is private unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// Whether spectators may chat.
    #[serde(default)]
    pub spectators: Spectators,
    /// Against the computer: its strength, from 1 to 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
}

/// With whom one plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Opponent {
    /// A friend, who gets a link.
    Friend,
    /// Somebody beside one, on the same screen.
    Local,
    /// The computer, where there is one.
    Computer,
}

/// A game that was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Made {
    /// Its name.
    pub game: String,
    /// One's seat.
    pub seat: Place,
    /// For a friend: what makes the invitation. The link is `/join/` and this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// For a friend: the whole link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// Who invites to what (`GET /api/invitations/{token}`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Invited {
    /// The game.
    pub game: String,
    /// By whom.
    pub name: String,
    /// The seat that waits.
    pub seat: Place,
    /// The clock.
    pub time: TimeControl,
    /// Standard chess or Chess960.
    pub variant: Kind,
    /// Where it starts, when not as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Where the game is played.
    pub source: Source,
    /// Until when it can be taken up.
    pub expires: Millis,
    /// Whether the asker has made it: the game waits for another player.
    pub own: bool,
}

/// Why an invitation cannot be used any more, with its game when the asker may see that.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpentInvitation {
    /// What happened.
    #[serde(flatten)]
    pub refusal: Refusal,
    /// The game that has begun with it.
    pub game: String,
    /// The asker's seat in that game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Place>,
}
