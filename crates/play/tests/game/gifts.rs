//! Gifts: who may give time, when, how often, and what it changes.

use hansu_chess::Color::{self, Black, White};
use hansu_play::{
    Actor, Clocks, Command, Event, GIFT, MAX_GIFTS, Millis, Offer, Refusal, Start, State,
    TimeControl as Time,
};

use crate::fixture::{GameFixture, accept, offer, seconds};

fn give(to: Color) -> Command {
    Command::GiveTime { to }
}

fn minute() -> GameFixture {
    GameFixture::under_way(Time::sudden_death(seconds(60)))
}

#[test]
fn the_opponent_gets_fifteen_seconds() {
    let mut game = minute();
    let events = game.act(Actor::Black, &give(White), 10_000);
    assert_eq!(events, Ok(vec![Event::TimeGiven { to: White, time: Millis(15_000) }]));
    assert_eq!((game.left(White), game.left(Black)), (75_000, 60_000));
    // The clock goes on counting from where the turn began.
    let shown = game.state.clocks_at(Millis(10_000)).unwrap();
    assert_eq!((shown.white, shown.black), (Millis(65_000), Millis(60_000)));
    game.play("g1f3", 70_000).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (5_000, 60_000));
    // The side that is not to move can be given time as well.
    game.act(Actor::Black, &give(White), 71_000).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (20_000, 60_000));
    assert_eq!(State::replay(&game.log).as_ref(), Ok(&game.state));
}

#[test]
fn the_flag_falls_later_by_what_was_given_and_whichever_is_first_counts() {
    // A clock of 60 seconds, and half a second of lag that may be forgiven.
    let mut game = minute();
    assert_eq!(game.state.deadline(), Some((White, Millis(60_500))));
    game.act(Actor::Black, &give(White), 60_499).unwrap();
    assert_eq!(game.state.deadline(), Some((White, Millis(75_500))));
    assert_eq!(game.act(Actor::Black, &Command::Flag, 75_499), Err(Refusal::TimeLeft));
    // At the deadline the gift is too late.
    game.act(Actor::Black, &give(White), 75_500).unwrap();
    assert_eq!(game.ending(), "black timeout");
    assert_eq!(game.left(White), 0);
    assert_eq!(game.act(Actor::Black, &give(White), 75_501), Err(Refusal::GameOver));
}

#[test]
fn only_a_player_gives_and_only_to_the_other() {
    let mut game = minute();
    for (actor, to) in [(Actor::White, White), (Actor::Black, Black)] {
        assert_eq!(game.act(actor, &give(to), 1), Err(Refusal::NoGift));
    }
    for actor in [Actor::System, Actor::Spectator] {
        assert_eq!(game.act(actor, &give(White), 1), Err(Refusal::NotSeated));
    }
    // On one screen either clock can be set forward.
    game.act(Actor::Both, &give(White), 1).unwrap();
    game.act(Actor::Both, &give(Black), 1).unwrap();
    game.act(Actor::White, &give(Black), 1).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (75_000, 90_000));
}

#[test]
fn time_is_given_only_where_clocks_count_down() {
    for time in [Time::Unlimited, Time::Correspondence { days: 1 }] {
        let mut game = GameFixture::under_way(time);
        assert_eq!(game.act(Actor::White, &give(Black), 1), Err(Refusal::NoGift));
    }
    assert_eq!(GameFixture::empty().act(Actor::White, &give(Black), 1), Err(Refusal::NotStarted));
    let mut game = minute();
    game.act(Actor::White, &offer(Offer::Adjournment), 1).unwrap();
    game.act(Actor::Black, &accept(Offer::Adjournment), 1).unwrap();
    assert_eq!(game.act(Actor::White, &give(Black), 2), Err(Refusal::Adjourned));
}

