//! A game that the computer has looked at again: how it is kept as text, written into PGN, and told
//! to people. Compiles to WebAssembly.
//!
//! The [`Study`](hansu_engine::Study) of a game is all there is to know; everything here is made
//! from it.

mod annotate;
mod kept;
#[cfg(test)]
mod samples;
mod score;
mod tell;

pub use annotate::annotate;
pub use kept::{KEPT_LINE, restore, to_text};
pub use score::{eval, shown};
pub use tell::{lesson_text, tell, tell_line};
