//! Normalises names: which of them mean the same player.

use unicode_normalization::UnicodeNormalization;

/// A name as it is stored: composed Unicode (NFC), single spaces, none at the ends, no control
/// characters. An empty name becomes `?`, PGN's word for unknown.
///
/// ```
/// use hansu_annals::names::tidy;
/// assert_eq!(tidy("  Kim   Min\t"), "Kim Min");
/// assert_eq!(tidy(""), "?");
/// assert_eq!(tidy("\u{1112}\u{1161}\u{11ab}"), "한");
/// ```
pub fn tidy(name: &str) -> String {
    let mut tidied = String::with_capacity(name.len());
    // Most names in large collections are plain ASCII; composing costs nothing for them.
    if name.is_ascii() {
        push_words(name.split_ascii_whitespace(), &mut tidied);
    } else {
        let composed: String = name.nfc().collect();
        push_words(composed.split_whitespace(), &mut tidied);
    }
    if tidied.is_empty() {
        tidied.push('?');
    }
    tidied
}

fn push_words<'a>(words: impl Iterator<Item = &'a str>, text: &mut String) {
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.extend(word.chars().filter(|letter| !letter.is_control()));
    }
}

/// The form by which players are compared: `KIM min` and `Kim Min` are the same player.
///
/// ```
/// use hansu_annals::names::fold;
/// assert_eq!(fold("KIM  min"), fold("Kim Min"));
/// ```
pub fn fold(name: &str) -> String {
    let tidied = tidy(name);
    if tidied.is_ascii() {
        tidied.to_ascii_lowercase()
    } else {
        tidied.to_lowercase().nfc().collect()
    }
}

/// Words that stand for a missing name, folded: those of PGN, the colours, the words for a guest.
pub const NAMELESS: [&str; 10] =
    ["?", "white", "black", "guest", "백", "흑", "손님", "nn", "n.n.", "anonymous"];

/// Returns true if a text stands for a missing name: many people play under it.
///
/// ```
/// use hansu_annals::names::is_nameless;
/// assert!(is_nameless("Guest") && is_nameless("손님 (2)"));
/// assert!(!is_nameless("Mina"));
/// ```
pub fn is_nameless(name: &str) -> bool {
    let name = fold(name);
    // The second guest at a board gets a number.
    let word = name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
    let word = word.filter(|(_, number)| number.parse::<u32>().is_ok()).map(|(word, _)| word);
    NAMELESS.contains(&word.unwrap_or(&name))
}
