//! `hansu serve`: starts the server and prints its addresses.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow};
use clap::{Args, ValueEnum};
use hansu_console::Ink;
use hansu_records::Store;
use hansu_server::limits::Limits;
use hansu_server::page::Page;
use hansu_server::{BusAddress, Certificate, CertificateError, Config, Network, Proxies, Server};
use hansu_words::Lang;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use crate::folder_lock::{FolderLock, FolderLockError};
use crate::log_address::{LogAddress, database};
use crate::page::FILES;
use crate::terminal;
use crate::watchdog::Watchdog;

/// Board and server: play in the browser, alone on this machine or with everybody nearby
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu serve --open            on this machine alone, and opens the browser
  hansu serve --lan             for everybody on the local network, with a QR code
  hansu serve --public-url https://chess.example --behind-proxy
                                behind a proxy that does TLS
  hansu serve --lan --tls-cert chess.pem --tls-key chess.key
                                on the local network, with https and no proxy
  hansu serve --database postgres://hansu@db/hansu --bus nats://bus:4222
                                one of several servers over one database

The log of the server is set with HANSU_LOG (error, warn, info, debug).")]
pub(crate) struct Serve {
    /// The address and port to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR", conflicts_with = "lan")]
    listen: Option<SocketAddr>,

    /// Let everybody on the local network in (listens on 0.0.0.0)
    #[arg(long)]
    lan: bool,

    /// The port, with --lan or on this machine
    #[arg(long, default_value_t = 8080, conflicts_with = "listen")]
    port: u16,

    /// The folder that keeps the games [default: HANSU_DATA, else the user's data folder]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Keep the games in a PostgreSQL database instead of a folder; its password is taken from
    /// PGPASSWORD, since others could see it in the address. sslmode and sslrootcert in the address
    /// say how the connection is encrypted
    #[arg(long, value_name = "URL", env = "HANSU_DATABASE", hide_env_values = true, conflicts_with = "data", value_parser = database)]
    database: Option<LogAddress>,

    /// Tell the other servers over the same database at once what happens: the address of a NATS
    /// server, or several with commas between them. Without it a server assumes that it is alone
    #[arg(long, value_name = "URL", env = "HANSU_BUS", hide_env_values = true)]
    bus: Option<String>,

    /// The address under which people reach this server, for links and QR codes
    #[arg(long, value_name = "URL", value_parser = url)]
    public_url: Option<String>,

    /// Let browsers keep no files of the page, and forget those that they have: it then opens only
    /// while the server can be reached
    #[arg(long)]
    no_worker: bool,

    /// Take the addresses of clients from X-Forwarded-For: only behind a proxy that sets it
    #[arg(long)]
    behind_proxy: bool,

    /// Take clients' addresses from X-Forwarded-For when a proxy of this network sends it; may be
    /// given several times [example: 10.0.0.0/8]
    #[arg(long, value_name = "CIDR", conflicts_with = "behind_proxy")]
    trusted_proxy: Vec<Network>,

    /// The certificate of this server, with those that lead to an authority, in PEM: the server then
    /// speaks https itself. Read again on SIGHUP
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,

    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,

    /// The most connections at once
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections)]
    max_connections: usize,

    /// Open the browser
    #[arg(long)]
    open: bool,

    /// How log lines are written
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
}

/// The format of log lines.
#[derive(Clone, Copy, ValueEnum)]
enum LogFormat {
    /// For people.
    Text,
    /// For programs, one object a line.
    Json,
}

/// Parses `--public-url`: a scheme and a host, without a path.
fn url(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let host = host.map(|host| host.trim_end_matches('/'));
    match host {
        Some(host)
            if !host.is_empty()
                && host.chars().all(|c| c.is_ascii_alphanumeric() || ".-:[]".contains(c)) =>
        {
            Ok(text.trim_end_matches('/').to_owned())
        }
        _ => Err("write it like https://chess.example or http://192.168.0.7:8080".to_owned()),
    }
}

