//! Texts as PostgreSQL takes them: it has no character 0, and we keep what we are given.

use std::borrow::Cow;

/// Stands before what it replaces.
const MARK: char = '\u{1a}';

/// The form in which a text is kept.
pub(crate) fn keep(text: &str) -> Cow<'_, str> {
    if !text.contains(['\0', MARK]) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '\0' => kept.extend([MARK, '0']),
            MARK => kept.extend([MARK, '1']),
            _ => kept.push(letter),
        }
    }
    Cow::Owned(kept)
}

/// The text that was kept.
pub(crate) fn read(kept: String) -> String {
    if !kept.contains(MARK) {
        return kept;
    }
    let mut text = String::with_capacity(kept.len());
    let mut letters = kept.chars();
    while let Some(letter) = letters.next() {
        match (letter == MARK).then(|| letters.next()) {
            None => text.push(letter),
            Some(Some('0')) => text.push('\0'),
            Some(_) => text.push(MARK),
        }
    }
    text
}

/// The runs of two and of three letters in a text, for an index in which any part of a text is
/// found that has two letters at least.
pub(crate) fn grams(folded: &str) -> Vec<String> {
    let letters: Vec<char> = folded.chars().collect();
    let mut grams: Vec<String> =
        [2, 3].iter().flat_map(|&length| letters.windows(length).map(String::from_iter)).collect();
    grams.sort_unstable();
    grams.dedup();
    grams
}

/// The runs that a text must have in which this is found: the longest there are.
pub(crate) fn needed(part: &str) -> Vec<String> {
    let letters: Vec<char> = part.chars().collect();
    let length = letters.len().min(3);
    if length < 2 {
        return Vec::new();
    }
    letters.windows(length).map(String::from_iter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back_and_none_has_a_zero() {
        for text in ["", "plain", "\0", "a\0\u{1a}0b", "\u{1a}", "\u{1a}\u{1a}0", "한\0수"] {
            let kept = keep(text).into_owned();
            assert!(!kept.contains('\0'));
            assert_eq!(read(kept), text);
        }
    }

    #[test]
    fn whatever_is_needed_is_there() {
        let text = "김민수 o'neill";
        let all = grams(text);
        for part in ["민수", "김민수", "o'n", "수 o", "neill", "김민수 o'neill"] {
            assert!(needed(part).iter().all(|gram| all.contains(gram)), "{part}");
            assert!(!needed(part).is_empty());
        }
        assert_eq!(needed("a"), [] as [&str; 0]);
        assert_eq!(grams("a"), [] as [&str; 0]);
    }
}
