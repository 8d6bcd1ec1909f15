//! The full-screen board, `hansu board`: the second user interface of this crate.
//!
//! [`App`] does no input or output except for the log of a local game: it takes an [`Input`] (a
//! key, the mouse, a message of the network, an answer of the computer), returns [`Effect`]s, and
//! draws itself into a buffer. It uses `hansu_client::View`; a game in this process exchanges the
//! same messages as a server does (`local.rs`). [`run`] connects it to a terminal.
//!
//! | file | what it is |
//! |---|---|
//! | `app.rs` | a stack of pages, and the ways from one to another |
//! | `game.rs`, `moving.rs`, `controls.rs`, `game_draw.rs` | the screen of a game: state, moves, keys and mouse, drawing |
//! | `board.rs`, `figures.rs`, `layout.rs`, `canvas.rs` | tiles, pieces, the layout of the screen, text |
//! | `local.rs` | a game in this process, stored in the log |
//! | `form.rs`, `forms.rs`, `menu.rs` | menu and settings: the form type, all forms, their actions |
//! | `past.rs`, `stats.rs`, `log_request.rs` | games of the log, statistics, the thread that reads the log |
//! | `lobby.rs` | the lobby of a server |
//! | `run.rs` | the terminal itself: raw mode, signals, threads |

mod app;
mod board;
mod canvas;
mod controls;
mod event;
mod figures;
mod form;
mod forms;
mod game;
mod game_draw;
mod layout;
mod lobby;
mod local;
mod log_request;
mod menu;
mod moving;
mod past;
mod run;
mod settings;
mod stats;

pub use app::App;
pub use board::Pieces;
pub use event::{Effect, Input, Invitation, NetworkNews, NetworkRequest, Question, ThinkRequest};
pub use forms::{against_computer, own_clock};
pub use log_request::{ExportSource, LogAnswer, LogRequest};
pub use run::{Helpers, Reports, run};
pub use settings::{Settings, Terminal};
pub use stats::Stats;
