//! Entries that do not fit, and bytes that are not entries: they give a clear error, never a panic,
//! and the state does not change.

use hansu_chess::Color::{Black, White};
use hansu_chess::Reason as Rule;
use hansu_play::{
    Actor, Clocks, Command, Ending, Entry, Event, Millis, Offer, Reason, ReplayError, Start, State,
    TimeControl as Time, apply,
};
use proptest::prelude::*;

use crate::fixture::{GameFixture, cases, offer, seconds};

fn next(game: &GameFixture, event: Event) -> Entry {
    Entry { seq: game.state.seq() + 1, at: game.state.at(), event }
}

/// Checks that an event gives this error and that the state is unchanged.
#[track_caller]
fn refused(game: &GameFixture, event: Event, misfit: ReplayError) {
    let mut state = game.state.clone();
    assert_eq!(apply(&mut state, &next(game, event)), Err(misfit));
    assert_eq!(state, game.state);
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
    let mut game = GameFixture::timed(Time::Unlimited);
    game.play("e2e4", 500).unwrap();
    let mut entry = next(&game, moved("e7e5", None));
    for seq in [0, 1, 2, 4, u64::MAX] {
        entry.seq = seq;
        assert_eq!(apply(&mut game.state.clone(), &entry), Err(ReplayError::Seq { expected: 3 }));
    }
    entry.seq = 3;
    entry.at = Millis(499);
    assert_eq!(apply(&mut game.state.clone(), &entry), Err(ReplayError::Time));
    entry.at = Millis(500);
    let Event::Moved { received, .. } = &mut entry.event else {
        panic!("a move");
    };
    *received = Millis(501);
    assert_eq!(apply(&mut game.state.clone(), &entry), Err(ReplayError::Time));
    entry.at = Millis(501);
    assert_eq!(apply(&mut game.state, &entry), Ok(()));
}

#[test]
fn a_game_starts_once_and_soundly() {
    let empty = GameFixture::empty();
    refused(&empty, moved("e2e4", None), ReplayError::NotStarted);
    refused(&empty, ended(None, Reason::Abort), ReplayError::NotStarted);
    let start = || Start::between("a", "b");
    let bad = [
        Start { fen: Some("rubbish".to_owned()), ..start() },
        Start { fen: Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned()), ..start() },
        Start { time: Time::sudden_death(Millis(1)), ..start() },
    ];
    for start in bad {
        refused(&empty, Event::Started(start), ReplayError::Start);
    }
    refused(
        &GameFixture::timed(Time::Unlimited),
        Event::Started(start()),
        ReplayError::AlreadyStarted,
    );
}

#[test]
fn a_move_must_be_legal_and_the_game_under_way() {
    let mut game = GameFixture::timed(Time::Unlimited);
    refused(&game, moved("e2e5", None), ReplayError::Move);
    refused(&game, moved("e7e5", None), ReplayError::Move);
    refused(&game, moved("e2e4", Some(Clocks::default())), ReplayError::Clocks);
    let timed = GameFixture::timed(Time::sudden_death(seconds(60)));
    refused(&timed, moved("e2e4", None), ReplayError::Clocks);
    refused(&timed, Event::Adjourned { clocks: None }, ReplayError::Clocks);
    refused(&timed, Event::TakenBack { plies: 1, clocks: None }, ReplayError::Clocks);
    refused(&timed, ended(None, Reason::Abort), ReplayError::Clocks);
    game.act(Actor::Both, &offer(Offer::Adjournment), 1).unwrap();
    refused(&game, moved("e2e4", None), ReplayError::NotPlaying);
    refused(&game, Event::Adjourned { clocks: None }, ReplayError::NotPlaying);
    let given = || Event::TimeGiven { to: White, time: Millis(1) };
    refused(&game, Event::Credited { time: Millis(1) }, ReplayError::NotPlaying);
    refused(&game, given(), ReplayError::NotPlaying);
    game.act(Actor::White, &Command::Resign, 1).unwrap();
    refused(&game, moved("e2e4", None), ReplayError::NotPlaying);
    refused(&game, Event::Credited { time: Millis(1) }, ReplayError::NotPlaying);
    refused(&game, given(), ReplayError::NotPlaying);
    refused(&GameFixture::timed(Time::Unlimited), given(), ReplayError::Clocks);
    refused(&GameFixture::timed(Time::Correspondence { days: 1 }), given(), ReplayError::Clocks);
    refused(&game, Event::Resumed, ReplayError::NotAdjourned);
}

