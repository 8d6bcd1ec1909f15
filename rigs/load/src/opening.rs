//! Opens games as people do: keys, an invitation, a friend who takes it up.

use std::net::SocketAddr;

use anyhow::Result;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansu_play::{Millis, Spectators, TimeControl};
use hansu_protocol::{Choice, Kind, Made, NewGame, Opponent, Visibility};
use serde::Deserialize;
use serde_json::json;

use crate::web::Web;

/// Connections over which games are opened at once.
const AT_ONCE: usize = 32;

/// A game with the keys of its two players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    /// Its name.
    pub game: String,
    /// White's key.
    pub white: String,
    /// Black's key.
    pub black: String,
}

/// A clock so long that nobody loses on time, and yet every move changes the deadline.
pub fn long_clock() -> TimeControl {
    TimeControl::fischer(Millis::minutes(180), Millis::seconds(5))
}

/// A new game between friends as the API wants it.
pub fn between_friends(name: &str) -> NewGame {
    NewGame {
        with: Opponent::Friend,
        name: name.to_owned(),
        other: None,
        color: Choice::White,
        time: long_clock(),
        variant: Kind::Standard,
        fen: None,
        visibility: Some(Visibility::Public),
        level: None,
        spectators: Spectators::default(),
    }
}

/// A new key.
///
/// # Errors
///
/// When the server gives none.
pub async fn key(web: &mut Web) -> Result<String> {
    #[derive(Deserialize)]
    struct Fresh {
        key: String,
    }
    Ok(web.post::<Fresh>("/api/keys", None, &json!({})).await?.key)
}

/// Opens one game.
///
/// # Errors
///
/// When the server refuses.
pub async fn game(web: &mut Web, number: usize) -> Result<Opened> {
    let (white, black) = (key(web).await?, key(web).await?);
    let new = between_friends(&format!("White {number}"));
    let made: Made = web.post("/api/games", Some(&white), &new).await?;
    let token = made.invitation.unwrap_or_default();
    let guest = json!({ "name": format!("Black {number}") });
    let joined: Made = web.post(&format!("/api/invitations/{token}"), Some(&black), &guest).await?;
    Ok(Opened { game: joined.game, white, black })
}

/// Opens many games.
///
/// # Errors
///
/// When the server refuses one.
pub async fn games(server: SocketAddr, count: usize) -> Result<Vec<Opened>> {
    let lanes = AT_ONCE.min(count.max(1));
    let opened: Vec<Vec<Opened>> = stream::iter(0..lanes)
        .map(async |lane| {
            let mut web = Web::connect(server, lane).await?;
            let mut opened = Vec::new();
            for number in (lane..count).step_by(lanes) {
                opened.push(game(&mut web, number).await?);
            }
            anyhow::Ok(opened)
        })
        .buffer_unordered(lanes)
        .try_collect()
        .await?;
    Ok(opened.into_iter().flatten().collect())
}
