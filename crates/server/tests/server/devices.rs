//! Keys: a new one instead of one that others may have, and one more device.

use hansu_play::Millis;
use hansu_protocol::{GivenKey, Made, NewPass, Wish};
use hansu_server::{Clock, Config};
use serde_json::json;

use crate::clients::{Pair, Seat, get, key, post, request};
use crate::house::House;

async fn renew(house: &House, key: &str) -> String {
    let given: GivenKey = request(house.at, "POST", "/api/keys/renew").key(key).send().await.read();
    given.key.expect("a key, since it came as a bearer")
}

#[tokio::test]
async fn whoever_signs_out_everywhere_keeps_all_and_others_have_nothing() {
    let house = House::open().await;
    let mut pair = Pair::meet(house.at, json!({})).await;
    pair.play("e2e4 e7e5").await;
    let old = pair.keys[0].clone();
    let note = format!("/api/games/{}/note", pair.game);
    let text = json!({ "note": "my plan" });
    assert_eq!(request(house.at, "PUT", &note).json(&text).key(&old).send().await.status, 204);
    let waiting: Made =
        post(house.at, "/api/games", &json!({ "with": "friend" })).key(&old).send().await.read();
    let new = renew(&house, &old).await;
    assert_ne!(new, old);
    // Connections with the old key are closed, and come back as spectators.
    while pair.white.next().await.is_some() {}
    let mut thief = Seat::take(house.at, &pair.game, Some(&old)).await;
    assert_eq!(thief.refused(Wish::Move { uci: "g1f3".into() }).await, "not_seated");
    let path = format!("/api/games/{}/commands", pair.game);
    let stolen = json!({ "id": "x", "command": { "type": "resign" } });
    assert_eq!(post(house.at, &path, &stolen).key(&old).send().await.status, 422);
    // The player goes on.
    let mut white = Seat::take(house.at, &pair.game, Some(&new)).await;
    white.go("g1f3").await.expect("a move");
    let mine = |key: String| get(house.at, "/api/games?mine=true").key(&key).send();
    assert_eq!(mine(new.clone()).await.json()["games"].as_array().expect("games").len(), 1);
    assert_eq!(mine(old.clone()).await.json()["games"].as_array().expect("games").len(), 0);
    let row = |key: &str| get(house.at, &format!("/api/games/{}", pair.game)).key(key).send();
    assert_eq!(row(&new).await.json()["game"]["note"], "my plan");
    assert!(row(&old).await.json()["game"]["note"].is_null());
    // So does the invitation: it is the new key's to take back.
    let token = waiting.invitation.expect("an invitation");
    let own = |key: &str| get(house.at, &format!("/api/invitations/{token}")).key(key).send();
    assert_eq!(own(&new).await.json()["own"], true);
    assert_ne!(own(&old).await.json()["own"], true);
    assert_eq!(request(house.at, "POST", "/api/keys/renew").send().await.status, 401);
}

#[tokio::test]
async fn a_code_gives_one_more_device_the_same_player_once() {
    let house = House::open().await;
    let mut pair = Pair::meet(house.at, json!({})).await;
    let make = async |key: &str| -> NewPass {
        let made = request(house.at, "POST", "/api/passes").key(key).send().await;
        assert_eq!(made.status, 201);
        made.read()
    };
    let pass = make(&pair.keys[0]).await;
    let path = |code: &str| format!("/api/passes/{code}");
    let typed = pass.code.to_uppercase().replace('-', "");
    let given: GivenKey = request(house.at, "POST", &path(&typed)).send().await.read();
    assert_eq!(given.key.as_deref(), Some(&*pair.keys[0]));
    let again = request(house.at, "POST", &path(&pass.code)).send().await;
    assert_eq!((again.status, &again.json()["code"]), (404, &json!("no_such_pass")));
    assert_eq!(request(house.at, "POST", &path("nonsense")).send().await.status, 404);
    // A browser gets it where no script can read it.
    let pass = make(&pair.keys[0]).await;
    let origin = format!("http://{}", house.at);
    let given = request(house.at, "POST", &path(&pass.code)).header("origin", &origin).send().await;
    assert_eq!((given.status, given.json()), (200, json!({})));
    let cookie = given.header("set-cookie").expect("a cookie");
    assert!(cookie.contains(&*pair.keys[0]) && cookie.contains("HttpOnly"), "{cookie}");
    assert_eq!(request(house.at, "POST", "/api/passes").send().await.status, 401);
    // Both devices sit on the seat.
    let mut second = Seat::take(house.at, &pair.game, Some(&pair.keys[0])).await;
    second.go("e2e4").await.expect("a move");
    pair.white.event("moved").await;
}

#[tokio::test]
async fn a_code_works_for_ten_minutes() {
    let ahead = |minutes| Config {
        clock: Clock::start().ahead(Millis::minutes(minutes)),
        ..Config::default()
    };
    let house = House::with(ahead(0)).await;
    let key = key(house.at).await;
    let mut codes = Vec::new();
    for _ in 0..2 {
        let pass: NewPass = request(house.at, "POST", "/api/passes").key(&key).send().await.read();
        codes.push(pass.code);
    }
    // The clock is set back and forth between one server and the next.
    let house = house.restart(ahead(11)).await;
    let use_up = |house: &House, code: &str| {
        request(house.at, "POST", &format!("/api/passes/{code}")).send()
    };
    assert_eq!(use_up(&house, &codes[0]).await.status, 404);
    let house = house.restart(ahead(0)).await;
    assert_eq!(use_up(&house, &codes[1]).await.status, 200);
}
