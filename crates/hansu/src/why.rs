//! `hansu why`: whether a move is legal and, if not, the reason as a sentence.

use std::io::Write;

use anyhow::{Result, anyhow};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hansu_chess::{Game, Refusal, UciMove};
use hansu_words::Lang;
use serde::Serialize;

use crate::start::{Start, quoted};

/// Say whether a move is legal, and if not, why
///
/// A pawn's move to the last rank needs no promotion letter here. The answer is the output; the
/// exit status is 0 for a legal and for a refused move.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu why e2e5
  hansu why c3d5 --lang ko --fen \"4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1\"
  hansu why e1g1 --json --fen \"4k3/8/b7/8/8/8/8/4K2R w K - 0 1\"")]
pub(crate) struct Why {
    /// The move as UCI writes it: e2e4, e7e8q, e1g1
    #[arg(value_name = "MOVE")]
    step: String,

    #[command(flatten)]
    start: Start,

    /// Write {"move":…,"refusal":null} or {"move":…,"refusal":{…},"text":…}
    #[arg(long)]
    json: bool,

    /// The language of the answer [default: Korean in a Korean locale, else English]
    #[arg(long, value_parser = languages())]
    lang: Option<Lang>,
}

pub(crate) fn languages() -> impl TypedValueParser<Value = Lang> {
    PossibleValuesParser::new(Lang::ALL.map(Lang::code)).try_map(|code| code.parse::<Lang>())
}

#[derive(Serialize)]
struct WhyOutput<'a> {
    r#move: &'a str,
    refusal: Option<Evidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// A refusal, as JSON.
#[derive(Serialize)]
struct Evidence {
    code: &'static str,
    squares: Vec<String>,
    by: Vec<String>,
}

impl From<Refusal> for Evidence {
    fn from(refusal: Refusal) -> Evidence {
        let names =
            |squares: hansu_chess::Bitboard| squares.into_iter().map(|at| at.to_string()).collect();
        Evidence {
            code: refusal.code(),
            squares: names(refusal.squares()),
            by: names(refusal.by()),
        }
    }
}

impl Why {
    pub(crate) fn run(&self, locale: Lang, out: &mut impl Write) -> Result<()> {
        let lang = self.lang.unwrap_or(locale);
        let step: UciMove = self.step.parse().map_err(|error| {
            let (text, sentence) = (quoted(&self.step), lang.uci_error(error));
            match lang {
                Lang::En => anyhow!("bad move {text}: {sentence}"),
                Lang::Ko => anyhow!("{text}: 수가 아니에요. {sentence}"),
            }
        })?;
        let position = self.start.position(lang)?;
        // A game, not the position alone: a finished game refuses every move.
        let game = Game::from_position(position, self.start.variant());
        let refusal = game
            .refusal(step.from, step.to, step.promotion)
            .filter(|refusal| !matches!(refusal, Refusal::PromotionMissing { .. }));
        let text = refusal.map(|refusal| lang.refusal(refusal, &position));
        if self.json {
            let answer =
                WhyOutput { r#move: &self.step, refusal: refusal.map(Evidence::from), text };
            writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        } else {
            let legal = match lang {
                Lang::En => "legal",
                Lang::Ko => "둘 수 있는 수예요.",
            };
            writeln!(out, "{}", text.as_deref().unwrap_or(legal))?;
        }
        Ok(())
    }
}
