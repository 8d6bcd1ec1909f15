//! The board on the whole terminal, `hansu board`: the second face of this crate.
//!
//! [`App`] is a pure core: it takes an [`Input`] (a key, the mouse, a message of the network, a
//! thought of the computer) and returns [`Effect`]s, and it draws itself into a buffer. It stands
//! on `hansu_client::View`; a game in this process speaks the same messages as a server
//! (`local.rs`). [`run`] is the part that has a terminal.
//!
//! | file | what it is |
//! |---|---|
//! | `app.rs` | pages on a pile, and what leads from one to another |
//! | `game.rs`, `moving.rs`, `hand.rs`, `game_draw.rs` | the screen of a game: state, moves, keys and mouse, drawing |
//! | `board.rs`, `figures.rs`, `layout.rs`, `canvas.rs` | tiles and pieces, and where they stand |
//! | `local.rs` | a game in this process, kept in the log |
//! | `form.rs`, `forms.rs`, `menu.rs` | menu and settings: a form, all forms, what they lead to |
//! | `past.rs`, `stats.rs`, `reading.rs` | games of the log, counts, and the thread that asks the log |
//! | `lobby.rs` | the lobby of a server |
//! | `run.rs` | the terminal itself: raw mode, signals, threads |

mod app;
mod board;
mod canvas;
mod event;
mod figures;
mod form;
mod forms;
mod game;
mod game_draw;
mod hand;
mod layout;
mod lobby;
mod local;
mod menu;
mod moving;
mod past;
mod reading;
mod run;
mod settings;
mod stats;

pub use app::App;
pub use board::Pieces;
pub use event::{Effect, Input, Invitation, NetworkNews, NetworkRequest, Question, Thinking};
pub use forms::{against_computer, own_clock};
pub use reading::{Exported, LogAnswer, LogRequest};
pub use run::{Helpers, Reports, run};
pub use settings::{Settings, Terminal};
pub use stats::Stats;
