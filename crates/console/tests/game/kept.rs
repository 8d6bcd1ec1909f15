//! Games in the log: what is stored, games that another program changes, and a log that fails.

use std::path::Path;
use std::sync::Arc;

use hansu_console::{ResumeError, newest_unfinished};
use hansu_journal::summary;
use hansu_play::{Entry, State};
use hansu_records::stats::Viewer;
use hansu_records::store::{Batch, Imported};
use hansu_records::{
    Error, Filter, GameId, Score, SqliteStore, Status, Store, Summary, Visibility, log_file,
};
use tempfile::TempDir;

use super::*;

fn log(place: &Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(&log_file(place)).expect("a new log"))
}

fn kept(store: &Arc<dyn Store>) -> Console {
    let id = GameId::random().expect("random numbers");
    let game = KeptGame::start(&start(None), Some((Arc::clone(store), id))).expect("a game");
    Console::new(game, Options::default())
}

fn resumed(store: &Arc<dyn Store>, id: GameId) -> Console {
    let game = KeptGame::resume(Arc::clone(store), id.as_str()).expect("a game of the log");
    Console::new(game, Options::default())
}

fn id(console: &Console) -> GameId {
    console.game().id().expect("a game of the log")
}

/// The state, replayed from the log.
fn replayed(store: &Arc<dyn Store>, id: GameId) -> State {
    let events = store.events(id, 0, 1_000).expect("the events");
    let entries: Vec<Entry> =
        events.iter().map(|event| serde_json::from_str(&event.body).expect("an entry")).collect();
    for (event, entry) in events.iter().zip(&entries) {
        assert_eq!(event.seq, entry.seq);
    }
    State::replay(&entries).expect("entries that fit")
}

fn games(store: &Arc<dyn Store>) -> u64 {
    store.count(&Filter::default()).expect("a count")
}

fn why_not(store: &Arc<dyn Store>, name: &str) -> Option<ResumeError> {
    KeptGame::resume(Arc::clone(store), name).err()
}

#[test]
fn every_answered_move_is_in_the_log() {
    let place = TempDir::new().expect("a folder");
    let store = log(place.path());
    let mut console = kept(&store);
    for line in ["기보", "e2 e5", "nonsense"] {
        say(&mut console, line);
        assert_eq!(games(&store), 0, "nothing was played yet");
    }
    for step in ["f2 f3", "e7 e5", "g2 g4"] {
        say(&mut console, step);
        assert_eq!(replayed(&store, id(&console)), *console.game().state());
        let row = store.record(id(&console)).expect("the log").expect("the game").summary;
        assert_eq!(row, summary(console.game().state(), Visibility::Public));
        assert_eq!((row.score, row.status, row.ended), (Score::Open, Status::Live, None));
    }
    let reply = console.answer(InputLine::Text("d8 h4"));
    assert_eq!(reply.next, Next::End);
    assert_eq!(replayed(&store, id(&console)), *console.game().state());
    let row = store.record(id(&console)).expect("the log").expect("the game").summary;
    assert_eq!((row.score, row.status), (Score::Black, Status::Finished));
    assert_eq!((row.reason.as_deref(), row.plies()), (Some("checkmate"), 4));
    assert!(row.ended.is_some() && row.ended >= row.started);
    assert_eq!((games(&store), store.totals(Viewer::Keeper).expect("totals").black), (1, 1));
}

#[test]
fn a_resignation_is_kept_even_without_moves() {
    let place = TempDir::new().expect("a folder");
    let store = log(place.path());
    let mut console = kept(&store);
    assert_eq!(console.answer(InputLine::Text("기권")).next, Next::End);
    let row = store.record(id(&console)).expect("the log").expect("the game").summary;
    assert_eq!((row.score, row.reason.as_deref()), (Score::Black, Some("resignation")));
}

