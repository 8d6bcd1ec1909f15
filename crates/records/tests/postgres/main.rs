//! The PostgreSQL store against a real server: as every store must behave, killed, raced, and moved
//! to and fro.

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

/// Few connections: many stores share one server here.
const SMALL: PostgresOptions = PostgresOptions { queue: 1_024, writers: 2, readers: 2 };

fn open(address: &str) -> PostgresStore {
    PostgresStore::open_with(address, SMALL).expect("a log")
}

/// An append of one event, named by its text.
fn append(game: GameId, expected: u64, text: &str) -> Append {
    Append {
        game,
        expected,
        client: Some(text.to_owned()),
        events: vec![NewEvent { at: 1_000, body: text.to_owned() }],
        row: Summary::new("Anna", "Ben", Source::Online).into(),
        begins: None,
        next: None,
    }
}

/// The row that an append gives.
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
