//! Access: keys, cookies, origins, hosts.

use hansu_ground::clients::{
    Connection, GameClient, Pair, get, key, open_websocket, post, request,
};
use hansu_protocol::{self as wire, GameList, Made, ServerMessage, Wish};
use hansu_server::Config;
use hansu_server::keys::Key;
use serde_json::json;

use crate::test_server::TestServer;

/// The number of keys that are tried; `HANSU_FORGERIES` raises it to a million in a long run.
fn forgeries() -> usize {
    std::env::var("HANSU_FORGERIES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000)
}

#[tokio::test]
async fn no_forged_swapped_or_missing_key_gets_a_seat() {
    let server = TestServer::open().await;
    let pair = Pair::meet(server.at, json!({})).await;
    let other = Pair::meet(server.at, json!({})).await;
    let path = format!("/api/games/{}/commands", pair.game);
    let step = json!({ "id": "f", "command": { "type": "move", "uci": "e2e4" } });
    // No key, players of another game, and invalid keys.
    assert_eq!(post(server.at, &path, &step).send().await.refusal().1, "not_seated");
    let upper = pair.keys[0].to_uppercase();
    let short = &pair.keys[0][..31];
    let mut tried = vec![other.keys[0].as_str(), &other.keys[1], &upper, short, "", "null"];
    let forged: Vec<String> =
        (0..forgeries()).map(|_| Key::random().expect("random").reveal()).collect();
    tried.extend(forged.iter().map(String::as_str));
    // Keys that differ from the right one in one digit.
    let near: Vec<String> = (0..32)
        .map(|at| {
            let mut digits = pair.keys[0].clone().into_bytes();
            digits[at] = if digits[at] == b'0' { b'1' } else { b'0' };
            String::from_utf8(digits).expect("ASCII")
        })
        .collect();
    tried.extend(near.iter().map(String::as_str));
    for key in tried {
        if key.parse() == pair.keys[0].parse::<Key>() {
            continue;
        }
        let answer = post(server.at, &path, &step).key(key).send().await;
        assert_eq!(answer.refusal(), (422, "not_seated".into()), "{key}");
    }
    // Black's key cannot move White's pieces, and an invalid bearer token hides a valid cookie.
    let black = post(server.at, &path, &step).key(&pair.keys[1]).send().await;
    assert_eq!(black.refusal().1, "not_your_turn");
    let origin = format!("http://{}", server.at);
    let cookie = format!("hansu={}", pair.keys[0]);
    let both = post(server.at, &path, &step).key(&forged[0]).header("cookie", &cookie);
    assert_eq!(both.header("origin", &origin).send().await.refusal().1, "not_seated");
    // On a websocket such a client is a spectator.
    let mut forger = GameClient::join(server.at, &pair.game, Some(&forged[0])).await;
    let welcome = &forger.received[0];
    assert!(matches!(welcome, ServerMessage::Welcome { seat: None, .. }), "{welcome:?}");
    assert_eq!(forger.go("e2e4").await.unwrap_err().code, "not_seated");
    // After all that the right key still works.
    assert_eq!(post(server.at, &path, &step).key(&pair.keys[0]).send().await.status, 200);
}

#[tokio::test]
async fn a_browser_gets_its_key_as_a_cookie_and_plays_with_it() {
    let server = TestServer::open().await;
    let origin = format!("http://{}", server.at);
    let me = get(server.at, "/api/me").send().await;
    assert_eq!(me.json()["known"], false);
    let cookie = me.header("set-cookie").expect("a cookie").to_owned();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "this server has no TLS");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let known = get(server.at, "/api/me").header("cookie", &cookie).send().await;
    assert_eq!(known.json()["known"], true);
    assert_eq!(known.header("set-cookie"), None);
    let browser = |path: &str, body: serde_json::Value| {
        post(server.at, path, &body).header("cookie", &cookie).header("origin", &origin)
    };
    let new = json!({ "with": "friend", "name": "Anna", "color": "black" });
    let made: Made = browser("/api/games", new).send().await.read();
    assert_eq!(made.seat, wire::Seat::Black);
    let friend = key(server.at).await;
    let path = format!("/api/invitations/{}", made.invitation.unwrap());
    let joined = post(server.at, &path, &json!({ "name": "Ben" })).key(&friend).send().await;
    assert_eq!(joined.read::<Made>().seat, wire::Seat::White);
    let headers = [("cookie", cookie.as_str()), ("origin", origin.as_str())];
    let path = format!("/api/games/{}/socket", made.game);
    let socket = open_websocket(server.at, &path, &headers).await.expect("a websocket");
    let mut black = GameClient::greet(Connection::from_socket(socket), 0).await;
    let mut white = GameClient::join(server.at, &made.game, Some(&friend)).await;
    white.snapshot().await;
    let seq = white.go("e2e4").await.unwrap();
    black.reach(seq).await;
    black.go("e7e5").await.unwrap();
}