impl Serve {
    pub(crate) fn run(self, lang: Lang, out: &mut impl Write) -> Result<()> {
        start_log(self.log_format);
        // The message does not repeat the input, which may contain a password.
        let bus = self.bus.as_deref().map(str::parse::<BusAddress>).transpose();
        let bus = bus.map_err(|_| {
            anyhow!(match lang {
                Lang::Ko => "--bus는 nats://host:4222처럼 적어 주세요.",
                Lang::En => "write --bus like nats://host:4222",
            })
        })?;
        if self.bus.is_some() && self.database.is_none() {
            return Err(anyhow!(match lang {
                Lang::Ko => {
                    "--bus는 서버 여러 대가 데이터베이스 하나를 함께 쓸 때만 쓸 수 있어요. \
                     --database postgres://…도 함께 적어 주세요."
                }
                Lang::En => {
                    "--bus is for several servers over one database; give --database \
                     postgres://… as well"
                }
            }));
        }
        let mut lock = None;
        let log_address = match self.database.clone() {
            Some(database) => database,
            None => {
                let folder =
                    hansu_records::data_dir(self.data.clone(), std::env::var_os("HANSU_DATA"))
                        .map_err(|error| anyhow!(hansu_journal::log_error(error, lang)))?;
                std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
                let taken = FolderLock::take(&folder);
                lock = Some(taken.map_err(|why| lock_error(&folder, why, lang))?);
                LogAddress::File(hansu_records::log_file(&folder))
            }
        };
        let store = log_address.open().map_err(|error| {
            anyhow!("{}: {}", log_address.redacted(), hansu_journal::log_error(error, lang))
        })?;
        // Each connection is an open file; the usual limit is 1,024.
        let _ = rlimit::increase_nofile_limit(self.max_connections as u64 + 1_024);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let store: Arc<dyn Store> = store;
        let served = runtime.block_on(self.serve(store.clone(), bus, lang, out));
        // Reads that are still running are abandoned after 1 s; all writes are done.
        runtime.shutdown_timeout(std::time::Duration::from_secs(1));
        drop(store);
        drop(lock);
        served
    }

    async fn serve(
        self,
        store: Arc<dyn Store>,
        bus: Option<BusAddress>,
        lang: Lang,
        out: &mut impl Write,
    ) -> Result<()> {
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let everywhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let address = self
            .listen
            .unwrap_or(SocketAddr::new(if self.lan { everywhere } else { here }, self.port));
        let listener =
            hansu_server::listen(address).map_err(|error| listen_error(address, &error, lang))?;
        let certificate = match self.tls_cert.as_deref().zip(self.tls_key.as_deref()) {
            Some((certificate, key)) => {
                let read = Certificate::read(certificate, key);
                Some(Arc::new(read.map_err(|error| certificate_error(&error, lang))?))
            }
            None => None,
        };
        let scheme = if certificate.is_some() { "https" } else { "http" };
        let addresses = Addresses::new(scheme, listener.local_addr()?, self.public_url.as_deref());
        let config = Config {
            public_url: self.public_url.clone(),
            shared_url: addresses.shared.clone(),
            proxies: match (self.behind_proxy, &self.trusted_proxy[..]) {
                (true, _) => Proxies::Any,
                (false, []) => Proxies::None,
                (false, networks) => Proxies::Of(networks.to_vec()),
            },
            limits: Limits { connections: self.max_connections, ..Limits::default() },
            bus,
            certificate: certificate.clone(),
            no_worker: self.no_worker,
            page: Page(FILES),
            ..Config::default()
        };
        let server = Server::start(listener, store, config).await?;
        // Before the server is announced: without a handler a signal ends the process at once.
        let (end, fresh) = (shutdown_signal()?, reload_on_hangup(certificate.as_deref())?);
        // The server runs even if its standard output is closed.
        let _ = addresses.print(lang, out).and_then(|()| Ok(out.flush()?));
        let watchdog = Watchdog::from_environment();
        watchdog.notify("READY=1");
        // The shared address, so that links made on that page open on other devices as well.
        if self.open
            && open::that_detached(addresses.shared.as_ref().unwrap_or(&addresses.own)).is_err()
        {
            tracing::warn!("no browser could be opened");
        }
        let failure = server.failure();
        let failed = tokio::select! {
            ended = end => {
                ended?;
                false
            }
            () = failure => true,
            () = fresh => true,
            () = send_heartbeats(&watchdog, &server) => true,
        };
        watchdog.notify("STOPPING=1");
        tracing::info!("stopping");
        let kept = server.is_log_writable().await;
        server.stop().await;
        if failed {
            return Err(anyhow!(match lang {
                Lang::Ko => "서버가 제대로 돌아가지 않아 멈췄어요. 다시 시작해 주세요.",
                Lang::En => "a part of the server has failed, so it has stopped; start it again",
            }));
        }
        if !kept {
            return Err(anyhow!(match lang {
                Lang::Ko => {
                    "서버를 멈췄지만 기록 파일에 쓸 수 없었어요. 확인된 수가 기록에 있는지 살펴봐 주세요."
                }
                Lang::En => {
                    "the server has stopped, but its log could not be written at the end; check that \
                     the file of the log is where it was"
                }
            }));
        }
        let _ = writeln!(
            out,
            "{}",
            match lang {
                Lang::Ko => "서버를 멈췄어요. 모든 수는 기록에 남아 있어요.",
                Lang::En => "The server has stopped. Every move is in the log.",
            }
        );
        Ok(())
    }
}

