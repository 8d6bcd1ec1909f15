//! What all players share: the server, who is ready to move, what has been counted.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use hdrhistogram::Histogram;
use tokio::sync::mpsc::UnboundedSender;

use crate::report::{self, Latency};

/// How often those who wait look.
const LOOK: Duration = Duration::from_millis(2);

/// What a player is told to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Make your move; it was meant for this moment.
    Move(Instant),
    /// Drop your connection and come back.
    Reconnect,
    /// Go home.
    Leave,
}

/// Numbers that only grow.
#[derive(Debug, Default)]
pub struct Tally {
    /// Commands that were acknowledged.
    pub acknowledged: AtomicU64,
    /// Moves among them.
    pub moves: AtomicU64,
    /// Connections that were welcomed.
    pub welcomed: AtomicU64,
    /// Games that ended.
    pub ended: AtomicU64,
    /// Games that followed as a rematch.
    pub rematches: AtomicU64,
    /// Commands that were sent again after a lost connection.
    pub resent: AtomicU64,
    /// Snapshots that were sent.
    pub snapshots: AtomicU64,
    /// The longest that a move took, in milliseconds, whether it was measured or not.
    pub slowest: AtomicU64,
}

/// Adds one.
pub fn add(number: &AtomicU64) {
    number.fetch_add(1, Ordering::Relaxed);
}

