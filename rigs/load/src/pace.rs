//! Orders moves at a given rate, independently of the server's speed.
//!
//! A latency counts from the moment at which a move was *due*. So all the moves of a second in
//! which the server stalls measure the stall, not only one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::coordinator::{Coordinator, Order};

/// Interval between two checks for a player that is ready.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

struct Shared {
    stop: AtomicBool,
    paused: AtomicBool,
    sent: AtomicU64,
    /// Moves a second, in thousandths.
    rate: AtomicU64,
}

/// A thread that orders moves at random moments, with a given mean rate.
pub struct Pace {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Pace {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// When the thread cannot be started.
    pub fn start(coordinator: Arc<Coordinator>, rate: f64, seed: u64) -> std::io::Result<Pace> {
        let shared = Arc::new(Shared {
            stop: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            sent: AtomicU64::new(0),
            rate: AtomicU64::new(thousandths(rate)),
        });
        let theirs = shared.clone();
        let thread = std::thread::Builder::new()
            .name("pace".to_owned())
            .spawn(move || run(&coordinator, &theirs, seed))?;
        Ok(Pace { shared, thread: Some(thread) })
    }

    /// The number of moves ordered so far.
    pub fn orders_sent(&self) -> u64 {
        self.shared.sent.load(Ordering::Relaxed)
    }

    /// Changes the rate (moves a second).
    pub fn set_rate(&self, rate: f64) {
        self.shared.rate.store(thousandths(rate), Ordering::Relaxed);
    }

    /// Orders no moves until [`Pace::resume`]; those due in between are dropped.
    pub fn pause(&self) {
        self.shared.paused.store(true, Ordering::Relaxed);
    }

    /// Continues after [`Pace::pause`].
    pub fn resume(&self) {
        self.shared.paused.store(false, Ordering::Relaxed);
    }
}

impl Drop for Pace {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn thousandths(rate: f64) -> u64 {
    // The cast saturates: a negative rate becomes 0.
    (rate * 1_000.0) as u64
}

fn run(coordinator: &Coordinator, shared: &Shared, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut due = Instant::now();
    while !shared.stop.load(Ordering::Relaxed) {
        if shared.paused.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
            due = Instant::now();
            continue;
        }
        let now = Instant::now();
        if due > now {
            std::thread::sleep((due - now).min(Duration::from_millis(10)));
            continue;
        }
        let Some(player) = coordinator.take_ready(&mut random) else {
            std::thread::sleep(POLL_INTERVAL);
            continue;
        };
        coordinator.order(player, Order::Move(due));
        shared.sent.fetch_add(1, Ordering::Relaxed);
        due += gap(shared.rate.load(Ordering::Relaxed), &mut random);
    }
}

/// The time until the next move, exponentially distributed (a Poisson process).
fn gap(thousandths: u64, random: &mut fastrand::Rng) -> Duration {
    let rate = thousandths.max(1) as f64 / 1_000.0;
    let uniform = 1.0 - random.f64();
    Duration::from_secs_f64((-uniform.ln() / rate).min(60.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_gap_is_the_rate() {
        let mut random = fastrand::Rng::with_seed(7);
        let sum: Duration = (0..100_000).map(|_| gap(5_000_000, &mut random)).sum();
        let mean = sum.as_secs_f64() / 100_000.0;
        assert!((mean * 5_000.0 - 1.0).abs() < 0.02, "{mean}");
    }
}
