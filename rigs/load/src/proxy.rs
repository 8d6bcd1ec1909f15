//! A wire that can be cut: what goes through it is held back until it is mended, as a network that
//! drops packets does. Connections stay; nobody is told.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Result;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// A wire to somewhere.
pub struct Proxy {
    address: SocketAddr,
    whole: watch::Sender<bool>,
    _tasks: JoinSet<()>,
}

impl Proxy {
    /// A whole wire.
    ///
    /// # Errors
    ///
    /// When there is no port.
    pub async fn to(target: SocketAddr) -> Result<Proxy> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (whole, heard) = watch::channel(true);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut lines = JoinSet::new();
            loop {
                let Ok((here, _)) = listener.accept().await else { continue };
                let heard = heard.clone();
                lines.spawn(async move {
                    let mut open = heard.clone();
                    // Whoever begins while it is cut hears nothing either.
                    if open.wait_for(|whole| *whole).await.is_err() {
                        return;
                    }
                    let Ok(there) = TcpStream::connect(target).await else { return };
                    let _ = (here.set_nodelay(true), there.set_nodelay(true));
                    let ((from, to), (back_from, back_to)) =
                        (here.into_split(), there.into_split());
                    tokio::select! {
                        () = pump(from, back_to, heard.clone()) => {}
                        () = pump(back_from, to, heard) => {}
                    }
                });
                while lines.try_join_next().is_some() {}
            }
        });
        Ok(Proxy { address, whole, _tasks: tasks })
    }

    /// Where to connect instead.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Cuts it.
    pub fn cut(&self) {
        self.whole.send_replace(false);
    }

    /// Mends it: what was held back arrives.
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
