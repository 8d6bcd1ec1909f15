//! Misfortunes that the simulation has found, each on its own.

use hansu_play::{Moment, State, apply, decide, stamp};
use hansu_records::{Append, Once, Row, Visibility};

use std::sync::mpsc;

use super::*;

type Inbox = mpsc::Receiver<Text>;

const MINA: Holder = Holder([1; 32]);
const JUN: Holder = Holder([2; 32]);
const NOW: Millis = Millis(1_000_000);

fn table() -> LiveGame {
    let mut state = State::default();
    let start = Command::Start(Start::between("Mina", "Jun"));
    let events = decide(&state, Actor::System, &start, NOW).expect("a start");
    for entry in stamp(&state, events, NOW) {
        apply(&mut state, &entry).expect("what was decided fits");
    }
    let id = "table0000000".parse().expect("an id");
    let room = Room::new(id, Visibility::Public, state, NOW);
    let seats =
        vec![Seat { side: Side::White, holder: MINA }, Seat { side: Side::Black, holder: JUN }];
    LiveGame::new(id, room, None, seats, VecDeque::new(), NOW)
}

fn join(table: &LiveGame, id: u64, actor: Actor) -> Inbox {
    let (sender, inbox) = mpsc::sync_channel::<Text>(MOST_UNSENT);
    let outbox: Outbox = Arc::new(move |text| sender.try_send(text.clone()).is_ok());
    let _ = table.join(Hello { id, actor, seq: 0, outbox }, NOW);
    inbox
}

fn heard(inbox: &mut Inbox) -> Vec<ServerMessage> {
    let mut heard = Vec::new();
    while let Ok(text) = inbox.try_recv() {
        heard.push(serde_json::from_str(&text).expect("a message"));
    }
    heard
}

fn asks(table: &LiveGame, actor: Actor, command: Command) -> Effects {
    let asked = Asked {
        by: Some(Asker { id: 9, lang: Lang::En, since: 0 }),
        actor,
        command,
        moment: Moment::at(NOW),
        key: Some(CommandKey::new(actor, "", "a")),
        begins: None,
    };
    table.ask(asked, NOW)
}

/// Asks, and says what was written.
fn does(table: &LiveGame, actor: Actor, command: Command) -> Append {
    let mut effects = asks(table, actor, command).into_iter();
    let Some(Effect::Write(append)) = effects.next() else { panic!("no write") };
    assert!(effects.next().is_none());
    let seq = append.expected + append.events.len() as u64 - 1;
    let _ = table.wrote(Ok(Appended { seq, once: Once::First }), NOW);
    *append
}

#[test]
fn who_comes_while_a_game_is_adjourned_is_told_where_to_go_when_it_goes_on() {
    let table = table();
    let what = Offer::Adjournment;
    does(&table, Actor::White, Command::Offer { what, next: None });
    does(&table, Actor::Black, Command::Accept { what, next: None });
    let mut white = join(&table, 1, Actor::White);
    let is_turn = |message: &ServerMessage| matches!(message, ServerMessage::Turn { .. });
    assert!(!heard(&mut white).iter().any(is_turn));
    does(&table, Actor::Black, Command::Offer { what: Offer::Resumption, next: None });
    does(&table, Actor::White, Command::Offer { what: Offer::Resumption, next: None });
    assert_eq!(table.look(|room| room.state().phase()), hansu_play::Phase::Playing);
    assert!(heard(&mut white).iter().any(is_turn));
}

#[test]
fn rematch_offers_that_cross_are_an_agreement() {
    let table = table();
    does(&table, Actor::White, Command::Resign);
    let fresh: GameId = "table0000001".parse().expect("an id");
    let wish = wire::Wish::Offer { what: Offer::Rematch };
    // Both are on their way before either is in the log.
    let next = || Some(fresh.to_string());
    let white = view::command(wish.clone(), Actor::White, next).expect("a command");
    let black = view::command(wish, Actor::Black, next).expect("a command");
    assert_eq!(does(&table, Actor::White, white).next, None);
    // The next game begins with the agreement, and colours change over.
    let agreed = does(&table, Actor::Black, black);
    assert_eq!(agreed.begins, None);
    let next = agreed.next.expect("the next game");
    assert_eq!((next.game, next.expected, next.client), (fresh, 1, None));
    let swapped =
        [Seat { side: Side::Black, holder: MINA }, Seat { side: Side::White, holder: JUN }];
    assert_eq!(next.begins.expect("who sits down").seats, swapped);
    let Row::Whole(row) = next.row else { panic!("a new game has a whole row") };
    assert_eq!((&*row.white, &*row.black), ("Jun", "Mina"));
    assert_eq!(
        table.look(|room| room.state().next_game().map(str::to_owned)),
        Some(fresh.to_string())
    );
}