/// What all players share.
pub struct Floor {
    /// Where the server is, or all of them: whoever loses one goes to the next.
    pub servers: Vec<SocketAddr>,
    /// A player that waits longer for an answer goes to another server (see `patience()`).
    pub patience: Option<Duration>,
    /// What has been counted.
    pub tally: Tally,
    /// Games end after so many events: whoever is to move then resigns.
    pub longest: u64,
    /// Whether every connection shall be written down for an audit.
    pub keeps_journals: bool,
    orders: OnceLock<Vec<UnboundedSender<Order>>>,
    ready: Mutex<Vec<u32>>,
    latency: Mutex<Histogram<u64>>,
    /// When the last move of each pair was meant to be made, in microseconds since the start.
    meant: OnceLock<Vec<AtomicU64>>,
    start: Instant,
    crossing: Mutex<Histogram<u64>>,
    stalls: Mutex<Histogram<u64>>,
    measuring: AtomicBool,
    connected: AtomicU64,
    expects_losses: AtomicBool,
    troubles: Mutex<BTreeMap<String, u64>>,
    losses: Mutex<BTreeMap<String, u64>>,
    journals: Mutex<Vec<crate::player::Journal>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Floor {
    /// An empty floor.
    pub fn new(server: SocketAddr, longest: u64) -> Floor {
        Floor::over(vec![server], longest)
    }

    /// The same over several servers.
    pub fn over(servers: Vec<SocketAddr>, longest: u64) -> Floor {
        Floor {
            servers,
            patience: None,
            tally: Tally::default(),
            longest,
            keeps_journals: false,
            orders: OnceLock::new(),
            ready: Mutex::default(),
            latency: Mutex::new(report::histogram()),
            meant: OnceLock::new(),
            start: Instant::now(),
            crossing: Mutex::new(report::histogram()),
            stalls: Mutex::new(report::histogram()),
            measuring: AtomicBool::new(false),
            connected: AtomicU64::new(0),
            expects_losses: AtomicBool::new(false),
            troubles: Mutex::default(),
            losses: Mutex::default(),
            journals: Mutex::default(),
        }
    }

    /// How orders reach the players, by their numbers. Once.
    pub fn reach(&self, orders: Vec<UnboundedSender<Order>>) {
        let pairs = orders.len().div_ceil(2);
        let _ = self.meant.set((0..pairs).map(|_| AtomicU64::new(0)).collect());
        let _ = self.orders.set(orders);
    }

    fn players(&self) -> &[UnboundedSender<Order>] {
        self.orders.get().map_or(&[], Vec::as_slice)
    }

    /// The server at a place; those beyond the last begin anew.
    ///
    /// # Panics
    ///
    /// When there is no server at all.
    pub fn server(&self, place: usize) -> SocketAddr {
        self.servers[place % self.servers.len()]
    }

    fn pair(&self, player: u32) -> Option<&AtomicU64> {
        self.meant.get()?.get(player as usize / 2)
    }

    /// Two who play each other have neighbouring numbers: one of them makes a move that was meant
    /// for then, or one that is not measured.
    pub fn makes(&self, player: u32, meant: Option<Instant>) {
        if let Some(pair) = self.pair(player) {
            let since = meant.map_or(Duration::ZERO, |meant| meant - self.start);
            pair.store(u64::try_from(since.as_micros()).unwrap_or(0), Ordering::Relaxed);
        }
    }

    /// The other sees the move.
    pub fn sees(&self, player: u32) {
        let meant = self.pair(player).map_or(0, |pair| pair.swap(0, Ordering::Relaxed));
        if meant > 0 && self.measuring.load(Ordering::Relaxed) {
            let meant = self.start + Duration::from_micros(meant);
            report::count(&mut lock(&self.crossing), meant.elapsed());
        }
    }

    /// From when moves were meant until the opponents saw them.
    pub fn crossing(&self) -> Latency {
        Latency::of(&lock(&self.crossing))
    }

    /// Something was done after all that had to be sent again.
    pub fn stalled(&self, time: Duration) {
        report::count(&mut lock(&self.stalls), time);
    }

    /// How long it took until what had to be sent again was done.
    pub fn stalls(&self) -> Latency {
        Latency::of(&lock(&self.stalls))
    }

    /// Gives an order; whoever has gone home hears none.
    pub fn order(&self, player: u32, order: Order) {
        if let Some(player) = self.players().get(player as usize) {
            let _ = player.send(order);
        }
    }

    /// Gives an order to all.
    pub fn order_all(&self, order: Order) {
        for player in self.players() {
            let _ = player.send(order);
        }
    }

    /// A player could move.
    pub fn is_ready(&self, player: u32) {
        lock(&self.ready).push(player);
    }

    /// Somebody who could move, drawn from all who could.
    pub fn draw(&self, random: &mut fastrand::Rng) -> Option<u32> {
        let mut ready = lock(&self.ready);
        if ready.is_empty() {
            return None;
        }
        let at = random.usize(..ready.len());
        Some(ready.swap_remove(at))
    }

    /// How many could move.
    pub fn waiting(&self) -> usize {
        lock(&self.ready).len()
    }

    /// Whether latencies count from now on; those before are forgotten.
    pub fn measure(&self) {
        lock(&self.latency).reset();
        lock(&self.crossing).reset();
        self.measuring.store(true, Ordering::Relaxed);
    }

    /// Counts a latency.
    pub fn measured(&self, latency: Duration) {
        let millis = u64::try_from(latency.as_millis()).unwrap_or(u64::MAX);
        self.tally.slowest.fetch_max(millis, Ordering::Relaxed);
        if self.measuring.load(Ordering::Relaxed) {
            report::count(&mut lock(&self.latency), latency);
        }
    }

    /// The latencies so far.
    pub fn latency(&self) -> Latency {
        Latency::of(&lock(&self.latency))
    }

    /// The same, one by one.
    pub fn latencies(&self) -> Histogram<u64> {
        lock(&self.latency).clone()
    }

    /// A connection is there.
    pub fn arrived(&self) {
        self.connected.fetch_add(1, Ordering::Relaxed);
        add(&self.tally.welcomed);
    }

    /// A connection is gone.
    pub fn parted(&self) {
        self.connected.fetch_sub(1, Ordering::Relaxed);
    }

    /// How many connections there are.
    pub fn connected(&self) -> u64 {
        self.connected.load(Ordering::Relaxed)
    }

    /// Waits until the players of so many games are back, and each game could have gone on since.
    ///
    /// # Errors
    ///
    /// When that takes too long.
    pub async fn goes_on(&self, games: usize, longest: Duration) -> Result<()> {
        let moves = || self.tally.moves.load(Ordering::Relaxed);
        let (begin, enough) = (Instant::now(), moves() + games as u64);
        self.all_back(games, longest).await?;
        while moves() < enough {
            ensure!(begin.elapsed() < longest, "games do not go on: {}", self.story());
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    /// Waits until the players of so many games are connected.
    ///
    /// # Errors
    ///
    /// When that takes too long.
    pub async fn all_back(&self, games: usize, longest: Duration) -> Result<()> {
        let (begin, all) = (Instant::now(), 2 * games as u64);
        // Those who are between two games of a series are not connected for a moment.
        while self.connected() < all - all / 20 {
            let back = self.connected();
            ensure!(begin.elapsed() < longest, "{back} of {all} are back: {}", self.story());
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    /// Waits until nobody has anything under way.
    ///
    /// # Errors
    ///
    /// When that takes too long.
    pub async fn quiet(&self, longest: Duration) -> Result<()> {
        let begin = Instant::now();
        let mut last = (0, Instant::now());
        while last.1.elapsed() < Duration::from_millis(500) {
            let now = self.tally.acknowledged.load(Ordering::Relaxed);
            if now != last.0 {
                last = (now, Instant::now());
            }
            ensure!(begin.elapsed() < longest, "it does not get quiet: {}", self.story());
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    /// What went wrong so far.
    fn story(&self) -> String {
        format!("{:?} {:?}", self.troubles(), self.losses())
    }

    /// Something that should not be.
    pub fn trouble(&self, what: impl Into<String>) {
        *lock(&self.troubles).entry(what.into()).or_default() += 1;
    }

    /// How long an answer is waited for: longer as long as nothing is broken on purpose, since a busy
    /// machine is late by itself.
    pub fn patience(&self) -> Option<Duration> {
        let expects_losses = self.expects_losses.load(Ordering::Relaxed);
        self.patience.map(|patience| patience * if expects_losses { 1 } else { 15 })
    }

    /// From now on the server may go away: connections that break are no trouble.
    pub fn expect_losses(&self) {
        self.expects_losses.store(true, Ordering::Relaxed);
    }

    /// From now on connections that break are a trouble.
    pub fn expect_no_losses(&self) {
        self.expects_losses.store(false, Ordering::Relaxed);
    }

    /// A connection broke, or was not made.
    pub fn lost(&self, why: String) {
        if self.expects_losses.load(Ordering::Relaxed) {
            *lock(&self.losses).entry(why).or_default() += 1;
        } else {
            self.trouble(why);
        }
    }

    /// Connections that broke when it was expected, with how often.
    pub fn losses(&self) -> BTreeMap<String, u64> {
        lock(&self.losses).clone()
    }

    /// All that should not be, with how often it was.
    pub fn troubles(&self) -> BTreeMap<String, u64> {
        lock(&self.troubles).clone()
    }

    /// Keeps what a player has seen of a game.
    pub fn keep(&self, journal: crate::player::Journal) {
        if self.keeps_journals {
            lock(&self.journals).push(journal);
        }
    }

    /// All that was kept.
    pub fn journals(&self) -> Vec<crate::player::Journal> {
        std::mem::take(&mut *lock(&self.journals))
    }
}
