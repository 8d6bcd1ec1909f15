//! Failures that the simulation has found, each as a test of its own.

use hansu_play::{Offer, Sides, Start, TimeControl, stamp};

use super::*;

const BEGIN: u64 = 1_000_000;
const ASKER: Asker = Asker { id: 7, lang: hansu_words::Lang::En, since: 0 };

/// A room, with the test in the place of its log.
struct Trial {
    room: Room,
    effects: Effects,
}

impl Trial {
    /// A game of three seconds in which both sides have made their free first move.
    fn under_way() -> Trial {
        let start = Start {
            time: TimeControl::sudden_death(Millis::seconds(3)),
            source: Source::Online,
            ..Start::between("Mina", "Jun")
        };
        let mut state = State::default();
        let step = |uci: &str| Command::Move { uci: uci.parse().expect("a move") };
        for (actor, command) in [
            (Actor::System, Command::Start(start)),
            (Actor::White, step("e2e4")),
            (Actor::Black, step("e7e5")),
        ] {
            let events = decide(&state, actor, &command, Millis(BEGIN)).expect("legal");
            for entry in stamp(&state, events, Millis(BEGIN)) {
                apply(&mut state, &entry).expect("what was decided fits");
            }
        }
        let game = "room00000000".parse().expect("an id");
        let mut room = Room::new(game, Visibility::Public, state, Millis(BEGIN));
        room.arrive(Actor::White);
        room.arrive(Actor::Black);
        Trial { room, effects: Effects::default() }
    }

    fn ask(&mut self, actor: Actor, command: Command, received: u64, now: u64) {
        let asked = CommandRequest {
            by: Some(ASKER),
            actor,
            command,
            moment: Moment::at(Millis(BEGIN + received)),
            key: Some(CommandKey::new(actor, "", "c")),
            begins: None,
        };
        self.room.ask(asked, Millis(BEGIN + now), &mut self.effects);
    }

    fn play(&mut self, actor: Actor, uci: &str, received: u64, now: u64) {
        self.ask(actor, Command::Move { uci: uci.parse().expect("a move") }, received, now);
    }

    fn tick(&mut self, now: u64) {
        self.room.tick(Millis(BEGIN + now), &mut self.effects);
    }

    /// The events of the room's open write.
    fn written(&self) -> Option<Vec<Event>> {
        let Pending::Write { entries, .. } = &self.room.pending else { return None };
        Some(entries.iter().map(|entry| entry.event.clone()).collect())
    }

    /// Returns true if the room waits for a read.
    fn reads(&self) -> bool {
        matches!(self.room.pending, Pending::Read { .. })
    }

    fn kept(&mut self, now: u64) {
        let Pending::Write { entries, .. } = &self.room.pending else { panic!("nothing written") };
        let seq = entries.last().expect("entries").seq;
        let answer = Ok(Appended { seq, once: Once::First });
        self.room.finish_write(answer, Millis(BEGIN + now), &mut self.effects);
    }

    fn fails(&mut self, error: Error, now: u64) {
        self.room.finish_write(Err(error), Millis(BEGIN + now), &mut self.effects);
    }

    /// Another node has done something first.
    fn conflicts(&mut self, events: Vec<Event>, now: u64) {
        let entries = stamp(self.room.state(), events, Millis(BEGIN + now));
        let last_seq = entries.last().expect("entries").seq;
        self.fails(Error::Conflict { last_seq }, now);
        self.room.finish_read(Ok(entries), Millis(BEGIN + now), &mut self.effects);
    }

    fn credit(&mut self, time: u64, now: u64) {
        let key = Some(CommandKey::outage(Millis(1)));
        let command = Command::Credit { time: Millis(time) };
        let moment = Moment::at(Millis(BEGIN + now));
        let asked =
            CommandRequest { by: None, actor: Actor::System, command, moment, key, begins: None };
        self.room.ask(asked, Millis(BEGIN + now), &mut self.effects);
    }
}

