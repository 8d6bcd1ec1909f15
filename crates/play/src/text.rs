//! Texts that people write: names, chat, the ids of games. Bounded, and without characters that
//! would let one line pretend to be another.

use crate::Refusal;

/// The most characters of a player's name.
///
/// ```
/// assert_eq!(hansu_play::MAX_NAME, 64);
/// ```
pub const MAX_NAME: usize = 64;

/// The most characters of a line of chat.
///
/// ```
/// assert_eq!(hansu_play::MAX_CHAT, 300);
/// ```
pub const MAX_CHAT: usize = 300;

/// The most characters of a game's id.
///
/// ```
/// assert_eq!(hansu_play::MAX_ID, 64);
/// ```
pub const MAX_ID: usize = 64;

/// A text without blanks at its ends, if people may see it.
pub(crate) fn visible(text: &str, most: usize) -> Result<String, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        Err(Refusal::TextEmpty)
    } else if text.chars().nth(most).is_some() {
        Err(Refusal::TextTooLong)
    } else if text.chars().any(misleads) {
        Err(Refusal::TextControl)
    } else {
        Ok(text.to_owned())
    }
}

/// Control characters, other line ends, and marks that change the direction of what follows.
fn misleads(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Whether a text may be the id of a game: letters, digits, `-` and `_`.
pub(crate) fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_counted_in_characters() {
        assert_eq!(visible(&"한".repeat(64), 64).as_deref(), Ok(&*"한".repeat(64)));
        assert_eq!(visible(&"한".repeat(65), 64), Err(Refusal::TextTooLong));
        assert_eq!(visible(" 수 ", 1).as_deref(), Ok("수"));
        assert_eq!(visible(" \n ", 9), Err(Refusal::TextEmpty));
    }

    #[test]
    fn nothing_that_misleads() {
        for c in
            "\u{0}\u{7}\u{1b}\n\r\t\u{7f}\u{85}\u{2028}\u{2029}\u{202A}\u{202E}\u{2066}\u{2069}"
                .chars()
        {
            assert_eq!(visible(&format!("a{c}b"), 9), Err(Refusal::TextControl), "{c:?}");
        }
        for c in "\u{2027}\u{202F}\u{2065}\u{206A}\u{200D} é한👍".chars() {
            assert!(visible(&format!("a{c}b"), 9).is_ok(), "{c:?}");
        }
    }

    #[test]
    fn ids_are_plain() {
        for id in ["a", "Z9", "a-b_c", &"x".repeat(64)] {
            assert!(is_id(id), "{id}");
        }
        for id in ["", "a b", "a/b", "é", &"x".repeat(65)] {
            assert!(!is_id(id), "{id}");
        }
    }
}
