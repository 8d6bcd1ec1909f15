//! A game in a worker of the page, as WebAssembly: text in, text out.
//!
//! [`GameWorker::answer`] takes a [`Request`] as JSON and returns a [`Response`] as JSON. The
//! client's messages are those of `hansu-protocol`, so the page uses a worker like a server.
//! Entries of a game are in the text form of the log; the page's worker stores them before it
//! passes on the messages that follow from them.
//!
//! `exports` has the three functions that WebAssembly exports, from `hansu-module`. The computer is
//! another module (`hansu-computer`) in another worker: a response has the question for it, and a
//! request brings its reply.
//!
//! ```
//! use hansu_browser::GameWorker;
//! let mut worker = GameWorker::default();
//! let start = r#"{"start":{"id":"g1","game":{"with":"local","name":"Mina"},"now":1}}"#;
//! assert!(worker.answer(start).contains("Mina"));
//! let hello = r#"{"hear":{"text":"{\"type\":\"hello\",\"v\":1}","now":2}}"#;
//! assert!(worker.answer(hello).contains("welcome"));
//! assert!(worker.answer("nonsense").contains("bad_request"));
//! ```

#[cfg(target_family = "wasm")]
mod exports;
mod free;
mod game_worker;
mod messages;
mod row;

pub use free::{Branch, FreeRequest, FreeResponse, Tree};
pub use game_worker::GameWorker;
pub use messages::{Request, Response, StoredEntry, StoredGame};
