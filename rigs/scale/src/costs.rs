//! The cost of everything, each figure with its source. To update one, change the number, and write
//! `Measured` with the command or the table that gave it.

use std::fmt;

/// How a figure is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Provenance {
    /// Measured on the two cores of docs/benchmarks.md.
    Measured,
    /// A constant of the program.
    Program,
    /// An estimate, rather too high than too low.
    Assumed,
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Provenance::Measured => "measured",
            Provenance::Program => "program",
            Provenance::Assumed => "assumed",
        })
    }
}

/// A figure and its source.
#[derive(Clone, Copy, Debug)]
pub struct CostSource {
    /// The name for `--set`.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// How it is known.
    pub provenance: Provenance,
    /// What it is, and its source.
    pub from: &'static str,
}

macro_rules! costs {
    ($($name:ident = $value:expr, $unit:literal, $known:ident, $from:literal;)*) => {
        /// All figures.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Costs { $(#[doc = $from] pub $name: f64,)* }

        impl Default for Costs {
            fn default() -> Costs {
                Costs { $($name: $value,)* }
            }
        }

        /// The sources of all figures, in the order of this file.
        pub const SOURCES: &[CostSource] = &[
            $(CostSource {
                name: stringify!($name), unit: $unit, provenance: Provenance::$known, from: $from,
            },)*
        ];

        impl Costs {
            /// The figure with this name.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut f64> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

costs! {
    // A node's processors.
    node_move = 200.0, "µs", Assumed,
        "a move at the node of its player, up to the other player's message if that sits there too; 165 to 180 measured with SQLite inside (docs/benchmarks.md), where the writer is a third; over PostgreSQL and NATS 420 at 2,000 moves a second and 183 at 6,000, both nodes together (docs/benchmarks.md)";
    node_heard = 70.0, "µs", Assumed,
        "a move at another node that has a table of this game: read, apply, tell one player";
    node_recipient = 8.0, "µs", Assumed,
        "one more message to one more person; half of the bare echo's 17 to 20 for one in and one out";
    node_ping = 18.0, "µs", Measured,
        "a ping and its answer: the bare echo, 17 to 20 (docs/benchmarks.md)";
    node_greeting = 450.0, "µs", Assumed,
        "a connection from accept to welcome; the snapshot in it about 100 measured; 10,000 took 3.7 s on two cores, generator included, most of it the door's own pauses";
    node_set_table = 250.0, "µs", Assumed,
        "reading a game from the log and replaying it";
    node_remind = 12.0, "µs", Assumed,
        "telling other nodes who is at one table, and hearing it from them";
    node_poll_row = 2.0, "µs", Assumed,
        "one game's last event, asked for and compared";
    node_seek_row = 3.0, "µs", Assumed,
        "one open seek read from the log and parsed";
    node_kilobyte = 1.0, "µs", Assumed,
        "a kilobyte more to one person, beyond the first";

    // A node's memory.
    memory_base = 40.0, "MB", Assumed,
        "a node without anybody";
    memory_socket = 7.0, "kB", Measured,
        "with memory_table: 206 MB for 10,000 sockets and 5,000 tables (docs/benchmarks.md); how it divides is assumed";
    memory_table = 23.0, "kB", Measured,
        "see memory_socket; a game's own copy was 14 kB after 40 moves";
    memory_kernel = 12.0, "kB", Assumed,
        "what the operating system holds for a connection beside the process";

    // What the program does by itself.
    program_ping = 4.0, "s", Program, "between two pings (server/socket.rs)";
    program_remind = 5.0, "s", Program, "between two reminders of who is at a table (server/nodes.rs)";
    program_turns = 20.0, "parts", Program, "in which they are told one after the other (server/nodes.rs)";
    program_poll = 1.0, "s", Program, "between two readings of all games without the bus (server/nodes.rs)";
    program_thorough = 5.0, "s", Program, "the same with the bus (server/nodes.rs)";
    program_chunk = 2000.0, "games", Program, "asked for in one statement (server/nodes.rs)";
    program_forget = 30.0, "s", Program, "a table outlives its last guest (server/hub.rs)";
    program_lobby = 0.5, "s", Program, "between two lists of the lobby (server/lib.rs)";
    program_most_seeks = 500.0, "seeks", Program, "on the list (server/lobby.rs)";
    program_connections = 25_000.0, "sockets", Program, "on one node, a default (server/limits.rs)";
    program_bus_queue = 16_384.0, "messages", Program, "that may wait for NATS (server/bus/nats.rs)";
    program_writers = 1.0, "connections", Program, "that append, a node (records/postgres)";
    program_readers = 9.0, "connections", Program, "for everything else, a node (records/postgres)";
    program_batch = 256.0, "appends", Program, "in one transaction at the most (records/postgres/writer.rs)";
    door_turn = 2.0, "ms", Measured,
        "in which six newcomers are accepted: a pause of 1 ms and the work (docs/benchmarks.md: 10,000 in 3.7 s)";
    door_newcomers = 6.0, "people", Program, "accepted in a turn (server/accept.rs)";
    door_backlog = 4096.0, "people", Program, "that the kernel lets wait (hansu/serve.rs); others try again after a second";
    door_watchers = 333.0, "people/s", Program, "without a seat that are let in (server/limits.rs)";
    door_patience = 5.0, "s", Program, "that somebody without a seat waits; then refused (server/limits.rs)";
    client_first = 0.4, "s", Program, "before the first try to come back, half of it chance (web/src/socket.ts)";
    client_longest = 15.0, "s", Program, "before any later one (web/src/socket.ts)";
    client_silence = 12.0, "s", Program, "until a page takes a line for dead that says nothing (web/src/socket.ts)";

    // PostgreSQL.
    pg_commit_limit = 16_000.0, "commits/s", Measured,
        "bare inserts, 64 writers, PostgreSQL 15 on two cores (10,000 with 16 writers)";
    pg_transaction = 250.0, "µs", Assumed,
        "processor time of a batch whatever its size: seven statements and a commit";
    pg_append = 40.0, "µs", Assumed,
        "processor time of each append in it: lock, look for a resend, event, row; with its part of the transaction 175 measured at 2,000 moves a second over two nodes, 43 at 6,000 (docs/benchmarks.md)";
    pg_flush = 1.0, "ms", Assumed,
        "until the log is on the disk here and at the standby, without the way there";
    pg_trip = 0.5, "ms", Assumed,
        "to the database and back, from another zone; a batch takes two, a synchronous standby one more";
    pg_read = 150.0, "µs", Assumed,
        "processor time of reading a game, or what was missed of it";
    pg_statement = 60.0, "µs", Assumed,
        "processor time of a small statement";
    pg_poll_row = 4.0, "µs", Assumed,
        "of each game in a question for last events";
    pg_seek_row = 3.0, "µs", Assumed,
        "of each seek that is read";
    pg_event = 250.0, "bytes", Assumed,
        "on the disk: row 208 (body 128, as in fuzz/seeds/stored_event), primary key 40";
    pg_game = 1900.0, "bytes", Assumed,
        "on the disk: row 640 at fillfactor 70, fifteen indexes about 800, two seats 350, counters";
    wal_append = 1000.0, "bytes", Assumed,
        "event 250, its index entry 80, the game's row anew (500), locks; without page images";
    wal_transaction = 100.0, "bytes", Assumed, "a commit";
    wal_pages = 1.6, "times", Assumed, "with the images of pages after a checkpoint; depends on checkpoint_timeout";

    // NATS.
    nats_event = 290.0, "bytes", Assumed,
        "a move: subject 31, envelope 60, body 128, NATS's own line and TCP";
    nats_here = 200.0, "bytes", Assumed, "who is at a table";
    nats_lobby = 130.0, "bytes", Assumed, "the lobby has changed";
    nats_beacon = 140.0, "bytes", Assumed, "a node is alive, four times a second to all";
    nats_latency = 1.0, "ms", Assumed, "from node to node, over two NATS servers in different zones";
    nats_message = 2.0, "µs", Assumed, "processor time of a NATS server for a message in or out";

    // To people.
    wire_event = 340.0, "bytes", Assumed, "a move to somebody (docs/protocol.md)";
    wire_turn = 450.0, "bytes", Assumed, "where one can go, to whoever is to move";
    wire_greeting = 4000.0, "bytes", Assumed, "answers until the snapshot is there";
    wire_ping = 110.0, "bytes", Assumed, "ping and answer with TCP's part";
    wire_lobby = 13_000.0, "bytes", Assumed, "the list: fifty games";
    wire_seek = 130.0, "bytes", Assumed, "each open seek on it";

    // The surroundings.
    balancer_notice = 2.0, "s", Assumed, "until a load balancer sends nobody to a dead node";
    failover = 20.0, "s", Assumed, "until the synchronous standby is the primary and is found";
    bus_failover = 3.0, "s", Program, "until a node gives up a dead NATS server: three pings of 1 s (server/bus/nats.rs)";
}

impl Costs {
    /// Changes a figure: `name=value`.
    ///
    /// # Errors
    ///
    /// When there is no such figure, or the value is not a number of at least 0.
    pub fn set(&mut self, assignment: &str) -> Result<(), CostError> {
        let (name, value) = assignment.split_once('=').ok_or(CostError::Form)?;
        let value: f64 = value.trim().parse().map_err(|_| CostError::Number)?;
        if !(value.is_finite() && value >= 0.0) {
            return Err(CostError::Number);
        }
        *self.get_mut(name.trim()).ok_or(CostError::Name)? = value;
        Ok(())
    }
}

/// Why a figure cannot be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CostError {
    /// Not `name=value`.
    Form,
    /// No such figure.
    Name,
    /// Not a number of at least 0.
    Number,
}

impl fmt::Display for CostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CostError::Form => "write it like node_move=180",
            CostError::Name => "there is no such figure; `costs` lists them",
            CostError::Number => "not a number of at least 0",
        })
    }
}

impl std::error::Error for CostError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_can_be_changed_by_its_name_and_nothing_else() {
        let mut costs = Costs::default();
        assert_eq!(costs.set("node_move=123.5"), Ok(()));
        assert_eq!(costs.node_move, 123.5);
        assert_eq!(costs.set("node_move"), Err(CostError::Form));
        assert_eq!(costs.set("nodemove=1"), Err(CostError::Name));
        for bad in ["node_move=", "node_move=x", "node_move=-1", "node_move=NaN", "node_move=inf"] {
            assert_eq!(costs.set(bad), Err(CostError::Number), "{bad}");
        }
        assert_eq!(costs.node_move, 123.5);
    }

    #[test]
    fn every_figure_has_a_name_and_a_source() {
        let mut costs = Costs::default();
        for source in SOURCES {
            assert!(costs.get_mut(source.name).is_some_and(|value| *value >= 0.0), "{source:?}");
            assert!(source.from.len() > 5, "{source:?}");
        }
    }
}
