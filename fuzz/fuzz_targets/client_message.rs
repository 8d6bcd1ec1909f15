//! Any bytes as messages, one a line: malformed ones are refused, valid ones are sent to a game by
//! every kind of actor, and the laws hold.
#![no_main]

use hansu_play::{Actor, Bonus, Command, Millis, Stage, Start, State, TimeControl, decide};
use hansu_protocol::{ClientMessage, LONGEST_MESSAGE, LobbyMessage, NewGame};
use hansu_simulation::CheckedGame;
use libfuzzer_sys::fuzz_target;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// At most this many messages a game: more would only slow the fuzzer down.
const MOST: usize = 40;

/// Reads a message, and checks that it is the same after writing and reading it again.
fn read<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(text: &str) -> Option<T> {
    let message: T = serde_json::from_str(text).ok()?;
    let written = serde_json::to_string(&message).expect("a message can be written");
    let again: T = serde_json::from_str(&written).expect("its own text");
    assert_eq!(again, message);
    Some(message)
}

/// Begins a game as a message asks for it; it may be refused.
fn begin(time: TimeControl, names: [&str; 2], fen: Option<String>) {
    let start = Start { time, fen, ..Start::between(names[0], names[1]) };
    let state = State::default();
    if let Ok(events) = decide(&state, Actor::System, &Command::Start(start), Millis(1)) {
        let entries = hansu_play::stamp(&state, events, Millis(1));
        let state = State::replay(&entries).expect("what was decided fits");
        let _ = state.ticking();
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let stage = Stage { moves: None, time: Millis::seconds(9), bonus: Bonus::Delay(Millis(700)) };
    let mut game = None;
    for line in text.lines().take(MOST).filter(|line| line.len() <= LONGEST_MESSAGE) {
        match read::<LobbyMessage>(line) {
            Some(LobbyMessage::Seek { seek, .. }) => begin(seek.time, [&seek.name, "x"], None),
            Some(LobbyMessage::Take { name, .. }) => {
                begin(TimeControl::Unlimited, [&name; 2], None)
            }
            Some(LobbyMessage::Hello { .. } | LobbyMessage::Cancel { .. }) | None => {}
        }
        if let Some(new) = read::<NewGame>(line) {
            let other = new.other.unwrap_or_default();
            begin(new.time, [&new.name, &other], new.fen);
        }
        let Some(ClientMessage::Command { command: wish, .. }) = read(line) else { continue };
        let game = game.get_or_insert_with(|| {
            CheckedGame::new(TimeControl::Clock { stages: vec![stage] }).expect("a game")
        });
        for actor in [Actor::Spectator, Actor::Black, Actor::White, Actor::Both] {
            // The number of bytes is as good a time as any.
            let after = Millis(line.len() as u64 * 7);
            game.send(actor, wish.clone(), after).expect("the laws hold");
        }
        game.tick(Millis(50)).expect("the laws hold");
    }
});
