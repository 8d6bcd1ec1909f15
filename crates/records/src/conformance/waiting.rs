//! Seats, invitations, heartbeats, and lookups by command key.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use super::{Case, anna_and_ben, append, begin, event, id};
use crate::store::{Batch, Imported, LONGEST_INVITATION, LONGEST_NAME, MOST_INVITATIONS, Store};
use crate::{
    Append, Appended, Begins, Error, Filter, GameId, Holder, Invitation, InvitationState, NewEvent,
    Once, Order, Page, Part, Seat, Seek, Side, Status, Uses, Visibility,
};

pub(super) const CASES: &[Case] = &[
    ("a game begins with its seats, and only then", seats),
    ("one holder on both sides is one seat", alone),
    ("seats that cannot be are refused, and nothing is written", wrong_seats),
    ("a deleted game leaves no seat", left),
    ("an invitation is kept, and remembered when it is withdrawn", invitations),
    ("an invitation is used once, with the game's first events", joined),
    ("an invitation is good for its game and its time", spent),
    ("a next game begins with the events that agree on it, or not at all", next),
    ("of many who use one invitation one begins the game", rush),
    ("an invitation holds the name of its game", reserved),
    ("nobody has more open invitations than the log takes", most),
    ("expired invitations are swept, others stay", swept),
    ("seeks are kept with their names, the oldest first", seeks),
    ("of many who take one seek one begins the game", taken_seek),
    ("a resend finds its answer although the invitation is gone", resent),
    ("a command key is answered with its number", find_command),
    ("the latest beat of all servers counts", beats),
    ("a beat does not overtake what the log was given before", after_all),
    ("who may find a game is kept and may change", visibility),
    ("a holder's games come in pages, in order", held),
];

const ANNA: Holder = Holder([1; 32]);
const BEN: Holder = Holder([2; 32]);

fn white(holder: Holder) -> Seat {
    Seat { side: Side::White, holder }
}

fn black(holder: Holder) -> Seat {
    Seat { side: Side::Black, holder }
}

/// The first append of a game, at the time 1,000.
fn first(game: GameId, seats: &[Seat], invitation: Option<[u8; 32]>) -> Append {
    let uses = invitation.map(Uses::Invitation);
    let begins = Some(Begins { seats: seats.to_vec(), uses });
    Append { begins, ..append(game, 1, &anna_and_ben()) }
}

/// An invitation of Anna's that expires at the time 5,000.
fn invitation(number: u8) -> Invitation {
    Invitation {
        hash: [number; 32],
        game: id(),
        body: format!("{{\"number\":{number},\"name\":\"안나\"}}"),
        holder: ANNA,
        made: 500,
        expires: 5_000,
        state: InvitationState::Open,
    }
}

/// What the log still has of an invitation that was used or withdrawn.
fn gone(invitation: &Invitation, state: InvitationState) -> Option<Invitation> {
    let (body, expires) = (String::new(), invitation.made);
    Some(Invitation { body, expires, state, ..invitation.clone() })
}

