//! Opens games over the API: two keys, an invitation and its acceptance.

use std::net::SocketAddr;

use anyhow::Result;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansu_play::{Millis, Spectators, TimeControl};
use hansu_protocol::{Choice, Kind, Made, NewGame, Opponent, Visibility};
use serde::Deserialize;
use serde_json::json;

use crate::api::ApiClient;

/// The number of connections over which games are opened in parallel.
const AT_ONCE: usize = 32;

/// A game with the keys of its two players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenedGame {
    /// Its id.
    pub game: String,
    /// White's key.
    pub white: String,
    /// Black's key.
    pub black: String,
}

/// A time control so long that no player loses on time, though every move changes the deadline.
pub fn long_clock() -> TimeControl {
    TimeControl::fischer(Millis::minutes(180), Millis::seconds(5))
}

/// The API's request for a new game between friends.
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
        resigns: false,
        spectators: Spectators::default(),
    }
}

/// A new key.
///
/// # Errors
///
/// When the server refuses.
pub async fn key(api: &mut ApiClient) -> Result<String> {
    #[derive(Deserialize)]
    struct Fresh {
        key: String,
    }
    Ok(api.post::<Fresh>("/api/keys", None, &json!({})).await?.key)
}

/// Opens one game.
///
/// # Errors
///
/// When the server refuses.
pub async fn game(api: &mut ApiClient, number: usize) -> Result<OpenedGame> {
    let (white, black) = (key(api).await?, key(api).await?);
    let new = between_friends(&format!("White {number}"));
    let made: Made = api.post("/api/games", Some(&white), &new).await?;
    let token = made.invitation.unwrap_or_default();
    let guest = json!({ "name": format!("Black {number}") });
    let joined: Made = api.post(&format!("/api/invitations/{token}"), Some(&black), &guest).await?;
    Ok(OpenedGame { game: joined.game, white, black })
}

/// Opens many games.
///
/// # Errors
///
/// When the server refuses one.
pub async fn games(server: SocketAddr, count: usize) -> Result<Vec<OpenedGame>> {
    let lanes = AT_ONCE.min(count.max(1));
    let opened: Vec<Vec<OpenedGame>> = stream::iter(0..lanes)
        .map(async |lane| {
            let mut api = ApiClient::connect(server, lane).await?;
            let mut opened = Vec::new();
            for number in (lane..count).step_by(lanes) {
                opened.push(game(&mut api, number).await?);
            }
            anyhow::Ok(opened)
        })
        .buffer_unordered(lanes)
        .try_collect()
        .await?;
    Ok(opened.into_iter().flatten().collect())
}