#[test]
fn a_game_goes_on_where_it_stood() {
    let place = TempDir::new().expect("a folder");
    let store = log(place.path());
    assert_eq!(newest_unfinished(store.as_ref()), Err(ResumeError::NothingUnfinished));
    let mut console = kept(&store);
    say(&mut console, "e2 e4");
    let id = id(&console);
    let before = console.game().state().clone();
    drop(console);
    assert_eq!(newest_unfinished(store.as_ref()), Ok(id));
    let mut console = resumed(&store, id);
    assert_eq!(*console.game().state(), before);
    assert_eq!(
        console.resume_greeting(),
        format!("이어서 두는 게임: {id} (백 ?, 흑 ?)\n{AFTER_E4}")
    );
    say(&mut console, "e7 e5");
    assert_eq!(say(&mut console, "기보"), format!("1. e4\te5\n{WHITE}"));
    assert_eq!(replayed(&store, id).plies(), 2);
    // The first letters are enough.
    assert!(KeptGame::resume(Arc::clone(&store), &id.as_str()[..5]).is_ok());
}

#[test]
fn a_game_that_cannot_go_on_says_why() {
    let place = TempDir::new().expect("a folder");
    let store = log(place.path());
    for name in ["nothing", "", "x'; --", "한수", "aaaaaaaaaaaaa"] {
        assert_eq!(why_not(&store, name), Some(ResumeError::NoSuchGame), "{name}");
    }
    let mut console = kept(&store);
    console.answer(InputLine::Text("기권"));
    assert_eq!(why_not(&store, id(&console).as_str()), Some(ResumeError::Over));
    assert_eq!(newest_unfinished(store.as_ref()), Err(ResumeError::NothingUnfinished));
    let imported = Imported {
        id: Some("zzzzzzzzzzzz".parse().expect("an id")),
        summary: Summary::new("Anna", "Ben", hansu_records::Source::Import),
        tags: Vec::new(),
        note: None,
    };
    store.import(Batch { games: vec![imported], ..Batch::default() }).expect("an import");
    assert_eq!(why_not(&store, "zzz"), Some(ResumeError::Elsewhere));
    let (mut one, mut other) = (kept(&store), kept(&store));
    say(&mut one, "e2 e4");
    say(&mut other, "d2 d4");
    let (one, other) = (id(&one).to_string(), id(&other).to_string());
    let shared: String =
        one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    if !shared.is_empty() {
        assert_eq!(why_not(&store, &shared), Some(ResumeError::SeveralGames));
    }
}

#[test]
fn a_change_by_another_program_is_noticed_and_nothing_is_overwritten() {
    let place = TempDir::new().expect("a folder");
    // As in two programs: each has opened the file itself.
    let (here, there) = (log(place.path()), log(place.path()));
    let mut one = kept(&here);
    say(&mut one, "e2 e4");
    let mut other = resumed(&there, id(&one));
    say(&mut other, "e7 e5");
    // A line that was typed for the old board is dropped.
    let reply = one.answer(InputLine::Text("c7 c5"));
    assert!(reply.notice.contains("다른 창"), "{}", reply.notice);
    assert_eq!(reply.text, format!("{}{WHITE}", ranks(&one)));
    assert_eq!(one.game().state(), other.game().state());
    say(&mut one, "g1 f3");
    let reply = other.answer(InputLine::Text("기보"));
    assert_eq!(reply.text, format!("{}{BLACK}", ranks(&one)));
    // The end is noticed too.
    say(&mut other, "b8 c6");
    one.answer(InputLine::Text(""));
    one.answer(InputLine::Text("기권"));
    let reply = other.answer(InputLine::Text("f1 b5"));
    assert_eq!(reply.next, Next::End);
    let end = "흑 승리!!!\n게임을 종료합니다.\n1. e4\te5\n2. Nf3\tNc6\n";
    assert_eq!(reply.text, format!("{}{end}", ranks(&one)));
    assert_eq!(replayed(&here, id(&one)), *one.game().state());
}