/// The error for a folder that cannot be locked.
fn lock_error(folder: &std::path::Path, why: FolderLockError, lang: Lang) -> anyhow::Error {
    let folder = folder.display();
    match (why, lang) {
        (FolderLockError::Held(holder), Lang::Ko) => anyhow!(
            "{folder} 폴더는 다른 한수 서버(프로세스 {holder})가 쓰고 있어요. 그 서버를 멈추거나 \
             --data로 다른 폴더를 골라 주세요."
        ),
        (FolderLockError::Held(holder), Lang::En) => anyhow!(
            "another Hansu server (process {holder}) uses the folder {folder}; stop it, or choose \
             another folder with --data"
        ),
        (FolderLockError::Io(error), _) => anyhow!("{folder}: {error}"),
    }
}

/// Sends a heartbeat to the service manager while the server is well. Never returns.
async fn send_heartbeats(watchdog: &Watchdog, server: &Server) {
    let Some(interval) = watchdog.interval else { return std::future::pending().await };
    loop {
        if server.is_healthy().await {
            watchdog.notify("WATCHDOG=1");
        }
        tokio::time::sleep(interval).await;
    }
}

fn listen_error(address: SocketAddr, error: &std::io::Error, lang: Lang) -> anyhow::Error {
    match (error.kind(), lang) {
        (std::io::ErrorKind::AddrInUse, Lang::Ko) => {
            anyhow!("{address}는 이미 쓰이고 있어요. --port 8081처럼 다른 포트를 써 보세요.")
        }
        (std::io::ErrorKind::AddrInUse, Lang::En) => {
            anyhow!("{address} is in use already; try another port: --port 8081")
        }
        (_, Lang::Ko) => anyhow!("{address}에서 기다릴 수 없어요: {error}"),
        (_, Lang::En) => anyhow!("cannot listen on {address}: {error}"),
    }
}

fn certificate_error(error: &CertificateError, lang: Lang) -> anyhow::Error {
    match lang {
        Lang::Ko => anyhow!("인증서를 쓸 수 없어요. {error}"),
        Lang::En => anyhow!("the certificate cannot be used; {error}"),
    }
}

/// The addresses of the server.
struct Addresses {
    own: String,
    nearby: Vec<String>,
    /// The address in the QR code; None if only this machine can connect.
    shared: Option<String>,
}

impl Addresses {
    fn new(scheme: &str, address: SocketAddr, public: Option<&str>) -> Addresses {
        let port = address.port();
        let own = if address.ip().is_unspecified() {
            format!("{scheme}://localhost:{port}")
        } else {
            format!("{scheme}://{address}")
        };
        let mut nearby: Vec<String> = Vec::new();
        if address.ip().is_unspecified() {
            let found = hansu_server::nearby().into_iter();
            nearby = found.map(|ip| format!("{scheme}://{ip}:{port}")).collect();
        }
        let shared = public.map(str::to_owned).or_else(|| nearby.first().cloned());
        Addresses { own, nearby, shared }
    }

