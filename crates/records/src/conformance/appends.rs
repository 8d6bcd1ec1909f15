//! Appending: order, conflicts, resends, limits.

use std::sync::Barrier;

use hansu_chess::Game;

use super::{Case, anna_and_ben, append, begin, event, id};
use crate::store::{Batch, Imported, LONGEST_EVENT, MOST_EVENTS, Store};
use crate::{
    Append, Appended, Error, Once, OpeningName, Part, Played, Row, Score, Source, Status, Summary,
    Visibility,
};

pub(super) const CASES: &[Case] = &[
    ("events come back in order, with their row", order),
    ("whatever changes alone is written", alone),
    ("a wrong number is a conflict that names the last one", conflict),
    ("a resend is answered like the first", resend),
    ("a resend is known however late it comes", resend_late),
    ("command keys belong to their game", command_keys),
    ("of several writers of one number one wins", race),
    ("many writers at once lose nothing", crowd),
    ("what is too long is refused, and nothing is written", limits),
    ("unknown games have no events", unknown),
    ("a callback is called once, after the fact", callback),
];

fn order(store: &dyn Store) {
    let mut summary = anna_and_ben();
    let game = begin(store, &summary);
    summary.moves.push("e2e4".parse().expect("a move"));
    summary.deadline = Some(77);
    let answer =
        store.append(Append { events: vec![event("b"), event("c")], ..append(game, 2, &summary) });
    assert_eq!(answer, Ok(Appended { seq: 3, once: Once::First }));
    let events = store.events(game, 0, 10).expect("events");
    let bodies: Vec<_> = events.iter().map(|e| (e.seq, e.at, e.body.as_str())).collect();
    assert_eq!(bodies, [(1, 1_000, "event 1"), (2, 1_000, "b"), (3, 1_000, "c")]);
    assert_eq!(store.events(game, 1, 1).expect("events"), events[1..2]);
    assert_eq!(store.events(game, 3, 10), Ok(vec![]));
    assert_eq!(store.events(game, u64::MAX, 10), Ok(vec![]));
    let record = store.record(game).expect("a log").expect("a game");
    assert_eq!(record.id, game);
    assert_eq!(record.last_seq, 3);
    assert_eq!(record.summary, summary);
    // Everything of the row may change.
    summary.score = Score::Black;
    summary.status = Status::Finished;
    summary.reason = Some("resignation".to_owned());
    summary.ended = Some(99);
    summary.deadline = None;
    summary.black = "Benjamin".to_owned();
    store.append(append(game, 4, &summary)).expect("an end");
    let record = store.record(game).expect("a log").expect("a game");
    assert_eq!(record.summary, summary);
}

/// A store may write only columns that have changed; it must not miss a change in either direction.
fn alone(store: &dyn Store) {
    let named = |eco: &str| Some(OpeningName { eco: eco.to_owned(), name: "A name".to_owned() });
    let text = |text: &str| Some(text.to_owned());
    let mut plain = anna_and_ben();
    plain.started = Some(5);
    let changes: &[fn(&mut Summary, usize)] = &[
        |row, n| row.white = ["Anna", "Ann", "Carla"][n].to_owned(),
        |row, n| row.black = ["Ben", "BEN", "Anna"][n].to_owned(),
        |row, n| row.score = [Score::Open, Score::Draw, Score::Black][n],
        |row, n| row.status = [Status::Live, Status::Finished, Status::Adjourned][n],
        |row, n| row.source = [Source::Terminal, Source::Online, Source::Computer][n],
        |row, n| row.ended = [None, Some(7), Some(8)][n],
        |row, n| row.deadline = [None, Some(7), Some(-8)][n],
        |row, n| row.visibility = [Visibility::Public, Visibility::Private][n % 2],
        // The position is the one after all moves: a store may compute it from them.
        |row, n| {
            let mut game = Game::start();
            for step in ["e4", "e5"].into_iter().take(n) {
                game.play_san(step).expect("a move");
            }
            row.follow(&game);
        },
        |row, n| row.final_fen = ["a", "b", "c"][n].to_owned(),
        |row, n| row.headers = vec![("Round".to_owned(), n.to_string()); n],
    ];
    let texts: &[fn(&mut Summary) -> &mut Option<String>] = &[
        |row| &mut row.reason,
        |row| &mut row.start_fen,
        |row| &mut row.time_control,
        |row| &mut row.event,
        |row| &mut row.annotations,
    ];
    plain.final_fen = "a".to_owned();
    let game = begin(store, &plain);
    let mut seq = 1;
    let mut keep = |row: &Summary, what: &str| {
        seq += 1;
        store.append(append(game, seq, row)).expect("a change");
        let record = store.record(game).expect("a log").expect("a game");
        assert_eq!((&record.summary, record.last_seq), (row, seq), "{what}");
    };
    for (number, change) in changes.iter().enumerate() {
        for n in [1, 2, 1, 0] {
            let mut row = plain.clone();
            change(&mut row, n);
            keep(&row, &format!("change {number} to {n}"));
        }
    }
    for (number, field) in texts.iter().enumerate() {
        for value in [text("one"), text("two"), None] {
            let mut row = plain.clone();
            *field(&mut row) = value;
            keep(&row, &format!("text {number}"));
        }
    }
    for opening in [named("B00"), named("B01"), None] {
        keep(&Summary { opening, ..plain.clone() }, "opening");
    }
    // An import recognises a finished game in its current state, not in an earlier one.
    let mut over = Summary { status: Status::Finished, score: Score::White, ..plain.clone() };
    keep(&over, "the end");
    let known = |row: &Summary| {
        let game = Imported { id: None, summary: row.clone(), tags: vec![], note: None };
        let answer = store.import(Batch { games: vec![game], ..Batch::default() }).expect("a log");
        answer.duplicates == 1
    };
    assert!(known(&over));
    let before = over.clone();
    over.moves.push("e2e4".parse().expect("a move"));
    keep(&over, "one more move");
    assert!(known(&over));
    assert!(!known(&before));
}

