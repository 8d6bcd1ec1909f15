//! Stored events of every version can always be read. The files are never changed; new ones are
//! added.

use std::collections::BTreeSet;

use hansu_play::{Entry, State, VERSION};
use serde_json::Value;

/// The logs of whole games, by name.
pub(crate) const FILES: [(&str, &str); 6] = [
    ("v1-clock", include_str!("../golden/v1-clock.json")),
    ("v1-everything", include_str!("../golden/v1-everything.json")),
    ("v1-correspondence", include_str!("../golden/v1-correspondence.json")),
    ("v1-foreign", include_str!("../golden/v1-foreign.json")),
    ("v1-gifts", include_str!("../golden/v1-gifts.json")),
    ("v1-odds", include_str!("../golden/v1-odds.json")),
];

fn entries(text: &str) -> Vec<Entry> {
    serde_json::from_str(text).expect("a stored log loads")
}

#[test]
fn stored_games_replay_to_what_they_were() {
    let expected = [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "0-1 checkmate"),
        ("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 2 3", "0-1 timeout"),
        ("4k3/8/8/8/8/8/8/5RK1 b - - 1 1", "- -"),
        ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "1/2-1/2 agreement"),
        ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "0-1 timeout"),
        ("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", "1-0 resignation"),
    ];
    for ((name, text), (fen, ending)) in FILES.into_iter().zip(expected) {
        let state = State::replay(&entries(text)).expect(name);
        let found = state
            .ending()
            .map_or("- -".to_owned(), |ending| format!("{ending} {}", ending.reason.code()));
        assert_eq!((&*state.game().position().fen(), &*found), (fen, ending), "{name}");
    }
}

#[test]
fn what_this_version_writes_is_what_it_stored() {
    for (name, text) in FILES {
        // Written by another program: with unknown fields and in another order.
        if name == "v1-foreign" {
            continue;
        }
        let stored: Value = serde_json::from_str(text).expect("a stored log is JSON");
        let written = serde_json::to_value(entries(text)).expect("a log can be written");
        assert_eq!(stored, written, "{name}");
        assert_eq!(stored[0]["v"], VERSION);
    }
}

#[test]
fn the_stored_games_hold_every_kind_of_event() {
    let kinds: BTreeSet<String> = FILES
        .iter()
        .flat_map(|(_, text)| serde_json::from_str::<Vec<Value>>(text).expect("JSON"))
        .filter_map(|entry| entry["type"].as_str().map(str::to_owned))
        .collect();
    let all = [
        "adjourned",
        "chatted",
        "credited",
        "declined",
        "ended",
        "left",
        "moved",
        "offered",
        "rematch_agreed",
        "resumed",
        "returned",
        "started",
        "taken_back",
        "time_given",
    ];
    assert_eq!(kinds, all.map(str::to_owned).into());
}

#[test]
fn other_versions_are_told_apart_from_damage() {
    let read = |text: &str| serde_json::from_str::<Entry>(text).unwrap_err().to_string();
    let newer = read(r#"{"type":"teleported","seq":1,"at":2,"v":2}"#);
    assert!(newer.contains("version 2") && newer.contains("newer program"), "{newer}");
    assert!(read(r#"{"v":0,"seq":1,"at":2,"type":"resumed"}"#).contains("versions from 1"));
    assert!(read(r#"{"v":1,"seq":1,"at":2,"type":"teleported"}"#).contains("teleported"));
    assert!(read(r#"{"seq":1,"at":2,"type":"resumed"}"#).contains("`v`"));
    assert!(read(r#"{"v":-1,"seq":1,"at":2,"type":"resumed"}"#).contains("-1"));
    assert!(read(r#"{"v":1,"seq":1,"at":2,"type":"left","side":"green"}"#).contains("green"));
    assert!(
        read(r#"{"v":1,"seq":1,"at":2,"type":"left","side":[1,2.5,null,true,{"a":-3}]}"#)
            .contains("white or black")
    );
}
