//! Clocks to the millisecond: bonuses, stages, lag, ties, takebacks, adjournments and credits.

use crate::fixture::{GameFixture, accept, offer, seconds, stage, step};
use hansu_chess::Color::{Black, White};
use hansu_play::{
    Actor, Command, Event, Millis, Moment, Offer, Phase, Refusal, TimeControl as Time, apply,
};

#[test]
fn the_first_move_of_each_side_is_free_and_gives_nothing() {
    let mut game = GameFixture::timed(Time::fischer(seconds(60), seconds(2)));
    game.play("e2e4", 59_999).unwrap();
    game.play("e7e5", 119_998).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (60_000, 60_000));
    // From here on time counts.
    game.play("g1f3", 119_999).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (61_999, 60_000));
}

#[test]
fn a_first_move_must_come_within_a_minute_or_the_game_is_aborted() {
    for (time, most) in [(60, 60_000), (600, 60_000), (601, 60_100), (5_400, 540_000)] {
        let game = GameFixture::timed(Time::sudden_death(seconds(time)));
        assert_eq!(game.state.deadline(), Some((White, Millis(most))));
        assert!(game.clone().play("e2e4", most - 1).is_ok());
        assert_eq!(
            game.clone().act(Actor::Black, &Command::Flag, most - 1),
            Err(Refusal::TimeLeft)
        );
        for command in [Command::Flag, step("e2e4")] {
            let mut game = game.clone();
            game.act(Actor::White, &command, most).unwrap();
            assert_eq!(game.ending(), "nobody abort");
            assert_eq!(game.state.plies(), 0);
            assert_eq!(game.left(White), time * 1_000);
        }
    }
}

#[test]
fn black_has_a_first_move_of_its_own() {
    let mut game = GameFixture::timed(Time::sudden_death(seconds(60)));
    game.play("e2e4", 30_000).unwrap();
    assert_eq!(game.state.deadline(), Some((Black, Millis(90_000))));
    game.act(Actor::System, &Command::Flag, 90_000).unwrap();
    assert_eq!(game.ending(), "nobody abort");
}

#[test]
fn sudden_death_charges_what_was_used() {
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(6)));
    game.play("g1f3", 1_234).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (4_766, 6_000));
    game.play("g8f6", 1_234).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (4_766, 6_000));
}

#[test]
fn a_clock_is_over_when_the_time_used_equals_the_time_it_had() {
    let game = GameFixture::under_way(Time::sudden_death(seconds(60)));
    let mut in_time = game.clone();
    in_time.play("g1f3", 59_999).unwrap();
    assert_eq!(in_time.left(White), 1);
    let mut late = game.clone();
    late.play("g1f3", 60_000).unwrap();
    assert_eq!(late.ending(), "black timeout");
    assert_eq!((late.state.plies(), late.left(White), late.left(Black)), (2, 0, 60_000));
}

#[test]
fn an_increment_is_added_after_the_move_and_cannot_save_it() {
    let game = GameFixture::under_way(Time::fischer(seconds(60), seconds(5)));
    let mut in_time = game.clone();
    in_time.play("g1f3", 59_999).unwrap();
    assert_eq!(in_time.left(White), 5_001);
    let mut late = game;
    late.play("g1f3", 60_000).unwrap();
    assert_eq!(late.ending(), "black timeout");
}

#[test]
fn bronstein_gives_back_what_was_used_but_not_more() {
    let game = GameFixture::under_way(Time::bronstein(seconds(60), seconds(5)));
    for (used, left) in
        [(0, 60_000), (4_999, 60_000), (5_000, 60_000), (5_001, 59_999), (59_999, 5_001)]
    {
        let mut game = game.clone();
        game.play("g1f3", used).unwrap();
        assert_eq!(game.left(White), left, "{used}");
    }
    // Unlike a delay, it is given afterwards.
    let mut late = game;
    late.play("g1f3", 60_000).unwrap();
    assert_eq!(late.ending(), "black timeout");
}

