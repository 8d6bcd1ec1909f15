//! A NATS server from the system's packages.

use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::Signal;

use crate::postgres::{free_port, signal};

/// Where Debian's package installs it, outside the usual `PATH`.
const DEBIAN: &str = "/usr/sbin/nats-server";
/// Timeout for starting, long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that keeps nothing on disk.
pub struct Nats {
    port: u16,
    server: Option<Child>,
    /// Required from every client, if set.
    password: Option<&'static str>,
}

impl Nats {
    /// Starts a server.
    ///
    /// # Errors
    ///
    /// When NATS is not installed, or does not start.
    pub fn start() -> Result<Nats> {
        Nats::with(None)
    }

    /// Starts a server that accepts only the user `hansu` with this password.
    ///
    /// # Errors
    ///
    /// As [`Nats::start`].
    pub fn guarded(password: &'static str) -> Result<Nats> {
        Nats::with(Some(password))
    }

    fn with(password: Option<&'static str>) -> Result<Nats> {
        let mut nats = Nats { port: free_port()?, server: None, password };
        nats.launch()?;
        Ok(nats)
    }

    fn launch(&mut self) -> Result<()> {
        let program = if Path::new(DEBIAN).exists() { DEBIAN } else { "nats-server" };
        let server = Command::new(program)
            .args(["-a", "127.0.0.1", "-p", &self.port.to_string()])
            .args(self.password.iter().flat_map(|own| ["--user", "hansu", "--pass", *own]))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("nats-server is not installed: tools/install.sh does it")?;
        self.server = Some(server);
        let end = Instant::now() + PATIENCE;
        while TcpStream::connect_timeout(&self.socket(), Duration::from_millis(200)).is_err() {
            if Instant::now() > end {
                bail!("nats-server does not start");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// Its address.
    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The socket address it listens on.
    pub fn socket(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// Kills it (`SIGKILL`).
    ///
    /// # Errors
    ///
    /// When there is no server.
    pub fn kill(&mut self) -> Result<()> {
        let mut server = self.server.take().context("no server")?;
        server.kill()?;
        server.wait()?;
        Ok(())
    }

    /// Starts it again after a kill, on the same port.
    ///
    /// # Errors
    ///
    /// When it does not start.
    pub fn restart(&mut self) -> Result<()> {
        self.launch()
    }

    /// Stops it with `SIGSTOP`, like a machine that hangs.
    pub fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    /// Continues it with `SIGCONT`.
    pub fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, kind: Signal) {
        if let Some(server) = &self.server {
            signal(server.id(), kind);
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.thaw();
        let _ = self.kill();
    }
}