#[test]
fn agreements_need_an_offer() {
    let mut game = GameFixture::under_way(Time::Unlimited);
    let back = |plies| Event::TakenBack { plies, clocks: None };
    refused(&game, back(1), ReplayError::Offer);
    refused(&game, Event::Adjourned { clocks: None }, ReplayError::Offer);
    refused(&game, Event::Resumed, ReplayError::NotAdjourned);
    refused(&game, ended(None, Rule::Agreement), ReplayError::Ending);
    refused(&game, Event::RematchAgreed { next: "x".to_owned() }, ReplayError::NotOver);
    let offered = |what| Event::Offered { what, by: White };
    refused(&game, offered(Offer::Resumption), ReplayError::NotAdjourned);
    refused(&game, offered(Offer::Rematch), ReplayError::NotOver);
    for what in [Offer::Draw, Offer::Takeback, Offer::Adjournment] {
        refused(&game, Event::Declined { what, by: White }, ReplayError::Offer);
        game.act(Actor::White, &offer(what), 1).unwrap();
        refused(&game, offered(what), ReplayError::Offer);
        refused(&game, Event::Offered { what, by: Black }, ReplayError::Offer);
        refused(&game, Event::Declined { what, by: White }, ReplayError::Offer);
    }
    // White is to move: two plies, not one, not three.
    for plies in [0, 1, 3, 255] {
        refused(&game, back(plies), ReplayError::Move);
    }
    refused(&game, ended(Some(White), Rule::Agreement), ReplayError::Ending);
    game.act(Actor::Both, &offer(Offer::Adjournment), 1).unwrap();
    refused(&game, Event::Resumed, ReplayError::Offer);
    refused(&game, offered(Offer::Takeback), ReplayError::NotPlaying);
    refused(&game, offered(Offer::Adjournment), ReplayError::NotPlaying);
    game.act(Actor::White, &Command::Resign, 1).unwrap();
    refused(&game, offered(Offer::Draw), ReplayError::NotPlaying);
    refused(&game, Event::RematchAgreed { next: "x".to_owned() }, ReplayError::Offer);
    game.act(Actor::White, &offer(Offer::Rematch), 1).unwrap();
    let yes = Command::Accept { what: Offer::Rematch, next: Some("x".to_owned()) };
    game.act(Actor::Black, &yes, 1).unwrap();
    refused(&game, offered(Offer::Rematch), ReplayError::NotOver);
}

#[test]
fn presence_changes_when_it_changes() {
    let mut game = GameFixture::timed(Time::Unlimited);
    refused(&game, Event::Returned { side: White }, ReplayError::Presence);
    game.act(Actor::White, &Command::Leave { side: White }, 1).unwrap();
    refused(&game, Event::Left { side: White }, ReplayError::Presence);
    refused(&game, Event::Returned { side: Black }, ReplayError::Presence);
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
    let mut game = GameFixture::timed(Time::Unlimited);
    for event in wins(White).into_iter().chain(wins(Black)) {
        refused(&game, event, ReplayError::Ending);
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
        refused(&game, ended(None, reason), ReplayError::Ending);
    }
    for reason in [Reason::Timeout, Reason::TimeoutDraw] {
        refused(&game, ended(None, reason), ReplayError::Ending); // there is no clock
        refused(&game, ended(Some(Black), reason), ReplayError::Ending);
    }
    game.play("e2e4", 1).unwrap();
    assert!(apply(&mut game.state.clone(), &next(&game, ended(None, Reason::Abort))).is_ok());
    game.play("e7e5", 1).unwrap();
    refused(&game, ended(None, Reason::Abort), ReplayError::Ending);
    for _ in 0..4 {
        game.shuffle(1);
    }
    refused(&game, ended(None, Rule::FiftyMoves), ReplayError::Ending);
    refused(&game, ended(Some(White), Rule::ThreefoldRepetition), ReplayError::Ending);
    let drawn = next(&game, ended(None, Rule::ThreefoldRepetition));
    assert!(apply(&mut game.state.clone(), &drawn).is_ok());
    game.act(Actor::Both, &offer(Offer::Adjournment), 1).unwrap();
    for reason in [Reason::Abandonment, Reason::Abort, Rule::ThreefoldRepetition.into()] {
        refused(&game, ended(None, reason), ReplayError::Ending);
    }
    game.act(Actor::White, &Command::Resign, 1).unwrap();
    refused(&game, ended(Some(Black), Rule::Resignation), ReplayError::Ending);
}