fn next(store: &dyn Store) {
    let (game, then) = (id(), id());
    store.append(first(game, &[white(ANNA), black(BEN)], None)).expect("a game");
    let agreed = |next: Append| Append {
        command_key: Some("w:1".into()),
        next: Some(Box::new(next)),
        ..append(game, 2, &anna_and_ben())
    };
    // If the second append does not begin a new game, the first is not written either.
    let elsewhere = begin(store, &anna_and_ben());
    let invited = id();
    let waiting = Invitation { game: invited, ..invitation(9) };
    store.invite(waiting.clone()).expect("an invitation");
    let used = Some(waiting.hash);
    let wrong = [
        first(elsewhere, &[], None),
        first(game, &[], None),
        first(invited, &[], None),
        first(invited, &[], used),
        Append { expected: 2, ..first(then, &[], None) },
        Append { command_key: Some("x".into()), ..first(then, &[], None) },
    ];
    for next in wrong {
        assert_eq!(store.append(agreed(next)), Err(Error::Conflict { last_seq: 1 }));
    }
    let chain = Append { next: Some(Box::new(first(id(), &[], None))), ..first(then, &[], None) };
    assert_eq!(store.append(agreed(chain)), Err(Error::TooLong(Part::Events)));
    assert_eq!(store.events(then, 0, 9), Err(Error::NoSuchGame));
    assert_eq!(store.events(game, 0, 9).map(|events| events.len()), Ok(1));
    let swapped = first(then, &[white(BEN), black(ANNA)], None);
    let done = store.append(agreed(swapped.clone()));
    assert_eq!(done, Ok(Appended { seq: 2, once: Once::First }));
    assert_eq!(store.events(then, 0, 9).map(|events| events.len()), Ok(1));
    assert_eq!(store.seats(then), Ok(vec![white(BEN), black(ANNA)]));
    // A resend does not begin a second game, under any id.
    for next in [swapped, first(id(), &[], None)] {
        let name = next.game;
        let again = store.append(agreed(next));
        assert_eq!(again, Ok(Appended { seq: 2, once: Once::Again }));
        assert_eq!(store.events(name, 0, 9).is_ok(), name == then);
    }
    // A new game may be appended together with its rematch.
    let pair = Append { next: Some(Box::new(first(id(), &[], None))), ..first(id(), &[], None) };
    store.append(pair).expect("two games");
    let same = id();
    let twice = Append { next: Some(Box::new(first(same, &[], None))), ..first(same, &[], None) };
    assert_eq!(store.append(twice), Err(Error::Conflict { last_seq: 0 }));
    assert_eq!(store.events(same, 0, 9), Err(Error::NoSuchGame));
}

fn seats(store: &dyn Store) {
    let game = id();
    // The given order does not matter.
    store.append(first(game, &[black(BEN), white(ANNA)], None)).expect("a game");
    assert_eq!(store.seats(game), Ok(vec![white(ANNA), black(BEN)]));
    let both = Seat { side: Side::Both, holder: ANNA };
    for taken in [&[][..], &[both], &[white(BEN)], &[black(ANNA)]] {
        let game = id();
        store.append(first(game, taken, None)).expect("a game");
        assert_eq!(store.seats(game), Ok(taken.to_vec()));
    }
    let without = begin(store, &anna_and_ben());
    assert_eq!(store.seats(without), Ok(vec![]));
    assert_eq!(store.seats(id()), Err(Error::NoSuchGame));
    // Seats cannot be added later.
    let late = Append { begins: Some(Begins::default()), ..append(game, 2, &anna_and_ben()) };
    assert_eq!(store.append(late.clone()), Err(Error::Conflict { last_seq: 1 }));
    let nowhere = Append { game: id(), ..late };
    assert_eq!(store.append(nowhere), Err(Error::Conflict { last_seq: 0 }));
    assert_eq!(store.append(first(game, &[], None)), Err(Error::Conflict { last_seq: 1 }));
    store.append(append(game, 2, &anna_and_ben())).expect("a move");
    assert_eq!(store.seats(game), Ok(vec![white(ANNA), black(BEN)]));
    assert_eq!(store.events(game, 0, 9).map(|events| events.len()), Ok(2));
}

fn alone(store: &dyn Store) {
    let game = id();
    store.append(first(game, &[white(ANNA), black(ANNA)], None)).expect("a game");
    assert_eq!(store.seats(game), Ok(vec![Seat { side: Side::Both, holder: ANNA }]));
    let filter = Filter { holder: Some(ANNA), ..Filter::default() };
    assert_eq!(store.count(&filter), Ok(1));
    assert_eq!(store.list(&filter, &Page::default()).map(|list| list.games.len()), Ok(1));
}

fn wrong_seats(store: &dyn Store) {
    let both = |holder| Seat { side: Side::Both, holder };
    for wrong in [
        &[white(ANNA), white(BEN)][..],
        &[both(ANNA), black(BEN)],
        &[white(ANNA), both(BEN)],
        &[both(ANNA), both(ANNA)],
        &[white(ANNA), black(BEN), black(Holder([3; 32]))],
    ] {
        let game = id();
        assert_eq!(store.append(first(game, wrong, None)), Err(Error::TooLong(Part::Seats)));
        assert_eq!(store.record(game), Ok(None));
    }
}

