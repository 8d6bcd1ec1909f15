//! A game through the log and back, as a server and a terminal do it.

use hansu_journal::{LoadError, catch_up, load, summary, to_event};
use hansu_play::{
    Actor, Command, Entry, Event, Millis, Offer, Source, Start, State, TimeControl, apply, decide,
    stamp,
};
use hansu_records::store::{Batch, Imported};
use hansu_records::{
    Append, Archive, Error, GameId, Log as _, NewEvent, Row, Score, SqliteStore, Status, Summary,
    Visibility,
};
use tempfile::TempDir;

struct Log {
    _place: TempDir,
    store: SqliteStore,
}

fn log() -> Log {
    let place = TempDir::new().expect("a folder");
    let store = SqliteStore::open(&place.path().join("games.db")).expect("a new log");
    Log { _place: place, store }
}

/// A game of five minutes between Mina and Jun.
fn start() -> Command {
    Command::Start(Start {
        time: TimeControl::fischer(Millis::minutes(5), Millis::seconds(3)),
        source: Source::Online,
        ..Start::between("Mina", "Jun")
    })
}

fn step(uci: &str) -> Command {
    Command::Move { uci: uci.parse().expect("a move") }
}

/// Decides a command and applies what comes of it.
fn act(state: &mut State, actor: Actor, command: &Command, now: u64) -> Vec<Entry> {
    let now = Millis(now);
    let events = decide(state, actor, command, now).expect("a command that is allowed");
    let entries = stamp(state, events, now.plus(Millis(2)));
    for entry in &entries {
        apply(state, entry).expect("an entry that fits");
    }
    entries
}

fn keep(store: &SqliteStore, game: GameId, entries: &[Entry], state: &State) {
    let append = Append {
        game,
        expected: entries[0].seq,
        command_key: None,
        events: entries.iter().map(|entry| to_event(entry).expect("an event")).collect(),
        row: summary(state, Visibility::Private).into(),
        begins: None,
        next: None,
    };
    store.append(append).expect("kept");
}

fn id() -> GameId {
    GameId::random().expect("random numbers")
}

#[test]
fn what_is_written_is_read_again() {
    let Log { store, .. } = &log();
    let (game, mut state, mut all) = (id(), State::default(), Vec::new());
    let mut other = State::default();
    assert_eq!(catch_up(store, game, &mut other), Err(LoadError::Log(Error::NoSuchGame)));
    let commands = [
        (Actor::System, start()),
        (Actor::White, step("e2e4")),
        (Actor::Black, step("e7e5")),
        (Actor::White, Command::Chat { text: "안녕! \"\\".to_owned(), name: None }),
        (Actor::White, Command::Offer { what: Offer::Draw, next: None }),
        (Actor::Black, Command::Accept { what: Offer::Draw, next: None }),
    ];
    for (number, (actor, command)) in (1..).zip(commands) {
        let entries = act(&mut state, actor, &command, number * 10_000);
        keep(store, game, &entries, &state);
        assert_eq!(catch_up(store, game, &mut other), Ok(entries.clone()), "only what is new");
        assert_eq!(other, state);
        assert_eq!(catch_up(store, game, &mut other), Ok(vec![]));
        all.extend(entries);
        assert_eq!(load(store, game), Ok(all.clone()));
        let row = store.record(game).expect("a log").expect("a game").summary;
        assert_eq!(row, summary(&state, Visibility::Private));
    }
    let row = summary(&state, Visibility::Private);
    assert_eq!((row.status, row.score), (Status::Finished, Score::Draw));
    assert_eq!(
        (row.reason.as_deref(), row.time_control.as_deref()),
        (Some("agreement"), Some("300+3"))
    );
    assert_eq!((row.started, row.deadline), (Some(10_002), None));
}

#[test]
fn a_move_is_dated_by_when_it_was_made() {
    let mut state = State::default();
    act(&mut state, Actor::System, &start(), 10_000);
    let moved = act(&mut state, Actor::White, &step("e2e4"), 20_000).remove(0);
    assert_eq!((moved.at, to_event(&moved).map(|event| event.at)), (Millis(20_002), Ok(20_000)));
    let late = Entry { at: Millis(u64::MAX), event: Event::Resumed, seq: 3 };
    assert_eq!(to_event(&late).map(|event| event.at), Ok(i64::MAX));
}

#[test]
fn a_long_game_is_read_in_parts() {
    let Log { store, .. } = &log();
    let (game, mut state) = (id(), State::default());
    let mut entries = act(&mut state, Actor::System, &start(), 1);
    for number in 2..=2_500 {
        let talk = Command::Chat { text: number.to_string(), name: None };
        entries.extend(act(&mut state, Actor::White, &talk, number * 1_000));
    }
    for part in entries.chunks(250) {
        keep(store, game, part, &state);
    }
    assert_eq!(load(store, game).map(|loaded| loaded.len()), Ok(2_500));
    let mut other = State::replay(&entries[..700]).expect("a beginning");
    assert_eq!(catch_up(store, game, &mut other), Ok(entries[700..].to_vec()));
    assert_eq!(other, state);
}

