//! How much anybody may ask for: rates, connections, addresses.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Addresses that other nodes are told of at once.
const MOST_TOLD: usize = 500;

/// So many at once, and then one more after each pause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// At once.
    pub burst: u32,
    /// One more after so long.
    pub every: Duration,
}

impl Rate {
    /// A rate.
    pub const fn new(burst: u32, every: Duration) -> Rate {
        Rate { burst, every }
    }
}

/// How much somebody has used of a rate: when all of it will be there again.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    full: Instant,
}

impl Bucket {
    /// Nothing used.
    pub fn new(now: Instant) -> Bucket {
        Bucket { full: now }
    }

    /// Uses one, if there is one.
    pub fn take(&mut self, rate: Rate, now: Instant) -> Result<(), TooFast> {
        self.queue(rate, Duration::ZERO, now).map(|_| ())
    }

    /// Uses one, and says how long to wait for it; nothing is used when that were too long.
    pub fn queue(
        &mut self,
        rate: Rate,
        longest: Duration,
        now: Instant,
    ) -> Result<Duration, TooFast> {
        let full = self.full.max(now) + rate.every;
        let wait = full.duration_since(now).saturating_sub(rate.every * rate.burst);
        if wait > longest {
            return Err(TooFast);
        }
        self.full = full;
        Ok(wait)
    }

    /// Uses what was used elsewhere, as far as there is any left.
    fn charge(&mut self, rate: Rate, used: u32, now: Instant) {
        let full = self.full.max(now) + rate.every * used.min(rate.burst);
        self.full = full.min(now + rate.every * rate.burst);
    }

    fn is_full(&self, now: Instant) -> bool {
        self.full <= now
    }
}

/// More was asked for than the rate gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooFast;

/// What one address may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Connections in all.
    pub connections: usize,
    /// Websockets from one address.
    pub sockets_each: u32,
    /// Requests from one address.
    pub requests: Rate,
    /// New games, invitations and keys from one address.
    pub making: Rate,
    /// Messages on one websocket.
    pub messages: Rate,
    /// Newcomers who only watch, all together. Players do not wait behind them: a thousand who
    /// come at once to watch are let in one after another.
    pub watchers: Rate,
    /// How long one of them waits at the most.
    pub watcher_waits: Duration,
}

impl Limits {
    /// Connections from one address: its websockets, and as many again for each of three requests
    /// that a page sends at once.
    pub const fn connections_each(&self) -> u32 {
        self.sockets_each.saturating_mul(4)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 25_000,
            // A school behind one address.
            sockets_each: 1_000,
            // Two classes that open the page at the same moment ask 8 things each: 560.
            requests: Rate::new(1_000, Duration::from_millis(10)),
            // And each makes a key, a game and takes an invitation up: 210.
            making: Rate::new(300, Duration::from_secs(1)),
            messages: Rate::new(30, Duration::from_millis(100)),
            watchers: Rate::new(8, Duration::from_millis(3)),
            watcher_waits: Duration::from_secs(5),
        }
    }
}

/// What an address has used at another node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spent {
    from: IpAddr,
    requests: u32,
    making: u32,
}

struct Visitor {
    sockets: u32,
    connections: u32,
    requests: Bucket,
    making: Bucket,
    /// What other nodes were not told yet.
    untold: Spent,
}

/// Who comes from where.
pub struct Visitors {
    limits: Limits,
    known: Mutex<HashMap<IpAddr, Visitor>>,
    watchers: Mutex<Bucket>,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A request.
    Request,
    /// A request that makes something lasting.
    Making,
}

impl Visitors {
    /// Nobody yet.
    pub fn new(limits: Limits) -> Arc<Visitors> {
        Arc::new(Visitors {
            limits,
            known: Mutex::default(),
            watchers: Mutex::new(Bucket::new(Instant::now())),
        })
    }

    /// The limits that hold.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    fn known(&self) -> MutexGuard<'_, HashMap<IpAddr, Visitor>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request. This machine's own are not limited.
    pub fn request(&self, from: IpAddr, kind: Kind) -> Result<(), TooFast> {
        if from.is_loopback() {
            return Ok(());
        }
        let now = Instant::now();
        let mut known = self.known();
        let from = network(from);
        let visitor = known.entry(from).or_insert_with(|| visitor(from, now));
        match kind {
            Kind::Request => {
                visitor.requests.take(self.limits.requests, now)?;
                visitor.untold.requests += 1;
            }
            Kind::Making => {
                visitor.making.take(self.limits.making, now)?;
                visitor.untold.making += 1;
            }
        }
        Ok(())
    }

