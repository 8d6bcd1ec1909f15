//! The resources of a process: memory, processor time, open files.

use std::fs;
use std::time::Duration;

use anyhow::{Context as _, Result};

/// The resources of a process at a moment.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Usage {
    /// Resident memory, in bytes.
    pub resident: u64,
    /// The peak of the resident memory so far, in bytes.
    pub peak: u64,
    /// Processor time so far.
    pub processor: Duration,
    /// Open files and sockets.
    pub files: usize,
}

impl Usage {
    /// The usage of this process.
    ///
    /// # Errors
    ///
    /// When `/proc` cannot be read.
    pub fn own() -> Result<Usage> {
        Usage::of(std::process::id())
    }

    /// The usage of a process.
    ///
    /// # Errors
    ///
    /// When there is no such process.
    pub fn of(process: u32) -> Result<Usage> {
        let read = |name: &str| fs::read_to_string(format!("/proc/{process}/{name}"));
        let status = read("status").context("the process is gone")?;
        let stat = read("stat").context("the process is gone")?;
        let files = files(process).context("the process is gone")?;
        Ok(Usage {
            resident: kilobytes(&status, "VmRSS:"),
            peak: kilobytes(&status, "VmHWM:"),
            processor: processor(&stat),
            files,
        })
    }
}

/// The number of files that a process has open. Linux 6.2 and later report it; on an older kernel
/// the files are counted, which for thousands of them takes milliseconds during which all other
/// players wait.
fn files(process: u32) -> std::io::Result<usize> {
    let folder = format!("/proc/{process}/fd");
    match usize::try_from(fs::metadata(&folder)?.len()) {
        Ok(known @ 1..) => Ok(known),
        _ => Ok(fs::read_dir(&folder)?.count()),
    }
}

/// The value of a line of `/proc/PID/status`, in bytes.
fn kilobytes(status: &str, name: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|rest| rest.split_whitespace().next());
    number.and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// The user and system time in `/proc/PID/stat`.
fn processor(stat: &str) -> Duration {
    // The program's name is in brackets and may contain any characters.
    let after = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let field = |n: usize| after.split_whitespace().nth(n).and_then(|f| f.parse::<u64>().ok());
    let ticks = field(11).unwrap_or(0) + field(12).unwrap_or(0);
    let each = rustix::param::clock_ticks_per_second().max(1);
    Duration::from_secs_f64(ticks as f64 / each as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_something() {
        let mut number = 1_u64;
        let begin = std::time::Instant::now();
        while begin.elapsed() < Duration::from_millis(60) {
            number = number.wrapping_mul(6_364_136_223_846_793_005).rotate_left(7);
        }
        let usage = Usage::of(std::process::id()).unwrap();
        assert!(usage.resident > 1 << 20 && usage.peak >= usage.resident, "{number} {usage:?}");
        assert!(usage.processor >= Duration::from_millis(10), "{usage:?}");
        // Other tests of this process open files as well, but not hundreds at a time.
        let many: Vec<_> = (0..500).map(|_| fs::File::open("/proc/self/stat").unwrap()).collect();
        let more = Usage::own().unwrap().files;
        assert!(more.abs_diff(usage.files + many.len()) < 100, "{usage:?} {more}");
        assert!(usage.files >= 3);
    }

    #[test]
    fn a_program_may_have_any_name() {
        let stat = "7 (a) b (c) S 1 1 1 0 -1 0 0 0 0 0 250 150 0 0 20 0";
        assert_eq!(processor(stat), Duration::from_secs(4));
    }
}
