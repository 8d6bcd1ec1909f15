//! Bad days: log lines that cannot be written, a missing log file, a full disk, a second server.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tempfile::TempDir;

use super::time::{clock, credits};
use crate::RunOptions;
use crate::http::{Http, TIMEOUT};
use crate::program::{Server, Start, Stderr, command};
use crate::report::Check;
use crate::test_game::Seats;

/// Runs all of them.
pub(super) fn days(options: &RunOptions, check: &mut Check) -> Result<()> {
    if Path::new("/dev/full").exists() {
        unwritable(options, Stderr::File("/dev/full".into()), "stderr is full", check)?;
    }
    unwritable(options, Stderr::ClosedPipe, "stderr is closed", check)?;
    missing(options, "removed", |file| Ok(fs::remove_file(file)?), check)?;
    missing(options, "replaced", replace, check)?;
    missing(
        options,
        "folder removed",
        |file| Ok(fs::remove_dir_all(file.parent().context("a folder")?)?),
        check,
    )?;
    second(options, check)?;
    full(options, check)
}

/// The server goes on when its log lines cannot be written.
fn unwritable(options: &RunOptions, stderr: Stderr, name: &str, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let start = Start { stderr, log: "debug", ..Start::over(folder.path()) };
    let mut server = Server::start(&options.binary, start)?;
    let http = server.http();
    let seats = Seats::make(http, ["Anna", "Ben"], &json!({}))?;
    seats.play(http, "e2e4 e7e5 g1f3 b8c6")?;
    check.expect(http.is_ready(), format!("{name}: not ready"));
    let socket = crate::socket::Socket::enter(http, &seats.game, &seats.white, 0)?;
    let answer = socket.command("more", &json!({"type": "move", "uci": "f1b5"}))?;
    check.expect(answer["type"] == "ack", format!("{name}: {answer}"));
    let status = server.stop()?;
    check.expect(status.success(), format!("{name}: SIGTERM ends it with {status}"));
    Ok(())
}

fn replace(file: &Path) -> Result<()> {
    let other = file.with_extension("copy");
    fs::copy(file, &other)?;
    Ok(fs::rename(other, file)?)
}

/// When the log file is gone, the server refuses all writes and reports it.
fn missing(
    options: &RunOptions,
    name: &str,
    take: fn(&Path) -> Result<()>,
    check: &mut Check,
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    fs::create_dir(&data)?;
    let mut server = Server::start(&options.binary, Start::over(&data))?;
    let http = server.http();
    let seats = Seats::make(http, ["Anna", "Ben"], &json!({}))?;
    seats.play(http, "e2e4 e7e5")?;
    take(&data.join("games.db"))?;
    let answer =
        seats.command(http, &seats.white, "gone", &json!({"type": "move", "uci": "g1f3"}))?;
    check.expect(answer.status == 503, format!("{name}: a move: {}", answer.brief()));
    check.expect(wait_for_readiness(http, false), format!("{name}: still ready"));
    let made = http.post(
        "/api/games",
        &seats.white,
        &json!({"with": "local", "name": "A", "other": "B"}),
    )?;
    check.expect(made.status == 503, format!("{name}: a new game: {}", made.brief()));
    check.expect(
        server.is_running() && http.get("/healthz", "")?.status == 200,
        format!("{name}: not there"),
    );
    let status = server.stop()?;
    check.expect(!status.success(), format!("{name}: it ends as if all were well"));
    Ok(())
}

