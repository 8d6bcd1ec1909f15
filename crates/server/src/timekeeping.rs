//! What this node does at intervals: flags, absences, heartbeats, and removal of what is unused.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use hansu_journal::log_time;
use hansu_live::{FAR_GRACE, LiveGame, Room};
use hansu_play::Millis;
use hansu_records::Error;

use crate::bus::NodeNews;
use crate::hosted_game::HostedGame;
use crate::hub::Hub;

/// How long withdrawn and expired invitations are kept, so that their links can say what happened.
const REMEMBER: Millis = Millis::days(30);
/// A game is removed from memory after this long without use; the log still has it.
const FORGET_AFTER: Millis = Millis::seconds(30);
/// The heartbeats of a node are deleted after this long without a new one.
const FORGET_NODES: Millis = Millis::days(1);
/// At most this many overdue games are read at once.
const OVERDUE: usize = 200;
/// Heartbeats are written every second. After this long without one, no move could be written
/// either.
const STANDSTILL: Duration = Duration::from_millis(2_500);
/// The node name in the heartbeats of a server without other nodes.
const ALONE: &str = "local";
/// At most this many writes per sweep.
const MOST_SWEPT: usize = 256;
/// A sweep goes through the games that are due in at most this many steps, with a pause after each:
/// the messages of a thousand games at the same moment would delay all other clients.
const SWEEP_STEPS: usize = 40;
/// A step has at least this many games.
const SWEPT_AT_ONCE: usize = 4;
const SWEEP_PAUSE: Duration = Duration::from_millis(1);

impl Hub {
    /// Runs `tick` of all games at which something is due: flags, absences, presence.
    pub(crate) async fn sweep(self: &Arc<Hub>) {
        let now = self.now();
        let mut writes = 0;
        let due: Vec<Arc<HostedGame>> = self.games.due(now);
        for games in due.chunks((due.len() / SWEEP_STEPS).max(SWEPT_AT_ONCE)) {
            for hosted in games {
                writes += self.at(hosted, LiveGame::tick);
                // Ten thousand players who leave at once must not fill the write queue that moves
                // need too: the other games wait for the next sweep.
                if writes >= MOST_SWEPT {
                    return;
                }
            }
            if due.len() > games.len() {
                tokio::time::sleep(SWEEP_PAUSE).await;
            }
        }
    }

    /// Loads games without clients whose deadline has passed; the sweep does the rest.
    pub(crate) async fn wake_overdue(self: &Arc<Hub>) {
        // Another node that hosts the game gets `FAR_GRACE` to act first.
        let grace = if self.bus.is_shared() { FAR_GRACE } else { Millis::ZERO };
        let now = log_time(self.now().minus(grace));
        match self.store.ask(move |store| store.overdue(now, OVERDUE)).await {
            Ok(games) => {
                for (id, _) in games {
                    if self.games.get(id).is_none()
                        && let Err(error) = self.hosted_game(id).await
                    {
                        tracing::warn!(game = %id, ?error, "an overdue game cannot be read");
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "overdue games cannot be read"),
        }
    }

    /// Writes a heartbeat to the log: after a crash clocks are credited from the last one on.
    pub(crate) async fn write_heartbeat(&self) -> Result<(), Error> {
        let shared = self.bus.is_shared();
        let node = if shared { self.nodes.own.to_string() } else { ALONE.to_owned() };
        let begun = (self.now(), Instant::now());
        let now = log_time(begun.0);
        let kept = self.store.ask(move |store| store.beat(&node, now)).await;
        if kept.is_ok() {
            // Games without a command since the last heartbeat have lost the time as well.
            for hosted in self.games.all() {
                self.notice_standstill(&hosted);
            }
            *self.alive.lock().unwrap_or_else(PoisonError::into_inner) = Some(begun);
            self.nodes.note_log_written();
        }
        kept
    }

    /// When the process or the log has stood still, the side to move gets the time back before
    /// anything else is decided in the game.
    pub(crate) fn notice_standstill(&self, hosted: &HostedGame) {
        let alive = *self.alive.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((since, seen)) = alive
            && seen.elapsed() > STANDSTILL
        {
            hosted.note_log_refusal(since);
        }
    }

    /// Deletes heartbeats of dead nodes, and invitations that have been unusable for `REMEMBER`.
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

    /// Waits until a condition holds for every live game, at most `hundredths` of a second.
    async fn settle(&self, settled: fn(&Room) -> bool, hundredths: u32) {
        for _ in 0..hundredths {
            if self.games.all().iter().all(|hosted| hosted.look(settled)) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    /// Waits until the log has answered all writes, and writes the last heartbeat.
    pub(crate) async fn drain(&self) {
        self.settle(Room::is_idle, 200).await;
        self.bus.send_to_nodes(&NodeNews::Bye);
        if let Err(error) = self.write_heartbeat().await {
            tracing::warn!(%error, "the log does not take the last sign of life");
        }
    }

    /// Loads every game whose clock was running when the server went away, so that its clocks are
    /// credited before the first sweep.
    pub(crate) async fn credit_all(self: &Arc<Hub>) {
        if self.outage.is_none() {
            return;
        }
        match self.store.ask(|store| store.overdue(i64::MAX, usize::MAX >> 1)).await {
            Ok(games) => {
                for (id, _) in games {
                    if let Err(error) = self.hosted_game(id).await {
                        tracing::warn!(game = %id, ?error, "a live game cannot be read");
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "live games cannot be read"),
        }
        // At most a minute: a disk without a write for that long has no heartbeat either.
        self.settle(|room| !room.owes(), 6_000).await;
    }

    /// Removes unused games from memory.
    pub(crate) fn tidy(&self) {
        self.games.tidy(self.now().minus(FORGET_AFTER));
    }
}
