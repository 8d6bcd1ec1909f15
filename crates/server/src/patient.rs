//! A connection that gives up on a client that does not read: nothing above it can be held up
//! for ever by somebody who asks for much and takes nothing.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// The most that is read for one request in a second: more than the largest import.
const MOST_FOR_REQUEST: usize = 6 * 1024 * 1024;
/// The most that is read from one websocket in a second: more than what its longest messages come to
/// before they are refused as too many. Frames that add up to no message never come to be counted as
/// messages; here their bytes are. A second of empty ones costs the server a few hundredths of one.
const MOST_FROM_SOCKET: usize = 256 * 1024;
/// How long a client may take nothing at all while there is something for it.
const PATIENCE: Duration = Duration::from_secs(8);

/// A connection with a limit to its patience.
pub(crate) struct Patient {
    stream: TcpStream,
    waiting: Option<Pin<Box<Sleep>>>,
    /// Since when bytes are counted.
    since: Instant,
    seen: Meter,
}

/// How many bytes may still come in this second.
#[derive(Clone, Default)]
pub(crate) struct Meter(Arc<Counters>);

struct Counters {
    seen: AtomicUsize,
    most: AtomicUsize,
}

impl Default for Counters {
    fn default() -> Counters {
        Counters { seen: AtomicUsize::new(0), most: AtomicUsize::new(MOST_FOR_REQUEST) }
    }
}

impl Meter {
    /// A request begins: what came before was for others. Behind one for a websocket nothing but
    /// messages may come.
    pub(crate) fn begin(&self, for_socket: bool) {
        let most = if for_socket { MOST_FROM_SOCKET } else { MOST_FOR_REQUEST };
        self.0.most.store(most, Ordering::Relaxed);
        self.reset();
    }

    fn reset(&self) {
        self.0.seen.store(0, Ordering::Relaxed);
    }

    /// Counts bytes; false when they are too many for this second.
    fn allows(&self, bytes: usize) -> bool {
        let before = self.0.seen.fetch_add(bytes, Ordering::Relaxed);
        before + bytes <= self.0.most.load(Ordering::Relaxed)
    }
}

impl Patient {
    pub(crate) fn new(stream: TcpStream, seen: Meter) -> Patient {
        Patient { stream, waiting: None, since: Instant::now(), seen }
    }

    /// Counts what has come; too much in one second is the end.
    fn count(&mut self, bytes: usize) -> io::Result<()> {
        if self.since.elapsed() >= Duration::from_secs(1) {
            self.since = Instant::now();
            self.seen.reset();
        }
        if self.seen.allows(bytes) { Ok(()) } else { Err(io::ErrorKind::ConnectionAborted.into()) }
    }

    /// Passes on what the connection says, unless it has said "not yet" for too long.
    fn wait<T>(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.waiting = None;
            return poll;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
        ready!(waiting.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.count(buffer.filled().len() - before)?;
        read
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wait(cx, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.wait(cx, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
