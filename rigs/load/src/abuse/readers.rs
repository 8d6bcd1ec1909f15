//! Spectators that never read.

use std::fmt;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};

use super::{Others, at_idle_priority};
use crate::frames::{Frame, Opcode, RawConnection, upgrade_request};
use crate::opening::OpenedGame;
use crate::report::{Latency, megabytes};

/// The memory that one reader may cost, in bytes.
const MOST_EACH: f64 = 64.0 * 1024.0;

/// Interval between two looks at the server's usage.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Files that the server may have opened meanwhile for itself.
const SPARE: usize = 4;

/// The effect of readers that never read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReaderReport {
    /// Their number.
    pub count: usize,
    /// How much the server's memory grew for each, in bytes.
    pub each: f64,
    /// The time until the last was closed.
    pub closed: Duration,
    /// The latency of the other players until the last was closed.
    pub others: Latency,
}

impl fmt::Display for ReaderReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReaderReport { count, each, closed, others } = self;
        let closed = closed.as_secs_f64();
        write!(f, "{count}: {each:.0} bytes each, closed within {closed:.1} s; others {others}")
    }
}

/// Opens the connections, up to 64 at once.
async fn connect_readers(
    server: SocketAddr,
    games: &[OpenedGame],
    count: usize,
) -> Result<Vec<RawConnection>> {
    let hello = Frame::new(Opcode::TEXT, r#"{"type":"hello","v":1}"#).bytes();
    stream::iter(0..count)
        .map(async |number| {
            let mut raw = RawConnection::connect(server, number).await?;
            // A small buffer, so that unread bytes pile up at the server.
            socket2::SockRef::from(raw.stream()).set_recv_buffer_size(2_048)?;
            let path = format!("/api/games/{}/socket", games[number % games.len()].game);
            raw.write(upgrade_request(server, &path, None).as_bytes()).await?;
            raw.write(&hello).await?;
            anyhow::Ok(raw)
        })
        .buffer_unordered(64)
        .try_collect()
        .await
}

/// Opens spectators of the players' games that send `hello` and then read nothing.
///
/// # Errors
///
/// When they cost too much or are not closed in time.
pub async fn never_read(others: &Others, count: usize, within: Duration) -> Result<ReaderReport> {
    let before = others.program.usage()?;
    others.start_measuring();
    let begin = Instant::now();
    let (server, games) = (others.program.address(), others.games.clone());
    // They are never read from, so they need no runtime any more.
    let readers =
        at_idle_priority(async move || connect_readers(server, &games, count).await).await?;
    let said = Instant::now();
    let mut most = 0;
    loop {
        // A reader does not see the close, which comes after its unread bytes: the number of the
        // server's open files shows how many are left.
        let usage = others.usage().await?;
        most = most.max(usage.resident);
        if usage.files <= before.files + SPARE {
            break;
        }
        let late = said.elapsed() > within;
        let left = usage.files - before.files;
        ensure!(!late, "{left} of {count} are open after {:?}", said.elapsed());
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    let (closed, others) = (begin.elapsed(), others.latency());
    // Closing a thousand at once takes a while, during which other players would wait.
    at_idle_priority(async move || {
        drop(readers);
        Ok(())
    })
    .await?;
    let each = most.saturating_sub(before.resident) as f64 / count as f64;
    let silent = ReaderReport { count, each, closed, others };
    // With few readers this measures nothing, because of the allocator's first allocations.
    ensure!(
        count < 500 || each <= MOST_EACH,
        "{each:.0} bytes each, {:.1} MB before",
        megabytes(before.resident)
    );
    Ok(silent)
}
