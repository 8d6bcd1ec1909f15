//! What somebody typed, turned into ids of names, occasions and openings.

use crate::names;

/// The most ids written into a statement; a text that matches more is no start for a search.
pub(crate) const MOST_IDS: usize = 2_000;

/// What somebody typed to look for.
pub(crate) struct Text {
    pub(crate) folded: String,
}

impl Text {
    pub(crate) fn new(text: &str) -> Text {
        Text { folded: names::fold(text) }
    }
}

/// A pattern for LIKE that matches the text anywhere.
pub(crate) fn pattern(text: &str) -> String {
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
    if ids.is_empty() {
        // Not every database takes an empty list.
        return "IN (NULL)".to_owned();
    }
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

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}
