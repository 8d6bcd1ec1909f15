//! One game with people at it: commands come in, [`Effects`] come out.
//!
//! [`Room`] keeps one rule: clients are told of an event only after the log has it. [`LiveGame`]
//! adds the connections. Both wait for nothing and have no clock, no sockets and no threads of their
//! own, so that the simulation drives them exactly as the server does.

mod effects;
mod game;
mod key;
mod room;
mod text;

pub use effects::{Answer, Asker, Effect, Effects, NotDone, Notice, Think, Told, failure};
pub use game::{Hello, LiveGame, MOST_UNSENT, Outbox};
pub use key::CommandKey;
pub use room::{Asked, FAR_GRACE, FLAG_GRACE, GRACE, Here, MOST_WAITING, Outage, Room, Sight};
pub use text::{Text, text};
