//! Runs the conformance tests on the SQLite store.

use std::sync::atomic::{AtomicUsize, Ordering};

use hansu_records::{SqliteStore, Store, conformance};

#[test]
fn the_sqlite_store_conforms() {
    let place = tempfile::tempdir().expect("a folder");
    let number = AtomicUsize::new(0);
    conformance::run(&|| {
        let number = number.fetch_add(1, Ordering::Relaxed);
        let file = place.path().join(format!("{number}.db"));
        Box::new(SqliteStore::open(&file).expect("a new log")) as Box<dyn Store>
    });
}
