//! A game in a worker of the page, as WebAssembly: text in, text out.
//!
//! [`Desk::answer`] takes a request as JSON and answers in JSON. What a client says and hears are
//! the messages of `hansu-protocol`, so the page speaks to a worker as it speaks to the server.
//! Entries of a game are told in the very text that the log keeps, and the worker keeps them before
//! it shows what follows from them.
//!
//! `exports` is all that WebAssembly sees: three functions with numbers, from `hansu-module`. The
//! computer is another module (`hansu-computer`), in another worker: this one says what it is to
//! think about, and hears what came of it.
//!
//! ```
//! use hansu_browser::Desk;
//! let mut desk = Desk::default();
//! let start = r#"{"start":{"id":"g1","game":{"with":"local","name":"Mina"},"now":1}}"#;
//! assert!(desk.answer(start).contains("Mina"));
//! let hello = r#"{"hear":{"text":"{\"type\":\"hello\",\"v\":1}","now":2}}"#;
//! assert!(desk.answer(hello).contains("welcome"));
//! assert!(desk.answer("nonsense").contains("bad_request"));
//! ```

mod desk;
#[cfg(target_family = "wasm")]
mod exports;
mod free;
mod row;
mod shapes;

pub use desk::Desk;
pub use free::{Branch, FreeAnswer, FreeRequest, Tree};
pub use shapes::{Answer, Kept, Looked, Request};
