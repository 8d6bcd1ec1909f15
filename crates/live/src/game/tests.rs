//! Failures that the simulation has found, each as a test of its own.

use hansu_play::{Moment, State, apply, decide, stamp};
use hansu_records::{Append, Once, Row, Visibility};

use std::sync::mpsc;

use super::*;

type Inbox = mpsc::Receiver<Text>;

const MINA: Holder = Holder([1; 32]);
const JUN: Holder = Holder([2; 32]);
const NOW: Millis = Millis(1_000_000);

fn game() -> LiveGame {
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

fn join(game: &LiveGame, id: u64, actor: Actor) -> Inbox {
    let (sender, inbox) = mpsc::sync_channel::<Text>(MOST_UNSENT);
    let outbox: Outbox = Arc::new(move |text| sender.try_send(text.clone()).is_ok());
    let _ = game.join(Hello { id, actor, seq: 0, outbox }, NOW);
    inbox
}

fn heard(inbox: &mut Inbox) -> Vec<ServerMessage> {
    let mut heard = Vec::new();
    while let Ok(text) = inbox.try_recv() {
        heard.push(serde_json::from_str(&text).expect("a message"));
    }
    heard
}

fn asks(game: &LiveGame, actor: Actor, command: Command) -> Effects {
    let asked = CommandRequest {
        by: Some(Asker { id: 9, lang: Lang::En, since: 0 }),
        actor,
        command,
        moment: Moment::at(NOW),
        key: Some(CommandKey::new(actor, "", "a")),
        begins: None,
    };
    game.ask(asked, NOW)
}

/// Gives a command, and returns the append that it led to, as if the log had kept it.
fn does(game: &LiveGame, actor: Actor, command: Command) -> Append {
    let mut effects = asks(game, actor, command).into_iter();
    let Some(Effect::Write(append)) = effects.next() else { panic!("no write") };
    assert!(effects.next().is_none());
    let seq = append.expected + append.events.len() as u64 - 1;
    let _ = game.finish_write(Ok(Appended { seq, once: Once::First }), NOW);
    *append
}

#[test]
fn a_client_that_joins_during_an_adjournment_gets_its_moves_when_the_game_goes_on() {
    let game = game();
    let what = Offer::Adjournment;
    does(&game, Actor::White, Command::Offer { what, next: None });
    does(&game, Actor::Black, Command::Accept { what, next: None });
    let mut white = join(&game, 1, Actor::White);
    let is_turn = |message: &ServerMessage| matches!(message, ServerMessage::Turn { .. });
    assert!(!heard(&mut white).iter().any(is_turn));
    does(&game, Actor::Black, Command::Offer { what: Offer::Resumption, next: None });
    does(&game, Actor::White, Command::Offer { what: Offer::Resumption, next: None });
    assert_eq!(game.look(|room| room.state().phase()), hansu_play::Phase::Playing);
    assert!(heard(&mut white).iter().any(is_turn));
}

#[test]
fn rematch_offers_that_cross_are_an_agreement() {
    let game = game();
    does(&game, Actor::White, Command::Resign);
    let fresh: GameId = "table0000001".parse().expect("an id");
    let wish = wire::Wish::Offer { what: Offer::Rematch };
    // Both are sent before either is in the log.
    let next = || Some(fresh.to_string());
    let white = view::command(wish.clone(), Actor::White, next).expect("a command");
    let black = view::command(wish, Actor::Black, next).expect("a command");
    assert_eq!(does(&game, Actor::White, white).next, None);
    // The next game begins with the agreement, and the colours are swapped.
    let agreed = does(&game, Actor::Black, black);
    assert_eq!(agreed.begins, None);
    let next = agreed.next.expect("the next game");
    assert_eq!((next.game, next.expected, next.command_key), (fresh, 1, None));
    let swapped =
        [Seat { side: Side::Black, holder: MINA }, Seat { side: Side::White, holder: JUN }];
    assert_eq!(next.begins.expect("who sits down").seats, swapped);
    let Row::Whole(row) = next.row else { panic!("a new game has a whole row") };
    assert_eq!((&*row.white, &*row.black), ("Jun", "Mina"));
    assert_eq!(
        game.look(|room| room.state().next_game().map(str::to_owned)),
        Some(fresh.to_string())
    );
}

#[test]
fn a_client_that_joined_before_a_spectator_left_gets_the_new_presence() {
    let game = game();
    let first = join(&game, 1, Actor::Spectator);
    let _ = game.tick(NOW);
    // The client reconnects before its old connection is known to be gone.
    let mut second = join(&game, 2, Actor::Spectator);
    drop(first);
    game.leave(1, Actor::Spectator, NOW);
    let _ = game.tick(NOW.plus(PRESENCE_DELAY));
    let last = heard(&mut second).pop();
    assert_eq!(last, Some(ServerMessage::Presence { white: false, black: false, spectators: 1 }));
}

fn moves(game: &LiveGame, uci: &str) {
    let actor = Actor::seat(game.look(|room| room.state().turn()));
    does(game, actor, Command::Move { uci: uci.parse().expect("a move") });
}

#[test]
fn the_number_of_spectators_is_sent_along_with_an_event_or_after_a_while() {
    let game = game();
    let mut white = join(&game, 1, Actor::White);
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
    let _ = game.tick(NOW);
    told(&mut white);
    for id in 2..5 {
        crowd.push(join(&game, id, Actor::Spectator));
        let _ = game.tick(NOW);
    }
    assert_eq!(told(&mut white), []);
    assert!(!game.is_due(NOW));
    // With a move, once.
    moves(&game, "e2e4");
    assert_eq!(told(&mut white), [(true, false, 3)]);
    // By itself, after a while.
    crowd.push(join(&game, 5, Actor::Spectator));
    let later = NOW.plus(PRESENCE_DELAY);
    assert!(game.is_due(later));
    let _ = game.tick(later);
    assert_eq!(told(&mut white), [(true, false, 4)]);
    // The connection of a player is sent at once.
    crowd.push(join(&game, 6, Actor::Black));
    assert!(game.is_due(later));
    let _ = game.tick(later);
    assert_eq!(told(&mut white), [(true, true, 4)]);
}

#[test]
fn a_new_connection_gets_the_present_game_whatever_was_cached_before() {
    let game = game();
    let told = |id| {
        let inbox = join(&game, id, Actor::Spectator);
        let whole = game.snapshot();
        let (plies, message) = (whole.plies.len(), ServerMessage::Snapshot(Box::new(whole)));
        // The same text: the moves are cached as JSON, the rest is not.
        assert!(inbox.try_iter().any(|told| told == text(&message)), "{message:?}");
        plies
    };
    assert_eq!(told(1), 0);
    // Chat that looks like JSON is not taken for moves.
    let words = r#"{"plies":[]},"plies":[]"#.to_owned();
    does(&game, Actor::White, Command::Chat { text: words, name: None });
    moves(&game, "e2e4");
    assert_eq!(told(2), 1);
    moves(&game, "e7e5");
    moves(&game, "g1f3");
    assert_eq!(told(3), 3);
    assert_eq!(told(4), 3);
    let what = Offer::Takeback;
    does(&game, Actor::White, Command::Offer { what, next: None });
    does(&game, Actor::Black, Command::Accept { what, next: None });
    moves(&game, "b1c3");
    assert_eq!(told(5), 3);
    // The cache is cleared when no client has joined for a while.
    for number in 0..RECENT + 2 {
        assert_eq!(game.inner().plies.is_kept(), number <= RECENT, "{number}");
        moves(&game, ["g8f6", "g1f3", "f6g8", "f3g1"][number % 4]);
    }
    assert_eq!(told(6), 3 + RECENT + 2);
}

#[test]
fn after_a_failed_look_up_the_refusal_is_not_sent() {
    let game = game();
    let mut white = join(&game, 9, Actor::White);
    // A refused command that may be a resend of one that was done.
    let effects = asks(&game, Actor::White, Command::Decline { what: Offer::Draw });
    let [Effect::LookUp { to, key, refused }] = effects.list() else { panic!("{effects:?}") };
    heard(&mut white);
    let _ = game.finish_look_up(*to, key, Err(Error::Busy), refused.clone());
    let told = heard(&mut white);
    let [ServerMessage::Refused { id, refusal, .. }] = &told[..] else { panic!("{told:?}") };
    assert_eq!((id.as_str(), refusal.code.as_str()), ("a", "busy"));
}

#[test]
fn chat_in_a_snapshot_is_bounded_however_the_game_was_loaded() {
    let game = game();
    let (room, line) = {
        let state = game.look(|room| room.state().clone());
        let room = Room::new(game.id, Visibility::Public, state, NOW);
        let line = wire::ChatMessage {
            at: NOW,
            from: Actor::White,
            name: "Mina".to_owned(),
            text: "hm".to_owned(),
        };
        (room, line)
    };
    let said = std::iter::repeat_n(line, 3 * MOST_CHAT).collect();
    let game = LiveGame::new(game.id, room, None, Vec::new(), said, NOW);
    assert_eq!(game.snapshot().chat.len(), MOST_CHAT);
}
