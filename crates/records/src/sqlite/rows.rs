//! A game as rows, and back.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::tail::{self, deadline, last_seq, played};
use crate::entry::{self, Columns, Entry, INSIDE, variant_number, wake};
use crate::record::Named;
use crate::store::Progress;
use crate::{Error, GameId, Record, names};

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

    fn word(&mut self, connection: &Connection, text: &str) -> rusqlite::Result<i64> {
        if let Some(&id) = self.words.get(text) {
            return Ok(id);
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
        self.words.insert(text.to_owned(), id);
        Ok(id)
    }

    fn opening(&mut self, connection: &Connection, opening: &Named) -> rusqlite::Result<i64> {
        if let Some(&id) = self.openings.get(opening) {
            return Ok(id);
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
        Ok(id)
    }
}

/// The ids with the file that they stand in.
pub(crate) struct IdsIn<'a>(pub(crate) &'a mut Ids, pub(crate) &'a Connection);

impl entry::Ids for IdsIn<'_> {
    type Trouble = rusqlite::Error;

    fn name(&mut self, name: &str) -> rusqlite::Result<(i64, String)> {
        self.0.name(self.1, name)
    }

    fn word(&mut self, text: &str) -> rusqlite::Result<i64> {
        self.0.word(self.1, text)
    }

    fn opening(&mut self, opening: &Named) -> rusqlite::Result<i64> {
        self.0.opening(self.1, opening)
    }
}

impl Entry<'_> {
    /// Adds the game; the number of its row.
    pub(crate) fn insert(
        &self,
        connection: &Connection,
        id: GameId,
        last_seq: u64,
        hash: Option<[u8; 16]>,
    ) -> rusqlite::Result<i64> {
        self.insert_at(connection, None, id, last_seq, hash)
    }

    /// Adds the game in this place of the order of arrival, or in the next.
    pub(crate) fn insert_at(
        &self,
        connection: &Connection,
        n: Option<i64>,
        id: GameId,
        last_seq: u64,
        hash: Option<[u8; 16]>,
    ) -> rusqlite::Result<i64> {
        let (f, s) = (&self.facets, self.summary);
        connection
            .prepare_cached(
                "INSERT INTO games (id, at, ended, white, black, result, reason, plies, source,
                   status, variant, opening, event, time_control, deadline, last_seq, hash,
                   visibility, wake, n)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
                   ?17, ?18, ?19, ?20)",
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
                n,
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

/// All of a game; `?1` is its row or its id, `?2` the holder whose words and notes are read, or
/// nothing for those of all.
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
            ", (SELECT group_concat(text, char(10)) FROM (SELECT text FROM notes
                WHERE game = g.n AND (?2 IS NULL OR holder = ?2) ORDER BY holder)),
               (SELECT group_concat(tag, char(31)) FROM (SELECT DISTINCT tag FROM tags
                WHERE game = g.n AND (?2 IS NULL OR holder = ?2) ORDER BY tag)), g.visibility, ",
            played!(),
            "
             FROM games g CROSS JOIN lines l ON l.game = g.n
             CROSS JOIN names w ON w.id = g.white CROSS JOIN names b ON b.id = g.black
             LEFT JOIN words r ON r.id = g.reason LEFT JOIN words c ON c.id = g.time_control
             LEFT JOIN words e ON e.id = g.event LEFT JOIN openings o ON o.id = g.opening
             WHERE ",
            $which
        )
    };
}
use record_query;

/// Reads what [`BY_ROW`] and [`BY_ID`] give.
pub(crate) fn record(row: &Row<'_>) -> Result<Record, Error> {
    let tags: Option<String> = row.get(22)?;
    let eco: Option<String> = row.get(14)?;
    let columns = Columns {
        id: row.get(0)?,
        at: row.get(1)?,
        ended: row.get(2)?,
        white: row.get(3)?,
        black: row.get(4)?,
        result: row.get(5)?,
        reason: row.get(6)?,
        source: row.get(7)?,
        status: row.get(8)?,
        visibility: row.get(23)?,
        deadline: row.get(9)?,
        variant: row.get(10)?,
        start_fen: row.get(11)?,
        final_fen: row.get(12)?,
        time_control: row.get(13)?,
        opening: match eco {
            Some(eco) => Some(Named { eco, name: row.get(15)? }),
            None => None,
        },
        event: row.get(16)?,
        moves: row.get(17)?,
        headers: row.get(18)?,
        annotations: row.get(19)?,
        last_seq: row.get(20)?,
        tags: tags.map(|tags| tags.split(INSIDE).map(str::to_owned).collect()).unwrap_or_default(),
        note: row.get(21)?,
    };
    let mut record = columns.record()?;
    tail::join(&mut record.summary, row.get(24)?)?;
    Ok(record)
}

/// Reads a row of `imports`.
pub(crate) fn progress(row: &Row<'_>) -> rusqlite::Result<Progress> {
    let number = |at| row.get::<_, i64>(at).map(|n| n.max(0).cast_unsigned());
    Ok(Progress {
        key: row.get(0)?,
        seen: number(1)?,
        added: number(2)?,
        duplicates: number(3)?,
        broken: number(4)?,
        finished: row.get(5)?,
    })
}