fn credited(time: u64) -> Option<Vec<Event>> {
    Some(vec![Event::Credited { time: Millis(time) }])
}

fn is_timeout(events: Option<&[Event]>) -> bool {
    matches!(events, Some([Event::Ended { ending, .. }])
        if ending.reason == hansu_play::Reason::Timeout)
}

#[test]
fn a_slow_commit_is_given_back_once_and_only_to_a_clock_that_started_with_it() {
    let mut trial = Trial::under_way();
    trial.play(Actor::White, "g1f3", 100, 100);
    trial.kept(900);
    assert_eq!(trial.written(), credited(800));
    // The credit itself takes long; the board can be seen meanwhile.
    trial.kept(1_700);
    assert_eq!(trial.written(), None);
    let chat = Command::Chat { text: "hm".to_owned(), name: None };
    trial.ask(Actor::White, chat, 1_800, 1_800);
    trial.kept(2_600);
    assert_eq!(trial.written(), None);
    assert!(trial.room.is_idle());
}

#[test]
fn a_credit_that_the_log_did_not_take_comes_before_the_flag() {
    let mut trial = Trial::under_way();
    trial.credit(2_000, 2_500);
    trial.fails(Error::Busy, 2_510);
    assert!(trial.room.owes() && !trial.room.is_idle());
    // Without it White would be flagged now.
    trial.tick(4_000);
    assert_eq!(trial.written(), credited(2_000));
    trial.kept(4_001);
    // And since then the log has taken nothing.
    assert_eq!(trial.written(), credited(1_500));
    trial.kept(4_001);
    assert!(!trial.room.owes());
    trial.tick(7_040);
    assert_eq!(trial.written(), None);
    trial.tick(7_050);
    assert!(is_timeout(trial.written().as_deref()));
}

#[test]
fn a_command_does_not_flag_a_side_that_is_owed_time() {
    let mut trial = Trial::under_way();
    trial.credit(2_000, 2_500);
    trial.fails(Error::Busy, 2_510);
    // White's three seconds are over, and two of them shall be given back.
    let decline = Command::Decline { what: Offer::Takeback };
    trial.ask(Actor::Black, decline, 4_000, 4_000);
    assert_eq!(trial.written(), credited(2_000));
    trial.play(Actor::White, "g1f3", 4_010, 4_010);
    trial.kept(4_101);
    assert_eq!(trial.written(), credited(1_500));
    trial.kept(4_102);
    assert!(matches!(trial.written().as_deref(), Some([Event::Moved { .. }])));
}

#[test]
fn time_lost_in_one_turn_is_not_credited_in_another() {
    let uci = "g1f3".parse().expect("a move");
    let at = Millis(BEGIN + 600);
    let clocks = Some(Sides { white: Millis(2_400), black: Millis(3_000) });
    let moved = Event::Moved { uci, received: at, lag: Millis::ZERO, clocks };
    // Another node was first with a move.
    let mut trial = Trial::under_way();
    trial.credit(300, 500);
    assert_eq!(trial.written(), credited(300));
    trial.conflicts(vec![moved], 600);
    assert_eq!(trial.written(), None);
    // The same when the log refuses the credit first.
    let mut trial = Trial::under_way();
    trial.credit(300, 500);
    trial.fails(Error::Busy, 510);
    trial.play(Actor::White, "g1f3", 600, 600);
    assert_eq!(trial.written(), credited(300));
    trial.kept(605);
    assert_eq!(trial.written(), credited(100));
    trial.fails(Error::Busy, 606);
    trial.kept(610);
    trial.tick(620);
    assert_eq!(trial.written(), None);
    // An event that starts no clock does not end the claim to it.
    let mut trial = Trial::under_way();
    trial.credit(300, 500);
    trial.conflicts(vec![Event::Left { side: Color::Black }], 600);
    assert_eq!(trial.written(), credited(300));
}

