//! A log that is copied from a file into a database and back is the same log.

use std::ops::ControlFlow;
use std::path::Path;

use hansu_chess::{Game, Variant};
use hansu_ground::Postgres;
use hansu_records::carry::{Carry, CopyOutcome, Stage, copy};
use hansu_records::stats::Viewer;
use hansu_records::store::{Batch, Imported, Progress};
use hansu_records::{
    Analyses, Append, Archive, Begins, GameId, Holder, Invitation, Invitations, KeptAnalysis, Log,
    NewEvent, Played, Row, Score, Seat, Seek, Side, Source, SqliteStore, Status, Store, Summary,
    Visibility,
};

use super::{append, given, open};

/// The number of events of the live game.
const PLAYED: u64 = 22;

/// The next event of a game in which every event is a move.
fn go_on_with(game: GameId, board: &mut Game, expected: u64) -> Append {
    let mut event = append(game, expected, &format!("move {expected}"));
    if expected > 1 {
        let moves = board.position().legal_moves();
        let step = moves[expected as usize * 7 % moves.len()].uci(Variant::Standard);
        board.play(step.from, step.to, step.promotion).expect("a legal move");
    }
    let deadline = Some(1_800_000_000_000 + expected.cast_signed());
    if expected > 1 {
        event.row = Row::Played(Played::since(board, board.moves().len() - 1, deadline));
    } else {
        (given(&mut event).started, given(&mut event).deadline) = (Some(3), deadline);
    }
    event
}

/// Plays a game that stays live.
fn play(store: &dyn Store) -> (GameId, Game) {
    let (game, mut board) = (GameId::random().expect("an id"), Game::start());
    for expected in 1..=PLAYED {
        store.append(go_on_with(game, &mut board, expected)).expect("a move");
    }
    (game, board)
}

/// A log with everything that a log can have.
fn filled(file: &Path) -> SqliteStore {
    let store = SqliteStore::open(file).expect("a log");
    // A name whose first spelling is from a deleted game.
    let gone = GameId::random().expect("an id");
    let mut first = append(gone, 1, "gone");
    given(&mut first).white = "ANNA".to_owned();
    store.append(first).expect("a game");
    for number in 0..450_u64 {
        let game = GameId::random().expect("an id");
        let mut begin = append(game, 1, "begin");
        begin.command_key = (number % 3 > 0).then(|| format!("c{number}"));
        begin
            .events
            .push(NewEvent { at: -5, body: format!("{{\"n\":{number},\"zero\":\"\0\u{1a}\"}}") });
        let row = given(&mut begin);
        row.black = ["Ben", "벤", "O'Neill, \"Ed\""][number as usize % 3].to_owned();
        row.status = Status::ALL[number as usize % 4];
        row.score = Score::ALL[number as usize % 3];
        row.visibility = Visibility::ALL[number as usize % 2];
        row.deadline = (number % 4 == 0).then_some(1_700_000_000_000);
        row.started = (number % 7 > 0).then_some(number.cast_signed() * 86_400_000);
        row.reason = (number % 2 == 0).then(|| "checkmate".to_owned());
        row.headers = vec![("Round".to_owned(), number.to_string())];
        row.annotations = (number % 5 == 0).then(|| "1. e4 {\u{1a}\0} *".to_owned());
        row.moves.push("e2e4".parse().expect("a move"));
        let seats = vec![
            Seat { side: Side::White, holder: Holder([number as u8; 32]) },
            Seat { side: Side::Black, holder: Holder([255; 32]) },
        ];
        begin.begins = Some(Begins { seats, uses: None });
        store.append(begin).expect("a game");
        if number % 10 == 0 {
            store.tag(None, game, "good game").expect("a word");
            store.note(None, game, "a note\0 with everything").expect("a note");
            store.tag(Some(Holder([255; 32])), game, "good game").expect("a word");
            store.note(Some(Holder([255; 32])), game, "mine").expect("a note");
            let body = format!("found\0 {number}");
            let analysis = KeptAnalysis { nodes: 7, done: number, total: 450, at: 5, body };
            store.keep_analysis(game, analysis).expect("an analysis");
        }
    }
    store.delete(gone).expect("gone");
    let games = (0..30).map(|number| {
        let mut summary = Summary::new("File", "anna", Source::Import);
        summary.headers = vec![("Round".to_owned(), number.to_string())];
        // One of them has the status of a live game.
        summary.status = if number == 3 { Status::Live } else { Status::Finished };
        Imported { id: None, summary, tags: vec!["from a file".to_owned()], note: None }
    });
    let progress = Progress { key: "club.pgn".to_owned(), seen: 30, ..Progress::default() };
    let batch = Batch { games: games.collect(), progress: Some(progress), by: None };
    store.import(batch).expect("a file");
    store.beat("node", 77).expect("a beat");
    store
        .invite(Invitation {
            hash: [9; 32],
            game: GameId::random().expect("an id"),
            body: "{}".to_owned(),
            holder: Holder([1; 32]),
            made: 1,
            expires: 2,
            state: hansu_records::InvitationState::Open,
        })
        .expect("an invitation");
    store
        .seek(Seek {
            game: GameId::random().expect("an id"),
            node: "node".to_owned(),
            body: "{}".to_owned(),
            holder: Holder([2; 32]),
            made: 3,
        })
        .expect("a seek");
    store
}

/// The last event that the row of a game in a file includes.
fn row(file: &Path, game: GameId) -> u64 {
    let connection = rusqlite::Connection::open(file).expect("a file");
    let sql = "SELECT last_seq FROM games WHERE id = ?1";
    let last_seq: i64 =
        connection.query_row(sql, [game.as_str()], |row| row.get(0)).expect("a row");
    last_seq.cast_unsigned()
}