#[test]
fn a_delay_holds_the_clock_before_it_runs() {
    let game = GameFixture::under_way(Time::delay(seconds(60), seconds(5)));
    for (used, left) in [(0, 60_000), (5_000, 60_000), (5_001, 59_999), (64_999, 1)] {
        let mut game = game.clone();
        assert_eq!(game.state.clocks_at(Millis(used)).unwrap().white.0, left, "{used}");
        game.play("g1f3", used).unwrap();
        assert_eq!(game.left(White), left, "{used}");
    }
    let mut late = game;
    late.play("g1f3", 65_000).unwrap();
    assert_eq!(late.ending(), "black timeout");
}

#[test]
fn a_completed_stage_brings_the_next_ones_time_and_bonus() {
    // Three moves in 60 s with 2 s each, then 30 s with 1 s each.
    let mut game = GameFixture::under_way(Time::Clock {
        stages: vec![stage(3, 60_000, 2_000), stage(0, 30_000, 1_000)],
    });
    game.play("g1f3", 1_000).unwrap();
    game.play("g8f6", 2_000).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (61_000, 61_000));
    game.play("f3g1", 3_000).unwrap(); // White's third
    assert_eq!((game.left(White), game.left(Black)), (92_000, 61_000));
    game.play("f6g8", 4_000).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (92_000, 92_000));
    game.play("g1f3", 14_000).unwrap(); // the new increment
    assert_eq!(game.left(White), 83_000);
}

#[test]
fn even_a_free_move_can_complete_a_stage() {
    let mut game =
        GameFixture::timed(Time::Clock { stages: vec![stage(1, 60_000, 0), stage(0, 30_000, 0)] });
    game.play("e2e4", 5).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (90_000, 60_000));
}

#[test]
fn a_last_stage_with_a_number_is_repeated() {
    let mut game = GameFixture::under_way(Time::Clock { stages: vec![stage(2, 60_000, 0)] });
    for expected in [120_000, 120_000, 180_000, 180_000, 240_000] {
        game.shuffle(0);
        assert_eq!((game.left(White), game.left(Black)), (expected, expected));
    }
}

#[test]
fn correspondence_gives_full_days_for_every_move_and_charges_the_first() {
    let mut game = GameFixture::timed(Time::Correspondence { days: 2 });
    let day = Millis::days(1).0;
    assert_eq!(game.state.deadline(), Some((White, Millis(2 * day))));
    game.play("e2e4", 2 * day - 1).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (2 * day, 2 * day));
    assert_eq!(game.state.deadline(), Some((Black, Millis(4 * day - 1))));
    let mut late = game.clone();
    late.play_lagging("e7e5", 4 * day - 1, 500).unwrap(); // lag is not forgiven here
    assert_eq!(late.ending(), "white timeout");
    assert_eq!(game.state.clocks_at(Millis(3 * day - 1)).unwrap().black.0, day);
    game.play("e7e5", 4 * day - 2).unwrap();
    assert_eq!(game.ending(), "-");
}

#[test]
fn without_clock_there_is_nothing_to_flag() {
    let mut game = GameFixture::under_way(Time::Unlimited);
    assert_eq!(game.state.deadline(), None);
    assert_eq!(game.state.clocks_at(Millis(9)), None);
    assert_eq!(game.act(Actor::White, &Command::Flag, u64::MAX), Err(Refusal::NoClock));
    game.play_lagging("g1f3", 5_000, 400).unwrap();
    let Event::Moved { received, lag, clocks, .. } = game.log[3].event else {
        panic!("a move");
    };
    assert_eq!((received, lag, clocks), (Millis(5_000), Millis::ZERO, None));
}

