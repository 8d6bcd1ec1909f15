//! Encodes texts for PostgreSQL, which cannot store the character 0; every text must come back
//! unchanged.

use std::borrow::Cow;

/// The escape character.
const MARK: char = '\u{1a}';

/// Escapes a text for storage.
pub(crate) fn encode_text(text: &str) -> Cow<'_, str> {
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

/// Restores a stored text.
pub(crate) fn decode_text(kept: String) -> String {
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

/// The bigrams and trigrams of a text, for an index that finds any part of at least two letters.
pub(crate) fn grams(folded: &str) -> Vec<String> {
    let letters: Vec<char> = folded.chars().collect();
    let mut grams: Vec<String> =
        [2, 3].iter().flat_map(|&length| letters.windows(length).map(String::from_iter)).collect();
    grams.sort_unstable();
    grams.dedup();
    grams
}

/// The grams that a text must have to contain this part: trigrams, or a bigram for two letters.
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
            let kept = encode_text(text).into_owned();
            assert!(!kept.contains('\0'));
            assert_eq!(decode_text(kept), text);
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