/// In a file the rows of a live game are behind its events; a copy combines both, and the game can
/// continue in it.
#[test]
fn a_game_that_is_being_played_is_copied_as_it_stands() {
    let place = tempfile::tempdir().expect("a folder");
    let server = Postgres::shared().expect("a server");
    let [there, back] = ["games.db", "back.db"].map(|name| place.path().join(name));
    let file = SqliteStore::open(&there).expect("a log");
    let (game, mut board) = play(&file);
    assert!(row(&there, game) < PLAYED, "nothing is behind");
    let database = open(&server.fresh().expect("a place"));
    let returned = SqliteStore::open(&back).expect("a log");
    for (from, to) in [(&file as &dyn Carry, &database as &dyn Carry), (&database, &returned)] {
        let copied = copy(from, to, &mut go_on).expect("a copy");
        assert!(matches!(copied, CopyOutcome::Same { games: 1, events: PLAYED, .. }), "{copied:?}");
    }
    assert_eq!(row(&back, game), PLAYED);
    let next = go_on_with(game, &mut board, PLAYED + 1);
    for store in [&file as &dyn Store, &database, &returned] {
        let before = store.record(game).expect("a log").expect("a game");
        assert_eq!((before.last_seq, before.summary.plies()), (PLAYED, PLAYED as usize - 1));
        store.append(next.clone()).expect("a move");
        let record = store.record(game).expect("a log").expect("a game");
        let mut row = before.summary.clone();
        row.follow(&board);
        (row.score, row.reason) = (Score::Open, None);
        row.deadline = Some(1_800_000_000_000 + PLAYED as i64 + 1);
        assert_eq!((record.last_seq, &record.summary), (PLAYED + 1, &row));
        assert_eq!(store.check(), Ok(()));
    }
}

fn go_on(_: Stage) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn a_log_that_goes_there_and_back_is_the_same() {
    let place = tempfile::tempdir().expect("a folder");
    let server = Postgres::shared().expect("a server");
    let file = filled(&place.path().join("games.db"));
    let database = open(&server.fresh().expect("a place"));
    let copied = copy(&file, &database, &mut go_on).expect("a copy");
    let CopyOutcome::Same { games, events, hash } = copied else { panic!("{copied:?}") };
    assert_eq!((games, events), (480, 900));
    assert_eq!(database.check(), Ok(()));
    let back = SqliteStore::open(&place.path().join("back.db")).expect("a log");
    let returned = copy(&database, &back, &mut go_on).expect("a copy");
    assert_eq!(returned, CopyOutcome::Same { games, events, hash });
    for store in [&database as &dyn Store, &back] {
        assert_eq!(store.totals(Viewer::Keeper), file.totals(Viewer::Keeper));
        assert_eq!(store.players(Viewer::Keeper, 20), file.players(Viewer::Keeper, 20));
        let everything = (&hansu_records::Filter::default(), &hansu_records::Page::default());
        assert_eq!(
            store.list(everything.0, everything.1),
            file.list(everything.0, everything.1),
            "also in the same order, with the same cursor"
        );
    }
    // The copy can be written to: row numbers and ids do not collide.
    database.append(append(GameId::random().expect("an id"), 1, "more")).expect("a game");
    let mut stranger = append(GameId::random().expect("an id"), 1, "more");
    given(&mut stranger).white = "Never heard".to_owned();
    database.append(stranger).expect("a game");
    assert_eq!(database.check(), Ok(()));
    // A change of one log is detected.
    let rows = copy(&file, &database, &mut go_on).expect("a copy");
    assert!(matches!(rows, CopyOutcome::Differs { rows: 1.. }), "{rows:?}");
}

#[test]
fn an_interrupted_copy_goes_on_where_it_was() {
    let place = tempfile::tempdir().expect("a folder");
    let server = Postgres::shared().expect("a server");
    let file = filled(&place.path().join("games.db"));
    let address = server.fresh().expect("a place");
    let mut seen = Vec::new();
    for _ in 0..3 {
        let mut pieces = 0;
        let mut report = |stage| {
            pieces += 1;
            seen.push(stage);
            if pieces == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = copy(&file, &open(&address), &mut report).expect("a copy");
        assert_eq!(stopped, CopyOutcome::Stopped);
    }
    let copying: Vec<u64> = seen
        .iter()
        .filter_map(|stage| match stage {
            Stage::Copying { games, .. } => Some(*games),
            Stage::Comparing { .. } => None,
        })
        .collect();
    assert_eq!(copying, [0, 200, 200, 400, 400, 480], "{seen:?}");
    let done = copy(&file, &open(&address), &mut go_on).expect("a copy");
    assert!(matches!(done, CopyOutcome::Same { games: 480, .. }), "{done:?}");
    // A log with games of its own is not overwritten.
    let other = SqliteStore::open(&place.path().join("other.db")).expect("a log");
    let game = Append { command_key: None, ..append(GameId::random().expect("an id"), 1, "mine") };
    other.append(game).expect("a game");
    assert_eq!(copy(&file, &other, &mut go_on), Ok(CopyOutcome::NotEmpty));
    // A copy of one log does not continue with another.
    assert_eq!(copy(&other, &open(&address), &mut go_on), Ok(CopyOutcome::NotEmpty));
    assert_eq!(other.names_after(0, 9).map(|names| names.len()), Ok(2));
}
