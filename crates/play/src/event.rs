//! Events: what is stored, sent and replayed.

use hansu_chess::{Color, UciMove};
use serde::{Deserialize, Serialize};

use crate::{Actor, Ending, Millis, Offer, Sides, Start, code};

/// The time left to each side.
///
/// ```
/// use hansu_play::{Clocks, Millis};
/// let clocks = Clocks::both(Millis::minutes(3));
/// assert_eq!(clocks.black, Millis(180_000));
/// ```
pub type Clocks = Sides<Millis>;

/// Something that has happened in a game.
///
/// Times are stored as they were decided, so a replay computes none. `clocks` is missing in games
/// without a clock.
///
/// Moves are stored in UCI notation, and SAN is derived: UCI can be read without the position and has
/// one spelling for each move, and two stored notations could disagree.
///
/// ```
/// use hansu_play::{Event, Millis};
/// let moved = Event::Moved {
///     uci: "e2e4".parse()?,
///     received: Millis(1_000),
///     lag: Millis::ZERO,
///     clocks: None,
/// };
/// assert_eq!(
///     serde_json::to_string(&moved)?,
///     r#"{"type":"moved","uci":"e2e4","received":1000}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The game began.
    Started(Start),
    /// The side to move played.
    Moved {
        /// The move.
        #[serde(with = "code::uci")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        uci: UciMove,
        /// When the mover's clock stopped. The other clock starts at the entry's `at`.
        received: Millis,
        /// The lag that was forgiven: this part of the thinking time was not charged.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag: Millis,
        /// The clocks after the move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// A side made an offer.
    Offered {
        /// The offer.
        what: Offer,
        /// The side that made it.
        #[serde(with = "code::color")]
        #[cfg_attr(feature = "ts", ts(type = "\"white\" | \"black\""))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        by: Color,
    },
    /// A side declined an offer of the other.
    Declined {
        /// The offer.
        what: Offer,
        /// The side that declined.
        #[serde(with = "code::color")]
        #[cfg_attr(feature = "ts", ts(type = "\"white\" | \"black\""))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        by: Color,
    },
    /// Moves were taken back by agreement.
    TakenBack {
        /// How many, counting both sides' moves: one or two.
        plies: u8,
        /// The clocks, as they were before the moves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// The game was adjourned by agreement; both clocks are stopped.
    Adjourned {
        /// The clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// The adjourned game goes on.
    Resumed,
    /// A player has left.
    Left {
        /// The player's side.
        #[serde(with = "code::color")]
        #[cfg_attr(feature = "ts", ts(type = "\"white\" | \"black\""))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        side: Color,
    },
    /// A player is back.
    Returned {
        /// The player's side.
        #[serde(with = "code::color")]
        #[cfg_attr(feature = "ts", ts(type = "\"white\" | \"black\""))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        side: Color,
    },
    /// Time was given back: the start of the running turn and of each absence moves later by this
    /// time, at the latest to the entry's `at`.
    Credited {
        /// How much.
        time: Millis,
    },
    /// A player gave the other time. The start of the turn does not change, and neither do the clocks
    /// of earlier moves.
    TimeGiven {
        /// The side that got it.
        #[serde(with = "code::color")]
        #[cfg_attr(feature = "ts", ts(type = "\"white\" | \"black\""))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        to: Color,
        /// How much.
        time: Millis,
    },
    /// A chat message.
    Chatted {
        /// The sender's seat or role.
        from: Actor,
        /// A spectator's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The message.
        text: String,
    },
    /// Both sides agreed on a rematch, with colours swapped.
    RematchAgreed {
        /// The id of the next game.
        next: String,
    },
    /// The game has ended. This happens once, and only chat, presence and rematch offers follow.
    Ended {
        /// How it ended.
        #[serde(flatten)]
        ending: Ending,
        /// The clocks at the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(time: &Millis) -> bool {
    *time == Millis::ZERO
}

/// A numbered and dated event of a game's log.
///
/// Written as one object: `v` is the version of the event's shape, then `seq`, `at` and the event's
/// own fields. New optional fields do not need a new version; a change of meaning does, and then
/// the old shape still loads.
///
/// ```
/// use hansu_play::{Entry, Event, Millis};
/// let entry = Entry { seq: 7, at: Millis(12), event: Event::Resumed };
/// let text = r#"{"v":1,"seq":7,"at":12,"type":"resumed"}"#;
/// assert_eq!(serde_json::to_string(&entry)?, text);
/// assert_eq!(serde_json::from_str::<Entry>(text)?, entry);
/// let newer = serde_json::from_str::<Entry>(r#"{"v":9,"seq":7,"at":12,"type":"resumed"}"#);
/// assert!(newer.unwrap_err().to_string().contains("newer program"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its number, counted from 1 without gaps.
    pub seq: u64,
    /// When it was committed; never earlier than the entry before it.
    pub at: Millis,
    /// What happened.
    pub event: Event,
}
