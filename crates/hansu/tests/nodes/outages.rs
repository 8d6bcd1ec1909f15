//! The bus is killed, hangs and returns during games: play continues.

use std::time::Duration;

use hansu_ground::clients::{GameClient, clock, get};
use hansu_protocol::Wish;
use serde_json::json;

use super::{Town, sees};

#[tokio::test]
async fn play_goes_on_while_the_bus_is_away_and_nobody_is_said_to_have_left() {
    let mut town = Town::found(2).await;
    let mut pair = town.meet(0, 1, json!({ "time": clock(600_000) })).await;
    let mut watcher = GameClient::join(town.at(1), &pair.game, None).await;
    sees(&mut pair.white, (true, true, 1)).await;
    pair.play("e2e4 e7e5").await;

    // Killed: the first moves arrive before any node has noticed.
    town.nats.kill().expect("a kill");
    pair.play("g1f3 b8c6 f1b5").await;
    watcher.reach(pair.black.seq).await;
    pair.black.ask(Wish::Chat { text: "still here".into(), name: None }).await.expect("chat");
    pair.white.event("chatted").await;
    let ready = get(town.at(0), "/readyz").send().await;
    assert_eq!((ready.status, ready.text()), (200, "ok\nbus: away\n"));

    // Longer than the grace: the presence of the other node's player is unknown, so no player has
    // left.
    tokio::time::sleep(Duration::from_secs(9)).await;
    town.nats.restart().expect("NATS");
    town.knows(0, 1).await;
    town.knows(1, 1).await;
    pair.play("a7a6 b5a4").await;
    watcher.reach(pair.black.seq).await;
    assert_eq!(get(town.at(0), "/readyz").send().await.text(), "ok\nbus: up\n");

    // Hanging: the connections stay open, but no message arrives.
    town.nats.freeze();
    pair.play("g8f6 e1g1 f8e7").await;
    watcher.reach(pair.black.seq).await;
    // Wait until the nodes have noticed.
    town.until(0, "hansu_bus_up", 0.0).await;
    pair.play("f1e1 b7b5").await;
    watcher.reach(pair.black.seq).await;
    town.nats.thaw();
    town.knows(0, 1).await;
    town.knows(1, 1).await;
    pair.play("a4b3 e8g8").await;
    watcher.reach(pair.black.seq).await;

    // A player that leaves while the bus is away is reported when it is back.
    town.nats.kill().expect("a kill");
    town.until(0, "hansu_bus_up", 0.0).await;
    drop(watcher);
    town.nats.restart().expect("NATS");
    sees(&mut pair.white, (true, true, 0)).await;
    assert_eq!(town.count(&pair.game, "left"), 0, "nobody left");
    assert_eq!(town.count(&pair.game, "moved"), 14);
    town.is_calm();
}