fn left(store: &dyn Store) {
    let game = id();
    store.append(first(game, &[white(ANNA), black(BEN)], None)).expect("a game");
    store.delete(game).expect("deleted");
    assert_eq!(store.seats(game), Err(Error::NoSuchGame));
    assert_eq!(store.count(&Filter { holder: Some(BEN), ..Filter::default() }), Ok(0));
    // The id may be used again; the seats do not come back.
    store.append(append(game, 1, &anna_and_ben())).expect("a game");
    assert_eq!(store.seats(game), Ok(vec![]));
}

fn invitations(store: &dyn Store) {
    let one = invitation(1);
    assert_eq!(store.invitation(&one.hash), Ok(None));
    assert_eq!(store.invitation_of(one.game), Ok(None));
    assert_eq!(store.withdraw(one.game), Err(Error::NoSuchGame));
    store.invite(one.clone()).expect("an invitation");
    assert_eq!(store.invitation(&one.hash), Ok(Some(one.clone())));
    assert_eq!(store.invitation_of(one.game), Ok(Some(one.clone())));
    assert_eq!(store.record(one.game), Ok(None), "it is no game yet");
    let taken = Err(Error::Conflict { last_seq: 0 });
    assert_eq!(store.invite(one.clone()), taken);
    assert_eq!(store.invite(Invitation { hash: [9; 32], ..one.clone() }), taken);
    assert_eq!(store.invite(Invitation { game: id(), ..one.clone() }), taken);
    let game = begin(store, &anna_and_ben());
    let begun = store.invite(Invitation { game, ..invitation(2) });
    assert_eq!(begun, Err(Error::Conflict { last_seq: 1 }));
    assert_eq!(store.invitation(&[2; 32]), Ok(None));
    let long = Invitation { body: "x".repeat(LONGEST_INVITATION + 1), ..invitation(3) };
    assert_eq!(store.invite(long), Err(Error::TooLong(Part::Invitation)));
    let longest = Invitation { body: "x".repeat(LONGEST_INVITATION), ..invitation(3) };
    store.invite(longest.clone()).expect("an invitation");
    assert_eq!(store.invitation(&[3; 32]), Ok(Some(longest)));
    store.withdraw(one.game).expect("withdrawn");
    let withdrawn = gone(&one, InvitationState::Withdrawn);
    assert_eq!(store.invitation(&one.hash), Ok(withdrawn.clone()));
    assert_eq!(store.invitation_of(one.game), Ok(withdrawn));
    assert_eq!(store.withdraw(one.game), Err(Error::NoSuchGame));
    let late = store.append(first(one.game, &[white(ANNA), black(BEN)], Some(one.hash)));
    assert_eq!(late, Err(Error::Spent));
    assert_eq!(store.invite(one), taken, "its link still says what happened");
}

fn joined(store: &dyn Store) {
    let (one, other) = (invitation(1), invitation(2));
    store.invite(one.clone()).expect("an invitation");
    store.invite(other.clone()).expect("an invitation");
    let answer = store.append(first(one.game, &[white(ANNA), black(BEN)], Some(one.hash)));
    assert_eq!(answer, Ok(Appended { seq: 1, once: Once::First }));
    assert_eq!(store.seats(one.game), Ok(vec![white(ANNA), black(BEN)]));
    let used = gone(&one, InvitationState::Used);
    assert_eq!(store.invitation(&one.hash), Ok(used.clone()));
    assert_eq!(store.invitation_of(one.game), Ok(used.clone()));
    assert_eq!(store.withdraw(one.game), Err(Error::NoSuchGame));
    // It is kept as long as its game.
    assert_eq!(store.sweep_invitations(4_000), Ok(0));
    assert_eq!(store.invitation_of(one.game), Ok(used));
    let again = store.append(first(one.game, &[white(ANNA), black(BEN)], Some(one.hash)));
    assert_eq!(again, Err(Error::Spent));
    assert_eq!(store.invitation(&other.hash), Ok(Some(other)));
    store.delete(one.game).expect("deleted");
    assert_eq!(store.invitation(&one.hash), Ok(None));
}

