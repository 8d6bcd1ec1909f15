//! Time odds: a clock of its own for each side.

use hansu_chess::Color::{Black, White};
use hansu_play::{
    Actor, Command, Ending, Millis, Reason, Refusal, Start, State, TimeControl as Time,
};

use crate::fixture::{GameFixture, seconds, stage};

/// A minute with two seconds a move for White, twenty seconds in two stages for Black.
fn odds() -> Time {
    Time::Odds {
        white: vec![stage(0, 60_000, 2_000)],
        black: vec![stage(2, 12_000, 0), stage(0, 8_000, 1_000)],
    }
}

#[test]
fn each_side_has_its_own_clock_bonus_and_stages() {
    let mut game = GameFixture::under_way(odds());
    assert_eq!((game.left(White), game.left(Black)), (60_000, 12_000));
    game.play("g1f3", 10_000).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (52_000, 12_000));
    // Black's second move completes the first stage, and gives the time of the next.
    game.play("b8c6", 13_000).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (52_000, 17_000));
    game.play("f1c4", 14_000).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (53_000, 17_000));
    // From then on every move gives a second.
    game.play("f8c5", 18_000).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (53_000, 14_000));
    assert_eq!(State::replay(&game.log).as_ref(), Ok(&game.state));
}

#[test]
fn flags_and_lag_follow_the_clock_of_the_side() {
    let short = Time::sudden_death(seconds(3));
    let long = Time::sudden_death(seconds(60));
    let mut game = GameFixture::under_way(Time::odds(short, long).unwrap());
    // A sixth of the first stage: half a second for White, ten seconds for Black.
    assert_eq!(game.state.lag_left(White), Millis(500));
    assert_eq!(game.state.lag_left(Black), seconds(10));
    assert_eq!(game.state.deadline(), Some((White, Millis(3_500))));
    game.play("g1f3", 2_000).unwrap();
    assert_eq!(game.state.deadline(), Some((Black, Millis(62_500))));
    game.play("b8c6", 60_000).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (1_000, 2_000));
    game.act(Actor::Black, &Command::Flag, 61_500).unwrap();
    assert_eq!(game.ending(), "black timeout");
}

#[test]
fn a_first_move_has_a_tenth_of_the_sides_own_time() {
    let long = Time::sudden_death(Millis::minutes(60));
    let short = Time::sudden_death(Millis::minutes(1));
    let mut game = GameFixture::timed(Time::odds(long, short).unwrap());
    assert_eq!(game.state.deadline(), Some((White, Millis::minutes(6))));
    game.play("e2e4", 0).unwrap();
    assert_eq!(game.state.deadline(), Some((Black, Millis::minutes(1))));
}

#[test]
fn in_a_rematch_the_time_stays_with_the_player() {
    let start = Start { time: odds(), ..Start::between("Mina", "Jun") };
    let ending = Ending { winner: Some(White), reason: Reason::Timeout };
    let next = start.rematch("abc", ending);
    assert_eq!((next.names.white.as_str(), next.names.black.as_str()), ("Jun", "Mina"));
    assert_eq!(next.time.stages(White), odds().stages(Black));
    assert_eq!(next.time.stages(Black), odds().stages(White));
    assert_eq!(next.rematch("abd", ending).time, odds());
}

#[test]
fn equal_clocks_are_kept_as_one() {
    let stages = vec![stage(0, 60_000, 2_000)];
    let equal = Time::Odds { white: stages.clone(), black: stages.clone() };
    let game = GameFixture::timed(equal);
    assert_eq!(game.state.start().map(|start| &start.time), Some(&Time::Clock { stages }));
    let text = serde_json::to_string(&game.log[0]).unwrap();
    assert!(text.contains(r#""time":{"kind":"clock","stages":[{"time":60000"#), "{text}");
}

#[test]
fn odds_are_written_side_by_side_and_bounded() {
    let text = serde_json::to_string(&Time::odds(
        Time::sudden_death(seconds(60)),
        Time::fischer(seconds(30), seconds(1)),
    ));
    let written = r#"{"kind":"odds","white":[{"time":60000,"bonus":"none"}],"black":[{"time":30000,"bonus":{"increment":1000}}]}"#;
    assert_eq!(text.unwrap(), written);
    let unsound = Time::Odds { white: vec![stage(0, 60_000, 0)], black: vec![] };
    let start = Command::Start(Start { time: unsound, ..Start::between("Mina", "Jun") });
    assert_eq!(GameFixture::empty().act(Actor::System, &start, 0), Err(Refusal::BadTime));
}
