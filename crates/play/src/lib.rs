//! A game of chess between two seats: who may do what, what follows from it, and how much time it
//! costs.
//!
//! [`decide`] turns a command into events or a refusal, [`apply`] applies an event, and a [`State`]
//! is the result of its events and of nothing else. No clock of its own, no sockets, no database, no
//! threads; `now` is a parameter.
//!
//! ```
//! use hansu_play::{
//!     Actor, Command, Entry, Millis, Refusal, Start, State, TimeControl, apply, decide, stamp,
//! };
//!
//! let mut state = State::default();
//! let mut log: Vec<Entry> = Vec::new();
//! let mut act = |actor, command: &Command, now| -> Result<(), Refusal> {
//!     let events = decide(&state, actor, command, Millis(now))?;
//!     // Here a server would commit the entries before it applies them.
//!     for entry in stamp(&state, events, Millis(now)) {
//!         apply(&mut state, &entry).expect("what was decided fits");
//!         log.push(entry);
//!     }
//!     Ok(())
//! };
//!
//! act(Actor::System, &Command::Start(Start {
//!     time: TimeControl::fischer(Millis::minutes(3), Millis::seconds(2)),
//!     ..Start::between("Mina", "Jun")
//! }), 0)?;
//! for (actor, uci, now) in [
//!     (Actor::White, "f2f3", 1_000),
//!     (Actor::Black, "e7e5", 2_000),
//!     (Actor::White, "g2g4", 12_000),
//!     (Actor::Black, "d8h4", 13_000),
//! ] {
//!     act(actor, &Command::Move { uci: uci.parse()? }, now)?;
//! }
//! assert_eq!(act(Actor::White, &Command::Resign, 14_000), Err(Refusal::GameOver));
//!
//! assert_eq!(state.ending().map(|ending| ending.result()), Some("0-1"));
//! // Ten seconds used, two given; the first move of each side was free.
//! assert_eq!(state.clocks().map(|clocks| clocks.white), Some(Millis(172_000)));
//! assert_eq!(State::replay(&log)?, state);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod clock;
mod code;
mod command;
mod computer;
mod control;
mod decide;
mod ending;
mod event;
mod giving;
mod looks;
mod moving;
mod nfc;
mod offers;
mod refusal;
mod sides;
mod state;
mod talk;
mod text;
mod time;
mod version;

pub use apply::{ReplayError, apply};
pub use clock::{FIRST_MOVE, LAG_PER_GAME, LAG_PER_MOVE, Ticking};
pub use command::{Claimed, Command, Computer, Offer, Series, Source, Spectators, Start};
pub use computer::Task;
pub use control::{Bonus, Stage, TimeControl};
pub use decide::{Decision, act, decide};
pub use ending::{Ending, Reason, can_mate};
pub use event::{Clocks, Entry, Event};
pub use giving::{GIFT, MAX_GIFTS};
pub use looks::{distinct_name, look_alike};
pub use moving::by_rules;
pub use refusal::Refusal;
pub use sides::{Actor, Sides};
pub use state::{Phase, State, stamp};
pub use talk::{ABSENCE, ABSENCE_UNTIMED, MAX_ENTRIES};
pub use text::{MAX_CHAT, MAX_ID, MAX_NAME, make_visible, visible};
pub use time::{Millis, Moment};
#[cfg(any(feature = "ts", feature = "openapi"))]
pub use version::EntryShape;
pub use version::VERSION;
