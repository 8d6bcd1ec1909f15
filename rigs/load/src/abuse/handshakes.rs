//! Handshakes that are never finished.

use std::fmt;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hyper::{Method, StatusCode};

use super::{Others, elsewhere};
use crate::frames::Raw;
use crate::report::Latency;
use crate::web::Web;

/// The server's patience with the head of a request, and a moment more.
const CLOSED_WITHIN: Duration = Duration::from_secs(12);
/// Files that the server may have opened meanwhile for others.
const SPARE: usize = 8;

/// What half-open handshakes have done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HalfOpen {
    /// How many there were.
    pub count: usize,
    /// After what time the last was closed.
    pub closed: Duration,
    /// The slowest request of somebody else meanwhile.
    pub slowest: Duration,
    /// The latency of the others meanwhile.
    pub others: Latency,
}

impl fmt::Display for HalfOpen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HalfOpen { count, closed, slowest, others } = self;
        let (closed, slowest) = (closed.as_secs_f64(), slowest.as_secs_f64() * 1e3);
        write!(
            f,
            "{count}: closed within {closed:.1} s, a new visitor waited {slowest:.1} ms at most; \
             others {others}"
        )
    }
}

async fn begin_only(server: SocketAddr, count: usize) -> Result<Vec<Raw>> {
    let beginnings: [&[u8]; 4] = [
        b"",
        b"G",
        b"GET /api/me HTTP/1.1\r\nHost: x\r\nX: ",
        b"GET /api/lobby/socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
    ];
    stream::iter(0..count)
        .map(async |number| {
            let mut raw = Raw::connect(server, number).await?;
            raw.say(beginnings[number % beginnings.len()]).await?;
            anyhow::Ok(raw)
        })
        .buffer_unordered(256)
        .try_collect()
        .await
}

/// Connections that say nothing, or the beginning of a request and nothing more.
///
/// # Errors
///
/// When others are not served, or the connections are not closed.
pub async fn half_open(others: &Others, count: usize) -> Result<HalfOpen> {
    let server = others.program.address();
    let before = others.program.usage()?.files;
    others.measure();
    let begin = Instant::now();
    let open = elsewhere(async move || begin_only(server, count).await).await?;
    let opened = Instant::now();
    let mut slowest = Duration::ZERO;
    loop {
        let asked = Instant::now();
        let mut web = Web::connect(server, 7).await?;
        let (status, _) = web.ask(Method::GET, "/healthz", None, Bytes::new()).await?;
        ensure!(status == StatusCode::OK, "others are answered with {status}");
        slowest = slowest.max(asked.elapsed());
        drop(web);
        let files = others.usage().await?.files;
        if files <= before + SPARE {
            break;
        }
        let late = opened.elapsed() > CLOSED_WITHIN;
        ensure!(!late, "{} of {count} are open after {CLOSED_WITHIN:?}", files - before);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    drop(open);
    let (closed, others) = (begin.elapsed(), others.measured());
    Ok(HalfOpen { count, closed, slowest, others })
}
