//! A cache of the ids of texts; missing ids are read in one query for each table.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::session::{Session, Statement, values};
use super::text::{decode_text, encode_text, grams};
use crate::game_row;
use crate::record::OpeningName;
use crate::{Error, Summary, names};

/// The bound of each map, to keep the memory small.
const MOST_IDS: usize = 50_000;

/// The cached ids. Texts are never deleted from the log, so a committed id stays valid.
#[derive(Default)]
pub(crate) struct Ids {
    names: HashMap<String, (i64, String)>,
    words: HashMap<String, i64>,
    openings: HashMap<OpeningName, i64>,
}

// Rows are inserted in the order of their keys, one table after the other: transactions that add
// the same texts wait for each other, but cannot deadlock.
const ADD_NAMES: &str = "INSERT INTO names (name, folded, grams)
    SELECT name, folded, string_to_array(grams, chr(30))
    FROM unnest($1::text[], $2::text[], $3::text[]) AS a(name, folded, grams)
    ORDER BY folded COLLATE \"C\" ON CONFLICT DO NOTHING";
const NAMES: &str = "SELECT folded, id, name FROM names WHERE folded = ANY($1::text[])";
const ADD_WORDS: &str = "INSERT INTO words (text, folded, grams)
    SELECT text, folded, string_to_array(grams, chr(30))
    FROM unnest($1::text[], $2::text[], $3::text[]) AS a(text, folded, grams)
    ORDER BY text COLLATE \"C\" ON CONFLICT DO NOTHING";
const WORDS: &str = "SELECT text, id FROM words WHERE text = ANY($1::text[])";
const ADD_OPENINGS: &str = "INSERT INTO openings (eco, name, folded)
    SELECT eco, name, folded FROM unnest($1::text[], $2::text[], $3::text[]) AS a(eco, name, folded)
    ORDER BY eco COLLATE \"C\", name COLLATE \"C\" ON CONFLICT DO NOTHING";
const OPENINGS: &str = "SELECT o.eco, o.name, o.id
    FROM unnest($1::text[], $2::text[]) AS a(eco, name)
    JOIN openings o ON o.eco = a.eco AND o.name = a.name";

/// The grams of a text as one value: PostgreSQL has no arrays of arrays with different lengths.
pub(crate) fn gram_text(folded: &str) -> String {
    grams(folded).join("\u{1e}")
}

impl Ids {
    /// Clears the cache: after a rollback the ids may not exist.
    pub(crate) fn forget(&mut self) {
        *self = Ids::default();
    }

    /// Reads the ids of all texts of some rows, and of the openings that other games have reached;
    /// inserts texts that the log does not have.
    pub(crate) fn learn<'a>(
        &mut self,
        session: &Session,
        rows: impl Iterator<Item = &'a Summary>,
        reached: impl Iterator<Item = &'a OpeningName>,
    ) -> Result<(), Error> {
        for full in [self.names.len(), self.words.len(), self.openings.len()] {
            if full >= MOST_IDS {
                self.forget();
            }
        }
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut words: BTreeSet<&str> = BTreeSet::new();
        let mut named: Vec<&OpeningName> = reached.collect();
        for row in rows {
            for name in [&row.white, &row.black] {
                let folded = names::fold(name);
                if !self.names.contains_key(&folded) {
                    names.entry(folded).or_insert_with(|| names::tidy(name));
                }
            }
            let texts = [&row.reason, &row.event, &row.time_control];
            words.extend(
                texts
                    .into_iter()
                    .flatten()
                    .map(String::as_str)
                    .filter(|text| !self.words.contains_key(*text)),
            );
            named.extend(&row.opening);
        }
        named.retain(|opening| !self.openings.contains_key(*opening));
        let openings = named.iter().map(|opening| (&*opening.eco, &*opening.name)).collect();
        let names: Vec<(String, String)> = names.into_iter().collect();
        self.learn_names(session, &names)?;
        self.learn_words(session, &words)?;
        self.learn_openings(session, &openings)
    }

    /// Reads the ids of names, given with their folded form; a new name is inserted in this
    /// spelling.
    pub(crate) fn learn_names(
        &mut self,
        session: &Session,
        names: &[(String, String)],
    ) -> Result<(), Error> {
        if names.is_empty() {
            return Ok(());
        }
        let folded: Vec<&str> = names.iter().map(|(folded, _)| folded.as_str()).collect();
        let written: Vec<&str> = names.iter().map(|(_, name)| name.as_str()).collect();
        let grams: Vec<String> = folded.iter().map(|folded| gram_text(folded)).collect();
        let statements = [
            Statement::new(ADD_NAMES, values![written, folded.clone(), grams]),
            Statement::new(NAMES, values![folded]),
        ];
        for row in session.pipeline(&statements)?.pop().unwrap_or_default() {
            self.names.insert(row.try_get(0)?, (row.try_get(1)?, row.try_get(2)?));
        }
        Ok(())
    }

    fn learn_words(&mut self, session: &Session, words: &BTreeSet<&str>) -> Result<(), Error> {
        if words.is_empty() {
            return Ok(());
        }
        let texts: Vec<String> = words.iter().map(|text| encode_text(text).into_owned()).collect();
        let folded: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        let grams: Vec<String> = folded.iter().map(|folded| gram_text(folded)).collect();
        let statements = [
            Statement::new(ADD_WORDS, values![texts.clone(), folded, grams]),
            Statement::new(WORDS, values![texts]),
        ];
        for row in session.pipeline(&statements)?.pop().unwrap_or_default() {
            self.words.insert(decode_text(row.try_get(0)?), row.try_get(1)?);
        }
        Ok(())
    }

    fn learn_openings(
        &mut self,
        session: &Session,
        openings: &BTreeSet<(&str, &str)>,
    ) -> Result<(), Error> {
        if openings.is_empty() {
            return Ok(());
        }
        let ecos: Vec<String> =
            openings.iter().map(|(eco, _)| encode_text(eco).into_owned()).collect();
        let names: Vec<String> =
            openings.iter().map(|(_, name)| encode_text(name).into_owned()).collect();
        let folded: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let statements = [
            Statement::new(ADD_OPENINGS, values![ecos.clone(), names.clone(), folded]),
            Statement::new(OPENINGS, values![ecos, names]),
        ];
        for row in session.pipeline(&statements)?.pop().unwrap_or_default() {
            let opening = OpeningName {
                eco: decode_text(row.try_get(0)?),
                name: decode_text(row.try_get(1)?),
            };
            self.openings.insert(opening, row.try_get(2)?);
        }
        Ok(())
    }
}

/// Only from the cache, which [`Ids::learn`] has filled before.
impl game_row::Ids for Ids {
    type Error = Error;

    fn name(&mut self, name: &str) -> Result<(i64, String), Error> {
        self.names.get(&names::fold(name)).cloned().ok_or(Error::Damaged)
    }

    fn word(&mut self, text: &str) -> Result<i64, Error> {
        self.words.get(text).copied().ok_or(Error::Damaged)
    }

    fn opening(&mut self, opening: &OpeningName) -> Result<i64, Error> {
        self.openings.get(opening).copied().ok_or(Error::Damaged)
    }
}