fn spent(store: &dyn Store) {
    let (one, other) = (invitation(1), invitation(2));
    store.invite(one.clone()).expect("an invitation");
    store.invite(other.clone()).expect("an invitation");
    let seats = [white(ANNA), black(BEN)];
    let at = |at| vec![NewEvent { at, ..event("a") }, NewEvent { at: at + 9, ..event("b") }];
    for refused in [
        first(one.game, &seats, Some(other.hash)),
        first(one.game, &seats, Some([7; 32])),
        first(id(), &seats, Some(one.hash)),
        Append { events: at(5_000), ..first(one.game, &seats, Some(one.hash)) },
        Append { events: at(9_000), ..first(one.game, &seats, Some(one.hash)) },
    ] {
        let game = refused.game;
        assert_eq!(store.append(refused), Err(Error::Spent));
        assert_eq!(store.record(game), Ok(None), "nothing was written");
    }
    for kept in [one.clone(), other] {
        assert_eq!(store.invitation_of(kept.game), Ok(Some(kept)));
    }
    // The time of the first event counts.
    let in_time = Append { events: at(4_999), ..first(one.game, &seats, Some(one.hash)) };
    assert_eq!(store.append(in_time).map(|answer| answer.seq), Ok(2));
}

fn rush(store: &dyn Store) {
    let one = invitation(1);
    store.invite(one.clone()).expect("an invitation");
    let start = Barrier::new(8);
    let answers = std::thread::scope(|scope| {
        let guests: Vec<_> = (10..18)
            .map(|guest| {
                let (start, one) = (&start, &one);
                scope.spawn(move || {
                    start.wait();
                    let seats = [white(ANNA), black(Holder([guest; 32]))];
                    store.append(first(one.game, &seats, Some(one.hash)))
                })
            })
            .collect();
        guests.into_iter().map(|guest| guest.join().expect("no panic")).collect::<Vec<_>>()
    });
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert_eq!(answers.iter().filter(|answer| **answer == Err(Error::Spent)).count(), 7);
    let seats = store.seats(one.game).expect("seats");
    let winner = answers.iter().position(Result::is_ok).expect("one") as u8;
    assert_eq!(seats, [white(ANNA), black(Holder([10 + winner; 32]))]);
}

fn reserved(store: &dyn Store) {
    let one = invitation(1);
    store.invite(one.clone()).expect("an invitation");
    for other in
        [append(one.game, 1, &anna_and_ben()), first(one.game, &[white(BEN), black(BEN)], None)]
    {
        assert_eq!(store.append(other), Err(Error::Conflict { last_seq: 0 }));
    }
    assert_eq!(store.record(one.game), Ok(None));
    store.withdraw(one.game).expect("withdrawn");
    let taken = store.append(append(one.game, 1, &anna_and_ben()));
    assert_eq!(taken, Err(Error::Conflict { last_seq: 0 }));
    store.sweep_invitations(one.made).expect("a sweep");
    store.append(append(one.game, 1, &anna_and_ben())).expect("a game");
}

fn most(store: &dyn Store) {
    let number = |number: usize| u8::try_from(number).expect("a small number");
    let all: Vec<_> = (0..MOST_INVITATIONS).map(|n| invitation(number(n))).collect();
    for one in &all {
        store.invite(one.clone()).expect("an invitation");
    }
    let more = invitation(200);
    assert_eq!(store.invite(more.clone()), Err(Error::TooMany));
    assert_eq!(store.invitation(&more.hash), Ok(None));
    store.invite(Invitation { holder: BEN, ..invitation(201) }).expect("another's");
    // A used, withdrawn or expired invitation does not count.
    store.append(first(all[0].game, &[white(ANNA)], Some(all[0].hash))).expect("a game");
    store.invite(more.clone()).expect("an invitation");
    assert_eq!(store.invite(invitation(202)), Err(Error::TooMany));
    store.withdraw(all[1].game).expect("withdrawn");
    store.invite(invitation(202)).expect("an invitation");
    assert_eq!(store.invite(Invitation { made: 4_999, ..invitation(203) }), Err(Error::TooMany));
    let later = Invitation { made: 5_000, expires: 9_000, ..invitation(203) };
    store.invite(later).expect("the others have expired");
}

