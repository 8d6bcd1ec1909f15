//! Players, spectators and seekers at different nodes, with everything in order.

use std::process::Command;
use std::time::Duration;

use hansu_ground::Nats;
use hansu_ground::clients::{GameClient, LobbyClient, clock, get, key, post, seek};
use hansu_protocol::{self as wire, GivenKey, Made, Wish};
use serde_json::json;

use super::{Town, sees};

#[tokio::test]
async fn players_and_spectators_at_three_nodes_share_a_game() {
    let town = Town::found(3).await;
    let mut pair = town.meet(0, 1, json!({ "time": clock(6_000), "visibility": "public" })).await;
    let mut watcher = GameClient::join(town.at(2), &pair.game, None).await;
    for seat in [&mut pair.white, &mut pair.black, &mut watcher] {
        sees(seat, (true, true, 1)).await;
    }
    pair.play("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6").await;
    watcher.reach(pair.white.seq).await;
    assert_eq!(watcher.event("moved").await["uci"], "e2e4");

    // A chat message at one node arrives at the others.
    pair.black.ask(Wish::Chat { text: "hello".into(), name: None }).await.expect("chat");
    assert_eq!(pair.white.event("chatted").await["text"], "hello");
    assert_eq!(watcher.event("chatted").await["text"], "hello");

    // One node has not loaded the game, another one has.
    let state = get(town.at(2), &format!("/api/games/{}/state", pair.game)).send().await.json();
    assert_eq!(state["seq"], pair.black.seq);
    let listed = get(town.at(2), "/api/lobby").send().await.json();
    assert_eq!(listed["games"][0]["id"], pair.game.as_str());

    // White does not move: one flag falls, and all nodes show it.
    for seat in [&mut pair.white, &mut pair.black, &mut watcher] {
        let ended = seat.event("ended").await;
        assert_eq!((&ended["winner"], &ended["reason"]), (&json!("black"), &json!("timeout")));
    }
    assert_eq!(town.count(&pair.game, "ended"), 1);
    assert_eq!(town.count(&pair.game, "left"), 0, "nobody left");

    // A rematch is offered at one node and accepted at the other.
    let what = hansu_play::Offer::Rematch;
    pair.white.ask(Wish::Offer { what }).await.expect("an offer");
    pair.black.event("offered").await;
    pair.black.ask(Wish::Accept { what }).await.expect("a rematch");
    let next =
        pair.white.event("rematch_agreed").await["next"].as_str().expect("a game").to_owned();
    let mut white = GameClient::join(town.at(2), &next, Some(&pair.keys[1])).await;
    let mut black = GameClient::join(town.at(0), &next, Some(&pair.keys[0])).await;
    let seq = white.go("d2d4").await.expect("a move");
    black.reach(seq).await;
    town.is_calm();
}

#[tokio::test]
async fn those_who_seek_at_two_nodes_meet_with_the_bus_and_without() {
    let mut town = Town::found(2).await;
    for bus in [true, false] {
        if !bus {
            town.nats.kill().expect("a kill");
            town.until(0, "hansu_bus_up", 0.0).await;
            town.until(1, "hansu_bus_up", 0.0).await;
        }
        let keys = [key(town.at(0)).await, key(town.at(1)).await];
        let mut anna = LobbyClient::enter(town.at(0), Some(&keys[0])).await;
        let mut ben = LobbyClient::enter(town.at(1), Some(&keys[1])).await;
        let wish = seek("Anna", "white", &clock(60_000));
        assert!(anna.ask(wish.clone()).await.expect("a seek").is_some());
        ben.wait_for_seeks(1).await;
        anna.ask(json!({ "type": "cancel" })).await.expect("cancelled");
        ben.wait_for_seeks(0).await;

        anna.ask(wish).await.expect("a seek");
        assert_eq!(ben.ask(seek("Ben", "any", &clock(60_000))).await, Ok(None));
        let (game, seat) = ben.wait_for_pairing().await;
        assert_eq!(seat, wire::Seat::Black);
        assert_eq!(anna.wait_for_pairing().await, (game.clone(), wire::Seat::White));
        let mut white = GameClient::join(town.at(0), &game, Some(&keys[0])).await;
        let mut black = GameClient::join(town.at(1), &game, Some(&keys[1])).await;
        let seq = white.go("e2e4").await.expect("a move");
        black.reach(seq).await;

        // Many at once: each client gets exactly one game.
        let mut visitors = Vec::new();
        for number in 0..10 {
            let at = town.at(number % 2);
            visitors.push(LobbyClient::enter(at, Some(&key(at).await)).await);
        }
        for (number, visitor) in visitors.iter_mut().enumerate() {
            let mut wish = seek("Cho", "any", &clock(120_000));
            wish["id"] = json!(format!("r{number}"));
            visitor.connection.send_json(&wish).await;
        }
        let mut games = Vec::new();
        for visitor in &mut visitors {
            games.push(visitor.wait_for_pairing().await.0);
        }
        games.sort();
        assert!(games.chunks(2).all(|two| two[0] == two[1]), "{games:?}");
        games.dedup();
        assert_eq!(games.len(), 5);
        // The seek of a client that disconnects is gone.
        let mut anna = LobbyClient::enter(town.at(0), Some(&keys[0])).await;
        anna.ask(seek("Anna", "any", &clock(30_000))).await.expect("a seek");
        let mut ben = LobbyClient::enter(town.at(1), Some(&keys[1])).await;
        if get(town.at(1), "/api/lobby").send().await.json()["seeks"] != json!([]) {
            drop(anna);
            ben.wait_for_seeks(0).await;
        }
    }
    town.is_calm();
}

