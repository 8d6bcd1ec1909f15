//! What somebody typed, turned into ids of names, occasions and openings.

use rusqlite::Connection;

use crate::{Error, names};

/// The most ids written into a statement; a text that matches more is no start for a search.
const MOST_IDS: usize = 2_000;

/// What somebody typed to look for.
pub(crate) struct Text {
    pub(crate) folded: String,
    /// For the index of three letters, or as a pattern when there are fewer.
    pub(crate) find: String,
    indexed: bool,
}

impl Text {
    pub(crate) fn new(text: &str) -> Text {
        let folded = names::fold(text);
        let indexed = folded.chars().count() >= 3;
        let find =
            if indexed { format!("\"{}\"", folded.replace('"', "\"\"")) } else { pattern(&folded) };
        Text { folded, find, indexed }
    }

    /// The rows of a table of texts in which it occurs.
    pub(crate) fn search(&self, table: &str, column: &str, id: &str) -> String {
        if self.indexed {
            format!("SELECT rowid FROM {table}_text WHERE {table}_text MATCH :find")
        } else {
            // Two letters cannot be looked up; these tables have one row a name, not a game.
            format!("SELECT {id} FROM {table} WHERE {column} LIKE :find ESCAPE '\\'")
        }
    }

    /// Their ids, `None` when they are too many.
    pub(crate) fn ids(
        &self,
        connection: &Connection,
        table: &str,
        column: &str,
    ) -> Result<Option<Vec<i64>>, Error> {
        let sql = format!("{} LIMIT {}", self.search(table, column, "id"), MOST_IDS + 1);
        let mut query = connection.prepare_cached(&sql)?;
        let rows = query.query_map(&[(":find", &self.find)], |row| row.get(0))?;
        let ids: Vec<i64> = rows.collect::<rusqlite::Result<_>>()?;
        Ok((ids.len() <= MOST_IDS).then_some(ids))
    }
}

/// A pattern for LIKE that matches the text anywhere.
fn pattern(text: &str) -> String {
    let mut pattern = "%".to_owned();
    for letter in text.chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

/// A list of ids for a condition.
pub(crate) fn within(ids: &[i64]) -> String {
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    format!("IN ({})", ids.join(","))
}

/// An ECO code, or the beginning of one.
pub(crate) struct Code(String);

impl Code {
    pub(crate) fn read(text: &str) -> Option<Code> {
        let code = text.trim().to_ascii_uppercase();
        let mut letters = code.chars();
        let volume = letters.next().is_some_and(|letter| matches!(letter, 'A'..='E'));
        let known = volume && code.len() <= 3 && letters.all(|letter| letter.is_ascii_digit());
        known.then_some(Code(code))
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.0.len() == 3
    }

    pub(crate) fn openings(&self, connection: &Connection) -> Result<Vec<i64>, Error> {
        let beginning = format!("{}*", self.0);
        ids(connection, "SELECT id FROM openings WHERE eco GLOB ?1", &beginning)
    }
}

/// The openings with a text in the name.
pub(crate) fn openings(connection: &Connection, text: &str) -> Result<Vec<i64>, Error> {
    let part = pattern(text.trim());
    ids(connection, "SELECT id FROM openings WHERE name LIKE ?1 ESCAPE '\\'", &part)
}

fn ids(connection: &Connection, sql: &str, text: &str) -> Result<Vec<i64>, Error> {
    let mut query = connection.prepare_cached(sql)?;
    let rows = query.query_map([text], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
