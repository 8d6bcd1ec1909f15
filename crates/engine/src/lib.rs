//! The computer: search and evaluation of chess positions as a library, and UCI as its voice.
//!
//! A search can be stopped, tells its progress by a function, and takes its time from whoever calls
//! it; several run side by side, because nothing is shared. Compiles to WebAssembly.

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

pub use analysis::{Analysis, Judgement, Look, Phase, PlyAnalysis, Study, analyse, win_chance};
pub use bench::{BENCH_DEPTH, bench, bench_positions};
pub use blindness::Blindness;
pub use engine::{Answer, Certainty, Engine, Progress, Settings};
pub use evaluator::Evaluator;
pub use lesson::{Lesson, Told, lesson};
pub use level::{Level, Strength};
#[cfg(not(target_arch = "wasm32"))]
pub use limits::SystemTime;
pub use limits::{ClockState, Limits, NoTime, Signals, TimeSource};
pub use motifs::{Fact, facts};
pub use net::{BUCKETS, HIDDEN, INPUTS, Net, NetError};
pub use score::{MATE, MAX_PLY, Verdict, is_mate, win_draw_loss};
#[cfg(not(target_arch = "wasm32"))]
pub use uci::{NAME, converse};
