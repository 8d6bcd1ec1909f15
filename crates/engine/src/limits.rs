//! What ends a search: time, nodes, depth, a mate, or the stop signal.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use hansu_chess::Move;

use crate::blindness::Blindness;

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockState {
    /// Remaining time. `None` when the side has no clock.
    pub left: Option<Duration>,
    /// Time that is added after each move.
    pub increment: Duration,
}

/// Limits of a search. They may be combined; without any it runs until stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The clock of the side to move.
    pub clock: ClockState,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Exactly this much time, less the overhead.
    pub move_time: Option<Duration>,
    /// At most this depth, in plies.
    pub depth: Option<u32>,
    /// At most this many nodes, of all threads together.
    pub nodes: Option<u64>,
    /// After this many nodes no new depth is begun.
    pub soft_nodes: Option<u64>,
    /// Ends when a mate in at most this many moves is found.
    pub mate: Option<u32>,
    /// Searches only these moves; all legal moves when empty.
    pub only: Vec<Move>,
    /// Time that each move loses between the engine and the clock.
    pub overhead: Duration,
    /// Number of best moves to find (MultiPV); 0 means one.
    pub lines: usize,
    /// Which replies of the opponent are overlooked, for weak levels.
    pub blindness: Option<Blindness>,
}

/// Signals from other threads to a running search.
#[derive(Debug, Default)]
pub struct Signals {
    /// End at once.
    pub stop: AtomicBool,
    /// The opponent has not moved yet: time limits are ignored.
    pub pondering: AtomicBool,
}

/// A monotonic clock. A parameter, because WebAssembly has no clock of its own and tests use
/// theirs.
pub trait TimeSource: Sync {
    /// Time since a fixed moment.
    fn now(&self) -> Duration;
}

/// The clock of the operating system.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub struct SystemTime(std::time::Instant);

#[cfg(not(target_arch = "wasm32"))]
impl SystemTime {
    /// A clock that counts from now.
    pub fn start() -> SystemTime {
        SystemTime(std::time::Instant::now())
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl TimeSource for SystemTime {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that stands still, for searches without a time limit.
#[derive(Clone, Copy, Debug)]
pub struct NoTime;

impl TimeSource for NoTime {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// Assumed number of remaining moves when `moves_to_go` is not given.
const HORIZON: u32 = 40;

/// Time reserve on the clock, as a multiple of the overhead; `MORE_RESERVE` is added in proportion
/// to how busy the machine is.
const RESERVE: f64 = 8.0;
const MORE_RESERVE: f64 = 7.0;

/// Time for one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Allowance {
    /// Usual thinking time; scaled up for hard moves and down for easy ones.
    pub(crate) soft: Duration,
    /// Upper limit.
    pub(crate) hard: Duration,
    /// The time is prescribed (`move_time`): `soft` is not scaled.
    pub(crate) fixed: bool,
}

impl Limits {
    /// How long this move may take; `None` when no clock runs.
    ///
    /// `stall`: the longest recent time without the processor. On a busy machine each move is taken
    /// to lose the full overhead, on an idle one a quarter of it.
    pub(crate) fn allowance(&self, stall: Duration) -> Option<Allowance> {
        if let Some(time) = self.move_time {
            let time = (time - self.overhead.min(time / 8)).max(Duration::from_millis(1));
            return Some(Allowance { soft: time, hard: time, fixed: true });
        }
        let left = self.clock.left?.as_secs_f64() * 1000.0;
        let overhead = self.overhead.as_secs_f64() * 1000.0;
        let increment = self.clock.increment.as_secs_f64() * 1000.0;
        // The number of moves that the time is planned for; each of them loses the overhead.
        let moves = f64::from(self.moves_to_go.unwrap_or(HORIZON).clamp(1, HORIZON));
        let busy = (stall.as_secs_f64() * 1000.0 / overhead.max(1.0)).min(1.0);
        let each = overhead * (0.25 + 0.75 * busy);
        let budget = left + 0.9 * increment * (moves - 1.0) - each * (moves + 2.0);
        // Time above the reserve may be spent; below it, each move spends less than the increment.
        let reserve = RESERVE + MORE_RESERVE * busy;
        let spare = (left - reserve * overhead).max(0.0);
        let (part, most) = if moves < 3.0 { (0.5, 0.9) } else { (0.12, 0.4) };
        let share = if self.moves_to_go.is_some() { 0.8 } else { 1.25 };
        let soft = (budget * share / moves).min(0.6 * increment + spare * part).max(left * 0.005);
        let hard = (soft * 4.0).min(0.8 * increment + spare * most).max(left * 0.02);
        // Never more than the clock has.
        let hard = hard.min((left - overhead).max(left * 0.1)).max(1.0);
        let millis = |time: f64| Duration::from_secs_f64(time.max(0.5) / 1000.0);
        Some(Allowance { soft: millis(soft.min(hard)), hard: millis(hard), fixed: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_keeps_more_on_the_clock() {
        let clock = ClockState {
            left: Some(Duration::from_millis(1000)),
            increment: Duration::from_millis(10),
        };
        let limits = Limits { clock, overhead: Duration::from_millis(20), ..Limits::default() };
        let soft = |stall| {
            let allowed = limits.allowance(Duration::from_millis(stall)).expect("a clock runs");
            allowed.soft
        };
        assert!(soft(0) > soft(10) && soft(10) > soft(20));
        assert_eq!(soft(20), soft(1000));
    }

    #[test]
    fn no_clock_is_overdrawn() {
        for left in [0, 1, 5, 20, 49, 50, 51, 100, 1000, 60_000, 10_000_000] {
            for increment in [0, 10, 1000, 100_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(1000)] {
                    let limits = Limits {
                        clock: ClockState {
                            left: Some(Duration::from_millis(left)),
                            increment: Duration::from_millis(increment),
                        },
                        moves_to_go,
                        overhead: Duration::from_millis(20),
                        ..Limits::default()
                    };
                    let most = Duration::from_millis(left.saturating_sub(20).max(left / 2).max(1));
                    for stall in [0, 7, 20, 400].map(Duration::from_millis) {
                        let allowed = limits.allowance(stall).expect("a clock runs");
                        assert!(allowed.soft <= allowed.hard);
                        assert!(
                            allowed.hard <= most,
                            "{left} {increment} {moves_to_go:?} {allowed:?}"
                        );
                    }
                }
            }
        }
    }
}
