//! The server's time: milliseconds since 1970 that never go backwards.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use hansu_play::Millis;
use hansu_records::{Error, Store};

/// A change of the log's clock by more than this many milliseconds must be confirmed by the next
/// measurement.
const JUMP: i64 = 500;
/// Queries per measurement; the one with the shortest round trip counts.
const SAMPLES: usize = 5;

/// A clock that is set once and then runs by itself: no player gains or loses time when the
/// machine's clock is changed. Nodes that share a log follow the log's clock.
#[derive(Clone, Debug)]
pub struct Clock {
    base: Millis,
    since: Instant,
    pace: u32,
    shared: Option<Arc<Shared>>,
}

/// The state of a clock that follows the log's.
#[derive(Debug, Default)]
struct Shared {
    /// By how many milliseconds the log's clock is ahead of this one.
    ahead: AtomicI64,
    /// The latest time that was returned, in milliseconds: nothing earlier is returned again.
    latest: AtomicU64,
    state: Mutex<ClockState>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum ClockState {
    #[default]
    Unmeasured,
    Good,
    /// The last measurement differed by more than `JUMP` and is not confirmed yet.
    Jumped {
        ahead: i64,
    },
}

/// Why a clock cannot be trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Doubt {
    /// It was never compared with the log's clock.
    Unmeasured,
    /// The difference to the log's clock has changed between two measurements.
    Jumped {
        /// By how many milliseconds.
        by: i64,
    },
}

impl Clock {
    /// A clock set by the machine's.
    pub fn start() -> Clock {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Clock { base: millis(wall), since: Instant::now(), pace: 1, shared: None }
    }

    /// The same clock, set forward: a test does not have to wait for a week.
    #[must_use]
    pub fn ahead(self, by: Millis) -> Clock {
        Clock { base: self.base.plus(by), ..self }
    }

    /// The same clock, running `pace` times as fast.
    #[must_use]
    pub fn times(self, pace: u32) -> Clock {
        Clock { pace, ..self }
    }

    /// The same clock, following the log's from its first measurement on.
    #[must_use]
    pub(crate) fn following(self) -> Clock {
        Clock { shared: Some(Arc::default()), ..self }
    }

    /// The current time; never earlier than what was returned before.
    pub fn now(&self) -> Millis {
        let own = self.own();
        let Some(shared) = &self.shared else { return own };
        let now = own.0.saturating_add_signed(shared.ahead.load(Ordering::Relaxed));
        Millis(shared.latest.fetch_max(now, Ordering::Relaxed).max(now))
    }

    fn own(&self) -> Millis {
        self.base.plus(millis(self.since.elapsed() * self.pace))
    }

    /// By how many milliseconds the followed log's clock is ahead of this one. None when no log's
    /// clock is followed.
    pub(crate) fn offset(&self) -> Option<i64> {
        self.shared.as_ref().map(|shared| shared.ahead.load(Ordering::Relaxed))
    }

    /// Compares with the log's clock and follows it. A jump of the log's clock is followed only
    /// when the next measurement confirms it.
    ///
    /// # Errors
    ///
    /// When the log does not answer.
    pub(crate) fn measure(&self, store: &dyn Store) -> Result<(), Error> {
        let mut best: Option<(Duration, i64)> = None;
        for _ in 0..SAMPLES {
            let asked = Instant::now();
            let there = store.clock()?;
            let trip = asked.elapsed();
            let ahead = there + signed(millis(trip / 2)) - signed(self.own());
            if best.is_none_or(|(shortest, _)| trip < shortest) {
                best = Some((trip, ahead));
            }
        }
        if let Some((trip, ahead)) = best {
            self.take_measurement(ahead, signed(millis(trip / 2)) + 1);
        }
        Ok(())
    }

    /// Takes a measurement that may be wrong by `error` milliseconds.
    fn take_measurement(&self, ahead: i64, error: i64) {
        let Some(shared) = &self.shared else { return };
        let mut state = shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        let near = |known: i64, most: i64| ahead.abs_diff(known) <= most.unsigned_abs();
        let followed = shared.ahead.load(Ordering::Relaxed);
        match *state {
            // A difference within the error of measurement is not followed.
            ClockState::Good if near(followed, error) => {}
            ClockState::Unmeasured => shared.ahead.store(ahead, Ordering::Relaxed),
            ClockState::Good | ClockState::Jumped { .. } if near(followed, JUMP) => {
                shared.ahead.store(ahead, Ordering::Relaxed);
            }
            ClockState::Jumped { ahead: before } if near(before, JUMP) => {
                shared.ahead.store(ahead, Ordering::Relaxed);
            }
            ClockState::Good | ClockState::Jumped { .. } => {
                *state = ClockState::Jumped { ahead };
                return;
            }
        }
        *state = ClockState::Good;
    }

    /// Why it cannot be trusted at the moment. None when it can.
    pub(crate) fn doubt(&self) -> Option<Doubt> {
        let shared = self.shared.as_ref()?;
        match *shared.state.lock().unwrap_or_else(PoisonError::into_inner) {
            ClockState::Good => None,
            ClockState::Unmeasured => Some(Doubt::Unmeasured),
            ClockState::Jumped { ahead } => {
                Some(Doubt::Jumped { by: ahead - shared.ahead.load(Ordering::Relaxed) })
            }
        }
    }
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::start()
    }
}

/// Converts a duration to milliseconds.
pub(crate) fn millis(time: Duration) -> Millis {
    Millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

fn signed(time: Millis) -> i64 {
    i64::try_from(time.0).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_follows_the_logs_and_never_goes_backwards() {
        let clock = Clock::start().following();
        let own = clock.own();
        assert_eq!(clock.doubt(), Some(Doubt::Unmeasured));
        clock.take_measurement(10_000, 1);
        assert_eq!(clock.doubt(), None);
        let first = clock.now();
        assert!(first >= own.plus(Millis(10_000)) && first < own.plus(Millis(15_000)));
        clock.take_measurement(9_800, 1);
        assert_eq!((clock.doubt(), clock.offset()), (None, Some(9_800)));
        assert!(clock.now() >= first);
        // Within the error nothing changes.
        clock.take_measurement(9_803, 5);
        assert_eq!(clock.offset(), Some(9_800));
    }

    #[test]
    fn a_jump_is_believed_when_it_is_confirmed() {
        let clock = Clock::start().following();
        clock.take_measurement(0, 1);
        clock.take_measurement(7_000, 1);
        assert_eq!((clock.doubt(), clock.offset()), (Some(Doubt::Jumped { by: 7_000 }), Some(0)));
        // A jump that is not confirmed is forgotten.
        clock.take_measurement(3, 1);
        assert_eq!((clock.doubt(), clock.offset()), (None, Some(3)));
        clock.take_measurement(-9_000, 1);
        clock.take_measurement(-8_990, 1);
        assert_eq!((clock.doubt(), clock.offset()), (None, Some(-8_990)));
    }

    #[test]
    fn a_clock_alone_is_never_in_doubt() {
        let clock = Clock::start();
        clock.take_measurement(7_000, 1);
        assert_eq!((clock.doubt(), clock.offset()), (None, None));
    }
}
