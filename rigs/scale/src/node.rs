//! One node: a queue of work, an accept queue, and the writers that append to the log.

use crate::costs::Costs;

/// A first-come-first-served queue of work.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// When all queued work will be done.
    free: f64,
    /// Processor seconds added since [`Queue::take_busy`].
    busy: f64,
}

impl Queue {
    /// Adds work of this many processor seconds; returns how long it waits before it begins. All
    /// cores work on one item together, which makes waits a little longer than separate cores
    /// would.
    pub fn work(&mut self, now: f64, seconds: f64, cores: f64) -> f64 {
        let begin = self.free.max(now);
        self.free = begin + seconds / cores;
        self.busy += seconds;
        begin - now
    }

    /// How long work that is added now would wait.
    pub fn wait(&self, now: f64) -> f64 {
        (self.free - now).max(0.0)
    }

    /// Takes the processor seconds that were added since the last call.
    pub fn take_busy(&mut self) -> f64 {
        std::mem::take(&mut self.busy)
    }
}

/// A database connection that appends: all appends that come during a transaction share the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Writer {
    /// When the current transaction ends.
    ends: f64,
    /// The number of appends that wait for the next transactions.
    waiting: f64,
}

/// The duration of a transaction: a fixed part, and a part for each append.
#[derive(Clone, Copy, Debug)]
pub struct TransactionTime {
    /// Seconds independent of its size.
    pub fixed: f64,
    /// Seconds for each append.
    pub each: f64,
    /// The maximum number of appends in it.
    pub most: f64,
}

impl TransactionTime {
    /// A transaction in a database that is `stretch` times slower than when it is idle.
    pub fn of(costs: &Costs, stretch: f64) -> TransactionTime {
        // Two round trips for the batch, one for the synchronous standby.
        let trips = 3.0 * costs.pg_trip / 1e3;
        TransactionTime {
            fixed: trips + costs.pg_flush / 1e3 + costs.pg_transaction * stretch / 1e6,
            each: costs.pg_append * stretch / 1e6,
            most: costs.program_batch,
        }
    }
}

/// When an append is committed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AppendTime {
    /// Seconds from now.
    pub after: f64,
    /// 1 if the append is the first of its transaction, else 0.
    pub commits: f64,
}

impl Writer {
    /// Adds an append. The result does not count appends that join the same batch later: `each` is
    /// small beside `fixed`.
    pub fn append(&mut self, now: f64, batch: TransactionTime) -> AppendTime {
        while self.waiting > 0.0 && self.ends <= now {
            let taken = self.waiting.min(batch.most);
            self.ends += batch.fixed + batch.each * taken;
            self.waiting -= taken;
        }
        if self.ends <= now {
            self.ends = now + batch.fixed + batch.each;
            return AppendTime { after: self.ends - now, commits: 1.0 };
        }
        self.waiting += 1.0;
        let first = self.waiting % batch.most.max(1.0) == 1.0 || batch.most <= 1.0;
        let rounds = ((self.waiting - 1.0) / batch.most).floor();
        let own = self.waiting - rounds * batch.most;
        let before = rounds * (batch.fixed + batch.each * batch.most);
        let after = self.ends - now + before + batch.fixed + batch.each * own;
        AppendTime { after, commits: f64::from(u8::from(first)) }
    }
}

/// The result of a new connection at a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Admission {
    /// Accepted, after this many seconds.
    In(f64),
    /// The kernel's backlog is full, and the connection attempt is lost.
    BacklogFull,
    /// Refused by the server.
    Refused,
}

/// The kind of a client. Players do not wait behind watchers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientKind {
    /// A client with a seat or in the lobby.
    Player,
    /// A client that only watches.
    Watcher,
}

/// The accept queue of a node: a number of connections per turn, and watchers at a limited rate.
#[derive(Clone, Copy, Debug, Default)]
pub struct AcceptQueue {
    next: f64,
    next_watcher: f64,
}

