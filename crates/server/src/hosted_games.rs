//! The live games of this node, by id.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hansu_play::Millis;
use hansu_records::GameId;
use tokio::sync::OnceCell;

use crate::hosted_game::HostedGame;

/// The slot of a live game. Concurrent requests wait here until it is loaded.
pub(crate) type Slot = Arc<OnceCell<Arc<HostedGame>>>;

/// The live games of this node.
#[derive(Default)]
pub(crate) struct HostedGames {
    slots: Mutex<HashMap<GameId, Slot>>,
}

impl HostedGames {
    fn slots(&self) -> MutexGuard<'_, HashMap<GameId, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The slot of a game, loaded or not.
    pub(crate) fn slot(&self, id: GameId) -> Slot {
        self.slots().entry(id).or_default().clone()
    }

    /// All games that are loaded.
    pub(crate) fn all(&self) -> Vec<Arc<HostedGame>> {
        self.slots().values().filter_map(|slot| slot.get().cloned()).collect()
    }

    /// The number of slots.
    pub(crate) fn len(&self) -> usize {
        self.slots().len()
    }

    /// A game, if it is loaded.
    pub(crate) fn get(&self, id: GameId) -> Option<Arc<HostedGame>> {
        self.slots().get(&id).and_then(|slot| slot.get().cloned())
    }

    /// The games with something to be done at `now`: see [`hansu_live::LiveGame::is_due`].
    pub(crate) fn due(&self, now: Millis) -> Vec<Arc<HostedGame>> {
        let due = |slot: &Slot| slot.get().filter(|game| game.is_due(now)).cloned();
        self.slots().values().filter_map(due).collect()
    }

    /// Removes a game from memory; the log still has it.
    pub(crate) fn remove(&self, id: GameId) {
        self.slots().remove(&id);
    }

    /// Removes a slot whose game could not be loaded: ids that do not exist must not pile up.
    pub(crate) fn remove_unloaded(&self, id: GameId) {
        let mut slots = self.slots();
        if slots.get(&id).is_some_and(|slot| slot.get().is_none()) {
            slots.remove(&id);
        }
    }

    /// Removes a game that could not be begun.
    pub(crate) fn remove_unbegun(&self, game: &HostedGame) {
        // A game without seats that another node has begun meanwhile is loaded again, with its
        // seats.
        if !game.is_waiting() && (game.seq() == 0 || game.is_unseated()) {
            self.remove(game.id());
        }
    }

    /// Removes games that have not been used since a moment; the log still has them.
    pub(crate) fn tidy(&self, since: Millis) {
        self.slots().retain(|_, slot| {
            // A task that is about to use the game holds its slot or the game.
            let free = Arc::strong_count(slot) == 1;
            let unused = slot
                .get()
                .is_some_and(|game| Arc::strong_count(game) == 1 && game.is_forgettable(since));
            !(free && unused)
        });
    }
}
