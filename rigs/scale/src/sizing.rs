//! The required resources, computed from runs of the model.

use crate::scenario::before_and_after;
use crate::second::{mean, most};
use crate::world::{Plan, RunStats};

/// Transactions after which PostgreSQL forces freezing of old rows (`autovacuum_freeze_max_age`).
const FREEZE: f64 = 200e6;
/// Transactions after which it would stop (transaction id wraparound).
const WRAP: f64 = 2_147e6;
/// A node must not be busier than this when a zone is lost.
pub const HEADROOM: f64 = 0.6;

/// The required resources.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sizing {
    /// Busy cores of all nodes at the peak.
    pub cores: f64,
    /// Nodes needed so that without one zone the rest is at most [`HEADROOM`] busy.
    pub nodes_by_cores: usize,
    /// Nodes needed so that without one zone the rest has connections for all people.
    pub nodes_by_sockets: usize,
    /// Nodes needed so that without one zone the rest does not drop reminders.
    pub nodes_by_tables: usize,
    /// Memory of a node when a zone is lost, in MB.
    pub memory: f64,
    /// Appends a second at the peak.
    pub appends: f64,
    /// Transactions a second at the peak.
    pub commits: f64,
    /// Busy cores of the database.
    pub pg_cores: f64,
    /// Connections to the database.
    pub connections: f64,
    /// Bytes a second to people at the peak: all, and those of the lobby's list.
    pub wire: [f64; 2],
    /// Messages a second in and out of NATS: all, reminders, and notices of the lobby.
    pub nats: [f64; 3],
    /// Busy cores of the NATS servers.
    pub nats_cores: f64,
    /// Bytes a second of the database's WAL at the peak.
    pub wal: f64,
    /// Moves, games and transactions of a day.
    pub day: [f64; 3],
    /// Bytes that the database grows by in a day, and in a year.
    pub grows: [f64; 2],
    /// Of a day's bytes, those of events.
    pub events: f64,
    /// Bytes that a year adds when the events of finished games are folded into one row.
    pub folded: f64,
    /// Hours until rows must be frozen, and until the database would stop.
    pub freezing: [f64; 2],
}

/// Bytes per ply of a finished game whose moves and clocks are folded into one row: two for the
/// move, as in `records/moves.rs`, and two for the clock.
const FOLDED_PLY: f64 = 4.0;

/// The required resources for this peak and this day, in which the share `part` of the people was
/// simulated.
pub fn sizing(plan: &Plan, peak: &RunStats, day: &RunStats, part: f64) -> Sizing {
    let costs = &plan.costs;
    let (calm, _) = before_and_after(peak);
    let cores = mean(calm, |second| second.cores);
    let sockets = mean(calm, |second| second.inside);
    let tables = most(calm, |second| second.most_tables) * plan.nodes as f64;
    let sat_at = mean(calm, |second| second.tables);
    let zones = plan.zones.max(2) as f64;
    let left = (zones - 1.0) / zones;
    // Rounds up to the same number of nodes in each zone.
    let whole = |nodes: f64| (nodes / zones).ceil().max(1.0) as usize * zones as usize;
    let remaining = plan.nodes as f64 * left;
    let socket = costs.memory_socket + costs.memory_kernel;
    let memory = costs.memory_base
        + (sockets / remaining * socket + tables / remaining * costs.memory_table) / 1e3;
    let (appends, commits) =
        (mean(calm, |second| second.appends), mean(calm, |second| second.commits));
    let wal = (appends * costs.wal_append + commits * costs.wal_transaction) * costs.wal_pages;
    let nats = [
        mean(calm, |second| second.nats_in + second.nats_out),
        mean(calm, |second| second.nats_reminders),
        mean(calm, |second| second.nats_lobby),
    ];
    let sum = |of: fn(&crate::second::Second) -> f64| -> f64 {
        day.seconds.iter().map(of).sum::<f64>() / part
    };
    let games = sum(|second| second.begun);
    let written = sum(|second| second.appends);
    // A small crowd shares few commits, so the ratio at the peak is used.
    let transactions = written * commits / appends.max(1.0);
    let events = written * costs.pg_event;
    let grows = events + games * costs.pg_game;
    let folded = games * costs.pg_game + sum(|second| second.moves) * FOLDED_PLY;
    let hours = |transactions_left: f64| transactions_left / (transactions / 24.0).max(1.0);
    Sizing {
        cores,
        nodes_by_cores: whole(cores / (plan.cores * HEADROOM * left)),
        nodes_by_sockets: whole(sockets / (costs.program_connections * 0.9 * left)),
        nodes_by_tables: whole(sat_at / (costs.program_turns * costs.program_bus_queue * left)),
        memory,
        appends,
        commits,
        pg_cores: mean(calm, |second| second.pg_cores),
        connections: plan.nodes as f64 * (costs.program_writers + costs.program_readers),
        wire: [mean(calm, |second| second.wire_bytes), mean(calm, |second| second.lobby_bytes)],
        nats,
        // A message from one NATS server to another is handled twice.
        nats_cores: nats[0] * (1.0 + (zones - 1.0) / zones) * costs.nats_message / 1e6,
        wal,
        day: [sum(|second| second.moves), games, transactions],
        grows: [grows, grows * 365.0],
        events,
        folded: folded * 365.0,
        freezing: [hours(FREEZE), hours(WRAP)],
    }
}