/// Waits until `/readyz` is as wanted; returns false at the timeout.
fn wait_for_readiness(http: Http, ready: bool) -> bool {
    let end = Instant::now() + TIMEOUT;
    while Instant::now() < end {
        if http.is_ready() == ready {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

/// A second server over the same folder ends at once and names the process that holds it.
fn second(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&options.binary, Start::over(folder.path()))?;
    let holder = server.pid()?.as_raw_nonzero().to_string();
    for _ in 0..2 {
        let refused = command(&options.binary)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder.path())
            .output()?;
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        check.expect(!refused.status.success(), "a second server over one folder");
        check.expect(said.contains(&holder), format!("the holder {holder} is not named: {said}"));
        check.expect(server.http().is_ready(), "the first suffers from the second");
        // A killed server does not hold the folder any more.
        server.kill()?;
        server.restart().context("after a kill")?;
        if server.pid()?.as_raw_nonzero().to_string() != holder {
            break;
        }
    }
    Ok(())
}

/// A file system that can be filled: a small tmpfs where mounting is allowed, otherwise a limit on
/// file sizes.
struct Disk {
    folder: TempDir,
    mounted: bool,
}

impl Disk {
    fn new() -> Result<Disk> {
        let folder = tempfile::tempdir()?;
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=8m", "tmpfs"])
            .arg(folder.path())
            .output();
        let mounted = mount.is_ok_and(|done| done.status.success());
        Ok(Disk { folder, mounted })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Uses up the free space, or forbids the server's files to grow.
    fn fill(&self, server: &Server) -> Result<()> {
        if !self.mounted {
            return limit(server, Some(1));
        }
        use std::io::Write as _;
        let mut ballast = fs::File::create(self.path().join("ballast"))?;
        for size in [64 * 1024, 512, 1] {
            while ballast.write_all(&vec![0; size]).is_ok() {}
        }
        Ok(())
    }

    fn empty(&self, server: &Server) -> Result<()> {
        if !self.mounted {
            return limit(server, None);
        }
        Ok(fs::remove_file(self.path().join("ballast"))?)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.mounted {
            let _ = Command::new("umount").arg("-l").arg(self.path()).output();
        }
    }
}

#[cfg(target_os = "linux")]
fn limit(server: &Server, most: Option<u64>) -> Result<()> {
    use rustix::process::{Resource, Rlimit, prlimit};
    prlimit(Some(server.pid()?), Resource::Fsize, Rlimit { current: most, maximum: None })?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn limit(_: &Server, _: Option<u64>) -> Result<()> {
    anyhow::bail!("a full disk cannot be arranged here")
}

/// On a full disk moves are refused, not lost, and the clock gets the time back.
fn full(options: &RunOptions, check: &mut Check) -> Result<()> {
    let disk = Disk::new()?;
    check.note(if disk.mounted { "disk: tmpfs" } else { "disk: limit on file sizes" });
    let data = disk.path().join("data");
    fs::create_dir(&data)?;
    let start = Start { survives_limits: true, ..Start::over(&data) };
    let mut server = Server::start(&options.binary, start)?;
    let http = server.http();
    // In the long run the disk is full for longer than White's time.
    let (millis, outage) = if options.long { (20_000, 21_500) } else { (120_000, 3_000) };
    let timed = Seats::make(http, ["Anna", "Ben"], &clock(millis))?;
    let calm = Seats::make(http, ["Cho", "Dan"], &json!({}))?;
    calm.play(http, "e2e4 e7e5 g1f3")?;
    timed.play(http, "e2e4 e7e5")?;
    disk.fill(&server)?;
    let begin = Instant::now();
    let mut refusals = 0;
    // The log may have a little room left: acknowledged moves are counted.
    let pairs = ["b8c6", "f1b5", "a7a6", "b5a4"];
    let mut promised = 3;
    while begin.elapsed() < Duration::from_millis(outage) {
        let next = pairs.get(promised - 3).copied().unwrap_or("g8f6");
        let key = if promised % 2 == 0 { &calm.white } else { &calm.black };
        let answer = calm.command(
            http,
            key,
            &format!("full{promised}"),
            &json!({"type": "move", "uci": next}),
        )?;
        match answer.status {
            200 => promised += 1,
            503 => refusals += 1,
            _ => check.fail(format!("a full disk: {}", answer.brief())),
        }
        ensure!(promised < 7, "the disk is not full");
        std::thread::sleep(Duration::from_millis(100));
    }
    check.expect(refusals > 0, "nothing was refused");
    check.expect(wait_for_readiness(http, false), "ready with a full disk");
    disk.empty(&server)?;
    check.expect(wait_for_readiness(http, true), "not ready after there was room again");
    let answer =
        timed.command(http, &timed.white, "after", &json!({"type": "move", "uci": "g1f3"}))?;
    check.expect(answer.status == 200, format!("a move after the full disk: {}", answer.brief()));
    let credited = credits(http, &timed)?;
    check.expect(credited >= outage / 2, format!("{credited} ms given back of {outage}"));
    for again in [false, true] {
        if again {
            server.kill()?;
            server.restart()?;
        }
        let plies = calm.state(http)?["plies"].as_array().map_or(0, Vec::len);
        check.expect(plies == promised, format!("{promised} moves acknowledged, {plies} there"));
    }
    check.note(format!("{refusals} moves refused for want of room, {credited} ms given back"));
    Ok(())
}