impl AcceptQueue {
    /// Adds a new connection.
    pub fn admit(&mut self, now: f64, guest: ClientKind, costs: &Costs) -> Admission {
        let turn = costs.door_turn / 1e3 / costs.door_newcomers;
        let accepted = self.next.max(now);
        if (accepted - now) / turn > costs.door_backlog {
            return Admission::BacklogFull;
        }
        self.next = accepted + turn;
        let mut entry = self.next;
        if guest == ClientKind::Watcher {
            let let_in = self.next_watcher.max(entry);
            if let_in - entry > costs.door_patience {
                return Admission::Refused;
            }
            self.next_watcher = let_in + 1.0 / costs.door_watchers;
            entry = let_in;
        }
        Admission::In(entry - now)
    }
}

/// The state of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NodeState {
    /// It works.
    Up,
    /// Dead; a load balancer that has not noticed may still send people there.
    Down {
        /// When it died.
        since: f64,
    },
    /// Stopped after an announcement: no people are sent there.
    Stopped,
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its state.
    pub state: NodeState,
    /// Its zone.
    pub zone: usize,
    /// The work of its processors.
    pub queue: Queue,
    /// Cores that are available for moves in this second.
    pub speed: f64,
    /// Cores that background work takes in this second.
    pub background: f64,
    /// Its accept queue.
    pub accept_queue: AcceptQueue,
    /// Its database connections that append.
    pub writers: Vec<Writer>,
    /// People connected or in the accept queue.
    pub sockets: usize,
    /// People in the lobby, of those connected.
    pub lobby: usize,
    /// Live games with connected people.
    pub tables: usize,
    /// Live games without people that are still in memory, by the second in which they were left.
    pub left: Vec<usize>,
    /// Without NATS until then, because its NATS server died.
    pub bus_lost_until: f64,
}

impl Node {
    /// A node without connections.
    pub fn new(zone: usize, cores: f64, costs: &Costs) -> Node {
        Node {
            state: NodeState::Up,
            zone,
            queue: Queue::default(),
            speed: cores,
            background: 0.0,
            accept_queue: AcceptQueue::default(),
            writers: vec![Writer::default(); costs.program_writers.max(1.0) as usize],
            sockets: 0,
            lobby: 0,
            tables: 0,
            left: vec![0; costs.program_forget.max(1.0) as usize],
            bus_lost_until: 0.0,
        }
    }

    /// Returns true if it works.
    pub fn is_up(&self) -> bool {
        self.state == NodeState::Up
    }

    /// Returns true if a load balancer sends people there.
    pub fn is_offered(&self, now: f64, costs: &Costs) -> bool {
        match self.state {
            NodeState::Up => true,
            NodeState::Down { since } => now < since + costs.balancer_notice,
            NodeState::Stopped => false,
        }
    }

    /// Live games in its memory, also those without people.
    pub fn all_tables(&self) -> usize {
        self.tables + self.left.iter().sum::<usize>()
    }

    /// Its memory in MB: the process, and the kernel's memory for its connections.
    pub fn memory(&self, costs: &Costs) -> f64 {
        let socket = costs.memory_socket + costs.memory_kernel;
        costs.memory_base
            + (self.sockets as f64 * socket + self.all_tables() as f64 * costs.memory_table) / 1e3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::exponential;
    use fastrand::Rng;

    /// Simulates one queue; returns the mean stay, the mean number of customers (integrated over
    /// time), and the arrival rate.
    fn stay(load: f64, service: impl Fn(&mut Rng) -> f64) -> (f64, f64, f64) {
        let mut rng = Rng::with_seed(11);
        let mut queue = Queue::default();
        let (mut now, mut stays, mut changes) = (0.0, 0.0, Vec::new());
        let customers = 100_000;
        for _ in 0..customers {
            now += exponential(&mut rng, 1.0 / load);
            let work = service(&mut rng);
            let stay = queue.work(now, work, 1.0) + work;
            stays += stay;
            changes.push((now, 1.0));
            changes.push((now + stay, -1.0));
        }
        changes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut there, mut area, mut before) = (0.0, 0.0, 0.0);
        for (at, change) in changes {
            area += there * (at - before);
            there += change;
            before = at;
        }
        assert_eq!(there, 0.0, "everybody who came has gone");
        (stays / f64::from(customers), area / before, f64::from(customers) / before)
    }

