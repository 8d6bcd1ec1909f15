//! Who moves when: moves at a rate, whatever the server does meanwhile.
//!
//! A latency counts from the moment for which a move was *meant*. A server that stalls for a
//! second is so measured by all the moves of that second and not by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::floor::{Floor, Order};

/// How long to wait for somebody to be ready.
const LOOK: Duration = Duration::from_micros(200);

struct Shared {
    stop: AtomicBool,
    paused: AtomicBool,
    sent: AtomicU64,
    /// Moves a second, in thousandths.
    rate: AtomicU64,
}

/// A thread that lets players move at random moments, so many a second on average.
pub struct Pace {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Pace {
    /// Starts.
    ///
    /// # Errors
    ///
    /// When there are no more threads.
    pub fn start(floor: Arc<Floor>, rate: f64, seed: u64) -> std::io::Result<Pace> {
        let shared = Arc::new(Shared {
            stop: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            sent: AtomicU64::new(0),
            rate: AtomicU64::new(thousandths(rate)),
        });
        let theirs = shared.clone();
        let thread = std::thread::Builder::new()
            .name("pace".to_owned())
            .spawn(move || run(&floor, &theirs, seed))?;
        Ok(Pace { shared, thread: Some(thread) })
    }

    /// Moves that were ordered so far.
    pub fn ordered(&self) -> u64 {
        self.shared.sent.load(Ordering::Relaxed)
    }

    /// Another rate.
    pub fn rate(&self, rate: f64) {
        self.shared.rate.store(thousandths(rate), Ordering::Relaxed);
    }

    /// Nobody moves until [`Pace::resume`]; what was meant for the time between is dropped.
    pub fn pause(&self) {
        self.shared.paused.store(true, Ordering::Relaxed);
    }

    /// On it goes.
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
    // Nobody asks for 10^16 moves a second, and a negative rate is none.
    (rate * 1_000.0) as u64
}

fn run(floor: &Floor, shared: &Shared, seed: u64) {
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
        let Some(player) = floor.draw(&mut random) else {
            std::thread::sleep(LOOK);
            continue;
        };
        floor.order(player, Order::Move(due));
        shared.sent.fetch_add(1, Ordering::Relaxed);
        due += gap(shared.rate.load(Ordering::Relaxed), &mut random);
    }
}

/// The time until the next move: moments without memory, as people come (Poisson).
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
