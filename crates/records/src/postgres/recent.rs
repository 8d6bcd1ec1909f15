//! The client ids of events of games, as far as a writer has seen them.
//!
//! Every append is compared with all events of its game, because it may be a resend. Events never
//! change, so those that were seen once need not be read again: of a game that is being played there
//! are one or two that another node wrote.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::GameId;

/// Bounds that keep the memory small: 16 bytes an event.
const MOST_GAMES: usize = 16_384;
const MOST_EVENTS: usize = 2_000_000;

/// What a writer remembers.
pub(crate) struct Recent {
    games: HashMap<GameId, Known>,
    /// Client ids in all of them.
    events: usize,
    /// Drawn at the start, so that nobody can make up two ids that look the same.
    seed: u64,
}

#[derive(Default)]
struct Known {
    /// The game's number: another game may get the name of one that was deleted, never its number.
    n: i64,
    /// Nothing up to this event is unknown.
    last_seq: u64,
    clients: Vec<(u64, u64)>,
}

impl Default for Recent {
    fn default() -> Recent {
        Recent { games: HashMap::new(), events: 0, seed: RandomState::new().hash_one(0) }
    }
}

impl Recent {
    /// After a rollback, or at another server, what was remembered may not be in the log.
    pub(crate) fn forget(&mut self) {
        self.games.clear();
        self.events = 0;
    }

    /// Before a batch of so many games; not in its midst, when it relies on what is remembered.
    pub(crate) fn make_room(&mut self, games: usize) {
        if self.games.len() + games > MOST_GAMES || self.events > MOST_EVENTS {
            self.forget();
        }
    }

    /// The last event of a game that need not be read again.
    pub(crate) fn last_seq(&self, game: GameId) -> u64 {
        self.games.get(&game).map_or(0, |known| known.last_seq)
    }

    /// Whether nothing is remembered of another game that had this name.
    pub(crate) fn is_true(&self, game: GameId, n: i64) -> bool {
        self.games.get(&game).is_none_or(|known| known.n == n)
    }

    /// All events up to this one are known now.
    pub(crate) fn reach(&mut self, game: GameId, n: i64, seq: u64) {
        let known = self.games.entry(game).or_default();
        known.n = n;
        known.last_seq = seq;
    }

    /// An event has this client id.
    pub(crate) fn learn(&mut self, game: GameId, seq: u64, client: &str) {
        let client = self.hash(client);
        if let Some(known) = self.games.get_mut(&game) {
            known.clients.push((seq, client));
            self.events += 1;
        }
    }

    /// The latest event with this client id.
    pub(crate) fn find(&self, game: GameId, client: &str) -> Option<u64> {
        let client = self.hash(client);
        let clients = &self.games.get(&game)?.clients;
        clients.iter().rev().find(|(_, own)| *own == client).map(|(seq, _)| *seq)
    }

    fn hash(&self, client: &str) -> u64 {
        xxh3_64_with_seed(client.as_bytes(), self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_knows_the_events_that_it_has_learned_and_no_others() {
        let (game, other) = (GameId::random().unwrap(), GameId::random().unwrap());
        let mut recent = Recent::default();
        assert_eq!((recent.last_seq(game), recent.find(game, "one")), (0, None));
        assert!(recent.is_true(game, 7));
        recent.reach(game, 7, 3);
        assert!(recent.is_true(game, 7) && !recent.is_true(game, 8));
        recent.learn(game, 2, "one");
        recent.learn(game, 3, "two");
        assert_eq!((recent.find(game, "one"), recent.find(game, "two")), (Some(2), Some(3)));
        assert_eq!((recent.find(game, "three"), recent.find(other, "one")), (None, None));
        recent.reach(game, 7, 1_000);
        assert_eq!((recent.find(game, "one"), recent.find(game, "two")), (Some(2), Some(3)));
        assert_eq!((recent.last_seq(game), recent.last_seq(other)), (1_000, 0));
        recent.forget();
        assert_eq!((recent.last_seq(game), recent.find(game, "two")), (0, None));
    }

    #[test]
    fn its_memory_is_bounded() {
        let mut recent = Recent::default();
        for number in 0..3 * MOST_GAMES {
            let game = GameId::random().unwrap();
            recent.make_room(1);
            recent.reach(game, 7, 1);
            recent.learn(game, 1, "one");
            assert_eq!(recent.find(game, "one"), Some(1), "{number}");
            assert!(recent.games.len() <= MOST_GAMES);
        }
        let game = GameId::random().unwrap();
        for seq in 1..2 * MOST_EVENTS as u64 {
            recent.make_room(1);
            recent.reach(game, 7, seq);
            recent.learn(game, seq, "more");
            assert!(recent.events <= MOST_EVENTS + 1);
        }
        assert!(recent.games[&game].clients.len() <= MOST_EVENTS + 1);
    }
}
