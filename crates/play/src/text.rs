//! Texts from users: names, chat, the ids of games. Their length is bounded, and characters that
//! could make one text look like another are refused.

use unicode_normalization::char::is_combining_mark;

use crate::Refusal;
use crate::nfc::to_nfc;

/// The most characters of a player's name.
pub const MAX_NAME: usize = 64;

/// The most characters of a line of chat.
pub const MAX_CHAT: usize = 300;

/// The most characters of a game's id.
pub const MAX_ID: usize = 64;

/// Joins two emoji into one.
const JOINER: char = '\u{200D}';

/// The most combining marks in a row: enough for the accents of any language.
const MOST_MARKS: usize = 4;

/// Checks a text that people will see: not empty, at most `most` characters, none that is hidden or
/// misleads. Returns it in composed form (NFC), without blanks at its ends.
///
/// # Errors
///
/// [`Refusal::TextEmpty`], [`Refusal::TextTooLong`] or [`Refusal::TextControl`].
///
/// ```
/// assert_eq!(hansu_play::visible(" 민아 ", 10).as_deref(), Ok("민아"));
/// assert!(hansu_play::visible("Mi\u{200B}na", 10).is_err());
/// ```
pub fn visible(text: &str, most: usize) -> Result<String, Refusal> {
    let text = to_nfc(text.trim());
    if text.is_empty() {
        return Err(Refusal::TextEmpty);
    }
    if text.chars().nth(most).is_some() {
        return Err(Refusal::TextTooLong);
    }
    let (mut before, mut marks, mut seen) = (None, 0, false);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let next = rest.clone().next();
        if misleads(c) || is_hidden(c) && !joins_emoji(before, c, next) {
            return Err(Refusal::TextControl);
        }
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        if marks > MOST_MARKS {
            return Err(Refusal::TextControl);
        }
        seen |= marks == 0 && !c.is_whitespace() && !is_hidden(c);
        before = Some(c);
    }
    if seen { Ok(text) } else { Err(Refusal::TextEmpty) }
}

/// A text from a file, cleaned: hidden and misleading characters are removed, and those beyond
/// `most`; tabs and line ends become blanks. `None` if nothing is left.
///
/// ```
/// assert_eq!(hansu_play::make_visible("Mi\u{200B}na\u{202E}", 10).as_deref(), Some("Mina"));
/// assert_eq!(hansu_play::make_visible("\u{200B}", 10), None);
/// ```
pub fn make_visible(text: &str, most: usize) -> Option<String> {
    let text = to_nfc(text);
    let blank = |c: char| if misleads(c) && c.is_whitespace() { ' ' } else { c };
    let can_stay = |c: &char| !misleads(*c) && (!is_hidden(*c) || is_joiner(*c));
    let mut rest = text.chars().map(blank).filter(can_stay).peekable();
    let mut kept = String::new();
    let (mut before, mut marks) = (None, 0);
    while let Some(c) = rest.next() {
        if is_hidden(c) && !joins_emoji(before, c, rest.peek().copied()) {
            continue;
        }
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        if marks <= MOST_MARKS {
            kept.push(c);
            before = Some(c);
        }
    }
    visible(cut(kept.trim_start(), most), most).ok()
}

/// The first `most` characters of a text, without a joiner or blanks at the end.
pub(crate) fn cut(text: &str, most: usize) -> &str {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    text[..end].trim_end_matches(|c: char| c == JOINER || c.is_whitespace())
}

