//! The figures of one second.

/// Sums over all nodes in one second, and the state at its end.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Second {
    /// When it ended.
    pub at: f64,
    /// Moves that were acknowledged.
    pub moves: f64,
    /// Appends to the log: moves, chat, starts and ends.
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
    /// People that have lost their connection and are not back.
    pub outside: f64,
    /// Connections that were accepted.
    pub greeted: f64,
    /// Failed connection attempts: a dead node, a full accept queue, a full node.
    pub turned_away: f64,
    /// Processor time of the busiest node as a part of its cores.
    pub busiest: f64,
    /// The same, averaged over the nodes that are up.
    pub busy: f64,
    /// Busy cores of all nodes.
    pub cores: f64,
    /// The longest queue of work at any node, in seconds.
    pub queue: f64,
    /// From a player's message to its acknowledgement: the 99th percentile.
    pub p99: f64,
    /// From a player's message until the opponent's node has sent it: the 99th percentile.
    pub far_p99: f64,
    /// Busy cores of the database.
    pub pg_cores: f64,
    /// Rows that were read by polling, since the bus may lose messages.
    pub pg_polled: f64,
    /// Reads of games, or of their missed events.
    pub pg_reads: f64,
    /// Reads of all open seeks.
    pub pg_seeks: f64,
    /// Messages into NATS.
    pub nats_in: f64,
    /// Messages out of NATS to nodes.
    pub nats_out: f64,
    /// Of both, the repeated reminders of who is at which live game.
    pub nats_reminders: f64,
    /// Of both, notices that the lobby has changed.
    pub nats_lobby: f64,
    /// Bytes in and out of NATS.
    pub nats_bytes: f64,
    /// Bytes to people.
    pub wire_bytes: f64,
    /// Of these, bytes of the lobby's list.
    pub lobby_bytes: f64,
    /// Games being played.
    pub games: f64,
    /// Live games with connected people, summed over the nodes.
    pub tables: f64,
    /// Live games in memory at the node that has most.
    pub most_tables: f64,
    /// People at the node that has most.
    pub most_sockets: f64,
    /// Open seeks.
    pub open_seeks: f64,
    /// Nodes that are up.
    pub nodes: f64,
    /// The memory of the node that needs most, in MB.
    pub memory: f64,
}

/// The mean of a figure over some seconds; 0 when there are none.
pub fn mean(seconds: &[Second], part: impl Fn(&Second) -> f64) -> f64 {
    if seconds.is_empty() {
        return 0.0;
    }
    seconds.iter().map(part).sum::<f64>() / seconds.len() as f64
}

/// The maximum of a figure over some seconds; 0 when there are none.
pub fn most(seconds: &[Second], part: impl Fn(&Second) -> f64) -> f64 {
    seconds.iter().map(part).fold(0.0, f64::max)
}