#[test]
fn what_makes_no_sense_is_named_and_changes_nothing() {
    let Log { store, .. } = &log();
    let mut begun = State::default();
    let mut entries = act(&mut begun, Actor::System, &start(), 1);
    let mut state = begun.clone();
    entries.extend(act(&mut state, Actor::White, &step("e2e4"), 2_000));
    let twice = Entry { seq: 3, ..entries[1].clone() };
    for nonsense in ["", "{}", "{\"v\":999}", &to_event(&twice).expect("an event").body] {
        let game = id();
        keep(store, game, &entries, &state);
        let append = Append {
            game,
            expected: 3,
            command_key: None,
            events: vec![NewEvent { at: 3, body: nonsense.to_owned() }],
            row: summary(&state, Visibility::Public).into(),
            begins: None,
            next: None,
        };
        store.append(append).expect("the log does not read what it keeps");
        let unreadable = Err(LoadError::Unreadable { seq: 3 });
        assert_eq!(load(store, game), unreadable, "{nonsense}");
        let mut other = begun.clone();
        assert_eq!(catch_up(store, game, &mut other), unreadable);
        assert_eq!(other, begun);
    }
}

#[test]
fn a_game_of_a_file_has_no_entries() {
    let Log { store, .. } = &log();
    let game = id();
    let file = Imported {
        id: Some(game),
        summary: Summary::new("Anna", "Ben", hansu_records::Source::Import),
        tags: vec![],
        note: None,
    };
    store.import(Batch { games: vec![file], ..Batch::default() }).expect("a batch");
    assert_eq!(load(store, game), Ok(vec![]));
}

#[test]
fn the_row_says_how_the_game_stands() {
    let rows = |commands: &[(Actor, Command)]| {
        let mut state = State::default();
        act(&mut state, Actor::System, &start(), 1_000);
        for (number, (actor, command)) in (2..).zip(commands) {
            act(&mut state, *actor, command, number * 1_000);
        }
        summary(&state, Visibility::Public)
    };
    let live = rows(&[]);
    assert_eq!((live.status, live.score, live.ended), (Status::Live, Score::Open, None));
    assert_eq!((live.white.as_str(), live.black.as_str()), ("Mina", "Jun"));
    assert!(live.deadline.is_some_and(|deadline| deadline > 1_000));
    let aborted = rows(&[(Actor::White, Command::Abort)]);
    assert_eq!((aborted.status, aborted.score), (Status::Aborted, Score::Open));
    assert_eq!((aborted.reason.as_deref(), aborted.ended), (Some("abort"), Some(2_002)));
    let moves = [(Actor::White, step("e2e4")), (Actor::Black, step("e7e5"))];
    let resigned = rows(&[&moves[..], &[(Actor::White, Command::Resign)]].concat());
    assert_eq!((resigned.status, resigned.score), (Status::Finished, Score::Black));
    assert_eq!((resigned.plies(), resigned.deadline), (2, None));
    let pause = Offer::Adjournment;
    let adjourned = [
        (Actor::White, Command::Offer { what: pause, next: None }),
        (Actor::Black, Command::Accept { what: pause, next: None }),
    ];
    let adjourned = rows(&[&moves[..], &adjourned[..]].concat());
    assert_eq!((adjourned.status, adjourned.score), (Status::Adjourned, Score::Open));
    assert_eq!(adjourned.deadline, None);
}

#[test]
fn a_row_is_made_only_where_something_other_than_moves_changes() {
    let both = |what| {
        [
            (Actor::White, Command::Offer { what, next: None }),
            (Actor::Black, Command::Accept { what, next: None }),
        ]
    };
    let mut commands = vec![(Actor::System, start())];
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"];
    commands.extend([Actor::White, Actor::Black].into_iter().cycle().zip(moves.map(step)));
    commands.push((Actor::White, Command::Chat { text: "hello".to_owned(), name: None }));
    commands.push((Actor::White, step("b2b4")));
    commands.extend(both(Offer::Takeback));
    commands.push((Actor::White, step("e1g1")));
    commands.push((Actor::Black, step("g8f6")));
    commands.extend(both(Offer::Adjournment));
    commands.extend(both(Offer::Resumption));
    commands.push((Actor::Black, Command::Resign));
    let (mut state, mut row) = (State::default(), None);
    let mut whole = Vec::new();
    for (number, (actor, command)) in commands.iter().enumerate() {
        let entries = act(&mut state, *actor, command, 1_000 * number as u64);
        row = match (hansu_journal::row(&entries, &state, Visibility::Public), row) {
            (Row::Whole(row), _) => {
                whole.push(number);
                Some(*row)
            }
            (Row::Played(played), Some(mut row)) => {
                played.apply(&mut row);
                Some(row)
            }
            (Row::Played(_), None) => panic!("a game without a row"),
        };
        assert_eq!(row, Some(summary(&state, Visibility::Public)), "{number}: {command:?}");
    }
    // The start, the takeback, the adjournment, an offer during it, the resumption, the
    // resignation.
    assert_eq!(whole, [0, 10, 14, 15, 16, 17]);
}

#[test]
fn the_words_for_people_without_a_name_are_nobodys() {
    use hansu_records::names::is_nameless;
    for lang in hansu_words::Lang::ALL {
        assert!(is_nameless(lang.guest()), "{}", lang.guest());
        for color in hansu_chess::Color::ALL {
            assert!(is_nameless(lang.color(color)), "{}", lang.color(color));
        }
    }
}
