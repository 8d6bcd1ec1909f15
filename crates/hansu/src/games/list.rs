//! `hansu games list`: the games of the log, the latest first.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use hansu_journal::to_row;
use hansu_records::{Filter, Order, Page, Record, Status};

use super::Log;
use super::command_error::CommandError;
use super::filters::Filters;
use super::text_table::{self, ColumnWidth, Side, TextTable};
use super::words::{self, Label, Sentence};

/// Games on a page without `--limit`.
const PAGE: usize = 20;
/// The opening is shown from this line width on.
const ROOMY: usize = 100;

/// List games, the latest first
///
/// Lengths are counted in plies: a move of each side is two.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu games list --player Mina --result draw
  hansu games list --since 2026-01 --opening sicilian --length 60..
  hansu games list --json --source online")]
pub(super) struct List {
    #[command(flatten)]
    filters: Filters,

    /// At most this many games [default: 20; with --json all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// Which page of that many games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    page: u32,

    /// The first game first
    #[arg(long)]
    oldest: bool,

    /// Write an array of {"id":…,"white":…,"black":…,"result":…, …}
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self, log: &Log, out: &mut impl Write) -> Result<ExitCode, CommandError> {
        let filter = self.filters.filter(log)?;
        if self.json {
            self.write_json(log, &filter, out)?;
        } else {
            self.write_table(log, &filter, out)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn order(&self) -> Order {
        if self.oldest { Order::Oldest } else { Order::Newest }
    }

    /// Calls `take` for each game of the page. Reads in batches, so that memory stays bounded.
    fn for_each(
        &self,
        log: &Log,
        filter: &Filter,
        limit: usize,
        mut take: impl FnMut(&Record) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let mut skip = limit.saturating_mul(self.page as usize - 1);
        let mut left = limit;
        let mut page = Page { order: self.order(), after: None, limit: 0 };
        while left > 0 {
            page.limit = skip.saturating_add(left).min(Page::MOST);
            let listing = log.store.list(filter, &page)?;
            for record in &listing.games {
                if skip > 0 {
                    skip -= 1;
                } else if left > 0 {
                    left -= 1;
                    take(record)?;
                }
            }
            page.after = listing.next;
            if page.after.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Writes one game per line, so that line tools can read the array as well.
    fn write_json(
        &self,
        log: &Log,
        filter: &Filter,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let limit = self.limit.map_or(usize::MAX, |limit| limit as usize);
        let mut lead = "[";
        self.for_each(log, filter, limit, |record| {
            write!(out, "{lead}{}", serde_json::to_string(&to_row(record.clone()))?)?;
            lead = ",\n";
            Ok(())
        })?;
        writeln!(out, "{}]", if lead == "[" { "[" } else { "" })?;
        Ok(())
    }

    fn write_table(
        &self,
        log: &Log,
        filter: &Filter,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let limit = self.limit.map_or(PAGE, |limit| limit as usize);
        let all = log.store.count(filter)?;
        if all == 0 {
            writeln!(out, "{}", log.no_games_text(filter)?)?;
            return Ok(());
        }
        let mut games = Vec::new();
        self.for_each(log, filter, limit, |record| {
            games.push(record.clone());
            Ok(())
        })?;
        let page = self.page as usize;
        if games.is_empty() {
            return Err(log.refuse(Sentence::NoSuchPage { page, all }));
        }
        let places = text_table::line_width();
        write_games(log, &games, places, out)?;
        let from = (limit as u64).saturating_mul(u64::from(self.page - 1)) + 1;
        let to = from + games.len() as u64 - 1;
        write!(out, "\n{}", log.text(Sentence::Shown { from, to, all }))?;
        if to < all {
            write!(out, " · {}", log.text(Sentence::NextPage(page + 1)))?;
        }
        writeln!(out)?;
        Ok(())
    }
}

/// Writes games as a table.
pub(super) fn write_games(
    log: &Log,
    games: &[Record],
    places: usize,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let title = |label: Label| label.text(log.lang);
    let mut table = TextTable::new()
        .column(title(Label::Id), Side::Left, ColumnWidth::Fixed)
        .column(title(Label::Date), Side::Left, ColumnWidth::Fixed)
        .column(title(Label::White), Side::Left, ColumnWidth::Flexible)
        .column(title(Label::Black), Side::Left, ColumnWidth::Flexible)
        .column(title(Label::Result), Side::Left, ColumnWidth::Fixed)
        .column(title(Label::Plies), Side::Right, ColumnWidth::Fixed)
        .column(title(Label::Reason), Side::Left, ColumnWidth::Flexible);
    let roomy = places >= ROOMY;
    if roomy {
        table = table.column(title(Label::Opening), Side::Left, ColumnWidth::Flexible);
    }
    for record in games {
        let game = &record.summary;
        let mut cells = vec![
            record.id.to_string(),
            game.date().replace('.', "-"),
            game.white.clone(),
            game.black.clone(),
            game.score.to_string(),
            game.plies().to_string(),
            ending_text(record, log),
        ];
        if roomy {
            let opening = game.opening.as_ref();
            cells.push(opening.map_or_else(String::new, |it| format!("{} {}", it.eco, it.name)));
        }
        table.row(cells);
    }
    Ok(table.write(out, "", places)?)
}

/// Why the game is over, or its status if it is not.
pub(super) fn ending_text(record: &Record, log: &Log) -> String {
    match (record.summary.status, &record.summary.reason) {
        (Status::Finished, Some(reason)) => words::reason(reason, log.lang),
        (Status::Finished, None) => String::new(),
        (status, _) => words::status(status, log.lang).to_owned(),
    }
}