#[tokio::test]
async fn pages_of_other_sites_are_refused() {
    let server = TestServer::with(Config {
        public_url: Some("https://chess.example".to_owned()),
        ..Config::default()
    })
    .await;
    let me = get(server.at, "/api/me").send().await;
    let cookie = me.header("set-cookie").expect("a cookie").to_owned();
    assert!(cookie.starts_with("__Host-hansu=") && cookie.contains("; Secure"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let new = json!({ "with": "local", "name": "Anna", "other": "Ben" });
    let ask = |origin: Option<&str>| {
        let request = post(server.at, "/api/games", &new).header("cookie", &cookie);
        match origin {
            Some(origin) => request.header("origin", origin),
            None => request,
        }
    };
    let own = format!("http://{}", server.at);
    for origin in [
        Some("https://evil.example"),
        Some("null"),
        Some("https://chess.example.evil.example"),
        Some("http://chess.example"),
        Some("file://"),
        Some(""),
        // With a public address, pages come from that address only.
        Some(own.as_str()),
        // A cookie without an origin.
        None,
    ] {
        let answer = ask(origin).send().await;
        assert_eq!(answer.refusal(), (403, "foreign_origin".into()), "{origin:?}");
        let mut headers = vec![("cookie", cookie.as_str())];
        headers.extend(origin.map(|origin| ("origin", origin)));
        for path in ["/api/lobby/socket", "/api/games/AAAAAAAAAAAA/socket"] {
            assert!(
                open_websocket(server.at, path, &headers).await.is_err(),
                "{origin:?} at {path}"
            );
        }
    }
    assert_eq!(ask(Some("https://chess.example")).send().await.status, 201);
}

#[tokio::test]
async fn a_host_that_is_not_ours_is_refused() {
    let server = TestServer::open().await;
    for host in ["evil.example", "localhost.evil.example:80", "", "a b"] {
        let answer = get(server.at, "/api/games").header("host", host).send().await;
        assert!(matches!(answer.status, 400 | 421), "{host:?}: {answer:?}");
        if answer.status == 421 {
            assert_eq!(answer.refusal().1, "foreign_host");
        }
    }
    for host in ["localhost", "127.0.0.1:1", "[::1]:8080", "hansu", "anna.local:8080"] {
        assert_eq!(get(server.at, "/api/games").header("host", host).send().await.status, 200);
    }
    let socket = get(server.at, "/api/lobby/socket").header("host", "evil.example");
    assert_eq!(socket.header("upgrade", "websocket").send().await.refusal().1, "foreign_host");
}

#[tokio::test]
async fn tags_and_notes_are_for_the_players_of_a_game() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({ "visibility": "public" })).await;
    pair.white.ask(Wish::Resign).await.unwrap();
    let path = |rest: &str| format!("/api/games/{}/{rest}", pair.game);
    let put = |rest: &str| request(server.at, "PUT", &path(rest));
    assert_eq!(put("tags/club").send().await.refusal(), (403, "not_your_game".into()));
    let stranger = key(server.at).await;
    assert_eq!(put("tags/club").key(&stranger).send().await.refusal().0, 403);
    assert_eq!(put("note").json(&json!({ "note": "!" })).send().await.refusal().0, 403);
    assert_eq!(put("tags/club").key(&pair.keys[0]).send().await.status, 204);
    assert_eq!(put("tags/%ED%95%9C%EA%B5%AD").key(&pair.keys[1]).send().await.status, 204);
    let note = json!({ "note": "<b>the first</b>" });
    assert_eq!(put("note").json(&note).key(&pair.keys[1]).send().await.status, 204);
    // A player sees only the own ones, in a game, a list, PGN and a search.
    let seen = async |key: Option<&str>| {
        let ask = |path: String| {
            let asked = get(server.at, &path);
            match key {
                Some(key) => asked.key(key),
                None => asked,
            }
        };
        let game = ask(format!("/api/games/{}", pair.game)).send().await.json();
        let list = ask("/api/games".into()).send().await.json();
        assert_eq!(list["games"][0]["tags"], game["game"]["tags"]);
        assert_eq!(list["games"][0]["note"], game["game"]["note"]);
        let pgn = ask(format!("/api/games/{}/pgn", pair.game)).send().await.text().to_owned();
        assert_eq!(pgn.contains("the first"), !game["game"]["note"].is_null(), "{pgn}");
        let found = ask("/api/games?text=the%20first".into()).send().await.json();
        let found = found["games"].as_array().map_or(0, Vec::len);
        assert_eq!(found == 1, !game["game"]["note"].is_null());
        let tags = ask("/api/tags".into()).send().await.json();
        assert_eq!(
            tags["tags"].as_array().map_or(0, Vec::len),
            game["game"]["tags"].as_array().map_or(0, Vec::len)
        );
        (game["game"]["tags"].clone(), game["game"]["note"].clone())
    };
    assert_eq!(seen(Some(&pair.keys[0])).await, (json!(["club"]), json!(null)));
    assert_eq!(seen(Some(&pair.keys[1])).await, (json!(["한국"]), note["note"].clone()));
    assert_eq!(seen(Some(&stranger)).await, (json!([]), json!(null)));
    assert_eq!(seen(None).await, (json!([]), json!(null)));
    for (rest, status) in [
        ("tags/%0a", 400),
        ("tags/%20", 400),
        ("tags/a%E2%80%8Bb", 400),
        (&format!("tags/{}", "x".repeat(101)), 413),
    ] {
        assert_eq!(put(rest).key(&pair.keys[0]).send().await.refusal().0, status, "{rest}");
    }
    let long = json!({ "note": "x".repeat(17 * 1024) });
    assert_eq!(put("note").json(&long).key(&pair.keys[0]).send().await.refusal().0, 413);
    let hidden = json!({ "note": "a\u{202E}b" });
    assert_eq!(put("note").json(&hidden).key(&pair.keys[0]).send().await.refusal().0, 400);
    let lines = json!({ "note": "one\n\ntwo" });
    assert_eq!(put("note").json(&lines).key(&pair.keys[0]).send().await.status, 204);
    let untag = async |key: &str| {
        let gone = request(server.at, "DELETE", &path("tags/club")).key(key).send().await;
        assert_eq!(gone.status, 204);
        let found = get(server.at, "/api/games?tag=club").key(&pair.keys[0]).send().await.json();
        found["games"].as_array().map_or(0, Vec::len)
    };
    // A player cannot remove another's tag.
    assert_eq!((untag(&pair.keys[1]).await, untag(&pair.keys[0]).await), (1, 0));
}

