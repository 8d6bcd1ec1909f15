//! `hansu games stats`: wins, draws and losses as tables and bars.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use hansu_records::stats::{
    Bucket, Facet, HeadToHead, PlayerStats, Standing, Streaks, Tally, Viewer,
};
use serde::Serialize;

use super::Log;
use super::against::{self, Against};
use super::command_error::CommandError;
use super::text_table::{self, ColumnWidth, Side, TextTable, padded, width};
use super::words::{self, Label, Sentence};
use crate::start::quoted;

/// The most players or opponents in a table.
const MOST_PLAYERS: usize = 20;
/// The most openings in a table.
const MOST_OPENINGS: usize = 10;
/// The most months in a table; the latest are shown.
const MOST_MONTHS: usize = 24;
/// The most rows of each kind in the JSON output.
const MOST_IN_JSON: usize = 10_000;
/// The width of a bar, in characters.
const BAR: usize = 24;
/// The characters of a bar's parts: won, drawn, lost. They differ without colours.
const PARTS: [char; 3] = ['█', '▒', '·'];

/// Count wins, draws and losses
///
/// Without a name: of all players. Games that are not over, and aborted ones, do not count.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu games stats
  hansu games stats Mina
  hansu games stats Mina --versus Jun --json
  hansu games stats --against computer
  hansu games stats Mina --against computer")]
pub(super) struct Stats {
    /// One player's results
    player: Option<String>,

    /// Only against this player
    #[arg(long, value_name = "NAME", requires = "player")]
    versus: Option<String>,

    /// Only against the computer, level by level
    #[arg(long, value_name = "computer", hide_possible_values = true, conflicts_with = "versus")]
    against: Option<Against>,

    /// Write one object of numbers
    #[arg(long)]
    json: bool,
}

/// The results of all players, as JSON.
#[derive(Serialize)]
struct OverallReport {
    games: u64,
    totals: Tally,
    players: Vec<PlayerRow>,
    reasons: Vec<Bucket>,
    months: Vec<Bucket>,
    openings: Vec<Bucket>,
    sources: Vec<Bucket>,
}

/// One player's results, as JSON.
#[derive(Serialize)]
struct PlayerReport {
    #[serde(flatten)]
    player: PlayerRow,
    streaks: Streaks,
    opponents: Vec<Opponent>,
    reasons: Vec<Bucket>,
    months: Vec<Bucket>,
    openings: Vec<Bucket>,
    sources: Vec<Bucket>,
}

#[derive(Serialize)]
struct PlayerRow {
    name: String,
    games: u64,
    both: Standing,
    white: Standing,
    black: Standing,
}

#[derive(Serialize)]
struct Opponent {
    name: String,
    #[serde(flatten)]
    standing: Standing,
}

#[derive(Serialize)]
struct Versus {
    player: String,
    versus: String,
    games: u64,
    both: Standing,
    #[serde(flatten)]
    colours: HeadToHead,
}

impl From<PlayerStats> for PlayerRow {
    fn from(stats: PlayerStats) -> PlayerRow {
        let both = stats.both();
        PlayerRow {
            games: both.games(),
            both,
            white: stats.white,
            black: stats.black,
            name: stats.name,
        }
    }
}

