//! New games and invitations.

use hansu_play::{Millis, Source, Spectators, TimeControl};
use serde::{Deserialize, Serialize};

use crate::{Refusal, Seat, Visibility};

/// The colour that a player wishes.
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
    /// One of 960 start positions, drawn by the server.
    Chess960,
}

/// A request for a new game (`POST /api/games`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewGame {
    /// The kind of opponent.
    pub with: Opponent,
    /// The asker's name; on one screen, White's name.
    #[serde(default)]
    pub name: String,
    /// Only on one screen: Black's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// The asker's colour.
    #[serde(default)]
    pub color: Choice,
    /// The time control.
    #[serde(default)]
    pub time: TimeControl,
    /// Standard chess or Chess960.
    #[serde(default)]
    pub variant: Kind,
    /// The start position as FEN; missing for the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Who may watch; missing for private.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// Whether spectators may chat.
    #[serde(default)]
    pub spectators: Spectators,
    /// Only against the computer: its strength, from 1 to 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Only against the computer: true if it resigns a lost game, late; else it plays to the end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resigns: bool,
}

/// The kind of opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Opponent {
    /// A friend, who joins with a link.
    Friend,
    /// A second player on the same screen.
    Local,
    /// The computer, if the server has one.
    Computer,
}

/// A new game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Made {
    /// Its id.
    pub game: String,
    /// The asker's seat.
    pub seat: Seat,
    /// Only with a friend: the token of the invitation. The link is `/join/` and this token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// Only with a friend: the whole link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// The server's address on the local network (`POST /api/nearby`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Nearby {
    /// The base URL for links.
    pub url: String,
}

/// An invitation (`GET /api/invitations/{token}`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Invited {
    /// The game's id.
    pub game: String,
    /// The name of the player who invites.
    pub name: String,
    /// The free seat.
    pub seat: Seat,
    /// The time control.
    pub time: TimeControl,
    /// Standard chess or Chess960.
    pub variant: Kind,
    /// The start position as FEN; missing for the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Where the game is played.
    pub source: Source,
    /// When the invitation expires.
    pub expires: Millis,
    /// True if the asker has made the invitation: the game waits for another player.
    pub own: bool,
}

/// Why an invitation can no longer be used, with its game if the asker may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpentInvitation {
    /// The reason.
    #[serde(flatten)]
    pub refusal: Refusal,
    /// The id of the game that began with it.
    pub game: String,
    /// The asker's seat in that game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}
