//! What a line says.

use hansu_chess::{Role, Square};
use hansu_words::Lang;
use unicode_normalization::UnicodeNormalization;

/// A line that was read.
///
/// ```
/// use hansu_console::Line;
/// assert_eq!(Line::from(&b"e2 e4"[..]), Line::Text("e2 e4"));
/// assert_eq!(Line::from(&b"e2 \xff"[..]), Line::Unreadable);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line<'a> {
    /// A text, with or without its end of line.
    Text(&'a str),
    /// No UTF-8, or longer than anybody types.
    Unreadable,
}

impl<'a> From<&'a [u8]> for Line<'a> {
    fn from(bytes: &'a [u8]) -> Line<'a> {
        std::str::from_utf8(bytes).map_or(Line::Unreadable, Line::Text)
    }
}

/// What a player wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wish {
    Record,
    Resign,
    Move { from: Square, to: Square },
}

/// Why a line cannot be understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slip {
    /// Not two words.
    Format,
    /// Two words, but not two tiles.
    Tile,
}

/// The order of the checks is the seed's: the two words, two parts, tiles.
pub(crate) fn wish(line: Line<'_>, lang: Lang) -> Result<Wish, Slip> {
    let Line::Text(text) = line else {
        return Err(Slip::Format);
    };
    let text = composed(text);
    match (text.as_str(), lang) {
        ("기보", _) | ("record", Lang::En) => return Ok(Wish::Record),
        ("기권", _) | ("resign", Lang::En) => return Ok(Wish::Resign),
        _ => {}
    }
    let mut words = text.split_whitespace();
    let (Some(from), Some(to), None) = (words.next(), words.next(), words.next()) else {
        return Err(Slip::Format);
    };
    match (tile(from), tile(to)) {
        (Some(from), Some(to)) => Ok(Wish::Move { from, to }),
        _ => Err(Slip::Tile),
    }
}

/// What a pawn shall become.
pub(crate) fn promotion(line: Line<'_>, lang: Lang) -> Option<Role> {
    let Line::Text(text) = line else { return None };
    let text = composed(text);
    match (text.as_str(), lang) {
        ("q" | "퀸", _) | ("queen", Lang::En) => Some(Role::Queen),
        ("r" | "룩", _) | ("rook", Lang::En) => Some(Role::Rook),
        ("b" | "비숍", _) | ("bishop", Lang::En) => Some(Role::Bishop),
        ("n" | "나이트", _) | ("knight", Lang::En) => Some(Role::Knight),
        _ => None,
    }
}

fn tile(word: &str) -> Option<Square> {
    word.parse().ok()
}

/// Without blanks at the ends, in small letters, and with Hangul as one letter a syllable: macOS
/// hands out decomposed syllables.
pub(crate) fn composed(text: &str) -> String {
    text.trim().nfc().collect::<String>().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn korean(text: &str) -> Result<Wish, Slip> {
        wish(Line::Text(text), Lang::Ko)
    }

    const E2E4: Result<Wish, Slip> = Ok(Wish::Move { from: Square::E2, to: Square::E4 });

    #[test]
    fn two_tiles_are_a_move_however_they_are_spaced() {
        for text in ["e2 e4", "  e2 \t  e4 ", "E2 e4", "e2 E4\r", "e2\te4\r\n", "e2\u{3000}e4"] {
            assert_eq!(korean(text), E2E4, "{text:?}");
        }
    }

    #[test]
    fn the_checks_have_an_order() {
        for text in
            ["", " ", "e2", "e2e4", "e2 e4 e5", "e9 e4 q", "i9", "기보 기보 기보", "기 보 요"]
        {
            assert_eq!(korean(text), Err(Slip::Format), "{text:?}");
        }
        for text in ["e9 e4", "e2 i4", "22 e4", "e e4", "e22 e4", "기보 e4", "기 보", "e2 \u{0}"]
        {
            assert_eq!(korean(text), Err(Slip::Tile), "{text:?}");
        }
        assert_eq!(wish(Line::Unreadable, Lang::Ko), Err(Slip::Format));
    }

    #[test]
    fn the_two_words_may_be_decomposed() {
        for text in ["기보", " 기보\t", "\u{1100}\u{1175}\u{1107}\u{1169}"] {
            assert_eq!(korean(text), Ok(Wish::Record), "{text:?}");
        }
        for text in ["기권\r", "\u{1100}\u{1175}\u{1100}\u{116f}\u{11ab}"] {
            assert_eq!(korean(text), Ok(Wish::Resign), "{text:?}");
        }
    }

    #[test]
    fn english_words_belong_to_the_english_game() {
        assert_eq!(wish(Line::Text("Record"), Lang::En), Ok(Wish::Record));
        assert_eq!(wish(Line::Text("resign"), Lang::En), Ok(Wish::Resign));
        assert_eq!(wish(Line::Text("기보"), Lang::En), Ok(Wish::Record));
        assert_eq!(korean("record"), Err(Slip::Format));
        assert_eq!(korean("resign"), Err(Slip::Format));
        assert_eq!(promotion(Line::Text("Queen"), Lang::En), Some(Role::Queen));
        assert_eq!(promotion(Line::Text("queen"), Lang::Ko), None);
    }

    #[test]
    fn four_pieces_in_either_case_and_in_korean() {
        for (texts, role) in [
            (["q", "Q", " 퀸 "], Role::Queen),
            (["r", "R\r", "룩"], Role::Rook),
            (["b", "\tB", "비숍"], Role::Bishop),
            (["n", "N", "\u{1102}\u{1161}\u{110b}\u{1175}\u{1110}\u{1173}"], Role::Knight),
        ] {
            for text in texts {
                assert_eq!(promotion(Line::Text(text), Lang::Ko), Some(role), "{text:?}");
            }
        }
        for text in ["", "k", "p", "킹", "폰", "qq", "q r", "기보", "e7 e8"] {
            assert_eq!(promotion(Line::Text(text), Lang::Ko), None, "{text:?}");
        }
        assert_eq!(promotion(Line::Unreadable, Lang::Ko), None);
    }
}
