//! The messages of the lobby.

use hansu_play::{Millis, Sides, TimeControl};
use serde::{Deserialize, Serialize};

use crate::{Choice, Kind, Language, Refusal, Seat};

/// A message from a client of the lobby to the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LobbyMessage {
    /// The first message on a connection.
    Hello {
        /// The version of the protocol.
        v: u32,
        /// The language of sentences.
        #[serde(default)]
        lang: Language,
    },
    /// Look for an opponent. A connection has one seek: a new one replaces the old one, and it ends
    /// with the connection.
    Seek {
        /// An id chosen by the client for this request.
        id: String,
        /// The game to look for.
        seek: Seek,
    },
    /// Play against the player of a seek.
    Take {
        /// An id chosen by the client for this request.
        id: String,
        /// The id of the seek.
        seek: String,
        /// The client's name.
        name: String,
    },
    /// Stop looking for an opponent.
    Cancel {
        /// An id chosen by the client for this request.
        id: String,
    },
}

/// The game that a player looks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seek {
    /// The player's name.
    pub name: String,
    /// The time control.
    #[serde(default)]
    pub time: TimeControl,
    /// The player's colour.
    #[serde(default)]
    pub color: Choice,
    /// `standard` or `chess960`.
    #[serde(default)]
    pub variant: Kind,
}

/// A message from the server to a client of the lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LobbyNews {
    /// The answer to `hello`; sent again after each change, at most twice a second.
    Lobby {
        /// The version of the protocol.
        v: u32,
        /// The open seeks, the oldest first.
        seeks: Vec<OpenSeek>,
        /// Public games under way, the newest first.
        games: Vec<LiveGame>,
        /// The number of connections to the server, in the lobby and at games.
        people: u32,
    },
    /// A request is done.
    Ack {
        /// The request's id.
        id: String,
        /// Only for a seek: its id in the list, until a player takes it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seek: Option<String>,
    },
    /// A request is not done.
    Refused {
        /// The request's id.
        id: String,
        /// The reason.
        refusal: Refusal,
    },
    /// An opponent was found: go to the game.
    Paired {
        /// The game's id.
        game: String,
        /// The client's seat.
        seat: Seat,
    },
    /// A heartbeat.
    Beat {
        /// The server's time.
        now: Millis,
    },
    /// The connection is about to be closed.
    Bye {
        /// The reason.
        reason: String,
    },
}

/// A seek in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpenSeek {
    /// The id for `take`.
    pub id: String,
    /// The game that the player looks for.
    #[serde(flatten)]
    pub seek: Seek,
}

/// A game to watch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveGame {
    /// Its id.
    pub id: String,
    /// The players' names.
    pub names: Sides<String>,
    /// The time control.
    pub time: TimeControl,
    /// The position as FEN.
    pub fen: String,
    /// The number of moves played, counting both sides' moves.
    pub plies: u32,
    /// The number of spectators.
    pub spectators: u32,
}
