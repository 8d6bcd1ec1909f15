//! The computer's threads give way to the threads that serve players.

/// Niceness of a thread of the computer. While a thread that serves players wants the same
/// processor, it gets about a tenth of that thread's time. It is slowed down, but never starved.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lowers the priority of the calling thread. On other systems than Linux niceness belongs to the
/// whole process, and nothing is done.
#[cfg(target_os = "linux")]
pub(super) fn lower() {
    use rustix::process::{getpriority_process, setpriority_process};
    let thread = Some(rustix::thread::gettid());
    if getpriority_process(thread).is_ok_and(|now| now < NICENESS) {
        // Without it players wait longer while the computer thinks; nothing else depends on it.
        let _ = setpriority_process(thread, NICENESS);
    }
}

/// Lowers the priority of the calling thread: on Linux only.
#[cfg(not(target_os = "linux"))]
pub(super) fn lower() {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::process::getpriority_process;
    use rustix::thread::gettid;

    #[test]
    fn only_the_thread_that_asks_gets_a_lower_priority() {
        let here = getpriority_process(Some(gettid())).expect("a priority");
        let thread = std::thread::spawn(|| {
            lower();
            getpriority_process(Some(gettid())).expect("a priority")
        });
        assert_eq!(thread.join().expect("no panic"), here.max(NICENESS));
        assert_eq!(getpriority_process(Some(gettid())).expect("a priority"), here);
    }
}
