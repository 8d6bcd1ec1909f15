//! Readers that never read.

use std::fmt;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};

use super::{Others, elsewhere};
use crate::frames::{Frame, Kind, Raw, upgrade};
use crate::opening::Opened;
use crate::report::{Latency, megabytes};

/// What one reader may cost.
const MOST_EACH: f64 = 64.0 * 1024.0;

/// How often the server is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// Files that the server may have opened meanwhile for itself.
const SPARE: usize = 4;

/// What readers that never read have done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Silent {
    /// How many they were.
    pub count: usize,
    /// How much the server grew for each, in bytes.
    pub each: f64,
    /// After what time the last was closed.
    pub closed: Duration,
    /// The latency of the others, from when they came, all at once, until the last was closed.
    pub others: Latency,
}

impl fmt::Display for Silent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Silent { count, each, closed, others } = self;
        let closed = closed.as_secs_f64();
        write!(f, "{count}: {each:.0} bytes each, closed within {closed:.1} s; others {others}")
    }
}

/// They come, all at once.
async fn come(server: SocketAddr, games: &[Opened], count: usize) -> Result<Vec<Raw>> {
    let hello = Frame::new(Kind::TEXT, r#"{"type":"hello","v":1}"#).bytes();
    stream::iter(0..count)
        .map(async |number| {
            let mut raw = Raw::connect(server, number).await?;
            // Small, so that what is not read piles up at the server.
            socket2::SockRef::from(raw.stream()).set_recv_buffer_size(2_048)?;
            let path = format!("/api/games/{}/socket", games[number % games.len()].game);
            raw.say(upgrade(server, &path, None).as_bytes()).await?;
            raw.say(&hello).await?;
            anyhow::Ok(raw)
        })
        .buffer_unordered(64)
        .try_collect()
        .await
}

/// Spectators of the others' games, who greet and then read nothing at all.
///
/// # Errors
///
/// When they cost too much or are not closed in time.
pub async fn never_read(others: &Others, count: usize, within: Duration) -> Result<Silent> {
    let before = others.program.usage()?;
    others.measure();
    let begin = Instant::now();
    let (server, games) = (others.program.address(), others.games.clone());
    // Nothing is read from them any more: they need no runtime.
    let readers = elsewhere(async move || come(server, &games, count).await).await?;
    let said = Instant::now();
    let mut most = 0;
    loop {
        // The end stands behind what is not read, so a reader does not see it: the server's files
        // tell how many are left.
        let usage = others.usage().await?;
        most = most.max(usage.resident);
        if usage.files <= before.files + SPARE {
            break;
        }
        let late = said.elapsed() > within;
        let left = usage.files - before.files;
        ensure!(!late, "{left} of {count} are open after {:?}", said.elapsed());
        tokio::time::sleep(LOOK).await;
    }
    let (closed, others) = (begin.elapsed(), others.measured());
    // A thousand at once take a while, in which others would wait.
    elsewhere(async move || {
        drop(readers);
        Ok(())
    })
    .await?;
    let each = most.saturating_sub(before.resident) as f64 / count as f64;
    let silent = Silent { count, each, closed, others };
    // What the allocator takes for the first few is no measure.
    ensure!(
        count < 500 || each <= MOST_EACH,
        "{each:.0} bytes each, {:.1} MB before",
        megabytes(before.resident)
    );
    Ok(silent)
}
