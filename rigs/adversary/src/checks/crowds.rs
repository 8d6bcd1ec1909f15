//! A school class behind one address, and clients that pretend to have many addresses.

use std::io::Write as _;
use std::sync::Barrier;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::json;

use crate::RunOptions;
use crate::http::{Http, read_response};
use crate::program::{Server, Start};
use crate::report::Check;
use crate::socket::upgrade;

/// The size of the class.
const PUPILS: usize = 35;
/// Keys, games and invitations that an address may create at once; then one a second.
const MAKING: u64 = 300;
/// The limit on websockets per address.
const SOCKETS: usize = 1_000;

/// A class of pupils, the limits per address, and forged addresses.
pub(super) fn crowds(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    // With --behind-proxy the client chooses its address; direct requests of this machine are not
    // limited.
    let server =
        Server::start(&options.binary, Start::over(folder.path()).with(&["--behind-proxy"]))?;
    let http = server.http();
    class(http, check)?;
    limits(http, check)?;
    rubbish(http, check)?;
    if options.long {
        sockets(http, check)?;
    }
    check.expect(http.is_ready(), "not ready after the crowds");
    Ok(())
}

/// 35 pupils open the page and start games at the same moment; none of them is refused.
fn class(http: Http, check: &mut Check) -> Result<()> {
    let page = http.get("/", "")?.text();
    let files: Vec<String> = page
        .split(['"', '\''])
        .filter(|word| word.starts_with('/') && word.contains('.') && !word.starts_with("//"))
        .map(str::to_owned)
        .collect();
    check.expect(!files.is_empty(), "the page names no files");
    let barrier = Barrier::new(PUPILS);
    let statuses = std::thread::scope(|scope| {
        let pupils: Vec<_> = (0..PUPILS)
            .map(|_| {
                scope.spawn(|| {
                    barrier.wait();
                    pupil(http, &files)
                })
            })
            .collect();
        pupils.into_iter().map(std::thread::ScopedJoinHandle::join).collect::<Vec<_>>()
    });
    let mut asked = 0;
    for pupil in statuses {
        match pupil {
            Ok(Ok(statuses)) => {
                asked += statuses.len();
                let refused: Vec<_> =
                    statuses.iter().filter(|(_, status)| *status >= 400).collect();
                check.expect(refused.is_empty(), format!("a pupil was refused: {refused:?}"));
            }
            Ok(Err(error)) => check.fail(format!("a pupil: {error:#}")),
            Err(_) => check.fail("a pupil panicked"),
        }
    }
    check.note(format!("{asked} requests of a class of {PUPILS}"));
    Ok(())
}

fn pupil(http: Http, files: &[String]) -> Result<Vec<(String, u16)>> {
    let school = ("X-Forwarded-For", "203.0.113.7");
    let mut statuses = Vec::new();
    let mut ask = |method: &str,
                   path: &str,
                   headers: &[(&str, &str)],
                   body: Option<&[u8]>|
     -> Result<String> {
        let headers: Vec<_> = headers.iter().copied().chain([school]).collect();
        let answer = http.send(method, path, &headers, body)?;
        statuses.push((path.to_owned(), answer.status));
        let json = answer.json();
        Ok(json["key"].as_str().or(json["game"].as_str()).unwrap_or_default().to_owned())
    };
    ask("GET", "/", &[], None)?;
    for file in files {
        ask("GET", file, &[], None)?;
    }
    let key = ask("POST", "/api/keys", &[], None)?;
    let bearer = format!("Bearer {key}");
    let known = ("Authorization", bearer.as_str());
    ask("GET", "/api/me", &[known], None)?;
    ask("GET", "/api/lobby", &[known], None)?;
    let wish = json!({"with": "friend", "name": "Anna"}).to_string();
    let game = ask(
        "POST",
        "/api/games",
        &[known, ("Content-Type", "application/json")],
        Some(wish.as_bytes()),
    )?;
    ask("GET", &format!("/api/games/{game}/state"), &[known], None)?;
    let mut stream = http.open()?;
    let more = "X-Forwarded-For: 203.0.113.7\r\n";
    stream.write_all(upgrade(http, &format!("/api/games/{game}/socket"), &key, more).as_bytes())?;
    let status = read_response(&mut stream)?.status;
    statuses.push(("a websocket".to_owned(), status));
    Ok(statuses)
}

