//! The chess engine: search and evaluation of positions as a library, and a UCI front end.
//!
//! A search can be stopped, reports its progress to a callback, and reads a clock that the caller
//! provides. Several engines run side by side, because they share no state. Compiles to
//! WebAssembly.

mod analysis;
mod bench;
mod blindness;
mod endgame;
mod engine;
mod estimate;
mod evaluator;
mod hand;
mod history;
mod lesson;
mod level;
mod limits;
mod motifs;
mod net;
mod picker;
mod quiesce;
mod score;
mod search;
mod table;
#[cfg(not(target_arch = "wasm32"))]
mod uci;
mod worker;

pub use analysis::{Analysis, Finding, Judgement, Phase, PlyAnalysis, Study, analyse, win_chance};
pub use bench::{BENCH_DEPTH, bench, bench_positions};
pub use blindness::Blindness;
pub use engine::{Certainty, Engine, Progress, SearchResult, Settings};
pub use evaluator::Evaluator;
pub use lesson::{Lesson, MoveFact, lesson};
pub use level::{Level, Strength};
#[cfg(not(target_arch = "wasm32"))]
pub use limits::SystemTime;
pub use limits::{ClockState, Limits, NoTime, Signals, TimeSource};
pub use motifs::{Fact, facts};
pub use net::{BUCKETS, HIDDEN, INPUTS, Net, NetError};
pub use score::{MATE, MAX_PLY, Verdict, is_mate, win_draw_loss};
#[cfg(not(target_arch = "wasm32"))]
pub use uci::{NAME, run_uci};
