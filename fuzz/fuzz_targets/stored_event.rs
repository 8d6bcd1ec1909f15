//! Any bytes as the events of a stored game, one a line: they are refused, or give a game whose
//! methods do not panic; written again, each entry is the same.
#![no_main]

use hansu_play::{Entry, Millis, State, apply};
use hansu_records::Visibility;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut state = State::default();
    let mut applied: Vec<Entry> = Vec::new();
    for line in text.lines() {
        let Ok(entry) = serde_json::from_str::<Entry>(line) else { continue };
        let written = serde_json::to_string(&entry).expect("an entry can be written");
        let again: Entry = serde_json::from_str(&written).expect("its own text");
        assert_eq!(again, entry);
        assert_eq!(serde_json::to_string(&again).expect("an entry can be written"), written);
        let before = state.clone();
        if apply(&mut state, &entry).is_err() {
            assert_eq!(state, before, "a misfit changes nothing");
            continue;
        }
        applied.push(entry);
        let _ = hansu_journal::summary(&state, Visibility::Private);
        for now in [Millis::ZERO, state.since(), state.at(), Millis(u64::MAX)] {
            let _ = state.clocks_at(now);
        }
        let deadline = state.deadline().map(|(_, at)| at);
        assert_eq!(state.ticking().map(|ticking| ticking.until), deadline);
    }
    assert_eq!(State::replay(&applied).as_ref(), Ok(&state));
    let event = applied.last().map(hansu_journal::to_event);
    assert!(event.is_none_or(|event| event.is_ok()));
});
