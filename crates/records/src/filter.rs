//! Which games are asked for, and which page of them.

use crate::dates::Millis;
use crate::stats::Viewer;
use crate::{Holder, Record, Score, Source, Status, Visibility};

/// What games must have in common; what is not named does not matter.
///
/// ```
/// use hansu_records::{Filter, Score};
/// let filter = Filter { player: Some("Anna".into()), score: Some(Score::Draw), ..Filter::default() };
/// assert_ne!(filter, Filter::default());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// This player, with either colour; capitals do not matter.
    pub player: Option<String>,
    /// This player with the white pieces.
    pub white: Option<String>,
    /// This player with the black pieces.
    pub black: Option<String>,
    /// This result.
    pub score: Option<Score>,
    /// This reason, as a code.
    pub reason: Option<String>,
    /// Begun at this time or later.
    pub since: Option<Millis>,
    /// Begun before this time.
    pub until: Option<Millis>,
    /// An ECO code or the beginning of one (`B`, `B9`, `B90`), else a part of the opening's name.
    pub opening: Option<String>,
    /// At least so many plies.
    pub shortest: Option<u32>,
    /// At most so many plies.
    pub longest: Option<u32>,
    /// From there.
    pub source: Option<Source>,
    /// Standing so.
    pub status: Option<Status>,
    /// To be found by these.
    pub visibility: Option<Visibility>,
    /// With this holder in a seat.
    pub holder: Option<Holder>,
    /// By whom it is asked: words and notes on games are found by those who wrote them.
    pub viewer: Viewer,
    /// With this word on it.
    pub tag: Option<String>,
    /// With this text in a player's name, the occasion, the opening's name or the note, or as a
    /// tag; capitals do not matter. An empty text is none.
    pub text: Option<String>,
}

/// Which way a list goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The latest game first.
    #[default]
    Newest,
    /// The first game first.
    Oldest,
}

/// Where a page ended; the next one begins there, also when games came in between.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cursor {
    pub(crate) at: i64,
    pub(crate) n: i64,
}

impl std::fmt::Display for Cursor {
    /// A text that may stand in an address.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}_{}", self.at, self.n)
    }
}

impl std::str::FromStr for Cursor {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Cursor, Self::Err> {
        let (at, n) = text.split_once('_').unwrap_or((text, ""));
        Ok(Cursor { at: at.parse()?, n: n.parse()? })
    }
}

/// A page of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// Which way.
    pub order: Order,
    /// Behind this place; `None` is the beginning.
    pub after: Option<Cursor>,
    /// At most so many games; never more than [`Page::MOST`].
    pub limit: usize,
}

impl Page {
    /// The most games on a page.
    pub const MOST: usize = 1_000;
}

impl Default for Page {
    fn default() -> Page {
        Page { order: Order::Newest, after: None, limit: 50 }
    }
}

/// A page of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The games.
    pub games: Vec<Record>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<Cursor>,
}
