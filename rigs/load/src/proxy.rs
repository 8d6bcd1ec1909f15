//! A TCP proxy that can be cut: bytes are held back until it is mended, as on a network that drops
//! packets. Connections stay open, without a notice to either end.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Result;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// A proxy to one target.
pub struct Proxy {
    address: SocketAddr,
    whole: watch::Sender<bool>,
    _tasks: JoinSet<()>,
}

impl Proxy {
    /// Starts a proxy that is not cut.
    ///
    /// # Errors
    ///
    /// When no port is free.
    pub async fn to(target: SocketAddr) -> Result<Proxy> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (whole, cut_signal) = watch::channel(true);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut lines = JoinSet::new();
            loop {
                let Ok((here, _)) = listener.accept().await else { continue };
                let cut_signal = cut_signal.clone();
                lines.spawn(async move {
                    let mut open = cut_signal.clone();
                    // A connection that begins during a cut waits as well.
                    if open.wait_for(|whole| *whole).await.is_err() {
                        return;
                    }
                    let Ok(there) = TcpStream::connect(target).await else { return };
                    let _ = (here.set_nodelay(true), there.set_nodelay(true));
                    let ((from, to), (back_from, back_to)) =
                        (here.into_split(), there.into_split());
                    tokio::select! {
                        () = pump(from, back_to, cut_signal.clone()) => {}
                        () = pump(back_from, to, cut_signal) => {}
                    }
                });
                while lines.try_join_next().is_some() {}
            }
        });
        Ok(Proxy { address, whole, _tasks: tasks })
    }

    /// The address to connect to instead of the target.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Holds back all bytes from now on.
    pub fn cut(&self) {
        self.whole.send_replace(false);
    }

    /// Ends the cut: what was held back arrives.
    pub fn mend(&self) {
        self.whole.send_replace(true);
    }
}

async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut open: watch::Receiver<bool>) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let read = from.read(&mut bytes).await.unwrap_or(0);
        if open.wait_for(|whole| *whole).await.is_err() {
            return;
        }
        if read == 0 || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
