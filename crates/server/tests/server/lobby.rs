//! The lobby: seeks, pairing, taking, cancelling, and the list of games to watch.

use hansu_ground::clients::{Pair, Visitor, clock, get, key, seek};
use hansu_protocol::Place;
use serde_json::{Value, json};

use crate::house::House;

#[tokio::test]
async fn seeks_that_fit_are_paired_and_others_wait() {
    let house = House::open().await;
    let keys = [key(house.at).await, key(house.at).await, key(house.at).await];
    let mut anna = Visitor::enter(house.at, Some(&keys[0])).await;
    let mut ben = Visitor::enter(house.at, Some(&keys[1])).await;
    let mut cho = Visitor::enter(house.at, Some(&keys[2])).await;
    assert!(anna.ask(seek("Anna", "white", &clock(60_000))).await.unwrap().is_some());
    // Another clock, the same colour: no pair.
    assert!(ben.ask(seek("Ben", "any", &clock(120_000))).await.unwrap().is_some());
    assert!(cho.ask(seek("Cho", "white", &clock(60_000))).await.unwrap().is_some());
    anna.sees(3).await;
    let listed = get(house.at, "/api/lobby").send().await.json();
    assert_eq!(listed["seeks"].as_array().map(Vec::len), Some(3));
    // A new seek takes the place of the old one, and fits the one that waited longest.
    assert_eq!(ben.ask(seek("Ben", "any", &clock(60_000))).await, Ok(None));
    let (game, seat) = ben.paired().await;
    assert_eq!((anna.paired().await, seat), ((game.clone(), Place::White), Place::Black));
    anna.sees(1).await;
    let state = get(house.at, &format!("/api/games/{game}/state")).send().await.json();
    assert_eq!(state["start"]["names"], json!({ "white": "Anna", "black": "Ben" }));
    // The game is public, and on the list of games to watch.
    let live = get(house.at, "/api/lobby").send().await.json();
    assert_eq!(live["games"][0]["id"], game);
    // Whoever leaves seeks no longer.
    drop(cho);
    anna.sees(0).await;
}

#[tokio::test]
async fn a_seek_is_taken_once_and_never_by_its_owner() {
    let house = House::open().await;
    let keys = [key(house.at).await, key(house.at).await];
    let mut anna = Visitor::enter(house.at, Some(&keys[0])).await;
    let mut ben = Visitor::enter(house.at, Some(&keys[1])).await;
    let mut nobody = Visitor::enter(house.at, None).await;
    let open = anna.ask(seek("Anna", "black", &json!({ "kind": "unlimited" }))).await;
    let open = open.unwrap().expect("a name");
    let take = |seek: &str| json!({ "type": "take", "seek": seek, "name": "Ben" });
    assert_eq!(anna.ask(take(&open)).await, Err("own_seek".into()));
    assert_eq!(nobody.ask(take(&open)).await, Err("not_your_game".into()));
    assert_eq!(ben.ask(take("nothing")).await, Err("no_seek".into()));
    // A name that no game takes: the seek is still there afterwards.
    let bad = json!({ "type": "take", "seek": open, "name": " " });
    assert_eq!(ben.ask(bad).await, Err("text_empty".into()));
    assert_eq!(ben.ask(take(&open)).await, Ok(None));
    assert_eq!((ben.paired().await.1, anna.paired().await.1), (Place::White, Place::Black));
    assert_eq!(ben.ask(take(&open)).await, Err("no_seek".into()));
    let again = anna.ask(seek("Anna", "any", &json!({ "kind": "unlimited" }))).await;
    let again = again.unwrap().expect("a name");
    assert_eq!(anna.ask(json!({ "type": "cancel" })).await, Ok(None));
    assert_eq!(ben.ask(take(&again)).await, Err("no_seek".into()));
    let bad = json!({ "kind": "clock", "stages": [{ "time": 1 }] });
    assert_eq!(anna.ask(seek("Anna", "any", &bad)).await, Err("bad_time".into()));
}

#[tokio::test]
async fn private_games_are_on_no_list() {
    let house = House::open().await;
    let private = Pair::meet(house.at, json!({})).await;
    let public = Pair::meet(house.at, json!({ "visibility": "public" })).await;
    let lobby = get(house.at, "/api/lobby").send().await;
    assert!(lobby.text().contains(&public.game) && !lobby.text().contains(&private.game));
    for list in ["/api/games", "/api/games?player=Anna", "/api/games?status=live&text=ann"] {
        let games = get(house.at, list).send().await;
        let ids: Vec<Value> =
            games.json()["games"].as_array().unwrap().iter().map(|g| g["id"].clone()).collect();
        assert_eq!(ids, [json!(public.game)], "{list}");
    }
    // The players see theirs; somebody else with `mine` sees nothing.
    let mine = get(house.at, "/api/games?mine=true").key(&private.keys[0]).send().await;
    assert_eq!(mine.json()["games"][0]["id"], private.game);
    let other = get(house.at, "/api/games?mine=true").key(&key(house.at).await).send().await;
    assert_eq!(other.json()["games"], json!([]));
    assert_eq!(get(house.at, "/api/games?mine=true").send().await.json()["games"], json!([]));
    // Whoever has the link can look.
    let linked = get(house.at, &format!("/api/games/{}", private.game)).send().await;
    assert_eq!(linked.json()["live"], true);
}
