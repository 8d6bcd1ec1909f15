//! States: when two are equal; texts and codes of values.

use hansu_chess::Color::{self, Black, White};
use hansu_chess::Reason as Rule;
use hansu_play::{
    Actor, Clocks, Command, Ending, Entry, Event, Millis, Offer, Reason, Refusal, Source, Start,
    State, TimeControl,
};

/// The state after events at intervals of one millisecond; the first one is at time `first`.
fn after(first: u64, events: Vec<Event>) -> State {
    let entries = events.into_iter().zip(1..).map(|(event, seq)| Entry {
        seq,
        at: Millis(if seq == 1 { first } else { 10 + seq }),
        event,
    });
    State::replay(&entries.collect::<Vec<_>>()).expect("a sound log")
}

fn started(white: &str) -> Event {
    Event::Started(Start {
        time: TimeControl::sudden_death(Millis::minutes(1)),
        ..Start::between(white, "Jun")
    })
}

fn moved(uci: &str, lag: u64, left: u64) -> Event {
    Event::Moved {
        uci: uci.parse().expect("a move"),
        received: Millis::ZERO,
        lag: Millis(lag),
        clocks: Some(Clocks::both(Millis(left))),
    }
}

fn resigned(winner: Color, left: u64) -> Event {
    Event::Ended {
        ending: Ending { winner: Some(winner), reason: Rule::Resignation.into() },
        clocks: Some(Clocks::both(Millis(left))),
    }
}

fn given(to: Color) -> Event {
    Event::TimeGiven { to, time: Millis(1) }
}

fn chatted() -> Event {
    Event::Chatted { from: Actor::White, name: None, text: "hi".to_owned() }
}

fn rematch(next: &str) -> Vec<Event> {
    vec![
        started("Mina"),
        resigned(White, 5),
        Event::Offered { what: Offer::Rematch, by: White },
        Event::RematchAgreed { next: next.to_owned() },
    ]
}

#[test]
fn states_that_differ_in_one_thing_are_different() {
    let game = |events: &[Event]| after(0, [&[started("Mina")], events].concat());
    for (what, one, other) in [
        ("seq", game(&[]), game(&[chatted()])),
        ("start", after(0, vec![started("Mina")]), after(0, vec![started("Ara")])),
        (
            "started_at",
            after(1, vec![started("Mina"), moved("e2e4", 0, 5)]),
            after(2, vec![started("Mina"), moved("e2e4", 0, 5)]),
        ),
        ("moves", game(&[moved("e2e4", 0, 5)]), game(&[moved("d2d4", 0, 5)])),
        ("phase", game(&[resigned(White, 5)]), game(&[resigned(Black, 5)])),
        ("clocks", game(&[resigned(White, 5)]), game(&[resigned(White, 6)])),
        (
            "turns",
            game(&[moved("e2e4", 0, 5), moved("e7e5", 0, 7)]),
            game(&[moved("e2e4", 0, 6), moved("e7e5", 0, 7)]),
        ),
        (
            "since",
            game(&[Event::Credited { time: Millis(1) }]),
            game(&[Event::Credited { time: Millis(2) }]),
        ),
        ("lag", game(&[moved("e2e4", 1, 5)]), game(&[moved("e2e4", 2, 5)])),
        (
            "gifts",
            game(&[moved("e2e4", 0, 5), given(White), moved("e7e5", 0, 7)]),
            game(&[moved("e2e4", 0, 5), given(Black), moved("e7e5", 0, 7)]),
        ),
        ("offers", game(&[chatted()]), game(&[Event::Offered { what: Offer::Draw, by: White }])),
        ("left", game(&[Event::Left { side: White }]), game(&[Event::Left { side: Black }])),
        ("next", after(0, rematch("a")), after(0, rematch("b"))),
    ] {
        assert_eq!(one, one.clone(), "{what}");
        assert_ne!(one, other, "{what}");
        assert_ne!(other, one, "{what}");
    }
    let at = |at| {
        let entries = [
            Entry { seq: 1, at: Millis::ZERO, event: started("Mina") },
            Entry { seq: 2, at: Millis(at), event: chatted() },
        ];
        State::replay(&entries).expect("a sound log")
    };
    assert_eq!(at(1), at(1));
    assert_ne!(at(1), at(2));
}

#[test]
fn values_are_written_for_people_and_programs() {
    assert_eq!(Millis(7).to_string(), "7 ms");
    assert_eq!(Refusal::NotYourTurn.to_string(), "not_your_turn");
    assert_eq!(Ending { winner: Some(White), reason: Reason::Timeout }.to_string(), "1-0");
    let refusal = Refusal::from(hansu_chess::Refusal::GameOver);
    assert_eq!(refusal, Refusal::Move(hansu_chess::Refusal::GameOver));
}

#[test]
fn refusals_have_names_of_their_own() {
    use Refusal as R;
    let all = [
        R::Position(hansu_chess::FenError::Board),
        R::PositionOver,
        R::BadTime,
        R::TextEmpty,
        R::TextTooLong,
        R::TextControl,
        R::BadId,
        R::NotStarted,
        R::AlreadyStarted,
        R::NotSeated,
        R::SystemOnly,
        R::NotYourSeat,
        R::NotYourTurn,
        R::GameOver,
        R::GameNotOver,
        R::Adjourned,
        R::NotAdjourned,
        R::NothingOffered,
        R::AlreadyOffered,
        R::OfferedTooSoon,
        R::NothingToTakeBack,
        R::TooLateToAbort,
        R::NothingToClaim,
        R::OpponentThere,
        R::NotUnderWay,
        R::TimeLeft,
        R::NoClock,
        R::NoGift,
        R::EnoughGiven,
        R::RematchAgreed,
        R::ChatClosed,
        R::Unchanged,
        R::LogFull,
    ];
    let names: std::collections::BTreeSet<_> = all.iter().map(R::code).collect();
    assert_eq!(names.len(), all.len());
}

#[test]
fn commands_are_read_as_they_are_written() {
    let give = |to| Command::GiveTime { to };
    let with =
        |with: Option<&str>| Command::ClaimDraw { with: with.map(|uci| uci.parse().unwrap()) };
    for command in
        [with(None), with(Some("e2e4")), with(Some("a7a8q")), Command::Resign, give(White)]
    {
        let text = serde_json::to_string(&command).unwrap();
        assert_eq!(serde_json::from_str::<Command>(&text).unwrap(), command, "{text}");
    }
}

#[test]
fn sources_have_codes() {
    for source in Source::ALL {
        assert_eq!(serde_json::to_value(source).unwrap(), source.code());
        assert_eq!(Source::from_code(source.code()), Some(source));
    }
    assert_eq!(Source::from_code("moon"), None);
}
