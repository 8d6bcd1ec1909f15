//! `hansu games stats --against computer`: the results of people against each level.

use std::collections::BTreeMap;
use std::io::Write;

use clap::ValueEnum;
use hansu_chess::Color;
use hansu_play::{Computer, Entry, Event, Start};
use hansu_records::stats::{Standing, Viewer};
use hansu_records::{Error, Filter, GameId, Page, Source, Status};
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
    let levels: Vec<LevelRow> = count_levels(log, player)?
        .into_iter()
        .map(|(level, standing)| LevelRow { level, name: log.lang.level(level), standing })
        .collect();
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

/// Counts the finished games against each level that was played, as its opponents see them. The level
/// is read from the start of each game: names do not tell it, since anybody may be called "Rabbit".
fn count_levels(log: &Log, player: Option<&str>) -> Result<BTreeMap<u8, Standing>, CommandError> {
    let mut levels = BTreeMap::new();
    // The colours of the person to look for; without a name all games are read once.
    let colors: &[_] = if player.is_some() { &Color::ALL.map(Some) } else { &[None] };
    for color in colors {
        let name = player.map(str::to_owned);
        let (white, black) = if *color == Some(Color::White) { (name, None) } else { (None, name) };
        let filter = Filter {
            white,
            black,
            source: Some(Source::Computer),
            status: Some(Status::Finished),
            viewer: Viewer::Keeper,
            ..Filter::default()
        };
        let mut page = Page { limit: Page::MOST, ..Page::default() };
        loop {
            let listing = log.store.list(&filter, &page)?;
            for record in listing.games {
                let Computer { side, level, .. } = computer(log, record.id)?;
                if color.is_none_or(|color| color != side) {
                    let standing: &mut Standing = levels.entry(level).or_default();
                    standing.add(record.summary.score, !side, 1);
                }
            }
            page.after = listing.next;
            if page.after.is_none() {
                break;
            }
        }
    }
    Ok(levels)
}

/// The computer of a game, from the game's first event.
fn computer(log: &Log, game: GameId) -> Result<Computer, CommandError> {
    let events = log.store.events(game, 0, 1)?;
    let first = events.first().and_then(|event| serde_json::from_str::<Entry>(&event.body).ok());
    match first.map(|entry| entry.event) {
        Some(Event::Started(Start { computer: Some(computer), .. })) => Ok(computer),
        _ => Err(CommandError::Log(Error::Damaged)),
    }
}
