//! The computer as an opponent: its moves, its answers to draw offers, its pauses, its help; the
//! best lines of any position, and the review of a finished game.
//!
//! Used by the server, by the terminal and, as WebAssembly in a worker of its own, by the page.
//! There [`Thinker`] takes a [`Question`] as JSON and answers with a [`Reply`]; other requests ask
//! for lines, help or a review.
//!
//! ```
//! use hansu_computer::Thinker;
//! let question = r#"{"seq":1,"level":1,"variant":"standard","moves":["e2e4"],"game":"g1","task":"move"}"#;
//! assert!(Thinker::default().answer(question).contains("\"uci\""));
//! assert_eq!(Thinker::default().answer("nonsense"), r#"{"pause":0}"#);
//! ```

#[cfg(all(feature = "module", target_family = "wasm"))]
mod exports;
mod help;
mod lines;
mod messages;
mod opponent;
mod review;
mod thinker;

pub use help::Help;
pub use lines::{LINES, LineSearch, NODES};
pub use messages::{
    AskedHelp, AskedReview, GameMoves, KeptReview, Question, Reply, ReviewProgress, Task,
};
pub use opponent::{Opponent, SHORTEST, pause, seed};
pub use review::review_nodes;
pub use thinker::Thinker;
