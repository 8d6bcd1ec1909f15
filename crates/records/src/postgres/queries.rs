//! What a plan needs from the database, and how PostgreSQL is led to the intended index.

use super::rows::single;
use super::session::Session;
use super::text::{encode_text, needed};
use crate::plan::{Arm, Database, Query, Sort, Texts};
use crate::search_text::{MOST_IDS, SearchText, pattern};
use crate::{Error, names};

/// Plans for this database.
pub(crate) type Plan = crate::plan::Plan<Session>;

impl Database for Session {
    const PLIES: &'static str = "g.plies";

    fn games_of(table: &str, n: &str) -> String {
        // `OFFSET 0` stops the planner from reading all games and joining afterwards.
        format!("{table} CROSS JOIN LATERAL (SELECT * FROM games WHERE n = {n} OFFSET 0) AS g")
    }

    fn player(&self, name: &str) -> Result<Option<(i64, i64)>, Error> {
        let row = self.first(
            "SELECT n.id, coalesce(p.games, 0) + coalesce((SELECT
               sum(c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7) FROM pending
               WHERE kind = 100 AND value = n.id), 0)::bigint
             FROM names n LEFT JOIN players p ON p.id = n.id WHERE n.folded = $1",
            &[&names::fold(name)],
        )?;
        row.map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).transpose()
    }

    fn games_of_players(&self, ids: &[i64]) -> Result<i64, Error> {
        single(&self.query(
            "SELECT coalesce(sum(games), 0)::bigint FROM players WHERE id = ANY($1::bigint[])",
            &[&ids],
        )?)
    }

    fn word(&self, text: &str) -> Result<Option<i64>, Error> {
        let row = self.first("SELECT id FROM words WHERE text = $1", &[&encode_text(text)])?;
        row.map(|row| Ok(row.try_get(0)?)).transpose()
    }

    fn counter_sum(&self, kind: i64, columns: &str, values: &str) -> Result<i64, Error> {
        let sql = format!(
            "SELECT coalesce(sum({columns}), 0)::bigint FROM (
               SELECT white, draws, black, open FROM counts WHERE kind = {kind} AND value {values}
               UNION ALL
               SELECT c0, c1, c2, c3 FROM pending WHERE kind = {kind} AND value {values}
             ) AS all_of_them"
        );
        single(&self.query_once(&sql, &[])?)
    }

    fn seats_of(&self, holder: &[u8; 32]) -> Result<i64, Error> {
        single(&self.query(
            "SELECT count(*) FROM (SELECT 1 FROM seats WHERE holder = $1 LIMIT 50000) AS few",
            &[&&holder[..]],
        )?)
    }

    fn games_with_tag(&self, tag: &str) -> Result<i64, Error> {
        single(&self.query(
            "SELECT count(*) FROM (SELECT 1 FROM tags WHERE tag = $1 LIMIT 50000) AS few",
            &[&encode_text(tag)],
        )?)
    }

    fn openings_of(&self, code: &str) -> Result<Vec<i64>, Error> {
        // `~` sorts after all digits.
        let rows = self.query(
            "SELECT id FROM openings WHERE eco >= $1 AND eco < $2",
            &[&code, &format!("{code}~")],
        )?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    fn openings_named(&self, part: &str) -> Result<Vec<i64>, Error> {
        let part = pattern(&encode_text(part.trim()).to_lowercase());
        let rows = self.query("SELECT id FROM openings WHERE folded LIKE $1", &[&part])?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    fn find_ids(&self, text: &SearchText, texts: Texts) -> Result<Option<Vec<i64>>, Error> {
        let sql = format!("{} LIMIT {}", Self::search(text, texts), MOST_IDS + 1);
        let sql = sql.replace(":find", "$1");
        let rows = self.query_once(&sql, &[Self::find(text)])?;
        let ids: Vec<i64> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
        Ok((ids.len() <= MOST_IDS).then_some(ids))
    }

    fn games(_: &str) -> String {
        "games g".to_owned()
    }

    fn with_opening(set: &str) -> Vec<Arm> {
        // The index has only finished games; there are few others.
        vec![
            (Self::games("games_opening"), format!("g.over_opening {set}")),
            (Self::games("games_unfinished"), format!("g.opening {set} AND g.status <> 1")),
        ]
    }

    fn with_plies(range: &str) -> Vec<Arm> {
        vec![
            (Self::games("games_plies"), format!("g.over_plies {range}")),
            (Self::games("games_unfinished"), format!("g.plies {range} AND g.status <> 1")),
        ]
    }

    fn bytes(bytes: &[u8]) -> String {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("'\\x{digits}'::bytea")
    }

    fn search(text: &SearchText, texts: Texts) -> String {
        let (table, id) = match texts {
            Texts::Names => ("names", "id"),
            Texts::Words => ("words", "id"),
            Texts::Notes => ("notes", "game"),
        };
        let part = format!("SELECT {id} FROM {table} WHERE folded LIKE :find");
        // One letter has no grams; these tables have one row for each name, not for each game.
        let needed = needed(&encode_text(&text.folded));
        if needed.is_empty() {
            return part;
        }
        let grams: Vec<String> = needed.iter().map(|gram| quote(gram)).collect();
        // Not `::text`: a plan would take that for its parameter `:text`.
        format!("{part} AND grams @> CAST(ARRAY[{}] AS text[])", grams.join(","))
    }

    fn find(text: &SearchText) -> String {
        pattern(&encode_text(&text.folded))
    }

    fn page(arms: &[String], sort: Sort, by: &str, limit: usize) -> String {
        match sort {
            // A limit in each arm, so that the order of the index ends it early.
            Sort::Walk => {
                let arms = arms.iter().map(|arm| format!("({arm} ORDER BY {by} LIMIT {limit})"));
                let arms: Vec<String> = arms.collect();
                format!(
                    "SELECT at, n FROM ({}) AS arms ORDER BY {by} LIMIT {limit}",
                    arms.join(" UNION ALL ")
                )
            }
            // Without an inner limit the planner does not choose to walk the list by time.
            Sort::Gather => format!(
                "WITH few AS MATERIALIZED ({}) SELECT at, n FROM few ORDER BY {by} LIMIT {limit}",
                arms.join(" UNION ALL ")
            ),
        }
    }
}

/// A text literal with every character escaped by number: no character can end it.
fn quote(text: &str) -> String {
    let letters: Vec<String> =
        text.chars().map(|letter| format!("\\+{:06X}", letter as u32)).collect();
    format!("U&'{}'", letters.concat())
}

/// The statement with numbered parameters, as PostgreSQL needs them, and their values.
pub(crate) fn number_parameters(statement: &Query) -> (String, Vec<String>) {
    let mut sql = statement.sql.clone();
    let mut texts = Vec::new();
    for (name, text) in &statement.texts {
        texts.push(encode_text(text).into_owned());
        sql = sql.replace(name, &format!("${}", texts.len()));
    }
    (sql, texts)
}
