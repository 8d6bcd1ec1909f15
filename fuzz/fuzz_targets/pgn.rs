//! Any bytes as PGN: no panic, the same games however the bytes arrive, and what is written is
//! read again as the same game.
#![no_main]

use std::io::Read;

use hansu_chess::pgn::{Keep, Reader, Writer};
use libfuzzer_sys::fuzz_target;

/// A source that gives one byte at a time.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let most = into.len().min(1);
        self.0.read(&mut into[..most])
    }
}

fuzz_target!(|bytes: &[u8]| {
    let games: Vec<_> = Reader::new(bytes).collect();
    let again: Vec<_> = Reader::new(Drops(bytes)).collect();
    assert_eq!(games, again);

    let mut moves = Reader::new(bytes).keep(Keep::Moves);
    let mut replays = Reader::new(bytes);
    loop {
        let (kept, replayed) = (moves.next_game(), replays.next_replay());
        match (kept, replayed) {
            (Some(Ok(kept)), Some(Ok(replayed))) => {
                assert_eq!(kept.position(), replayed.position);
                assert_eq!(kept.main.plies.len() as u64, u64::from(replayed.plies));
                assert_eq!((kept.line, kept.result), (replayed.line, replayed.result));
            }
            (Some(Err(one)), Some(Err(other))) => assert_eq!(one, other),
            (None, None) => break,
            (kept, replayed) => panic!("{kept:?} but {replayed:?}"),
        }
    }

    // Lenient reading accepts more, and its games are written as standard PGN.
    let lenient: Vec<_> = Reader::new(bytes).lenient().collect();
    let dropped: Vec<_> = Reader::new(Drops(bytes)).lenient().collect();
    assert_eq!(lenient, dropped);
    for record in games.into_iter().chain(lenient).flatten() {
        let mut text = Vec::new();
        Writer::new(&mut text).write(&record).expect("memory takes it");
        let mut reader = Reader::new(&text[..]);
        let read = reader.next_game().expect("a game").expect("what was written can be read");
        assert!(reader.next_game().is_none());
        assert_eq!(
            (read.start, read.result, &read.tags),
            (record.start, record.result, &record.tags)
        );
        assert!(read.moves().eq(record.moves()));
        let mut twice = Vec::new();
        Writer::new(&mut twice).write(&read).expect("memory takes it");
        assert_eq!(String::from_utf8_lossy(&twice), String::from_utf8_lossy(&text));
    }
});
