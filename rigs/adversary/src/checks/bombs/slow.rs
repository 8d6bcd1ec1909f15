//! Slow clients: heads and bodies sent byte by byte, sockets that never send `hello`, read or
//! answer.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::json;

use super::Bystander;
use crate::http::{Http, read_response};
use crate::report::Check;
use crate::socket::{TEXT, frame, upgrade};
use crate::test_game::Seats;

/// The server must close within this time; its longest timeout is 20 s.
const LONGEST: Duration = Duration::from_secs(120);

/// The slow clients that run during the other bombs.
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
        bystander.check_progress(check, "slow senders and readers");
        Ok(())
    }
}

/// Reads until the server closes.
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

/// Sends one byte of a head a second.
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
    let answer = read_response(&mut stream)?;
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

/// Opens a websocket, sends `bytes` and nothing more.
fn silent(http: Http, path: &str, bytes: &[u8]) -> Result<()> {
    let mut stream = http.open()?;
    stream.write_all(upgrade(http, path, "", "").as_bytes())?;
    stream.write_all(bytes)?;
    until_closed(stream)
}

/// Sends many requests on one connection and reads no answers.
fn unread(http: Http) -> Result<()> {
    let mut stream = http.open()?;
    stream.set_write_timeout(Some(Duration::from_secs(1)))?;
    let ask = format!("GET /api/openapi.json HTTP/1.1\r\nHost: {}\r\n\r\n", http.0);
    let begin = Instant::now();
    // The connection is closed when writing fails for another reason than a timeout.
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
