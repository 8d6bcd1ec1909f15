//! A `hansu serve` process: started over its own log, stopped, killed, restarted.

use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::usage::Usage;

/// Timeout for a server to print its address, long enough for a busy machine.
const START: Duration = Duration::from_secs(30);

/// A running `hansu serve`.
pub struct Program {
    binary: PathBuf,
    wrap: Vec<OsString>,
    log: Vec<OsString>,
    address: SocketAddr,
    child: Child,
}

impl Program {
    /// Starts a server on a free port, over the log in a folder.
    ///
    /// # Errors
    ///
    /// When it does not start.
    pub async fn start(binary: &Path, data: &Path) -> Result<Program> {
        Program::start_under(&[], binary, data).await
    }

    /// Starts it under another program (`strace …`).
    ///
    /// # Errors
    ///
    /// When it does not start.
    pub async fn start_under(wrap: &[OsString], binary: &Path, data: &Path) -> Result<Program> {
        Program::launch(wrap, binary, &["--data".into(), data.into()]).await
    }

    /// Starts a server with these arguments for its log (`--database …`).
    ///
    /// # Errors
    ///
    /// When it does not start.
    pub async fn start_over(binary: &Path, log: &[OsString]) -> Result<Program> {
        Program::launch(&[], binary, log).await
    }

    async fn launch(wrap: &[OsString], binary: &Path, log: &[OsString]) -> Result<Program> {
        let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let (child, address) = launch(wrap, binary, log, anywhere).await?;
        let (wrap, log) = (wrap.to_vec(), log.to_vec());
        Ok(Program { binary: binary.to_owned(), wrap, log, address, child })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its process id.
    ///
    /// # Errors
    ///
    /// When it has ended.
    pub fn process(&self) -> Result<u32> {
        self.child.id().context("the server has ended")
    }

    /// The resources it uses.
    ///
    /// # Errors
    ///
    /// When it has ended.
    pub fn usage(&self) -> Result<Usage> {
        Usage::of(self.process()?)
    }

    /// Returns true while the process runs.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills it with SIGKILL, which it cannot handle.
    ///
    /// # Errors
    ///
    /// When it had already ended, which is a failure.
    pub async fn kill(&mut self) -> Result<()> {
        ensure!(self.is_running(), "the server had ended before it was killed");
        self.child.kill().await?;
        Ok(())
    }

    /// Starts it again at the same address.
    ///
    /// # Errors
    ///
    /// When it does not start.
    pub async fn restart(&mut self) -> Result<()> {
        let (child, address) = launch(&self.wrap, &self.binary, &self.log, self.address).await?;
        (self.child, self.address) = (child, address);
        Ok(())
    }

    /// Stops it with SIGTERM and waits; returns how long it took.
    ///
    /// # Errors
    ///
    /// When it does not stop within a minute, or with an error status.
    pub async fn stop(&mut self) -> Result<Duration> {
        let begin = Instant::now();
        let process = i32::try_from(self.process()?)?;
        let process = rustix::process::Pid::from_raw(process).context("no process")?;
        rustix::process::kill_process(process, rustix::process::Signal::TERM)?;
        let ended = timeout(Duration::from_secs(60), self.child.wait()).await;
        let status = ended.context("the server did not stop")??;
        ensure!(status.success(), "the server stopped with {status}");
        Ok(begin.elapsed())
    }
}

async fn launch(
    wrap: &[OsString],
    binary: &Path,
    log: &[OsString],
    listen: SocketAddr,
) -> Result<(Child, SocketAddr)> {
    let mut words = wrap.iter().cloned().chain([binary.as_os_str().to_owned()]);
    let first = words.next().context("no program")?;
    let mut child = Command::new(first)
        .args(words)
        .args(["serve", "--listen", &listen.to_string()])
        .args(log)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("{} does not start", binary.display()))?;
    let output = child.stdout.take().context("no output")?;
    let mut lines = BufReader::new(output).lines();
    let found = timeout(START, async {
        while let Some(line) = lines.next_line().await? {
            // "On this machine: http://127.0.0.1:8080", in any language.
            if let Some((_, address)) = line.split_once(": http://") {
                return Ok(address.trim().parse::<SocketAddr>()?);
            }
        }
        bail!("the server ended before it said where it is");
    });
    let address = found.await.context("the server did not say where it is")??;
    // Printing into a closed pipe fails, so the rest of the output is read and dropped.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok((child, address))
}
