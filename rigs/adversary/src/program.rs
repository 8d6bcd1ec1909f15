//! The server under attack: started, killed, frozen, restarted.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::http::Http;

/// Timeout for a server to start or to end, long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Where a server's log lines go.
#[derive(Clone, Debug, Default)]
pub enum Stderr {
    /// Nowhere.
    #[default]
    Nowhere,
    /// Into a file.
    File(PathBuf),
    /// Into a pipe whose other end is closed.
    ClosedPipe,
}

/// How a server is started.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Arguments after `serve --listen …`.
    pub arguments: Vec<OsString>,
    /// Where log lines go.
    pub stderr: Stderr,
    /// True to ignore SIGXFSZ, so that the limit on file sizes does not end the process.
    pub survives_limits: bool,
    /// The log level (`HANSU_LOG`); empty for the default.
    pub log: &'static str,
}

impl Start {
    /// For a server over a folder.
    pub fn over(data: &Path) -> Start {
        Start { arguments: vec!["--data".into(), data.into()], ..Start::default() }
    }

    /// Adds arguments.
    pub fn with(mut self, arguments: &[&str]) -> Start {
        self.arguments.extend(arguments.iter().map(OsString::from));
        self
    }
}

/// A running `hansu serve`.
pub struct Server {
    binary: PathBuf,
    start: Start,
    address: SocketAddr,
    child: Child,
}

impl Server {
    /// Starts a server on a free port and waits until it accepts requests.
    ///
    /// # Errors
    ///
    /// When it does not start.
    pub fn start(binary: &Path, start: Start) -> Result<Server> {
        let anywhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let (child, address) = launch(binary, &start, anywhere)?;
        Ok(Server { binary: binary.to_owned(), start, address, child })
    }

    /// The address for requests.
    pub fn http(&self) -> Http {
        Http(self.address)
    }

    /// Starts it again at the same address, after it has ended.
    ///
    /// # Errors
    ///
    /// When it does not start.
    pub fn restart(&mut self) -> Result<()> {
        (self.child, _) = launch(&self.binary, &self.start, self.address)?;
        Ok(())
    }

    /// Sends a signal.
    ///
    /// # Errors
    ///
    /// When it has ended.
    pub fn signal(&self, signal: Signal) -> Result<()> {
        Ok(kill_process(self.pid()?, signal)?)
    }

    /// Its process id.
    ///
    /// # Errors
    ///
    /// When the number is not a valid process id.
    pub fn pid(&self) -> Result<Pid> {
        Pid::from_raw(i32::try_from(self.child.id())?).context("no process")
    }

    /// Returns true while the process runs.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends SIGKILL and waits. The server must be running.
    ///
    /// # Errors
    ///
    /// When it had ended by itself.
    pub fn kill(&mut self) -> Result<()> {
        ensure!(self.is_running(), "the server had ended by itself");
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Sends SIGTERM and waits for the end.
    ///
    /// # Errors
    ///
    /// When it does not end.
    pub fn stop(&mut self) -> Result<ExitStatus> {
        self.signal(Signal::TERM)?;
        self.wait(TIMEOUT)
    }

    /// Waits until it has ended.
    ///
    /// # Errors
    ///
    /// When it does not end in time.
    pub fn wait(&mut self, timeout: Duration) -> Result<ExitStatus> {
        let end = Instant::now() + timeout;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        bail!("the server does not end")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command for the program, without environment variables that would change its behaviour.
pub fn command(binary: &Path) -> Command {
    let mut command = Command::new(binary);
    for name in ["HANSU_DATA", "HANSU_DATABASE", "HANSU_BUS", "HANSU_LOG", "PGPASSWORD"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}

fn launch(binary: &Path, start: &Start, listen: SocketAddr) -> Result<(Child, SocketAddr)> {
    let mut command = if start.survives_limits {
        let mut shell = command(Path::new("/bin/sh"));
        shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(binary);
        shell
    } else {
        command(binary)
    };
    if !start.log.is_empty() {
        command.env("HANSU_LOG", start.log);
    }
    let stderr = match &start.stderr {
        Stderr::Nowhere => Stdio::null(),
        Stderr::File(path) => File::options().create(true).append(true).open(path)?.into(),
        Stderr::ClosedPipe => std::io::pipe()?.1.into(),
    };
    let listen = listen.to_string();
    let mut child = command
        .args(["serve", "--listen", &listen])
        .args(&start.arguments)
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .with_context(|| format!("{} does not start", binary.display()))?;
    let output = child.stdout.take().context("no output")?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // Printing into a closed pipe fails, so everything is read.
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            // "On this machine: http://127.0.0.1:8080", in any language.
            let address = line.split_once(": http://").map(|(_, address)| address.trim().parse());
            if let Some(Ok(address)) = address {
                let _ = sender.send(address);
            }
        }
    });
    match receiver.recv_timeout(TIMEOUT) {
        Ok(address) => Ok((child, address)),
        Err(_) => {
            let _ = child.kill();
            let status = child.wait()?;
            bail!("the server did not say where it is: {status}")
        }
    }
}
