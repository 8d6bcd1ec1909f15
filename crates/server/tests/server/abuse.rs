//! Hostile and broken clients get a clear answer or a closed connection, and nothing is lost.

use std::time::{Duration, Instant};

use hansu_ground::clients::{
    Connection, PATIENCE, Pair, Request, get, open_websocket, post, raw, request,
};
use hansu_protocol::{
    CLOSE_FLOOD, CLOSE_MALFORMED, CLOSE_SLOW, CLOSE_VERSION, LONGEST_MESSAGE, ServerMessage,
    VERSION, Wish,
};
use hansu_server::limits::{Limits, Rate};
use hansu_server::{Config, Proxies};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_websockets::Message;

use crate::test_server::TestServer;

#[tokio::test]
async fn frames_that_are_not_messages_close_the_connection() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    let path = format!("/api/games/{}/socket", pair.game);
    let hello = json!({ "type": "hello", "v": VERSION }).to_string();
    let deep = format!("{}{}", "[".repeat(1_500), "]".repeat(1_500));
    let oversize = format!(r#"{{"type":"command","id":"{}"}}"#, "x".repeat(LONGEST_MESSAGE));
    for (greeting, message, code) in [
        // The first message must be a greeting of this version.
        (None, json!({ "type": "hello", "v": VERSION + 1 }).to_string(), CLOSE_VERSION),
        (None, json!({ "type": "sync", "seq": 1 }).to_string(), CLOSE_MALFORMED),
        (None, "hello".to_owned(), CLOSE_MALFORMED),
        // Then: not JSON, not a message, too deep, invalid ids, a second greeting.
        (Some(&hello), "{".to_owned(), CLOSE_MALFORMED),
        (Some(&hello), json!({ "type": "dance" }).to_string(), CLOSE_MALFORMED),
        (Some(&hello), deep, CLOSE_MALFORMED),
        (Some(&hello), json!({ "type": "sync", "seq": -1 }).to_string(), CLOSE_MALFORMED),
        (
            Some(&hello),
            json!({ "type": "command", "id": "", "command": { "type": "resign" } }).to_string(),
            CLOSE_MALFORMED,
        ),
        (
            Some(&hello),
            json!({ "type": "command", "id": "x".repeat(65), "command": { "type": "resign" } })
                .to_string(),
            CLOSE_MALFORMED,
        ),
        (Some(&hello), hello.clone(), CLOSE_MALFORMED),
    ] {
        let mut connection = Connection::open(server.at, &path, Some(&pair.keys[0])).await;
        if let Some(greeting) = greeting {
            connection.send_text(greeting).await;
        }
        connection.send_text(message.as_str()).await;
        assert_eq!(connection.read_to_end().await, Some(code), "{message:.60}");
    }
    // Too large, or binary: the connection ends, with the library's close code.
    let mut connection = Connection::open(server.at, &path, Some(&pair.keys[0])).await;
    connection.send_text(&hello).await;
    connection.send_text(oversize).await;
    let code = connection.read_to_end().await;
    assert!(matches!(code, None | Some(CLOSE_MALFORMED | 1009)), "{code:?}");
    let mut connection = Connection::open(server.at, &path, Some(&pair.keys[0])).await;
    connection.send_text(&hello).await;
    connection.send(Message::binary(vec![0, 159, 146, 150])).await;
    assert_eq!(connection.read_to_end().await, Some(CLOSE_MALFORMED));
    // A command of an unknown type is refused, and the connection stays open.
    let dance = json!({ "type": "command", "id": "new", "command": { "type": "dance" } });
    pair.white.connection.send_json(&dance).await;
    let refused = pair.white.answer("new").await.expect_err("unknown");
    assert_eq!(refused.code, "bad_message");
    // The game goes on.
    pair.play("e2e4 e7e5").await;
}

#[tokio::test]
async fn a_client_that_floods_is_closed() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    for number in 0..200 {
        pair.black.send(&format!("f{number}"), Wish::Resign).await;
        if number == 0 {
            // The first one is carried out, although more follow.
            assert!(pair.black.answer("f0").await.is_ok());
        }
    }
    assert_eq!(pair.black.connection.read_to_end().await, Some(CLOSE_FLOOD));
    assert_eq!(pair.white.event("ended").await["reason"], "resignation");
    let path = format!("/api/games/{}/socket", pair.game);
    let mut pings = Connection::open(server.at, &path, None).await;
    pings.send_json(&json!({ "type": "hello", "v": VERSION })).await;
    for _ in 0..200 {
        pings.send(Message::ping(Vec::new())).await;
    }
    assert_eq!(pings.read_to_end().await, Some(CLOSE_FLOOD));
}

