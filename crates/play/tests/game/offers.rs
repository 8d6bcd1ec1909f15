//! Draws, takebacks, adjournments and rematches between two seats.

use hansu_chess::Color::{Black, White};
use hansu_play::{
    Actor, Command, Event, Millis, Offer, Phase, Refusal, Start, TimeControl as Time,
};

use crate::fixture::{GameFixture, accept, decline, offer, seconds};

fn game() -> GameFixture {
    GameFixture::under_way(Time::Unlimited)
}

#[test]
fn a_draw_needs_both() {
    let mut game = game();
    assert_eq!(game.act(Actor::Black, &accept(Offer::Draw), 1), Err(Refusal::NothingOffered));
    game.act(Actor::White, &offer(Offer::Draw), 1).unwrap();
    assert_eq!(game.state.offered(Offer::Draw), Some(White));
    for command in [accept(Offer::Draw), decline(Offer::Draw)] {
        assert_eq!(game.act(Actor::White, &command, 2), Err(Refusal::NothingOffered));
    }
    assert_eq!(game.act(Actor::White, &offer(Offer::Draw), 2), Err(Refusal::AlreadyOffered));
    game.act(Actor::Black, &accept(Offer::Draw), 2).unwrap();
    assert_eq!(game.ending(), "nobody agreement");
    assert_eq!(game.state.offered(Offer::Draw), None);
}

#[test]
fn two_offers_are_an_agreement() {
    let mut game = game();
    game.act(Actor::White, &offer(Offer::Draw), 1).unwrap();
    game.act(Actor::Black, &offer(Offer::Draw), 1).unwrap();
    assert_eq!(game.ending(), "nobody agreement");
}

#[test]
fn a_draw_offer_outlives_the_offerers_move_but_not_the_answer_on_the_board() {
    let mut game = game();
    game.act(Actor::White, &offer(Offer::Draw), 1).unwrap();
    game.play("g1f3", 2).unwrap();
    assert_eq!(game.state.offered(Offer::Draw), Some(White));
    game.play("g8f6", 3).unwrap();
    assert_eq!(game.state.offered(Offer::Draw), None);
    assert_eq!(game.act(Actor::Black, &accept(Offer::Draw), 4), Err(Refusal::NothingOffered));
}

#[test]
fn a_draw_offer_cannot_be_repeated_at_once() {
    for declined in [decline(Offer::Draw), Command::Leave { side: Black }] {
        let mut game = game();
        game.act(Actor::White, &offer(Offer::Draw), 1).unwrap();
        game.act(Actor::Black, &declined, 1).unwrap();
        for _ in 0..4 {
            if game.state.offered(Offer::Draw).is_none() {
                let again = game.act(Actor::White, &offer(Offer::Draw), 1);
                assert_eq!(again, Err(Refusal::OfferedTooSoon));
            }
            game.shuffle(1);
        }
        game.act(Actor::White, &offer(Offer::Draw), 1).unwrap();
    }
}

#[test]
fn the_pause_binds_only_the_side_that_offered() {
    let mut game = game();
    game.act(Actor::White, &offer(Offer::Draw), 1).unwrap();
    let events = game.act(Actor::Black, &decline(Offer::Draw), 1).unwrap();
    assert_eq!(events, [Event::Declined { what: Offer::Draw, by: Black }]);
    assert_eq!(game.state.offered(Offer::Draw), None);
    game.act(Actor::Black, &offer(Offer::Draw), 1).unwrap();
    assert_eq!(game.state.offered(Offer::Draw), Some(Black));
}

#[test]
fn one_screen_agrees_with_itself() {
    let mut game = game();
    let events = game.act(Actor::Both, &offer(Offer::Draw), 1).unwrap();
    assert!(matches!(events[..], [Event::Offered { by: White, .. }, Event::Ended { .. }]));
    assert_eq!(game.ending(), "nobody agreement");
}

#[test]
fn one_screen_takes_back_move_by_move() {
    let mut game = game();
    for plies in [1, 0] {
        game.act(Actor::Both, &offer(Offer::Takeback), 1).unwrap();
        assert_eq!(game.state.plies(), plies);
    }
    let nothing = game.act(Actor::Both, &offer(Offer::Takeback), 1);
    assert_eq!(nothing, Err(Refusal::NothingToTakeBack));
}

