//! Keys that are forged, swapped, stale or missing: none of them moves anything.

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
use crate::frames::{Frame, Kind, Raw};
use crate::opening::{self, Opened};
use crate::web::Web;

/// Connections at once.
const LANES: usize = 16;
/// One in so many comes over a websocket.
const SOCKETS: u64 = 50;

/// What became of all the keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Refused {
    /// Over HTTP.
    pub requests: u64,
    /// Over websockets.
    pub sockets: u64,
    /// How long it took.
    pub time: Duration,
}

impl fmt::Display for Refused {
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
        // Forged.
        0..=2 => hex(random),
        // The right one but for one digit.
        3 => {
            let mut digits: Vec<char> = right.chars().collect();
            let at = random.usize(..digits.len());
            digits[at] = if digits[at] == '0' { '1' } else { '0' };
            digits.into_iter().collect()
        }
        // Of a player of another game.
        4 | 5 => swapped.to_owned(),
        // Other spellings.
        6 => right.to_ascii_uppercase() + "G",
        7 => right.get(..31).unwrap_or_default().to_owned(),
        8 => format!("{right}{}", random.u8(b'0'..=b'9') as char),
        // Missing.
        _ => return None,
    })
}

/// A game at which nobody sits, and two keys of another one.
struct Target {
    opened: Opened,
    stranger: Opened,
    /// An invitation that was taken up.
    stale: String,
}

impl Target {
    async fn open(server: SocketAddr) -> Result<Target> {
        let mut web = Web::connect(server, 5).await?;
        let stranger = opening::game(&mut web, 1).await?;
        let (white, black) = (opening::key(&mut web).await?, opening::key(&mut web).await?);
        let new = opening::between_friends("White");
        let made: hansu_protocol::Made = web.post("/api/games", Some(&white), &new).await?;
        let stale = made.invitation.context("no invitation")?;
        let path = format!("/api/invitations/{stale}");
        let _: hansu_protocol::Made =
            web.post(&path, Some(&black), &json!({ "name": "Black" })).await?;
        Ok(Target { opened: Opened { game: made.game, white, black }, stranger, stale })
    }

    /// The game as its players see it, but for what the server itself keeps: the players are not
    /// there, and after a while it says so; a disk that stood still makes their clocks start later.
    async fn standing(&self, web: &mut Web) -> Result<Snapshot> {
        let path = format!("/api/games/{}/state", self.opened.game);
        let key = Some(self.opened.white.as_str());
        let (status, body) = web.ask(Method::GET, &path, key, Bytes::new()).await?;
        ensure!(status == StatusCode::OK, "{status}");
        let mut state: Snapshot = serde_json::from_slice(&body)?;
        state.seq = 0;
        state.left = Default::default();
        state.ticking = state.ticking.map(|ticking| Ticking { until: Millis::ZERO, ..ticking });
        Ok(state)
    }

    /// One try over HTTP; it must be refused.
    async fn ask(&self, web: &mut Web, number: u64, random: &mut fastrand::Rng) -> Result<()> {
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
        let (status, answer) = web.ask(Method::POST, &path, key.as_deref(), body).await?;
        ensure!(
            status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS,
            "{path} with {key:?}: {status} {}",
            String::from_utf8_lossy(&answer)
        );
        Ok(())
    }

    /// One try over a websocket; it must be refused.
    async fn talk(
        &self,
        server: SocketAddr,
        number: u64,
        random: &mut fastrand::Rng,
    ) -> Result<()> {
        let key = wrong(&self.opened.white, &self.stranger.black, number, random);
        let path = format!("/api/games/{}/socket", self.opened.game);
        let mut raw = Raw::upgrade(server, &path, key.as_deref()).await?;
        raw.send(&Frame::new(Kind::TEXT, r#"{"type":"hello","v":1}"#)).await?;
        let command = json!({
            "type": "command", "id": "1", "command": { "type": "move", "uci": "e2e4" }
        });
        raw.send(&Frame::new(Kind::TEXT, command.to_string())).await?;
        while let Some(frame) = raw.frame().await? {
            if frame.kind != Kind::TEXT {
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

/// Tries so many wrong keys.
///
/// # Errors
///
/// When one is taken.
pub async fn all(others: &Others, count: u64) -> Result<Refused> {
    let server = others.program.address();
    let target = Target::open(server).await?;
    let mut web = Web::connect(server, 6).await?;
    let before = target.standing(&mut web).await?;
    let begin = Instant::now();
    let lanes = u64::try_from(LANES)?;
    let counts: Vec<(u64, u64)> = stream::iter(0..lanes)
        .map(async |lane| {
            let mut random = fastrand::Rng::with_seed(lane);
            let mut web = Web::connect(server, usize::try_from(lane)?).await?;
            let (mut requests, mut sockets) = (0, 0);
            let step = usize::try_from(lanes)?;
            for number in (lane..count).step_by(step) {
                if (number / lanes).is_multiple_of(SOCKETS) {
                    target.talk(server, number / lanes / SOCKETS, &mut random).await?;
                    sockets += 1;
                } else {
                    target.ask(&mut web, number, &mut random).await?;
                    requests += 1;
                }
            }
            ensure!(web.is_open(), "the connection was closed");
            anyhow::Ok((requests, sockets))
        })
        .buffer_unordered(LANES)
        .try_collect()
        .await?;
    // A connection on which nothing was asked for so long has been closed.
    let mut web = Web::connect(server, 6).await?;
    let after = target.standing(&mut web).await?;
    ensure!(after == before, "the game went from {before:?} to {after:?}");
    // The right key still works: it was the keys that were refused, and not the game.
    let path = format!("/api/games/{}/commands", target.opened.game);
    let first = json!({ "id": "right", "command": { "type": "move", "uci": "e2e4" } });
    let done: Value = web.post(&path, Some(&target.opened.white), &first).await?;
    let moved = target.standing(&mut web).await?.plies.len();
    ensure!(moved == 1, "the right key: {done}");
    Ok(Refused {
        requests: counts.iter().map(|(requests, _)| requests).sum(),
        sockets: counts.iter().map(|(_, sockets)| sockets).sum(),
        time: begin.elapsed(),
    })
}