#[test]
fn no_command_flags_a_side_before_the_grace_is_over() {
    let grace = FLAG_GRACE.0;
    // Three seconds, and the lag that may be forgiven.
    let deadline = 3_500;
    let offer = Command::Offer { what: Offer::Draw, next: None };
    let mut trial = Trial::under_way();
    trial.ask(Actor::Black, offer.clone(), deadline, deadline + 1);
    assert_eq!(trial.written(), None);
    // Received in time, and long on its way through the server.
    trial.play(Actor::White, "g1f3", 2_999, deadline + grace - 1);
    assert!(matches!(trial.written().as_deref(), Some([Event::Moved { .. }])));
    trial.kept(deadline + grace);
    // The offer was waiting, and is decided after the move.
    assert!(matches!(trial.written().as_deref(), Some([Event::Offered { .. }])));
    // When no move comes, it is the flag.
    let mut trial = Trial::under_way();
    trial.ask(Actor::Black, offer, deadline, deadline + 1);
    trial.tick(deadline + grace - 1);
    assert_eq!(trial.written(), None);
    trial.tick(deadline + grace);
    assert!(is_timeout(trial.written().as_deref()));
}

#[test]
fn of_a_gift_and_a_flag_the_first_counts() {
    let (grace, deadline) = (FLAG_GRACE.0, 3_500);
    let give = || Command::GiveTime { to: Color::White };
    let mut trial = Trial::under_way();
    assert_eq!(trial.room.wake_at(), Millis(BEGIN + deadline + grace));
    // Received before the deadline, decided after it: it counts by when it was received.
    trial.ask(Actor::Black, give(), deadline - 1, deadline + grace);
    let time = Millis(15_000);
    assert_eq!(trial.written(), Some(vec![Event::TimeGiven { to: Color::White, time }]));
    trial.kept(deadline + grace);
    // The flag is looked for fifteen seconds later.
    assert_eq!(trial.room.wake_at(), Millis(BEGIN + deadline + 15_000 + grace));
    trial.tick(deadline + 15_000 + grace - 1);
    assert_eq!(trial.written(), None);
    trial.tick(deadline + 15_000 + grace);
    assert!(is_timeout(trial.written().as_deref()));
    // At the deadline it is too late, and the flag is written first.
    let mut trial = Trial::under_way();
    trial.ask(Actor::Black, give(), deadline, deadline + grace);
    assert!(is_timeout(trial.written().as_deref()));
    trial.kept(deadline + grace);
    assert_eq!(trial.written(), None);
}

#[test]
fn an_adjournment_at_zero_does_not_take_the_move_that_lag_would_save() {
    let mut trial = Trial::under_way();
    trial.ask(Actor::White, Command::Offer { what: Offer::Adjournment, next: None }, 100, 100);
    trial.kept(110);
    let accept = Command::Accept { what: Offer::Adjournment, next: None };
    trial.ask(Actor::Black, accept, 3_000, 3_000);
    assert_eq!(trial.written(), None);
    let lagging = CommandRequest {
        by: Some(ASKER),
        actor: Actor::White,
        command: Command::Move { uci: "g1f3".parse().expect("a move") },
        moment: Moment::at(Millis(BEGIN + 3_100)).lagging(Millis(200)),
        key: None,
        begins: None,
    };
    trial.room.ask(lagging, Millis(BEGIN + 3_100), &mut trial.effects);
    assert!(matches!(trial.written().as_deref(), Some([Event::Moved { .. }])));
}

/// A game whose White has been gone for the whole grace; `Left` is about to be written.
fn missed() -> (Trial, u64) {
    let mut trial = Trial::under_way();
    trial.room.depart(Actor::White, Millis(BEGIN));
    let gone = GRACE.0;
    // The game shall not end meanwhile.
    trial.credit(gone, gone);
    trial.kept(gone);
    trial.tick(gone);
    assert_eq!(trial.written(), Some(vec![Event::Left { side: Color::White }]));
    (trial, gone)
}

