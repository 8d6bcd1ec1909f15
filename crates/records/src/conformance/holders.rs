//! Players' keys: moving everything to another key, and passes for another device.

use super::{Case, anna_and_ben, append, begin, id};
use crate::holders::Pass;
use crate::stats::Viewer;
use crate::store::Store;
use crate::{Begins, Error, Filter, Holder, Invitation, InvitationState, Page, Seat, Side};

pub(super) const CASES: &[Case] = &[
    ("all that belongs to a key goes over to another", handed_over),
    ("a pass is used once and in time", used_once),
];

fn handed_over(store: &dyn Store) {
    let [old, new, other] = [1, 2, 3].map(|byte| Holder([byte; 32]));
    let game = id();
    let seats =
        vec![Seat { side: Side::White, holder: old }, Seat { side: Side::Black, holder: other }];
    let begins = Some(Begins { seats, uses: None });
    store.append(crate::Append { begins, ..append(game, 1, &anna_and_ben()) }).expect("a game");
    let invitation = Invitation {
        hash: [7; 32],
        game: id(),
        body: "later".to_owned(),
        holder: old,
        made: 1_000,
        expires: 9_000,
        state: InvitationState::Open,
    };
    store.invite(invitation.clone()).expect("an invitation");
    for (holder, word) in [(old, "mine"), (other, "theirs")] {
        store.tag(Some(holder), game, word).expect("a word");
        store.note(Some(holder), game, word).expect("a note");
    }
    assert_eq!(store.hand_over(old, new), Ok(1));
    // The second time there is nothing left to move.
    assert_eq!(store.hand_over(old, new), Ok(0));
    let seats = store.seats(game).expect("seats");
    assert_eq!(seats.iter().map(|seat| seat.holder).collect::<Vec<_>>(), [new, other]);
    let (second, all) = (begin(store, &anna_and_ben()), seats.iter().map(|seat| (game, *seat)));
    assert_eq!(store.seats_of(&[id(), game, second]), Ok(all.collect()));
    assert_eq!(store.seats_of(&[]), Ok(Vec::new()));
    let found = store.invitation(&invitation.hash).expect("a log").expect("an invitation");
    assert_eq!(found, Invitation { holder: new, ..invitation });
    let seen = |holder| {
        let record = store.record_for(Viewer::Guest(Some(holder)), game).expect("a log");
        let record = record.expect("a game");
        (record.tags, record.note)
    };
    assert_eq!(seen(old), (Vec::new(), None));
    assert_eq!(seen(new), (vec!["mine".to_owned()], Some("mine".to_owned())));
    assert_eq!(seen(other), (vec!["theirs".to_owned()], Some("theirs".to_owned())));
    let games = |holder| {
        let filter = Filter { holder: Some(holder), ..Filter::default() };
        store.list(&filter, &Page::default()).expect("a list").games.len()
    };
    assert_eq!((games(old), games(new), games(other)), (0, 1, 1));
}

fn used_once(store: &dyn Store) {
    let pass = |byte: u8, expires| Pass { hash: [byte; 32], sealed: [byte; 16], expires };
    store.keep_pass(pass(1, 500), 100).expect("kept");
    store.keep_pass(pass(2, 600), 100).expect("kept");
    let taken = store.keep_pass(pass(2, 900), 100);
    assert_eq!(taken, Err(Error::Conflict { last_seq: 0 }));
    assert_eq!(store.use_pass(&[9; 32], 200), Ok(None));
    assert_eq!(store.use_pass(&[1; 32], 500), Ok(None), "too late");
    assert_eq!(store.use_pass(&[2; 32], 599), Ok(Some([2; 16])));
    assert_eq!(store.use_pass(&[2; 32], 200), Ok(None), "used");
    // Writing the next pass deletes those that have expired.
    store.keep_pass(pass(3, 900), 500).expect("kept");
    assert_eq!(store.use_pass(&[1; 32], 200), Ok(None));
    let used: Vec<_> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(|| store.use_pass(&[3; 32], 600))).collect();
        all.into_iter().map(|one| one.join().expect("an answer").expect("a log")).collect()
    });
    assert_eq!(used.iter().flatten().count(), 1, "of many one gets it");
}
