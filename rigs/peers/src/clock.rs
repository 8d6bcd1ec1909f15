//! The clock of the races: the CPU time of this thread, which does not include the time that the
//! scheduler gives to others on a busy machine.

use std::time::Duration;

/// The CPU time of this thread.
#[cfg(unix)]
pub(crate) fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    // Such a clock starts at zero and never runs backwards.
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Wall time since the first call, on systems without access to the thread's CPU time.
#[cfg(not(unix))]
pub(crate) fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