#[tokio::test]
async fn what_one_address_uses_at_one_node_is_missing_at_the_other() {
    let town = Town::found_with(2, &["--behind-proxy"]).await;
    // The limit is 300 at once, then one per second.
    let mut made = [0; 2];
    for (node, tries) in [(0, 280), (1, 150)] {
        for _ in 0..tries {
            let asked = post(town.at(node), "/api/keys", &json!({}));
            let answer = asked.header("x-forwarded-for", "203.0.113.9").send().await;
            assert!([201, 429].contains(&answer.status), "{answer:?}");
            made[node] += usize::from(answer.status == 201);
        }
        if node == 0 {
            // The nodes exchange their rates every second.
            tokio::time::sleep(Duration::from_secs(4)).await;
        }
    }
    assert_eq!(made[0], 280);
    // How much of it returns meanwhile depends on the machine; without the exchange it would be all
    // 150.
    assert!((20..130).contains(&made[1]), "{made:?}");
}

#[tokio::test]
async fn a_bus_that_wants_a_password_gets_it() {
    let mut town = Town::found(1).await;
    town.nats = Nats::guarded("se cret").expect("NATS");
    town.bus = town.nats.address().replace("//", "//hansu:se%20cret@");
    town.grow();
    town.until(1, "hansu_bus_up", 1.0).await;
    town.bus = town.nats.address().replace("//", "//hansu:wrong@");
    town.grow();
    let ready = get(town.at(2), "/readyz").send().await;
    assert_eq!((ready.status, ready.text()), (200, "ok\nbus: away\n"));
}

#[test]
fn a_bus_without_a_database_is_refused() {
    let run = |lang: &str, arguments: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_hansu"))
            .arg("serve")
            .args(arguments)
            .env("LANG", lang)
            .env_remove("HANSU_DATABASE")
            .output()
            .expect("hansu serve");
        (run.status.code(), String::from_utf8(run.stderr).expect("text"))
    };
    let (status, told) = run("en_US.UTF-8", &["--bus", "nats://127.0.0.1:1"]);
    assert_eq!(status, Some(2));
    assert!(told.contains("--database"), "{told}");
    let (status, told) = run("ko_KR.UTF-8", &["--bus", "nats://127.0.0.1:1"]);
    assert_eq!(status, Some(2));
    assert!(told.contains("데이터베이스"), "{told}");
    let (status, told) = run("en_US.UTF-8", &["--bus", "http://anna:secret@bus"]);
    assert_eq!(status, Some(2));
    assert!(told.contains("nats://host:4222") && !told.contains("secret"), "{told}");
}

#[tokio::test]
async fn a_player_who_signs_out_at_one_node_is_out_at_the_others_with_the_bus_and_without() {
    let mut town = Town::found(2).await;
    for bus in [true, false] {
        if !bus {
            town.nats.kill().expect("a kill");
        }
        let mut pair = town.meet(0, 1, json!({})).await;
        // The invitation of a game that waits belongs to its host, at the other node too.
        let new = json!({ "with": "friend", "name": "Ben" });
        let waiting: Made =
            post(town.at(0), "/api/games", &new).key(&pair.keys[1]).send().await.read();
        let mut host = GameClient::join(town.at(1), &waiting.game, Some(&pair.keys[1])).await;
        let renew = |body| post(town.at(0), "/api/keys/renew", &body).key(&pair.keys[1]).send();
        let promised: GivenKey = renew(json!({})).await.read();
        let renewed = promised.key.expect("a key");
        assert_eq!(renew(json!({ "key": renewed })).await.status, 200);
        // Both connections at the other node are closed.
        while pair.black.next().await.is_some() {}
        while host.next().await.is_some() {}
        let mut thief = GameClient::join(town.at(1), &pair.game, Some(&pair.keys[1])).await;
        assert_eq!(thief.refusal_code(Wish::Resign).await, "not_seated");
        let seq = pair.white.go("e2e4").await.expect("a move");
        let mut black = GameClient::join(town.at(1), &pair.game, Some(&renewed)).await;
        black.reach(seq).await;
        black.go("e7e5").await.expect("a move");
    }
}
