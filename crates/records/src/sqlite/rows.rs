//! A game as rows, and back.

use std::collections::HashMap;

use hansu_chess::Variant;
use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::ledger::Facets;
use super::schema::UNKNOWN;
use super::tail::{self, deadline, last_seq, played};
use crate::record::Named;
use crate::{Error, GameId, Moves, Record, Score, Source, Status, Summary, Visibility, names};

/// Between two PGN tags, and between a tag's name and value. PGN cannot contain them.
const BETWEEN: char = '\u{1e}';
const INSIDE: char = '\u{1f}';

/// The ids of texts that were met lately.
#[derive(Default)]
pub(crate) struct Ids {
    names: HashMap<String, (i64, String)>,
    words: HashMap<String, i64>,
    openings: HashMap<Named, i64>,
}

/// A collection has few names that come often; a bound keeps the memory small.
const MOST_IDS: usize = 50_000;

impl Ids {
    /// After a rollback the ids may not exist.
    pub(crate) fn forget(&mut self) {
        *self = Ids::default();
    }

    /// The id of a player, and the name as it was first written.
    fn name(&mut self, connection: &Connection, name: &str) -> rusqlite::Result<(i64, String)> {
        let folded = names::fold(name);
        if let Some(known) = self.names.get(&folded) {
            return Ok(known.clone());
        }
        let known = connection
            .prepare_cached("SELECT id, name FROM names WHERE folded = ?1")?
            .query_row([&folded], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let known = match known {
            Some(known) => known,
            None => {
                connection
                    .prepare_cached("INSERT INTO names (name, folded) VALUES (?1, ?2)")?
                    .execute([name, &folded])?;
                let id = connection.last_insert_rowid();
                connection
                    .prepare_cached("INSERT INTO names_text (rowid, folded) VALUES (?1, ?2)")?
                    .execute((id, &folded))?;
                (id, name.to_owned())
            }
        };
        if self.names.len() >= MOST_IDS {
            self.names.clear();
        }
        self.names.insert(folded, known.clone());
        Ok(known)
    }

    fn word(
        &mut self,
        connection: &Connection,
        text: Option<&String>,
    ) -> rusqlite::Result<Option<i64>> {
        let Some(text) = text else { return Ok(None) };
        if let Some(&id) = self.words.get(text) {
            return Ok(Some(id));
        }
        let known = connection
            .prepare_cached("SELECT id FROM words WHERE text = ?1")?
            .query_row([text], |row| row.get(0))
            .optional()?;
        let id = match known {
            Some(id) => id,
            None => {
                connection
                    .prepare_cached("INSERT INTO words (text) VALUES (?1)")?
                    .execute([text])?;
                let id = connection.last_insert_rowid();
                connection
                    .prepare_cached("INSERT INTO words_text (rowid, text) VALUES (?1, ?2)")?
                    .execute((id, text))?;
                id
            }
        };
        if self.words.len() >= MOST_IDS {
            self.words.clear();
        }
        self.words.insert(text.clone(), id);
        Ok(Some(id))
    }

    fn opening(
        &mut self,
        connection: &Connection,
        opening: Option<&Named>,
    ) -> rusqlite::Result<Option<i64>> {
        let Some(opening) = opening else {
            return Ok(None);
        };
        if let Some(&id) = self.openings.get(opening) {
            return Ok(Some(id));
        }
        let id = connection
            .prepare_cached(
                "INSERT INTO openings (eco, name) VALUES (?1, ?2)
                 ON CONFLICT DO UPDATE SET eco = eco RETURNING id",
            )?
            .query_row([&opening.eco, &opening.name], |row| row.get(0))?;
        if self.openings.len() >= MOST_IDS {
            self.openings.clear();
        }
        self.openings.insert(opening.clone(), id);
        Ok(Some(id))
    }
}

/// A summary with its texts turned into ids.
pub(crate) struct Entry<'a> {
    pub(crate) facets: Facets,
    pub(crate) time_control: Option<i64>,
    pub(crate) headers: Option<String>,
    pub(crate) summary: &'a Summary,
}

