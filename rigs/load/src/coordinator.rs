//! What all players share: the servers, the queue of players that are ready to move, the counters.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use hdrhistogram::Histogram;
use tokio::sync::mpsc::UnboundedSender;

use crate::report::{self, Latency};

/// Interval between two checks of a waiting function.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// An order to a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Send the chosen move, which was due at this moment.
    Move(Instant),
    /// Drop the connection and reconnect.
    Reconnect,
    /// Disconnect and end.
    Leave,
}

/// Counters of a run.
#[derive(Debug, Default)]
pub struct Tally {
    /// Commands that were acknowledged.
    pub acknowledged: AtomicU64,
    /// Moves that were acknowledged.
    pub moves: AtomicU64,
    /// Welcomes that were received.
    pub welcomed: AtomicU64,
    /// Games that ended.
    pub ended: AtomicU64,
    /// Rematches that were entered, counted once per player.
    pub rematches: AtomicU64,
    /// Commands that were sent again after a lost connection.
    pub resent: AtomicU64,
    /// Snapshots that were received.
    pub snapshots: AtomicU64,
    /// The longest latency of a move in milliseconds, also outside of measurements.
    pub slowest: AtomicU64,
}

/// Increments a counter.
pub fn add(number: &AtomicU64) {
    number.fetch_add(1, Ordering::Relaxed);
}

