//! Entries that do not fit, and bytes that are no entries: a clear error, never a panic, and the
//! state stays what it was.

use hansu_chess::Color::{Black, White};
use hansu_chess::Reason as Rule;
use hansu_play::{
    Actor, Clocks, Command, Ending, Entry, Event, Millis, Misfit, Offer, Reason, Start, State,
    TimeControl as Time, apply,
};
use proptest::prelude::*;

use crate::table::{Table, cases, offer, seconds};

fn next(table: &Table, event: Event) -> Entry {
    Entry { seq: table.state.seq() + 1, at: table.state.at(), event }
}

/// That an event is refused, and that the state is as before.
#[track_caller]
fn refused(table: &Table, event: Event, misfit: Misfit) {
    let mut state = table.state.clone();
    assert_eq!(apply(&mut state, &next(table, event)), Err(misfit));
    assert_eq!(state, table.state);
}

fn moved(uci: &str, clocks: Option<Clocks>) -> Event {
    let uci = uci.parse().expect("a move");
    Event::Moved { uci, received: Millis::ZERO, lag: Millis::ZERO, clocks }
}

fn ended(winner: Option<hansu_chess::Color>, reason: impl Into<Reason>) -> Event {
    Event::Ended { ending: Ending { winner, reason: reason.into() }, clocks: None }
}

#[test]
fn numbers_follow_each_other_and_time_does_not_go_back() {
    let mut table = Table::timed(Time::Unlimited);
    table.play("e2e4", 500).unwrap();
    let mut entry = next(&table, moved("e7e5", None));
    for seq in [0, 1, 2, 4, u64::MAX] {
        entry.seq = seq;
        assert_eq!(apply(&mut table.state.clone(), &entry), Err(Misfit::Seq { expected: 3 }));
    }
    entry.seq = 3;
    entry.at = Millis(499);
    assert_eq!(apply(&mut table.state.clone(), &entry), Err(Misfit::Time));
    entry.at = Millis(500);
    let Event::Moved { received, .. } = &mut entry.event else {
        panic!("a move");
    };
    *received = Millis(501);
    assert_eq!(apply(&mut table.state.clone(), &entry), Err(Misfit::Time));
    entry.at = Millis(501);
    assert_eq!(apply(&mut table.state, &entry), Ok(()));
}

#[test]
fn a_game_starts_once_and_soundly() {
    let empty = Table::empty();
    refused(&empty, moved("e2e4", None), Misfit::NotStarted);
    refused(&empty, ended(None, Reason::Abort), Misfit::NotStarted);
    let start = || Start::between("a", "b");
    let bad = [
        Start { fen: Some("rubbish".to_owned()), ..start() },
        Start { fen: Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned()), ..start() },
        Start { time: Time::sudden_death(Millis(1)), ..start() },
    ];
    for start in bad {
        refused(&empty, Event::Started(start), Misfit::Start);
    }
    refused(&Table::timed(Time::Unlimited), Event::Started(start()), Misfit::AlreadyStarted);
}

#[test]
fn a_move_must_be_legal_and_the_game_under_way() {
    let mut table = Table::timed(Time::Unlimited);
    refused(&table, moved("e2e5", None), Misfit::Move);
    refused(&table, moved("e7e5", None), Misfit::Move);
    refused(&table, moved("e2e4", Some(Clocks::default())), Misfit::Clocks);
    let timed = Table::timed(Time::sudden_death(seconds(60)));
    refused(&timed, moved("e2e4", None), Misfit::Clocks);
    refused(&timed, Event::Adjourned { clocks: None }, Misfit::Clocks);
    refused(&timed, Event::TakenBack { plies: 1, clocks: None }, Misfit::Clocks);
    refused(&timed, ended(None, Reason::Abort), Misfit::Clocks);
    table.act(Actor::Both, &offer(Offer::Adjournment), 1).unwrap();
    refused(&table, moved("e2e4", None), Misfit::NotPlaying);
    refused(&table, Event::Adjourned { clocks: None }, Misfit::NotPlaying);
    let given = || Event::TimeGiven { to: White, time: Millis(1) };
    refused(&table, Event::Credited { time: Millis(1) }, Misfit::NotPlaying);
    refused(&table, given(), Misfit::NotPlaying);
    table.act(Actor::White, &Command::Resign, 1).unwrap();
    refused(&table, moved("e2e4", None), Misfit::NotPlaying);
    refused(&table, Event::Credited { time: Millis(1) }, Misfit::NotPlaying);
    refused(&table, given(), Misfit::NotPlaying);
    refused(&Table::timed(Time::Unlimited), given(), Misfit::Clocks);
    refused(&Table::timed(Time::Correspondence { days: 1 }), given(), Misfit::Clocks);
    refused(&table, Event::Resumed, Misfit::NotAdjourned);
}

