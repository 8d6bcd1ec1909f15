//! Damaged, foreign and newer files: a clear error, and not a byte is changed.

use std::fs;
use std::path::{Path, PathBuf};

use hansu_records::stats::Viewer;
use hansu_records::store::{Batch, Imported};
use hansu_records::{
    Append, Archive, Error, Filter, GameId, Log, NewEvent, Page, Source, SqliteStore, Status,
    Summary,
};

/// A closed log of some hundred pages.
fn log(folder: &Path) -> PathBuf {
    let file = folder.join("games.db");
    let store = SqliteStore::open(&file).expect("a new log");
    let game = |round: u32| {
        let mut summary = Summary::new("Anna", "Ben", Source::Import);
        summary.status = Status::Finished;
        summary.headers = vec![("Round".to_owned(), round.to_string())];
        Imported { id: None, summary, tags: vec![], note: None }
    };
    let games = (0..2_000).map(game).collect();
    store.import(Batch { games, ..Batch::default() }).expect("a batch");
    drop(store);
    assert!(!folder.join("games.db-wal").exists(), "a closed log is one file");
    file
}

fn refused(file: &Path) -> Error {
    let before = fs::read(file).expect("a file");
    let error = SqliteStore::open(file).err().expect("it must be refused");
    assert_eq!(fs::read(file).expect("a file"), before, "not a byte may change");
    error
}

#[test]
fn an_overwritten_beginning_is_damage() {
    let place = tempfile::tempdir().expect("a folder");
    let file = log(place.path());
    let mut bytes = fs::read(&file).expect("a file");
    bytes[..64].fill(0x55);
    fs::write(&file, bytes).expect("a file");
    assert_eq!(refused(&file), Error::Damaged);
}

#[test]
fn a_file_that_was_cut_off_is_damage() {
    let place = tempfile::tempdir().expect("a folder");
    let file = log(place.path());
    let bytes = fs::read(&file).expect("a file");
    for length in [bytes.len() / 2, 4_096, 4_000, 100, 50] {
        fs::write(&file, &bytes[..length]).expect("a file");
        assert_eq!(refused(&file), Error::Damaged, "{length} bytes");
    }
}

#[test]
fn other_files_are_not_logs() {
    let place = tempfile::tempdir().expect("a folder");
    let text = place.path().join("letter.txt");
    fs::write(&text, "Dear log,\n".repeat(1_000)).expect("a file");
    assert_eq!(refused(&text), Error::Damaged);
    let theirs = place.path().join("theirs.db");
    let connection = rusqlite::Connection::open(&theirs).expect("a database");
    connection.execute_batch("CREATE TABLE theirs (x)").expect("a table");
    drop(connection);
    assert_eq!(refused(&theirs), Error::Foreign);
    assert!(SqliteStore::open(place.path()).is_err(), "a folder is no file");
}

#[test]
fn a_newer_log_is_refused_with_both_versions() {
    let place = tempfile::tempdir().expect("a folder");
    let file = log(place.path());
    let connection = rusqlite::Connection::open(&file).expect("a database");
    connection.pragma_update(None, "user_version", 99).expect("a version");
    drop(connection);
    let error = refused(&file);
    assert!(matches!(error, Error::Newer { found: 99, known: 1.. }), "{error:?}");
    assert!(error.to_string().contains("99"));
}

/// Random pages in the middle: every answer must be right or an error.
#[test]
fn rubbish_in_the_middle_is_found_and_never_acknowledged_over() {
    let place = tempfile::tempdir().expect("a folder");
    let file = log(place.path());
    let bytes = fs::read(&file).expect("a file");
    let pages = bytes.len() / 4_096;
    assert!(pages > 50, "{pages}");
    let (mut opened, mut found) = (0, 0);
    for page in (1..pages).step_by(3) {
        let mut broken = bytes.clone();
        let start = page * 4_096;
        for (offset, byte) in broken[start..start + 4_096].iter_mut().enumerate() {
            *byte = (offset as u8).wrapping_mul(37).wrapping_add(page as u8);
        }
        for end in ["-wal", "-shm"] {
            let _ = fs::remove_file(place.path().join(format!("games.db{end}")));
        }
        fs::write(&file, &broken).expect("a file");
        let Ok(store) = SqliteStore::open(&file) else {
            continue;
        };
        opened += 1;
        found += usize::from(store.check() == Err(Error::Damaged));
        let _ = store.list(&Filter::default(), &Page::default());
        let _ = store.totals(Viewer::Keeper);
        let game = GameId::random().expect("a name");
        let answer = store.append(Append {
            game,
            expected: 1,
            command_key: None,
            events: vec![NewEvent { at: 0, body: "{}".to_owned() }],
            row: Summary::new("Anna", "Ben", Source::Local).into(),
            begins: None,
            next: None,
        });
        match answer {
            Ok(_) => assert_eq!(store.events(game, 0, 9).map(|e| e.len()), Ok(1)),
            Err(error) => assert!(
                matches!(error, Error::Damaged | Error::Disk(_) | Error::Sqlite(_)),
                "{error:?}"
            ),
        }
    }
    println!("{opened} opened, {found} found by the check");
    assert!(found > 10 && found * 10 >= opened * 9, "{found} of {opened}");
}