#[tokio::test]
async fn private_games_are_counted_for_their_players_alone() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({ "visibility": "private" })).await;
    pair.white.ask(Wish::Resign).await.unwrap();
    let stranger = key(server.at).await;
    let ask = async |path: &str, key: Option<&str>| {
        let asked = get(server.at, path);
        match key {
            Some(key) => asked.key(key).send().await,
            None => asked.send().await,
        }
    };
    for key in [None, Some(stranger.as_str())] {
        assert_eq!(ask("/api/statistics", key).await.json()["games"], 0);
        assert_eq!(ask("/api/players", key).await.json()["players"], json!([]));
        assert_eq!(ask("/api/players/Anna", key).await.refusal(), (404, "not_found".into()));
        let against = ask("/api/players/Anna/against/Ben", key).await;
        assert_eq!(against.refusal(), (404, "not_found".into()));
        assert_eq!(ask("/api/tags", key).await.json()["tags"], json!([]));
        let own = ask("/api/me/statistics", key).await.json();
        assert_eq!((&own["player"]["games"], &own["player"]["name"]), (&json!(0), &json!("")));
        assert_eq!(own["opponents"], json!([]));
    }
    for (key, column, name) in [(&pair.keys[0], "losses", "Anna"), (&pair.keys[1], "wins", "Ben")] {
        let own = ask("/api/me/statistics", Some(key)).await.json();
        assert_eq!(
            (&own["player"]["games"], &own["player"]["both"][column]),
            (&json!(1), &json!(1))
        );
        assert_eq!(own["player"]["name"], name);
        assert_eq!(own["sources"][0]["standing"][column], 1, "{own}");
    }
    for key in &pair.keys {
        assert_eq!(ask("/api/statistics", Some(key)).await.json()["games"], 1);
        let anna = ask("/api/players/Anna", Some(key)).await.json();
        assert_eq!(anna["player"]["both"]["losses"], 1, "{anna}");
        assert_eq!(anna["opponents"][0]["name"], "Ben");
        let against = ask("/api/players/Ben/against/Anna", Some(key)).await.json();
        assert_eq!(against["both"]["wins"], 1);
    }
}