#[test]
fn two_nodes_agree_on_whether_a_player_is_there() {
    let (mut trial, gone) = missed();
    trial.kept(gone + 1);
    // White is connected to another node, which writes the event.
    let returned = vec![Event::Returned { side: Color::White }];
    let entries = stamp(trial.room.state(), returned, Millis(BEGIN + gone + 2));
    trial.room.hint(entries[0].seq, &mut trial.effects);
    trial.room.finish_read(Ok(entries), Millis(BEGIN + gone + 2), &mut trial.effects);
    trial.tick(gone + 3);
    assert_eq!(trial.written(), None);
    // A player who connects here and goes again counts as left here again.
    trial.room.arrive(Actor::White);
    trial.room.depart(Actor::White, Millis(BEGIN + gone + 4));
    trial.credit(gone, 2 * gone + 4);
    trial.kept(2 * gone + 4);
    trial.tick(2 * gone + 4);
    assert_eq!(trial.written(), Some(vec![Event::Left { side: Color::White }]));
}

#[test]
fn a_hint_that_came_while_the_log_was_away_is_followed_when_it_is_back() {
    let mut trial = Trial::under_way();
    let seq = trial.room.state().seq();
    let said = stamp(trial.room.state(), vec![Event::Left { side: Color::White }], Millis(BEGIN));
    trial.room.hint(seq + 1, &mut trial.effects);
    for after in [1, 2, 3] {
        assert!(trial.reads());
        trial.room.finish_read(Err(Error::Away), Millis(BEGIN + after), &mut trial.effects);
        assert!(!trial.reads(), "not again and again at once");
        assert_eq!((trial.room.is_idle(), trial.room.wake_at()), (false, Millis::ZERO));
        trial.tick(after);
    }
    assert!(trial.reads());
    trial.room.finish_read(Ok(said), Millis(BEGIN + 4), &mut trial.effects);
    assert_eq!((trial.room.state().seq(), trial.room.is_idle()), (seq + 1, true));
    // After an answer of the log, an earlier hint no longer counts.
    trial.room.hint(seq + 100, &mut trial.effects);
    assert_eq!((trial.reads(), trial.room.is_idle()), (true, false));
    trial.room.finish_read(Ok(Vec::new()), Millis(BEGIN + 5), &mut trial.effects);
    assert_eq!((trial.reads(), trial.room.is_idle()), (false, true));
    // A conflict is a hint, too.
    trial.play(Actor::White, "g1f3", 6, 6);
    trial.fails(Error::Conflict { last_seq: seq + 2 }, 7);
    trial.room.finish_read(Err(Error::Away), Millis(BEGIN + 8), &mut trial.effects);
    trial.tick(9);
    assert_eq!((trial.reads(), trial.written()), (true, None));
    trial.room.finish_read(Ok(Vec::new()), Millis(BEGIN + 10), &mut trial.effects);
    assert!(trial.room.is_idle());
    // A game that cannot be read at all is not tried for ever.
    trial.room.hint(seq + 100, &mut trial.effects);
    trial.room.finish_read(Err(Error::Damaged), Millis(BEGIN + 6), &mut trial.effects);
    assert!(trial.room.is_idle());
}

#[test]
fn a_player_who_returned_at_another_node_is_not_marked_as_left_again() {
    let (mut trial, gone) = missed();
    // Another node has written the same a moment earlier, and White is back there already.
    let side = Color::White;
    let story = stamp(
        trial.room.state(),
        vec![Event::Left { side }, Event::Returned { side }],
        Millis(BEGIN + gone + 1),
    );
    trial.fails(Error::Conflict { last_seq: story[1].seq }, gone + 2);
    trial.room.finish_read(Ok(story), Millis(BEGIN + gone + 3), &mut trial.effects);
    trial.tick(gone + 4);
    assert_eq!(trial.written(), None);
    // A player who is still gone counts as left with the next tick.
    let (mut trial, gone) = missed();
    let story = stamp(
        trial.room.state(),
        vec![Event::Left { side: Color::Black }],
        Millis(BEGIN + gone + 1),
    );
    trial.fails(Error::Conflict { last_seq: story[0].seq }, gone + 2);
    trial.room.finish_read(Ok(story), Millis(BEGIN + gone + 3), &mut trial.effects);
    assert!(trial.room.wake_at() <= Millis(BEGIN + gone + 4));
    trial.tick(gone + 4);
    assert!(trial.written().is_some_and(|events| events.contains(&Event::Left { side })));
}