#[test]
fn agreements_need_an_offer() {
    let mut table = Table::under_way(Time::Unlimited);
    let back = |plies| Event::TakenBack { plies, clocks: None };
    refused(&table, back(1), Misfit::Offer);
    refused(&table, Event::Adjourned { clocks: None }, Misfit::Offer);
    refused(&table, Event::Resumed, Misfit::NotAdjourned);
    refused(&table, ended(None, Rule::Agreement), Misfit::Ending);
    refused(&table, Event::RematchAgreed { next: "x".to_owned() }, Misfit::NotOver);
    let offered = |what| Event::Offered { what, by: White };
    refused(&table, offered(Offer::Resumption), Misfit::NotAdjourned);
    refused(&table, offered(Offer::Rematch), Misfit::NotOver);
    for what in [Offer::Draw, Offer::Takeback, Offer::Adjournment] {
        refused(&table, Event::Declined { what, by: White }, Misfit::Offer);
        table.act(Actor::White, &offer(what), 1).unwrap();
        refused(&table, offered(what), Misfit::Offer);
        refused(&table, Event::Offered { what, by: Black }, Misfit::Offer);
        refused(&table, Event::Declined { what, by: White }, Misfit::Offer);
    }
    // White is to move: two plies, not one, not three.
    for plies in [0, 1, 3, 255] {
        refused(&table, back(plies), Misfit::Move);
    }
    refused(&table, ended(Some(White), Rule::Agreement), Misfit::Ending);
    table.act(Actor::Both, &offer(Offer::Adjournment), 1).unwrap();
    refused(&table, Event::Resumed, Misfit::Offer);
    refused(&table, offered(Offer::Takeback), Misfit::NotPlaying);
    refused(&table, offered(Offer::Adjournment), Misfit::NotPlaying);
    table.act(Actor::White, &Command::Resign, 1).unwrap();
    refused(&table, offered(Offer::Draw), Misfit::NotPlaying);
    refused(&table, Event::RematchAgreed { next: "x".to_owned() }, Misfit::Offer);
    table.act(Actor::White, &offer(Offer::Rematch), 1).unwrap();
    let yes = Command::Accept { what: Offer::Rematch, next: Some("x".to_owned()) };
    table.act(Actor::Black, &yes, 1).unwrap();
    refused(&table, offered(Offer::Rematch), Misfit::NotOver);
}

#[test]
fn presence_changes_when_it_changes() {
    let mut table = Table::timed(Time::Unlimited);
    refused(&table, Event::Returned { side: White }, Misfit::Presence);
    table.act(Actor::White, &Command::Leave { side: White }, 1).unwrap();
    refused(&table, Event::Left { side: White }, Misfit::Presence);
    refused(&table, Event::Returned { side: Black }, Misfit::Presence);
}

#[test]
fn a_game_ends_only_as_it_can() {
    let wins = |color| {
        [
            ended(Some(color), Rule::Checkmate),
            ended(Some(color), Rule::Stalemate),
            ended(Some(color), Rule::ThreefoldRepetition),
            ended(Some(color), Reason::Abort),
            ended(Some(color), Reason::TimeoutDraw),
        ]
    };
    let mut table = Table::timed(Time::Unlimited);
    for event in wins(White).into_iter().chain(wins(Black)) {
        refused(&table, event, Misfit::Ending);
    }
    for reason in [
        Rule::Checkmate,
        Rule::Resignation,
        Rule::Stalemate,
        Rule::DeadPosition,
        Rule::LockedPawns,
        Rule::FivefoldRepetition,
        Rule::SeventyFiveMoves,
        Rule::ThreefoldRepetition,
        Rule::FiftyMoves,
        Rule::Agreement,
    ] {
        refused(&table, ended(None, reason), Misfit::Ending);
    }
    for reason in [Reason::Timeout, Reason::TimeoutDraw] {
        refused(&table, ended(None, reason), Misfit::Ending); // there is no clock
        refused(&table, ended(Some(Black), reason), Misfit::Ending);
    }
    table.play("e2e4", 1).unwrap();
    assert!(apply(&mut table.state.clone(), &next(&table, ended(None, Reason::Abort))).is_ok());
    table.play("e7e5", 1).unwrap();
    refused(&table, ended(None, Reason::Abort), Misfit::Ending);
    for _ in 0..4 {
        table.shuffle(1);
    }
    refused(&table, ended(None, Rule::FiftyMoves), Misfit::Ending);
    refused(&table, ended(Some(White), Rule::ThreefoldRepetition), Misfit::Ending);
    let drawn = next(&table, ended(None, Rule::ThreefoldRepetition));
    assert!(apply(&mut table.state.clone(), &drawn).is_ok());
    table.act(Actor::Both, &offer(Offer::Adjournment), 1).unwrap();
    for reason in [Reason::Abandonment, Reason::Abort, Rule::ThreefoldRepetition.into()] {
        refused(&table, ended(None, reason), Misfit::Ending);
    }
    table.act(Actor::White, &Command::Resign, 1).unwrap();
    refused(&table, ended(Some(Black), Rule::Resignation), Misfit::Ending);
}

