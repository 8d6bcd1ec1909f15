//! The computer as an opponent: which move it plays, whether it takes a draw, how long it takes, how
//! it helps; the best lines of any position, and the review of a game that is over.
//!
//! Used by the server, by the terminal and, as WebAssembly in a worker of its own, by the page:
//! there [`Thinker`] takes a [`Question`] as JSON and answers with a [`Reply`], or is asked for lines,
//! help or a review and answers with news of them.
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
mod opponent;
mod review;
mod shapes;
mod thinker;

pub use help::Help;
pub use lines::{LINES, Lines, NODES};
pub use opponent::{Opponent, SHORTEST, pause, seed};
pub use review::review_nodes;
pub use shapes::{AskedHelp, AskedReview, KeptReview, Played, Question, Reply, Reviewed, Task};
pub use thinker::Thinker;