fn swept(store: &dyn Store) {
    let ends = [1_000, 2_000, 3_000];
    let all: Vec<_> =
        (1..).zip(ends).map(|(n, expires)| Invitation { expires, ..invitation(n) }).collect();
    for one in &all {
        store.invite(one.clone()).expect("an invitation");
    }
    assert_eq!(store.sweep_invitations(999), Ok(0));
    assert_eq!(store.sweep_invitations(2_000), Ok(2));
    assert_eq!(store.sweep_invitations(2_000), Ok(0));
    assert_eq!(store.invitation_of(all[0].game), Ok(None));
    assert_eq!(store.invitation_of(all[1].game), Ok(None));
    assert_eq!(store.invitation_of(all[2].game), Ok(Some(all[2].clone())));
}

fn seek(number: u8, made: i64) -> Seek {
    let body = format!("{{\"number\":{number}}}");
    Seek { game: id(), node: "n1".to_owned(), body, holder: Holder([number; 32]), made }
}

/// The first append of a game from a seek.
fn sought(game: GameId, seats: &[Seat]) -> Append {
    let begins = Some(Begins { seats: seats.to_vec(), uses: Some(Uses::Seek) });
    Append { begins, ..append(game, 1, &anna_and_ben()) }
}

fn seeks(store: &dyn Store) {
    let (younger, older) = (seek(2, 700), seek(3, 600));
    for one in [&younger, &older] {
        store.seek(one.clone()).expect("a seek");
    }
    assert_eq!(store.seeks(10), Ok(vec![older.clone(), younger.clone()]));
    assert_eq!(store.seeks(1), Ok(vec![older.clone()]));
    // No game, invitation or other seek can take its id.
    let taken = Err(Error::Conflict { last_seq: 0 });
    assert_eq!(store.seek(older.clone()), taken);
    assert_eq!(store.invite(Invitation { game: older.game, ..invitation(4) }), taken);
    let other = store.append(append(older.game, 1, &anna_and_ben()));
    assert_eq!(other, Err(Error::Conflict { last_seq: 0 }));
    let wrong = store.append(first(older.game, &[white(ANNA)], Some([3; 32])));
    assert_eq!(wrong, Err(Error::Spent));
    store.cancel_seek(older.game).expect("cancelled");
    assert_eq!(store.cancel_seek(older.game), Err(Error::NoSuchGame));
    assert_eq!(store.append(sought(older.game, &[white(ANNA)])), Err(Error::Spent));
    assert_eq!(store.seeks(10), Ok(vec![younger]));
    let begun = begin(store, &anna_and_ben());
    let late = Seek { game: begun, ..seek(5, 800) };
    assert_eq!(store.seek(late), Err(Error::Conflict { last_seq: 1 }));
    let long = Seek { body: "x".repeat(LONGEST_INVITATION + 1), ..seek(6, 800) };
    assert_eq!(store.seek(long), Err(Error::TooLong(Part::Invitation)));
}

fn taken_seek(store: &dyn Store) {
    let one = seek(1, 500);
    store.seek(one.clone()).expect("a seek");
    let start = Barrier::new(8);
    let answers = std::thread::scope(|scope| {
        let takers: Vec<_> = (10..18)
            .map(|taker| {
                let (start, one) = (&start, &one);
                scope.spawn(move || {
                    start.wait();
                    store.append(sought(one.game, &[white(one.holder), black(Holder([taker; 32]))]))
                })
            })
            .collect();
        takers.into_iter().map(|taker| taker.join().expect("no panic")).collect::<Vec<_>>()
    });
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert_eq!(answers.iter().filter(|answer| **answer == Err(Error::Spent)).count(), 7);
    assert_eq!(store.seeks(10), Ok(vec![]));
    assert_eq!(store.cancel_seek(one.game), Err(Error::NoSuchGame));
    let seats = store.seats(one.game).expect("seats");
    let winner = answers.iter().position(Result::is_ok).expect("one") as u8;
    assert_eq!(seats, [white(one.holder), black(Holder([10 + winner; 32]))]);
}

