//! Background work (pings, reminders, polling, the lobby's list), as sums per tick and per second.

use super::{Event, World};
use crate::second::Second;

/// Seconds between two ticks.
const TICK: f64 = 0.1;
/// Heartbeats that a node sends to all others, per second.
const BEACONS: f64 = 4.0;
/// The database is not modelled as busier than this, since its answers would take for ever.
const MOST_BUSY: f64 = 0.97;
/// The minimum share of its cores that a node has for moves.
const LEAST_SPEED: f64 = 0.05;

impl World {
    /// Runs every tenth of a second: sends the changes of presence.
    pub(super) fn tick(&mut self) {
        for game in std::mem::take(&mut self.changed) {
            let game = &mut self.games[game as usize];
            game.changed = false;
            if game.at.is_empty() {
                continue;
            }
            let tables = game.at.len() as f64;
            let costs = &self.plan.costs;
            for (node, people) in &game.at {
                let node = &mut self.nodes[usize::from(*node)];
                let work = costs.node_recipient * f64::from(*people) + costs.node_remind;
                node.queue.work(self.now, work / 1e6, node.speed);
            }
            let people: f64 = game.at.iter().map(|(_, people)| f64::from(*people)).sum();
            self.sums.wire_bytes += people * costs.wire_ping;
            // When many people come, every node has news for every other.
            let tellers = tables.min((people / 2.0).ceil()).max(1.0);
            self.sums.nats_in += tellers;
            self.sums.nats_out += tellers * tables;
            self.sums.nats_bytes += tellers * (1.0 + tables) * costs.nats_here;
        }
        self.chat();
        self.after(TICK, Event::Tick);
    }

    /// How often a node reads all open seeks per second: as often as the lobby changes, but at most
    /// one read after another.
    fn seek_readings(&self, open: f64) -> f64 {
        let costs = &self.plan.costs;
        let time = costs.pg_trip / 1e3
            + (costs.pg_statement
                + open * (costs.pg_seek_row * self.stretch + costs.node_seek_row))
                / 1e6;
        // Each seek changes the lobby twice: when it is posted and when it is taken.
        (2.0 * self.seeks_before).clamp(1.0, 1.0 / time)
    }

    fn open_seeks(&self) -> f64 {
        let open: usize = self.seekers.iter().map(std::collections::VecDeque::len).sum();
        (open as f64).min(self.plan.costs.program_most_seeks)
    }

    /// Computes the background work of the next second and subtracts it from each node's cores.
    pub(super) fn plan_background(&mut self) {
        let costs = &self.plan.costs;
        let open = self.open_seeks();
        let readings = self.seek_readings(open);
        let list = costs.wire_lobby + open * costs.wire_seek;
        let games = (self.live as f64).max(1.0);
        let tables: f64 = self.nodes.iter().map(|node| node.tables as f64).sum();
        let shared = (tables / games).max(1.0);
        let mut more = Second::default();
        for node in &mut self.nodes {
            if !node.is_up() {
                continue;
            }
            let without_bus = self.now < self.no_bus_until || self.now < node.bus_lost_until;
            let lists = node.lobby as f64 / costs.program_lobby;
            let polling = if without_bus { costs.program_poll } else { costs.program_thorough };
            let rows = node.all_tables() as f64 / polling;
            let reminders =
                if without_bus { 0.0 } else { node.tables as f64 / costs.program_remind };
            let readings = if node.lobby > 0 { readings } else { 0.0 };
            let micros = node.sockets as f64 / costs.program_ping * costs.node_ping
                + lists * (costs.node_recipient + list / 1e3 * costs.node_kilobyte)
                + rows * costs.node_poll_row
                + reminders * costs.node_remind * shared
                + readings * open * costs.node_seek_row;
            node.background = micros / 1e6;
            node.speed = (self.plan.cores - node.background).max(LEAST_SPEED * self.plan.cores);
            more.pg_polled += rows;
            more.pg_seeks += readings;
            let statements = rows / costs.program_chunk + 4.0;
            more.pg_cores += (rows * costs.pg_poll_row
                + readings * (costs.pg_statement + open * costs.pg_seek_row)
                + statements * costs.pg_statement)
                / 1e6;
            more.nats_in += reminders + BEACONS;
            more.nats_out += reminders * shared;
            more.nats_reminders += reminders * (1.0 + shared);
            more.nats_bytes += reminders * (1.0 + shared) * costs.nats_here;
            more.lobby_bytes += lists * list;
            more.wire_bytes +=
                lists * list + node.sockets as f64 / costs.program_ping * costs.wire_ping;
        }
        let up = self.nodes.iter().filter(|node| node.is_up()).count() as f64;
        // Every second each node sends its games to watch to every node.
        more.nats_in += up;
        more.nats_out += up * up;
        more.nats_bytes += up * (1.0 + up) * costs.wire_lobby;
        let notices = 2.0 * self.seeks_before;
        more.nats_in += notices;
        more.nats_lobby += notices * (1.0 + up);
        more.nats_out += notices * up + BEACONS * up * up;
        more.nats_bytes +=
            notices * (1.0 + up) * costs.nats_lobby + BEACONS * up * (1.0 + up) * costs.nats_beacon;
        self.sums = more;
    }

    /// Ends a second and records its figures.
    pub(super) fn finish_second(&mut self) {
        let costs = &self.plan.costs;
        let mut second = std::mem::take(&mut self.sums);
        if !self.has_database() {
            (second.pg_cores, second.pg_polled) = (0.0, 0.0);
        }
        second.pg_cores += (second.commits * costs.pg_transaction
            + second.appends * costs.pg_append
            + second.pg_reads * costs.pg_read)
            / 1e6;
        if self.now < self.no_bus_until {
            (second.nats_in, second.nats_out, second.nats_bytes) = (0.0, 0.0, 0.0);
        }
        let load = second.pg_cores / self.plan.pg_cores;
        self.stretch = 1.0 / (1.0 - load.min(MOST_BUSY));
        let forgotten = (self.now as usize + 1) % costs.program_forget.max(1.0) as usize;
        let (mut cores, mut up) = (0.0, 0.0);
        for node in &mut self.nodes {
            let busy = node.queue.take_busy() + node.background;
            node.left[forgotten] = 0;
            if !node.is_up() {
                continue;
            }
            up += 1.0;
            cores += busy;
            second.busiest = second.busiest.max(busy / self.plan.cores);
            second.queue = second.queue.max(node.queue.wait(self.now));
            second.tables += node.tables as f64;
            second.most_tables = second.most_tables.max(node.all_tables() as f64);
            second.most_sockets = second.most_sockets.max(node.sockets as f64);
            second.memory = second.memory.max(node.memory(costs));
        }
        second.at = self.now;
        second.nodes = up;
        second.cores = cores;
        second.busy = if up > 0.0 { cores / (up * self.plan.cores) } else { 0.0 };
        second.inside = self.inside as f64;
        second.outside = self.people.iter().filter(|person| person.lost.is_some()).count() as f64;
        second.games = self.live as f64;
        second.open_seeks = self.open_seeks();
        second.p99 = self.second_delays.share(0.99);
        second.far_p99 = self.second_far.share(0.99);
        self.stats.delays.add_all(&self.second_delays);
        self.stats.far.add_all(&self.second_far);
        self.second_delays.clear();
        self.second_far.clear();
        self.seeks_before = second.seeks;
        self.stats.seconds.push(second);
        self.plan_background();
        self.after(1.0, Event::Second);
    }
}
