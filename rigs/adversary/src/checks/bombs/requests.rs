//! Requests that are too large, broken, forged, or not HTTP at all.

use std::io::Write as _;

use anyhow::Result;
use serde_json::json;

use super::Bystander;
use crate::http::{Http, read_response};
use crate::report::Check;

/// A bad request with the allowed statuses; with `may_close` the connection may also be closed
/// without an answer.
struct Bomb {
    name: &'static str,
    bytes: Vec<u8>,
    statuses: &'static [u16],
    may_close: bool,
}

/// Sends all requests, one after the other.
pub(super) fn requests(http: Http, bystander: &Bystander<'_>, check: &mut Check) -> Result<()> {
    let key = http.key()?;
    for bomb in heads(http).into_iter().chain(bodies(http, &key)) {
        match http.raw(&bomb.bytes) {
            Ok(answer) => {
                let right = bomb.statuses.contains(&answer.status);
                check.expect(right, format!("{}: {}", bomb.name, answer.brief()));
            }
            Err(error) => check.expect(bomb.may_close, format!("{}: {error:#}", bomb.name)),
        }
        bystander.check_progress(check, bomb.name);
    }
    endless(http, check)?;
    bystander.check_progress(check, "an endless body");
    many(http, check)?;
    bystander.check_progress(check, "200 connections that say nothing");
    Ok(())
}

fn heads(http: Http) -> Vec<Bomb> {
    let host = http.0;
    let bomb = |name, text: String, statuses| Bomb {
        name,
        bytes: text.into_bytes(),
        statuses,
        may_close: false,
    };
    let torn = |name, bytes: Vec<u8>| Bomb {
        name,
        bytes,
        statuses: &[400, 404, 405, 414, 431, 505],
        may_close: true,
    };
    let get = |more: &str| format!("GET /api/me HTTP/1.1\r\n{more}Connection: close\r\n\r\n");
    let own = format!("Host: {host}\r\n");
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: aGFuc3UgYWR2ZXJzYXJ5IQ==\r\n";
    let lobby = |more: &str| format!("GET /api/lobby/socket HTTP/1.1\r\n{own}{more}\r\n");
    vec![
        torn(
            "a head of a megabyte",
            get(&format!("{own}X-Long: {}\r\n", "a".repeat(1 << 20))).into_bytes(),
        ),
        torn("10,000 headers", get(&format!("{own}{}", "X-A: b\r\n".repeat(10_000))).into_bytes()),
        torn(
            "an address of 100,000 signs",
            format!("GET /{} HTTP/1.1\r\n{own}\r\n", "a".repeat(100_000)).into_bytes(),
        ),
        torn("bytes that are no request", (0..=255).cycle().take(20_000).collect()),
        torn("a greeting in TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n".to_vec()),
        torn("HTTP/2 without asking", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec()),
        torn("HTTP/9.9", format!("GET / HTTP/9.9\r\n{own}\r\n").into_bytes()),
        torn("zeros in an address", b"GET /\0\0 HTTP/1.1\r\nHost: x\r\n\r\n".to_vec()),
        torn("a header without a name", get(&format!("{own}: nameless\r\n")).into_bytes()),
        bomb(
            "a path upwards",
            format!("GET /../../etc/passwd HTTP/1.1\r\n{own}Connection: close\r\n\r\n"),
            &[400, 404],
        ),
        bomb(
            "a path upwards in disguise",
            format!("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n{own}Connection: close\r\n\r\n"),
            &[400, 404],
        ),
        bomb(
            "a broken escape",
            format!("GET /api/games/%ff%fe%zz HTTP/1.1\r\n{own}Connection: close\r\n\r\n"),
            &[400, 404],
        ),
        bomb("no host", get(""), &[400, 421]),
        bomb("two hosts", get(&format!("{own}Host: evil.example\r\n")), &[400, 421]),
        bomb("a foreign host", get("Host: evil.example\r\n"), &[421]),
        bomb(
            "a host by DNS rebinding",
            get(&format!("Host: rebind.evil.example:{}\r\n", host.port())),
            &[421],
        ),
        bomb("a host like ours", get("Host: localhost.evil.example\r\n"), &[421]),
        bomb("a host like our address", get("Host: 127.0.0.1.evil.example\r\n"), &[421]),
        bomb("an empty host", get("Host: \r\n"), &[400, 421]),
        bomb("a websocket without its headers", lobby("Connection: close\r\n"), &[400, 426]),
        bomb(
            "half of a websocket's headers",
            lobby("Upgrade: websocket\r\nConnection: close\r\n"),
            &[400, 426],
        ),
        bomb("a websocket of version 7", lobby(&upgrade.replace("13", "7")), &[400, 426]),
        bomb(
            "a websocket of a foreign page",
            lobby(&format!("{upgrade}Origin: http://evil.example\r\n")),
            &[403],
        ),
        bomb("a websocket of no page", lobby(&format!("{upgrade}Origin: null\r\n")), &[403]),
        bomb("a websocket by another method", lobby(upgrade).replace("GET", "POST"), &[400, 405]),
    ]
}

