//! Several nodes that create or migrate the tables at once, and programs of two versions.

use std::sync::Barrier;

use hansu_ground::Postgres;
use hansu_records::{Archive, Error, GameId, Log, PostgresStore};

use super::{SMALL, append, open};

#[test]
fn of_nodes_that_start_at_once_one_makes_the_tables() {
    let server = Postgres::shared().expect("a server");
    for _ in 0..3 {
        let address = server.fresh().expect("a place");
        let start = Barrier::new(6);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    start.wait();
                    let store = open(&address);
                    store.append(append(GameId::random().expect("an id"), 1, "x")).expect("a game");
                });
            }
        });
        let store = open(&address);
        assert_eq!(store.count(&hansu_records::Filter::default()), Ok(6));
        assert_eq!(store.check(), Ok(()));
    }
}

#[test]
fn a_newer_database_is_written_unless_it_forbids_it() {
    let server = Postgres::shared().expect("a server");
    let address = server.fresh().expect("a place");
    let schema = address.rsplit("%3D").next().expect("a name").to_owned();
    let store = open(&address);
    let game = GameId::random().expect("an id");
    store.append(append(game, 1, "one")).expect("a game");
    let known = server.run(&format!("SELECT version FROM {schema}.hansu")).expect("a version");
    // A node of a later version has added a table.
    server
        .run(&format!(
            "UPDATE {schema}.hansu SET version = 99; ALTER TABLE {schema}.games ADD extra int"
        ))
        .expect("a change");
    store.append(append(game, 2, "two")).expect("an event");
    open(&address).append(append(game, 3, "three")).expect("an event");
    // And a change that this version must not write after.
    server.run(&format!("UPDATE {schema}.hansu SET oldest = 99")).expect("a change");
    let newer = Error::Newer { found: 99, known: known.parse().expect("a number") };
    assert_eq!(PostgresStore::open_with(&address, SMALL).err(), Some(newer));
    assert_eq!(store.append(append(game, 4, "four")), Err(newer), "it was open before");
    assert_eq!(store.events(game, 0, 9).map(|events| events.len()), Ok(3));
}

#[test]
fn tables_of_somebody_else_are_left_alone() {
    let server = Postgres::shared().expect("a server");
    let address = server.fresh().expect("a place");
    let schema = address.rsplit("%3D").next().expect("a name");
    server.run(&format!("CREATE TABLE {schema}.games (theirs int)")).expect("a table");
    assert_eq!(PostgresStore::open_with(&address, SMALL).err(), Some(Error::Foreign));
    let left = server
        .run(&format!("SELECT count(*) FROM pg_tables WHERE schemaname = '{schema}'"))
        .expect("a number");
    assert_eq!(left, "1");
}
