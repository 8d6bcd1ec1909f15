//! What happened in one second, or in several.

/// Sums over one second of all nodes, and how things stood at its end.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Second {
    /// When it ended.
    pub at: f64,
    /// Moves that were acknowledged.
    pub moves: f64,
    /// Everything that was written to the log: moves, chat, starts and ends.
    pub appends: f64,
    /// Transactions.
    pub commits: f64,
    /// Commands that were answered "unavailable".
    pub refused: f64,
    /// Games that began.
    pub begun: f64,
    /// Seeks.
    pub seeks: f64,
    /// People connected.
    pub inside: f64,
    /// People who have lost their connection and are not back.
    pub outside: f64,
    /// Connections that were accepted.
    pub greeted: f64,
    /// Tries that failed: a dead node, a full door, a full node.
    pub turned_away: f64,
    /// Processor time of the busiest node as a part of its cores.
    pub busiest: f64,
    /// The same of all nodes that are up.
    pub busy: f64,
    /// Cores of all nodes that worked.
    pub cores: f64,
    /// The longest queue of work at any node, in seconds.
    pub queue: f64,
    /// From a player's message to its acknowledgement: the 99th percentile.
    pub p99: f64,
    /// From a player's message to the opponent's node having told it: the 99th percentile.
    pub far_p99: f64,
    /// Cores of the database that worked.
    pub pg_cores: f64,
    /// Rows that were read because the bus does not tell everything.
    pub pg_polled: f64,
    /// Games that were read, or what was missed of them.
    pub pg_reads: f64,
    /// Readings of all open seeks.
    pub pg_seeks: f64,
    /// Messages into NATS.
    pub nats_in: f64,
    /// Messages out of NATS to nodes.
    pub nats_out: f64,
    /// Of both, who is at which table, said again and again.
    pub nats_reminders: f64,
    /// Of both, that the lobby has changed.
    pub nats_lobby: f64,
    /// Bytes in and out of NATS.
    pub nats_bytes: f64,
    /// Bytes to people.
    pub wire_bytes: f64,
    /// Of these, the lobby's list.
    pub lobby_bytes: f64,
    /// Games being played.
    pub games: f64,
    /// Tables with somebody at them.
    pub tables: f64,
    /// Tables at the node that has most.
    pub most_tables: f64,
    /// People at the node that has most.
    pub most_sockets: f64,
    /// Open seeks.
    pub open_seeks: f64,
    /// Nodes that are up.
    pub nodes: f64,
    /// The most memory of a node, in MB.
    pub memory: f64,
}

/// The mean of one figure over some seconds; 0 when there are none.
pub fn mean(seconds: &[Second], part: impl Fn(&Second) -> f64) -> f64 {
    if seconds.is_empty() {
        return 0.0;
    }
    seconds.iter().map(part).sum::<f64>() / seconds.len() as f64
}

/// The largest of one figure over some seconds.
pub fn most(seconds: &[Second], part: impl Fn(&Second) -> f64) -> f64 {
    seconds.iter().map(part).fold(0.0, f64::max)
}