fn resent(store: &dyn Store) {
    let one = invitation(1);
    store.invite(one.clone()).expect("an invitation");
    let join = Append {
        command_key: Some("join".to_owned()),
        events: vec![event("a"), event("b")],
        ..first(one.game, &[white(ANNA), black(BEN)], Some(one.hash))
    };
    let answer = store.append(join.clone());
    assert_eq!(answer, Ok(Appended { seq: 2, once: Once::First }));
    store.append(append(one.game, 3, &anna_and_ben())).expect("a move");
    for _ in 0..2 {
        let answer = store.append(join.clone());
        assert_eq!(answer, Ok(Appended { seq: 2, once: Once::Again }));
    }
    assert_eq!(store.seats(one.game).map(|seats| seats.len()), Ok(2));
    for seq in 4..=32 {
        store.append(append(one.game, seq, &anna_and_ben())).expect("a long game");
    }
    let answer = store.append(join.clone());
    assert_eq!(answer, Ok(Appended { seq: 2, once: Once::Again }), "after 30 events");
    let other = Append { command_key: Some("other".to_owned()), ..join };
    assert_eq!(store.append(other), Err(Error::Spent));
}

fn find_command(store: &dyn Store) {
    let game = id();
    assert_eq!(store.find_command(game, "one"), Ok(None), "no game, no answer");
    let one = Append {
        command_key: Some("one".to_owned()),
        events: vec![event("a"), event("b"), event("c")],
        ..append(game, 1, &anna_and_ben())
    };
    store.append(one).expect("a game");
    store.append(append(game, 4, &anna_and_ben())).expect("without a name");
    let two = Append { command_key: Some("둘".to_owned()), ..append(game, 5, &anna_and_ben()) };
    store.append(two).expect("another");
    assert_eq!(store.find_command(game, "one"), Ok(Some(3)));
    assert_eq!(store.find_command(game, "둘"), Ok(Some(5)));
    assert_eq!(store.find_command(game, "three"), Ok(None));
    assert_eq!(store.find_command(game, ""), Ok(None));
    let other = begin(store, &anna_and_ben());
    assert_eq!(store.find_command(other, "one"), Ok(None), "it belongs to its game");
}

fn beats(store: &dyn Store) {
    assert_eq!(store.last_beat(), Ok(None));
    for (node, at, latest) in
        [("a", 100, 100), ("b", 90, 100), ("b", 150, 150), ("a", 160, 160), ("b", 151, 160)]
    {
        store.beat(node, at).expect("a beat");
        assert_eq!(store.last_beat(), Ok(Some(latest)));
    }
    // The time of a corrected clock is stored.
    store.beat("a", 120).expect("a beat");
    assert_eq!(store.last_beat(), Ok(Some(151)));
    assert_eq!(store.beats(), Ok(vec![("a".to_owned(), 120), ("b".to_owned(), 151)]));
    store.sweep_beats(120).expect("a sweep");
    assert_eq!(store.beats().map(|all| all.len()), Ok(2));
    let long = "x".repeat(LONGEST_NAME + 1);
    assert_eq!(store.beat(&long, 999), Err(Error::TooLong(Part::Node)));
    assert_eq!(store.last_beat(), Ok(Some(151)));
}

