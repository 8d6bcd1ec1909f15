//! Keys: replacing one that others may have, and passes for one more device.

use std::collections::BTreeMap;

use hansu_ground::clients::{GameClient, Pair, Response, get, key, post, request};
use hansu_play::Millis;
use hansu_protocol::{GivenKey, Made, NewPass, Wish};
use hansu_server::{Clock, Config};
use serde_json::json;

use crate::test_server::TestServer;

const RENEW: &str = "/api/keys/renew";

async fn renew(server: &TestServer, key: &str) -> String {
    let ask = |body| post(server.at, RENEW, &body).key(key).send();
    let promised: GivenKey = ask(json!({})).await.read();
    assert!(promised.again);
    let new = promised.key.expect("a key, since it came as a bearer");
    let given: GivenKey = ask(json!({ "key": new })).await.read();
    assert_eq!((given.key.as_ref(), given.again), (Some(&new), false));
    new
}

#[tokio::test]
async fn signing_out_everywhere_moves_all_to_the_new_key() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    pair.play("e2e4 e7e5").await;
    let old = pair.keys[0].clone();
    let note = format!("/api/games/{}/note", pair.game);
    let text = json!({ "note": "my plan" });
    assert_eq!(request(server.at, "PUT", &note).json(&text).key(&old).send().await.status, 204);
    let waiting: Made =
        post(server.at, "/api/games", &json!({ "with": "friend" })).key(&old).send().await.read();
    let new = renew(&server, &old).await;
    assert_ne!(new, old);
    // Connections with the old key are closed, and return as spectators.
    while pair.white.next().await.is_some() {}
    let mut thief = GameClient::join(server.at, &pair.game, Some(&old)).await;
    assert_eq!(thief.refusal_code(Wish::Move { uci: "g1f3".into() }).await, "not_seated");
    let path = format!("/api/games/{}/commands", pair.game);
    let stolen = json!({ "id": "x", "command": { "type": "resign" } });
    assert_eq!(post(server.at, &path, &stolen).key(&old).send().await.status, 422);
    // The player goes on.
    let mut white = GameClient::join(server.at, &pair.game, Some(&new)).await;
    white.go("g1f3").await.expect("a move");
    let mine = |key: String| get(server.at, "/api/games?mine=true").key(&key).send();
    assert_eq!(mine(new.clone()).await.json()["games"].as_array().expect("games").len(), 1);
    assert_eq!(mine(old.clone()).await.json()["games"].as_array().expect("games").len(), 0);
    let row = |key: &str| get(server.at, &format!("/api/games/{}", pair.game)).key(key).send();
    assert_eq!(row(&new).await.json()["game"]["note"], "my plan");
    assert!(row(&old).await.json()["game"]["note"].is_null());
    // So does the invitation: the new key can withdraw it.
    let token = waiting.invitation.expect("an invitation");
    let own = |key: &str| get(server.at, &format!("/api/invitations/{token}")).key(key).send();
    assert_eq!(own(&new).await.json()["own"], true);
    assert_ne!(own(&old).await.json()["own"], true);
    assert_eq!(post(server.at, RENEW, &json!({})).send().await.status, 401);
    for bad in [json!({ "key": new }), json!({ "key": "short" }), json!({ "key": 1 })] {
        assert_eq!(post(server.at, RENEW, &bad).key(&new).send().await.status, 400, "{bad}");
    }
}