#[test]
fn the_opponents_clock_starts_at_the_commit() {
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(60)));
    let slow_disk = Millis(3_500);
    game.act_at(Actor::White, &step("g1f3"), Moment::at(Millis(1_000)), slow_disk).unwrap();
    assert_eq!((game.left(White), game.state.since()), (59_000, slow_disk));
    game.play("g8f6", 4_000).unwrap();
    assert_eq!(game.left(Black), 59_500);
}

#[test]
fn a_move_that_waited_while_the_opponents_was_committed_costs_nothing() {
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(60)));
    game.act_at(Actor::White, &step("g1f3"), Moment::at(Millis(1_000)), Millis(2_000)).unwrap();
    game.play("g8f6", 1_500).unwrap(); // received before White's move was committed
    assert_eq!(game.left(Black), 60_000);
    assert_eq!(game.log.last().map(|entry| entry.at), Some(Millis(2_000)));
}

#[test]
fn a_commit_stamp_never_precedes_the_receipt_or_the_entry_before() {
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(60)));
    game.act_at(Actor::White, &step("g1f3"), Moment::at(Millis(1_000)), Millis(10)).unwrap();
    assert_eq!(game.state.at(), Millis(1_000));
    game.act(Actor::White, &Command::Resign, 7).unwrap();
    assert_eq!(game.state.at(), Millis(1_000));
}

#[test]
fn lag_is_forgiven_up_to_a_bound_for_each_move() {
    let game = GameFixture::under_way(Time::sudden_death(seconds(60)));
    for (lag, forgiven) in [(0, 0), (499, 499), (500, 500), (501, 500), (u64::MAX, 500)] {
        let mut game = game.clone();
        game.play_lagging("g1f3", 1_000, lag).unwrap();
        assert_eq!(game.left(White), 59_000 + forgiven, "{lag}");
        assert_eq!(game.state.lag_left(White), Millis(10_000 - forgiven));
        assert_eq!(game.state.lag_left(Black), Millis(10_000));
    }
    // Never more than was used.
    let mut quick = game;
    quick.play_lagging("g1f3", 30, 500).unwrap();
    assert_eq!((quick.left(White), quick.state.lag_left(White)), (60_000, Millis(9_970)));
}

#[test]
fn lag_is_forgiven_up_to_a_bound_for_the_game() {
    // A sixth of seven seconds is 1,166 ms.
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(7)));
    let mut lags = Vec::new();
    for (number, uci) in ["g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1"].iter().enumerate()
    {
        let now = (number as u64 / 2 + 1) * 1_000;
        if number % 2 == 0 {
            game.play_lagging(uci, now, 500).unwrap();
            lags.push(game.state.lag_left(White).0);
        } else {
            game.play(uci, now).unwrap();
        }
    }
    assert_eq!(lags, [666, 166, 0, 0]);
    assert_eq!(game.left(White), 7_000 - 4_000 + 1_166);
}

#[test]
fn the_deadline_waits_for_the_lag_that_could_still_be_forgiven() {
    let game = GameFixture::under_way(Time::delay(seconds(60), seconds(5)));
    assert_eq!(game.state.deadline(), Some((White, Millis(65_500))));
    // Neither player can flag before...
    let mut early = game.clone();
    assert_eq!(early.act(Actor::Black, &Command::Flag, 65_499), Err(Refusal::TimeLeft));
    // ...a move is saved exactly by its own lag...
    for (now, lag, in_time) in [
        (64_999, 0, true),
        (65_000, 0, false),
        (65_000, 1, true),
        (65_300, 300, false),
        (65_300, 301, true),
        (65_499, 499, false),
        (65_499, 500, true),
        (65_500, 500, false),
        (65_500, 9_999, false),
    ] {
        let mut game = game.clone();
        game.play_lagging("g1f3", now, lag).unwrap();
        assert_eq!(game.ending() == "-", in_time, "{now} {lag}");
        assert_eq!(game.state.plies(), if in_time { 3 } else { 2 });
    }
    // ...and from the deadline on, any command of a player ends the game.
    for command in [Command::Flag, Command::Resign, Command::Abort, offer(Offer::Draw)] {
        for actor in [Actor::White, Actor::Black, Actor::Both] {
            let mut game = game.clone();
            game.act(actor, &command, 65_500).unwrap();
            assert_eq!(game.ending(), "black timeout", "{command:?}");
        }
    }
}

