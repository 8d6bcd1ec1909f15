//! The server's time: milliseconds since 1970 that never go backwards.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use hansu_play::Millis;

/// A clock that is set once and then runs by itself: when somebody turns the machine's clock, no
/// player gains or loses time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    base: Millis,
    since: Instant,
    pace: u32,
}

impl Clock {
    /// A clock set by the machine's.
    pub fn start() -> Clock {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Clock { base: millis(wall), since: Instant::now(), pace: 1 }
    }

    /// The same clock, set forward: a test need not wait for a week.
    #[must_use]
    pub fn ahead(self, by: Millis) -> Clock {
        Clock { base: self.base.plus(by), ..self }
    }

    /// The same clock, running so many times as fast.
    #[must_use]
    pub const fn times(self, pace: u32) -> Clock {
        Clock { pace, ..self }
    }

    /// What it shows.
    pub fn now(&self) -> Millis {
        self.base.plus(millis(self.since.elapsed() * self.pace))
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