/// The cookies of an answer, by name.
fn cookies(answer: &Response) -> BTreeMap<String, String> {
    let all = answer.headers("set-cookie");
    let pairs = all.filter_map(|cookie| cookie.split(';').next()?.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[tokio::test]
async fn an_answer_that_is_lost_loses_no_games() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    pair.play("e2e4 e7e5").await;
    let old = pair.keys[0].clone();
    let origin = format!("http://{}", server.at);
    let ask = |method: &'static str, path: &'static str, next: Option<&str>| {
        let next = next.map_or(String::new(), |next| format!("; hansu-next={next}"));
        let asked = request(server.at, method, path)
            .header("origin", &origin)
            .header("cookie", &format!("hansu={old}{next}"));
        if method == "POST" { asked.json(&json!({})).send() } else { asked.send() }
    };
    let seated = async |key: &str| {
        let mine = get(server.at, "/api/games?mine=true").key(key).send().await;
        mine.json()["games"].as_array().expect("games").len()
    };
    // The first step changes nothing.
    let first = ask("POST", RENEW, None).await;
    assert_eq!((first.status, first.json()), (200, json!({ "again": true })));
    let kept = cookies(&first);
    let new = &kept["hansu-next"];
    assert_eq!((kept.len(), seated(&old).await, seated(new).await), (1, 1, 0));
    // The second moves everything to the new key, and can be sent again: its first answers are
    // lost.
    let done = [("hansu", new.as_str()), ("hansu-next", "")];
    let done: BTreeMap<_, _> = done.map(|(name, key)| (name.to_owned(), key.to_owned())).into();
    for _ in 0..3 {
        let again = ask("POST", RENEW, Some(new)).await;
        assert_eq!((again.status, again.json(), cookies(&again)), (200, json!({}), done.clone()));
        assert_eq!((seated(&old).await, seated(new).await), (0, 1));
    }
    // A page that was closed in between finishes it when it is opened again.
    assert_eq!(cookies(&ask("GET", "/api/me", Some(new)).await), done);
    let mut white = GameClient::join(server.at, &pair.game, Some(new)).await;
    white.go("g1f3").await.expect("a move");
}

#[tokio::test]
async fn a_code_gives_one_more_device_the_same_player_once() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    let make = async |key: &str| -> NewPass {
        let made = request(server.at, "POST", "/api/passes").key(key).send().await;
        assert_eq!(made.status, 201);
        made.read()
    };
    let pass = make(&pair.keys[0]).await;
    let path = |code: &str| format!("/api/passes/{code}");
    let typed = pass.code.to_uppercase().replace('-', "");
    let given: GivenKey = request(server.at, "POST", &path(&typed)).send().await.read();
    assert_eq!(given.key.as_deref(), Some(&*pair.keys[0]));
    let again = request(server.at, "POST", &path(&pass.code)).send().await;
    assert_eq!((again.status, &again.json()["code"]), (404, &json!("no_such_pass")));
    assert_eq!(request(server.at, "POST", &path("nonsense")).send().await.status, 404);
    // A browser gets it where no script can read it.
    let pass = make(&pair.keys[0]).await;
    let origin = format!("http://{}", server.at);
    let given =
        request(server.at, "POST", &path(&pass.code)).header("origin", &origin).send().await;
    assert_eq!((given.status, given.json()), (200, json!({})));
    let cookie = given.header("set-cookie").expect("a cookie");
    assert!(cookie.contains(&*pair.keys[0]) && cookie.contains("HttpOnly"), "{cookie}");
    assert_eq!(request(server.at, "POST", "/api/passes").send().await.status, 401);
    // Both devices have the seat.
    let mut second = GameClient::join(server.at, &pair.game, Some(&pair.keys[0])).await;
    second.go("e2e4").await.expect("a move");
    pair.white.event("moved").await;
}

#[tokio::test]
async fn a_code_works_for_ten_minutes() {
    let ahead = |minutes| Config {
        clock: Clock::start().ahead(Millis::minutes(minutes)),
        ..Config::default()
    };
    let server = TestServer::with(ahead(0)).await;
    let key = key(server.at).await;
    let mut codes = Vec::new();
    for _ in 0..2 {
        let pass: NewPass = request(server.at, "POST", "/api/passes").key(&key).send().await.read();
        codes.push(pass.code);
    }
    // The clock is set back and forth between one server and the next.
    let server = server.restart(ahead(11)).await;
    let use_up = |server: &TestServer, code: &str| {
        request(server.at, "POST", &format!("/api/passes/{code}")).send()
    };
    assert_eq!(use_up(&server, &codes[0]).await.status, 404);
    let server = server.restart(ahead(0)).await;
    assert_eq!(use_up(&server, &codes[1]).await.status, 200);
}