    /// What addresses have used since this was last asked, as far as others need to know: the
    /// busiest, at most `MOST_TOLD`.
    pub fn spent(&self) -> Vec<Spent> {
        let mut spent = Vec::new();
        for (&from, visitor) in self.known().iter_mut() {
            let nothing = Spent { from, requests: 0, making: 0 };
            let used = std::mem::replace(&mut visitor.untold, nothing);
            // Who uses little is within the limit anywhere.
            if used.making > 0 || used.requests > self.limits.requests.burst / 30 {
                spent.push(used);
            }
        }
        spent.sort_by_key(|used| std::cmp::Reverse((used.making, used.requests)));
        spent.truncate(MOST_TOLD);
        spent
    }

    /// Counts what addresses have used elsewhere.
    pub fn charge(&self, spent: &[Spent]) {
        let now = Instant::now();
        let mut known = self.known();
        for used in spent.iter().take(MOST_TOLD).filter(|used| !used.from.is_loopback()) {
            let from = network(used.from);
            let visitor = known.entry(from).or_insert_with(|| visitor(from, now));
            visitor.requests.charge(self.limits.requests, used.requests, now);
            visitor.making.charge(self.limits.making, used.making, now);
        }
    }

    /// How long a newcomer who only watches has to wait.
    pub fn watcher(&self) -> Result<Duration, TooFast> {
        let Limits { watchers, watcher_waits, .. } = self.limits;
        let mut bucket = self.watchers.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.queue(watchers, watcher_waits, Instant::now())
    }

    /// Counts a websocket for as long as the answer is held.
    pub fn socket(self: &Arc<Visitors>, from: IpAddr) -> Result<SocketGuard, TooFast> {
        let from = network(from);
        if !from.is_loopback() {
            let mut known = self.known();
            let visitor = known.entry(from).or_insert_with(|| visitor(from, Instant::now()));
            if visitor.sockets >= self.limits.sockets_each {
                return Err(TooFast);
            }
            visitor.sockets += 1;
        }
        Ok(SocketGuard { visitors: self.clone(), from })
    }

    /// Counts a connection for as long as the answer is held: one address has a share of them.
    pub fn connection(self: &Arc<Visitors>, from: IpAddr) -> Result<DoorGuard, TooFast> {
        let from = network(from);
        if !from.is_loopback() {
            let mut known = self.known();
            let visitor = known.entry(from).or_insert_with(|| visitor(from, Instant::now()));
            if visitor.connections >= self.limits.connections_each() {
                return Err(TooFast);
            }
            visitor.connections += 1;
        }
        Ok(DoorGuard { visitors: self.clone(), from })
    }

    /// Forgets those who have not come for a while.
    pub fn tidy(&self) {
        let now = Instant::now();
        self.known().retain(|_, visitor| {
            visitor.sockets + visitor.connections > 0
                || !visitor.requests.is_full(now)
                || !visitor.making.is_full(now)
        });
    }
}

fn visitor(from: IpAddr, now: Instant) -> Visitor {
    Visitor {
        sockets: 0,
        connections: 0,
        requests: Bucket::new(now),
        making: Bucket::new(now),
        untold: Spent { from, requests: 0, making: 0 },
    }
}

