//! Which games a list has, and which page of it.

use crate::dates::LogTime;
use crate::stats::Viewer;
use crate::{Holder, Record, Score, Source, Status, Visibility};

/// Conditions that games must meet; a field that is `None` is not checked.
///
/// ```
/// use hansu_records::{Filter, Score};
/// let filter = Filter { player: Some("Anna".into()), score: Some(Score::Draw), ..Filter::default() };
/// assert_ne!(filter, Filter::default());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// This player, with either colour, in upper or lower case.
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
    pub since: Option<LogTime>,
    /// Begun before this time.
    pub until: Option<LogTime>,
    /// An ECO code or the beginning of one (`B`, `B9`, `B90`), else a part of the opening's name.
    pub opening: Option<String>,
    /// At least this many plies.
    pub shortest: Option<u32>,
    /// At most this many plies.
    pub longest: Option<u32>,
    /// From this source.
    pub source: Option<Source>,
    /// With this status.
    pub status: Option<Status>,
    /// With this visibility.
    pub visibility: Option<Visibility>,
    /// With a seat of this holder.
    pub holder: Option<Holder>,
    /// The viewer: tags and notes are found only by their authors.
    pub viewer: Viewer,
    /// With this tag.
    pub tag: Option<String>,
    /// With this text in a player's name, the occasion, the opening's name or the note, or as a
    /// tag, in upper or lower case. An empty text is not checked.
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

/// Where a page ended; the next page begins there, even if games were added in between.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cursor {
    pub(crate) at: i64,
    pub(crate) n: i64,
}

impl std::fmt::Display for Cursor {
    /// A text that is safe in a URL.
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
    /// The direction.
    pub order: Order,
    /// Only games after this cursor; `None` is the beginning.
    pub after: Option<Cursor>,
    /// At most this many games; never more than [`Page::MOST`].
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