fn after_all(store: &dyn Store) {
    let answered = Arc::new(AtomicUsize::new(0));
    for round in 1..=5 {
        for _ in 0..100 {
            let answered = answered.clone();
            store.submit(
                append(id(), 1, &anna_and_ben()),
                Box::new(move |answer| {
                    if answered.load(Ordering::SeqCst).is_multiple_of(100) {
                        // Time for a heartbeat that does not wait to overtake.
                        std::thread::sleep(Duration::from_millis(50));
                    }
                    assert_eq!(answer.map(|answer| answer.seq), Ok(1));
                    answered.fetch_add(1, Ordering::SeqCst);
                }),
            );
        }
        store.beat("a", 100).expect("a beat");
        assert_eq!(answered.load(Ordering::SeqCst), 100 * round);
    }
}

fn visibility(store: &dyn Store) {
    let mut summary = anna_and_ben();
    assert_eq!(summary.visibility, Visibility::Public, "unless it is said otherwise");
    summary.visibility = Visibility::Private;
    let game = begin(store, &summary);
    let open = begin(store, &anna_and_ben());
    let seen = |visibility| {
        let filter = Filter { visibility: Some(visibility), ..Filter::default() };
        let listed = store.list(&filter, &Page::default()).expect("a list");
        let ids: Vec<GameId> = listed.games.iter().map(|game| game.id).collect();
        assert_eq!(store.count(&filter), Ok(ids.len() as u64));
        assert!(listed.games.iter().all(|game| game.summary.visibility == visibility));
        ids
    };
    // A move changes nothing.
    summary.moves.push("e2e4".parse().expect("a move"));
    store.append(append(game, 2, &summary)).expect("a move");
    assert_eq!(seen(Visibility::Private), [game]);
    assert_eq!(seen(Visibility::Public), [open]);
    // Its players may see it.
    summary.visibility = Visibility::Public;
    store.append(append(game, 3, &summary)).expect("a change");
    assert_eq!(seen(Visibility::Private), []);
    assert_eq!(seen(Visibility::Public).len(), 2);
    summary.status = Status::Finished;
    store.append(append(game, 4, &summary)).expect("an end");
    let live = Filter {
        visibility: Some(Visibility::Public),
        status: Some(Status::Live),
        ..Filter::default()
    };
    let listed = store.list(&live, &Page::default()).expect("a list");
    assert_eq!(listed.games.iter().map(|game| game.id).collect::<Vec<_>>(), [open]);
    let file = Imported { id: None, summary, tags: vec![], note: None };
    store.import(Batch { games: vec![file], ..Batch::default() }).expect("a batch");
    assert_eq!(seen(Visibility::Private), []);
}

fn held(store: &dyn Store) {
    let mut summary = anna_and_ben();
    let mut anna = Vec::new();
    for number in 0..40 {
        // Few different times, so that many games share one.
        summary.started = (number % 7 > 0).then_some(i64::from(number % 5) * 1_000);
        let game = id();
        let seats = match number % 4 {
            0 => vec![white(ANNA), black(BEN)],
            1 => vec![white(BEN), black(ANNA)],
            2 => vec![Seat { side: Side::Both, holder: BEN }],
            _ => vec![],
        };
        if seats.iter().any(|seat| seat.holder == ANNA) {
            anna.push((summary.started, number, game));
        }
        let begins = Some(Begins { seats, uses: None });
        store.append(Append { begins, ..append(game, 1, &summary) }).expect("a game");
    }
    anna.sort_unstable();
    let oldest: Vec<GameId> = anna.iter().map(|&(_, _, game)| game).collect();
    let newest: Vec<GameId> = oldest.iter().rev().copied().collect();
    let filter = Filter { holder: Some(ANNA), ..Filter::default() };
    for (order, wanted) in [(Order::Oldest, oldest), (Order::Newest, newest)] {
        for limit in [1, 3, 20, 50] {
            let mut page = Page { order, after: None, limit };
            let mut games = Vec::new();
            loop {
                let listing = store.list(&filter, &page).expect("a page");
                games.extend(listing.games.iter().map(|game| game.id));
                page.after = listing.next;
                if page.after.is_none() {
                    break;
                }
            }
            assert_eq!(games, wanted, "{order:?}, {limit} a page");
        }
    }
    let nobody = Filter { holder: Some(Holder([9; 32])), ..Filter::default() };
    assert_eq!(store.count(&nobody), Ok(0));
}
