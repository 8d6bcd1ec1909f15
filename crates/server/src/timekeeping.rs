//! What this node does by the clock: flags, absences, signs of life, and tidying up.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use hansu_journal::log_time;
use hansu_live::{FAR_GRACE, LiveGame, Room};
use hansu_play::Millis;
use hansu_records::Error;

use crate::bus::NodeNews;
use crate::hub::Hub;
use crate::table::Table;

/// How long a link can say that its invitation was withdrawn or has expired.
const REMEMBER: Millis = Millis::days(30);
/// A table without use for this long is put away; the log still has the game.
const FORGET_AFTER: Millis = Millis::seconds(30);
/// The signs of life of a node that was not alive for so long are forgotten.
const FORGET_NODES: Millis = Millis::days(1);
/// Overdue games that are looked for at once.
const OVERDUE: usize = 200;
/// Signs of life come every second. When none was kept for this long, no move could be kept.
const STANDSTILL: Duration = Duration::from_millis(2_500);
/// The name under which a node that is alone says that it is alive.
const ALONE: &str = "local";
/// What one sweep may give the log to write.
const MOST_SWEPT: usize = 256;
/// Tables whose turn it is are looked at in at most this number of steps, with a pause between them:
/// what a thousand tables have to say at the same moment would keep everybody else waiting.
const SWEEP_STEPS: usize = 40;
/// So many tables are no crowd.
const SWEPT_AT_ONCE: usize = 4;
const SWEEP_PAUSE: Duration = Duration::from_millis(1);

impl Hub {
    /// One look at all tables at which something is due: flags, absences, presence.
    pub(crate) async fn sweep(self: &Arc<Hub>) {
        let now = self.now();
        let mut writes = 0;
        let due: Vec<Arc<Table>> = self.tables.due(now);
        for tables in due.chunks((due.len() / SWEEP_STEPS).max(SWEPT_AT_ONCE)) {
            for table in tables {
                writes += self.at(table, LiveGame::tick);
                // Ten thousand players who leave at once must not fill the queue of those who play:
                // the rest has its turn with the next sweep.
                if writes >= MOST_SWEPT {
                    return;
                }
            }
            if due.len() > tables.len() {
                tokio::time::sleep(SWEEP_PAUSE).await;
            }
        }
    }

    /// Sets the tables of games without clients whose time is up; the sweep does the rest.
    pub(crate) async fn wake_overdue(self: &Arc<Hub>) {
        // What is overdue at a table of another node is that node's for a moment.
        let grace = if self.bus.is_shared() { FAR_GRACE } else { Millis::ZERO };
        let now = log_time(self.now().minus(grace));
        match self.store.ask(move |store| store.overdue(now, OVERDUE)).await {
            Ok(games) => {
                for (id, _) in games {
                    if self.tables.known(id).is_none()
                        && let Err(error) = self.table(id).await
                    {
                        tracing::warn!(game = %id, ?error, "an overdue game cannot be read");
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "overdue games cannot be read"),
        }
    }

    /// Says that this node is alive, durably: after a crash clocks are credited from here on.
    pub(crate) async fn beat(&self) -> Result<(), Error> {
        let shared = self.bus.is_shared();
        let node = if shared { self.nodes.own.to_string() } else { ALONE.to_owned() };
        let begun = (self.now(), Instant::now());
        let now = log_time(begun.0);
        let kept = self.store.ask(move |store| store.beat(&node, now)).await;
        if kept.is_ok() {
            // Games at which nothing was asked meanwhile have lost the time all the same.
            for table in self.tables.all() {
                self.notice_standstill(&table);
            }
            *self.alive.lock().unwrap_or_else(PoisonError::into_inner) = Some(begun);
            self.nodes.has_log();
        }
        kept
    }

    /// When the process or the log has stood still, the side to move gets the time back before
    /// anything else is decided in its game.
    pub(crate) fn notice_standstill(&self, table: &Table) {
        let alive = *self.alive.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((since, seen)) = alive
            && seen.elapsed() > STANDSTILL
        {
            table.refuses(since);
        }
    }

    /// Forgets invitations that could not be used any more for a while.
    pub(crate) async fn sweep_invitations(&self) {
        let now = self.now();
        let swept = self.store.ask(move |store| {
            store.sweep_beats(log_time(now.minus(FORGET_NODES)))?;
            store.sweep_invitations(log_time(now.minus(REMEMBER)))
        });
        if let Err(error) = swept.await {
            tracing::warn!(%error, "old invitations cannot be deleted");
        }
    }

    /// Waits until something can be said of every table, but not for ever.
    async fn settle(&self, settled: fn(&Room) -> bool, hundredths: u32) {
        for _ in 0..hundredths {
            if self.tables.all().iter().all(|table| table.look(settled)) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    /// Waits until the log has answered everything, and says that the server was alive until now.
    pub(crate) async fn drain(&self) {
        self.settle(Room::is_idle, 200).await;
        self.bus.tell_nodes(&NodeNews::Bye);
        if let Err(error) = self.beat().await {
            tracing::warn!(%error, "the log does not take the last sign of life");
        }
    }

    /// Sets every table whose clock was running when the server went away, so that its clocks are
    /// credited before the sweep looks at them.
    pub(crate) async fn credit_all(self: &Arc<Hub>) {
        if self.outage.is_none() {
            return;
        }
        match self.store.ask(|store| store.overdue(i64::MAX, usize::MAX >> 1)).await {
            Ok(games) => {
                for (id, _) in games {
                    if let Err(error) = self.table(id).await {
                        tracing::warn!(game = %id, ?error, "a live game cannot be read");
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "live games cannot be read"),
        }
        // A disk that takes nothing for a minute takes no sign of life either.
        self.settle(|room| !room.owes(), 6_000).await;
    }

    /// Puts unused tables away.
    pub(crate) fn tidy(&self) {
        self.tables.tidy(self.now().minus(FORGET_AFTER));
    }
}
