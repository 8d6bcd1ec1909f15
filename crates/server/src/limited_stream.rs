//! A TCP stream with limits: it fails when the client does not read for too long or sends too many
//! bytes in a second, so that no such client can block what uses the stream.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// At most this many bytes per second are read for a request: more than the largest import.
const MOST_FOR_REQUEST: usize = 6 * 1024 * 1024;
/// At most this many bytes per second are read from a websocket: more than its longest messages
/// come to before the rate of messages refuses them. Frames that never complete a message are not
/// counted by that rate; their bytes are counted here. A second of empty frames costs the server a
/// few hundredths of a second.
const MOST_FROM_SOCKET: usize = 256 * 1024;
/// How long a client may read nothing while there is something to be sent to it.
const WRITE_TIMEOUT: Duration = Duration::from_secs(8);

/// A TCP stream with a write timeout and a limit of bytes read per second.
pub(crate) struct LimitedStream {
    stream: TcpStream,
    waiting: Option<Pin<Box<Sleep>>>,
    /// The start of the second in which bytes are counted.
    since: Instant,
    meter: Meter,
}

/// Counts the bytes read in this second, against a limit.
#[derive(Clone, Default)]
pub(crate) struct Meter(Arc<Counters>);

struct Counters {
    bytes: AtomicUsize,
    most: AtomicUsize,
}

impl Default for Counters {
    fn default() -> Counters {
        Counters { bytes: AtomicUsize::new(0), most: AtomicUsize::new(MOST_FOR_REQUEST) }
    }
}

impl Meter {
    /// Begins a request: counts from zero, since earlier bytes belong to other requests. After a
    /// request for a websocket the lower limit holds.
    pub(crate) fn begin(&self, for_socket: bool) {
        let most = if for_socket { MOST_FROM_SOCKET } else { MOST_FOR_REQUEST };
        self.0.most.store(most, Ordering::Relaxed);
        self.reset();
    }

    fn reset(&self) {
        self.0.bytes.store(0, Ordering::Relaxed);
    }

    /// Counts bytes. Returns false when they are over the limit of this second.
    fn allows(&self, bytes: usize) -> bool {
        let before = self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
        before + bytes <= self.0.most.load(Ordering::Relaxed)
    }
}

impl LimitedStream {
    pub(crate) fn new(stream: TcpStream, meter: Meter) -> LimitedStream {
        LimitedStream { stream, waiting: None, since: Instant::now(), meter }
    }

    /// Counts bytes that were read; an error when they are over the limit of this second.
    fn count(&mut self, bytes: usize) -> io::Result<()> {
        if self.since.elapsed() >= Duration::from_secs(1) {
            self.since = Instant::now();
            self.meter.reset();
        }
        if self.meter.allows(bytes) { Ok(()) } else { Err(io::ErrorKind::ConnectionAborted.into()) }
    }

    /// Passes on the result of a write, or a timeout when the stream has been pending for too long.
    fn wait<T>(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.waiting = None;
            return poll;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT)));
        ready!(waiting.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for LimitedStream {
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

impl AsyncWrite for LimitedStream {
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
