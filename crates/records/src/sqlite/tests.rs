//! Tests for this store only: settings, query plans, queue.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use rusqlite::Connection;

use hansu_chess::{Color, Game, UciMove, Variant};

use super::queries::Plan;
use super::{FULL, OLDEST_LIBRARY, Options, SqliteStore, trusted};
use crate::conformance::grown::{self, HOLDER, filters, live_to_watch};
use crate::conformance::live;
use crate::counting::{Column, GameSet};
use crate::plan::Query;
use crate::stats::Facet;
use crate::{
    Append, Archive, Cursor, Error, Filter, GameId, Log, NewEvent, Order, Page, Played, Row, Score,
    Source, Summary, Visibility,
};

fn place() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn append(game: GameId, expected: u64) -> Append {
    Append {
        game,
        expected,
        command_key: None,
        events: vec![NewEvent { at: 0, body: "x".repeat(500) }],
        row: Summary::new("Anna", "Ben", Source::Online).into(),
        begins: None,
        next: None,
    }
}

/// Takes the write lock, as another process would.
fn lock(file: &Path) -> Connection {
    let connection = Connection::open(file).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    connection
}

#[test]
fn commits_are_durable_and_the_library_is_new_enough() {
    let place = place();
    let file = place.path().join("games.db");
    super::create(&file).unwrap();
    let connection = super::connect(&file, -1_000).unwrap();
    super::make_durable(&connection).unwrap();
    let synchronous: i64 =
        connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
    assert_eq!(synchronous, FULL);
    let mode: String =
        connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
    assert!(rusqlite::version_number() >= OLDEST_LIBRARY);
    assert_eq!(trusted(3_051_003), Ok(()));
    assert_eq!(trusted(3_051_002), Err(Error::OldLibrary { found: 3_051_002 }));
}

