//! The SQLite store behaves as every store must.

use hansu_records::{SqliteStore, Store, conformance};

#[test]
fn the_sqlite_store_conforms() {
    let place = tempfile::tempdir().expect("a folder");
    let number = std::cell::Cell::new(0);
    conformance::run(&|| {
        number.set(number.get() + 1);
        let file = place.path().join(format!("{}.db", number.get()));
        Box::new(SqliteStore::open(&file).expect("a new log")) as Box<dyn Store>
    });
}
