//! What has happened: the one thing that is stored, sent and replayed.

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
/// Times are stored as they came out, so replaying computes none. `clocks` is missing in games
/// without clock.
///
/// Moves are stored as UCI writes them and SAN is derived: UCI is read without knowing the
/// position, has one spelling for a move, and storing both would keep two truths that could
/// disagree.
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
        /// How much of the thinking time was lag and was not charged.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag: Millis,
        /// The clocks after the move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// A side offered something.
    Offered {
        /// What.
        what: Offer,
        /// Which side.
        #[serde(with = "code::color")]
        #[cfg_attr(feature = "ts", ts(type = "\"white\" | \"black\""))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        by: Color,
    },
    /// A side turned down what the other had offered.
    Declined {
        /// What.
        what: Offer,
        /// Which side.
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
    /// The game was adjourned by agreement; both clocks stand.
    Adjourned {
        /// The clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// The adjourned game goes on.
    Resumed,
    /// A player has left.
    Left {
        /// Who.
        #[serde(with = "code::color")]
        #[cfg_attr(feature = "ts", ts(type = "\"white\" | \"black\""))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        side: Color,
    },
    /// A player is back.
    Returned {
        /// Who.
        #[serde(with = "code::color")]
        #[cfg_attr(feature = "ts", ts(type = "\"white\" | \"black\""))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        side: Color,
    },
    /// Running time was given back: everything that has been running since some moment has been
    /// running since so much later, at the latest since the entry's `at`.
    Credited {
        /// How much.
        time: Millis,
    },
    /// A player gave the other time. Since when the turn has been running stays as it is, and so do
    /// the clocks of earlier moves.
    TimeGiven {
        /// Who got it.
        #[serde(with = "code::color")]
        #[cfg_attr(feature = "ts", ts(type = "\"white\" | \"black\""))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        to: Color,
        /// How much.
        time: Millis,
    },
    /// Somebody said something.
    Chatted {
        /// From where.
        from: Actor,
        /// A spectator's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// What.
        text: String,
    },
    /// Both want to play again, with colours changed over.
    RematchAgreed {
        /// The id of the next game.
        next: String,
    },
    /// The game has ended: once, and nothing but chat, presence and rematch follows.
    Ended {
        /// How.
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

/// An event in its place in the log of a game.
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
    /// Its place, counted from 1 without gaps.
    pub seq: u64,
    /// When it was committed; never before the entry before it.
    pub at: Millis,
    /// What happened.
    pub event: Event,
}