fn conflict(store: &dyn Store) {
    let summary = anna_and_ben();
    let game = id();
    for expected in [0, 2, 7, u64::MAX] {
        let early = store.append(append(game, expected, &summary));
        assert_eq!(early, Err(Error::Conflict { last_seq: 0 }));
    }
    assert_eq!(store.record(game), Ok(None), "nothing was made");
    store.append(append(game, 1, &summary)).expect("the first");
    for expected in [0, 1, 3, u64::MAX] {
        let other = store.append(append(game, expected, &summary));
        assert_eq!(other, Err(Error::Conflict { last_seq: 1 }), "{expected}");
    }
    assert_eq!(store.events(game, 0, 10).map(|events| events.len()), Ok(1));
}

fn resend(store: &dyn Store) {
    let summary = anna_and_ben();
    let game = id();
    let first = Append {
        command_key: Some("one".to_owned()),
        events: vec![event("a"), event("b")],
        ..append(game, 1, &summary)
    };
    let answer = store.append(first.clone()).expect("the first");
    assert_eq!((answer.seq, answer.once), (2, Once::First));
    store.append(append(game, 3, &summary)).expect("another");
    for _ in 0..3 {
        let answer = store.append(first.clone()).expect("a resend");
        assert_eq!((answer.seq, answer.once), (2, Once::Again));
    }
    assert_eq!(store.events(game, 0, 10).map(|events| events.len()), Ok(3));
}

fn resend_late(store: &dyn Store) {
    const LENGTH: u64 = 150;
    let (game, other) = (id(), id());
    let named = |expected: u64, command_key: u64| Append {
        command_key: Some(format!("c{command_key}")),
        ..append(game, expected, &anna_and_ben())
    };
    for seq in 1..=LENGTH {
        let answer = store.append(named(seq, seq)).expect("a command");
        assert_eq!((answer.seq, answer.once), (seq, Once::First));
    }
    // Sent as the next command of the game: the rules may allow it again.
    for seq in 1..=LENGTH {
        let answer = store.append(named(LENGTH + 1, seq)).expect("a resend");
        assert_eq!((answer.seq, answer.once), (seq, Once::Again));
    }
    // A command key belongs to its game.
    let elsewhere = Append { game: other, ..named(1, 1) };
    assert_eq!(store.append(elsewhere).map(|answer| answer.once), Ok(Once::First));
    let next = store.append(named(LENGTH + 1, LENGTH + 1)).expect("a command");
    assert_eq!((next.seq, next.once), (LENGTH + 1, Once::First));
    assert_eq!(store.record(game).map(|game| game.map(|game| game.last_seq)), Ok(Some(LENGTH + 1)));
}

