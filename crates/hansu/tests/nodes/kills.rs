//! Nodes are killed: their players continue at other nodes; players that do not return have left.

use hansu_ground::clients::{GameClient, clock};
use hansu_ground::process::GRACE;
use hansu_protocol::Wish;
use serde_json::json;

use super::{Town, sees};

#[tokio::test]
async fn players_of_a_killed_node_go_on_at_another() {
    let mut town = Town::found(2).await;
    let mut pair = town.meet(0, 1, json!({ "time": clock(600_000) })).await;
    let mut other = town.meet(0, 1, json!({ "time": clock(600_000) })).await;
    pair.play("e2e4 e7e5").await;
    other.play("d2d4 d7d5").await;
    sees(&mut pair.white, (true, true, 0)).await;

    // A move is being sent when the node dies: it is sent again to the other node, executed once.
    pair.white.go("g1f3").await.expect("a move");
    pair.black.reach(pair.white.seq).await;
    pair.black.send("last", Wish::Move { uci: "b8c6".into() }).await;
    town.nodes[1].signal("-KILL");
    assert_eq!(town.nodes[1].wait_for_exit(GRACE).await, None);
    let seq = pair.black.seq;
    let mut black = GameClient::resume(town.at(0), &pair.game, Some(&pair.keys[1]), seq).await;
    black.send("last", Wish::Move { uci: "b8c6".into() }).await;
    black.answer("last").await.expect("a move, once");
    pair.white.reach(black.seq).await;
    assert_eq!(town.count(&pair.game, "moved"), 4);

    // The player that does not reconnect is shown as absent, and then as left.
    sees(&mut other.white, (true, false, 0)).await;
    assert_eq!(other.white.event("left").await["side"], "black");
    assert_eq!(town.count(&other.game, "left"), 1);
    assert_eq!(town.count(&pair.game, "left"), 0);

    // A new node replaces the old one, and the player reconnects there. No clock was credited, since
    // there was always a node.
    town.beats_after(&other.game).await;
    town.grow();
    let mut back = GameClient::join(town.at(2), &other.game, Some(&other.keys[1])).await;
    assert_eq!(other.white.event("returned").await["side"], "black");
    sees(&mut other.white, (true, true, 0)).await;
    let seq = other.white.go("c2c4").await.expect("a move");
    back.reach(seq).await;
    town.credited_no_outage(&other.game);

    // A player that closes the window is reported after the same grace, and can reconnect to either
    // node.
    drop(back);
    sees(&mut other.white, (true, false, 0)).await;
    assert_eq!(other.white.event("left").await["side"], "black");
    let mut back = GameClient::join(town.at(0), &other.game, Some(&other.keys[1])).await;
    other.white.event("returned").await;
    back.go("e7e6").await.expect("a move");
    let often = (town.count(&other.game, "left"), town.count(&other.game, "returned"));
    assert_eq!(often, (2, 2), "{}", town.story(&other.game));
    town.is_calm();
}
