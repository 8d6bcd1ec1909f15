//! The games that a browser stores: import from PGN, names of openings, statistics. Runs as
//! WebAssembly in a worker of the page: text in, text out.
//!
//! [`Archive::answer`] takes a [`Request`] as JSON and returns a [`Response`] as JSON. It stores no
//! games: the page has them, and sends those that a request is about. Rows and statistics are the
//! same as in the log of a server; `tests/counting.rs` compares the two.
//!
//! ```
//! use hansu_archive::Archive;
//! let mut archive = Archive::default();
//! archive.answer(r#"{"read":{"text":"1. e4 e5 2. Nf3 *"}}"#);
//! assert!(archive.answer(r#"{"next":{"games":10}}"#).contains("King's Knight Opening"));
//! assert!(archive.answer("nonsense").contains("bad_request"));
//! ```

mod archive;
mod counting;
#[cfg(target_family = "wasm")]
mod exports;
mod messages;
mod reading;

pub use archive::Archive;
pub use messages::{
    CountedResults, FoundGame, GameBatch, GameMoves, ListedGame, ReadGame, Request, Response,
};
pub use reading::{LONGEST, MOST_GAMES};
