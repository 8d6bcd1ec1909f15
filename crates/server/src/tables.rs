//! The tables of this node: live games, by name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hansu_play::Millis;
use hansu_records::GameId;
use tokio::sync::OnceCell;

use crate::table::Table;

/// The place of a table. Those who come while it is being set wait for it here.
pub(crate) type Slot = Arc<OnceCell<Arc<Table>>>;

/// The tables of this node.
#[derive(Default)]
pub(crate) struct Tables {
    slots: Mutex<HashMap<GameId, Slot>>,
}

impl Tables {
    fn slots(&self) -> MutexGuard<'_, HashMap<GameId, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place of a game's table, whether it is set or not.
    pub(crate) fn slot(&self, id: GameId) -> Slot {
        self.slots().entry(id).or_default().clone()
    }

    /// All tables that are set.
    pub(crate) fn all(&self) -> Vec<Arc<Table>> {
        self.slots().values().filter_map(|slot| slot.get().cloned()).collect()
    }

    /// How many places there are.
    pub(crate) fn len(&self) -> usize {
        self.slots().len()
    }

    /// A table that is set already.
    pub(crate) fn known(&self, id: GameId) -> Option<Arc<Table>> {
        self.slots().get(&id).and_then(|slot| slot.get().cloned())
    }

    /// The tables at which something is to be done now.
    pub(crate) fn due(&self, now: Millis) -> Vec<Arc<Table>> {
        let due = |slot: &Slot| slot.get().filter(|table| table.is_due(now)).cloned();
        self.slots().values().filter_map(due).collect()
    }

    /// Puts a table away.
    pub(crate) fn clear(&self, id: GameId) {
        self.slots().remove(&id);
    }

    /// Puts a place away at which no table could be set: names that do not exist must not pile up.
    pub(crate) fn clear_unset(&self, id: GameId) {
        let mut slots = self.slots();
        if slots.get(&id).is_some_and(|slot| slot.get().is_none()) {
            slots.remove(&id);
        }
    }

    /// Puts a table away that did not come to a game.
    pub(crate) fn forget(&self, table: &Table) {
        // One that another node has begun meanwhile is set anew, with those who sit there.
        if !table.is_waiting() && (table.seq() == 0 || table.is_unseated()) {
            self.clear(table.id());
        }
    }

    /// Puts tables away that were not used since a moment; the log still has their games.
    pub(crate) fn tidy(&self, since: Millis) {
        self.slots().retain(|_, slot| {
            // A task that is about to use it holds the slot or the table.
            let free = Arc::strong_count(slot) == 1;
            let unused = slot
                .get()
                .is_some_and(|table| Arc::strong_count(table) == 1 && table.is_forgettable(since));
            !(free && unused)
        });
    }
}
