//! Limits for clients: rates of requests, and numbers of connections, in all and per address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// At most this many addresses per message to the other nodes.
const MOST_SENT: usize = 500;

/// A rate limit: a burst at once, and then one more after each interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// How many are allowed at once.
    pub burst: u32,
    /// The time after which one more is allowed.
    pub every: Duration,
}

impl Rate {
    /// A rate of `burst` at once, and then one per `every`.
    pub const fn new(burst: u32, every: Duration) -> Rate {
        Rate { burst, every }
    }
}

/// How much of a rate has been used, as the time when all of it will be available again.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    full: Instant,
}

impl Bucket {
    /// A bucket of which nothing has been used.
    pub fn new(now: Instant) -> Bucket {
        Bucket { full: now }
    }

    /// Uses one, if one is available.
    pub fn take(&mut self, rate: Rate, now: Instant) -> Result<(), RateLimitError> {
        self.queue(rate, Duration::ZERO, now).map(|_| ())
    }

    /// Uses one and returns how long to wait for it. Uses nothing when that is more than `longest`.
    pub fn queue(
        &mut self,
        rate: Rate,
        longest: Duration,
        now: Instant,
    ) -> Result<Duration, RateLimitError> {
        let full = self.full.max(now) + rate.every;
        let wait = full.duration_since(now).saturating_sub(rate.every * rate.burst);
        if wait > longest {
            return Err(RateLimitError);
        }
        self.full = full;
        Ok(wait)
    }

    /// Counts what was used at another node, at most as much as is left.
    fn charge(&mut self, rate: Rate, used: u32, now: Instant) {
        let full = self.full.max(now) + rate.every * used.min(rate.burst);
        self.full = full.min(now + rate.every * rate.burst);
    }

    fn is_full(&self, now: Instant) -> bool {
        self.full <= now
    }
}

/// A limit is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RateLimitError;

/// The limits of a node, in all and for one address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Connections of all addresses together.
    pub connections: usize,
    /// Websockets from one address.
    pub sockets_each: u32,
    /// Requests from one address.
    pub requests: Rate,
    /// New games, invitations and keys from one address.
    pub making: Rate,
    /// Messages on one websocket.
    pub messages: Rate,
    /// New connections of clients without a seat, of all addresses together. A thousand spectators
    /// who come at once are let in one after another; players do not wait behind them.
    pub watchers: Rate,
    /// The longest time that such a connection waits.
    pub watcher_waits: Duration,
}

impl Limits {
    /// Connections from one address: one for each websocket, and three more for the requests that a
    /// page sends at once.
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
            // Two classes that open the page at the same moment send 8 requests each: 560.
            requests: Rate::new(1_000, Duration::from_millis(10)),
            // And each makes a key and a game, and accepts an invitation: 210.
            making: Rate::new(300, Duration::from_secs(1)),
            messages: Rate::new(30, Duration::from_millis(100)),
            watchers: Rate::new(8, Duration::from_millis(3)),
            watcher_waits: Duration::from_secs(5),
        }
    }
}

/// What an address has used of its rates at one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Usage {
    from: IpAddr,
    requests: u32,
    making: u32,
}

struct Visitor {
    sockets: u32,
    connections: u32,
    requests: Bucket,
    making: Bucket,
    /// Usage that was not sent to the other nodes yet.
    unsent: Usage,
}

/// Counts requests and connections by address.
pub struct Visitors {
    limits: Limits,
    visitors: Mutex<HashMap<IpAddr, Visitor>>,
    watchers: Mutex<Bucket>,
}

/// Which rate a request counts against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Any request.
    Request,
    /// A request that creates something lasting, or a search.
    Making,
}

impl Visitors {
    /// Starts without any address.
    pub fn new(limits: Limits) -> Arc<Visitors> {
        Arc::new(Visitors {
            limits,
            visitors: Mutex::default(),
            watchers: Mutex::new(Bucket::new(Instant::now())),
        })
    }

    /// The limits of this node.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    fn visitors(&self) -> MutexGuard<'_, HashMap<IpAddr, Visitor>> {
        self.visitors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request. Requests from this machine are not limited.
    pub fn request(&self, from: IpAddr, kind: Kind) -> Result<(), RateLimitError> {
        if from.is_loopback() {
            return Ok(());
        }
        let now = Instant::now();
        let mut visitors = self.visitors();
        let from = network(from);
        let visitor = visitors.entry(from).or_insert_with(|| visitor(from, now));
        match kind {
            Kind::Request => {
                visitor.requests.take(self.limits.requests, now)?;
                visitor.unsent.requests += 1;
            }
            Kind::Making => {
                visitor.making.take(self.limits.making, now)?;
                visitor.unsent.making += 1;
            }
        }
        Ok(())
    }

