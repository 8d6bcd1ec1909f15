//! Migrates a file to the version of this program, after making a copy of it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension};

use super::errors::retry_while_busy;
use super::schema::APPLICATION;
use crate::{Error, dates};

/// Checks a file before anything is written to it.
///
/// # Errors
///
/// When it is damaged, is not a log, or is newer than `known`.
pub(crate) fn inspect(connection: &Connection, known: i64) -> Result<(), Error> {
    let ((application, version), tables) = retry_while_busy(|| {
        // In one snapshot: another process may be creating this log.
        let moment = connection.unchecked_transaction()?;
        let first = "SELECT 1 FROM sqlite_schema LIMIT 1";
        Ok((marks(&moment)?, moment.query_row(first, [], |_| Ok(())).optional()?))
    })?;
    match (application, version, tables) {
        (0, 0, None) => Ok(()),
        (APPLICATION, ..) if version > known => Err(Error::Newer { found: version, known }),
        (APPLICATION, ..) => Ok(()),
        _ => Err(Error::Foreign),
    }
}

fn marks(connection: &Connection) -> rusqlite::Result<(i64, i64)> {
    let mark = |name| connection.pragma_query_value(None, name, |row| row.get(0));
    Ok((mark("application_id")?, mark("user_version")?))
}

/// Runs the missing migrations, all or none. Several processes may do this at once: the one that
/// holds the write lock does it, the others find it done.
///
/// # Errors
///
/// A storage error, or [`Error::Newer`].
pub(crate) fn migrate(
    connection: &Connection,
    file: &Path,
    migrations: &[&str],
) -> Result<(), Error> {
    let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    let (_, found) = retry_while_busy(|| marks(connection))?;
    if found == known {
        return Ok(());
    }
    retry_while_busy(|| connection.execute_batch("BEGIN IMMEDIATE"))?;
    let taken = take(connection, file, migrations, known);
    if let Err(error) = taken {
        // After a disk error the transaction may already be rolled back.
        let _ = connection.execute_batch("ROLLBACK");
        return Err(error);
    }
    Ok(connection.execute_batch("COMMIT")?)
}

