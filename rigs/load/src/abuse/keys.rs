//! Requests with forged, swapped, stale or missing keys: none of them may change a game.

use std::fmt;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansu_play::Millis;
use hansu_protocol::{Snapshot, Ticking};
use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use super::Others;
use crate::api::ApiClient;
use crate::frames::{Frame, Opcode, RawConnection};
use crate::opening::{self, OpenedGame};

/// Parallel connections.
const CONNECTIONS: usize = 16;
/// One of this many attempts comes over a websocket.
const SOCKET_EVERY: u64 = 50;

/// The refused attempts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KeyReport {
    /// Over HTTP.
    pub requests: u64,
    /// Over websockets.
    pub sockets: u64,
    /// How long it took.
    pub time: Duration,
}

impl fmt::Display for KeyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.as_secs_f64();
        write!(
            f,
            "{} requests and {} sockets in {seconds:.0} s, all refused",
            self.requests, self.sockets
        )
    }
}

/// A key that is not the right one.
fn wrong(right: &str, swapped: &str, number: u64, random: &mut fastrand::Rng) -> Option<String> {
    let hex = |random: &mut fastrand::Rng| format!("{:032x}", random.u128(..));
    Some(match number % 10 {
        // A random key.
        0..=2 => hex(random),
        // The right key with one digit changed.
        3 => {
            let mut digits: Vec<char> = right.chars().collect();
            let at = random.usize(..digits.len());
            digits[at] = if digits[at] == '0' { '1' } else { '0' };
            digits.into_iter().collect()
        }
        // The key of a player of another game.
        4 | 5 => swapped.to_owned(),
        // The right key in other spellings.
        6 => right.to_ascii_uppercase() + "G",
        7 => right.get(..31).unwrap_or_default().to_owned(),
        8 => format!("{right}{}", random.u8(b'0'..=b'9') as char),
        // No key.
        _ => return None,
    })
}

/// A game without connected players, and another game whose keys are tried.
struct Target {
    opened: OpenedGame,
    stranger: OpenedGame,
    /// An invitation that was already accepted.
    stale: String,
}

impl Target {
    async fn open(server: SocketAddr) -> Result<Target> {
        let mut api = ApiClient::connect(server, 5).await?;
        let stranger = opening::game(&mut api, 1).await?;
        let (white, black) = (opening::key(&mut api).await?, opening::key(&mut api).await?);
        let new = opening::between_friends("White");
        let made: hansu_protocol::Made = api.post("/api/games", Some(&white), &new).await?;
        let stale = made.invitation.context("no invitation")?;
        let path = format!("/api/invitations/{stale}");
        let _: hansu_protocol::Made =
            api.post(&path, Some(&black), &json!({ "name": "Black" })).await?;
        Ok(Target { opened: OpenedGame { game: made.game, white, black }, stranger, stale })
    }

    /// The state of the game without what the server itself changes: it records that the absent
    /// players have left, and after a stalled commit their clocks start later.
    async fn state(&self, api: &mut ApiClient) -> Result<Snapshot> {
        let path = format!("/api/games/{}/state", self.opened.game);
        let key = Some(self.opened.white.as_str());
        let (status, body) = api.request(Method::GET, &path, key, Bytes::new()).await?;
        ensure!(status == StatusCode::OK, "{status}");
        let mut state: Snapshot = serde_json::from_slice(&body)?;
        state.seq = 0;
        state.left = Default::default();
        state.ticking = state.ticking.map(|ticking| Ticking { until: Millis::ZERO, ..ticking });
        Ok(state)
    }