impl<'a> Entry<'a> {
    pub(crate) fn new(
        connection: &Connection,
        ids: &mut Ids,
        summary: &'a Summary,
    ) -> rusqlite::Result<Entry<'a>> {
        let (white_name, black_name) = (names::tidy(&summary.white), names::tidy(&summary.black));
        let (white, first_white) = ids.name(connection, &white_name)?;
        let (black, first_black) = ids.name(connection, &black_name)?;
        // Another spelling of a known name is kept beside it.
        let other = |key, name: &str, first: &str| (name != first).then(|| (key, name.to_owned()));
        let spelling =
            [other("White", &white_name, &first_white), other("Black", &black_name, &first_black)];
        let headers = summary.headers.iter().map(|(k, v)| (k.as_str(), v.clone()));
        Ok(Entry {
            facets: Facets {
                at: summary.started.unwrap_or(UNKNOWN),
                white,
                black,
                score: summary.score,
                reason: ids.word(connection, summary.reason.as_ref())?,
                opening: ids.opening(connection, summary.opening.as_ref())?,
                event: ids.word(connection, summary.event.as_ref())?,
                source: summary.source.number(),
                status: summary.status,
                visibility: summary.visibility.number(),
                plies: i64::try_from(summary.plies()).unwrap_or(i64::MAX),
            },
            time_control: ids.word(connection, summary.time_control.as_ref())?,
            headers: join(spelling.into_iter().flatten().chain(headers)),
            summary,
        })
    }

    /// Adds the game; the number of its row.
    pub(crate) fn insert(
        &self,
        connection: &Connection,
        id: GameId,
        last_seq: u64,
        hash: Option<[u8; 16]>,
    ) -> rusqlite::Result<i64> {
        let (f, s) = (&self.facets, self.summary);
        connection
            .prepare_cached(
                "INSERT INTO games (id, at, ended, white, black, result, reason, plies, source,
                   status, variant, opening, event, time_control, deadline, last_seq, hash,
                   visibility, wake)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
                   ?17, ?18, ?19)",
            )?
            .execute(rusqlite::params![
                id.as_str(),
                f.at,
                s.ended,
                f.white,
                f.black,
                f.score.number(),
                f.reason,
                f.plies,
                f.source,
                f.status.number(),
                variant_number(s.variant),
                f.opening,
                f.event,
                self.time_control,
                s.deadline,
                last_seq.cast_signed(),
                hash,
                f.visibility,
                wake(None, s.deadline),
            ])?;
        let n = connection.last_insert_rowid();
        self.insert_line(connection, n)?;
        Ok(n)
    }

    fn insert_line(&self, connection: &Connection, n: i64) -> rusqlite::Result<()> {
        connection
            .prepare_cached("INSERT INTO lines VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
            .execute(self.line(n))?;
        Ok(())
    }

    /// Writes nothing when nothing has changed: talk and offers leave the line as it is.
    pub(crate) fn update_line(&self, connection: &Connection, n: i64) -> rusqlite::Result<()> {
        connection
            .prepare_cached(
                "UPDATE lines SET moves = ?2, start_fen = ?3, final_fen = ?4, headers = ?5,
                   annotations = ?6
                 WHERE game = ?1 AND (moves, start_fen, final_fen, headers, annotations)
                   IS NOT (?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(self.line(n))?;
        Ok(())
    }

    /// The row of `lines`.
    fn line(&self, n: i64) -> impl Params {
        let s = self.summary;
        (n, s.moves.as_bytes(), &s.start_fen, &s.final_fen, &self.headers, &s.annotations)
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

/// All of a game; `?1` is its row or its id.
pub(crate) const BY_ROW: &str = record_query!("g.n = ?1");
pub(crate) const BY_ID: &str = record_query!("g.id = ?1");

macro_rules! record_query {
    ($which:literal) => {
        concat!(
            "SELECT g.id, g.at, g.ended, w.name, b.name, g.result, r.text, g.source, g.status,
               ",
            deadline!(),
            ", g.variant, l.start_fen, l.final_fen, c.text, o.eco, o.name, e.text,
               l.moves, l.headers, l.annotations, ",
            last_seq!(),
            ", t.text,
               (SELECT group_concat(tag, char(31))
                FROM (SELECT tag FROM tags WHERE game = g.n ORDER BY tag)), g.visibility, ",
            played!(),
            "
             FROM games g CROSS JOIN lines l ON l.game = g.n
             CROSS JOIN names w ON w.id = g.white CROSS JOIN names b ON b.id = g.black
             LEFT JOIN words r ON r.id = g.reason LEFT JOIN words c ON c.id = g.time_control
             LEFT JOIN words e ON e.id = g.event LEFT JOIN openings o ON o.id = g.opening
             LEFT JOIN notes t ON t.game = g.n
             WHERE ",
            $which
        )
    };
}
use record_query;

/// Reads what [`BY_ROW`] and [`BY_ID`] give.
pub(crate) fn record(row: &Row<'_>) -> Result<Record, Error> {
    let id: String = row.get(0)?;
    let at: i64 = row.get(1)?;
    let eco: Option<String> = row.get(14)?;
    let mut headers = split(row.get(18)?);
    let mut spelled = |key: &str, first: String| {
        let at = headers.iter().position(|(name, _)| name == key);
        at.map_or(first, |at| headers.remove(at).1)
    };
    let (white, black) = (spelled("White", row.get(3)?), spelled("Black", row.get(4)?));
    let tags: Option<String> = row.get(22)?;
    let known = |option: Option<_>| option.ok_or(Error::Damaged);
    let mut record = Record {
        id: id.parse().map_err(|_| Error::Damaged)?,
        summary: Summary {
            white,
            black,
            score: Score::from_number(row.get(5)?).ok_or(Error::Damaged)?,
            reason: row.get(6)?,
            started: (at != UNKNOWN).then_some(at),
            ended: row.get(2)?,
            source: Source::from_number(row.get(7)?).ok_or(Error::Damaged)?,
            status: Status::from_number(row.get(8)?).ok_or(Error::Damaged)?,
            visibility: Visibility::from_number(row.get(23)?).ok_or(Error::Damaged)?,
            deadline: row.get(9)?,
            variant: match row.get(10)? {
                0 => Variant::Standard,
                1 => Variant::Chess960,
                _ => return Err(Error::Damaged),
            },
            start_fen: row.get(11)?,
            final_fen: row.get(12)?,
            time_control: row.get(13)?,
            opening: match eco {
                Some(eco) => Some(Named { eco, name: row.get(15)? }),
                None => None,
            },
            event: row.get(16)?,
            moves: known(Moves::from_bytes(row.get(17)?))?,
            headers,
            annotations: row.get(19)?,
        },
        last_seq: row.get::<_, i64>(20)?.cast_unsigned(),
        note: row.get(21)?,
        tags: tags.map(|tags| tags.split(INSIDE).map(str::to_owned).collect()).unwrap_or_default(),
    };
    tail::join(&mut record.summary, row.get(24)?)?;
    Ok(record)
}

pub(crate) const fn variant_number(variant: Variant) -> i64 {
    match variant {
        Variant::Standard => 0,
        Variant::Chess960 => 1,
    }
}
