//! The computer as an opponent: which move it plays, whether it takes a draw, how long it takes; and
//! the best lines of any position.
//!
//! Used by the server, by the terminal and, as WebAssembly in a worker of its own, by the page:
//! there [`Thinker`] takes a [`Question`] as JSON and answers with a [`Reply`], or is asked for lines
//! and answers with news of them.
//!
//! ```
//! use hansu_computer::Thinker;
//! let question = r#"{"seq":1,"level":1,"variant":"standard","moves":["e2e4"],"game":"g1","task":"move"}"#;
//! assert!(Thinker::default().answer(question).contains("\"uci\""));
//! assert_eq!(Thinker::default().answer("nonsense"), r#"{"pause":0}"#);
//! ```

#[cfg(all(feature = "module", target_family = "wasm"))]
mod exports;
mod lines;
mod opponent;
mod shapes;
mod thinker;

pub use lines::{LINES, Lines, NODES};
pub use opponent::{Opponent, SHORTEST, pause, seed};
pub use shapes::{Question, Reply, Rules, Task};
pub use thinker::Thinker;
