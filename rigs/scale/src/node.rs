//! One node: a queue of work, a door, and the writers that put moves into the log.

use crate::costs::Costs;

/// Work that is done in the order in which it comes.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// When everything that has come will be done.
    free: f64,
    /// Processor seconds asked for since they were last looked at.
    busy: f64,
}

impl Queue {
    /// Brings work of so many seconds to a queue with so many cores; how long it waits before it
    /// is begun. The cores work at one thing together, which makes the wait a little longer than
    /// it is.
    pub fn work(&mut self, now: f64, seconds: f64, cores: f64) -> f64 {
        let begin = self.free.max(now);
        self.free = begin + seconds / cores;
        self.busy += seconds;
        begin - now
    }

    /// How long work that came now would wait.
    pub fn wait(&self, now: f64) -> f64 {
        (self.free - now).max(0.0)
    }

    /// The processor seconds that were asked for since the last time.
    pub fn take_busy(&mut self) -> f64 {
        std::mem::take(&mut self.busy)
    }
}

/// A connection that appends: whatever comes while a transaction is under way shares the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Writer {
    /// When the transaction under way is done.
    ends: f64,
    /// What waits for the next.
    waiting: f64,
}

/// How long a transaction takes: always, and for each append in it.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// Seconds whatever its size.
    pub fixed: f64,
    /// Seconds for each append.
    pub each: f64,
    /// The most appends in it.
    pub most: f64,
}

impl Batch {
    /// A transaction at a database that takes `stretch` times as long as when it is idle.
    pub fn of(costs: &Costs, stretch: f64) -> Batch {
        // Two for the batch, one for the synchronous standby.
        let trips = 3.0 * costs.pg_trip / 1e3;
        Batch {
            fixed: trips + costs.pg_flush / 1e3 + costs.pg_transaction * stretch / 1e6,
            each: costs.pg_append * stretch / 1e6,
            most: costs.program_batch,
        }
    }
}

/// When an append is kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Kept {
    /// Seconds from now.
    pub after: f64,
    /// Transactions that it began.
    pub commits: f64,
}

impl Writer {
    /// Brings an append. Those that join the same batch later make it a little longer than is said
    /// here: `each` is small beside `fixed`.
    pub fn append(&mut self, now: f64, batch: Batch) -> Kept {
        while self.waiting > 0.0 && self.ends <= now {
            let taken = self.waiting.min(batch.most);
            self.ends += batch.fixed + batch.each * taken;
            self.waiting -= taken;
        }
        if self.ends <= now {
            self.ends = now + batch.fixed + batch.each;
            return Kept { after: self.ends - now, commits: 1.0 };
        }
        self.waiting += 1.0;
        let first = self.waiting % batch.most.max(1.0) == 1.0 || batch.most <= 1.0;
        let rounds = ((self.waiting - 1.0) / batch.most).floor();
        let own = self.waiting - rounds * batch.most;
        let before = rounds * (batch.fixed + batch.each * batch.most);
        let after = self.ends - now + before + batch.fixed + batch.each * own;
        Kept { after, commits: f64::from(u8::from(first)) }
    }
}

/// What becomes of somebody at the door.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Entry {
    /// Let in, after so many seconds.
    In(f64),
    /// The kernel's queue is full: it did not even hear.
    Unheard,
    /// Refused.
    Refused,
}

/// Whether somebody has a seat. Players do not wait behind watchers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guest {
    /// Has a seat, or is in the lobby.
    Player,
    /// Only watches.
    Watcher,
}

/// The door of a node: so many in a turn, and watchers one after another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Door {
    next: f64,
    next_watcher: f64,
}

impl Door {
    /// Somebody comes.
    pub fn knock(&mut self, now: f64, guest: Guest, costs: &Costs) -> Entry {
        let turn = costs.door_turn / 1e3 / costs.door_newcomers;
        let accepted = self.next.max(now);
        if (accepted - now) / turn > costs.door_backlog {
            return Entry::Unheard;
        }
        self.next = accepted + turn;
        let mut entry = self.next;
        if guest == Guest::Watcher {
            let let_in = self.next_watcher.max(entry);
            if let_in - entry > costs.door_patience {
                return Entry::Refused;
            }
            self.next_watcher = let_in + 1.0 / costs.door_watchers;
            entry = let_in;
        }
        Entry::In(entry - now)
    }
}