    fn print(&self, lang: Lang, out: &mut impl Write) -> Result<()> {
        let (here, there, hint, stop) = match lang {
            Lang::Ko => (
                "이 컴퓨터에서",
                "같은 네트워크에서",
                "이 컴퓨터에서만 열려 있어요. 다른 기기에서도 들어오게 하려면: hansu serve --lan",
                "멈추려면 Ctrl+C를 눌러 주세요.",
            ),
            Lang::En => (
                "On this machine",
                "On the local network",
                "Open to this machine alone. To let others in: hansu serve --lan",
                "Press Ctrl+C to stop.",
            ),
        };
        writeln!(out, "Hansu 한수 {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "{here}: {}", self.own)?;
        for address in &self.nearby {
            writeln!(out, "{there}: {address}")?;
        }
        match &self.shared {
            Some(shared) => {
                if !self.nearby.contains(shared) {
                    writeln!(out, "{shared}")?;
                }
                if let Ok(code) = QrCode::new(shared.as_bytes()) {
                    print_qr_code(&code, terminal::ink(), out)?;
                }
            }
            None => writeln!(out, "{hint}")?,
        }
        writeln!(out, "{stop}")?;
        Ok(())
    }
}

/// Draws a QR code, black on white whatever the terminal's colours are: some phones cannot read
/// inverted codes.
fn print_qr_code(code: &QrCode, ink: Ink, out: &mut impl Write) -> Result<()> {
    let drawn = code.render::<Dense1x2>().quiet_zone(true).build();
    for line in drawn.lines() {
        match ink {
            Ink::Colour => writeln!(out, "\x1b[30;107m{line}\x1b[0m")?,
            Ink::Plain => writeln!(out, "{line}")?,
        }
    }
    Ok(())
}

/// Reloads the certificate on each SIGHUP. The handler is installed by the call, not by the first
/// poll. The future never ends.
fn reload_on_hangup(certificate: Option<&Certificate>) -> Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut hangups = certificate.map(|_| signal(SignalKind::hangup())).transpose()?;
    Ok(async move {
        #[cfg(unix)]
        if let (Some(certificate), Some(hangups)) = (certificate, &mut hangups) {
            while hangups.recv().await.is_some() {
                match certificate.reload() {
                    Ok(()) => tracing::warn!("the certificate was read again"),
                    Err(error) => tracing::error!(%error, "the certificate stays as it was"),
                }
            }
        }
        let _ = certificate;
        std::future::pending::<()>().await;
    })
}

/// Waits for SIGINT (Ctrl+C) or SIGTERM. The handlers are installed by the call, not by the first
/// poll.
fn shutdown_signal() -> Result<impl Future<Output = Result<()>>> {
    #[cfg(unix)]
    let (mut interrupt, mut terminate) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        tokio::signal::ctrl_c().await?;
        Ok(())
    })
}

fn start_log(format: LogFormat) {
    let filter = EnvFilter::try_from_env("HANSU_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| LossyStderr)
        .log_internal_errors(false);
    // Fails only if a logger is installed already; lines then go there.
    let _ = match format {
        LogFormat::Text => log.with_target(false).try_init(),
        LogFormat::Json => log.json().try_init(),
    };
}

/// Standard error that never fails: a line that cannot be written (a full disk, a closed pipe) is
/// lost. Otherwise `tracing` would panic in the task that wrote it.
struct LossyStderr;

impl Write for LossyStderr {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = std::io::stderr().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_is_a_scheme_and_a_host() {
        assert_eq!(url("https://chess.example/").as_deref(), Ok("https://chess.example"));
        assert_eq!(url("http://192.168.0.7:8080").as_deref(), Ok("http://192.168.0.7:8080"));
        for bad in ["", "chess.example", "https://", "https://a b", "ftp://x", "https://x/y"] {
            assert!(url(bad).is_err(), "{bad:?}");
        }
    }
}
