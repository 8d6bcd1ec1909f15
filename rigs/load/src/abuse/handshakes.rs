//! Handshakes that are never finished.

use std::fmt;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hyper::{Method, StatusCode};

use super::{Others, at_idle_priority};
use crate::api::ApiClient;
use crate::frames::RawConnection;
use crate::report::Latency;

/// The server's timeout for the head of a request, and some more.
const CLOSED_WITHIN: Duration = Duration::from_secs(12);
/// Files that the server may have opened meanwhile for other connections.
const SPARE: usize = 8;

/// The effect of half-open handshakes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HandshakeReport {
    /// Their number.
    pub count: usize,
    /// The time until the last was closed.
    pub closed: Duration,
    /// The slowest request of another client meanwhile.
    pub slowest: Duration,
    /// The latency of the other players meanwhile.
    pub others: Latency,
}

impl fmt::Display for HandshakeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HandshakeReport { count, closed, slowest, others } = self;
        let (closed, slowest) = (closed.as_secs_f64(), slowest.as_secs_f64() * 1e3);
        write!(
            f,
            "{count}: closed within {closed:.1} s, a new visitor waited {slowest:.1} ms at most; \
             others {others}"
        )
    }
}

async fn open_unfinished(server: SocketAddr, count: usize) -> Result<Vec<RawConnection>> {
    let beginnings: [&[u8]; 4] = [
        b"",
        b"G",
        b"GET /api/me HTTP/1.1\r\nHost: x\r\nX: ",
        b"GET /api/lobby/socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
    ];
    stream::iter(0..count)
        .map(async |number| {
            let mut raw = RawConnection::connect(server, number).await?;
            raw.write(beginnings[number % beginnings.len()]).await?;
            anyhow::Ok(raw)
        })
        .buffer_unordered(256)
        .try_collect()
        .await
}

/// Opens connections that send nothing, or only the beginning of a request.
///
/// # Errors
///
/// When other clients are not served, or the connections are not closed.
pub async fn half_open(others: &Others, count: usize) -> Result<HandshakeReport> {
    let server = others.program.address();
    let before = others.program.usage()?.files;
    others.start_measuring();
    let begin = Instant::now();
    let open = at_idle_priority(async move || open_unfinished(server, count).await).await?;
    let opened = Instant::now();
    let mut slowest = Duration::ZERO;
    loop {
        let asked = Instant::now();
        let mut api = ApiClient::connect(server, 7).await?;
        let (status, _) = api.request(Method::GET, "/healthz", None, Bytes::new()).await?;
        ensure!(status == StatusCode::OK, "others are answered with {status}");
        slowest = slowest.max(asked.elapsed());
        drop(api);
        let files = others.usage().await?.files;
        if files <= before + SPARE {
            break;
        }
        let late = opened.elapsed() > CLOSED_WITHIN;
        ensure!(!late, "{} of {count} are open after {CLOSED_WITHIN:?}", files - before);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    drop(open);
    let (closed, others) = (begin.elapsed(), others.latency());
    Ok(HandshakeReport { count, closed, slowest, others })
}
