//! How games begin: what a new one shall be, what was made of it, and invitations.

use hansu_play::{Millis, Source, Spectators, TimeControl};
use serde::{Deserialize, Serialize};

use crate::{Place, Refusal, Visibility};

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
    /// A second player on the same screen.
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

/// Where others on the local network find the server (`POST /api/nearby`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Nearby {
    /// The address for links.
    pub url: String,
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
