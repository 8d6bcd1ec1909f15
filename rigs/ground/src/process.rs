//! The real `hansu serve` as a process.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running `hansu serve`.
pub struct Process {
    /// The process.
    pub child: Child,
    /// The socket address it listens on.
    pub at: SocketAddr,
}

impl Process {
    /// Starts a server over the SQLite log in a folder.
    pub fn start(program: &str, folder: &Path, level: &str) -> Process {
        Process::over(program, ["--data".as_ref(), folder.as_os_str()], folder, level)
    }

    /// Starts a server over the log that these arguments name.
    pub fn over<'a>(
        program: &str,
        log: impl IntoIterator<Item = &'a OsStr>,
        folder: &Path,
        level: &str,
    ) -> Process {
        let mut command = Command::new(program);
        let lines = std::fs::File::options().create(true).append(true).open(folder.join("log"));
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(log)
            .env("HANSU_LOG", level)
            .env("LANG", "en_US.UTF-8")
            .stderr(lines.expect("a file"));
        Process::spawn(command)
    }

    /// Starts a server by this command and waits until it prints its address.
    pub fn spawn(mut command: Command) -> Process {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("hansu serve");
        let mut lines = BufReader::new(child.stdout.as_mut().expect("output")).lines();
        let at = loop {
            let line = lines.next().expect("an address").expect("text");
            let address = line.split_once("http://").or(line.split_once("https://"));
            if let Some((_, address)) = address {
                break address.parse().expect("an address");
            }
        };
        Process { child, at }
    }

    /// Sends a signal, such as `-TERM`.
    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().expect("kill").success());
    }

    /// Waits for the process to end and returns the exit code.
    pub async fn wait_for_exit(&mut self, within: Duration) -> Option<i32> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status.code();
            }
            assert!(started.elapsed() < within, "still there after {within:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Kills the server, so that a failed test leaves no process behind.
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Timeout for stopping a server, long enough for a busy machine.
pub const GRACE: Duration = Duration::from_secs(30);
