//! The position that a command starts from, and the error messages for a bad one.

use anyhow::{Result, anyhow};
use clap::Args;
use hansu_chess::{FenError, Position, Setup, Variant};
use hansu_words::Lang;

/// Characters of a bad input that a message repeats.
const MAX_QUOTED: usize = 40;

#[derive(Args)]
pub(crate) struct Start {
    /// The position, in quotes [default: the start of a game]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Castle by the rules of Chess960; castling is written as king takes rook
    #[arg(long)]
    chess960: bool,
}

impl Start {
    pub(crate) fn variant(&self) -> Variant {
        if self.chess960 { Variant::Chess960 } else { Variant::Standard }
    }

    pub(crate) fn position(&self, lang: Lang) -> Result<Position> {
        Ok(self.given(lang)?.unwrap_or_default())
    }

    /// The position of `--fen`; None without the option.
    pub(crate) fn given(&self, lang: Lang) -> Result<Option<Position>> {
        let read = |fen: &String| {
            Position::from_fen(fen, self.variant())
                .map_err(|error| anyhow!(fen_error_text(fen, error, lang)))
        };
        self.fen.as_ref().map(read).transpose()
    }
}

/// One line that says what is wrong with a FEN, where, and how to write it.
fn fen_error_text(fen: &str, error: FenError, lang: Lang) -> String {
    let sentence = lang.fen_error(error);
    let field = match error {
        FenError::Board => 0,
        FenError::Turn => 1,
        FenError::Castling => 2,
        FenError::EnPassant => 3,
        FenError::Halfmoves => 4,
        FenError::Fullmoves => 5,
        FenError::TooLong => 6,
        FenError::Faults(_) => return faults_text(fen, &sentence, lang),
    };
    let example = Setup::start().fen();
    match (lang, fen.split_ascii_whitespace().nth(field)) {
        (Lang::En, Some(text)) => {
            format!("bad FEN at {}: {sentence} Example: \"{example}\"", quoted(text))
        }
        (Lang::En, None) => {
            format!("bad FEN, it ends too early: {sentence} Example: \"{example}\"")
        }
        (Lang::Ko, Some(text)) => {
            format!("FEN의 {} 부분이 잘못됐어요. {sentence} 예: \"{example}\"", quoted(text))
        }
        (Lang::Ko, None) => format!("FEN이 중간에 끝났어요. {sentence} 예: \"{example}\""),
    }
}

/// The message for a well-formed FEN whose position cannot be played.
fn faults_text(fen: &str, sentence: &str, lang: Lang) -> String {
    let playable_as_960 =
        Setup::from_fen(fen).is_ok_and(|setup| setup.position(Variant::Chess960).is_ok());
    match (lang, playable_as_960) {
        (Lang::En, true) => format!(
            "this FEN is no position of standard chess: {sentence} If it is Chess960, add --chess960."
        ),
        (Lang::En, false) => format!("nobody can play from this FEN: {sentence}"),
        (Lang::Ko, true) => format!(
            "이 FEN은 보통 체스의 국면이 아니에요. {sentence} 체스960이라면 --chess960을 붙여 주세요."
        ),
        (Lang::Ko, false) => format!("이 FEN에서는 둘 수 없어요. {sentence}"),
    }
}

/// A text from outside, made safe for a message: short, in quotes, control characters escaped.
pub(crate) fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(MAX_QUOTED).collect();
    let rest = if shown.len() < text.len() { "…" } else { "" };
    format!("\"{}{rest}\"", shown.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_is_short_and_harmless() {
        assert_eq!(quoted("e2e4"), "\"e2e4\"");
        assert_eq!(quoted("\u{1b}[31m\n"), "\"\\u{1b}[31m\\n\"");
        assert_eq!(quoted(&"한".repeat(50)), format!("\"{}…\"", "한".repeat(40)));
        assert_eq!(quoted(""), "\"\"");
    }
}
