//! The analysis of a game by the engine: as text for the log, as annotations of a PGN record, and
//! as sentences for players. Compiles to WebAssembly.
//!
//! Everything here is derived from the [`Study`](hansu_engine::Study) of a game.

mod annotate;
#[cfg(test)]
mod samples;
mod score;
mod text;
mod wire;

pub use annotate::annotate;
pub use score::{format_eval, format_score};
pub use text::{KEPT_LINE, restore, to_text};
pub use wire::{best_line, lesson_text, to_wire};