/// Whether a node is there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Life {
    /// It works.
    Up,
    /// Gone since that moment; who kept it in mind may still send people there.
    Down {
        /// Since when.
        since: f64,
    },
    /// It said that it stops: nobody is sent there.
    Stopped,
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Whether it is there.
    pub life: Life,
    /// Which zone it is in.
    pub zone: usize,
    /// Its processors' work.
    pub queue: Queue,
    /// Cores that are left for moves in this second.
    pub speed: f64,
    /// Cores that what happens evenly takes in this second.
    pub evenly: f64,
    /// Its door.
    pub door: Door,
    /// Its connections to the log.
    pub writers: Vec<Writer>,
    /// People connected, or on their way through the door.
    pub sockets: usize,
    /// Of these, in the lobby.
    pub lobby: usize,
    /// Tables with somebody at them.
    pub tables: usize,
    /// Tables that were left, by the second, as long as they are kept.
    pub left: Vec<usize>,
    /// Without NATS until then: its server died, or all have.
    pub deaf_until: f64,
}

impl Node {
    /// A node with nobody.
    pub fn new(zone: usize, cores: f64, costs: &Costs) -> Node {
        Node {
            life: Life::Up,
            zone,
            queue: Queue::default(),
            speed: cores,
            evenly: 0.0,
            door: Door::default(),
            writers: vec![Writer::default(); costs.program_writers.max(1.0) as usize],
            sockets: 0,
            lobby: 0,
            tables: 0,
            left: vec![0; costs.program_forget.max(1.0) as usize],
            deaf_until: 0.0,
        }
    }

    /// Whether it works.
    pub fn is_up(&self) -> bool {
        self.life == Life::Up
    }

    /// Whether a load balancer sends people there.
    pub fn is_offered(&self, now: f64, costs: &Costs) -> bool {
        match self.life {
            Life::Up => true,
            Life::Down { since } => now < since + costs.balancer_notice,
            Life::Stopped => false,
        }
    }

    /// Tables in its memory, also those that nobody sits at any more.
    pub fn all_tables(&self) -> usize {
        self.tables + self.left.iter().sum::<usize>()
    }

    /// Its memory in MB: the process, and what the system holds for its connections.
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

    /// Customers at one queue: how long they stayed on average, and how many there were on average,
    /// counted by walking along the time.
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
        let batch = Batch { fixed: 1.0, each: 0.1, most: 3.0 };
        let mut writer = Writer::default();
        assert_eq!(writer.append(0.0, batch), Kept { after: 1.1, commits: 1.0 });
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
        // Much later nobody waits.
        assert_eq!(writer.append(50.0, batch).commits, 1.0);
    }

    #[test]
    fn every_append_is_in_one_commit() {
        let batch = Batch { fixed: 2e-3, each: 1e-4, most: 256.0 };
        let mut rng = Rng::with_seed(3);
        let (mut writer, mut now, mut commits) = (Writer::default(), 0.0, 0.0);
        for _ in 0..100_000 {
            now += exponential(&mut rng, 1.0 / 2_000.0);
            let kept = writer.append(now, batch);
            assert!(kept.after >= batch.fixed);
            commits += kept.commits;
        }
        // In each transaction of 2 ms + 0.1 ms an append, 2,000 a second: 5 share one.
        let shared = 100_000.0 / commits;
        assert!((4.5..5.6).contains(&shared), "{shared}");
    }

    #[test]
    fn a_door_lets_in_at_its_pace() {
        let costs = Costs::default();
        let pace = costs.door_newcomers / costs.door_turn * 1e3;
        let knocks = 2 * costs.door_backlog as usize;
        let mut door = Door::default();
        let heard = (0..knocks).filter_map(|_| match door.knock(0.0, Guest::Player, &costs) {
            Entry::In(after) => Some(after),
            Entry::Unheard => None,
            Entry::Refused => panic!("players are not refused"),
        });
        let heard: Vec<f64> = heard.collect();
        assert!(heard.len().abs_diff(costs.door_backlog as usize) <= 1, "{}", heard.len());
        let last = heard[heard.len() - 1];
        assert!((last - heard.len() as f64 / pace).abs() < 1e-6, "{last}");
    }

    #[test]
    fn watchers_wait_behind_each_other_and_are_refused_when_it_takes_too_long() {
        let costs = Costs { door_backlog: 1e9, ..Costs::default() };
        let mut door = Door::default();
        let entries: Vec<Entry> =
            (0..20_000).map(|_| door.knock(0.0, Guest::Watcher, &costs)).collect();
        let refused = entries.iter().filter(|entry| **entry == Entry::Refused).count();
        assert!(refused > 5_000, "{refused}");
        let mut players = Door::default();
        assert!(
            matches!(players.knock(0.0, Guest::Player, &costs), Entry::In(wait) if wait < 0.01)
        );
    }
}