fn command_keys(store: &dyn Store) {
    let summary = anna_and_ben();
    for game in [id(), id()] {
        for (expected, command_key) in (1..).zip(["one", "two"]) {
            let answer = store.append(Append {
                command_key: Some(command_key.to_owned()),
                ..append(game, expected, &summary)
            });
            let once = Once::First;
            assert_eq!(answer, Ok(Appended { seq: expected, once }));
        }
    }
}

fn race(store: &dyn Store) {
    let summary = anna_and_ben();
    let game = begin(store, &summary);
    for expected in 2..12 {
        let start = Barrier::new(8);
        let wins = std::thread::scope(|scope| {
            let racers: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        store.append(append(game, expected, &summary))
                    })
                })
                .collect();
            let answers = racers.into_iter().map(|racer| racer.join().expect("no panic"));
            let (wins, conflicts): (Vec<_>, Vec<_>) = answers.partition(Result::is_ok);
            let late = Err(Error::Conflict { last_seq: expected });
            assert!(conflicts.iter().all(|answer| *answer == late), "{conflicts:?}");
            wins.len()
        });
        assert_eq!(wins, 1);
    }
    assert_eq!(store.events(game, 0, 100).map(|events| events.len()), Ok(11));
}

fn crowd(store: &dyn Store) {
    let summary = anna_and_ben();
    let games: Vec<_> = (0..16).map(|_| begin(store, &summary)).collect();
    std::thread::scope(|scope| {
        for &game in &games {
            let summary = &summary;
            scope.spawn(move || {
                for expected in 2..=20 {
                    let answer = store.append(append(game, expected, summary));
                    assert_eq!(answer.map(|answer| answer.seq), Ok(expected));
                }
            });
        }
    });
    for game in games {
        let events = store.events(game, 0, 100).expect("events");
        let seqs: Vec<_> = events.iter().map(|event| event.seq).collect();
        assert_eq!(seqs, (1..=20).collect::<Vec<_>>());
    }
}

fn limits(store: &dyn Store) {
    let summary = anna_and_ben();
    let game = id();
    let plain = append(game, 1, &summary);
    let long_name = Summary { white: "x".repeat(401), ..summary.clone() };
    let long_reason = Summary { reason: Some("x".repeat(401)), ..summary.clone() };
    let opening = OpeningName { eco: "A00".to_owned(), name: "x".repeat(401) };
    let mut long_opening = Played::since(&Game::start(), 0, None);
    long_opening.opening = Some(opening);
    let many = vec![event("a"); MOST_EVENTS + 1];
    let long = vec![event(&"x".repeat(LONGEST_EVENT + 1))];
    let cases = [
        (Append { events: vec![], ..plain.clone() }, Part::Events),
        (Append { events: many, ..plain.clone() }, Part::Events),
        (Append { events: long, ..plain.clone() }, Part::Events),
        (Append { command_key: Some("x".repeat(401)), ..plain.clone() }, Part::Client),
        (Append { row: long_name.into(), ..plain.clone() }, Part::Name),
        (Append { row: long_reason.into(), ..plain.clone() }, Part::Text),
        (Append { row: Row::Played(long_opening), ..plain.clone() }, Part::Text),
    ];
    for (append, part) in cases {
        assert_eq!(store.append(append), Err(Error::TooLong(part)));
    }
    assert_eq!(store.record(game), Ok(None));
    let most = vec![event(&"x".repeat(1_000)); MOST_EVENTS];
    let answer = store.append(Append { events: most, ..plain });
    assert_eq!(answer.map(|answer| answer.seq), Ok(MOST_EVENTS as u64));
}

fn unknown(store: &dyn Store) {
    assert_eq!(store.events(id(), 0, 10), Err(Error::NoSuchGame));
    assert_eq!(store.record(id()), Ok(None));
}

fn callback(store: &dyn Store) {
    let (sender, answers) = std::sync::mpsc::channel();
    let game = id();
    for expected in [1, 1] {
        let sender = sender.clone();
        let done = Box::new(move |answer| sender.send(answer).expect("a listener"));
        store.submit(append(game, expected, &anna_and_ben()), done);
    }
    drop(sender);
    let answers: Vec<_> = answers.iter().collect();
    let first = Ok(Appended { seq: 1, once: Once::First });
    assert_eq!(answers, [first, Err(Error::Conflict { last_seq: 1 })]);
    assert_eq!(store.events(game, 0, 10).map(|events| events.len()), Ok(1));
}
