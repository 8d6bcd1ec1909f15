//! The PostgreSQL store against a real server: conformance, kills, races, copies, plans, TLS.

mod copies;
mod kills;
mod plans;
mod several;
mod tls;
mod versions;

use hansu_ground::Postgres;
use hansu_records::{
    Append, GameId, NewEvent, PostgresOptions, PostgresStore, Row, Source, Store, Summary,
    conformance,
};

/// Few connections, because many stores share one server in these tests.
const SMALL: PostgresOptions = PostgresOptions { queue: 1_024, writers: 2, readers: 2 };

fn open(address: &str) -> PostgresStore {
    PostgresStore::open_with(address, SMALL).expect("a log")
}

/// An append of one event; its text is also its command key.
fn append(game: GameId, expected: u64, text: &str) -> Append {
    Append {
        game,
        expected,
        command_key: Some(text.to_owned()),
        events: vec![NewEvent { at: 1_000, body: text.to_owned() }],
        row: Summary::new("Anna", "Ben", Source::Online).into(),
        begins: None,
        next: None,
    }
}

/// The whole row of an append.
fn given(append: &mut Append) -> &mut Summary {
    match &mut append.row {
        Row::Whole(row) => row,
        Row::Played(_) => panic!("a whole row"),
    }
}

#[test]
fn the_postgres_store_conforms() {
    let server = Postgres::shared().expect("a server");
    conformance::run(&|| Box::new(open(&server.fresh().expect("a place"))) as Box<dyn Store>);
}
