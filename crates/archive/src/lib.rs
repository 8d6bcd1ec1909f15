//! The games that a browser keeps, beside playing them: read from PGN, named after their openings,
//! counted. As WebAssembly in a worker of the page: text in, text out.
//!
//! [`Archive::answer`] takes a [`Request`] as JSON and answers with an [`Answer`]. It keeps nothing:
//! the page has the games, and gives along what is asked about. What it says of a game, and how it
//! counts, is what the log of a server says; `tests/counting.rs` compares the two.
//!
//! ```
//! use hansu_archive::Archive;
//! let mut archive = Archive::default();
//! archive.answer(r#"{"read":{"text":"1. e4 e5 2. Nf3 *"}}"#);
//! assert!(archive.answer(r#"{"next":{"games":10}}"#).contains("King's Knight Opening"));
//! assert!(archive.answer("nonsense").contains("bad_request"));
//! ```

mod counting;
mod desk;
#[cfg(target_family = "wasm")]
mod exports;
mod reading;
mod shapes;

pub use desk::Archive;
pub use reading::{LONGEST, MOST_GAMES};
pub use shapes::{Answer, Batch, Counted, Found, Listed, Looked, Played, Request};
