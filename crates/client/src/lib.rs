//! What one client knows of a game: the Rust twin of the page's reducer (`web/src/game/view.ts`).
//!
//! [`View::hear`] takes a message of the server and returns what to show the user ([`Notice`]) and
//! what to send. [`View::wish`] makes a command and keeps it in [`Pending`] until the server has
//! answered. There is no socket, no clock and no drawing here: the caller passes messages and the
//! time. Premoves belong to the boards that draw them: the page's and the terminal's.
//!
//! The tests run one set of random sequences against this crate and against `view.ts`
//! (`web/src/game/sequences.json`), so that the two cannot drift.
//!
//! ```
//! use hansu_client::View;
//! use hansu_protocol::{ClientMessage, Language, Wish};
//! let mut view = View::new("a1");
//! assert!(matches!(view.hello(Language::En), ClientMessage::Hello { seq: 0, .. }));
//! let sent = view.wish(Wish::Resign);
//! // Until the server has answered, the command is sent again under the same id.
//! assert_eq!(view.pending().resend().collect::<Vec<_>>(), [sent]);
//! ```

mod event;
mod game_view;
mod notice;
mod pending;
mod view;

pub use game_view::{Declined, Denied, GameView, Given, Presence};
pub use notice::Notice;
pub use pending::{Pending, PendingCommand};
pub use view::{View, ViewOutput};
