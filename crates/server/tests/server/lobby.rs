//! The lobby: seeks, pairing, taking, cancelling, and the list of games to watch.

use hansu_ground::clients::{LobbyClient, Pair, clock, get, key, seek};
use hansu_protocol::Seat;
use serde_json::{Value, json};

use crate::test_server::TestServer;

#[tokio::test]
async fn seeks_that_fit_are_paired_and_others_wait() {
    let server = TestServer::open().await;
    let keys = [key(server.at).await, key(server.at).await, key(server.at).await];
    let mut anna = LobbyClient::enter(server.at, Some(&keys[0])).await;
    let mut ben = LobbyClient::enter(server.at, Some(&keys[1])).await;
    let mut cho = LobbyClient::enter(server.at, Some(&keys[2])).await;
    assert!(anna.ask(seek("Anna", "white", &clock(60_000))).await.unwrap().is_some());
    // Another clock, the same colour: no pair.
    assert!(ben.ask(seek("Ben", "any", &clock(120_000))).await.unwrap().is_some());
    assert!(cho.ask(seek("Cho", "white", &clock(60_000))).await.unwrap().is_some());
    anna.wait_for_seeks(3).await;
    let listed = get(server.at, "/api/lobby").send().await.json();
    assert_eq!(listed["seeks"].as_array().map(Vec::len), Some(3));
    // A new seek takes the place of the old one, and fits the one that waited longest.
    assert_eq!(ben.ask(seek("Ben", "any", &clock(60_000))).await, Ok(None));
    let (game, seat) = ben.wait_for_pairing().await;
    assert_eq!((anna.wait_for_pairing().await, seat), ((game.clone(), Seat::White), Seat::Black));
    anna.wait_for_seeks(1).await;
    let state = get(server.at, &format!("/api/games/{game}/state")).send().await.json();
    assert_eq!(state["start"]["names"], json!({ "white": "Anna", "black": "Ben" }));
    // The game is public, and on the list of games to watch.
    let live = get(server.at, "/api/lobby").send().await.json();
    assert_eq!(live["games"][0]["id"], game);
    // The seeks of a connection end with it.
    drop(cho);
    anna.wait_for_seeks(0).await;
}

#[tokio::test]
async fn a_seek_is_taken_once_and_never_by_its_owner() {
    let server = TestServer::open().await;
    let keys = [key(server.at).await, key(server.at).await];
    let mut anna = LobbyClient::enter(server.at, Some(&keys[0])).await;
    let mut ben = LobbyClient::enter(server.at, Some(&keys[1])).await;
    let mut nobody = LobbyClient::enter(server.at, None).await;
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
    assert_eq!(
        (ben.wait_for_pairing().await.1, anna.wait_for_pairing().await.1),
        (Seat::White, Seat::Black)
    );
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
    let server = TestServer::open().await;
    let private = Pair::meet(server.at, json!({})).await;
    let public = Pair::meet(server.at, json!({ "visibility": "public" })).await;
    let lobby = get(server.at, "/api/lobby").send().await;
    assert!(lobby.text().contains(&public.game) && !lobby.text().contains(&private.game));
    for list in ["/api/games", "/api/games?player=Anna", "/api/games?status=live&text=ann"] {
        let games = get(server.at, list).send().await;
        let ids: Vec<Value> =
            games.json()["games"].as_array().unwrap().iter().map(|g| g["id"].clone()).collect();
        assert_eq!(ids, [json!(public.game)], "{list}");
    }
    // The players see their own game; another player with `mine` sees nothing.
    let mine = get(server.at, "/api/games?mine=true").key(&private.keys[0]).send().await;
    assert_eq!(mine.json()["games"][0]["id"], private.game);
    let other = get(server.at, "/api/games?mine=true").key(&key(server.at).await).send().await;
    assert_eq!(other.json()["games"], json!([]));
    assert_eq!(get(server.at, "/api/games?mine=true").send().await.json()["games"], json!([]));
    // A client that has the link can watch.
    let linked = get(server.at, &format!("/api/games/{}", private.game)).send().await;
    assert_eq!(linked.json()["live"], true);
}
