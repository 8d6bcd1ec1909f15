//! The local network: let in from the start, or while the server runs, when the person at this
//! machine asks for it.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};

use tokio::net::{TcpListener, TcpSocket};

use crate::accept;
use crate::http::{self, App};

/// The addresses of this machine in its local networks.
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

/// A listener with a queue long enough for everybody who comes back at once after a restart.
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

/// The way in for the local network of a server that began on this machine alone.
#[derive(Debug)]
pub(crate) struct Door {
    /// Its port, when the door may be opened.
    port: Option<u16>,
    /// Where others come in.
    open: Mutex<Option<String>>,
}

impl Door {
    /// It may be opened where only this machine comes in, and no proxy stands between: a proxy on
    /// this machine would bring anybody as if from here.
    pub(crate) fn new(address: SocketAddr, config: &crate::Config) -> Door {
        let alone = address.ip().is_loopback() && address.is_ipv4();
        let direct = config.public_url.is_none() && matches!(config.proxies, crate::Proxies::None);
        Door { port: (alone && direct).then(|| address.port()), open: Mutex::new(None) }
    }

    /// The address for others, once it is open.
    pub(crate) fn address(&self) -> Option<String> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Opens it, if it is not open yet; nothing when it cannot be.
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
