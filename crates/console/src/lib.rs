//! The terminal game: a line becomes a command, a state becomes lines. No rules: those are in
//! `hansu-play` and below.
//!
//! [`Console`] holds a conversation without reading or writing anything itself, [`converse`] lets
//! it speak over an input and an output, and [`Table`] is the game under it, which keeps every
//! move in the log before anybody is told of it.
//!
//! ```
//! use hansu_console::{Console, Line, Options, Table};
//! use hansu_play::Start;
//! let table = Table::start(&Start::between("Mina", "Jun"), None)?;
//! let mut console = Console::new(table, Options::default());
//! assert!(console.opening().starts_with("게임을 시작합니다.\n"));
//! let said = console.answer(Line::Text("e2 e5"));
//! assert_eq!(said.text, "해당 칸으로는 이동할 수 없습니다.\n백 기물을 움직여주세요.\n");
//! # Ok::<(), hansu_play::Refusal>(())
//! ```

mod board;
mod colours;
mod console;
mod input;
mod line;
mod notation;
mod remote;
pub mod screen;
mod sentences;
mod table;
mod tile;
mod trouble;

pub use board::{BoardStyle, Ink, board_lines, files_line};
pub use colours::Depth;
pub use console::{Chooser, Console, Next, Options, Said};
pub use input::{Input, Read, Typed, converse, read_line};
pub use line::Line;
pub use notation::record;
pub use remote::{Remote, Spoken};
pub use table::{NotResumed, Table, newest_unfinished};
pub use tile::Marks;
pub use trouble::not_resumed;