#[test]
fn a_takeback_goes_back_to_the_asking_players_move() {
    for (actor, other, plies) in [(Actor::White, Actor::Black, 0), (Actor::Black, Actor::White, 1)]
    {
        let mut game = game();
        game.act(actor, &offer(Offer::Takeback), 1).unwrap();
        assert_eq!(game.state.plies(), 2);
        game.act(other, &accept(Offer::Takeback), 1).unwrap();
        assert_eq!(game.state.plies(), plies);
        assert_eq!(Actor::seat(game.state.turn()), actor);
    }
}

#[test]
fn there_must_be_a_move_of_ones_own_to_take_back() {
    let mut game = GameFixture::timed(Time::Unlimited);
    for actor in [Actor::White, Actor::Black] {
        let nothing = game.act(actor, &offer(Offer::Takeback), 1);
        assert_eq!(nothing, Err(Refusal::NothingToTakeBack));
    }
    game.play("e2e4", 1).unwrap();
    let nothing = game.act(Actor::Black, &offer(Offer::Takeback), 1);
    assert_eq!(nothing, Err(Refusal::NothingToTakeBack));
    game.act(Actor::White, &offer(Offer::Takeback), 1).unwrap();
}

#[test]
fn any_move_ends_a_takeback_offer() {
    for actor in [Actor::White, Actor::Black] {
        let mut game = game();
        game.act(actor, &offer(Offer::Takeback), 1).unwrap();
        game.play("g1f3", 1).unwrap();
        assert_eq!(game.state.offered(Offer::Takeback), None);
    }
}

#[test]
fn a_declined_takeback_can_be_asked_for_again_after_a_move() {
    let mut game = game();
    game.act(Actor::White, &offer(Offer::Takeback), 1).unwrap();
    game.act(Actor::Black, &decline(Offer::Takeback), 1).unwrap();
    let again = game.act(Actor::White, &offer(Offer::Takeback), 1);
    assert_eq!(again, Err(Refusal::OfferedTooSoon));
    game.play("g1f3", 1).unwrap();
    game.act(Actor::White, &offer(Offer::Takeback), 1).unwrap();
}

#[test]
fn a_takeback_brings_back_the_repetition_count() {
    let mut game = GameFixture::timed(Time::Unlimited);
    for _ in 0..4 {
        game.shuffle(1);
    }
    assert_eq!(game.state.game().repetitions(), 3);
    game.act(Actor::Both, &offer(Offer::Takeback), 1).unwrap();
    assert_eq!(game.state.game().claim(), None);
    assert_eq!(
        game.act(Actor::Both, &Command::ClaimDraw { with: None }, 1),
        Err(Refusal::NothingToClaim)
    );
    game.play("f6g8", 1).unwrap();
    game.act(Actor::Both, &Command::ClaimDraw { with: None }, 1).unwrap();
    assert_eq!(game.ending(), "nobody threefold_repetition");
}

#[test]
fn a_threefold_repetition_is_claimed_by_the_side_to_move_or_with_a_move() {
    let claim =
        |uci: Option<&str>| Command::ClaimDraw { with: uci.map(|uci| uci.parse().unwrap()) };
    let mut game = GameFixture::timed(Time::sudden_death(seconds(60)));
    for _ in 0..3 {
        game.shuffle(1_000);
    }
    game.play("f3g1", 2_000).unwrap();
    assert_eq!(game.act(Actor::White, &claim(None), 2_000), Err(Refusal::NotYourTurn));
    assert_eq!(game.act(Actor::White, &claim(Some("f6g8")), 2_000), Err(Refusal::NotYourTurn));
    assert_eq!(game.act(Actor::Black, &claim(None), 2_000), Err(Refusal::NothingToClaim));
    assert_eq!(game.act(Actor::Black, &claim(Some("a7a6")), 2_000), Err(Refusal::NothingToClaim));
    assert_eq!(
        game.act(Actor::Black, &claim(Some("a7a2")), 2_000).unwrap_err().code(),
        "not_its_move"
    );
    assert_eq!(game.state.plies(), 7);
    let events = game.act(Actor::Black, &claim(Some("f6g8")), 5_000).unwrap();
    assert!(matches!(events[..], [Event::Moved { .. }, Event::Ended { .. }]));
    assert_eq!(game.ending(), "nobody threefold_repetition");
    assert_eq!((game.state.plies(), game.left(Black)), (8, 57_000));
}

