//! `hansu invite` and `hansu join` as processes: two terminals at a real server.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use hansu_ground::Authority;
use hansu_ground::process::Process;

use crate::HANSU;

/// Timeout for expected output.
const LIMIT: Duration = Duration::from_secs(60);

/// A process with pipes for its input and output.
struct Terminal {
    child: Child,
    lines: Receiver<String>,
    /// All output so far, for the messages of failed tests.
    shown: Vec<String>,
}

impl Terminal {
    fn open(args: &[&str], data: &Path) -> Terminal {
        Terminal::trusting(None, args, data)
    }

    /// Starts a process that trusts the root certificate in a file.
    fn trusting(authority: Option<&Path>, args: &[&str], data: &Path) -> Terminal {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hansu"))
            .args(args)
            .args(["--lang", "en", "--data"])
            .arg(data)
            .envs(authority.map(|file| ("SSL_CERT_FILE", file)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("hansu");
        let output = BufReader::new(child.stdout.take().expect("output"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Terminal { child, lines, shown: Vec::new() }
    }

    fn invite(server: &Process, data: &Path) -> (Terminal, String) {
        let address = format!("http://{}", server.at);
        let args = ["invite", &address, "--name", "Mina", "--color", "white"];
        let mut terminal = Terminal::open(&args, data);
        let line = terminal.expect("/join/");
        let link = line.split(' ').next_back().expect("a link").to_owned();
        (terminal, link)
    }

    fn join(link: &str, data: &Path) -> Terminal {
        Terminal::open(&["join", link, "--name", "Jun"], data)
    }

    /// Waits for a line with this text, and returns it.
    fn expect(&mut self, text: &str) -> String {
        let until = Instant::now() + LIMIT;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("no {text:?} came; shown: {:#?}", self.shown)
            };
            self.shown.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.child.stdin.as_mut().expect("input");
        input.write_all(bytes).and_then(|()| input.flush()).expect("a terminal that reads");
    }

    fn say(&mut self, text: &str) {
        self.write(format!("{text}\n").as_bytes());
    }

    fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }

    /// Quits, and waits for the end of the process.
    fn quit(mut self) {
        self.say("quit");
        let until = Instant::now() + LIMIT;
        let status = loop {
            match self.child.try_wait().expect("a status") {
                Some(status) => break status,
                None => assert!(Instant::now() < until, "it does not quit"),
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        assert!(status.success(), "{status}");
    }
}

/// Kills the process of a failed test.
impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folders() -> [tempfile::TempDir; 3] {
    [(); 3].map(|()| tempfile::tempdir().expect("a folder"))
}

#[test]
fn two_terminals_play_with_offers_and_one_is_closed_and_opened_again() {
    let [log, one, two] = folders();
    let server = Process::start(HANSU, log.path(), "warn");
    let (mut mina, link) = Terminal::invite(&server, one.path());
    let back = mina.expect("come back with: hansu join");
    let game = back.split(' ').next_back().expect("a link").to_owned();
    mina.expect("Waiting for the other player.");
    let mut jun = Terminal::join(&link, two.path());
    mina.expect("You play White.");
    mina.expect("White to move.");
    jun.expect("You play Black.");
    jun.expect("White to move.");

    // An offer lapses when the other side moves.
    jun.say("draw");
    jun.expect("Offered: draw.");
    mina.expect("The other side offers: draw.");
    mina.say("e2 e4");
    mina.expect("Black to move.");
    jun.expect("Black to move.");
    mina.say("accept");
    mina.expect("Nothing is on offer.");
    jun.say("e7 e5");
    mina.expect("White to move.");
    jun.expect("White to move.");

    // A terminal that was killed finds its seat with the link to the game.
    mina.kill();
    let mut mina = Terminal::open(&["join", &game], one.path());
    mina.expect("You play White.");
    mina.expect("White to move.");
    mina.say("g1 f3");
    mina.expect("Black to move.");
    jun.expect("Black to move.");
    jun.say("b8 c6");
    jun.expect("White to move.");
    mina.expect("White to move.");

    // The other finds it with the invitation, and sees an offer that was made meanwhile.
    jun.kill();
    mina.say("draw");
    mina.expect("Offered: draw.");
    let mut jun = Terminal::join(&link, two.path());
    jun.expect("You play Black.");
    jun.expect("White to move.");
    jun.expect("The other side offers: draw.");
    jun.say("accept");
    for terminal in [&mut mina, &mut jun] {
        terminal.expect("agreement");
        terminal.expect("2. Nf3\tNc6");
        terminal.expect("1/2-1/2");
        terminal.expect("rematch / quit");
    }

    // A rematch leads both to the next game, with the other colours.
    jun.say("rematch");
    mina.expect("The other side offers: rematch.");
    mina.say("accept");
    mina.expect("You play Black.");
    jun.expect("You play White.");
    mina.quit();
    jun.quit();
}

#[test]
fn a_key_is_kept_once_for_each_server_and_for_its_user_only() {
    let [log, data, _] = folders();
    let server = Process::start(HANSU, log.path(), "warn");
    let name = server.at.to_string().replace(':', "_");
    let file = data.path().join("seats").join(name).join("key");
    let mut keys = Vec::new();
    for _ in 0..2 {
        let (mut terminal, _) = Terminal::invite(&server, data.path());
        terminal.expect("Waiting for the other player.");
        terminal.quit();
        keys.push(std::fs::read_to_string(&file).expect("a kept key"));
    }
    assert_eq!(keys[0], keys[1]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn two_terminals_of_one_user_play_against_each_other() {
    let [log, data, _] = folders();
    let server = Process::start(HANSU, log.path(), "warn");
    let (mut mina, link) = Terminal::invite(&server, data.path());
    let mut jun = Terminal::join(&link, data.path());
    mina.expect("You play White.");
    jun.expect("You play Black.");
    jun.kill();
    let mut jun = Terminal::join(&link, data.path());
    jun.expect("You play Black.");
    mina.say("e2 e4");
    jun.expect("Black to move.");
    mina.quit();
    jun.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_line_at_a_server_takes_no_memory() {
    /// In bytes: far more memory than the program uses without the line.
    const LINE: usize = 256 << 20;
    let [log, data, _] = folders();
    let server = Process::start(HANSU, log.path(), "warn");
    let (mut terminal, _) = Terminal::invite(&server, data.path());
    terminal.expect("Waiting for the other player.");
    let part = vec![b'x'; 1 << 20];
    for _ in 0..LINE / part.len() {
        terminal.write(&part);
    }
    terminal.say("");
    terminal.expect("A move is 'e2 e4'.");
    let status = std::fs::read_to_string(format!("/proc/{}/status", terminal.child.id()));
    let status = status.expect("a process");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its memory");
    let kilobytes: usize = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kilobytes * 1024 < LINE / 2, "{kilobytes} kB");
    terminal.quit();
}

#[test]
fn terminals_meet_over_tls_where_they_trust_the_server() {
    let [log, one, two] = folders();
    let authority = Authority::new().expect("an authority");
    let files = authority.certify("localhost", log.path()).expect("a certificate");
    let trusted = log.path().join("authority.pem");
    std::fs::write(&trusted, authority.pem()).expect("a file");
    let server = crate::tls::start(log.path(), &files);
    let address = format!("https://localhost:{}", server.at.port());
    let invite = ["invite", &address, "--name", "Mina", "--color", "white"];

    let stranger = Command::new(env!("CARGO_BIN_EXE_hansu"))
        .args(invite)
        .args(["--lang", "en", "--data"])
        .arg(one.path())
        .env_remove("SSL_CERT_FILE")
        .output()
        .expect("hansu");
    let said = String::from_utf8_lossy(&stranger.stderr);
    assert!(
        !stranger.status.success() && said.contains("does not trust the certificate"),
        "{said}"
    );

    let mut mina = Terminal::trusting(Some(&trusted), &invite, one.path());
    let line = mina.expect("/join/");
    let link = line.split(' ').next_back().expect("a link").to_owned();
    assert!(link.starts_with("https://"), "{link}");
    // A key received over TLS is stored apart: it is never sent without TLS.
    let kept: Vec<_> = std::fs::read_dir(one.path().join("seats")).expect("keys").collect();
    let names = kept.iter().map(|entry| entry.as_ref().expect("an entry").file_name());
    assert_eq!(names.collect::<Vec<_>>(), [&*format!("https_localhost_{}", server.at.port())]);
    let token = link.rsplit('/').next().expect("a token");
    let link = format!("{address}/join/{token}");
    let mut jun = Terminal::trusting(Some(&trusted), &["join", &link, "--name", "Jun"], two.path());
    mina.expect("White to move.");
    jun.expect("White to move.");
    let moves = ["e2 e4", "e7 e5", "g1 f3", "b8 c6", "f1 b5", "a7 a6"];
    for (place, step) in moves.into_iter().enumerate() {
        let to_move = if place % 2 == 0 { "Black to move." } else { "White to move." };
        if place % 2 == 0 {
            mina.say(step);
        } else {
            jun.say(step);
        }
        mina.expect(to_move);
        jun.expect(to_move);
    }
    mina.quit();
    jun.quit();
}
