//! The addresses of this machine in its local networks, and listening on them while the server
//! runs, when the person at this machine asks for it.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};

use tokio::net::{TcpListener, TcpSocket};

use crate::accept;
use crate::http::{self, App};

/// The IPv4 addresses of this machine in its local networks.
pub fn nearby() -> Vec<IpAddr> {
    let mut found: Vec<IpAddr> = if_addrs::get_if_addrs()
        .unwrap_or_default()
        .iter()
        .map(if_addrs::Interface::ip)
        .filter(|ip| ip.is_ipv4() && !ip.is_loopback())
        .collect();
    found.sort();
    found.dedup();
    found
}

/// A listener with a backlog of 4,096: all clients reconnect at once after a restart.
///
/// # Errors
///
/// When the address cannot be listened on.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(4_096)
}

/// Opens a server that listens on this machine only to the local network.
#[derive(Debug)]
pub(crate) struct LocalNetwork {
    /// The server's port. None when the server may not be opened.
    port: Option<u16>,
    /// The URL for other devices. None until the server is opened.
    open: Mutex<Option<String>>,
}

impl LocalNetwork {
    /// A server may be opened when it listens on the loopback address and is not behind a proxy:
    /// requests of a proxy on this machine seem to come from this machine.
    pub(crate) fn new(address: SocketAddr, config: &crate::Config) -> LocalNetwork {
        let alone = address.ip().is_loopback() && address.is_ipv4();
        let direct = config.public_url.is_none() && matches!(config.proxies, crate::Proxies::None);
        LocalNetwork { port: (alone && direct).then(|| address.port()), open: Mutex::new(None) }
    }

    /// The URL for other devices. None until the server is opened.
    pub(crate) fn address(&self) -> Option<String> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Opens the server, unless it is open already, and returns the URL. None when that is not
    /// possible.
    pub(crate) fn open(&self, app: &App) -> Option<String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.is_none() {
            *open = self.listen(app);
        }
        open.clone()
    }

    fn listen(&self, app: &App) -> Option<String> {
        let port = self.port?;
        let scheme = if app.config.certificate.is_some() { "https" } else { "http" };
        let mut first = None;
        for ip in nearby() {
            let address = SocketAddr::new(ip, port);
            match listen(address) {
                Ok(listener) => {
                    tracing::info!(%address, "the local network is let in");
                    let (router, inside) = (http::router(app.clone()), app.clone());
                    app.tasks.spawn(async move {
                        accept::serve(listener, router, &inside).await;
                    });
                    first.get_or_insert_with(|| format!("{scheme}://{address}"));
                }
                Err(error) => tracing::warn!(%address, %error, "the local network is not let in"),
            }
        }
        first
    }
}
