//! Bad requests: each gets a clear answer, and the server goes on.

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use hyper::{Method, StatusCode};

use super::Others;
use crate::api::ApiClient;
use crate::frames::RawConnection;
use crate::opening;

/// A request and the allowed statuses. 0 means that the connection is closed without an answer,
/// which is all that a client understands that does not speak HTTP/1.
struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    may: &'static [u16],
}

/// A request as bytes.
fn request(line: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{line}\r\nHost: localhost\r\nConnection: close\r\n").into_bytes();
    for header in headers {
        bytes.extend(format!("{header}\r\n").bytes());
    }
    bytes.extend(b"\r\n");
    bytes.extend(body);
    bytes
}

/// A request with a JSON body.
fn json(path: &str, body: &[u8]) -> Vec<u8> {
    let length = format!("Content-Length: {}", body.len());
    request(&format!("POST {path} HTTP/1.1"), &["Content-Type: application/json", &length], body)
}

fn cases(game: &str) -> Vec<Case> {
    let get = |path: &str| request(&format!("GET {path} HTTP/1.1"), &[], b"");
    let new = "/api/games";
    let commands = format!("/api/games/{game}/commands");
    let case = |name, bytes, may| Case { name, bytes, may };
    const NOT_FOUND: &[u16] = &[400, 404];
    const BAD: &[u16] = &[400];
    const LARGE: &[u16] = &[413];
    let nested = [b"[".repeat(30_000), b"]".repeat(30_000)].concat();
    let nested_field = [
        br#"{"with":"friend","time":"#.to_vec(),
        br#"{"a":"#.repeat(6_000),
        b"1".to_vec(),
        b"}".repeat(6_001),
    ]
    .concat();
    let huge = vec![b' '; 65 * 1024];
    let long_name = format!(r#"{{"with":"friend","name":"{}"}}"#, "a".repeat(60_000));
    let long_fen = format!(r#"{{"with":"local","fen":"{}"}}"#, "8/".repeat(20_000));
    vec![
        case("traversal", get("/../../../../etc/passwd"), NOT_FOUND),
        case("traversal, encoded", get("/%2e%2e/%2e%2e/%2e%2e/etc/passwd"), NOT_FOUND),
        case("traversal, encoded twice", get("/%252e%252e%252fetc%252fpasswd"), NOT_FOUND),
        case("traversal, backslash", get("/..%5c..%5cetc%5cpasswd"), NOT_FOUND),
        case("traversal in a game", get("/api/games/..%2f..%2fetc/state"), NOT_FOUND),
        case("traversal in an asset", get("/assets/../../../etc/passwd"), NOT_FOUND),
        case("zero in a path", get("/api/games/a%00b/state"), NOT_FOUND),
        case("no UTF-8 in a path", get("/api/games/%ff%fe/state"), NOT_FOUND),
        case("a name with line breaks", get("/api/games/a%0d%0aSet-Cookie:x=1/state"), NOT_FOUND),
        case("a very long path", get(&format!("/{}", "a".repeat(14_000))), &[400, 404, 414]),
        case("a longer head", get(&format!("/{}", "a".repeat(40_000))), &[400, 414, 431]),
        case(
            "a long header",
            request("GET /healthz HTTP/1.1", &[&format!("X: {}", "a".repeat(40_000))], b""),
            &[400, 431],
        ),
        case(
            "a thousand headers",
            request("GET /healthz HTTP/1.1", &["X: 1"; 1_000], b""),
            &[400, 431],
        ),
        case("no HTTP", b"hello\r\n\r\n".to_vec(), BAD),
        case("zeros", vec![0; 64], BAD),
        case("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(8), BAD),
        case("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), &[0, 400, 505]),
        case("line break in a header", request("GET / HTTP/1.1", &["X: a\rb: c"], b""), BAD),
        case("zero in a header", request("GET / HTTP/1.1", &["X: a\0b"], b""), BAD),
        case(
            "two lengths",
            request(
                "POST /api/keys HTTP/1.1",
                &["Content-Length: 0", "Content-Length: 5"],
                b"hello",
            ),
            BAD,
        ),
        case(
            "length and chunks",
            request(
                "POST /api/games HTTP/1.1",
                &["Content-Length: 5", "Transfer-Encoding: chunked"],
                b"0\r\n\r\n",
            ),
            &[400, 415],
        ),
        case(
            "a length that is none",
            request("POST /api/games HTTP/1.1", &["Content-Length: -1"], b""),
            BAD,
        ),
        case("a wrong method", request("DELETE /api/games HTTP/1.1", &[], b""), &[405]),
        case("a huge body", json(new, &huge), LARGE),
        case(
            "a huge body to come",
            request(
                "POST /api/games HTTP/1.1",
                &["Content-Type: application/json", "Content-Length: 99999999999"],
                b"{",
            ),
            LARGE,
        ),
        case("no JSON", json(new, b"hello"), BAD),
        case("no body", json(new, b""), BAD),
        case("no UTF-8", json(new, b"{\"with\":\"friend\",\"name\":\"\xff\xfe\"}"), BAD),
        case("half a letter", json(new, b"{\"with\":\"friend\",\"name\":\"\xed\xa0\x80\"}"), BAD),
        case("deep JSON", json(new, &nested), BAD),
        case("deep JSON in a field", json(new, &nested_field), BAD),
        case("a long name", json(new, long_name.as_bytes()), &[400, 413, 422]),
        case("a long position", json(new, long_fen.as_bytes()), &[400, 413, 422]),
        case("a hostile name", json(new, br#"{"with":"friend","name":"\u0000\u202e"}"#), &[422]),
        case(
            "a clock of nothing",
            json(new, br#"{"with":"friend","time":{"kind":"clock","stages":[]}}"#),
            &[422],
        ),
        case(
            "an endless clock",
            json(new, br#"{"with":"friend","time":{"kind":"correspondence","days":65535}}"#),
            &[422],
        ),
        case("no computer", json(new, br#"{"with":"computer"}"#), &[501, 201, 400, 422]),
        case(
            "no type",
            request("POST /api/games HTTP/1.1", &["Content-Length: 2"], b"{}"),
            &[400, 415],
        ),
        case(
            "a spectator's move",
            json(&commands, br#"{"id":"x","command":{"type":"move","uci":"e2e4"}}"#),
            &[403, 422],
        ),
        case(
            "an id with a line break",
            json(&commands, br#"{"id":"a\nb","command":{"type":"resign"}}"#),
            BAD,
        ),
        case(
            "a foreign page",
            request(
                "POST /api/games HTTP/1.1",
                &[
                    "Content-Type: application/json",
                    "Origin: https://evil.example",
                    "Content-Length: 17",
                ],
                br#"{"with":"friend"}"#,
            ),
            &[403],
        ),
        case(
            "a foreign page's socket",
            request(
                &format!("GET /api/games/{game}/socket HTTP/1.1"),
                &[
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                    "Origin: https://evil.example",
                ],
                b"",
            ),
            &[403],
        ),
        case(
            "a cookie from nowhere",
            request(
                "POST /api/games HTTP/1.1",
                &[
                    "Content-Type: application/json",
                    "Cookie: hansu=00112233445566778899aabbccddeeff",
                    "Content-Length: 17",
                ],
                br#"{"with":"friend"}"#,
            ),
            &[403],
        ),
        case(
            "an old websocket",
            request(
                &format!("GET /api/games/{game}/socket HTTP/1.1"),
                &[
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Version: 8",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                ],
                b"",
            ),
            &[400, 426],
        ),
        case(
            "a socket to no game",
            request(
                "GET /api/games/nonsense/socket HTTP/1.1",
                &[
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                ],
                b"",
            ),
            &[404],
        ),
    ]
}

/// Sends all bad requests; returns their number.
///
/// # Errors
///
/// When one gets another answer than its refusal, or the server does not go on.
pub async fn all(others: &Others) -> Result<usize> {
    let server = others.program.address();
    let mut api = ApiClient::connect(server, 3).await?;
    let opened = opening::game(&mut api, 0).await?;
    let cases = cases(&opened.game);
    for (number, Case { name, bytes, may }) in cases.iter().enumerate() {
        let mut raw = RawConnection::connect(server, number).await?;
        // The server may close the connection before it has read everything.
        let _ = raw.write(bytes).await;
        let head = match raw.read_head().await {
            Ok(head) => head,
            Err(_) if may.contains(&0) => continue,
            Err(error) => return Err(error).with_context(|| format!("{name}: no answer")),
        };
        let status = head.split(' ').nth(1).and_then(|status| status.parse::<u16>().ok());
        ensure!(
            status.is_some_and(|status| may.contains(&status)),
            "{name}: {head} instead of {may:?}"
        );
        ensure!(!head.contains("Set-Cookie: x"), "{name}: {head}");
        let (status, _) = api.request(Method::GET, "/healthz", None, Bytes::new()).await?;
        ensure!(status == StatusCode::OK, "after {name}: {status}");
    }
    Ok(cases.len())
}