#[test]
fn only_the_side_to_move_can_be_flagged() {
    let table = Table::under_way(Time::sudden_death(seconds(60)));
    let flagged = |winner, reason| Event::Ended {
        ending: Ending { winner, reason },
        clocks: table.state.clocks(),
    };
    refused(&table, flagged(Some(White), Reason::Timeout), Misfit::Ending);
    refused(&table, flagged(None, Reason::Timeout), Misfit::Ending);
    refused(&table, flagged(Some(Black), Reason::TimeoutDraw), Misfit::Ending);
    for (winner, reason) in [(Some(Black), Reason::Timeout), (None, Reason::TimeoutDraw)] {
        let entry = next(&table, flagged(winner, reason));
        assert!(apply(&mut table.state.clone(), &entry).is_ok());
    }
}

#[test]
fn a_log_cut_between_the_mate_and_its_end_is_completed() {
    let mut table = Table::timed(Time::Unlimited);
    for uci in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        table.play(uci, 1).unwrap();
    }
    let whole = table.state.clone();
    let cut = table.log.len() - 1;
    table.log.truncate(cut);
    table.state = State::replay(&table.log).unwrap();
    assert_eq!((table.state.ending(), table.state.deadline()), (None, None));
    refused(&table, moved("e2e4", None), Misfit::NotPlaying);
    refused(&table, ended(Some(White), Rule::Resignation), Misfit::Ending);
    refused(&table, Event::Credited { time: Millis(1) }, Misfit::NotPlaying);
    let credit = Command::Credit { time: Millis(1) };
    assert_eq!(table.act(Actor::System, &credit, 9), Err(hansu_play::Refusal::GameOver));
    for command in [Command::Resign, Command::Abort, Command::Flag, offer(Offer::Draw)] {
        let mut table = table.clone();
        table.act(Actor::White, &command, 1).unwrap();
        assert_eq!(table.state, whole);
    }
}

#[test]
fn misfits_say_what_is_wrong() {
    assert_eq!(Misfit::Seq { expected: 3 }.to_string(), "the entry numbered 3 should come next");
    assert_eq!(Misfit::Move.to_string(), "the move does not fit the position");
}

/// Entries as JSON from games that hold most kinds of events.
fn samples() -> Vec<String> {
    crate::golden::FILES
        .iter()
        .flat_map(|(_, text)| serde_json::from_str::<Vec<serde_json::Value>>(text).expect("a list"))
        .map(|value| value.to_string())
        .collect()
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(serde_json::from_slice::<Entry>(&bytes).is_err());
        prop_assert!(serde_json::from_slice::<Command>(&bytes).is_err());
    }

    #[test]
    fn damaged_entries_never_panic(
        which in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
        with in "[0-9\\-\\.\"a-z{}\\[\\]:, ]{0,6}",
        length in 0..12usize,
        played in 0..6usize,
    ) {
        let samples = samples();
        let text = &samples[which.index(samples.len())];
        let from = cut.index(text.len());
        let to = (from + length).min(text.len());
        let (Some(head), Some(tail)) = (text.get(..from), text.get(to..)) else {
            return Ok(());
        };
        let Ok(entry) = serde_json::from_str::<Entry>(&format!("{head}{with}{tail}")) else {
            return Ok(());
        };
        // Whatever was read can be written and read again, and fits or does not.
        let again = serde_json::to_string(&entry).expect("an entry can be written");
        prop_assert_eq!(serde_json::from_str::<Entry>(&again).ok(), Some(entry.clone()));
        let mut table = Table::timed(Time::fischer(seconds(60), seconds(1)));
        for uci in ["f2f3", "e7e5", "g2g4", "d8h4", "a2a3"].iter().take(played) {
            let _ = table.play(uci, 1);
        }
        let before = table.state.clone();
        let fitting = next(&table, entry.event.clone());
        if apply(&mut table.state, &fitting).is_err() {
            prop_assert_eq!(&table.state, &before);
        }
        let _ = table.state.deadline();
        let _ = table.state.clocks_at(Millis(u64::MAX));
        let _ = apply(&mut table.state, &entry);
        let _ = State::replay([&entry]);
    }
}