/// The entries of the room's open write.
fn entries(trial: &Trial) -> Vec<Entry> {
    let Pending::Write { entries, .. } = &trial.room.pending else { panic!("nothing written") };
    entries.clone()
}

/// The results that the senders of commands got.
fn results(trial: &mut Trial) -> Vec<CommandResult> {
    let notices = std::mem::take(&mut trial.effects).take_notices();
    let results = notices.into_iter().filter_map(|notice| match notice {
        Notice::Tell { result, .. } => Some(result),
        Notice::Share(_) => None,
    });
    results.collect()
}

#[test]
fn a_log_that_does_not_know_is_read_before_anything_is_tried_again() {
    // It was kept.
    let mut trial = Trial::under_way();
    trial.play(Actor::White, "g1f3", 100, 100);
    let kept = entries(&trial);
    trial.fails(Error::Unsure, 200);
    assert!(matches!(trial.effects.list().last(), Some(Effect::Read { after: 3 })));
    assert_eq!((trial.written(), results(&mut trial)), (None, vec![]));
    trial.room.finish_read(Ok(kept), Millis(BEGIN + 300), &mut trial.effects);
    assert_eq!((trial.written(), results(&mut trial)), (None, vec![CommandResult::Done(4)]));
    assert!(trial.room.is_idle() && trial.room.state().seq() == 4);
    // It was not.
    let mut trial = Trial::under_way();
    trial.play(Actor::White, "g1f3", 100, 100);
    trial.fails(Error::Unsure, 200);
    trial.room.finish_read(Ok(Vec::new()), Millis(BEGIN + 300), &mut trial.effects);
    assert!(matches!(trial.written().as_deref(), Some([Event::Moved { .. }])));
    trial.kept(310);
    assert_eq!(results(&mut trial), [CommandResult::Done(4)]);
    // Another writer was first.
    let mut trial = Trial::under_way();
    trial.play(Actor::White, "g1f3", 100, 100);
    let left =
        stamp(trial.room.state(), vec![Event::Left { side: Color::Black }], Millis(BEGIN + 50));
    trial.fails(Error::Unsure, 200);
    trial.room.finish_read(Ok(left), Millis(BEGIN + 300), &mut trial.effects);
    assert_eq!(entries(&trial)[0].seq, 5, "decided anew");
}

#[test]
fn a_clock_that_started_with_a_commit_in_doubt_gets_its_time_back() {
    let mut trial = Trial::under_way();
    trial.play(Actor::White, "g1f3", 100, 100);
    let kept = entries(&trial);
    trial.fails(Error::Unsure, 900);
    trial.room.finish_read(Ok(kept), Millis(BEGIN + 1_000), &mut trial.effects);
    assert_eq!(trial.written(), credited(900));
}

