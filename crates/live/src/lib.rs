//! One game with its connections: commands come in, [`Effects`] come out.
//!
//! [`Room`] keeps one rule: an event is sent to clients only after the log has it. [`LiveGame`]
//! adds the connections. Neither blocks, and neither has a clock, sockets or threads of its own, so
//! that the simulation drives them exactly as the server does.

mod effects;
mod game;
mod key;
mod room;
mod text;

pub use effects::{
    Asker, CommandAnswer, CommandError, CommandResult, Effect, Effects, Notice, Think, failure,
};
pub use game::{Hello, LiveGame, MOST_UNSENT, Outbox};
pub use key::CommandKey;
pub use room::{
    CommandRequest, Connections, FAR_GRACE, FLAG_GRACE, GRACE, MOST_WAITING, Outage, Room, Sight,
};
pub use text::{Text, text};
