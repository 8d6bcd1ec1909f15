//! Between a game and the messages about it. No I/O and no clock; compiles to WebAssembly.
//!
//! States and events of `hansu-play` become messages of `hansu-protocol`, wishes become commands,
//! refusals get their sentences, and statistics become messages ([`results`]). [`Host`] is a whole
//! game in process that speaks the protocol as the server does.

mod beginning;
mod game;
mod host;
mod moves;
mod refusal;
pub mod results;
mod rules;
mod wish;

pub use beginning::{against_computer, name_or_guest, on_one_screen, setup};
pub use game::{
    board, chat_message, happened, is_by_time, is_to_move, is_too_late, of_file, plies, seat, side,
    snapshot, turn, waiting,
};
pub use host::{Host, HostError, HostOutput, MOST_CHAT};
pub use moves::{moves, targets};
pub use refusal::{chess_refusal, lang, refusal, server_refusal, why};
pub use rules::{kind, legal_moves, position, variant, why_not};
pub use wish::{command, is_command_id};