impl Stats {
    pub(super) fn run(&self, log: &Log, out: &mut impl Write) -> Result<ExitCode, CommandError> {
        if let Some(Against::Computer) = self.against {
            let found = self.player.as_deref().map(|name| player(log, name)).transpose()?;
            let name = found.as_ref().map(|stats| stats.name.as_str());
            against::write_computer(log, name, self.json, out)?;
            return Ok(ExitCode::SUCCESS);
        }
        match (&self.player, &self.versus) {
            (None, _) => self.write_overall(log, out)?,
            (Some(name), None) => self.write_player(log, name, out)?,
            (Some(name), Some(other)) => self.write_versus(log, name, other, out)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn write_overall(&self, log: &Log, out: &mut impl Write) -> Result<(), CommandError> {
        let totals = log.store.totals(Viewer::Keeper)?;
        if self.json {
            let players = log.store.players(Viewer::Keeper, MOST_IN_JSON)?;
            let everybody = OverallReport {
                games: totals.games(),
                totals,
                players: players.into_iter().map(PlayerRow::from).collect(),
                reasons: log.store.by(Viewer::Keeper, Facet::Reason, None)?,
                months: log.store.by(Viewer::Keeper, Facet::Month, None)?,
                openings: log.store.by(Viewer::Keeper, Facet::Opening, None)?,
                sources: log.store.by(Viewer::Keeper, Facet::Source, None)?,
            };
            writeln!(out, "{}", serde_json::to_string(&everybody)?)?;
            return Ok(());
        }
        if totals.games() == 0 {
            let message = log.no_games_text(&hansu_records::Filter::default())?;
            let any = log.store.count(&hansu_records::Filter::default())? > 0;
            writeln!(out, "{}", if any { log.text(Sentence::NothingDecided) } else { message })?;
            return Ok(());
        }
        write_totals(log, totals, out)?;
        let players = log.store.players(Viewer::Keeper, MOST_PLAYERS)?;
        heading(log, Label::Players, out)?;
        let mut table = standings(log, Label::Player.text(log.lang))
            .column(Label::White.text(log.lang), Side::Left, ColumnWidth::Fixed)
            .column(Label::Black.text(log.lang), Side::Left, ColumnWidth::Fixed);
        for player in &players {
            let mut cells = standing_cells(&player.name, player.both());
            cells.extend([results_text(player.white), results_text(player.black)]);
            table.row(cells);
        }
        table.write(out, "  ", text_table::line_width())?;
        write_facets(log, None, out)
    }

    fn write_player(
        &self,
        log: &Log,
        name: &str,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let stats = player(log, name)?;
        let streaks = log.store.streaks(Viewer::Keeper, name)?;
        if self.json {
            let opponents = log.store.opponents(Viewer::Keeper, name, MOST_IN_JSON)?;
            let opponents = opponents.into_iter();
            let one = PlayerReport {
                player: stats.into(),
                streaks,
                opponents: opponents.map(|(name, standing)| Opponent { name, standing }).collect(),
                reasons: log.store.by(Viewer::Keeper, Facet::Reason, Some(name))?,
                months: log.store.by(Viewer::Keeper, Facet::Month, Some(name))?,
                openings: log.store.by(Viewer::Keeper, Facet::Opening, Some(name))?,
                sources: log.store.by(Viewer::Keeper, Facet::Source, Some(name))?,
            };
            writeln!(out, "{}", serde_json::to_string(&one)?)?;
            return Ok(());
        }
        writeln!(out, "{}", text_table::fitted(&stats.name, text_table::line_width()))?;
        write_colours(log, stats.white, stats.black, out)?;
        legend(log, [Label::Wins, Label::Draws, Label::Losses], out)?;
        write_streaks(log, &streaks, out)?;
        let opponents = log.store.opponents(Viewer::Keeper, name, MOST_PLAYERS)?;
        if !opponents.is_empty() {
            heading(log, Label::Opponents, out)?;
            let mut table = standings(log, Label::Opponent.text(log.lang));
            for (name, standing) in &opponents {
                table.row(standing_cells(name, *standing));
            }
            table.write(out, "  ", text_table::line_width())?;
        }
        write_facets(log, Some(name), out)
    }

    fn write_versus(
        &self,
        log: &Log,
        one: &str,
        other: &str,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let (one, other) = (player(log, one)?.name, player(log, other)?.name);
        let colours = log.store.head_to_head(Viewer::Keeper, &one, &other)?;
        let both = colours.white.plus(colours.black);
        if self.json {
            let versus = Versus { player: one, versus: other, games: both.games(), both, colours };
            writeln!(out, "{}", serde_json::to_string(&versus)?)?;
            return Ok(());
        }
        let places = text_table::line_width() / 2 - 8;
        let (one, other) = (text_table::fitted(&one, places), text_table::fitted(&other, places));
        if both.games() == 0 {
            writeln!(out, "{}", log.text(Sentence::NeverMet(&one, &other)))?;
            return Ok(());
        }
        // One player's points stand left of the bar, the other's right of it.
        let swapped = Standing { wins: both.losses, losses: both.wins, ..both };
        let bar = bar([both.wins, both.draws, both.losses], both.games(), BAR * 2);
        writeln!(out, "{one} {} : {} {other}", points(both), points(swapped))?;
        writeln!(out, "  {bar}")?;
        writeln!(out)?;
        write_colours(log, colours.white, colours.black, out)?;
        legend(log, [Label::Wins, Label::Draws, Label::Losses], out)
    }
}

fn player(log: &Log, name: &str) -> Result<PlayerStats, CommandError> {
    let found = log.store.player(Viewer::Keeper, name)?;
    found.ok_or_else(|| log.refuse(Sentence::NoPlayer(&quoted(name))))
}

fn heading(log: &Log, label: Label, out: &mut impl Write) -> Result<(), CommandError> {
    Ok(writeln!(out, "\n{}", label.text(log.lang))?)
}

fn legend(log: &Log, labels: [Label; 3], out: &mut impl Write) -> Result<(), CommandError> {
    let parts = PARTS.iter().zip(labels);
    let texts: Vec<String> =
        parts.map(|(part, label)| format!("{part} {}", label.text(log.lang))).collect();
    Ok(writeln!(out, "  {}", texts.join("   "))?)
}

fn write_totals(log: &Log, totals: Tally, out: &mut impl Write) -> Result<(), CommandError> {
    let text = |label: Label| label.text(log.lang);
    let all = totals.games();
    writeln!(
        out,
        "{}: {}",
        text(Label::Results),
        log.text(Sentence::Shown { from: 1, to: all, all })
    )?;
    let rows = [
        (Label::WhiteWins, totals.white),
        (Label::Draws, totals.draws),
        (Label::BlackWins, totals.black),
        (Label::Open, totals.open),
    ];
    let names = rows.iter().map(|(label, _)| width(text(*label))).max().unwrap_or(0);
    let digits = totals.games().to_string().len();
    for (label, games) in rows {
        if label == Label::Open && games == 0 {
            continue;
        }
        let name = padded(text(label), names, Side::Left);
        let bar = bar([games, 0, 0], totals.games(), BAR);
        let share = percent(games, totals.games());
        writeln!(out, "{}", format!("  {name}  {games:>digits$}  {share:>4}  {bar}").trim_end())?;
    }
    Ok(())
}

/// Writes a row each for White, Black and both, with bars.
fn write_colours(
    log: &Log,
    white: Standing,
    black: Standing,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let mut table = standings(log, "");
    for (label, standing) in
        [(Label::White, white), (Label::Black, black), (Label::Both, white.plus(black))]
    {
        table.row(standing_cells(label.text(log.lang), standing));
    }
    Ok(table.write(out, "  ", text_table::line_width())?)
}

fn write_streaks(log: &Log, streaks: &Streaks, out: &mut impl Write) -> Result<(), CommandError> {
    let (wins, unbeaten) = (streaks.wins.games, streaks.unbeaten.games);
    let mut texts = vec![log.text(Sentence::LongestRuns { wins, unbeaten })];
    match (streaks.current, streaks.current.unsigned_abs()) {
        (1.., games) => texts.push(log.text(Sentence::Winning(games))),
        (..0, games) => texts.push(log.text(Sentence::Losing(games))),
        (0, _) => {}
    }
    Ok(writeln!(out, "  {}", texts.join(" · "))?)
}

fn write_facets(log: &Log, player: Option<&str>, out: &mut impl Write) -> Result<(), CommandError> {
    let mut months = log.store.by(Viewer::Keeper, Facet::Month, player)?;
    months.drain(..months.len().saturating_sub(MOST_MONTHS));
    let mut openings = log.store.by(Viewer::Keeper, Facet::Opening, player)?;
    openings.retain(|bucket| bucket.label != "-");
    openings.truncate(MOST_OPENINGS);
    let mut reasons = log.store.by(Viewer::Keeper, Facet::Reason, player)?;
    for bucket in &mut reasons {
        bucket.label = words::reason(&bucket.label, log.lang);
    }
    for bucket in months.iter_mut().filter(|bucket| bucket.label == "-") {
        bucket.label = Label::Unknown.text(log.lang).to_owned();
    }
    let facets = [(Label::Reasons, reasons), (Label::Months, months), (Label::Openings, openings)];
    for (label, buckets) in facets {
        if !buckets.is_empty() {
            heading(log, label, out)?;
            write_buckets(&buckets, out)?;
        }
    }
    let labels = match player {
        Some(_) => [Label::Wins, Label::Draws, Label::Losses],
        None => [Label::WhiteWins, Label::Draws, Label::BlackWins],
    };
    writeln!(out)?;
    legend(log, labels, out)
}

/// Writes a bar for each bucket: its length is the number of games, its parts are the results.
fn write_buckets(buckets: &[Bucket], out: &mut impl Write) -> Result<(), CommandError> {
    let most = buckets.iter().map(|bucket| bucket.tally.games()).max().unwrap_or(0);
    let digits = most.to_string().len();
    let room = text_table::line_width().saturating_sub(2 + 2 + digits + 2 + BAR);
    let names = buckets.iter().map(|bucket| width(&bucket.label)).max().unwrap_or(0).min(room);
    for bucket in buckets {
        let standing = bucket.standing.unwrap_or(Standing::of_white(bucket.tally));
        let name = padded(&text_table::fitted(&bucket.label, names), names, Side::Left);
        let games = bucket.tally.games();
        let bar = bar([standing.wins, standing.draws, standing.losses], most, BAR);
        writeln!(out, "{}", format!("  {name}  {games:>digits$}  {bar}").trim_end())?;
    }
    Ok(())
}

/// The columns of [`standing_cells`].
pub(super) fn standings(log: &Log, first: &str) -> TextTable {
    let title = |label: Label| label.text(log.lang);
    TextTable::new()
        .column(first, Side::Left, ColumnWidth::Flexible)
        .column(title(Label::Games), Side::Right, ColumnWidth::Fixed)
        .column(title(Label::Wins), Side::Right, ColumnWidth::Fixed)
        .column(title(Label::Draws), Side::Right, ColumnWidth::Fixed)
        .column(title(Label::Losses), Side::Right, ColumnWidth::Fixed)
        .column(title(Label::Points), Side::Right, ColumnWidth::Fixed)
        .column("", Side::Left, ColumnWidth::Fixed)
}

pub(super) fn standing_cells(name: &str, standing: Standing) -> Vec<String> {
    let Standing { wins, draws, losses, .. } = standing;
    vec![
        name.to_owned(),
        standing.games().to_string(),
        wins.to_string(),
        draws.to_string(),
        losses.to_string(),
        percent(wins * 2 + draws, (wins + draws + losses) * 2),
        bar([wins, draws, losses], wins + draws + losses, BAR / 2),
    ]
}

/// Wins, draws and losses in one word: `3-1-2`.
fn results_text(standing: Standing) -> String {
    format!("{}-{}-{}", standing.wins, standing.draws, standing.losses)
}

/// Points as in a tournament table: `2½`.
fn points(standing: Standing) -> String {
    let whole = standing.wins + standing.draws / 2;
    match (whole, standing.draws % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "–".to_owned(),
        whole => format!("{}%", (part * 200 / whole).div_ceil(2)),
    }
}

/// A bar of three parts; `whole` would fill `places` characters. A part above zero has at least one
/// character, as long as there is room.
fn bar(parts: [u64; 3], whole: u64, places: usize) -> String {
    let mut text = String::new();
    let (mut sum, mut drawn) = (0, 0);
    for (part, sign) in parts.into_iter().zip(PARTS) {
        sum += part;
        let end = sum as usize * places * 2 / whole.max(1) as usize;
        let end = end.div_ceil(2).max(drawn + usize::from(part > 0)).min(places);
        text.extend(std::iter::repeat_n(sign, end.saturating_sub(drawn)));
        drawn = drawn.max(end);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_shares_and_hides_nothing() {
        assert_eq!(bar([1, 1, 2], 4, 8), "██▒▒····");
        assert_eq!(bar([0, 0, 0], 0, 8), "");
        assert_eq!(bar([3, 0, 0], 6, 8), "████");
        assert_eq!(bar([1, 0, 999], 1000, 8), "█·······");
        assert_eq!(bar([0, 2, 0], 2, 4), "▒▒▒▒");
        assert_eq!(bar([u64::from(u32::MAX), 0, 1], u64::from(u32::MAX) + 1, 8).chars().count(), 8);
    }

    #[test]
    fn points_and_shares_are_rounded_as_people_do() {
        let standing = |wins, draws| Standing { wins, draws, losses: 0, open: 0 };
        assert_eq!(points(standing(2, 1)), "2½");
        assert_eq!(points(standing(0, 1)), "½");
        assert_eq!(points(standing(0, 0)), "0");
        assert_eq!(points(standing(1, 4)), "3");
        assert_eq!(
            (percent(1, 3), percent(2, 3), percent(1, 2)),
            ("33%".into(), "67%".into(), "50%".into())
        );
        assert_eq!(percent(0, 0), "–");
    }
}
