//! Notifies systemd that the server is up and works, by the protocol of `sd_notify(3)`: datagrams to
//! the socket that `NOTIFY_SOCKET` names. Without that variable nothing is sent.

use std::time::Duration;

/// The socket of the service manager, and the interval of heartbeats.
pub(crate) struct Watchdog {
    #[cfg(unix)]
    socket: Option<std::os::unix::net::UnixDatagram>,
    /// Half of the manager's timeout, as its manual advises. None if it has no timeout.
    pub(crate) interval: Option<Duration>,
}

impl Watchdog {
    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    pub(crate) fn from_environment() -> Watchdog {
        let wait = std::env::var("WATCHDOG_USEC").ok().and_then(|text| text.parse::<u64>().ok());
        let meant = std::env::var("WATCHDOG_PID").ok().and_then(|text| text.parse::<u32>().ok());
        let ours = meant.is_none_or(|pid| pid == std::process::id());
        let interval =
            wait.filter(|&wait| ours && wait > 0).map(|wait| Duration::from_micros(wait / 2));
        Watchdog {
            #[cfg(unix)]
            socket: std::env::var_os("NOTIFY_SOCKET").and_then(|name| connect(&name)),
            interval,
        }
    }

    /// Sends a state: `READY=1`, `WATCHDOG=1`, `STOPPING=1`. Errors are ignored.
    pub(crate) fn notify(&self, state: &str) {
        #[cfg(unix)]
        if let Some(socket) = &self.socket {
            let _ = socket.send(state.as_bytes());
        }
        #[cfg(not(unix))]
        let _ = state;
    }
}

#[cfg(unix)]
fn connect(name: &std::ffi::OsStr) -> Option<std::os::unix::net::UnixDatagram> {
    use std::os::unix::ffi::OsStrExt as _;
    let socket = std::os::unix::net::UnixDatagram::unbound().ok()?;
    match name.as_bytes().strip_prefix(b"@") {
        #[cfg(target_os = "linux")]
        Some(hidden) => {
            use std::os::linux::net::SocketAddrExt as _;
            let address = std::os::unix::net::SocketAddr::from_abstract_name(hidden).ok()?;
            socket.connect_addr(&address).ok()?;
        }
        #[cfg(not(target_os = "linux"))]
        Some(_) => return None,
        None => socket.connect(name).ok()?,
    }
    socket.set_nonblocking(true).ok()?;
    Some(socket)
}