fn bodies(http: Http, key: &str) -> Vec<Bomb> {
    let host = http.0;
    let post = |name, more: &str, body: Vec<u8>, statuses| {
        let length = if more.contains("Length") || more.contains("chunked") {
            String::new()
        } else {
            format!("Content-Length: {}\r\n", body.len())
        };
        let head = format!(
            "POST /api/games HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n{length}{more}\r\n"
        );
        Bomb { name, bytes: [head.into_bytes(), body].concat(), statuses, may_close: false }
    };
    let game = json!({"with": "local", "name": "Anna", "other": "Ben"}).to_string();
    let mut all = vec![
        post("a gigabyte announced", "Content-Length: 1000000000\r\n", vec![], &[413]),
        post("an absurd length", "Content-Length: 99999999999999999999999\r\n", vec![], &[400, 413]),
        post("a negative length", "Content-Length: -5\r\n", vec![], &[400]),
        post("five megabytes", "", vec![b' '; 5 << 20], &[413]),
        post("deep JSON", "", [b"{\"with\":".to_vec(), vec![b'['; 60_000]].concat(), &[400, 422]),
        post("JSON without an end", "", b"{\"with\":\"local\"".to_vec(), &[400, 422]),
        post("wrong UTF-8", "", b"{\"with\":\"local\",\"name\":\"\xff\xfe\xc0\x80\"}".to_vec(), &[400, 422]),
        post("half of a surrogate pair", "", br#"{"with":"local","name":"\ud800"}"#.to_vec(), &[400, 422]),
        post("a number for a name", "", br#"{"with":"local","name":1e400}"#.to_vec(), &[400, 422]),
        post("an unknown opponent", "", br#"{"with":"everybody"}"#.to_vec(), &[400, 422]),
        post("an absurd clock", "", br#"{"with":"local","time":{"kind":"clock","stages":[{"time":-1,"bonus":{"increment":99999999999999999999}}]}}"#.to_vec(), &[400, 422]),
        post("a clock of a thousand stages", "", format!(r#"{{"with":"local","time":{{"kind":"clock","stages":[{}]}}}}"#, vec![r#"{"moves":1,"time":1000,"bonus":{"increment":0}}"#; 1_000].join(",")).into_bytes(), &[400, 422]),
        post("a position without kings", "", br#"{"with":"local","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}"#.to_vec(), &[400, 422]),
        post("length and chunks at once", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\nGET /api/me HTTP/1.1\r\nHost: smuggled\r\n\r\n".to_vec(), &[400, 422]),
        post("two lengths", &format!("Content-Length: {}\r\nContent-Length: 5\r\n", game.len()), game.clone().into_bytes(), &[400]),
        post("a chunk of an absurd size", "Transfer-Encoding: chunked\r\n", b"ffffffffffffffffff\r\nx\r\n".to_vec(), &[400]),
        post("a body of a foreign page", "Origin: http://evil.example\r\n", game.clone().into_bytes(), &[403]),
        post("a cookie without an origin", "Cookie: hansu=00000000000000000000000000000000\r\n", game.into_bytes(), &[403]),
    ];
    for bomb in &mut all {
        // A request that cannot be parsed may be cut off; any other is answered.
        bomb.may_close = matches!(
            bomb.name,
            "an absurd length" | "a negative length" | "two lengths" | "a chunk of an absurd size"
        );
    }
    all
}

/// A chunked body that never ends is cut off.
fn endless(http: Http, check: &mut Check) -> Result<()> {
    let mut stream = http.open()?;
    let head = format!(
        "POST /api/games HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        http.0
    );
    stream.write_all(head.as_bytes())?;
    let chunk = [b"4000\r\n".to_vec(), vec![b' '; 0x4000], b"\r\n".to_vec()].concat();
    let mut sent = 0_u64;
    while sent < 64 << 20 && stream.write_all(&chunk).is_ok() {
        sent += 0x4000;
    }
    check.expect(sent < 64 << 20, "64 MB of an endless body were taken");
    if let Ok(answer) = read_response(&mut stream) {
        check.expect(answer.status == 413, format!("an endless body: {}", answer.brief()));
    }
    Ok(())
}

/// Connections that send nothing do not delay others.
fn many(http: Http, check: &mut Check) -> Result<()> {
    let open: Result<Vec<_>> = (0..200).map(|_| http.open()).collect();
    let open = open?;
    let answer = http.get("/api/me", "")?;
    check.expect(
        answer.status == 200,
        format!("beside {} silent connections: {}", open.len(), answer.brief()),
    );
    Ok(())
}
