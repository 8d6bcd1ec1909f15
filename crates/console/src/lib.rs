//! The terminal game: turns typed lines into commands and game states into text. It has no rules:
//! those are in `hansu-play` and below.
//!
//! [`Console`] turns lines into replies without any input or output, [`converse`] connects it to an
//! input and an output, and [`KeptGame`] is the game, which writes every move to the log before the
//! move is shown.
//!
//! ```
//! use hansu_console::{Console, InputLine, KeptGame, Options};
//! use hansu_play::Start;
//! let game = KeptGame::start(&Start::between("Mina", "Jun"), None)?;
//! let mut console = Console::new(game, Options::default());
//! assert!(console.greeting().starts_with("게임을 시작합니다.\n"));
//! let reply = console.answer(InputLine::Text("e2 e5"));
//! assert_eq!(reply.text, "해당 칸으로는 이동할 수 없습니다.\n백 기물을 움직여주세요.\n");
//! # Ok::<(), hansu_play::Refusal>(())
//! ```

mod board;
mod colours;
mod console;
mod input;
mod input_line;
mod kept_game;
mod notation;
mod remote;
mod resume_error;
pub mod screen;
mod sentences;
mod tile;

pub use board::{BoardStyle, Ink, board_lines, files_line};
pub use colours::Depth;
pub use console::{Chooser, Console, Next, Options, Reply};
pub use input::{ConversationEnd, Input, TypedLine, converse, read_line};
pub use input_line::InputLine;
pub use kept_game::{KeptGame, newest_unfinished};
pub use notation::record;
pub use remote::{Remote, RemoteReply};
pub use resume_error::{ResumeError, resume_error_text};
pub use tile::Marks;