/// Requests `count` keys; returns how many were given, and the seconds this took, rounded up.
fn keys(
    http: Http,
    count: usize,
    address: impl Fn(usize) -> String,
    check: &mut Check,
) -> Result<(u64, u64)> {
    let begin = Instant::now();
    let mut given = 0;
    let mut stream = http.open()?;
    for number in 0..count {
        let head = format!(
            "POST /api/keys HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\n{}\r\n",
            http.0,
            address(number)
        );
        stream.write_all(head.as_bytes())?;
        let answer = read_response(&mut stream)?;
        match answer.status {
            201 => given += 1,
            429 => {
                let waits = answer.header("retry-after").and_then(|text| text.parse::<u64>().ok());
                check.expect(waits.is_some_and(|waits| waits > 0), "429 without a time to wait");
            }
            _ => check.fail(format!("a key: {}", answer.brief())),
        }
        if answer.header("connection") == Some("close") {
            stream = http.open()?;
        }
    }
    Ok((given, begin.elapsed().as_secs() + 1))
}

/// An address that requests too many keys is refused, but still gets the page.
fn limits(http: Http, check: &mut Check) -> Result<()> {
    let (given, seconds) =
        keys(http, 400, |_| "X-Forwarded-For: 203.0.113.8\r\n".to_owned(), check)?;
    check.expect(given >= MAKING, format!("only {given} keys for one address"));
    check.expect(given <= MAKING + seconds, format!("{given} keys in {seconds} s for one address"));
    let address = ("X-Forwarded-For", "203.0.113.8");
    for path in ["/", "/api/me"] {
        let answer = http.send("GET", path, &[address], None)?;
        check.expect(
            answer.status == 200,
            format!("{path} after too many keys: {}", answer.brief()),
        );
    }
    let answer = http.send("POST", "/api/keys", &[("X-Forwarded-For", "203.0.113.99")], None)?;
    check.expect(answer.status == 201, format!("a neighbour's key: {}", answer.brief()));
    Ok(())
}

/// The limit also holds for forged and malformed `X-Forwarded-For` headers.
fn rubbish(http: Http, check: &mut Check) -> Result<()> {
    type Write = fn(usize) -> String;
    let ways: [(&str, Write); 9] = [
        ("with ports", |number| format!("X-Forwarded-For: 198.51.100.1:{}\r\n", 1024 + number)),
        ("IPv6 in brackets with ports", |number| {
            format!("X-Forwarded-For: [2001:db8::1]:{}\r\n", 1024 + number)
        }),
        ("one /64", |number| format!("X-Forwarded-For: 2001:db8:0:7::{number:x}\r\n")),
        ("rubbish", |number| format!("X-Forwarded-For: rubbish{number}\r\n")),
        ("no addresses", |number| format!("X-Forwarded-For: 999.1.1.{number}\r\n")),
        ("empty", |_| "X-Forwarded-For: \r\n".to_owned()),
        ("bytes", |number| format!("X-Forwarded-For: \u{e9}{number}\r\n")),
        ("forged before the proxy's", |number| {
            format!("X-Forwarded-For: 10.1.{}.{}, 198.51.100.2\r\n", number / 250, number % 250)
        }),
        ("two headers", |number| {
            format!(
                "X-Forwarded-For: 10.2.{}.{}\r\nX-Forwarded-For: 198.51.100.3\r\n",
                number / 250,
                number % 250
            )
        }),
    ];
    for (name, way) in ways {
        let (given, seconds) = keys(http, 400, way, check)?;
        check.expect(given <= MAKING + seconds, format!("{name}: {given} keys in {seconds} s"));
    }
    Ok(())
}

/// The limit on connections per address; another address can still connect.
fn sockets(http: Http, check: &mut Check) -> Result<()> {
    let mut open = Vec::new();
    let mut refused = 0;
    let enter = |address: &str| -> Result<(std::net::TcpStream, u16)> {
        let mut stream = http.open()?;
        let more = format!("X-Forwarded-For: {address}\r\n");
        stream.write_all(upgrade(http, "/api/lobby/socket", "", &more).as_bytes())?;
        let status = read_response(&mut stream)?.status;
        Ok((stream, status))
    };
    while open.len() + refused < SOCKETS + 50 {
        let (mut stream, status) = enter("203.0.113.20")?;
        if status == 101 {
            // Sends `hello`, so that the connection stays open.
            let hello = br#"{"type":"hello","v":1,"lang":"en"}"#;
            stream.write_all(&crate::socket::frame(true, crate::socket::TEXT, hello))?;
            open.push(stream);
        } else {
            ensure!(matches!(status, 429 | 503), "a websocket: {status}");
            refused += 1;
        }
    }
    check.expect(open.len() <= SOCKETS, format!("{} websockets of one address", open.len()));
    check.expect(enter("203.0.113.21")?.1 == 101, "a neighbour does not get in");
    check.note(format!("{} websockets of one address, {refused} refused", open.len()));
    Ok(())
}
