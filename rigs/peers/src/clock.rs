//! The clock of the races: time this thread ran, not time that passed. On a busy machine the
//! scheduler gives others their turn, and that is nobody's fault here.

use std::time::Duration;

/// Time that this thread has run.
#[cfg(unix)]
pub(crate) fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    // Such a clock starts at zero and never runs backwards.
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Time since the first call, where the system's other clocks are out of reach.
#[cfg(not(unix))]
pub(crate) fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
