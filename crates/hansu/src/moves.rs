//! `hansu moves`: the legal moves of a position.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use hansu_chess::{Move, Position, Variant};
use hansu_words::Lang;
use serde::Serialize;

use crate::start::Start;

/// List the legal moves, in UCI and in standard algebraic notation
///
/// Every move the pieces can legally make is listed; whether the game is already drawn (by the
/// 75-move rule or because neither side can give mate) is not asked here.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu moves
  hansu moves --json --fen \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1\"")]
pub(crate) struct Moves {
    #[command(flatten)]
    start: Start,

    /// Write [{"uci":"e2e4","san":"e4"}, …]
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct MoveOutput {
    uci: String,
    san: String,
}

impl Moves {
    pub(crate) fn run(&self, lang: Lang, out: &mut impl Write) -> Result<()> {
        let position = self.start.position(lang)?;
        let listed: Vec<MoveOutput> = sorted_moves(&position, self.start.variant())
            .into_iter()
            .map(|(uci, step)| MoveOutput { uci, san: position.san(step).to_string() })
            .collect();
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&listed)?)?;
            return Ok(());
        }
        let width = listed.iter().map(|one| one.uci.len()).max().unwrap_or(0);
        for MoveOutput { uci, san } in listed {
            writeln!(out, "{uci:width$} {san}")?;
        }
        Ok(())
    }
}

/// The legal moves with their UCI text, sorted by that text as `sort` does, so that the list can be
/// compared with other programs' lists.
pub(crate) fn sorted_moves(position: &Position, variant: Variant) -> Vec<(String, Move)> {
    let mut moves: Vec<(String, Move)> = position
        .legal_moves()
        .into_iter()
        .map(|step| (step.uci(variant).to_string(), step))
        .collect();
    moves.sort_by(|(a, _), (b, _)| a.cmp(b));
    moves
}
