//! A PostgreSQL server from the system's packages.

use std::fs;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::Authority;

/// Where Debian's packages install the programs, one folder per version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// Timeout for starting, long enough for a busy machine; usually it takes a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// The user the server runs as: it refuses to run as root.
#[derive(Clone, Copy)]
struct User {
    uid: u32,
    gid: u32,
}

/// A server with its own cluster (data folder).
pub struct Postgres {
    programs: PathBuf,
    user: Option<User>,
    folder: TempDir,
    port: u16,
    server: Option<Child>,
    /// A shell that ends the server when this process is gone, even after `SIGKILL`.
    guard: Option<Child>,
    schemas: AtomicU32,
    settings: &'static [&'static str],
}

impl Postgres {
    /// Makes a cluster and starts a server for it.
    ///
    /// # Errors
    ///
    /// When PostgreSQL is not installed, or does not start.
    pub fn start() -> Result<Postgres> {
        Postgres::with(&[])
    }

    /// Starts a server without fsync, for tests that are not about durability.
    ///
    /// # Errors
    ///
    /// As [`Postgres::start`].
    pub fn hasty() -> Result<Postgres> {
        Postgres::with(&["fsync=off", "full_page_writes=off"])
    }

    /// Starts a server without fsync that offers TLS with a certificate for a name.
    ///
    /// # Errors
    ///
    /// As [`Postgres::start`], or when the certificate cannot be made.
    pub fn with_tls(authority: &Authority, name: &str) -> Result<Postgres> {
        let mut postgres = Postgres::hasty()?;
        let data = postgres.data();
        let (certificate, key) = authority.certify(name, &data)?;
        for file in [&certificate, &key] {
            fs::set_permissions(file, fs::Permissions::from_mode(0o600))?;
            if let Some(user) = postgres.user {
                chown(file, Some(user.uid), Some(user.gid))?;
            }
        }
        let settings = format!(
            "ssl = on\nssl_cert_file = '{}'\nssl_key_file = '{}'\n",
            certificate.display(),
            key.display()
        );
        let mut file = fs::File::options().append(true).open(data.join("postgresql.conf"))?;
        file.write_all(settings.as_bytes())?;
        postgres.kill()?;
        postgres.restart()?;
        Ok(postgres)
    }

    /// A server without fsync, shared by all tests of this process that do not stop it. It ends
    /// with the last `Arc`.
    ///
    /// # Errors
    ///
    /// As [`Postgres::start`].
    pub fn shared() -> Result<Arc<Postgres>> {
        static SHARED: Mutex<Weak<Postgres>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(server) = shared.upgrade() {
            return Ok(server);
        }
        let server = Arc::new(Postgres::hasty()?);
        *shared = Arc::downgrade(&server);
        Ok(server)
    }