#[test]
fn a_claim_with_a_move_that_mates_is_a_mate_and_one_after_the_flag_is_a_flag() {
    let mut game = GameFixture::timed(Time::sudden_death(seconds(60)));
    for uci in ["f2f3", "e7e5", "g2g4"] {
        game.play(uci, 1_000).unwrap();
    }
    let claim = Command::ClaimDraw { with: Some("d8h4".parse().unwrap()) };
    let mut late = game.clone();
    late.act(Actor::Black, &claim, 61_000).unwrap();
    assert_eq!(late.ending(), "white timeout");
    game.act(Actor::Black, &claim, 2_000).unwrap();
    assert_eq!(game.ending(), "black checkmate");
}

#[test]
fn fifty_moves_are_claimed() {
    let mut game = GameFixture::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", Time::Unlimited);
    let claim = Command::ClaimDraw { with: None };
    assert_eq!(game.act(Actor::White, &claim, 1), Err(Refusal::NothingToClaim));
    game.play("a1a2", 1).unwrap();
    game.act(Actor::Black, &claim, 1).unwrap();
    assert_eq!(game.ending(), "nobody fifty_moves");
}

#[test]
fn an_adjourned_game_waits_until_both_want_to_go_on() {
    let mut game = game();
    assert_eq!(game.act(Actor::White, &offer(Offer::Resumption), 1), Err(Refusal::NotAdjourned));
    game.act(Actor::White, &offer(Offer::Adjournment), 1).unwrap();
    assert_eq!(game.state.phase(), Phase::Playing);
    game.act(Actor::Black, &accept(Offer::Adjournment), 1).unwrap();
    assert_eq!(game.state.phase(), Phase::Adjourned);
    for command in [
        crate::fixture::step("g1f3"),
        offer(Offer::Takeback),
        offer(Offer::Adjournment),
        Command::Abort,
        Command::Flag,
        Command::ClaimDraw { with: None },
        Command::ClaimAbsence { result: hansu_play::Claimed::Win },
    ] {
        assert_eq!(game.act(Actor::White, &command, 2), Err(Refusal::Adjourned), "{command:?}");
    }
    game.act(Actor::Black, &offer(Offer::Resumption), 3).unwrap();
    assert_eq!(game.state.phase(), Phase::Adjourned);
    game.act(Actor::White, &decline(Offer::Resumption), 3).unwrap();
    game.act(Actor::Black, &offer(Offer::Resumption), 4).unwrap(); // no pause here
    game.act(Actor::White, &accept(Offer::Resumption), 4).unwrap();
    assert_eq!(game.state.phase(), Phase::Playing);
    game.play("g1f3", 5).unwrap();
}

#[test]
fn an_adjourned_game_can_be_given_up_or_drawn() {
    let mut adjourned = game();
    adjourned.act(Actor::Both, &offer(Offer::Adjournment), 1).unwrap();
    let mut drawn = adjourned.clone();
    drawn.act(Actor::Black, &offer(Offer::Draw), 1).unwrap();
    drawn.act(Actor::White, &accept(Offer::Draw), 1).unwrap();
    assert_eq!(drawn.ending(), "nobody agreement");
    adjourned.act(Actor::Black, &Command::Resign, 1).unwrap();
    assert_eq!(adjourned.ending(), "white resignation");
}

#[test]
fn an_accepted_offer_needs_no_pause_before_the_next() {
    let mut game = game();
    for _ in 0..2 {
        game.act(Actor::White, &offer(Offer::Adjournment), 1).unwrap();
        game.act(Actor::Black, &accept(Offer::Adjournment), 1).unwrap();
        game.act(Actor::White, &offer(Offer::Resumption), 1).unwrap();
        game.act(Actor::Black, &accept(Offer::Resumption), 1).unwrap();
    }
    game.act(Actor::White, &offer(Offer::Adjournment), 1).unwrap();
    game.act(Actor::Black, &decline(Offer::Adjournment), 1).unwrap();
    assert_eq!(game.act(Actor::White, &offer(Offer::Adjournment), 1), Err(Refusal::OfferedTooSoon));
}

#[test]
fn adjourning_and_taking_back_clear_other_offers() {
    let mut game = game();
    game.act(Actor::White, &offer(Offer::Draw), 1).unwrap();
    game.act(Actor::Both, &offer(Offer::Adjournment), 1).unwrap();
    assert_eq!(game.state.offered(Offer::Draw), None);
    game.act(Actor::Black, &offer(Offer::Draw), 1).unwrap();
    game.act(Actor::Both, &offer(Offer::Resumption), 1).unwrap();
    assert_eq!(game.state.offered(Offer::Draw), None);
}