/// Runs the missing migrations; the caller holds the write lock.
fn take(
    connection: &Connection,
    file: &Path,
    migrations: &[&str],
    known: i64,
) -> Result<(), Error> {
    let (_, found) = marks(connection)?;
    let missing = usize::try_from(found).ok().and_then(|taken| migrations.get(taken..));
    let missing = missing.ok_or(Error::Newer { found, known })?;
    // A new file has nothing to copy.
    if found > 0 && !missing.is_empty() {
        copy(file, found)?;
    }
    for migration in missing {
        connection.execute_batch(migration)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", known)?;
    Ok(())
}

/// Makes a consistent copy beside the file. The caller holds the write lock, so nothing changes
/// meanwhile; another connection can read everything that was committed.
fn copy(file: &Path, version: i64) -> Result<PathBuf, Error> {
    let name = |end: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(format!(".v{version}-{}{end}", dates::now()));
        PathBuf::from(name)
    };
    let (partial, whole) = (name(".partial"), name(".bak"));
    let reader = Connection::open(file)?;
    reader.execute(
        "VACUUM INTO ?1",
        [partial.to_str().ok_or(Error::Io(std::io::ErrorKind::InvalidFilename))?],
    )?;
    File::open(&partial)?.sync_all()?;
    fs::rename(&partial, &whole)?;
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::super::schema::MIGRATIONS;
    use super::*;
    use crate::stats::{Facet, Viewer};
    use crate::{
        Append, Archive, Filter, Holder, Log, NewEvent, Page, Score, SqliteStore, Status,
        Visibility,
    };

    fn open(file: &Path) -> Connection {
        let connection = Connection::open(file).unwrap();
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
        connection
    }

    fn copies(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension() == Some("bak".as_ref())).collect()
    }

    #[test]
    fn a_step_is_taken_after_a_copy_and_keeps_what_is_there() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("games.db");
        let connection = open(&file);
        migrate(&connection, &file, MIGRATIONS).unwrap();
        assert_eq!(copies(place.path()), [] as [PathBuf; 0], "nothing to copy at first");
        connection.execute("INSERT INTO words (text) VALUES ('before')", []).unwrap();

        let mut migrations = MIGRATIONS.to_vec();
        migrations.push("ALTER TABLE words ADD COLUMN more TEXT; UPDATE words SET more = 'after'");
        migrate(&connection, &file, &migrations).unwrap();
        let row: (String, String) = connection
            .query_row("SELECT text, more FROM words", [], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap();
        assert_eq!(row, ("before".to_owned(), "after".to_owned()));

        let copies = copies(place.path());
        assert_eq!(copies.len(), 1);
        let copy = Connection::open(&copies[0]).unwrap();
        let before: String =
            copy.query_row("SELECT text FROM words", [], |row| row.get(0)).unwrap();
        assert_eq!(before, "before");
        assert_eq!(marks(&copy).unwrap(), (APPLICATION, MIGRATIONS.len() as i64));
        // The second time there is nothing to do.
        migrate(&connection, &file, &migrations).unwrap();
        assert_eq!(self::copies(place.path()).len(), 1);
    }

    #[test]
    fn a_failing_step_changes_nothing() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("games.db");
        let connection = open(&file);
        migrate(&connection, &file, MIGRATIONS).unwrap();
        let mut migrations = MIGRATIONS.to_vec();
        migrations.push("CREATE TABLE half (x); CREATE TABLE words (x)");
        assert!(migrate(&connection, &file, &migrations).is_err());
        assert_eq!(marks(&connection).unwrap().1, MIGRATIONS.len() as i64);
        let half = connection.prepare("SELECT * FROM half");
        assert!(half.is_err());
        assert!(connection.is_autocommit());
    }

    #[test]
    fn a_newer_file_and_a_foreign_one_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("games.db");
        let connection = open(&file);
        connection.execute_batch("CREATE TABLE theirs (x)").unwrap();
        assert_eq!(inspect(&connection, 1), Err(Error::Foreign));
        connection.pragma_update(None, "application_id", APPLICATION).unwrap();
        connection.pragma_update(None, "user_version", 7).unwrap();
        let newer = Err(Error::Newer { found: 7, known: 1 });
        assert_eq!(inspect(&connection, 1), newer);
        assert_eq!(migrate(&connection, &file, &["SELECT 1"]), newer);
    }

    fn in_text(text: &str) -> Filter {
        Filter { text: Some(text.to_owned()), ..Filter::default() }
    }

    #[test]
    fn a_log_that_is_being_made_is_never_a_foreign_one() {
        for _ in 0..50 {
            let place = tempfile::tempdir().unwrap();
            let file = place.path().join("games.db");
            let (maker, looker) = (open(&file), open(&file));
            std::thread::scope(|scope| {
                let looking = scope.spawn(move || {
                    // Inspects as often as possible until the log exists, to hit the middle of its
                    // creation.
                    while marks(&looker).unwrap().0 != APPLICATION {
                        inspect(&looker, MIGRATIONS.len() as i64)?;
                    }
                    Ok::<_, Error>(())
                });
                migrate(&maker, &file, MIGRATIONS).unwrap();
                looking.join().unwrap().unwrap();
            });
        }
    }

    #[test]
    fn what_was_written_before_owners_belongs_to_the_players() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("games.db");
        let connection = open(&file);
        migrate(&connection, &file, &MIGRATIONS[..1]).unwrap();
        connection.execute_batch(include_str!("version1.sql")).unwrap();
        migrate(&connection, &file, &MIGRATIONS[..5]).unwrap();
        // A private game of two players, with a note.
        connection
            .execute_batch(
                "UPDATE games SET visibility = 1 WHERE n = 1;
                 INSERT INTO seats VALUES (CAST(zeroblob(31) || x'01' AS BLOB), 1700000000000, 1, 0);
                 INSERT INTO seats VALUES (CAST(zeroblob(31) || x'02' AS BLOB), 1700000000000, 1, 1);
                 INSERT INTO notes VALUES (1, 'a trap for beginners');
                 INSERT INTO notes_text (rowid, text) VALUES (1, 'a trap for beginners');",
            )
            .unwrap();
        drop(connection);
        let store = SqliteStore::open(&file).unwrap();
        let holder = |last| {
            let mut hash = [0; 32];
            hash[31] = last;
            Viewer::Guest(Some(Holder(hash)))
        };
        let seen = |viewer, game: &str| {
            let record = store.record_for(viewer, game.parse().unwrap()).unwrap().unwrap();
            (record.tags, record.note)
        };
        let theirs = (vec!["kept".to_owned()], Some("a trap for beginners".to_owned()));
        for player in [holder(1), holder(2)] {
            assert_eq!(seen(player, "FoolsMate001"), theirs);
            assert_eq!(store.count(&Filter { viewer: player, ..in_text("for begin") }), Ok(1));
            assert_eq!(store.totals(player).unwrap().games(), 2);
        }
        assert_eq!(seen(holder(3), "FoolsMate001"), (vec![], None));
        assert_eq!(store.totals(holder(3)).unwrap().games(), 1);
        assert_eq!(store.player(holder(3), "벤"), Ok(None), "only in a private game");
        // Tags of a game without players belong to the keeper.
        let keeper = seen(Viewer::Keeper, "StillPlaying").0;
        assert_eq!((keeper, seen(holder(1), "StillPlaying").0), (vec!["kept".to_owned()], vec![]));
    }

    #[test]
    fn a_log_of_version_1_is_gone_on_with() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("games.db");
        let connection = open(&file);
        migrate(&connection, &file, &MIGRATIONS[..1]).unwrap();
        connection.execute_batch(include_str!("version1.sql")).unwrap();
        drop(connection);
        let store = SqliteStore::open(&file).unwrap();

        let copies = copies(place.path());
        assert_eq!(copies.len(), 1);
        let copy = Connection::open(&copies[0]).unwrap();
        assert_eq!(marks(&copy).unwrap(), (APPLICATION, 1));
        let games: i64 =
            copy.query_row("SELECT count(*) FROM games", [], |row| row.get(0)).unwrap();
        assert_eq!(games, 3);

        // Everything is there and public, and no game has seats.
        let all = store.list(&Filter::default(), &Page::default()).unwrap().games;
        let names: Vec<&str> = all.iter().map(|game| game.id.as_str()).collect();
        assert_eq!(names, ["StillPlaying", "FoolsMate001", "FromAFile001"]);
        for (visibility, games) in [(Visibility::Public, 3), (Visibility::Private, 0)] {
            let filter = Filter { visibility: Some(visibility), ..Filter::default() };
            let listed = store.list(&filter, &Page::default()).unwrap();
            assert_eq!((listed.games.len(), store.count(&filter)), (games, Ok(games as u64)));
        }
        for game in &all {
            assert_eq!(store.seats(game.id), Ok(vec![]));
        }
        let [live, mate, paper] = &all[..] else { panic!("{all:?}") };
        assert_eq!((live.last_seq, live.summary.deadline), (3, Some(1_700_000_335_000)));
        assert_eq!(live.summary.moves.to_string(), "e2e4 c7c5 g1f3");
        assert_eq!(store.events(mate.id, 0, 9).unwrap().len(), 4);
        assert_eq!((mate.summary.score, mate.tags.len()), (Score::Black, 1));
        assert_eq!(paper.note.as_deref(), Some("a note on paper"));
        assert_eq!(paper.summary.header("Round"), Some("3"));
        for viewer in [Viewer::Keeper, Viewer::Guest(None)] {
            assert_eq!(store.totals(viewer).unwrap().games(), 2);
            assert_eq!(store.by(viewer, Facet::Month, None).unwrap().len(), 2);
            assert_eq!(store.players(viewer, 9).unwrap().len(), 3);
        }
        assert_eq!(store.count(&in_text("on paper")), Ok(1));
        let plies = |shortest, longest| {
            let filter =
                Filter { shortest: Some(shortest), longest: Some(longest), ..Filter::default() };
            store.count(&filter).unwrap()
        };
        assert_eq!((plies(3, 4), plies(4, 4), plies(0, 0)), (2, 1, 1));
        let answered = (store.find_command(live.id, "c2"), store.last_beat());
        assert_eq!(answered, (Ok(Some(3)), Ok(None)));

        // The game continues, and ends as a private one.
        let mut summary = live.summary.clone();
        summary.status = Status::Finished;
        summary.visibility = Visibility::Private;
        let events = vec![NewEvent { at: 1, body: "{}".to_owned() }];
        let end = Append {
            game: live.id,
            expected: 4,
            command_key: None,
            events,
            row: summary.into(),
            begins: None,
            next: None,
        };
        store.append(end).unwrap();
        let hidden = Filter { visibility: Some(Visibility::Private), ..Filter::default() };
        assert_eq!(store.count(&hidden), Ok(1));
        assert_eq!(store.totals(Viewer::Keeper).unwrap().games(), 3);
        assert_eq!(store.totals(Viewer::Guest(None)).unwrap().games(), 2);
        assert_eq!(store.check(), Ok(()));
    }

    #[test]
    fn a_migrated_log_has_the_tables_of_a_new_one() {
        let place = tempfile::tempdir().unwrap();
        let tables = |file: &Path| {
            let connection = open(file);
            let sql = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
            let mut query = connection.prepare(sql).unwrap();
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            rows.map(Result::unwrap).collect::<Vec<(String, String)>>()
        };
        let (old, new) = (place.path().join("old.db"), place.path().join("new.db"));
        for migration in 1..=MIGRATIONS.len() {
            migrate(&open(&old), &old, &MIGRATIONS[..migration]).unwrap();
        }
        migrate(&open(&new), &new, MIGRATIONS).unwrap();
        assert_eq!(tables(&old), tables(&new));
        assert_eq!(copies(place.path()).len(), MIGRATIONS.len() - 1);
    }
}
