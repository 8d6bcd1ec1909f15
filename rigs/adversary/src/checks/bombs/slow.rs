//! Those who take their time: heads and bodies that drip, sockets that greet, read or answer never.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::json;

use super::Bystander;
use crate::http::{Http, read_answer};
use crate::report::Check;
use crate::socket::{TEXT, frame, upgrade};
use crate::table::Seats;

/// How long the server may take to lose its patience: its longest is 20 s.
const LONGEST: Duration = Duration::from_secs(120);

/// Under way, beside the other bombs.
pub(super) struct Slow {
    running: Vec<(&'static str, JoinHandle<Result<()>>)>,
}

impl Slow {
    pub(super) fn begin(http: Http) -> Result<Slow> {
        let seats = Seats::make(http, ["Gil", "Han"], &json!({"visibility": "public"}))?;
        let game = seats.game.clone();
        let watch = format!("/api/games/{game}/socket");
        let mut running: Vec<(&'static str, JoinHandle<Result<()>>)> = Vec::new();
        for _ in 0..20 {
            running.push(("a head that drips", std::thread::spawn(move || drip(http))));
        }
        running.push(("a body that drips", std::thread::spawn(move || drip_body(http))));
        running.push(("a body that stops", std::thread::spawn(move || stopped_body(http))));
        let path = watch.clone();
        running.push(("no hello", std::thread::spawn(move || silent(http, &path, &[]))));
        let hello = frame(true, TEXT, br#"{"type":"hello","v":1,"seq":0,"lang":"en"}"#);
        running
            .push(("no answer to pings", std::thread::spawn(move || silent(http, &watch, &hello))));
        running.push(("an answer that is not read", std::thread::spawn(move || unread(http))));
        Ok(Slow { running })
    }

    pub(super) fn end(self, bystander: &Bystander<'_>, check: &mut Check) -> Result<()> {
        for (name, slow) in self.running {
            match slow.join() {
                Ok(Ok(())) => check.expect(true, ""),
                Ok(Err(error)) => check.fail(format!("{name}: {error:#}")),
                Err(_) => check.fail(format!("{name}: panicked")),
            }
        }
        bystander.goes_on(check, "slow senders and readers");
        Ok(())
    }
}

/// Until the server closes.
fn until_closed(mut stream: TcpStream) -> Result<()> {
    let begin = Instant::now();
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    let mut buffer = [0; 4096];
    while begin.elapsed() < LONGEST {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return Ok(()),
            _ => {}
        }
    }
    bail!("still open after {} s", LONGEST.as_secs())
}

/// One sign a second, for ever.
fn drip(http: Http) -> Result<()> {
    let mut stream = http.open()?;
    let begin = Instant::now();
    stream.write_all(b"GET / HTTP/1.1\r\nX-Slow: ")?;
    while begin.elapsed() < LONGEST {
        if stream.write_all(b"a").is_err() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    bail!("a head was awaited for {} s", LONGEST.as_secs())
}

fn posting(http: Http) -> Result<TcpStream> {
    let mut stream = http.open()?;
    let head = format!(
        "POST /api/games HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{",
        http.0
    );
    stream.write_all(head.as_bytes())?;
    stream.set_read_timeout(Some(LONGEST))?;
    Ok(stream)
}

fn is_408(mut stream: TcpStream) -> Result<()> {
    let answer = read_answer(&mut stream)?;
    if answer.status != 408 {
        bail!("{}", answer.brief());
    }
    Ok(())
}

fn stopped_body(http: Http) -> Result<()> {
    is_408(posting(http)?)
}

fn drip_body(http: Http) -> Result<()> {
    let stream = posting(http)?;
    let mut writer = stream.try_clone()?;
    std::thread::spawn(move || {
        while writer.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_secs(1));
        }
    });
    is_408(stream)
}

/// A websocket that says something or nothing, and then nothing more.
fn silent(http: Http, path: &str, bytes: &[u8]) -> Result<()> {
    let mut stream = http.open()?;
    stream.write_all(upgrade(http, path, "", "").as_bytes())?;
    stream.write_all(bytes)?;
    until_closed(stream)
}

/// Asks for much on one connection and reads nothing of it.
fn unread(http: Http) -> Result<()> {
    let mut stream = http.open()?;
    stream.set_write_timeout(Some(Duration::from_secs(1)))?;
    let ask = format!("GET /api/openapi.json HTTP/1.1\r\nHost: {}\r\n\r\n", http.0);
    let begin = Instant::now();
    // Closed when writing fails for another reason than time.
    while begin.elapsed() < LONGEST {
        match stream.write_all(ask.as_bytes()) {
            Ok(()) => {}
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) => {}
            Err(_) => return Ok(()),
        }
    }
    bail!("an answer waited for its reader for {} s", LONGEST.as_secs())
}
