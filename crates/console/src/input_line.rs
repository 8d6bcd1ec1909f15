//! Parses a typed line.

use hansu_chess::{Role, Square};
use hansu_words::Lang;
use unicode_normalization::UnicodeNormalization;

/// A line of input.
///
/// ```
/// use hansu_console::InputLine;
/// assert_eq!(InputLine::from(&b"e2 e4"[..]), InputLine::Text("e2 e4"));
/// assert_eq!(InputLine::from(&b"e2 \xff"[..]), InputLine::Unreadable);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputLine<'a> {
    /// A text, with or without its end of line.
    Text(&'a str),
    /// Not UTF-8, or too long.
    Unreadable,
}

impl<'a> From<&'a [u8]> for InputLine<'a> {
    fn from(bytes: &'a [u8]) -> InputLine<'a> {
        std::str::from_utf8(bytes).map_or(InputLine::Unreadable, InputLine::Text)
    }
}

/// The command in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineCommand {
    Record,
    Resign,
    Move { from: Square, to: Square },
}

/// Why a line is not a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineError {
    /// Not two words.
    Format,
    /// Two words, but not two tiles.
    Tile,
}

/// Parses a line. The order of the checks is fixed by the mission: the two words, two parts, tiles.
pub(crate) fn parse_line(line: InputLine<'_>, lang: Lang) -> Result<LineCommand, LineError> {
    let InputLine::Text(text) = line else {
        return Err(LineError::Format);
    };
    let text = normalize(text);
    match (text.as_str(), lang) {
        ("기보", _) | ("record", Lang::En) => return Ok(LineCommand::Record),
        ("기권", _) | ("resign", Lang::En) => return Ok(LineCommand::Resign),
        _ => {}
    }
    let mut words = text.split_whitespace();
    let (Some(from), Some(to), None) = (words.next(), words.next(), words.next()) else {
        return Err(LineError::Format);
    };
    match (parse_tile(from), parse_tile(to)) {
        (Some(from), Some(to)) => Ok(LineCommand::Move { from, to }),
        _ => Err(LineError::Tile),
    }
}

/// Parses the piece that a pawn becomes.
pub(crate) fn parse_promotion(line: InputLine<'_>, lang: Lang) -> Option<Role> {
    let InputLine::Text(text) = line else { return None };
    let text = normalize(text);
    match (text.as_str(), lang) {
        ("q" | "퀸", _) | ("queen", Lang::En) => Some(Role::Queen),
        ("r" | "룩", _) | ("rook", Lang::En) => Some(Role::Rook),
        ("b" | "비숍", _) | ("bishop", Lang::En) => Some(Role::Bishop),
        ("n" | "나이트", _) | ("knight", Lang::En) => Some(Role::Knight),
        _ => None,
    }
}

fn parse_tile(word: &str) -> Option<Square> {
    word.parse().ok()
}

/// Trims a text, puts it into lower case and composes Hangul syllables: macOS sends them
/// decomposed.
pub(crate) fn normalize(text: &str) -> String {
    text.trim().nfc().collect::<String>().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn korean(text: &str) -> Result<LineCommand, LineError> {
        parse_line(InputLine::Text(text), Lang::Ko)
    }

    const E2E4: Result<LineCommand, LineError> =
        Ok(LineCommand::Move { from: Square::E2, to: Square::E4 });

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
            assert_eq!(korean(text), Err(LineError::Format), "{text:?}");
        }
        for text in ["e9 e4", "e2 i4", "22 e4", "e e4", "e22 e4", "기보 e4", "기 보", "e2 \u{0}"]
        {
            assert_eq!(korean(text), Err(LineError::Tile), "{text:?}");
        }
        assert_eq!(parse_line(InputLine::Unreadable, Lang::Ko), Err(LineError::Format));
    }

    #[test]
    fn the_two_words_may_be_decomposed() {
        for text in ["기보", " 기보\t", "\u{1100}\u{1175}\u{1107}\u{1169}"] {
            assert_eq!(korean(text), Ok(LineCommand::Record), "{text:?}");
        }
        for text in ["기권\r", "\u{1100}\u{1175}\u{1100}\u{116f}\u{11ab}"] {
            assert_eq!(korean(text), Ok(LineCommand::Resign), "{text:?}");
        }
    }

    #[test]
    fn english_words_belong_to_the_english_game() {
        assert_eq!(parse_line(InputLine::Text("Record"), Lang::En), Ok(LineCommand::Record));
        assert_eq!(parse_line(InputLine::Text("resign"), Lang::En), Ok(LineCommand::Resign));
        assert_eq!(parse_line(InputLine::Text("기보"), Lang::En), Ok(LineCommand::Record));
        assert_eq!(korean("record"), Err(LineError::Format));
        assert_eq!(korean("resign"), Err(LineError::Format));
        assert_eq!(parse_promotion(InputLine::Text("Queen"), Lang::En), Some(Role::Queen));
        assert_eq!(parse_promotion(InputLine::Text("queen"), Lang::Ko), None);
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
                assert_eq!(
                    parse_promotion(InputLine::Text(text), Lang::Ko),
                    Some(role),
                    "{text:?}"
                );
            }
        }
        for text in ["", "k", "p", "킹", "폰", "qq", "q r", "기보", "e7 e8"] {
            assert_eq!(parse_promotion(InputLine::Text(text), Lang::Ko), None, "{text:?}");
        }
        assert_eq!(parse_promotion(InputLine::Unreadable, Lang::Ko), None);
    }
}
