//! What is said in the lobby.

use hansu_play::{Millis, Sides, TimeControl};
use serde::{Deserialize, Serialize};

use crate::{Choice, Kind, Language, Place, Refusal};

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
    /// Play against a player who seeks.
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

/// The game that a player looks for.
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
        /// For a seek: its name on the list, until a player takes it.
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

/// A player who looks for an opponent.
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