#[cfg(unix)]
#[test]
fn a_new_log_is_for_its_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    let store = SqliteStore::open(&place.path().join("games.db")).unwrap();
    let mode = store.file().metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_full_queue_says_busy_and_loses_nothing_it_took() {
    let place = place();
    let options = Options { queue: 4, ..Options::default() };
    let store = SqliteStore::open_with(&place.path().join("games.db"), options).unwrap();
    let other = lock(store.file());
    let (sender, answers) = mpsc::channel();
    let games: Vec<GameId> = (0..40).map(|_| GameId::random().unwrap()).collect();
    for (number, &game) in games.iter().enumerate() {
        let sender = sender.clone();
        store.submit(append(game, 1), Box::new(move |a| sender.send((game, a)).unwrap()));
        if number == 0 {
            // The writer takes this one and waits for the lock; the others find a queue of four.
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    drop(sender);
    other.execute_batch("COMMIT").unwrap();
    let answers: Vec<_> = answers.iter().collect();
    assert_eq!(answers.len(), 40, "everybody is answered");
    let busy = answers.iter().filter(|(_, answer)| *answer == Err(Error::Busy)).count();
    assert!((1..40).contains(&busy), "{busy}");
    for (game, answer) in answers {
        let kept = store.record(game).unwrap().is_some();
        assert_eq!(answer.is_ok(), kept, "{answer:?}");
    }
}

#[test]
fn another_process_with_the_lock_is_waited_for() {
    let place = place();
    let store = SqliteStore::open(&place.path().join("games.db")).unwrap();
    let other = lock(store.file());
    let released = Arc::new(AtomicBool::new(false));
    let release = std::thread::spawn({
        let released = released.clone();
        move || {
            std::thread::sleep(Duration::from_millis(300));
            released.store(true, Ordering::SeqCst);
            other.execute_batch("COMMIT").unwrap();
        }
    });
    let game = GameId::random().unwrap();
    assert_eq!(store.append(append(game, 1)).map(|answer| answer.seq), Ok(1));
    assert!(released.load(Ordering::SeqCst));
    release.join().unwrap();
}

#[test]
fn readers_do_not_wait_for_writers() {
    let place = place();
    let store = SqliteStore::open(&place.path().join("games.db")).unwrap();
    let game = GameId::random().unwrap();
    store.append(append(game, 1)).unwrap();
    // Held to the end: an operation that needs the lock would fail after a while.
    let _other = lock(store.file());
    assert!(store.record(game).unwrap().is_some());
}

#[test]
fn a_log_without_room_says_so_and_goes_on_when_there_is_some() {
    let place = place();
    let file = place.path().join("games.db");
    drop(SqliteStore::open(&file).unwrap());
    let pages = Some(u32::try_from(file.metadata().unwrap().len() / 4_096).unwrap() + 10);
    let small = Options { most_pages: pages, ..Options::default() };
    let store = SqliteStore::open_with(&file, small).unwrap();
    let mut kept = Vec::new();
    let error = loop {
        let game = GameId::random().unwrap();
        match store.append(append(game, 1)) {
            Ok(_) => kept.push(game),
            Err(error) => break error,
        }
        assert!(kept.len() < 1_000, "it must be full some time");
    };
    assert_eq!(error, Error::Full);
    assert!(!kept.is_empty());
    // Readers still work, and so does the writer when there is room.
    assert_eq!(store.count(&Filter::default()), Ok(kept.len() as u64));
    drop(store);
    let store = SqliteStore::open(&file).unwrap();
    store.append(append(GameId::random().unwrap(), 1)).unwrap();
    assert_eq!(store.count(&Filter::default()), Ok(kept.len() as u64 + 1));
    assert_eq!(store.check(), Ok(()));
}

#[test]
fn a_panic_in_an_answer_does_not_stop_the_log() {
    let place = place();
    let store = SqliteStore::open(&place.path().join("games.db")).unwrap();
    let game = GameId::random().unwrap();
    store.submit(append(game, 1), Box::new(|_| panic!("on purpose")));
    assert_eq!(store.append(append(game, 2)).map(|answer| answer.seq), Ok(2));
}

/// A log large enough for plans to matter.
fn filled(file: &Path) -> SqliteStore {
    let store = SqliteStore::open(file).unwrap();
    grown::fill(&store, 1_000);
    store
}

/// The steps of a plan that read a whole table, or `games` or `events` without an index.
fn scans(connection: &Connection, statement: &Query) -> Vec<String> {
    let mut query = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", statement.sql)).unwrap();
    let texts: Vec<(&str, &dyn rusqlite::ToSql)> =
        statement.texts.iter().map(|(name, text)| (*name, text as _)).collect();
    let steps = query.query_map(texts.as_slice(), |row| row.get::<_, String>(3)).unwrap();
    let steps: Vec<String> = steps.map(Result::unwrap).collect();
    assert!(!steps.is_empty());
    let tables = ["g", "games", "events", "lines", "e", "l", "s", "seats", "invitations"];
    let is_scan = |step: &&String| {
        let scanned = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
        scanned.is_some_and(|table| tables.contains(&table)) && !step.contains("INDEX")
    };
    steps.iter().filter(is_scan).cloned().collect()
}

#[test]
fn no_list_scans_a_table_that_grows() {
    let place = place();
    let store = filled(&place.path().join("games.db"));
    let connection = Connection::open(store.file()).unwrap();
    let after = Some(Cursor { at: 500, n: 500 });
    for filter in filters() {
        let plan = Plan::new(&connection, &filter).unwrap().expect("possible");
        for order in [Order::Newest, Order::Oldest] {
            for after in [None, after] {
                let statement = plan.page(&Page { order, after, limit: 50 });
                let scans = scans(&connection, &statement);
                assert_eq!(scans, [] as [String; 0], "{filter:?}\n{}", statement.sql);
            }
        }
        let scans = scans(&connection, &plan.count());
        assert_eq!(scans, [] as [String; 0], "{filter:?}");
    }
    // The check itself must detect a scan.
    let bare = Query { sql: "SELECT * FROM games g WHERE ended = 5".into(), texts: vec![] };
    assert_eq!(scans(&connection, &bare).len(), 1);
}

#[test]
fn a_page_in_the_order_of_an_index_is_not_sorted() {
    let place = place();
    let store = filled(&place.path().join("games.db"));
    let connection = Connection::open(store.file()).unwrap();
    let name = |name: &str| Some(name.to_owned());
    for filter in [
        Filter::default(),
        Filter { player: name("Anna 1"), ..Filter::default() },
        Filter { score: Some(Score::Draw), ..Filter::default() },
        Filter { opening: name("B01"), ..Filter::default() },
        Filter { source: Some(Source::Import), ..Filter::default() },
        Filter { visibility: Some(Visibility::Public), ..Filter::default() },
        Filter { visibility: Some(Visibility::Private), ..Filter::default() },
        Filter { holder: Some(HOLDER), ..Filter::default() },
        Filter { holder: Some(HOLDER), since: Some(5), until: Some(900), ..Filter::default() },
        live_to_watch(),
    ] {
        let plan = Plan::new(&connection, &filter).unwrap().unwrap();
        let page = Page { after: Some(Cursor { at: 500, n: 500 }), ..Page::default() };
        let sql = plan.page(&page).sql;
        let mut query = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = query.query_map([], |row| row.get::<_, String>(3)).unwrap();
        let steps: Vec<String> = steps.map(Result::unwrap).collect();
        assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{sql}\n{steps:#?}");
    }
}

/// The steps of a page's plan.
fn steps(connection: &Connection, filter: &Filter) -> String {
    let plan = Plan::new(connection, filter).unwrap().unwrap();
    let page = Page { after: Some(Cursor { at: 500, n: 500 }), ..Page::default() };
    let sql = format!("EXPLAIN QUERY PLAN {}", plan.page(&page).sql);
    let mut query = connection.prepare(&sql).unwrap();
    let steps = query.query_map([], |row| row.get::<_, String>(3)).unwrap();
    steps.map(Result::unwrap).collect::<Vec<_>>().join("\n")
}

#[test]
fn games_to_watch_and_games_of_a_holder_are_found_where_they_stand_together() {
    let place = place();
    let store = filled(&place.path().join("games.db"));
    let connection = Connection::open(store.file()).unwrap();
    let watch = steps(&connection, &live_to_watch());
    assert!(watch.contains("games_open (visibility=? AND status=? AND at<?)"), "{watch}");
    let public = Filter { visibility: Some(Visibility::Public), ..Filter::default() };
    let public = steps(&connection, &public);
    assert!(public.contains("games_visibility (visibility=? AND at<?)"), "{public}");
    let mut held = Filter { holder: Some(HOLDER), ..Filter::default() };
    let plan = steps(&connection, &held);
    assert!(plan.contains("PRIMARY KEY (holder=? AND (at,game)<(?,?))"), "{plan}");
    held.since = Some(5);
    let plan = steps(&connection, &held);
    assert!(plan.contains("PRIMARY KEY (holder=? AND at>? AND (at,game)<(?,?))"), "{plan}");
}

#[test]
fn no_statistic_scans_a_table_that_grows() {
    let place = place();
    let file = place.path().join("games.db");
    let store = filled(&file);
    let connection = Connection::open(&file).unwrap();
    let mut asked = vec![
        super::statistics::PRIVATE_GAMES.to_owned(),
        super::statistics::GAMES_OF_HOLDER.to_owned(),
    ];
    for which in [GameSet::All, GameSet::Public] {
        asked.push(super::statistics::in_order(which));
        for (us, index) in [(Color::White, "games_white"), (Color::Black, "games_black")] {
            asked.push(super::statistics::results_between(which, index));
            asked.push(super::statistics::games(which, Column::Opponent, us));
            asked.push(super::statistics::games(which, Column::Of(Facet::Reason), us));
        }
    }
    for sql in [super::rows::BY_ID, super::rows::BY_ROW]
        .into_iter()
        .chain(super::waiting::ALL.iter().copied())
        .chain(super::holders::ALL.iter().copied())
    {
        asked.push(sql.to_owned());
    }
    for sql in asked {
        let statement = Query { sql: sql.clone(), texts: vec![] };
        assert_eq!(scans(&connection, &statement), [] as [String; 0], "{sql}");
    }
    drop(store);
}

#[test]
fn two_processes_may_play_one_game() {
    let place = place();
    let file = place.path().join("games.db");
    let (one, other) = (SqliteStore::open(&file).unwrap(), SqliteStore::open(&file).unwrap());
    for seed in 11..15 {
        live::play(&[&one, &other], seed, 80);
    }
}

#[test]
fn a_game_that_another_process_removed_does_not_go_on() {
    let place = place();
    let file = place.path().join("games.db");
    let (one, other) = (SqliteStore::open(&file).unwrap(), SqliteStore::open(&file).unwrap());
    let game = GameId::random().unwrap();
    let first = append(game, 1);
    one.append(first.clone()).unwrap();
    let talk = Row::Played(Played::since(&Game::start(), 0, None));
    let first = Append { row: talk, ..first };
    one.append(Append { expected: 2, ..first.clone() }).unwrap();
    other.delete(game).unwrap();
    let third = Append { expected: 3, ..first };
    assert_eq!(one.append(third), Err(Error::Conflict { last_seq: 0 }));
    assert_eq!(one.events(game, 0, 9), Err(Error::NoSuchGame));
}

#[test]
fn a_game_goes_on_after_its_log_was_closed() {
    let place = place();
    let file = place.path().join("games.db");
    let summary = |plies: usize| {
        let mut game = Game::start();
        for step in ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(plies) {
            let step: UciMove = step.parse().unwrap();
            game.play(step.from, step.to, step.promotion).unwrap();
        }
        let mut summary = Summary::new("Anna", "Ben", Source::Online);
        summary.started = Some(3);
        summary.follow(&game);
        summary
    };
    let game = GameId::random().unwrap();
    for plies in 0..12 {
        // Each move is written by another process.
        let store = SqliteStore::open(&file).unwrap();
        for (plies, expected) in [(2 * plies, 2 * plies + 1), (2 * plies + 1, 2 * plies + 2)] {
            let given = summary(plies.min(14));
            let append = Append { row: given.clone().into(), ..append(game, expected as u64) };
            store.append(append).unwrap();
            assert_eq!(store.record(game).unwrap().unwrap().summary, given);
        }
    }
}

/// Pages in the WAL file.
fn frames(store: &SqliteStore) -> u64 {
    let mut wal = store.file().as_os_str().to_owned();
    wal.push("-wal");
    std::fs::metadata(wal).unwrap().len() / (4_096 + 24)
}

#[test]
fn a_move_writes_little_more_than_a_page() {
    let place = place();
    let store = SqliteStore::open(&place.path().join("games.db")).unwrap();
    let game = GameId::random().unwrap();
    let mut board = Game::start();
    let mut before = 0;
    for expected in 1..=64 {
        let mut move_on = append(game, expected);
        move_on.events = vec![NewEvent { at: 0, body: "x".repeat(100) }];
        if expected > 1 {
            let deadline = Some(1_000_000 + expected as i64);
            move_on.row = Row::Played(Played::since(&board, board.moves().len() - 1, deadline));
        }
        store.append(move_on).unwrap();
        if expected == 16 {
            // By now the opening has its name.
            before = frames(&store);
        }
        let moves = board.position().legal_moves();
        let step = moves[expected as usize * 7 % moves.len()].uci(Variant::Standard);
        board.play(step.from, step.to, step.promotion).unwrap();
    }
    let frames = frames(&store) - before;
    // 48 events, the rows three times, and a page split now and then.
    assert!((48..72).contains(&frames), "{frames}");
    let connection = Connection::open(store.file()).unwrap();
    let last_seq = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let (events, row) =
        (last_seq("SELECT max(seq) FROM events"), last_seq("SELECT last_seq FROM games"));
    assert!(events == 64 && events - row < 16, "a tail stays short: {row}");
}