    #[test]
    fn littles_law_holds_at_a_queue() {
        for load in [0.3, 0.7] {
            let (stay, there, rate) = stay(load, |rng| exponential(rng, 1.0));
            assert!((there / (rate * stay) - 1.0).abs() < 1e-6, "{there} {rate} {stay}");
        }
    }

    #[test]
    fn waits_are_those_of_pollaczek_and_khinchine() {
        // Mean stay: 1 + load / (1 - load) * (1 + cv²) / 2.
        let (even, _, _) = stay(0.7, |_| 1.0);
        assert!((even / (1.0 + 0.7 / 0.3 / 2.0) - 1.0).abs() < 0.03, "{even}");
        let (uneven, _, _) = stay(0.7, |rng| exponential(rng, 1.0));
        assert!((uneven / (1.0 + 0.7 / 0.3) - 1.0).abs() < 0.03, "{uneven}");
    }

    #[test]
    fn whatever_comes_meanwhile_shares_the_next_commit() {
        let batch = TransactionTime { fixed: 1.0, each: 0.1, most: 3.0 };
        let mut writer = Writer::default();
        assert_eq!(writer.append(0.0, batch), AppendTime { after: 1.1, commits: 1.0 });
        let second = writer.append(0.5, batch);
        assert_eq!(second.commits, 1.0);
        assert!((second.after - 1.7).abs() < 1e-9, "{second:?}");
        let third = writer.append(0.6, batch);
        assert_eq!(third.commits, 0.0);
        assert!((third.after - 1.7).abs() < 1e-9, "{third:?}");
        writer.append(0.7, batch);
        // The batch is full: the next one follows it.
        let fifth = writer.append(0.8, batch);
        assert_eq!(fifth.commits, 1.0);
        assert!((fifth.after - (0.3 + 1.3 + 1.1)).abs() < 1e-9, "{fifth:?}");
        // Much later nothing waits.
        assert_eq!(writer.append(50.0, batch).commits, 1.0);
    }

    #[test]
    fn every_append_is_in_one_commit() {
        let batch = TransactionTime { fixed: 2e-3, each: 1e-4, most: 256.0 };
        let mut rng = Rng::with_seed(3);
        let (mut writer, mut now, mut commits) = (Writer::default(), 0.0, 0.0);
        for _ in 0..100_000 {
            now += exponential(&mut rng, 1.0 / 2_000.0);
            let kept = writer.append(now, batch);
            assert!(kept.after >= batch.fixed);
            commits += kept.commits;
        }
        // A transaction takes 2 ms + 0.1 ms per append; at 2,000 appends a second 5 share one.
        let shared = 100_000.0 / commits;
        assert!((4.5..5.6).contains(&shared), "{shared}");
    }

    #[test]
    fn a_door_lets_in_at_its_pace() {
        let costs = Costs::default();
        let pace = costs.door_newcomers / costs.door_turn * 1e3;
        let knocks = 2 * costs.door_backlog as usize;
        let mut door = AcceptQueue::default();
        let heard = (0..knocks).filter_map(|_| match door.admit(0.0, ClientKind::Player, &costs) {
            Admission::In(after) => Some(after),
            Admission::BacklogFull => None,
            Admission::Refused => panic!("players are not refused"),
        });
        let heard: Vec<f64> = heard.collect();
        assert!(heard.len().abs_diff(costs.door_backlog as usize) <= 1, "{}", heard.len());
        let last = heard[heard.len() - 1];
        assert!((last - heard.len() as f64 / pace).abs() < 1e-6, "{last}");
    }

    #[test]
    fn watchers_wait_behind_each_other_and_are_refused_when_it_takes_too_long() {
        let costs = Costs { door_backlog: 1e9, ..Costs::default() };
        let mut door = AcceptQueue::default();
        let entries: Vec<Admission> =
            (0..20_000).map(|_| door.admit(0.0, ClientKind::Watcher, &costs)).collect();
        let refused = entries.iter().filter(|entry| **entry == Admission::Refused).count();
        assert!(refused > 5_000, "{refused}");
        let mut players = AcceptQueue::default();
        assert!(
            matches!(players.admit(0.0, ClientKind::Player, &costs), Admission::In(wait) if wait < 0.01)
        );
    }
}