#[test]
fn the_deadline_shrinks_when_the_lag_is_used_up() {
    let mut game = GameFixture::under_way(Time::sudden_death(Millis(1_800))); // 300 ms of lag
    assert_eq!(game.state.deadline(), Some((White, Millis(2_100))));
    game.play_lagging("g1f3", 500, 200).unwrap();
    game.play("g8f6", 500).unwrap();
    assert_eq!(game.left(White), 1_500);
    assert_eq!(game.state.deadline(), Some((White, Millis(500 + 1_500 + 100))));
}

#[test]
fn a_flag_against_a_side_that_cannot_be_mated_is_a_draw() {
    for (fen, ending) in [
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "nobody timeout_draw"), // Black has a bare king
        ("4k3/p7/8/8/8/8/8/Q3K3 w - - 0 1", "black timeout"),
        ("4k1n1/8/8/8/8/8/8/Q3K3 w - - 0 1", "nobody timeout_draw"),
        ("4k1n1/8/8/8/8/8/P7/Q3K3 w - - 0 1", "black timeout"),
    ] {
        let mut game = GameFixture::from_fen(fen, Time::sudden_death(seconds(60)));
        game.play("e1d1", 0).unwrap();
        game.play("e8d8", 0).unwrap();
        game.act(Actor::System, &Command::Flag, 60_500).unwrap();
        assert_eq!(game.ending(), ending, "{fen}");
        assert_eq!(game.left(White), 0);
    }
}

#[test]
fn what_the_clocks_showed_after_each_ply_is_known() {
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(6)));
    game.play("g1f3", 1_234).unwrap();
    let after = |ply| game.state.clocks_after(ply).map(|clocks| (clocks[White], clocks[Black]));
    assert_eq!(after(1), Some((seconds(6), seconds(6))));
    assert_eq!(after(2), Some((Millis(4_766), seconds(6))));
    assert_eq!(after(3), None);
    assert_eq!(game.state.ended_at(), None);
    game.act(Actor::Black, &Command::Resign, 1_500).unwrap();
    assert_eq!(game.state.ended_at(), Some(Millis(1_500)));
}

#[test]
fn the_clocks_at_the_end_are_kept() {
    let mut game = GameFixture::under_way(Time::fischer(seconds(60), seconds(2)));
    game.act(Actor::Black, &Command::Resign, 1_500).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (58_500, 60_000));
    assert_eq!(game.state.deadline(), None);
    assert_eq!(game.state.clocks_at(Millis(99_999)), game.state.clocks());
}

#[test]
fn a_takeback_restores_both_clocks_and_starts_the_turn_anew() {
    let mut game = GameFixture::under_way(Time::fischer(seconds(60), seconds(2)));
    game.play("g1f3", 10_000).unwrap();
    game.play("g8f6", 15_000).unwrap();
    assert_eq!((game.left(White), game.left(Black)), (52_000, 57_000));
    // White asks on its own turn: two plies, to before Nf3.
    game.act(Actor::White, &offer(Offer::Takeback), 20_000).unwrap();
    let events = game.act(Actor::Black, &accept(Offer::Takeback), 22_000).unwrap();
    assert!(matches!(events[..], [Event::TakenBack { plies: 2, .. }]));
    assert_eq!((game.left(White), game.left(Black)), (60_000, 60_000));
    assert_eq!((game.state.plies(), game.state.since()), (2, Millis(22_000)));
    game.play("b1c3", 23_000).unwrap();
    assert_eq!(game.left(White), 61_000);
    // White asks again while Black thinks: one ply.
    game.act(Actor::White, &offer(Offer::Takeback), 30_000).unwrap();
    let events = game.act(Actor::Black, &accept(Offer::Takeback), 31_000).unwrap();
    assert!(matches!(events[..], [Event::TakenBack { plies: 1, .. }]));
    assert_eq!((game.left(White), game.left(Black)), (60_000, 60_000));
    assert_eq!(game.state.deadline(), Some((White, Millis(31_000 + 60_500))));
}

