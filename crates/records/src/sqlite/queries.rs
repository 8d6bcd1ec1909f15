//! What a plan needs from the file, and how SQLite is told which index to use.

use rusqlite::{Connection, OptionalExtension};

use super::tail::PLIES;
use crate::plan::{Arm, Database, Sort, Texts};
use crate::search_text::{MOST_IDS, SearchText, pattern, within};
use crate::{Error, names};

/// Plans for this file.
pub(crate) type Plan = crate::plan::Plan<Connection>;

impl Database for Connection {
    const PLIES: &'static str = PLIES;

    fn games_of(table: &str, n: &str) -> String {
        // SQLite reads the tables of a cross join in the order in which they are written.
        format!("{table} CROSS JOIN games g ON g.n = {n}")
    }

    fn player(&self, name: &str) -> Result<Option<(i64, i64)>, Error> {
        Ok(self
            .prepare_cached("SELECT id, games FROM names WHERE folded = ?1")?
            .query_row([names::fold(name)], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?)
    }

    fn games_of_players(&self, ids: &[i64]) -> Result<i64, Error> {
        total(self, &format!("SELECT total(games) FROM names WHERE id {}", within(ids)))
    }

    fn word(&self, text: &str) -> Result<Option<i64>, Error> {
        let mut query = self.prepare_cached("SELECT id FROM words WHERE text = ?1")?;
        Ok(query.query_row([text], |row| row.get(0)).optional()?)
    }

    fn counter_sum(&self, kind: i64, columns: &str, values: &str) -> Result<i64, Error> {
        let what = format!("SELECT total({columns}) FROM counts");
        total(self, &format!("{what} WHERE kind = {kind} AND value {values}"))
    }

    fn seats_of(&self, holder: &[u8; 32]) -> Result<i64, Error> {
        let mut query = self.prepare_cached(
            "SELECT count(*) FROM (SELECT 1 FROM seats WHERE holder = ?1 LIMIT 50000)",
        )?;
        Ok(query.query_row([holder], |row| row.get(0))?)
    }

    fn games_with_tag(&self, tag: &str) -> Result<i64, Error> {
        let mut query = self.prepare_cached(
            "SELECT count(*) FROM (SELECT 1 FROM tags WHERE tag = ?1 LIMIT 50000)",
        )?;
        Ok(query.query_row([tag], |row| row.get(0))?)
    }

    fn openings_of(&self, code: &str) -> Result<Vec<i64>, Error> {
        ids(self, "SELECT id FROM openings WHERE eco GLOB ?1", &format!("{code}*"))
    }

    fn openings_named(&self, part: &str) -> Result<Vec<i64>, Error> {
        let sql = "SELECT id FROM openings WHERE name LIKE ?1 ESCAPE '\\'";
        ids(self, sql, &pattern(part.trim()))
    }

    fn find_ids(&self, text: &SearchText, texts: Texts) -> Result<Option<Vec<i64>>, Error> {
        let sql = format!("{} LIMIT {}", Self::search(text, texts), MOST_IDS + 1);
        let ids = ids(self, &sql, &Self::find(text))?;
        Ok((ids.len() <= MOST_IDS).then_some(ids))
    }

    fn games(index: &str) -> String {
        format!("games g INDEXED BY {index}")
    }

    fn with_opening(set: &str) -> Vec<Arm> {
        vec![(Self::games("games_opening"), format!("g.opening {set}"))]
    }

    fn with_plies(range: &str) -> Vec<Arm> {
        // The index has only finished games; there are few others.
        vec![
            (Self::games("games_plies"), format!("g.plies {range} AND g.status = 1")),
            (Self::games("games_status"), format!("{PLIES} {range} AND g.status <> 1")),
        ]
    }

    fn bytes(bytes: &[u8]) -> String {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("x'{digits}'")
    }

    fn search(text: &SearchText, texts: Texts) -> String {
        let (table, column, id) = match texts {
            Texts::Names => ("names", "folded", "id"),
            Texts::Words => ("words", "text", "id"),
            Texts::Notes => ("notes", "text", "game"),
        };
        if is_indexed(text) && texts == Texts::Notes {
            "SELECT game FROM notes
             WHERE id IN (SELECT rowid FROM notes_text WHERE notes_text MATCH :find)"
                .to_owned()
        } else if is_indexed(text) {
            format!("SELECT rowid FROM {table}_text WHERE {table}_text MATCH :find")
        } else {
            // The trigram index cannot find two letters; these tables have one row for each name,
            // not for each game.
            format!("SELECT {id} FROM {table} WHERE {column} LIKE :find ESCAPE '\\'")
        }
    }

    fn find(text: &SearchText) -> String {
        if is_indexed(text) {
            format!("\"{}\"", text.folded.replace('"', "\"\""))
        } else {
            pattern(&text.folded)
        }
    }

    fn page(arms: &[String], _: Sort, by: &str, limit: usize) -> String {
        // The named indexes decide if anything must be sorted.
        format!("{} ORDER BY {by} LIMIT {limit}", arms.join(" UNION ALL "))
    }
}

/// True if a text is long enough for the trigram index.
fn is_indexed(text: &SearchText) -> bool {
    text.folded.chars().count() >= 3
}

fn total(connection: &Connection, sql: &str) -> Result<i64, Error> {
    Ok(connection.query_row(sql, [], |row| row.get::<_, f64>(0))? as i64)
}

fn ids(connection: &Connection, sql: &str, text: &str) -> Result<Vec<i64>, Error> {
    let mut query = connection.prepare_cached(sql)?;
    let rows = query.query_map([text], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