    fn with(settings: &'static [&'static str]) -> Result<Postgres> {
        let programs = programs()?;
        let user = user()?;
        let folder = tempfile::Builder::new().prefix("hansu-pg-").tempdir()?;
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700))?;
        if let Some(user) = user {
            chown(folder.path(), Some(user.uid), Some(user.gid))?;
        }
        let mut postgres = Postgres {
            programs,
            user,
            folder,
            port: 0,
            server: None,
            guard: None,
            schemas: AtomicU32::new(0),
            settings,
        };
        let made = postgres
            .command("initdb")
            .args([
                "--username=hansu",
                "--auth=trust",
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync",
            ])
            .arg("-D")
            .arg(postgres.data())
            .output()?;
        if !made.status.success() {
            bail!("initdb: {}", String::from_utf8_lossy(&made.stderr));
        }
        postgres.port = free_port()?;
        postgres.launch()?;
        Ok(postgres)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        // The server's user may lack access to the current folder.
        command.current_dir(self.folder.path()).stdin(Stdio::null()).env_remove("PGPASSWORD");
        if let Some(User { uid, gid }) = self.user {
            command.uid(uid).gid(gid);
        }
        command
    }

    fn launch(&mut self) -> Result<()> {
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.folder.path().join("log"))
            .context("the server's log")?;
        let server = self
            .command("postgres")
            .arg("-D")
            .arg(self.data())
            .args(["-p", &self.port.to_string(), "-k"])
            .arg(self.folder.path())
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "shared_buffers=64MB"])
            .args(["-c", "max_connections=300"])
            .args(self.settings.iter().flat_map(|setting| ["-c", setting]))
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        self.guard = Some(self.guard(server.id())?);
        self.server = Some(server);
        self.wait()
    }

    /// Starts a shell that waits for the end of this process, which the server does not notice.
    fn guard(&self, server: u32) -> Result<Child> {
        let mut guard = Command::new("/bin/sh");
        guard.args(["-c", "read -r _; kill -QUIT \"$1\"; rm -rf -- \"$2\"", "sh"]);
        guard.arg(server.to_string()).arg(self.folder.path());
        let quiet = guard.current_dir("/").stdout(Stdio::null()).stderr(Stdio::null());
        Ok(quiet.stdin(Stdio::piped()).spawn()?)
    }

    fn release(&mut self) {
        if let Some(mut guard) = self.guard.take() {
            // Killed before its pipe closes, which it would take for the end of this process.
            let _ = guard.kill();
            let _ = guard.wait();
        }
    }

    /// Waits until the server accepts connections.
    fn wait(&mut self) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        let port = self.port.to_string();
        loop {
            let ready =
                self.command("pg_isready").args(["-h", "127.0.0.1", "-p", &port]).output()?;
            if ready.status.success() {
                return Ok(());
            }
            // After a kill its last child processes may still run; then the server refuses to
            // start.
            let gone = self.server.as_mut().map(Child::try_wait).transpose()?.flatten().is_some();
            if Instant::now() > end || gone && Instant::now() + PATIENCE / 2 > end {
                bail!("PostgreSQL does not start:\n{}", self.log());
            }
            std::thread::sleep(Duration::from_millis(20));
            if gone {
                self.release();
                self.server = None;
                return self.launch();
            }
        }
    }

    /// The server's log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// The address of its first database.
    pub fn address(&self) -> String {
        format!("postgres://hansu@127.0.0.1:{}/postgres", self.port)
    }

    /// The socket address it listens on.
    pub fn socket(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// The address of a new, empty schema.
    ///
    /// # Errors
    ///
    /// When the schema cannot be created.
    pub fn fresh(&self) -> Result<String> {
        let name = format!("s{}", self.schemas.fetch_add(1, Ordering::Relaxed));
        self.run(&format!("CREATE SCHEMA {name}"))?;
        Ok(format!("{}?options=-c%20search_path%3D{name}", self.address()))
    }

    /// Runs SQL with `psql` and returns its output, with columns separated by `|`.
    ///
    /// # Errors
    ///
    /// When the server refuses one.
    pub fn run(&self, sql: &str) -> Result<String> {
        self.run_at(&self.address(), sql)
    }

    /// Runs SQL at another address of this server.
    ///
    /// # Errors
    ///
    /// When the server refuses a statement.
    pub fn run_at(&self, address: &str, sql: &str) -> Result<String> {
        let done = self
            .command("psql")
            .args(["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql])
            .output()?;
        if !done.status.success() {
            bail!("{sql}: {}", String::from_utf8_lossy(&done.stderr));
        }
        Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
    }

    /// Kills the server and its child processes (`SIGKILL`), like a power cut.
    ///
    /// # Errors
    ///
    /// When there is no server.
    pub fn kill(&mut self) -> Result<()> {
        let mut server = self.server.take().context("no server")?;
        self.release();
        let children = children(server.id());
        server.kill()?;
        children.into_iter().for_each(|pid| signal(pid, Signal::KILL));
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
        self.signal_all(Signal::STOP);
    }

    /// Continues it with `SIGCONT`.
    pub fn thaw(&self) {
        self.signal_all(Signal::CONT);
    }

    /// The ids of the server's processes: one per connection, and some more.
    pub fn processes(&self) -> Vec<u32> {
        let all = |server: &Child| children(server.id()).into_iter().chain([server.id()]).collect();
        self.server.as_ref().map(all).unwrap_or_default()
    }

    fn signal_all(&self, kind: Signal) {
        self.processes().into_iter().for_each(|pid| signal(pid, kind));
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.thaw();
        let _ = self.kill();
        // Its last processes may hold the port for a moment; that is not waited for.
        let _ = TcpStream::connect_timeout(&self.socket(), Duration::from_millis(1));
    }
}

pub(crate) fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, signal);
    }
}

/// The ids of a process's children.
fn children(parent: u32) -> Vec<u32> {
    let listed = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = listed.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The state and the parent follow the name, which is in brackets.
        let after = stat.rsplit(')').next().unwrap_or_default();
        after.split_whitespace().nth(1).and_then(|ppid| ppid.parse().ok()) == Some(parent)
    })
    .collect()
}

/// The folder with the programs of the newest installed version.
fn programs() -> Result<PathBuf> {
    let listed = fs::read_dir(VERSIONS).into_iter().flatten().flatten();
    let mut found: Vec<(u32, PathBuf)> = listed
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.parse().ok()?;
            let programs = entry.path().join("bin");
            programs.join("initdb").exists().then_some((version, programs))
        })
        .collect();
    found.sort();
    let newest = found.pop().context("PostgreSQL is not installed: tools/install.sh does it")?;
    Ok(newest.1)
}

/// The user of Debian's package if this process runs as root; otherwise `None`.
fn user() -> Result<Option<User>> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let passwd = fs::read_to_string(Path::new("/etc/passwd"))?;
    let line = passwd.lines().find(|line| line.starts_with("postgres:"));
    let mut parts = line.context("there is no user postgres")?.split(':').skip(2);
    let mut number = || parts.next().and_then(|part| part.parse().ok()).context("/etc/passwd");
    Ok(Some(User { uid: number()?, gid: number()? }))
}

pub(crate) fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