#[test]
fn a_rematch_follows_the_end_and_names_the_next_game() {
    let yes = |next: Option<&str>| Command::Accept {
        what: Offer::Rematch,
        next: next.map(str::to_owned),
    };
    let mut game = game();
    assert_eq!(game.act(Actor::White, &offer(Offer::Rematch), 1), Err(Refusal::GameNotOver));
    game.act(Actor::White, &Command::Resign, 1).unwrap();
    assert_eq!(game.act(Actor::Black, &yes(Some("g2")), 1), Err(Refusal::NothingOffered));
    game.act(Actor::White, &offer(Offer::Rematch), 1).unwrap();
    assert_eq!(game.act(Actor::White, &yes(Some("g2")), 1), Err(Refusal::NothingOffered));
    assert_eq!(game.act(Actor::Black, &offer(Offer::Rematch), 1), Err(Refusal::AlreadyOffered));
    for next in [None, Some(""), Some("a b")] {
        assert_eq!(game.act(Actor::Black, &yes(next), 1), Err(Refusal::BadId));
    }
    let events = game.act(Actor::Black, &yes(Some("g2")), 1).unwrap();
    assert_eq!(events, [Event::RematchAgreed { next: "g2".to_owned() }]);
    assert_eq!(game.state.next_game(), Some("g2"));
    let start = game.state.start().map(Start::swapped).unwrap();
    assert_eq!((&*start.names.white, &*start.names.black), ("Jun", "Mina"));
    for command in [offer(Offer::Rematch), yes(Some("g3")), decline(Offer::Rematch)] {
        for actor in [Actor::White, Actor::Black] {
            assert_eq!(game.act(actor, &command, 2), Err(Refusal::RematchAgreed));
        }
    }
}

#[test]
fn a_declined_rematch_is_not_asked_for_again_by_the_same_side() {
    let mut game = game();
    game.act(Actor::White, &Command::Resign, 1).unwrap();
    game.act(Actor::White, &offer(Offer::Rematch), 1).unwrap();
    game.act(Actor::Black, &decline(Offer::Rematch), 1).unwrap();
    assert_eq!(game.act(Actor::White, &offer(Offer::Rematch), 1), Err(Refusal::OfferedTooSoon));
    game.act(Actor::Black, &offer(Offer::Rematch), 1).unwrap();
    // One screen offers, but only `Accept` names the next game.
    let mut local = crate::offers::game();
    local.act(Actor::Both, &Command::Resign, 1).unwrap();
    let events = local.act(Actor::Both, &offer(Offer::Rematch), 1).unwrap();
    assert_eq!(events, [Event::Offered { what: Offer::Rematch, by: White }]);
    let yes = Command::Accept { what: Offer::Rematch, next: Some("x".to_owned()) };
    local.act(Actor::Both, &yes, 1).unwrap();
    assert_eq!(local.state.next_game(), Some("x"));
}

#[test]
fn the_end_clears_all_offers_and_takes_no_new_ones() {
    let mut game = game();
    for what in [Offer::Draw, Offer::Takeback, Offer::Adjournment] {
        game.act(Actor::White, &offer(what), 1).unwrap();
    }
    game.act(Actor::Black, &Command::Resign, 1).unwrap();
    for what in Offer::ALL {
        assert_eq!(game.state.offered(what), None);
        if what != Offer::Rematch {
            for command in [offer(what), accept(what), decline(what)] {
                assert_eq!(game.act(Actor::White, &command, 1), Err(Refusal::GameOver));
            }
        }
    }
    assert_eq!(game.state.at(), Millis(1));
}

#[test]
fn two_offers_of_a_rematch_that_cross_are_an_agreement() {
    let mut game = GameFixture::timed(hansu_play::TimeControl::Unlimited);
    game.act(Actor::White, &Command::Resign, 1).unwrap();
    let offer = |next: &str| Command::Offer { what: Offer::Rematch, next: Some(next.to_owned()) };
    game.act(Actor::White, &offer("g2"), 2).unwrap();
    assert_eq!(game.act(Actor::White, &offer("g3"), 2), Err(Refusal::AlreadyOffered));
    let events = game.act(Actor::Black, &offer("g4"), 2).unwrap();
    assert_eq!(events, [Event::RematchAgreed { next: "g4".to_owned() }]);
    assert_eq!(game.state.next_game(), Some("g4"));
}