#[test]
fn a_promotion_question_is_forgotten_when_the_game_went_on_elsewhere() {
    let place = TempDir::new().expect("a folder");
    let store = log(place.path());
    let start = start(Some("8/P6k/8/8/8/8/p7/7K b - - 0 1"));
    let id = GameId::random().expect("random numbers");
    let game = KeptGame::start(&start, Some((Arc::clone(&store), id))).expect("a game");
    let mut one = Console::new(game, Options::default());
    say(&mut one, "h7 g7");
    let mut other = resumed(&store, id);
    say(&mut one, "a7 a8");
    say(&mut other, "h1 g1");
    let reply = one.answer(InputLine::Text("q"));
    assert_eq!(reply.text, format!("{}{BLACK}", ranks(&other)));
    assert_eq!(say(&mut one, "q"), format!("{FORMAT}{BLACK}"));
}

#[test]
fn a_move_that_cannot_be_kept_is_not_played() {
    let place = TempDir::new().expect("a folder");
    let file = log_file(place.path());
    drop(SqliteStore::open(&file).expect("a new log"));
    // The file may not grow: the disk is full.
    let options = hansu_records::Options { most_pages: Some(1), ..Default::default() };
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open_with(&file, options).expect("a log"));
    let mut console = kept(&store);
    let mut refused = 0;
    // The free space in the last pages may still take a game or two.
    for _ in 0..200 {
        let before = console.game().state().clone();
        let step = if before.plies().is_multiple_of(4) {
            "g1 f3"
        } else {
            ["", "g8 f6", "f3 g1", "f6 g8"][before.plies() % 4]
        };
        let reply = console.answer(InputLine::Text(step));
        if reply.next == Next::End {
            console = kept(&store);
            continue;
        }
        if !reply.notice.is_empty() {
            assert!(reply.notice.contains("디스크에 남은 공간이 없어요."), "{}", reply.notice);
            assert_eq!(*console.game().state(), before);
            let prompt = if before.plies().is_multiple_of(2) { WHITE } else { BLACK };
            assert_eq!(reply.text, prompt);
            refused += 1;
            break;
        }
    }
    assert_eq!(refused, 1, "the log never filled up");
    // All answered moves are stored, and the record can still be shown.
    if console.game().state().plies() > 0 {
        assert_eq!(replayed(&store, id(&console)), *console.game().state());
    }
    let reply = console.answer(InputLine::Text("기보"));
    assert!(reply.notice.is_empty());
}

#[test]
fn a_game_that_was_deleted_meanwhile_takes_no_moves() {
    let place = TempDir::new().expect("a folder");
    let store = log(place.path());
    let mut console = kept(&store);
    say(&mut console, "e2 e4");
    store.delete(id(&console)).expect("deleted");
    let reply = console.answer(InputLine::Text("e7 e5"));
    assert!(reply.notice.contains("그런 게임이 없어요"), "{}", reply.notice);
    assert_eq!((reply.text.as_str(), reply.next), (BLACK, Next::Continue));
    assert_eq!(games(&store), 0);
    assert_eq!(store.record(id(&console)), Ok(None));
}

#[test]
fn a_taken_name_is_not_written_over() {
    let place = TempDir::new().expect("a folder");
    let store = log(place.path());
    let mut one = kept(&store);
    say(&mut one, "e2 e4");
    let game = KeptGame::start(&start(None), Some((Arc::clone(&store), id(&one)))).expect("a game");
    let mut other = Console::new(game, Options::default());
    say(&mut other, "d2 d4");
    assert_ne!(id(&one), id(&other));
    assert_eq!(games(&store), 2);
    assert_eq!(replayed(&store, id(&one)), *one.game().state());
    assert_eq!(replayed(&store, id(&other)), *other.game().state());
}

#[test]
fn a_damaged_log_cannot_be_opened_and_is_left_alone() {
    let place = TempDir::new().expect("a folder");
    let file = log_file(place.path());
    let rubbish = "This is no database. ".repeat(1_000);
    std::fs::write(&file, &rubbish).expect("a file");
    assert_eq!(SqliteStore::open(&file).err(), Some(Error::Damaged));
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), rubbish);
}
