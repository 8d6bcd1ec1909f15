//! When the computer has something to do.

use hansu_chess::Color::{Black, White};
use hansu_play::{Actor, Command, Computer, Offer, Start, Task};

use crate::fixture::{GameFixture, offer};

fn task(game: &GameFixture) -> Option<Task> {
    game.state.task().map(|(computer, task)| {
        assert_eq!(computer.side, Black);
        task
    })
}

#[test]
fn it_moves_at_its_turn_answers_offers_and_rests_otherwise() {
    let computer = Computer { side: Black, level: 3, resigns: false };
    let start = Start { computer: Some(computer), ..Start::between("Mina", "Computer") };
    assert_eq!(GameFixture::empty().state.task(), None);
    let mut game = GameFixture::with(start);
    assert_eq!(task(&game), None, "White is to move");
    game.play("e2e4", 1).expect("a move");
    assert_eq!(task(&game), Some(Task::Move));
    game.act(Actor::White, &offer(Offer::Draw), 2).expect("an offer");
    assert_eq!(task(&game), Some(Task::Answer(Offer::Draw)), "an answer comes first");
    game.play("e7e5", 3).expect("a move");
    assert_eq!(task(&game), None, "the move was the answer");
    // Its own offer waits for the other side.
    game.act(Actor::Black, &offer(Offer::Draw), 4).expect("an offer");
    assert_eq!(game.state.offered(Offer::Draw), Some(Black));
    assert_eq!(task(&game), None);
    game.play("g1f3", 5).expect("a move");
    game.act(Actor::White, &Command::Resign, 6).expect("the end");
    assert_eq!(task(&game), None, "the game is over");
    game.act(Actor::White, &offer(Offer::Rematch), 7).expect("an offer");
    assert_eq!(task(&game), Some(Task::Answer(Offer::Rematch)));
    assert_eq!(game.state.offered(Offer::Rematch), Some(White));
}

#[test]
fn two_people_give_it_nothing_to_do() {
    let mut game = GameFixture::with(Start::between("Mina", "Jun"));
    game.play("e2e4", 1).expect("a move");
    assert_eq!(game.state.task(), None);
}

#[test]
fn in_a_rematch_it_plays_the_other_side_and_people_what_is_left() {
    let computer = Computer { side: Black, level: 3, resigns: true };
    let start = Start { computer: Some(computer), ..Start::between("Mina", "Computer") };
    assert_eq!(start.people(), Actor::White);
    let rematch = start.swapped();
    assert_eq!(rematch.computer, Some(Computer { side: White, ..computer }));
    assert_eq!(rematch.people(), Actor::Black);
}
