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

/// The most that is read for one request, or from one websocket, in a second: more than the largest
/// import. Frames that add up to no message never come to be counted as messages; here their bytes
/// are.
const MOST_A_SECOND: usize = 6 * 1024 * 1024;
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

/// How many bytes have come in this second.
#[derive(Clone, Default)]
pub(crate) struct Meter(Arc<AtomicUsize>);

impl Meter {
    /// A request begins: what came before was for others.
    pub(crate) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
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
        let before = self.seen.0.fetch_add(bytes, Ordering::Relaxed);
        if before + bytes > MOST_A_SECOND {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        Ok(())
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