#[test]
fn a_write_in_doubt_is_read_for_until_the_log_answers() {
    let mut trial = Trial::under_way();
    trial.play(Actor::White, "g1f3", 100, 100);
    let kept = entries(&trial);
    trial.fails(Error::Unsure, 200);
    trial.room.finish_read(Err(Error::Away), Millis(BEGIN + 300), &mut trial.effects);
    assert_eq!(results(&mut trial), [CommandResult::NotDone(CommandError::Failed(Error::Unsure))]);
    assert_eq!((trial.room.is_idle(), trial.room.wake_at()), (false, Millis::ZERO));
    trial.tick(400);
    assert!(matches!(trial.effects.list(), [Effect::Read { after: 3 }]));
    trial.room.finish_read(Err(Error::Away), Millis(BEGIN + 450), &mut trial.effects);
    trial.tick(500);
    trial.room.finish_read(Ok(kept), Millis(BEGIN + 550), &mut trial.effects);
    assert!(
        trial.effects.take_notices().iter().any(|notice| matches!(notice, Notice::Share(_))),
        "everybody sees it"
    );
    assert_eq!((trial.room.state().seq(), trial.written()), (4, None));
    assert!(trial.room.is_idle());
    // The beginning of a game that was not kept.
    let game = "room00000001".parse().expect("an id");
    let room = Room::new(game, Visibility::Public, State::default(), Millis(BEGIN));
    let mut trial = Trial { room, effects: Effects::default() };
    trial.ask(Actor::System, Command::Start(Start::between("Mina", "Jun")), 0, 0);
    trial.fails(Error::Unsure, 10);
    trial.room.finish_read(Err(Error::NoSuchGame), Millis(BEGIN + 20), &mut trial.effects);
    assert!(matches!(trial.written().as_deref(), Some([Event::Started(_)])));
}

#[test]
fn a_move_after_the_deadline_is_refused_and_the_flag_is_the_servers() {
    let mut trial = Trial::under_way();
    let late = 3_000 + 1_000;
    trial.play(Actor::White, "g1f3", late, late + 100);
    // What is written is the flag, under no client's key.
    assert!(is_timeout(trial.written().as_deref()));
    let Some(Effect::Write(append)) = std::mem::take(&mut trial.effects).into_iter().next() else {
        panic!("nothing is written")
    };
    assert_eq!(append.command_key, None);
    trial.kept(late + 200);
    let refused = CommandResult::NotDone(CommandError::Refused(Refusal::GameOver));
    assert_eq!((results(&mut trial), trial.written()), (vec![refused], None));
    assert!(trial.room.is_idle());
}

#[test]
fn time_in_which_the_log_refused_moves_is_given_back_before_any_flag() {
    let mut trial = Trial::under_way();
    // The disk is full: White's move is refused, and the clock would run out meanwhile.
    trial.play(Actor::White, "g1f3", 1_000, 1_000);
    trial.fails(Error::Full, 1_010);
    trial.tick(6_000);
    assert_eq!(trial.written(), credited(5_000));
    trial.fails(Error::Full, 6_010);
    // Room again. The player tries once more, long after the clock would have been at zero.
    trial.play(Actor::White, "g1f3", 9_000, 9_000);
    assert_eq!(trial.written(), credited(8_000));
    trial.kept(9_001);
    assert!(matches!(trial.written().as_deref(), Some([Event::Moved { .. }])));
    trial.kept(9_002);
    // In Black's turn nothing is credited.
    trial.tick(9_100);
    assert_eq!(trial.written(), None);
    assert!(trial.room.is_idle());
}

#[test]
fn a_flag_that_the_log_refuses_does_not_fall_when_it_is_back() {
    let mut trial = Trial::under_way();
    // The server itself has noticed that the log refuses writes.
    trial.room.note_log_refusal(Millis(BEGIN + 1_000));
    trial.tick(20_000);
    assert_eq!(trial.written(), credited(19_000));
    trial.kept(20_001);
    trial.tick(20_100);
    assert_eq!(trial.written(), None, "two seconds are left");
    trial.tick(22_600);
    assert!(is_timeout(trial.written().as_deref()));
}

#[test]
fn two_nodes_give_the_same_time_back_once() {
    let mut trial = Trial::under_way();
    trial.room.note_log_refusal(Millis(BEGIN + 1_000));
    // The other node was faster with nearly the same credit.
    let entries = stamp(
        trial.room.state(),
        vec![Event::Credited { time: Millis(8_900) }],
        Millis(BEGIN + 10_000),
    );
    trial.room.receive_entries(&entries, Millis(BEGIN + 10_000), &mut trial.effects);
    trial.tick(10_100);
    assert_eq!(trial.written(), None);
    trial.tick(10_600);
    assert_eq!(trial.written(), credited(600));
}