#[test]
fn a_side_is_given_time_forty_times() {
    let mut game = minute();
    for _ in 0..MAX_GIFTS {
        game.act(Actor::White, &give(Black), 1).unwrap();
    }
    assert_eq!(game.left(Black), 60_000 + 40 * 15_000);
    assert_eq!(game.act(Actor::White, &give(Black), 1), Err(Refusal::EnoughGiven));
    game.act(Actor::Black, &give(White), 1).unwrap();
    // A takeback does not reset the count.
    game.act(Actor::Both, &offer(Offer::Takeback), 1).unwrap();
    assert_eq!(game.act(Actor::White, &give(Black), 1), Err(Refusal::EnoughGiven));
}

#[test]
fn no_clock_gets_more_than_it_can_have() {
    let most = Time::MAX_TIME;
    let mut game = GameFixture::timed(Time::sudden_death(most.minus(GIFT)));
    game.act(Actor::White, &give(Black), 1).unwrap();
    assert_eq!(game.clocks()[Black], most);
    assert_eq!(game.act(Actor::White, &give(Black), 1), Err(Refusal::EnoughGiven));
    let mut game = GameFixture::timed(Time::sudden_death(most.minus(GIFT).plus(Millis(1))));
    assert_eq!(game.act(Actor::White, &give(Black), 1), Err(Refusal::EnoughGiven));
}

#[test]
fn a_first_move_stays_free_and_has_its_minute() {
    let mut game = GameFixture::timed(Time::sudden_death(seconds(60)));
    game.act(Actor::Black, &give(White), 1_000).unwrap();
    assert_eq!(game.state.deadline(), Some((White, Millis(60_000))));
    game.play("e2e4", 50_000).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (75_000, 60_000));
}

#[test]
fn a_takeback_does_not_take_a_gift_back() {
    let mut game = minute();
    game.play("g1f3", 10_000).unwrap();
    game.act(Actor::Black, &give(White), 11_000).unwrap();
    game.play("b8c6", 15_000).unwrap();
    game.act(Actor::White, &give(Black), 16_000).unwrap();
    let clocks = |white, black| Some(Clocks { white: Millis(white), black: Millis(black) });
    assert_eq!(game.state.clocks(), clocks(65_000, 70_000));
    // The clocks of the moves are as they were, without what was given later.
    assert_eq!(game.state.clocks_after(2), clocks(50_000, 60_000));
    assert_eq!(game.state.clocks_after(3), clocks(65_000, 55_000));
    game.act(Actor::Both, &offer(Offer::Takeback), 17_000).unwrap();
    assert_eq!(game.state.clocks(), clocks(65_000, 75_000));
    assert_eq!(game.state.clocks_after(2), clocks(50_000, 60_000));
    game.act(Actor::Both, &offer(Offer::Takeback), 18_000).unwrap();
    assert_eq!(game.state.clocks(), clocks(75_000, 75_000));
    assert_eq!(game.state.clocks_after(1), clocks(60_000, 60_000));
    // What was given before a move belongs to the clock after it.
    game.play("g1f3", 18_000).unwrap();
    game.act(Actor::Both, &offer(Offer::Takeback), 19_000).unwrap();
    assert_eq!(game.state.clocks(), clocks(75_000, 75_000));
    // The gifts of the turns that were taken back are not added again when play gets there.
    for (at, uci) in ["g1f3", "b8c6", "f1c4"].into_iter().enumerate() {
        game.play(uci, 20_000 + at as u64).unwrap();
    }
    let before = game.state.clocks_after(3);
    game.act(Actor::Both, &offer(Offer::Takeback), 21_000).unwrap();
    assert_eq!(game.state.clocks(), before);
}

#[test]
fn a_full_log_takes_no_gifts() {
    let mut game = GameFixture::with(Start {
        time: Time::sudden_death(seconds(60)),
        ..Start::between("Mina", "Jun")
    });
    let chat = Command::Chat { text: "hm".to_owned(), name: None };
    while game.act(Actor::White, &chat, 1).is_ok() {}
    assert_eq!(game.act(Actor::White, &give(Black), 1), Err(Refusal::LogFull));
}
