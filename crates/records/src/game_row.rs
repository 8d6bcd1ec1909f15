//! The row of a game: one description from which both databases write, change and read it.
//!
//! A new column needs a field of [`Summary`], an entry in [`COLUMNS`], a field in [`record`] (with
//! its name in the two queries that it reads), and a migration of each schema.

use hansu_chess::Variant;

use crate::record::OpeningName;
use crate::tallies::{Facets, UNKNOWN};
use crate::{
    Error, GameId, Moves, Record, Score, Source, Status, Summary, Visibility, fingerprint, names,
};

/// Separators: between two PGN tags, and between a tag's name and value. PGN cannot contain them.
const BETWEEN: char = '\u{1e}';
const INSIDE: char = '\u{1f}';

/// Looks up the ids of texts.
pub(crate) trait Ids {
    /// The error of a lookup.
    type Error;

    /// The id of a player, and the first spelling of the name.
    fn name(&mut self, name: &str) -> Result<(i64, String), Self::Error>;

    /// The id of a reason, an occasion or a time control.
    fn word(&mut self, text: &str) -> Result<i64, Self::Error>;

    /// The id of an opening.
    fn opening(&mut self, opening: &OpeningName) -> Result<i64, Self::Error>;
}

/// A row to be written: a summary with its texts turned into ids, and the columns that it does not
/// have.
pub(crate) struct GameRow<'a> {
    pub(crate) id: GameId,
    pub(crate) last_seq: u64,
    pub(crate) hash: Option<[u8; 16]>,
    pub(crate) wake: Option<i64>,
    pub(crate) facets: Facets,
    time_control: Option<i64>,
    headers: Option<String>,
    summary: &'a Summary,
}

impl<'a> GameRow<'a> {
    pub(crate) fn new<I: Ids>(
        ids: &mut I,
        id: GameId,
        last_seq: u64,
        hash: Option<[u8; 16]>,
        summary: &'a Summary,
    ) -> Result<GameRow<'a>, I::Error> {
        let (white_name, black_name) = (names::tidy(&summary.white), names::tidy(&summary.black));
        let (white, first_white) = ids.name(&white_name)?;
        let (black, first_black) = ids.name(&black_name)?;
        // Another spelling of a known name is kept as a PGN tag.
        let other = |key, name: &str, first: &str| (name != first).then(|| (key, name.to_owned()));
        let spelling =
            [other("White", &white_name, &first_white), other("Black", &black_name, &first_black)];
        let headers = summary.headers.iter().map(|(k, v)| (k.as_str(), v.clone()));
        let mut word =
            |text: &Option<String>| text.as_deref().map(|text| ids.word(text)).transpose();
        let (reason, event) = (word(&summary.reason)?, word(&summary.event)?);
        let time_control = word(&summary.time_control)?;
        let opening = summary.opening.as_ref().map(|opening| ids.opening(opening)).transpose()?;
        Ok(GameRow {
            id,
            last_seq,
            hash,
            wake: wake(None, summary.deadline),
            facets: Facets {
                at: summary.started.unwrap_or(UNKNOWN),
                white,
                black,
                score: summary.score,
                reason,
                opening,
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

    /// Keeps from the old row what must not change: this row replaces it.
    pub(crate) fn follow(&mut self, old: &Facets, was: Option<i64>) {
        // Lists are ordered by the time a game began: it never changes.
        self.facets.at = old.at;
        self.wake = wake(was, self.summary.deadline);
    }
}

/// The fingerprint by which an import recognises the game; `None` while it is live.
pub(crate) fn hash_of(summary: &Summary) -> Option<[u8; 16]> {
    (summary.status != Status::Live).then(|| fingerprint(summary))
}

/// A column: its name, and how to get its value from a row.
pub(crate) enum Column {
    Number(&'static str, fn(&GameRow<'_>) -> Option<i64>),
    Text(&'static str, for<'e> fn(&'e GameRow<'_>) -> Option<&'e str>),
    Bytes(&'static str, for<'e> fn(&'e GameRow<'_>) -> Option<&'e [u8]>),
}

use Column::{Bytes, Number, Text};

/// The columns that are read before a row is changed: those of [`Facets`], and `wake`.
pub(crate) const JUDGED: usize = 12;
/// The columns of the table `games`; SQLite keeps the others in the table `lines`.
pub(crate) const LISTED: usize = 19;

/// All columns of a game, but for the number of its row.
pub(crate) const COLUMNS: [Column; 24] = [
    Number("at", |row| Some(row.facets.at)),
    Number("white", |row| Some(row.facets.white)),
    Number("black", |row| Some(row.facets.black)),
    Number("result", |row| Some(row.facets.score.number())),
    Number("reason", |row| row.facets.reason),
    Number("opening", |row| row.facets.opening),
    Number("event", |row| row.facets.event),
    Number("source", |row| Some(row.facets.source)),
    Number("status", |row| Some(row.facets.status.number())),
    Number("plies", |row| Some(row.facets.plies)),
    Number("visibility", |row| Some(row.facets.visibility)),
    Number("wake", |row| row.wake),
    Text("id", |row| Some(row.id.as_str())),
    Number("ended", |row| row.summary.ended),
    Number("variant", |row| Some(variant_number(row.summary.variant))),
    Number("time_control", |row| row.time_control),
    Number("deadline", |row| row.summary.deadline),
    Number("last_seq", |row| Some(row.last_seq.cast_signed())),
    Bytes("hash", |row| row.hash.as_ref().map(|hash| &hash[..])),
    Bytes("moves", |row| Some(row.summary.moves.as_bytes())),
    Text("start_fen", |row| row.summary.start_fen.as_deref()),
    Text("final_fen", |row| Some(&row.summary.final_fen)),
    Text("headers", |row| row.headers.as_deref()),
    Text("annotations", |row| row.summary.annotations.as_deref()),
];

impl Column {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Number(name, _) | Text(name, _) | Bytes(name, _) => name,
        }
    }
}

/// A comma-separated list for a statement; `each` formats one column, by its index and name.
pub(crate) fn column_list(columns: &[Column], each: impl Fn(usize, &str) -> String) -> String {
    let each = |(at, column): (usize, &Column)| each(at, column.name());
    columns.iter().enumerate().map(each).collect::<Vec<_>>().join(", ")
}

/// The most by which `wake` may precede the deadline, in milliseconds.
const EARLY: i64 = 60_000;

/// When to check a game's deadline: at most one minute before it. The old value is kept while it is
/// still in this range, because each change rewrites two pages of an index.
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

/// A row that was read from either database.
pub(crate) trait Cells {
    fn number(&self, at: usize) -> Result<Option<i64>, Error>;
    fn text(&self, at: usize) -> Result<Option<String>, Error>;
    fn bytes(&self, at: usize) -> Result<Option<Vec<u8>>, Error>;
}

/// Reads the cells of a row one after the other. A missing value, or a number without a meaning,
/// was not written by this program: the log is damaged.
struct Reader<'r, R>(&'r R, usize);

impl<R: Cells> Reader<'_, R> {
    fn next(&mut self) -> usize {
        self.1 += 1;
        self.1 - 1
    }