/// Control characters, other line ends, and marks that change the text direction.
fn misleads(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Invisible characters: Unicode's default-ignorable ones, and the blank Braille pattern. Two names
/// that differ only in one of them look the same.
fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'
            | '\u{1160}'
            | '\u{17B4}'
            | '\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2060}'..='\u{206F}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Returns true for the hidden characters that can be part of an emoji.
fn is_joiner(c: char) -> bool {
    matches!(c, JOINER | '\u{FE0E}' | '\u{FE0F}')
}

/// Returns true if a hidden character is part of an emoji: a joiner between two of them, or a
/// variation selector after one.
fn joins_emoji(before: Option<char>, c: char, next: Option<char>) -> bool {
    let part = |c: char| matches!(c, '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}' | '\u{3030}' | '\u{303D}');
    let keycap = |c: char| c.is_ascii_digit() || matches!(c, '#' | '*');
    match c {
        JOINER => before.is_some_and(|c| part(c) || c == '\u{FE0F}') && next.is_some_and(part),
        '\u{FE0E}' | '\u{FE0F}' => before.is_some_and(|c| part(c) || keycap(c)),
        _ => false,
    }
}

/// Returns true if a text can be the id of a game: 1 to [`MAX_ID`] letters, digits, `-` and `_`.
pub(crate) fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
        for c in "\u{2027}\u{202F} é한👍".chars() {
            assert!(visible(&format!("a{c}b"), 9).is_ok(), "{c:?}");
        }
    }

    #[test]
    fn nothing_that_cannot_be_seen() {
        for c in "\u{200B}\u{200D}\u{200F}\u{2060}\u{2065}\u{206A}\u{FEFF}\u{AD}\u{61C}\u{3164}\
             \u{115F}\u{1160}\u{2800}\u{FE0F}\u{FFA0}\u{E0001}\u{E0067}\u{180E}"
            .chars()
        {
            assert_eq!(visible(&format!("a{c}b"), 9), Err(Refusal::TextControl), "{c:?}");
            assert!(visible(&c.to_string(), 9).is_err(), "{c:?}");
        }
        for emoji in ["👩\u{200D}🚀", "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "🏳\u{FE0F}\u{200D}🌈", "👍🏽"]
        {
            assert_eq!(visible(emoji, 9).as_deref(), Ok(emoji));
        }
        assert_eq!(visible("👩\u{200D}", 9), Err(Refusal::TextControl));
        assert_eq!(visible("\u{301}", 9), Err(Refusal::TextEmpty));
        assert_eq!(visible("a\u{3000}\u{301}b", 9).as_deref(), Ok("a\u{3000}\u{301}b"));
    }

    #[test]
    fn accents_are_composed_and_do_not_pile_up() {
        assert_eq!(visible("e\u{301}", 1).as_deref(), Ok("é"));
        assert_eq!(visible("\u{1112}\u{1161}\u{11ab}", 1).as_deref(), Ok("한"));
        let piled = |marks: usize| format!("x{}", "\u{335}".repeat(marks));
        assert!(visible(&piled(MOST_MARKS), 64).is_ok());
        assert_eq!(visible(&piled(MOST_MARKS + 1), 64), Err(Refusal::TextControl));
    }

    #[test]
    fn a_text_from_a_file_loses_only_what_cannot_be_shown() {
        let cleaned = |text: &str, most| make_visible(text, most).unwrap_or_default();
        assert_eq!(cleaned("\u{FEFF} Mi\u{200B}na\u{7} ", 9), "Mina");
        assert_eq!(cleaned("Kim\tMina\n", 9), "Kim Mina");
        assert_eq!(cleaned("민아와 준", 3), "민아와");
        assert_eq!(cleaned("민아 준", 3), "민아");
        assert_eq!(cleaned("e\u{301}e\u{301}", 1), "é");
        // Blanks and hidden characters in front do not take room.
        assert_eq!(cleaned("\u{200B}   Mina", 3), "Min");
        // A joiner stays only between two emoji, also after the cut and after what was removed.
        let crew = "👩\u{200D}🚀";
        assert_eq!(cleaned(crew, 3), crew);
        assert_eq!(cleaned(crew, 2), "👩");
        assert_eq!(cleaned("👩\u{200B}\u{200D}\u{7}🚀", 3), crew);
        assert_eq!(cleaned("👩\u{200D}\u{200D}🚀", 4), crew);
        assert_eq!(cleaned("👩\u{200D}a\u{200D}🚀❤\u{FE0F}\u{FE0F}", 9), "👩a🚀❤\u{FE0F}");
        // Marks do not pile up where something between them was removed.
        let marks = "\u{335}".repeat(MOST_MARKS);
        assert_eq!(cleaned(&format!("x{marks}\u{200D}{marks}y"), 99), format!("x{marks}y"));
        for nothing in ["", " \t", "\u{200B}\u{202E}", "\u{200D}", "\u{301}"] {
            assert_eq!(make_visible(nothing, 9), None, "{nothing:?}");
        }
    }

    proptest! {
        #[test]
        fn a_cleaned_text_is_visible_and_a_visible_one_stays(
            text in "[a-c민\u{301}\u{335}\u{200B}\u{200D}\u{FE0F}\u{2800}\u{7} \t\n👩🚀❤️]{0,24}",
            most in 1_usize..30,
        ) {
            if let Some(cleaned) = make_visible(&text, most) {
                prop_assert_eq!(visible(&cleaned, most), Ok(cleaned));
            }
            // Nothing makes a letter at the start disappear.
            let started = format!(" \u{200B}x{text}");
            prop_assert!(make_visible(&started, most).is_some());
            if let Ok(text) = visible(&text, most) {
                prop_assert_eq!(make_visible(&text, most), Some(text));
            }
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