/// What all players share.
pub struct Coordinator {
    /// The servers' addresses. A player that loses one connects to the next.
    pub servers: Vec<SocketAddr>,
    /// Timeout of an answer, after which a player goes to another server (see `answer_timeout()`).
    pub timeout: Option<Duration>,
    /// The counters.
    pub tally: Tally,
    /// The player to move resigns once the game has this many events.
    pub longest: u64,
    /// True if players keep journals for an audit.
    pub keeps_journals: bool,
    orders: OnceLock<Vec<UnboundedSender<Order>>>,
    ready: Mutex<Vec<u32>>,
    latency: Mutex<Histogram<u64>>,
    /// When the last measured move of each pair was due, in microseconds since the start; 0 for
    /// none.
    meant: OnceLock<Vec<AtomicU64>>,
    start: Instant,
    crossing: Mutex<Histogram<u64>>,
    stalls: Mutex<Histogram<u64>>,
    measuring: AtomicBool,
    connected: AtomicU64,
    expects_losses: AtomicBool,
    problems: Mutex<BTreeMap<String, u64>>,
    losses: Mutex<BTreeMap<String, u64>>,
    journals: Mutex<Vec<crate::player::Journal>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Coordinator {
    /// For players of one server.
    pub fn new(server: SocketAddr, longest: u64) -> Coordinator {
        Coordinator::over(vec![server], longest)
    }

    /// For players of several servers.
    pub fn over(servers: Vec<SocketAddr>, longest: u64) -> Coordinator {
        Coordinator {
            servers,
            timeout: None,
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
            problems: Mutex::default(),
            losses: Mutex::default(),
            journals: Mutex::default(),
        }
    }

    /// Sets the players' order channels, by player number. To be called once.
    pub fn set_orders(&self, orders: Vec<UnboundedSender<Order>>) {
        let pairs = orders.len().div_ceil(2);
        let _ = self.meant.set((0..pairs).map(|_| AtomicU64::new(0)).collect());
        let _ = self.orders.set(orders);
    }

    fn players(&self) -> &[UnboundedSender<Order>] {
        self.orders.get().map_or(&[], Vec::as_slice)
    }

    /// The server at an index, modulo the number of servers.
    ///
    /// # Panics
    ///
    /// When there is no server at all.
    pub fn server(&self, index: usize) -> SocketAddr {
        self.servers[index % self.servers.len()]
    }

    fn pair(&self, player: u32) -> Option<&AtomicU64> {
        self.meant.get()?.get(player as usize / 2)
    }

    /// Records that a player sends a move that was due at `meant`, or a move that is not measured.
    /// Opponents have the numbers 2n and 2n + 1.
    pub fn record_move_sent(&self, player: u32, meant: Option<Instant>) {
        if let Some(pair) = self.pair(player) {
            let since = meant.map_or(Duration::ZERO, |meant| meant - self.start);
            pair.store(u64::try_from(since.as_micros()).unwrap_or(0), Ordering::Relaxed);
        }
    }

    /// Records that the opponent's move has arrived at a player.
    pub fn record_move_seen(&self, player: u32) {
        let meant = self.pair(player).map_or(0, |pair| pair.swap(0, Ordering::Relaxed));
        if meant > 0 && self.measuring.load(Ordering::Relaxed) {
            let meant = self.start + Duration::from_micros(meant);
            report::count(&mut lock(&self.crossing), meant.elapsed());
        }
    }

    /// Latency from when moves were due until the opponents received them.
    pub fn crossing(&self) -> Latency {
        Latency::of(&lock(&self.crossing))
    }

    /// Records how long a command took that had to be sent again.
    pub fn record_stall(&self, time: Duration) {
        report::count(&mut lock(&self.stalls), time);
    }

    /// How long commands took that had to be sent again.
    pub fn stalls(&self) -> Latency {
        Latency::of(&lock(&self.stalls))
    }

    /// Sends an order to a player; ignored if the player has ended.
    pub fn order(&self, player: u32, order: Order) {
        if let Some(player) = self.players().get(player as usize) {
            let _ = player.send(order);
        }
    }

    /// Sends an order to all players.
    pub fn order_all(&self, order: Order) {
        for player in self.players() {
            let _ = player.send(order);
        }
    }

    /// Adds a player to those that are ready to move.
    pub fn mark_ready(&self, player: u32) {
        lock(&self.ready).push(player);
    }

    /// Takes a random player out of those that are ready to move.
    pub fn take_ready(&self, random: &mut fastrand::Rng) -> Option<u32> {
        let mut ready = lock(&self.ready);
        if ready.is_empty() {
            return None;
        }
        let at = random.usize(..ready.len());
        Some(ready.swap_remove(at))
    }

    /// The number of players that are ready to move.
    pub fn ready_count(&self) -> usize {
        lock(&self.ready).len()
    }

    /// Starts a measurement: earlier latencies are dropped.
    pub fn start_measuring(&self) {
        lock(&self.latency).reset();
        lock(&self.crossing).reset();
        self.measuring.store(true, Ordering::Relaxed);
    }

    /// Records the latency of a move.
    pub fn record_latency(&self, latency: Duration) {
        let millis = u64::try_from(latency.as_millis()).unwrap_or(u64::MAX);
        self.tally.slowest.fetch_max(millis, Ordering::Relaxed);
        if self.measuring.load(Ordering::Relaxed) {
            report::count(&mut lock(&self.latency), latency);
        }
    }

    /// The summary of the latencies since the measurement began.
    pub fn latency(&self) -> Latency {
        Latency::of(&lock(&self.latency))
    }

    /// The histogram of the latencies since the measurement began.
    pub fn latencies(&self) -> Histogram<u64> {
        lock(&self.latency).clone()
    }

    /// Counts a connection that was welcomed.
    pub fn record_connected(&self) {
        self.connected.fetch_add(1, Ordering::Relaxed);
        add(&self.tally.welcomed);
    }

    /// Counts a connection that has ended.
    pub fn record_disconnected(&self) {
        self.connected.fetch_sub(1, Ordering::Relaxed);
    }

    /// The number of open connections.
    pub fn connected(&self) -> u64 {
        self.connected.load(Ordering::Relaxed)
    }

    /// Waits until the players of this many games are connected, and then for as many moves in
    /// total as there are games.
    ///
    /// # Errors
    ///
    /// When it takes longer than `longest`.
    pub async fn wait_for_moves(&self, games: usize, longest: Duration) -> Result<()> {
        let moves = || self.tally.moves.load(Ordering::Relaxed);
        let (begin, enough) = (Instant::now(), moves() + games as u64);
        self.wait_for_connections(games, longest).await?;
        while moves() < enough {
            ensure!(begin.elapsed() < longest, "games do not go on: {}", self.describe_problems());
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Waits until 95 % of the players of this many games are connected.
    ///
    /// # Errors
    ///
    /// When it takes longer than `longest`.
    pub async fn wait_for_connections(&self, games: usize, longest: Duration) -> Result<()> {
        let (begin, all) = (Instant::now(), 2 * games as u64);
        // Players between two games of a series are not connected for a moment.
        while self.connected() < all - all / 20 {
            let back = self.connected();
            ensure!(
                begin.elapsed() < longest,
                "{back} of {all} are back: {}",
                self.describe_problems()
            );
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Waits until no command was acknowledged for half a second.
    ///
    /// # Errors
    ///
    /// When it takes longer than `longest`.
    pub async fn wait_until_quiet(&self, longest: Duration) -> Result<()> {
        let begin = Instant::now();
        let mut last = (0, Instant::now());
        while last.1.elapsed() < Duration::from_millis(500) {
            let now = self.tally.acknowledged.load(Ordering::Relaxed);
            if now != last.0 {
                last = (now, Instant::now());
            }
            ensure!(
                begin.elapsed() < longest,
                "it does not get quiet: {}",
                self.describe_problems()
            );
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// All problems so far, for an error message.
    fn describe_problems(&self) -> String {
        format!("{:?} {:?}", self.problems(), self.losses())
    }

    /// Counts a problem that makes the run fail.
    pub fn record_problem(&self, what: impl Into<String>) {
        *lock(&self.problems).entry(what.into()).or_default() += 1;
    }

    /// The timeout of an answer: 15 times longer unless faults are injected, since a busy machine
    /// is late by itself.
    pub fn answer_timeout(&self) -> Option<Duration> {
        let expects_losses = self.expects_losses.load(Ordering::Relaxed);
        self.timeout.map(|timeout| timeout * if expects_losses { 1 } else { 15 })
    }

    /// From now on connections may break: they count as losses, not as problems.
    pub fn expect_losses(&self) {
        self.expects_losses.store(true, Ordering::Relaxed);
    }

    /// From now on a connection that breaks is a problem.
    pub fn expect_no_losses(&self) {
        self.expects_losses.store(false, Ordering::Relaxed);
    }

    /// Counts a connection that broke or could not be made.
    pub fn record_loss(&self, why: String) {
        if self.expects_losses.load(Ordering::Relaxed) {
            *lock(&self.losses).entry(why).or_default() += 1;
        } else {
            self.record_problem(why);
        }
    }

    /// Counts of connections that broke while that was expected, by reason.
    pub fn losses(&self) -> BTreeMap<String, u64> {
        lock(&self.losses).clone()
    }

    /// Counts of problems, by their text.
    pub fn problems(&self) -> BTreeMap<String, u64> {
        lock(&self.problems).clone()
    }

    /// Keeps a player's journal of a game.
    pub fn keep_journal(&self, journal: crate::player::Journal) {
        if self.keeps_journals {
            lock(&self.journals).push(journal);
        }
    }

    /// Takes all kept journals.
    pub fn take_journals(&self) -> Vec<crate::player::Journal> {
        std::mem::take(&mut *lock(&self.journals))
    }
}
