//! Clocks follow the database's; a node that cannot trust its own says so.

use std::time::Duration;

use hansu_ground::clients::{get, key, post};
use hansu_ground::process::Process;
use hansu_ground::{Nats, Postgres};
use serde_json::json;

use super::Town;

use crate::HANSU;

#[tokio::test]
async fn a_node_follows_the_databases_clock_and_is_not_ready_when_that_jumps() {
    let postgres = Postgres::hasty().expect("PostgreSQL");
    let nats = Nats::start().expect("NATS");
    // A database whose clock can be set: a function of ours shadows the database's own.
    postgres
        .run(
            "CREATE SCHEMA turned;
             CREATE TABLE turned.skew (by interval NOT NULL);
             INSERT INTO turned.skew VALUES ('1 hour');
             CREATE FUNCTION turned.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
               AS 'SELECT pg_catalog.clock_timestamp() + by FROM turned.skew'",
        )
        .expect("a schema");
    let address = format!("{}?options=-c%20search_path%3Dturned,pg_catalog", postgres.address());
    let folder = tempfile::tempdir().expect("a folder");
    let bus = nats.address();
    let arguments = ["--database", &address, "--bus", &bus];
    let node = Process::over(HANSU, arguments.map(AsRef::as_ref), folder.path(), "warn");
    assert_eq!(get(node.at, "/readyz").send().await.status, 200);
    // The database is an hour ahead of this machine: events have the database's time.
    let owner = key(node.at).await;
    let new = json!({ "with": "local", "name": "Anna", "other": "Ben" });
    let made = post(node.at, "/api/games", &new).key(&owner).send().await.json();
    let game = made["game"].as_str().expect("a game");
    let at: i64 = postgres
        .run(&format!("SELECT at FROM turned.games WHERE id = '{game}'"))
        .expect("a row")
        .parse()
        .expect("a time");
    let here = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let ahead = at - i64::try_from(here.as_millis()).unwrap();
    assert!((3_590_000..3_601_000).contains(&ahead), "{ahead} ms ahead");

    postgres.run("UPDATE turned.skew SET by = '1 hour 5 seconds'").expect("a turn");
    let mut answers = Vec::new();
    for _ in 0..60 {
        let ready = get(node.at, "/readyz?lang=en").send().await;
        answers.push(ready.status);
        if ready.status == 503 {
            assert_eq!(ready.refusal(), (503, "clock_in_doubt".to_owned()));
            assert!(ready.text().contains("clocks"));
        } else if answers.contains(&503) {
            // The next measurement confirms it.
            return;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    panic!("{answers:?}");
}

#[tokio::test]
async fn a_new_node_credits_nobody_while_another_is_alive() {
    let mut town = Town::found(1).await;
    let mut pair = town.meet(0, 0, json!({ "time": hansu_ground::clients::clock(60_000) })).await;
    pair.play("e2e4 e7e5").await;
    town.beats_after(&pair.game).await;
    town.grow();
    town.knows(1, 1).await;
    pair.play("g1f3").await;
    town.credited_no_outage(&pair.game);
}