#[tokio::test]
async fn games_of_a_file_belong_to_the_player_who_brought_them() {
    let server = TestServer::open().await;
    let pgn = "[White \"An\u{200B}na\"]\n[Black \"Ben\u{202E}\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let bring = |query: &str| request(server.at, "POST", &format!("/api/import{query}")).body(pgn);
    assert_eq!(bring("").send().await.refusal(), (401, "no_key".into()));
    let [mine, other] = [key(server.at).await, key(server.at).await];
    assert_eq!(bring("?visibility=both").key(&mine).send().await.status, 400);
    assert_eq!(bring("").key(&mine).send().await.json()["added"], 1);
    assert_eq!(bring("").key(&mine).send().await.json()["duplicates"], 1);
    // A player does not learn that another has the same game.
    assert_eq!(bring("").key(&other).send().await.json()["added"], 1);
    assert_eq!(get(server.at, "/api/games").send().await.json()["games"], json!([]));
    let list = get(server.at, "/api/games?mine=true").key(&mine).send().await.json();
    let game = &list["games"][0];
    assert_eq!((&game["white"], &game["black"]), (&json!("Anna"), &json!("Ben")));
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let one = get(server.at, &path).key(&mine).send().await.json();
    assert_eq!((&one["deletable"], &one["seat"]), (&json!(true), &json!(null)));
    assert_eq!(get(server.at, &path).key(&other).send().await.json()["deletable"], false);
    let delete = |key: &str| request(server.at, "DELETE", &path).key(key);
    assert_eq!(request(server.at, "DELETE", &path).send().await.refusal().0, 403);
    assert_eq!(delete(&other).send().await.refusal(), (403, "not_your_game".into()));
    assert_eq!(delete(&mine).send().await.status, 204);
    assert_eq!(get(server.at, &path).key(&mine).send().await.refusal().0, 404);
    // The players of a game cannot delete it.
    let mut pair = Pair::meet(server.at, json!({})).await;
    pair.white.ask(Wish::Resign).await.unwrap();
    let path = format!("/api/games/{}", pair.game);
    let played = request(server.at, "DELETE", &path).key(&pair.keys[0]).send().await;
    assert_eq!(played.refusal(), (403, "not_your_game".into()));
    // All clients find public ones, and each is stored once.
    assert_eq!(bring("?visibility=public").key(&mine).send().await.json()["added"], 1);
    assert_eq!(bring("?visibility=public").key(&other).send().await.json()["duplicates"], 1);
    let list = get(server.at, "/api/games?source=import").send().await.json();
    assert_eq!(list["games"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn ones_games_under_way_are_told_with_seat_and_deadline() {
    let server = TestServer::open().await;
    let time = json!({ "time": { "kind": "correspondence", "days": 2 }, "visibility": "public" });
    let mut pair = Pair::meet(server.at, time).await;
    let mine = async |key: &str| -> GameList {
        get(server.at, "/api/games?mine=true&status=live").key(key).send().await.read()
    };
    let [white, black] = [mine(&pair.keys[0]).await.running, mine(&pair.keys[1]).await.running];
    assert_eq!([white.len(), black.len()], [1, 1]);
    assert_eq!([white[0].seat, black[0].seat], [wire::Seat::White, wire::Seat::Black]);
    assert!(white[0].deadline.is_some() && white[0].deadline == black[0].deadline);
    pair.white.go("e2e4").await.expect("a move");
    let after = mine(&pair.keys[0]).await;
    assert!(after.running[0].deadline >= white[0].deadline);
    assert_eq!(after.games[0].plies, 1);
    // Only the list of the player's own games has seats.
    let public = get(server.at, "/api/games?status=live").key(&pair.keys[0]).send().await;
    let public: GameList = public.read();
    assert_eq!((public.games.len(), public.running.len()), (1, 0));
    pair.white.ask(Wish::Resign).await.expect("the end");
    assert_eq!(mine(&pair.keys[0]).await.games.len(), 0);
    server.stop().await;
}