/// An IPv6 customer has a network of 2^64 addresses.
pub(crate) fn network(from: IpAddr) -> IpAddr {
    match from.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

/// A connection that counts.
pub struct DoorGuard {
    visitors: Arc<Visitors>,
    from: IpAddr,
}

impl Drop for DoorGuard {
    fn drop(&mut self) {
        if let Some(visitor) = self.visitors.known().get_mut(&self.from) {
            visitor.connections = visitor.connections.saturating_sub(1);
        }
    }
}

/// A websocket that counts.
pub struct SocketGuard {
    visitors: Arc<Visitors>,
    from: IpAddr,
}

impl Drop for SocketGuard {
    fn drop(&mut self) {
        if let Some(visitor) = self.visitors.known().get_mut(&self.from) {
            visitor.sockets = visitor.sockets.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_has_a_share_of_the_connections() {
        let visitors = Visitors::new(Limits { sockets_each: 1, ..Limits::default() });
        let at = |last| IpAddr::from([10, 0, 0, last]);
        let mut held: Vec<_> = (0..4).map(|_| visitors.connection(at(1))).collect();
        assert!(held.iter().all(Result::is_ok) && visitors.connection(at(1)).is_err());
        assert!(visitors.connection(at(2)).is_ok(), "others are let in");
        visitors.tidy();
        assert!(visitors.connection(at(1)).is_err(), "who is inside is not forgotten");
        held.pop();
        assert!(visitors.connection(at(1)).is_ok());
        let here: Vec<_> = (0..9).map(|_| visitors.connection([127, 0, 0, 1].into())).collect();
        assert!(here.iter().all(Result::is_ok), "this machine's own are not limited");
    }

    #[test]
    fn a_rate_gives_its_burst_and_then_one_a_pause() {
        let rate = Rate::new(3, Duration::from_secs(1));
        let start = Instant::now();
        let mut bucket = Bucket::new(start);
        for _ in 0..3 {
            assert_eq!(bucket.take(rate, start), Ok(()));
        }
        assert_eq!(bucket.take(rate, start), Err(TooFast));
        let later = start + Duration::from_secs(1);
        assert_eq!(bucket.take(rate, later), Ok(()));
        assert_eq!(bucket.take(rate, later), Err(TooFast));
        let much_later = start + Duration::from_secs(100);
        for _ in 0..3 {
            assert_eq!(bucket.take(rate, much_later), Ok(()));
        }
        assert_eq!(bucket.take(rate, much_later), Err(TooFast));
    }

    #[test]
    fn what_is_used_at_one_node_is_missing_at_the_other() {
        let making = Rate::new(3, Duration::from_secs(60));
        let limits = Limits { making, ..Limits::default() };
        let [one, other] = [Visitors::new(limits), Visitors::new(limits)];
        let from: IpAddr = "203.0.113.9".parse().unwrap();
        for _ in 0..2 {
            assert_eq!(one.request(from, Kind::Making), Ok(()));
        }
        assert_eq!(other.request(from, Kind::Making), Ok(()));
        let spent = one.spent();
        assert_eq!(spent, [Spent { from, requests: 0, making: 2 }]);
        assert_eq!(one.spent(), []);
        other.charge(&spent);
        assert_eq!(other.request(from, Kind::Making), Err(TooFast));
        // Never more than the burst: it comes back as it does with one node.
        other.charge(&[Spent { from, requests: 0, making: u32::MAX }]);
        let full = other.known()[&from].making.full;
        assert!(full <= Instant::now() + Duration::from_secs(180));
        assert_eq!(other.request(from, Kind::Request), Ok(()));
    }

    #[test]
    fn a_queue_is_let_in_one_after_another_and_is_only_so_long() {
        let rate = Rate::new(2, Duration::from_secs(1));
        let longest = Duration::from_secs(2);
        let start = Instant::now();
        let mut bucket = Bucket::new(start);
        for wait in [0, 0, 1, 2] {
            assert_eq!(bucket.queue(rate, longest, start), Ok(Duration::from_secs(wait)));
        }
        assert_eq!(bucket.queue(rate, longest, start), Err(TooFast));
        // Who was turned away has taken nobody's place.
        let later = start + Duration::from_secs(1);
        assert_eq!(bucket.queue(rate, longest, later), Ok(longest));
        let much_later = start + Duration::from_secs(100);
        assert_eq!(bucket.queue(rate, longest, much_later), Ok(Duration::ZERO));
    }

    #[test]
    fn an_address_has_so_many_sockets_and_gets_them_back() {
        let visitors = Visitors::new(Limits { sockets_each: 2, ..Limits::default() });
        let from: IpAddr = "203.0.113.9".parse().unwrap();
        let one = visitors.socket(from).ok().unwrap();
        let _two = visitors.socket(from).ok().unwrap();
        assert!(visitors.socket(from).is_err());
        drop(one);
        assert!(visitors.socket(from).is_ok());
        assert!(visitors.socket("127.0.0.1".parse().unwrap()).is_ok());
    }

    #[test]
    fn neighbours_in_one_ipv6_network_count_together() {
        let one = network("2001:db8:1:2::1".parse().unwrap());
        assert_eq!(one, network("2001:db8:1:2:ffff::9".parse().unwrap()));
        assert_ne!(one, network("2001:db8:1:3::1".parse().unwrap()));
        assert_eq!(
            network("::ffff:10.0.0.1".parse().unwrap()),
            "10.0.0.1".parse::<IpAddr>().unwrap()
        );
    }
}
