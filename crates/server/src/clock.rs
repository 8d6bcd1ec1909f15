//! The server's time: milliseconds since 1970 that never go backwards.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use hansu_play::Millis;
use hansu_records::{Error, Store};

/// A log's clock that is suddenly so far from where it was is not believed at once.
const JUMP: i64 = 500;
/// How often the log is asked for one measurement: the quickest answer counts.
const SAMPLES: usize = 5;

/// A clock that is set once and then runs by itself: when somebody turns the machine's clock, no
/// player gains or loses time. Nodes that share a log follow the log's clock.
#[derive(Clone, Debug)]
pub struct Clock {
    base: Millis,
    since: Instant,
    pace: u32,
    shared: Option<Arc<Shared>>,
}

/// How a clock follows the log's.
#[derive(Debug, Default)]
struct Shared {
    /// The log's clock is so many milliseconds ahead of this one.
    ahead: AtomicI64,
    /// What was shown last: nothing earlier is shown again.
    shown: AtomicU64,
    judged: Mutex<Judged>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Judged {
    #[default]
    Unmeasured,
    Good,
    /// The last measurement was so far ahead, which nobody has confirmed yet.
    Jumped {
        ahead: i64,
    },
}

/// Why a clock is not to be trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Doubt {
    /// It was never compared with the log's.
    Unmeasured,
    /// It and the log's have come apart by so many milliseconds between two looks.
    Jumped {
        /// How far.
        by: i64,
    },
}

impl Clock {
    /// A clock set by the machine's.
    pub fn start() -> Clock {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Clock { base: millis(wall), since: Instant::now(), pace: 1, shared: None }
    }

    /// The same clock, set forward: a test need not wait for a week.
    #[must_use]
    pub fn ahead(self, by: Millis) -> Clock {
        Clock { base: self.base.plus(by), ..self }
    }

    /// The same clock, running so many times as fast.
    #[must_use]
    pub fn times(self, pace: u32) -> Clock {
        Clock { pace, ..self }
    }

    /// The same clock, following the log's from its first measurement on.
    #[must_use]
    pub(crate) fn following(self) -> Clock {
        Clock { shared: Some(Arc::default()), ..self }
    }

    /// What it shows.
    pub fn now(&self) -> Millis {
        let own = self.own();
        let Some(shared) = &self.shared else { return own };
        let now = own.0.saturating_add_signed(shared.ahead.load(Ordering::Relaxed));
        Millis(shared.shown.fetch_max(now, Ordering::Relaxed).max(now))
    }

    fn own(&self) -> Millis {
        self.base.plus(millis(self.since.elapsed() * self.pace))
    }

    /// How far the log's clock is ahead of the machine's at the start, as far as it is followed.
    pub(crate) fn offset(&self) -> Option<i64> {
        self.shared.as_ref().map(|shared| shared.ahead.load(Ordering::Relaxed))
    }

    /// Compares with the log's clock and follows it, unless that has jumped: a jump is believed when
    /// the next look confirms it.
    ///
    /// # Errors
    ///
    /// What the log says.
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
            self.judge(ahead, signed(millis(trip / 2)) + 1);
        }
        Ok(())
    }

    /// Follows a measurement that may be wrong by so much.
    fn judge(&self, ahead: i64, error: i64) {
        let Some(shared) = &self.shared else { return };
        let mut judged = shared.judged.lock().unwrap_or_else(PoisonError::into_inner);
        let near = |known: i64, most: i64| ahead.abs_diff(known) <= most.unsigned_abs();
        let followed = shared.ahead.load(Ordering::Relaxed);
        match *judged {
            // Nothing is gained by following what may be an error.
            Judged::Good if near(followed, error) => {}
            Judged::Unmeasured => shared.ahead.store(ahead, Ordering::Relaxed),
            Judged::Good | Judged::Jumped { .. } if near(followed, JUMP) => {
                shared.ahead.store(ahead, Ordering::Relaxed);
            }
            Judged::Jumped { ahead: before } if near(before, JUMP) => {
                shared.ahead.store(ahead, Ordering::Relaxed);
            }
            Judged::Good | Judged::Jumped { .. } => {
                *judged = Judged::Jumped { ahead };
                return;
            }
        }
        *judged = Judged::Good;
    }

    /// Why it is not to be trusted at the moment.
    pub(crate) fn doubt(&self) -> Option<Doubt> {
        let shared = self.shared.as_ref()?;
        match *shared.judged.lock().unwrap_or_else(PoisonError::into_inner) {
            Judged::Good => None,
            Judged::Unmeasured => Some(Doubt::Unmeasured),
            Judged::Jumped { ahead } => {
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

/// A length of time in milliseconds.
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
        clock.judge(10_000, 1);
        assert_eq!(clock.doubt(), None);
        let first = clock.now();
        assert!(first >= own.plus(Millis(10_000)) && first < own.plus(Millis(15_000)));
        clock.judge(9_800, 1);
        assert_eq!((clock.doubt(), clock.offset()), (None, Some(9_800)));
        assert!(clock.now() >= first);
        // Within the error nothing changes.
        clock.judge(9_803, 5);
        assert_eq!(clock.offset(), Some(9_800));
    }

    #[test]
    fn a_jump_is_believed_when_it_is_confirmed() {
        let clock = Clock::start().following();
        clock.judge(0, 1);
        clock.judge(7_000, 1);
        assert_eq!((clock.doubt(), clock.offset()), (Some(Doubt::Jumped { by: 7_000 }), Some(0)));
        // A freak is forgotten.
        clock.judge(3, 1);
        assert_eq!((clock.doubt(), clock.offset()), (None, Some(3)));
        clock.judge(-9_000, 1);
        clock.judge(-8_990, 1);
        assert_eq!((clock.doubt(), clock.offset()), (None, Some(-8_990)));
    }

    #[test]
    fn a_clock_alone_is_never_in_doubt() {
        let clock = Clock::start();
        clock.judge(7_000, 1);
        assert_eq!((clock.doubt(), clock.offset()), (None, None));
    }
}
