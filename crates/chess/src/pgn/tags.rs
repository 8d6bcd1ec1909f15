//! The tags of a game: seven that every game has, and any others.

use std::fmt;

use super::{MAX_TAG_VALUE, MAX_TAGS};

/// Those that every game has, in the order of the standard, and what stands for "unknown". The
/// seventh, `Result`, follows from the game itself.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// What a [`Record`](super::Record) keeps in fields of its own.
const KEPT_ELSEWHERE: [&str; 4] = ["Result", "FEN", "SetUp", "Variant"];

/// Why a tag is refused.
///
/// ```
/// use hansu_chess::pgn::{TagError, Tags};
/// let mut tags = Tags::new();
/// assert_eq!(tags.set("Two words", "x"), Err(TagError::Name));
/// assert_eq!(tags.set("Result", "1-0"), Err(TagError::KeptElsewhere));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagError {
    /// A name is 1 to 255 letters, digits and `_+#=:-`.
    Name,
    /// `Result`, `FEN`, `SetUp` and `Variant` follow from the fields of a record.
    KeptElsewhere,
    /// The value is longer than [`MAX_TAG_VALUE`].
    TooLong,
    /// There are [`MAX_TAGS`] already.
    TooMany,
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TagError::Name => "the name of a tag must be letters and digits",
            TagError::KeptElsewhere => "this tag follows from the game itself",
            TagError::TooLong => "the value of the tag is too long",
            TagError::TooMany => "there are too many tags",
        })
    }
}

impl std::error::Error for TagError {}

/// The tags of a game, without those that follow from the game itself.
///
/// The seven of the standard (here without `Result`) are always there; unknown ones are `?`.
///
/// ```
/// use hansu_chess::pgn::Tags;
/// let mut tags = Tags::new();
/// tags.set("ECO", "C20")?;
/// tags.set("White", "Anna")?;
/// let all: Vec<_> = tags.iter().collect();
/// assert_eq!(all[0], ("Event", "?"));
/// assert_eq!(all[4], ("White", "Anna"));
/// assert_eq!(all[6], ("ECO", "C20"));
/// # Ok::<(), hansu_chess::pgn::TagError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags {
    /// `None` is unknown.
    roster: [Option<String>; ROSTER.len()],
    /// In the order in which they came.
    others: Vec<(String, String)>,
}

impl Tags {
    /// All tags unknown.
    ///
    /// ```
    /// # use hansu_chess::pgn::Tags;
    /// assert_eq!(Tags::new().value("Date"), Some("????.??.??"));
    /// ```
    pub fn new() -> Tags {
        Tags::default()
    }

    /// The value of a tag.
    ///
    /// ```
    /// # use hansu_chess::pgn::Tags;
    /// assert_eq!(Tags::new().value("White"), Some("?"));
    /// assert_eq!(Tags::new().value("WhiteElo"), None);
    /// ```
    pub fn value(&self, name: &str) -> Option<&str> {
        self.iter().find(|&(known, _)| known == name).map(|(_, value)| value)
    }

    /// Sets a tag, instead of one with the same name. Line ends and other control characters in
    /// the value become spaces.
    ///
    /// # Errors
    ///
    /// When the tag cannot be written down or read again.
    ///
    /// ```
    /// # use hansu_chess::pgn::Tags;
    /// let mut tags = Tags::new();
    /// tags.set("Event", "Club\nchampionship")?;
    /// assert_eq!(tags.value("Event"), Some("Club championship"));
    /// # Ok::<(), hansu_chess::pgn::TagError>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if !is_name(name) {
            return Err(TagError::Name);
        }
        if KEPT_ELSEWHERE.iter().any(|kept| kept.eq_ignore_ascii_case(name)) {
            return Err(TagError::KeptElsewhere);
        }
        if value.len() > MAX_TAG_VALUE {
            return Err(TagError::TooLong);
        }
        let value = value.replace(|letter: char| letter.is_ascii_control(), " ");
        if let Some(place) = ROSTER.iter().position(|&(known, _)| known == name) {
            self.roster[place] = (value != ROSTER[place].1).then_some(value);
        } else if let Some(other) = self.others.iter_mut().find(|(known, _)| known == name) {
            other.1 = value;
        } else if self.others.len() + ROSTER.len() == MAX_TAGS {
            return Err(TagError::TooMany);
        } else {
            self.others.push((name.to_owned(), value));
        }
        Ok(())
    }

    /// Removes a tag; one of the seven becomes unknown.
    ///
    /// ```
    /// # use hansu_chess::pgn::Tags;
    /// let mut tags = Tags::new();
    /// tags.set("ECO", "C20")?;
    /// tags.remove("ECO");
    /// assert_eq!(tags, Tags::new());
    /// # Ok::<(), hansu_chess::pgn::TagError>(())
    /// ```
    pub fn remove(&mut self, name: &str) {
        for (&(known, _), value) in ROSTER.iter().zip(&mut self.roster) {
            if known == name {
                *value = None;
            }
        }
        self.others.retain(|(known, _)| known != name);
    }

    /// Names and values, the seven of the standard first.
    ///
    /// ```
    /// # use hansu_chess::pgn::Tags;
    /// assert_eq!(Tags::new().iter().next(), Some(("Event", "?")));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let roster = ROSTER
            .iter()
            .zip(&self.roster)
            .map(|(&(name, unknown), value)| (name, value.as_deref().unwrap_or(unknown)));
        roster.chain(self.others.iter().map(|(name, value)| (name.as_str(), value.as_str())))
    }

    /// Number of tags before the `Result` tag.
    pub(super) const BEFORE_RESULT: usize = ROSTER.len();
}

/// True if this is a valid name of a tag.
fn is_name(name: &str) -> bool {
    (1..=255).contains(&name.len()) && name.bytes().all(is_name_byte)
}

/// What names of tags are made of: the standard's symbol characters.
#[inline(always)]
pub(super) const fn is_name_byte(byte: u8) -> bool {
    IN_NAME[byte as usize]
}

const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let symbol = matches!(byte as u8, b'_' | b'+' | b'#' | b'=' | b':' | b'-');
        table[byte] = (byte as u8).is_ascii_alphanumeric() || symbol;
        byte += 1;
    }
    table
};
