//! A game as the columns of a row, and back; whatever database the row is in.

use hansu_chess::Variant;

use crate::ledger::{Facets, UNKNOWN};
use crate::record::Named;
use crate::{Error, Moves, Record, Score, Source, Status, Summary, Visibility, fingerprint, names};

/// Between two PGN tags, and between a tag's name and value. PGN cannot contain them.
const BETWEEN: char = '\u{1e}';
pub(crate) const INSIDE: char = '\u{1f}';

/// Where texts have numbers.
pub(crate) trait Ids {
    /// What can go wrong.
    type Trouble;

    /// The id of a player, and the name as it was first written.
    fn name(&mut self, name: &str) -> Result<(i64, String), Self::Trouble>;

    /// The id of a reason, an occasion or a time control.
    fn word(&mut self, text: &str) -> Result<i64, Self::Trouble>;

    /// The id of an opening.
    fn opening(&mut self, opening: &Named) -> Result<i64, Self::Trouble>;
}

/// A summary with its texts turned into ids.
pub(crate) struct Entry<'a> {
    pub(crate) facets: Facets,
    pub(crate) time_control: Option<i64>,
    pub(crate) headers: Option<String>,
    pub(crate) summary: &'a Summary,
}

impl<'a> Entry<'a> {
    pub(crate) fn new<I: Ids>(ids: &mut I, summary: &'a Summary) -> Result<Entry<'a>, I::Trouble> {
        let (white_name, black_name) = (names::tidy(&summary.white), names::tidy(&summary.black));
        let (white, first_white) = ids.name(&white_name)?;
        let (black, first_black) = ids.name(&black_name)?;
        // Another spelling of a known name is kept beside it.
        let other = |key, name: &str, first: &str| (name != first).then(|| (key, name.to_owned()));
        let spelling =
            [other("White", &white_name, &first_white), other("Black", &black_name, &first_black)];
        let headers = summary.headers.iter().map(|(k, v)| (k.as_str(), v.clone()));
        let mut word =
            |text: &Option<String>| text.as_deref().map(|text| ids.word(text)).transpose();
        let (reason, event) = (word(&summary.reason)?, word(&summary.event)?);
        let time_control = word(&summary.time_control)?;
        Ok(Entry {
            facets: Facets {
                at: summary.started.unwrap_or(UNKNOWN),
                white,
                black,
                score: summary.score,
                reason,
                opening: summary
                    .opening
                    .as_ref()
                    .map(|opening| ids.opening(opening))
                    .transpose()?,
                event,
                source: summary.source.number(),
                status: summary.status,
                visibility: summary.visibility.number(),
                plies: i64::try_from(summary.plies()).unwrap_or(i64::MAX),
            },
            time_control,
            headers: join(spelling.into_iter().flatten().chain(headers)),
            summary,
        })
    }

    /// A game that is over can be recognised when it comes back in a file.
    pub(crate) fn hash(&self) -> Option<[u8; 16]> {
        (self.summary.status != Status::Live).then(|| fingerprint(self.summary))
    }
}

/// The most by which a game is looked at too early.
const EARLY: i64 = 60_000;

/// When to look whether a game's time is up: before its deadline, and as it was where that will
/// do, since every change of it costs two pages of an index.
pub(crate) fn wake(was: Option<i64>, deadline: Option<i64>) -> Option<i64> {
    let deadline = deadline?;
    let will_do = |was: &i64| (deadline.saturating_sub(EARLY)..=deadline).contains(was);
    Some(was.filter(will_do).unwrap_or(deadline.saturating_sub(EARLY / 2)))
}

fn join(pairs: impl Iterator<Item = (impl AsRef<str>, String)>) -> Option<String> {
    let clean = |text: &str| text.replace(|letter: char| letter.is_control(), " ");
    let mut text = String::new();
    for (key, value) in pairs {
        if !text.is_empty() {
            text.push(BETWEEN);
        }
        text.push_str(&clean(key.as_ref()));
        text.push(INSIDE);
        text.push_str(&clean(&value));
    }
    (!text.is_empty()).then_some(text)
}

fn split(text: Option<String>) -> Vec<(String, String)> {
    let text = text.unwrap_or_default();
    let pairs = text.split(BETWEEN).filter_map(|pair| pair.split_once(INSIDE));
    pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect()
}

/// All that is kept of a game, as it stands in the columns.
pub(crate) struct Columns {
    pub(crate) id: String,
    pub(crate) at: i64,
    pub(crate) ended: Option<i64>,
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) result: i64,
    pub(crate) reason: Option<String>,
    pub(crate) source: i64,
    pub(crate) status: i64,
    pub(crate) visibility: i64,
    pub(crate) deadline: Option<i64>,
    pub(crate) variant: i64,
    pub(crate) start_fen: Option<String>,
    pub(crate) final_fen: String,
    pub(crate) time_control: Option<String>,
    pub(crate) opening: Option<Named>,
    pub(crate) event: Option<String>,
    pub(crate) moves: Vec<u8>,
    pub(crate) headers: Option<String>,
    pub(crate) annotations: Option<String>,
    pub(crate) last_seq: i64,
    pub(crate) tags: Vec<String>,
    pub(crate) note: Option<String>,
}

impl Columns {
    /// The game; a number that nothing stands for was not written by us.
    pub(crate) fn record(self) -> Result<Record, Error> {
        let mut headers = split(self.headers);
        let mut spelled = |key: &str, first: String| {
            let at = headers.iter().position(|(name, _)| name == key);
            at.map_or(first, |at| headers.remove(at).1)
        };
        let (white, black) = (spelled("White", self.white), spelled("Black", self.black));
        Ok(Record {
            id: self.id.parse().map_err(|_| Error::Damaged)?,
            summary: Summary {
                white,
                black,
                score: Score::from_number(self.result).ok_or(Error::Damaged)?,
                reason: self.reason,
                started: (self.at != UNKNOWN).then_some(self.at),
                ended: self.ended,
                source: Source::from_number(self.source).ok_or(Error::Damaged)?,
                status: Status::from_number(self.status).ok_or(Error::Damaged)?,
                visibility: Visibility::from_number(self.visibility).ok_or(Error::Damaged)?,
                deadline: self.deadline,
                variant: match self.variant {
                    0 => Variant::Standard,
                    1 => Variant::Chess960,
                    _ => return Err(Error::Damaged),
                },
                start_fen: self.start_fen,
                final_fen: self.final_fen,
                time_control: self.time_control,
                opening: self.opening,
                event: self.event,
                moves: Moves::from_bytes(self.moves).ok_or(Error::Damaged)?,
                headers,
                annotations: self.annotations,
            },
            last_seq: self.last_seq.cast_unsigned(),
            note: self.note,
            tags: self.tags,
        })
    }
}

pub(crate) const fn variant_number(variant: Variant) -> i64 {
    match variant {
        Variant::Standard => 0,
        Variant::Chess960 => 1,
    }
}
