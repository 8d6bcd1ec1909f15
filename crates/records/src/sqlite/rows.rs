//! Writes a game as rows, and reads it.

use std::collections::HashMap;
use std::sync::LazyLock;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};

use super::tail::{self, deadline, last_seq, played};
use crate::game_row::{self, COLUMNS, Cells, Column, GameRow, LISTED, column_list};
use crate::record::OpeningName;
use crate::store::Progress;
use crate::{Error, Record, names};

/// A cache of the ids of texts.
#[derive(Default)]
pub(crate) struct Ids {
    names: HashMap<String, (i64, String)>,
    words: HashMap<String, i64>,
    openings: HashMap<OpeningName, i64>,
}

/// The bound of each cache: a collection has few names that are frequent.
const MOST_IDS: usize = 50_000;

impl Ids {
    /// Clears the cache: after a rollback the ids may not exist.
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

    fn opening(&mut self, connection: &Connection, opening: &OpeningName) -> rusqlite::Result<i64> {
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

/// The cache with the connection to the file.
pub(crate) struct IdsIn<'a>(pub(crate) &'a mut Ids, pub(crate) &'a Connection);

impl game_row::Ids for IdsIn<'_> {
    type Error = rusqlite::Error;

    fn name(&mut self, name: &str) -> rusqlite::Result<(i64, String)> {
        self.0.name(self.1, name)
    }

    fn word(&mut self, text: &str) -> rusqlite::Result<i64> {
        self.0.word(self.1, text)
    }

    fn opening(&mut self, opening: &OpeningName) -> rusqlite::Result<i64> {
        self.0.opening(self.1, opening)
    }
}

impl Column {
    pub(crate) fn cell<'e>(&self, row: &'e GameRow<'_>) -> ValueRef<'e> {
        match self {
            Column::Number(_, of) => of(row).map_or(ValueRef::Null, ValueRef::Integer),
            Column::Text(_, of) => {
                of(row).map_or(ValueRef::Null, |text| ValueRef::Text(text.as_bytes()))
            }
            Column::Bytes(_, of) => of(row).map_or(ValueRef::Null, ValueRef::Blob),
        }
    }
}

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let names = column_list(&COLUMNS[..LISTED], |_, name| name.to_owned());
    let values = column_list(&COLUMNS[..LISTED], |at, _| format!("?{}", at + 2));
    format!("INSERT INTO games (n, {names}) VALUES (?1, {values})")
});

/// Writes nothing if nothing has changed: chat and offers do not change this row.
static UPDATE_LINE: LazyLock<String> = LazyLock::new(|| {
    let columns = &COLUMNS[LISTED..];
    let names = column_list(columns, |_, name| name.to_owned());
    let values = column_list(columns, |at, _| format!("?{}", at + 2));
    let set = column_list(columns, |at, name| format!("{name} = ?{}", at + 2));
    format!("UPDATE lines SET {set} WHERE game = ?1 AND ({names}) IS NOT ({values})")
});

impl GameRow<'_> {
    /// Inserts the game with row number `n`, or with the next one; returns the row number.
    pub(crate) fn insert(&self, connection: &Connection, n: Option<i64>) -> rusqlite::Result<i64> {
        self.write(connection, &INSERT, n, &COLUMNS[..LISTED])?;
        let n = connection.last_insert_rowid();
        let sql = "INSERT INTO lines VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        self.write(connection, sql, Some(n), &COLUMNS[LISTED..])?;
        Ok(n)
    }

    pub(crate) fn update_line(&self, connection: &Connection, n: i64) -> rusqlite::Result<()> {
        self.write(connection, &UPDATE_LINE, Some(n), &COLUMNS[LISTED..])
    }

    fn write(
        &self,
        connection: &Connection,
        sql: &str,
        n: Option<i64>,
        columns: &[Column],
    ) -> rusqlite::Result<()> {
        let n = n.map_or(ValueRef::Null, ValueRef::Integer);
        let cells = columns.iter().map(|column| column.cell(self));
        let values = std::iter::once(n).chain(cells).map(ToSqlOutput::Borrowed);
        connection.prepare_cached(sql)?.execute(params_from_iter(values))?;
        Ok(())
    }
}

/// A whole game; `?1` is its row number or its id, `?2` the holder whose tags and notes are read,
/// or NULL for those of all holders.
pub(crate) const BY_ROW: &str = record_query!("g.n = ?1");
pub(crate) const BY_ID: &str = record_query!("g.id = ?1");

macro_rules! record_query {
    ($which:literal) => {
        concat!(
            "SELECT g.id, g.at, g.ended, w.name, b.name, g.result, r.text, g.source, g.status,
               g.visibility, ",
            deadline!(),
            ", g.variant, l.start_fen, l.final_fen, c.text, o.eco, o.name, e.text,
               l.moves, l.headers, l.annotations, ",
            last_seq!(),
            ", (SELECT group_concat(text, char(10)) FROM (SELECT text FROM notes
                WHERE game = g.n AND (?2 IS NULL OR holder = ?2) ORDER BY holder)),
               (SELECT group_concat(tag, char(31)) FROM (SELECT DISTINCT tag FROM tags
                WHERE game = g.n AND (?2 IS NULL OR holder = ?2) ORDER BY tag)), ",
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

impl Cells for Row<'_> {
    fn number(&self, at: usize) -> Result<Option<i64>, Error> {
        Ok(self.get(at)?)
    }

    fn text(&self, at: usize) -> Result<Option<String>, Error> {
        Ok(self.get(at)?)
    }

    fn bytes(&self, at: usize) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.get(at)?)
    }
}

/// Reads a row of [`BY_ROW`] and [`BY_ID`].
pub(crate) fn record(row: &Row<'_>) -> Result<Record, Error> {
    let mut record = game_row::record(row)?;
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
