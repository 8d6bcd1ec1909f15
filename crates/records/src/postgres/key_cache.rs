//! A writer's cache of the command keys of games.
//!
//! Every append is compared with all events of its game, because it may be a resend. Events never
//! change, so each is read only once: of a live game only one or two were written by another node.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::GameId;

/// Bounds that keep the memory small: 16 bytes an event.
const MOST_GAMES: usize = 16_384;
const MOST_EVENTS: usize = 2_000_000;

/// The command keys that a writer remembers.
pub(crate) struct KeyCache {
    games: HashMap<GameId, CachedGame>,
    /// The number of command keys in all games.
    events: usize,
    /// Random, so that a client cannot construct two keys with the same hash.
    seed: u64,
}

#[derive(Default)]
struct CachedGame {
    /// The row number: another game may get the id of a deleted one, but never its row number.
    n: i64,
    /// All events up to this one are in the cache.
    last_seq: u64,
    command_keys: Vec<(u64, u64)>,
}

impl Default for KeyCache {
    fn default() -> KeyCache {
        KeyCache { games: HashMap::new(), events: 0, seed: RandomState::new().hash_one(0) }
    }
}

impl KeyCache {
    /// Clears the cache: after a rollback, or at another server, its events may not be in the log.
    pub(crate) fn forget(&mut self) {
        self.games.clear();
        self.events = 0;
    }

    /// Clears a full cache before a batch of this many games. Never during a batch, which relies on
    /// the cache.
    pub(crate) fn make_room(&mut self, games: usize) {
        if self.games.len() + games > MOST_GAMES || self.events > MOST_EVENTS {
            self.forget();
        }
    }

    /// The last event of a game that is in the cache.
    pub(crate) fn last_seq(&self, game: GameId) -> u64 {
        self.games.get(&game).map_or(0, |known| known.last_seq)
    }

    /// True unless the cache has another game with this id.
    pub(crate) fn is_same_game(&self, game: GameId, n: i64) -> bool {
        self.games.get(&game).is_none_or(|known| known.n == n)
    }

    /// All events up to this one are in the cache now.
    pub(crate) fn set_last_seq(&mut self, game: GameId, n: i64, seq: u64) {
        let known = self.games.entry(game).or_default();
        known.n = n;
        known.last_seq = seq;
    }

    /// Adds the command key of an event.
    pub(crate) fn add_key(&mut self, game: GameId, seq: u64, command_key: &str) {
        let command_key = self.hash(command_key);
        if let Some(known) = self.games.get_mut(&game) {
            known.command_keys.push((seq, command_key));
            self.events += 1;
        }
    }

    /// The latest event with this command key.
    pub(crate) fn find(&self, game: GameId, command_key: &str) -> Option<u64> {
        let command_key = self.hash(command_key);
        let command_keys = &self.games.get(&game)?.command_keys;
        command_keys.iter().rev().find(|(_, own)| *own == command_key).map(|(seq, _)| *seq)
    }

    fn hash(&self, command_key: &str) -> u64 {
        xxh3_64_with_seed(command_key.as_bytes(), self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_knows_the_events_that_it_has_learned_and_no_others() {
        let (game, other) = (GameId::random().unwrap(), GameId::random().unwrap());
        let mut key_cache = KeyCache::default();
        assert_eq!((key_cache.last_seq(game), key_cache.find(game, "one")), (0, None));
        assert!(key_cache.is_same_game(game, 7));
        key_cache.set_last_seq(game, 7, 3);
        assert!(key_cache.is_same_game(game, 7) && !key_cache.is_same_game(game, 8));
        key_cache.add_key(game, 2, "one");
        key_cache.add_key(game, 3, "two");
        assert_eq!((key_cache.find(game, "one"), key_cache.find(game, "two")), (Some(2), Some(3)));
        assert_eq!((key_cache.find(game, "three"), key_cache.find(other, "one")), (None, None));
        key_cache.set_last_seq(game, 7, 1_000);
        assert_eq!((key_cache.find(game, "one"), key_cache.find(game, "two")), (Some(2), Some(3)));
        assert_eq!((key_cache.last_seq(game), key_cache.last_seq(other)), (1_000, 0));
        key_cache.forget();
        assert_eq!((key_cache.last_seq(game), key_cache.find(game, "two")), (0, None));
    }

    #[test]
    fn its_memory_is_bounded() {
        let mut key_cache = KeyCache::default();
        for number in 0..3 * MOST_GAMES {
            let game = GameId::random().unwrap();
            key_cache.make_room(1);
            key_cache.set_last_seq(game, 7, 1);
            key_cache.add_key(game, 1, "one");
            assert_eq!(key_cache.find(game, "one"), Some(1), "{number}");
            assert!(key_cache.games.len() <= MOST_GAMES);
        }
        let game = GameId::random().unwrap();
        for seq in 1..2 * MOST_EVENTS as u64 {
            key_cache.make_room(1);
            key_cache.set_last_seq(game, 7, seq);
            key_cache.add_key(game, seq, "more");
            assert!(key_cache.events <= MOST_EVENTS + 1);
        }
        assert!(key_cache.games[&game].command_keys.len() <= MOST_EVENTS + 1);
    }
}