#[test]
fn only_the_side_to_move_can_be_flagged() {
    let game = GameFixture::under_way(Time::sudden_death(seconds(60)));
    let flagged = |winner, reason| Event::Ended {
        ending: Ending { winner, reason },
        clocks: game.state.clocks(),
    };
    refused(&game, flagged(Some(White), Reason::Timeout), ReplayError::Ending);
    refused(&game, flagged(None, Reason::Timeout), ReplayError::Ending);
    refused(&game, flagged(Some(Black), Reason::TimeoutDraw), ReplayError::Ending);
    for (winner, reason) in [(Some(Black), Reason::Timeout), (None, Reason::TimeoutDraw)] {
        let entry = next(&game, flagged(winner, reason));
        assert!(apply(&mut game.state.clone(), &entry).is_ok());
    }
}

#[test]
fn a_log_cut_between_the_mate_and_its_end_is_completed() {
    let mut game = GameFixture::timed(Time::Unlimited);
    for uci in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        game.play(uci, 1).unwrap();
    }
    let whole = game.state.clone();
    let cut = game.log.len() - 1;
    game.log.truncate(cut);
    game.state = State::replay(&game.log).unwrap();
    assert_eq!((game.state.ending(), game.state.deadline()), (None, None));
    refused(&game, moved("e2e4", None), ReplayError::NotPlaying);
    refused(&game, ended(Some(White), Rule::Resignation), ReplayError::Ending);
    refused(&game, Event::Credited { time: Millis(1) }, ReplayError::NotPlaying);
    let credit = Command::Credit { time: Millis(1) };
    assert_eq!(game.act(Actor::System, &credit, 9), Err(hansu_play::Refusal::GameOver));
    for command in [Command::Resign, Command::Abort, Command::Flag, offer(Offer::Draw)] {
        let mut game = game.clone();
        game.act(Actor::White, &command, 1).unwrap();
        assert_eq!(game.state, whole);
    }
}

#[test]
fn errors_say_what_is_wrong() {
    assert_eq!(
        ReplayError::Seq { expected: 3 }.to_string(),
        "the entry numbered 3 should come next"
    );
    assert_eq!(ReplayError::Move.to_string(), "the move does not fit the position");
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
        // An entry that was read can be written and read again, whether it fits or not.
        let again = serde_json::to_string(&entry).expect("an entry can be written");
        prop_assert_eq!(serde_json::from_str::<Entry>(&again).ok(), Some(entry.clone()));
        let mut game = GameFixture::timed(Time::fischer(seconds(60), seconds(1)));
        for uci in ["f2f3", "e7e5", "g2g4", "d8h4", "a2a3"].iter().take(played) {
            let _ = game.play(uci, 1);
        }
        let before = game.state.clone();
        let fitting = next(&game, entry.event.clone());
        if apply(&mut game.state, &fitting).is_err() {
            prop_assert_eq!(&game.state, &before);
        }
        let _ = game.state.deadline();
        let _ = game.state.clocks_at(Millis(u64::MAX));
        let _ = apply(&mut game.state, &entry);
        let _ = State::replay([&entry]);
    }
}