    /// One attempt over HTTP, which must be refused.
    async fn try_request(
        &self,
        api: &mut ApiClient,
        number: u64,
        random: &mut fastrand::Rng,
    ) -> Result<()> {
        let right = if number.is_multiple_of(2) { &self.opened.white } else { &self.opened.black };
        let key = wrong(right, &self.stranger.white, number / 2, random);
        let (path, body) = match number % 7 {
            6 => (format!("/api/invitations/{}", self.stale), json!({ "name": "Mallory" })),
            5 => {
                let token = format!("{:032x}", random.u128(..));
                (format!("/api/invitations/{token}"), json!({ "name": "Mallory" }))
            }
            other => {
                let command = match other {
                    0 => json!({ "type": "move", "uci": "e2e4" }),
                    1 => json!({ "type": "resign" }),
                    2 => json!({ "type": "offer", "what": "draw" }),
                    3 => json!({ "type": "abort" }),
                    _ => json!({ "type": "move", "uci": "d2d4" }),
                };
                let path = format!("/api/games/{}/commands", self.opened.game);
                (path, json!({ "id": number.to_string(), "command": command }))
            }
        };
        let body = Bytes::from(serde_json::to_vec(&body)?);
        let (status, answer) = api.request(Method::POST, &path, key.as_deref(), body).await?;
        ensure!(
            status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS,
            "{path} with {key:?}: {status} {}",
            String::from_utf8_lossy(&answer)
        );
        Ok(())
    }

    /// One attempt over a websocket, which must be refused.
    async fn try_socket(
        &self,
        server: SocketAddr,
        number: u64,
        random: &mut fastrand::Rng,
    ) -> Result<()> {
        let key = wrong(&self.opened.white, &self.stranger.black, number, random);
        let path = format!("/api/games/{}/socket", self.opened.game);
        let mut raw = RawConnection::upgrade(server, &path, key.as_deref()).await?;
        raw.send(&Frame::new(Opcode::TEXT, r#"{"type":"hello","v":1}"#)).await?;
        let command = json!({
            "type": "command", "id": "1", "command": { "type": "move", "uci": "e2e4" }
        });
        raw.send(&Frame::new(Opcode::TEXT, command.to_string())).await?;
        while let Some(frame) = raw.read_frame().await? {
            if frame.opcode != Opcode::TEXT {
                continue;
            }
            let said: Value = serde_json::from_slice(&frame.payload)?;
            match said["type"].as_str() {
                Some("welcome") => ensure!(said["seat"].is_null(), "{key:?} got a seat"),
                Some("refused") => return Ok(()),
                Some("event") if said["entry"]["type"] == "left" => {}
                Some("ack" | "event" | "turn") => bail!("{key:?} was heard: {said}"),
                _ => {}
            }
        }
        bail!("closed without an answer")
    }
}

/// Tries this many wrong keys.
///
/// # Errors
///
/// When one is accepted.
pub async fn all(others: &Others, count: u64) -> Result<KeyReport> {
    let server = others.program.address();
    let target = Target::open(server).await?;
    let mut api = ApiClient::connect(server, 6).await?;
    let before = target.state(&mut api).await?;
    let begin = Instant::now();
    let lanes = u64::try_from(CONNECTIONS)?;
    let counts: Vec<(u64, u64)> = stream::iter(0..lanes)
        .map(async |lane| {
            let mut random = fastrand::Rng::with_seed(lane);
            let mut api = ApiClient::connect(server, usize::try_from(lane)?).await?;
            let (mut requests, mut sockets) = (0, 0);
            let step = usize::try_from(lanes)?;
            for number in (lane..count).step_by(step) {
                if (number / lanes).is_multiple_of(SOCKET_EVERY) {
                    target.try_socket(server, number / lanes / SOCKET_EVERY, &mut random).await?;
                    sockets += 1;
                } else {
                    target.try_request(&mut api, number, &mut random).await?;
                    requests += 1;
                }
            }
            ensure!(api.is_open(), "the connection was closed");
            anyhow::Ok((requests, sockets))
        })
        .buffer_unordered(CONNECTIONS)
        .try_collect()
        .await?;
    // The server has closed the first connection, which was idle for too long.
    let mut api = ApiClient::connect(server, 6).await?;
    let after = target.state(&mut api).await?;
    ensure!(after == before, "the game went from {before:?} to {after:?}");
    // The right key still works: the attempts failed because of their keys.
    let path = format!("/api/games/{}/commands", target.opened.game);
    let first = json!({ "id": "right", "command": { "type": "move", "uci": "e2e4" } });
    let done: Value = api.post(&path, Some(&target.opened.white), &first).await?;
    let moved = target.state(&mut api).await?.plies.len();
    ensure!(moved == 1, "the right key: {done}");
    Ok(KeyReport {
        requests: counts.iter().map(|(requests, _)| requests).sum(),
        sockets: counts.iter().map(|(_, sockets)| sockets).sum(),
        time: begin.elapsed(),
    })
}
