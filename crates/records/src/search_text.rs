//! Search texts, and how they select names, occasions and openings.

use crate::names;

/// The most ids in one statement; a text that matches more cannot drive a search.
pub(crate) const MOST_IDS: usize = 2_000;

/// A text that a user searches for.
pub(crate) struct SearchText {
    pub(crate) folded: String,
}

impl SearchText {
    pub(crate) fn new(text: &str) -> SearchText {
        SearchText { folded: names::fold(text) }
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

/// An `IN` condition for these ids.
pub(crate) fn within(ids: &[i64]) -> String {
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    if ids.is_empty() {
        // Not every database accepts an empty list.
        return "IN (NULL)".to_owned();
    }
    format!("IN ({})", ids.join(","))
}

/// An ECO code, or the beginning of one.
pub(crate) struct EcoCode(String);

impl EcoCode {
    pub(crate) fn read(text: &str) -> Option<EcoCode> {
        let code = text.trim().to_ascii_uppercase();
        let mut letters = code.chars();
        let volume = letters.next().is_some_and(|letter| matches!(letter, 'A'..='E'));
        let known = volume && code.len() <= 3 && letters.all(|letter| letter.is_ascii_digit());
        known.then_some(EcoCode(code))
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.0.len() == 3
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}