    /// Takes what addresses have used since the last call, to be sent to the other nodes: the
    /// busiest, at most `MOST_SENT`.
    pub fn take_usage(&self) -> Vec<Usage> {
        let mut spent = Vec::new();
        for (&from, visitor) in self.visitors().iter_mut() {
            let nothing = Usage { from, requests: 0, making: 0 };
            let used = std::mem::replace(&mut visitor.unsent, nothing);
            // An address that uses little stays within the limit at every node.
            if used.making > 0 || used.requests > self.limits.requests.burst / 30 {
                spent.push(used);
            }
        }
        spent.sort_by_key(|used| std::cmp::Reverse((used.making, used.requests)));
        spent.truncate(MOST_SENT);
        spent
    }

    /// Counts what addresses have used at another node.
    pub fn charge(&self, spent: &[Usage]) {
        let now = Instant::now();
        let mut visitors = self.visitors();
        for used in spent.iter().take(MOST_SENT).filter(|used| !used.from.is_loopback()) {
            let from = network(used.from);
            let visitor = visitors.entry(from).or_insert_with(|| visitor(from, now));
            visitor.requests.charge(self.limits.requests, used.requests, now);
            visitor.making.charge(self.limits.making, used.making, now);
        }
    }

    /// Queues a new connection without a seat, and returns how long it has to wait.
    pub fn queue_watcher(&self) -> Result<Duration, RateLimitError> {
        let Limits { watchers, watcher_waits, .. } = self.limits;
        let mut bucket = self.watchers.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.queue(watchers, watcher_waits, Instant::now())
    }

    /// Counts a websocket until the guard is dropped.
    pub fn socket(self: &Arc<Visitors>, from: IpAddr) -> Result<SocketGuard, RateLimitError> {
        let from = network(from);
        if !from.is_loopback() {
            let mut visitors = self.visitors();
            let visitor = visitors.entry(from).or_insert_with(|| visitor(from, Instant::now()));
            if visitor.sockets >= self.limits.sockets_each {
                return Err(RateLimitError);
            }
            visitor.sockets += 1;
        }
        Ok(SocketGuard { visitors: self.clone(), from })
    }

    /// Counts a connection of an address until the guard is dropped.
    pub fn connection(
        self: &Arc<Visitors>,
        from: IpAddr,
    ) -> Result<ConnectionGuard, RateLimitError> {
        let from = network(from);
        if !from.is_loopback() {
            let mut visitors = self.visitors();
            let visitor = visitors.entry(from).or_insert_with(|| visitor(from, Instant::now()));
            if visitor.connections >= self.limits.connections_each() {
                return Err(RateLimitError);
            }
            visitor.connections += 1;
        }
        Ok(ConnectionGuard { visitors: self.clone(), from })
    }

    /// Removes addresses without connections whose rates are fully available again.
    pub fn tidy(&self) {
        let now = Instant::now();
        self.visitors().retain(|_, visitor| {
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
        unsent: Usage { from, requests: 0, making: 0 },
    }
}

/// What counts as one address: an IPv4 address, or the /64 network of an IPv6 address, since an
/// IPv6 customer has 2^64 addresses.
pub(crate) fn network(from: IpAddr) -> IpAddr {
    match from.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

/// Counts a connection until it is dropped.
pub struct ConnectionGuard {
    visitors: Arc<Visitors>,
    from: IpAddr,
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        if let Some(visitor) = self.visitors.visitors().get_mut(&self.from) {
            visitor.connections = visitor.connections.saturating_sub(1);
        }
    }
}

/// Counts a websocket until it is dropped.
pub struct SocketGuard {
    visitors: Arc<Visitors>,
    from: IpAddr,
}

impl Drop for SocketGuard {
    fn drop(&mut self) {
        if let Some(visitor) = self.visitors.visitors().get_mut(&self.from) {
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
        assert_eq!(bucket.take(rate, start), Err(RateLimitError));
        let later = start + Duration::from_secs(1);
        assert_eq!(bucket.take(rate, later), Ok(()));
        assert_eq!(bucket.take(rate, later), Err(RateLimitError));
        let much_later = start + Duration::from_secs(100);
        for _ in 0..3 {
            assert_eq!(bucket.take(rate, much_later), Ok(()));
        }
        assert_eq!(bucket.take(rate, much_later), Err(RateLimitError));
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
        let spent = one.take_usage();
        assert_eq!(spent, [Usage { from, requests: 0, making: 2 }]);
        assert_eq!(one.take_usage(), []);
        other.charge(&spent);
        assert_eq!(other.request(from, Kind::Making), Err(RateLimitError));
        // Never more than the burst: the wait is as long as with one node.
        other.charge(&[Usage { from, requests: 0, making: u32::MAX }]);
        let full = other.visitors()[&from].making.full;
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
        assert_eq!(bucket.queue(rate, longest, start), Err(RateLimitError));
        // A client that was turned away has used nothing.
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
