//! Several processes at once.

use std::collections::{BTreeSet, HashMap};

use hansu_records::{Archive, Filter, GameId, Log, Source, SqliteStore};

use crate::child::{command, read_acknowledged, read_output};

pub(crate) fn share() {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("games.db");
    let start = |seed| command("share", &file, seed).spawn().expect("a child");
    let children: Vec<_> = (1..=3).map(start).collect();
    let mut acks: HashMap<GameId, BTreeSet<u64>> = HashMap::new();
    let mut total = 0;
    for mut child in children {
        let text = read_output(&mut child);
        assert!(child.wait().expect("an end").success(), "{text}");
        for (game, seq) in read_acknowledged(&text) {
            assert!(acks.entry(game).or_default().insert(seq), "{game} {seq} twice");
            total += 1;
        }
    }
    let store = SqliteStore::open(&file).expect("a log");
    for (game, seqs) in &acks {
        let events = store.events(*game, 0, usize::MAX).expect("a game");
        let kept: BTreeSet<u64> = events.iter().map(|event| event.seq).collect();
        assert_eq!(kept, *seqs, "{game}: what was acknowledged, no more and no less");
    }
    let shared: GameId = "SharedGame00".parse().expect("an id");
    assert_eq!(acks[&shared].len(), 3 * 40);
    let bodies = store.events(shared, 0, usize::MAX).expect("a game");
    let bodies: BTreeSet<_> = bodies.into_iter().map(|event| event.body).collect();
    assert_eq!(bodies.len(), 3 * 40, "nobody's event was lost");
    let imported = Filter { source: Some(Source::Import), ..Filter::default() };
    assert_eq!(store.count(&imported), Ok(3 * 40));
    store.check().expect("a sound log");
    println!("3 processes, {total} acknowledged events, no lock errors");
}

pub(crate) fn make() {
    for _ in 0..10 {
        let place = tempfile::tempdir().expect("a folder");
        let file = place.path().join("games.db");
        let start = |seed| command("open", &file, seed).spawn().expect("a child");
        let children: Vec<_> = (0..6).map(start).collect();
        for mut child in children {
            let text = read_output(&mut child);
            assert!(child.wait().expect("an end").success(), "{text}");
        }
        SqliteStore::open(&file).expect("a log").check().expect("a sound log");
    }
}