#[test]
fn a_takeback_does_not_refund_lag() {
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(60)));
    game.play_lagging("g1f3", 1_000, 400).unwrap();
    game.act(Actor::White, &offer(Offer::Takeback), 1_000).unwrap();
    game.act(Actor::Black, &accept(Offer::Takeback), 1_000).unwrap();
    assert_eq!(game.state.lag_left(White), Millis(9_600));
}

#[test]
fn adjournment_charges_the_thinking_time_and_stops_both_clocks() {
    for (time, left, deadline) in [
        (Time::sudden_death(seconds(60)), 52_000, 52_500),
        (Time::fischer(seconds(60), seconds(2)), 52_000, 52_500),
        (Time::bronstein(seconds(60), seconds(5)), 57_000, 57_500),
        (Time::delay(seconds(60), seconds(5)), 57_000, 62_500),
    ] {
        let mut game = GameFixture::under_way(time.clone());
        game.act(Actor::Black, &offer(Offer::Adjournment), 7_000).unwrap();
        game.act(Actor::White, &accept(Offer::Adjournment), 8_000).unwrap();
        assert_eq!((game.left(White), game.left(Black)), (left, 60_000), "{time:?}");
        assert_eq!(game.state.deadline(), None);
        assert_eq!(game.state.clocks_at(Millis(999_999)).unwrap().white.0, left);
        assert_eq!(game.act(Actor::Black, &Command::Flag, 999_999), Err(Refusal::Adjourned));
        game.act(Actor::White, &offer(Offer::Resumption), 1_000_000).unwrap();
        game.act(Actor::Black, &accept(Offer::Resumption), 2_000_000).unwrap();
        assert_eq!(game.state.deadline(), Some((White, Millis(2_000_000 + deadline))));
        assert_eq!(game.left(White), left);
    }
}

#[test]
fn a_clock_at_zero_is_not_saved_by_an_adjournment() {
    for (time, zero) in [
        (Time::delay(seconds(60), seconds(5)), 65_000),
        (Time::bronstein(seconds(60), seconds(5)), 60_000),
    ] {
        let game = GameFixture::under_way(time);
        let mut last = game.clone();
        last.act(Actor::Both, &offer(Offer::Adjournment), zero - 1).unwrap();
        assert_eq!((last.ending().as_str(), last.state.phase()), ("-", Phase::Adjourned));
        let mut late = game;
        late.act(Actor::White, &offer(Offer::Adjournment), zero - 1).unwrap();
        late.act(Actor::Black, &accept(Offer::Adjournment), zero).unwrap();
        assert_eq!(late.ending(), "black timeout");
    }
}

#[test]
fn a_takeback_after_an_adjournment_gives_back_the_whole_turn() {
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(60)));
    game.act(Actor::Both, &offer(Offer::Adjournment), 8_000).unwrap();
    game.act(Actor::Both, &offer(Offer::Resumption), 9_000).unwrap();
    game.play("g1f3", 10_000).unwrap();
    assert_eq!(game.left(White), 51_000);
    game.act(Actor::Both, &offer(Offer::Takeback), 11_000).unwrap();
    assert_eq!(game.left(White), 60_000);
}

#[test]
fn the_first_move_stays_free_across_an_adjournment() {
    let mut game = GameFixture::timed(Time::sudden_death(seconds(60)));
    game.act(Actor::Both, &offer(Offer::Adjournment), 8_000).unwrap();
    assert_eq!(game.left(White), 60_000);
    game.act(Actor::Both, &offer(Offer::Resumption), 9_000).unwrap();
    assert_eq!(game.state.deadline(), Some((White, Millis(69_000))));
}