    fn number(&mut self) -> Result<Option<i64>, Error> {
        let at = self.next();
        self.0.number(at)
    }

    fn text(&mut self) -> Result<Option<String>, Error> {
        let at = self.next();
        self.0.text(at)
    }

    fn whole_number(&mut self) -> Result<i64, Error> {
        self.number()?.ok_or(Error::Damaged)
    }

    fn whole_text(&mut self) -> Result<String, Error> {
        self.text()?.ok_or(Error::Damaged)
    }

    fn coded<T>(&mut self, from_number: impl Fn(i64) -> Option<T>) -> Result<T, Error> {
        from_number(self.whole_number()?).ok_or(Error::Damaged)
    }
}

impl Facets {
    /// Reads the first of [`COLUMNS`].
    pub(crate) fn read(row: &impl Cells, from: usize) -> Result<Facets, Error> {
        let mut row = Reader(row, from);
        Ok(Facets {
            at: row.whole_number()?,
            white: row.whole_number()?,
            black: row.whole_number()?,
            score: row.coded(Score::from_number)?,
            reason: row.number()?,
            opening: row.number()?,
            event: row.number()?,
            source: row.whole_number()?,
            status: row.coded(Status::from_number)?,
            plies: row.whole_number()?,
            visibility: row.whole_number()?,
        })
    }
}

/// Reads a game from the columns that the queries of both databases select, in this order: `id`,
/// `at`, `ended`, the names of White and Black, `result`, the reason's text, `source`, `status`,
/// `visibility`, `deadline`, `variant`, `start_fen`, `final_fen`, the time control's text, the
/// opening's code and name, the occasion's text, `moves`, `headers`, `annotations`, `last_seq`, the
/// note and the tags.
pub(crate) fn record(row: &impl Cells) -> Result<Record, Error> {
    let mut row = Reader(row, 0);
    let id = row.whole_text()?.parse().map_err(|_| Error::Damaged)?;
    let mut summary = Summary {
        started: Some(row.whole_number()?).filter(|&at| at != UNKNOWN),
        ended: row.number()?,
        white: row.whole_text()?,
        black: row.whole_text()?,
        score: row.coded(Score::from_number)?,
        reason: row.text()?,
        source: row.coded(Source::from_number)?,
        status: row.coded(Status::from_number)?,
        visibility: row.coded(Visibility::from_number)?,
        deadline: row.number()?,
        variant: row.coded(variant_of)?,
        start_fen: row.text()?,
        final_fen: row.whole_text()?,
        time_control: row.text()?,
        opening: {
            let (eco, name) = (row.text()?, row.text()?);
            eco.zip(name).map(|(eco, name)| OpeningName { eco, name })
        },
        event: row.text()?,
        moves: {
            let at = row.next();
            let bytes = row.0.bytes(at)?;
            bytes.and_then(Moves::from_bytes).ok_or(Error::Damaged)?
        },
        headers: split(row.text()?),
        annotations: row.text()?,
    };
    let last_seq = row.whole_number()?.cast_unsigned();
    let note = row.text()?;
    let tags = row.text()?.unwrap_or_default();
    let tags = tags.split(INSIDE).filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
    for (key, name) in [("White", &mut summary.white), ("Black", &mut summary.black)] {
        if let Some(at) = summary.headers.iter().position(|(header, _)| header == key) {
            *name = summary.headers.remove(at).1;
        }
    }
    Ok(Record { id, summary, last_seq, tags, note })
}

const fn variant_number(variant: Variant) -> i64 {
    match variant {
        Variant::Standard => 0,
        Variant::Chess960 => 1,
    }
}

const fn variant_of(number: i64) -> Option<Variant> {
    match number {
        0 => Some(Variant::Standard),
        1 => Some(Variant::Chess960),
        _ => None,
    }
}