#[test]
fn who_was_told_of_somebody_who_has_gone_since_is_told_again() {
    let table = table();
    let first = join(&table, 1, Actor::Spectator);
    let _ = table.tick(NOW);
    // Comes back before the old connection is known to be gone.
    let mut second = join(&table, 2, Actor::Spectator);
    drop(first);
    table.part(1, Actor::Spectator, NOW);
    let _ = table.tick(NOW.plus(CROWD));
    let last = heard(&mut second).pop();
    assert_eq!(last, Some(ServerMessage::Presence { white: false, black: false, spectators: 1 }));
}

fn moves(table: &LiveGame, uci: &str) {
    let actor = Actor::seat(table.look(|room| room.state().turn()));
    does(table, actor, Command::Move { uci: uci.parse().expect("a move") });
}

#[test]
fn how_many_watch_is_said_along_with_something_else_or_after_a_while() {
    let table = table();
    let mut white = join(&table, 1, Actor::White);
    let mut crowd = Vec::new();
    let told = |white: &mut Inbox| {
        let presence = heard(white).into_iter().filter_map(|message| match message {
            ServerMessage::Presence { white, black, spectators } => {
                Some((white, black, spectators))
            }
            _ => None,
        });
        presence.collect::<Vec<_>>()
    };
    let _ = table.tick(NOW);
    told(&mut white);
    for id in 2..5 {
        crowd.push(join(&table, id, Actor::Spectator));
        let _ = table.tick(NOW);
    }
    assert_eq!(told(&mut white), []);
    assert!(!table.is_due(NOW));
    // With a move, once.
    moves(&table, "e2e4");
    assert_eq!(told(&mut white), [(true, false, 3)]);
    // For itself, after a while.
    crowd.push(join(&table, 5, Actor::Spectator));
    let later = NOW.plus(CROWD);
    assert!(table.is_due(later));
    let _ = table.tick(later);
    assert_eq!(told(&mut white), [(true, false, 4)]);
    // A player is waited for.
    crowd.push(join(&table, 6, Actor::Black));
    assert!(table.is_due(later));
    let _ = table.tick(later);
    assert_eq!(told(&mut white), [(true, true, 4)]);
}

#[test]
fn newcomers_are_told_the_game_as_it_is_whatever_others_were_told_before() {
    let table = table();
    let told = |id| {
        let inbox = join(&table, id, Actor::Spectator);
        let whole = table.snapshot();
        let (plies, message) = (whole.plies.len(), ServerMessage::Snapshot(Box::new(whole)));
        // To the letter: the moves are kept as text, the rest is not.
        assert!(inbox.try_iter().any(|told| told == text(&message)), "{message:?}");
        plies
    };
    assert_eq!(told(1), 0);
    // Nobody's words are taken for moves.
    let words = r#"{"plies":[]},"plies":[]"#.to_owned();
    does(&table, Actor::White, Command::Chat { text: words, name: None });
    moves(&table, "e2e4");
    assert_eq!(told(2), 1);
    moves(&table, "e7e5");
    moves(&table, "g1f3");
    assert_eq!(told(3), 3);
    assert_eq!(told(4), 3);
    let what = Offer::Takeback;
    does(&table, Actor::White, Command::Offer { what, next: None });
    does(&table, Actor::Black, Command::Accept { what, next: None });
    moves(&table, "b1c3");
    assert_eq!(told(5), 3);
    // What was written for others is let go of when nobody has come for a while.
    for number in 0..RECENT + 2 {
        assert_eq!(table.inner().plies.is_kept(), number <= RECENT, "{number}");
        moves(&table, ["g8f6", "g1f3", "f6g8", "f3g1"][number % 4]);
    }
    assert_eq!(told(6), 3 + RECENT + 2);
}

#[test]
fn a_look_up_that_fails_is_no_refusal() {
    let table = table();
    let mut white = join(&table, 9, Actor::White);
    // What a resend of a move that was done meets.
    let effects = asks(&table, Actor::White, Command::Decline { what: Offer::Draw });
    let [Effect::LookUp { to, key, refused }] = effects.list() else { panic!("{effects:?}") };
    heard(&mut white);
    let _ = table.looked_up(*to, key, Err(Error::Busy), refused.clone());
    let told = heard(&mut white);
    let [ServerMessage::Refused { id, refusal, .. }] = &told[..] else { panic!("{told:?}") };
    assert_eq!((id.as_str(), refusal.code.as_str()), ("a", "busy"));
}

#[test]
fn chat_that_newcomers_are_told_is_bounded_however_the_table_was_set() {
    let table = table();
    let (room, line) = {
        let state = table.look(|room| room.state().clone());
        let room = Room::new(table.id, Visibility::Public, state, NOW);
        let line = wire::Said {
            at: NOW,
            from: Actor::White,
            name: "Mina".to_owned(),
            text: "hm".to_owned(),
        };
        (room, line)
    };
    let said = std::iter::repeat_n(line, 3 * MOST_SAID).collect();
    let table = LiveGame::new(table.id, room, None, Vec::new(), said, NOW);
    assert_eq!(table.snapshot().chat.len(), MOST_SAID);
}