#[tokio::test]
async fn a_little_too_fast_is_answered_and_not_done() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    let chat = |text: &str| Wish::Chat { text: text.to_owned(), name: None };
    for number in 0..45 {
        pair.white.send(&format!("t{number}"), chat("quick")).await;
    }
    let mut refused = 0;
    for number in 0..45 {
        if let Err(refusal) = pair.white.answer(&format!("t{number}")).await {
            assert_eq!(refusal.code, "too_fast");
            refused += 1;
        }
    }
    // The burst is 30: less the pongs, plus one for every 100 ms that this takes.
    assert!((1..=18).contains(&refused), "{refused}");
    let heard = |m: &&ServerMessage| matches!(m, ServerMessage::Event(_));
    assert_eq!(pair.white.received.iter().filter(heard).count(), 1 + 45 - refused);
}

#[tokio::test]
async fn invalid_bodies_get_a_clear_answer() {
    let server = TestServer::open().await;
    let deep = format!(r#"{{"with":{}{}}}"#, "[".repeat(20_000), "]".repeat(20_000));
    let json = |body: Vec<u8>| {
        request(server.at, "POST", "/api/games")
            .header("content-type", "application/json")
            .body(body)
    };
    for (body, status) in [
        (Vec::new(), 400),
        (b"{".to_vec(), 400),
        (b"null".to_vec(), 400),
        (br#"{"with":"nobody"}"#.to_vec(), 400),
        (br#"{"with":"friend","time":{"kind":"clock","stages":"x"}}"#.to_vec(), 400),
        (deep.into_bytes(), 400),
        (b"{\"with\":\"friend\",\"name\":\"\xff\xfe\"}".to_vec(), 400),
        (vec![b' '; 65 * 1024], 413),
    ] {
        let answer = json(body).send().await;
        let (got, code) = answer.refusal();
        let expected = if status == 413 { "too_large" } else { "bad_request" };
        assert_eq!((got, code.as_str()), (status, expected), "{answer:?}");
    }
    // The same without saying that it is JSON, and in Korean.
    let plain = request(server.at, "POST", "/api/games").body("{}").send().await;
    assert_eq!(plain.refusal(), (400, "bad_request".into()));
    let korean = post(server.at, "/api/games?lang=ko", &json!({ "with": "nobody" })).send().await;
    assert!(korean.json()["text"].as_str().unwrap().contains("요청"), "{korean:?}");
    // A parser's quotation of hostile text is short and has no control characters in it.
    let hostile = format!("{{\"with\":\"{}\"}}", "\\u001b[31m<script>".repeat(500));
    let text = json(hostile.into_bytes()).send().await.json()["text"].to_string();
    assert!(text.len() < 600 && !text.contains('\u{1b}'), "{text}");
}

#[tokio::test]
async fn invalid_paths_get_a_clear_answer() {
    let server = TestServer::open().await;
    for path in [
        "/../../etc/passwd",
        "/api/../../etc/passwd",
        "/api/games/..%2f..%2fetc%2fpasswd",
        "/api/games/%2e%2e/state",
        "/api/games/%00%00%00%00%00%00%00%00%00%00%00%00",
        "/api/games/%ff%fe/state",
        "/api/nothing",
        "/api/games/AAAAAAAAAAAA",
        "/api/games/AAAAAAAAAAAA/state",
        "/api/games/AAAAAAAAAAAA/pgn",
        "/api/games/AAAAAAAAAAAA/stream",
        "/api/players/%ff",
        "/api/players/nobody",
        "/assets/../Cargo.toml",
        "//etc/passwd",
        "/.env",
    ] {
        let answer = get(server.at, path).send().await;
        assert_eq!(answer.refusal().0, 404, "{path}: {answer:?}");
    }
    for query in [
        "/api/games?limit=0",
        "/api/games?limit=201",
        "/api/games?limit=-1",
        "/api/games?after=x",
        "/api/games?result=maybe",
        "/api/games?since=yesterday",
        "/api/games?nonsense=1",
        "/api/games?player=a&player=b",
        "/api/games?reason=boredom",
        "/api/players?limit=1001",
        "/api/moves?fen=nonsense",
        "/api/moves?variant=atomic",
        "/api/why",
        "/api/why?move=e2",
    ] {
        assert_eq!(get(server.at, query).send().await.refusal().0, 400, "{query}");
    }
    // Line breaks in a path or a header end only their own request.
    for bytes in [
        b"GET /api/games\r\nx: y HTTP/1.1\r\n\r\n".to_vec(),
        b"GET /api/me HTTP/1.1\r\nhost: localhost\r\nx: a\rb\r\nconnection: close\r\n\r\n".to_vec(),
        b"GET /api/me HTTP/1.1\r\nhost: localhost\r\n bad: fold\r\nconnection: close\r\n\r\n"
            .to_vec(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        [b"GET / HTTP/1.1\r\nhost: localhost\r\nx: ".to_vec(), vec![b'a'; 64 * 1024]].concat(),
        b"POST /api/games HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n".to_vec(),
        b"POST /api/keys HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\
          transfer-encoding: chunked\r\nconnection: close\r\n\r\n0\r\n\r\n"
            .to_vec(),
    ] {
        let answer = raw(server.at, &bytes).await;
        assert!(matches!(answer.status, 0 | 201 | 400..=499), "{answer:?}");
        assert_eq!(answer.header("x"), None);
    }
    let name = "/api/games/AAAAAAAAAAAA/pgn?x=%0d%0aset-cookie:%20a=b";
    assert_eq!(get(server.at, name).send().await.header("set-cookie"), None);
    assert_eq!(get(server.at, "/healthz").send().await.text(), "ok\n");
}

#[tokio::test]
async fn every_answer_has_its_security_headers() {
    let server = TestServer::open().await;
    for path in ["/", "/api", "/api/me", "/api/nothing", "/nothing", "/healthz"] {
        let answer = get(server.at, path).send().await;
        let policy = answer.header("content-security-policy").expect(path);
        // The one exception is WebAssembly of this server, which is compiled, not made from text.
        let policy = policy.replace("'self' 'wasm-unsafe-eval'", "'self'");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}");
        }
    }
}

#[tokio::test]
async fn one_view_alone_may_stand_in_frames_of_other_sites() {
    let server = TestServer::open().await;
    for path in [
        "/",
        "/game/x",
        "/games/x",
        "/embed",
        "/embed.html",
        "/views/embed.en.html",
        "/api/me",
        "/settings",
        "/join/x",
        "/EMBED/x",
        "/embedded/x",
        "//embed/x",
    ] {
        let answer = get(server.at, path).send().await;
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{path}");
        let policy = answer.header("content-security-policy").expect(path);
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
    }
    for path in ["/embed/AAAAAAAAAAAA", "/embed/x?lang=ko"] {
        let answer = get(server.at, path).send().await;
        assert_eq!((answer.status, answer.header("x-frame-options")), (200, None), "{path}");
        let policy = answer.header("content-security-policy").expect(path);
        assert!(policy.contains("default-src 'none'") && policy.ends_with("frame-ancestors *"));
        assert_eq!(answer.header("set-cookie"), None, "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
}

#[tokio::test]
async fn a_client_without_a_greeting_is_closed() {
    let server = TestServer::open().await;
    let pair = Pair::meet(server.at, json!({})).await;
    let path = format!("/api/games/{}/socket", pair.game);
    let (mut game, mut lobby) = tokio::join!(
        Connection::open(server.at, &path, Some(&pair.keys[0])),
        Connection::open(server.at, "/api/lobby/socket", None),
    );
    assert_eq!(
        tokio::join!(game.read_to_end(), lobby.read_to_end()),
        (Some(CLOSE_SLOW), Some(CLOSE_SLOW))
    );
}

#[tokio::test]
async fn each_address_has_its_rates_and_its_sockets() {
    let never = Duration::from_secs(3_600);
    let limits = Limits {
        making: Rate::new(6, never),
        requests: Rate::new(60, never),
        sockets_each: 3,
        ..Limits::default()
    };
    let server =
        TestServer::with(Config { limits, proxies: Proxies::Any, ..Config::default() }).await;
    let pair = Pair::meet(server.at, json!({})).await;
    let from = |address: &'static str, request: Request| request.header("x-forwarded-for", address);
    // Commands do not count against `making`: a bot that posts them is not slowed down.
    let commands = format!("/api/games/{}/commands", pair.game);
    for number in 0..20 {
        let resign =
            json!({ "id": number.to_string(), "command": { "type": "chat", "text": "x" } });
        let chat = post(server.at, &commands, &resign).key(&pair.keys[0]);
        assert_eq!(from("203.0.113.1", chat).send().await.status, 200);
    }
    for number in 0..8 {
        let made = from("203.0.113.1", request(server.at, "POST", "/api/keys")).send().await;
        assert_eq!(made.status, if number < 6 { 201 } else { 429 }, "{made:?}");
    }
    for number in 0..45 {
        let asked = from("203.0.113.1", get(server.at, "/api/me")).send().await;
        if number >= 40 {
            assert_eq!(asked.refusal(), (429, "too_fast".into()));
            assert_eq!(asked.header("retry-after"), Some("2"));
        } else {
            assert_eq!(asked.status, 200);
        }
    }
    // Files of the page are not counted, and a port after the address does not lift the limit.
    assert_eq!(from("203.0.113.1", get(server.at, "/")).send().await.status, 200);
    assert_eq!(from("203.0.113.1:4711", get(server.at, "/api/me")).send().await.status, 429);
    // Another address has its own rate, and this machine is not limited.
    assert_eq!(from("203.0.113.2", get(server.at, "/api/me")).send().await.status, 200);
    assert_eq!(get(server.at, "/api/me").send().await.status, 200);
    let mut open = Vec::new();
    for number in 0..5 {
        let address = [("x-forwarded-for", "203.0.113.3")];
        let socket = open_websocket(server.at, "/api/lobby/socket", &address).await;
        assert_eq!(socket.is_ok(), number < 3);
        open.extend(socket);
    }
    // After closing one, an address may open another.
    open.pop();
    let address = [("x-forwarded-for", "203.0.113.3")];
    let again = async {
        while open_websocket(server.at, "/api/lobby/socket", &address).await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, again).await.expect("a place for another");
}

#[tokio::test]
async fn players_do_not_wait_behind_new_spectators() {
    // Long enough that a busy machine makes no difference.
    let turn = Duration::from_secs(15);
    let limits = Limits { watchers: Rate::new(1, turn), watcher_waits: turn, ..Limits::default() };
    let server = TestServer::with(Config { limits, ..Config::default() }).await;
    let pair = Pair::meet(server.at, json!({})).await;
    let path = format!("/api/games/{}/socket", pair.game);
    let arrive = async |path: &str, key: Option<&str>| {
        let key = key.map(|key| format!("Bearer {key}"));
        let headers: Vec<_> = key.iter().map(|key| ("authorization", key.as_str())).collect();
        let begin = Instant::now();
        (open_websocket(server.at, path, &headers).await.map(drop), begin.elapsed())
    };
    let (came, _) = arrive(&path, None).await;
    assert!(came.is_ok());
    // One waits, the next would wait too long; the lobby has the same queue.
    let (second_watcher, more) = tokio::join!(arrive(&path, None), async {
        tokio::time::sleep(turn / 10).await;
        let player = arrive(&path, Some(&pair.keys[0])).await;
        (arrive(&path, None).await, arrive("/api/lobby/socket", None).await, player)
    });
    let (watcher, visitor, player) = more;
    assert!(second_watcher.0.is_ok() && second_watcher.1 >= turn / 2, "{second_watcher:?}");
    assert!(watcher.0.is_err() && visitor.0.is_err(), "{watcher:?}, {visitor:?}");
    assert!(player.0.is_ok() && player.1 < turn / 2, "{player:?}");
}

/// A client that sends requests and reads no answers is closed; others are not affected.
#[tokio::test]
async fn a_client_that_does_not_read_is_closed() {
    let server = TestServer::open().await;
    let mut deaf = TcpStream::connect(server.at).await.expect("a connection");
    let asks = "GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(200);
    let started = Instant::now();
    let _ = tokio::time::timeout(Duration::from_secs(2), deaf.write_all(asks.as_bytes())).await;
    assert_eq!(get(server.at, "/healthz").send().await.status, 200);
    tokio::time::sleep(Duration::from_secs(16).saturating_sub(started.elapsed())).await;
    // What was sent already can still be read; then the connection ends.
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(PATIENCE, deaf.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the connection is still open");
    let whole = String::from_utf8_lossy(&rest).matches("HTTP/1.1 200").count();
    assert!(whole < 200, "everything was answered: {whole}");
}

#[tokio::test]
async fn bytes_are_counted_by_request_and_not_by_connection() {
    let server = TestServer::open().await;
    let key = hansu_ground::clients::key(server.at).await;
    let mut stream = tokio::net::TcpStream::connect(server.at).await.expect("a connection");
    // Together more than the limit of one request in a second.
    let body = format!("[White \"Anna\"]\n\n{{{}}} 1. e4 *\n", "x".repeat(3_900_000));
    let head = format!(
        "POST /api/import HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {key}\r\n\
         content-length: {}\r\n\r\n",
        server.at,
        body.len()
    );
    for _ in 0..2 {
        stream.write_all(head.as_bytes()).await.expect("a head");
        stream.write_all(body.as_bytes()).await.expect("a body");
        let mut answer = Vec::new();
        while !answer.ends_with(b"}") {
            let mut piece = [0; 4_096];
            let read = stream.read(&mut piece).await.expect("an answer");
            assert!(read > 0, "closed after {:?}", String::from_utf8_lossy(&answer));
            answer.extend_from_slice(&piece[..read]);
        }
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}