#[test]
fn credit_moves_the_beginning_of_the_turn() {
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(60)));
    let credit = |time| Command::Credit { time: Millis(time) };
    for actor in [Actor::White, Actor::Black, Actor::Both, Actor::Spectator] {
        assert_eq!(game.act(actor, &credit(1), 1), Err(Refusal::SystemOnly));
    }
    assert_eq!(game.act(Actor::System, &credit(0), 9_000), Err(Refusal::Unchanged));
    assert_eq!(game.act(Actor::System, &credit(5), 0), Err(Refusal::Unchanged));
    // Even when the deadline has passed while the server was down.
    game.act(Actor::System, &credit(50_000), 70_000).unwrap();
    assert_eq!((game.state.since(), game.left(White)), (Millis(50_000), 60_000));
    game.play("g1f3", 75_000).unwrap();
    assert_eq!(game.left(White), 35_000);
    // Never more than has run.
    let events = game.act(Actor::System, &credit(u64::MAX), 80_000).unwrap();
    assert_eq!(events, [Event::Credited { time: Millis(5_000) }]);
    assert_eq!(game.state.since(), Millis(80_000));
}

#[test]
fn credit_also_moves_absences_but_not_into_the_future() {
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(600)));
    game.act(Actor::System, &Command::Leave { side: Black }, 1_000).unwrap();
    game.play("g1f3", 9_000).unwrap();
    game.act(Actor::System, &Command::Leave { side: White }, 9_500).unwrap();
    let credit = Command::Credit { time: Millis(8_000) };
    let events = game.act(Actor::System, &credit, 10_000).unwrap();
    assert_eq!(events, [Event::Credited { time: Millis(8_000) }]);
    assert_eq!(game.state.away_since(Black), Some(Millis(9_000)));
    assert_eq!(game.state.away_since(White), Some(Millis(10_000)));
    assert_eq!(game.state.since(), Millis(10_000));
}

#[test]
fn credit_needs_a_running_game() {
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(60)));
    let credit = Command::Credit { time: Millis(5) };
    game.act(Actor::Both, &offer(Offer::Adjournment), 8_000).unwrap();
    assert_eq!(game.act(Actor::System, &credit, 9_000), Err(Refusal::Adjourned));
    game.act(Actor::White, &Command::Resign, 9_000).unwrap();
    assert_eq!(game.act(Actor::System, &credit, 9_000), Err(Refusal::GameOver));
}

#[test]
fn replay_takes_the_stored_clocks_and_computes_none() {
    let mut game = GameFixture::under_way(Time::sudden_death(seconds(60)));
    game.play("g1f3", 5_000).unwrap();
    let mut state = hansu_play::State::default();
    for entry in &mut game.log {
        if let Event::Moved { clocks: Some(clocks), .. } = &mut entry.event {
            clocks.white = Millis(77); // as an older program may have decided
        }
        apply(&mut state, entry).unwrap();
    }
    assert_eq!(state.clocks().unwrap().white, Millis(77));
}

#[test]
fn no_number_from_outside_overflows() {
    for now in [0, 1, u64::MAX - 1, u64::MAX] {
        let mut game = GameFixture::under_way(Time::fischer(Time::MAX_TIME, Time::MAX_BONUS));
        let _ = game.play_lagging("g1f3", now, u64::MAX);
        let _ = game.act(Actor::System, &Command::Credit { time: Millis(u64::MAX) }, now);
        let _ = game.act(Actor::Black, &Command::Flag, u64::MAX);
        let _ = game.state.clocks_at(Millis(u64::MAX));
        assert!(game.state.deadline().is_none_or(|(_, at)| at > Millis::ZERO));
    }
}
