//! `hansu games stats --against computer`: the results of people against each level.

use std::io::Write;

use clap::ValueEnum;
use hansu_chess::Color;
use hansu_records::stats::{Standing, Viewer};
use hansu_records::{Filter, Score, Source, Status};
use hansu_words::Lang;
use serde::Serialize;

use super::Log;
use super::command_error::CommandError;
use super::stats::{standing_cells, standings};
use super::text_table;
use super::words::{Label, Sentence};

/// A kind of opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Against {
    /// The computer, level by level
    Computer,
}

/// The results against the computer, as JSON.
#[derive(Serialize)]
struct ComputerReport<'a> {
    /// `None` for all people.
    player: Option<&'a str>,
    games: u64,
    all: Standing,
    levels: Vec<LevelRow>,
}

#[derive(Serialize)]
struct LevelRow {
    level: u8,
    name: &'static str,
    #[serde(flatten)]
    standing: Standing,
}

/// Writes how one player, or all people together, fared against each level that was played.
pub(super) fn write_computer(
    log: &Log,
    player: Option<&str>,
    json: bool,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let mut levels = Vec::new();
    for level in 1..=10 {
        let standing = count_level(log, level, player)?;
        if standing.games() > 0 {
            levels.push(LevelRow { level, name: log.lang.level(level), standing });
        }
    }
    let all = levels.iter().fold(Standing::default(), |sum, row| sum.plus(row.standing));
    if json {
        let report = ComputerReport { player, games: all.games(), all, levels };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    if levels.is_empty() {
        writeln!(out, "{}", log.text(Sentence::NeverAgainstComputer))?;
        return Ok(());
    }
    let title = Label::AgainstComputer.text(log.lang);
    let title = player.map_or(title.to_owned(), |name| format!("{name} · {title}"));
    writeln!(out, "{}", text_table::fitted(&title, text_table::line_width()))?;
    let mut table = standings(log, Label::Level.text(log.lang));
    for LevelRow { level, name, standing } in &levels {
        table.row(standing_cells(&format!("{level} {name}"), *standing));
    }
    table.row(standing_cells(Label::AllLevels.text(log.lang), all));
    Ok(table.write(out, "  ", text_table::line_width())?)
}

/// Counts the finished games against a level, as its opponents see them. The level stands in the log
/// by its name, in the language in which the game was begun.
fn count_level(log: &Log, level: u8, player: Option<&str>) -> Result<Standing, CommandError> {
    let mut standing = Standing::default();
    for name in [Lang::En, Lang::Ko].map(|lang| lang.level(level).to_owned()) {
        for us in Color::ALL {
            let (own, computer) = (player.map(str::to_owned), Some(name.clone()));
            let (white, black) = if us == Color::White { (own, computer) } else { (computer, own) };
            for score in [Score::White, Score::Draw, Score::Black] {
                let filter = Filter {
                    white: white.clone(),
                    black: black.clone(),
                    score: Some(score),
                    source: Some(Source::Computer),
                    status: Some(Status::Finished),
                    viewer: Viewer::Keeper,
                    ..Filter::default()
                };
                standing.add(score, us, log.store.count(&filter)?);
            }
        }
    }
    Ok(standing)
}
