//! Time that one player gives the other: who, when, how often, and what it changes.

use hansu_chess::Color::{self, Black, White};
use hansu_play::{
    Actor, Clocks, Command, Event, GIFT, MAX_GIFTS, Millis, Offer, Refusal, Start, State,
    TimeControl as Time,
};

use crate::table::{Table, accept, offer, seconds};

fn give(to: Color) -> Command {
    Command::GiveTime { to }
}

fn minute() -> Table {
    Table::under_way(Time::sudden_death(seconds(60)))
}

#[test]
fn the_opponent_gets_fifteen_seconds() {
    let mut table = minute();
    let events = table.act(Actor::Black, &give(White), 10_000);
    assert_eq!(events, Ok(vec![Event::TimeGiven { to: White, time: Millis(15_000) }]));
    assert_eq!((table.left(White), table.left(Black)), (75_000, 60_000));
    // The clock goes on counting from where the turn began.
    let shown = table.state.clocks_at(Millis(10_000)).unwrap();
    assert_eq!((shown.white, shown.black), (Millis(65_000), Millis(60_000)));
    table.play("g1f3", 70_000).unwrap();
    assert_eq!((table.left(White), table.left(Black)), (5_000, 60_000));
    // The side that is not to move can be given time as well.
    table.act(Actor::Black, &give(White), 71_000).unwrap();
    assert_eq!((table.left(White), table.left(Black)), (20_000, 60_000));
    assert_eq!(State::replay(&table.log).as_ref(), Ok(&table.state));
}

#[test]
fn the_flag_falls_later_by_what_was_given_and_whichever_is_first_counts() {
    // A clock of 60 seconds, and half a second of lag that may be forgiven.
    let mut table = minute();
    assert_eq!(table.state.deadline(), Some((White, Millis(60_500))));
    table.act(Actor::Black, &give(White), 60_499).unwrap();
    assert_eq!(table.state.deadline(), Some((White, Millis(75_500))));
    assert_eq!(table.act(Actor::Black, &Command::Flag, 75_499), Err(Refusal::TimeLeft));
    // At the deadline the gift is too late.
    table.act(Actor::Black, &give(White), 75_500).unwrap();
    assert_eq!(table.ending(), "black timeout");
    assert_eq!(table.left(White), 0);
    assert_eq!(table.act(Actor::Black, &give(White), 75_501), Err(Refusal::GameOver));
}

#[test]
fn only_a_player_gives_and_only_to_the_other() {
    let mut table = minute();
    for (actor, to) in [(Actor::White, White), (Actor::Black, Black)] {
        assert_eq!(table.act(actor, &give(to), 1), Err(Refusal::NoGift));
    }
    for actor in [Actor::System, Actor::Spectator] {
        assert_eq!(table.act(actor, &give(White), 1), Err(Refusal::NotSeated));
    }
    // On one screen either clock can be set forward.
    table.act(Actor::Both, &give(White), 1).unwrap();
    table.act(Actor::Both, &give(Black), 1).unwrap();
    table.act(Actor::White, &give(Black), 1).unwrap();
    assert_eq!((table.left(White), table.left(Black)), (75_000, 90_000));
}

#[test]
fn time_is_given_only_where_clocks_count_down() {
    for time in [Time::Unlimited, Time::Correspondence { days: 1 }] {
        let mut table = Table::under_way(time);
        assert_eq!(table.act(Actor::White, &give(Black), 1), Err(Refusal::NoGift));
    }
    assert_eq!(Table::empty().act(Actor::White, &give(Black), 1), Err(Refusal::NotStarted));
    let mut table = minute();
    table.act(Actor::White, &offer(Offer::Adjournment), 1).unwrap();
    table.act(Actor::Black, &accept(Offer::Adjournment), 1).unwrap();
    assert_eq!(table.act(Actor::White, &give(Black), 2), Err(Refusal::Adjourned));
}

#[test]
fn a_side_is_given_time_forty_times() {
    let mut table = minute();
    for _ in 0..MAX_GIFTS {
        table.act(Actor::White, &give(Black), 1).unwrap();
    }
    assert_eq!(table.left(Black), 60_000 + 40 * 15_000);
    assert_eq!(table.act(Actor::White, &give(Black), 1), Err(Refusal::EnoughGiven));
    table.act(Actor::Black, &give(White), 1).unwrap();
    // A takeback does not begin the count anew.
    table.act(Actor::Both, &offer(Offer::Takeback), 1).unwrap();
    assert_eq!(table.act(Actor::White, &give(Black), 1), Err(Refusal::EnoughGiven));
}

#[test]
fn no_clock_gets_more_than_it_can_have() {
    let most = Time::MAX_TIME;
    let mut table = Table::timed(Time::sudden_death(most.minus(GIFT)));
    table.act(Actor::White, &give(Black), 1).unwrap();
    assert_eq!(table.clocks()[Black], most);
    assert_eq!(table.act(Actor::White, &give(Black), 1), Err(Refusal::EnoughGiven));
    let mut table = Table::timed(Time::sudden_death(most.minus(GIFT).plus(Millis(1))));
    assert_eq!(table.act(Actor::White, &give(Black), 1), Err(Refusal::EnoughGiven));
}

#[test]
fn a_first_move_stays_free_and_has_its_minute() {
    let mut table = Table::timed(Time::sudden_death(seconds(60)));
    table.act(Actor::Black, &give(White), 1_000).unwrap();
    assert_eq!(table.state.deadline(), Some((White, Millis(60_000))));
    table.play("e2e4", 50_000).unwrap();
    assert_eq!((table.left(White), table.left(Black)), (75_000, 60_000));
}

#[test]
fn a_takeback_does_not_take_a_gift_back() {
    let mut table = minute();
    table.play("g1f3", 10_000).unwrap();
    table.act(Actor::Black, &give(White), 11_000).unwrap();
    table.play("b8c6", 15_000).unwrap();
    table.act(Actor::White, &give(Black), 16_000).unwrap();
    let clocks = |white, black| Some(Clocks { white: Millis(white), black: Millis(black) });
    assert_eq!(table.state.clocks(), clocks(65_000, 70_000));
    // The clocks of the moves are as they were, without what was given later.
    assert_eq!(table.state.clocks_after(2), clocks(50_000, 60_000));
    assert_eq!(table.state.clocks_after(3), clocks(65_000, 55_000));
    table.act(Actor::Both, &offer(Offer::Takeback), 17_000).unwrap();
    assert_eq!(table.state.clocks(), clocks(65_000, 75_000));
    assert_eq!(table.state.clocks_after(2), clocks(50_000, 60_000));
    table.act(Actor::Both, &offer(Offer::Takeback), 18_000).unwrap();
    assert_eq!(table.state.clocks(), clocks(75_000, 75_000));
    assert_eq!(table.state.clocks_after(1), clocks(60_000, 60_000));
    // What was given before a move belongs to the clock after it.
    table.play("g1f3", 18_000).unwrap();
    table.act(Actor::Both, &offer(Offer::Takeback), 19_000).unwrap();
    assert_eq!(table.state.clocks(), clocks(75_000, 75_000));
}

#[test]
fn a_full_log_takes_no_gifts() {
    let mut table = Table::with(Start {
        time: Time::sudden_death(seconds(60)),
        ..Start::between("Mina", "Jun")
    });
    let chat = Command::Chat { text: "hm".to_owned(), name: None };
    while table.act(Actor::White, &chat, 1).is_ok() {}
    assert_eq!(table.act(Actor::White, &give(Black), 1), Err(Refusal::LogFull));
}
