//! `hansu games show`: one game as its record, as PGN, or one of its positions.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;
use hansu_chess::{Color, Position};
use hansu_journal::to_row;
use hansu_records::{Record, to_pgn};

use super::Log;
use super::board;
use super::command_error::CommandError;
use super::list::ending_text;
use super::playthrough::Playthrough;
use super::text_table;
use super::words::{self, Label, Sentence};
use crate::start::quoted;

/// Show a game: its record, PGN, a position or the board
///
/// PLY counts the moves of both sides: 0 is the start, 2 the position after Black's first move.
/// Without it the last position is shown.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu games show 3fK2
  hansu games show 3fK2 --board 12
  hansu games show 3fK2 --pgn > game.pgn")]
pub(super) struct Show {
    /// The game's ID, or the beginning of it
    id: Option<String>,

    /// Write the game as PGN
    #[arg(long, conflicts_with_all = ["fen", "board", "json"])]
    pgn: bool,

    /// Write the position after PLY plies as FEN
    #[arg(long, value_name = "PLY", num_args = 0..=1, conflicts_with_all = ["board", "json"])]
    fen: Option<Option<String>>,

    /// Draw the position after PLY plies
    #[arg(long, value_name = "PLY", num_args = 0..=1, conflicts_with = "json")]
    board: Option<Option<String>>,

    /// Write {"id":…,"white":…,"black":…,"result":…, …}
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(&self, log: &Log, out: &mut impl Write) -> Result<ExitCode, CommandError> {
        // In `show --fen ID` the ID looks like the ply.
        let at = self.fen.as_ref().or(self.board.as_ref());
        let (id, ply) = match (&self.id, at) {
            (Some(id), at) => (id, at.and_then(Option::as_ref)),
            (None, Some(Some(id))) => (id, None),
            (None, _) => return Err(log.refuse(Sentence::NoId)),
        };
        let record = log.game(id)?;
        if self.pgn {
            write!(out, "{}", to_pgn(&record)?)?;
        } else if self.json {
            writeln!(out, "{}", serde_json::to_string(&to_row(record))?)?;
        } else {
            let playthrough = Playthrough::of(&record, log)?;
            let ply = match ply {
                None => playthrough.moves.len(),
                Some(text) => read_ply(text, playthrough.moves.len(), log)?,
            };
            let (position, last) = playthrough.at(ply);
            if self.fen.is_some() {
                writeln!(out, "{}", position.fen())?;
            } else if self.board.is_some() {
                write_board(position, last.map(|played| played.mv), out)?;
            } else {
                if io::stdout().is_terminal() {
                    write_head(&record, log, out)?;
                }
                write!(out, "{}", hansu_records::to_notation(&record)?)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Parses a ply from 0 to `plies`.
pub(super) fn read_ply(text: &str, plies: usize, log: &Log) -> Result<usize, CommandError> {
    let ply = text.parse().ok().filter(|ply| *ply <= plies);
    ply.ok_or_else(|| log.refuse(Sentence::BadPly(&quoted(text), plies)))
}

fn write_board(
    position: &Position,
    last: Option<hansu_chess::Move>,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    if io::stdout().is_terminal() {
        for line in board::pretty(position, last, Color::White, board::wanted_ink()) {
            writeln!(out, "{line}")?;
        }
    } else {
        write!(out, "{}", board::plain(position))?;
    }
    Ok(())
}

/// Writes what the record leaves out. Only on a terminal: programs expect the record alone.
fn write_head(record: &Record, log: &Log, out: &mut impl Write) -> Result<(), CommandError> {
    let game = &record.summary;
    let places = text_table::line_width();
    let mut lines = vec![format!("{} – {}  {}", game.white, game.black, game.score)];
    let mut facts = vec![game.date().replace('.', "-")];
    facts.push(ending_text(record, log));
    facts.push(words::source(game.source, log.lang).to_owned());
    facts.extend(game.time_control.clone().filter(|control| control != "-"));
    facts.extend(game.event.clone());
    facts.retain(|fact| !fact.is_empty());
    lines.push(facts.join(" · "));
    lines.extend(game.opening.as_ref().map(|it| format!("{} {}", it.eco, it.name)));
    if !record.tags.is_empty() {
        lines.push(format!("{}: {}", Label::Tags.text(log.lang), record.tags.join(", ")));
    }
    let note = record.note.iter().flat_map(|note| note.lines());
    lines.extend(note.map(|line| format!("{}: {line}", Label::Note.text(log.lang))));
    for line in lines {
        writeln!(out, "{}", text_table::fitted(&line, places))?;
    }
    writeln!(out)?;
    Ok(())
}
