//! Statistics of the games that a browser stores, by the rules of a server's log: only finished
//! games count, spellings of a name are merged, and placeholders for a missing name are not
//! players.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hansu_annals::dates::{self, Day, LogTime};
use hansu_annals::names::{fold, is_nameless, tidy};
use hansu_annals::{Bucket, Facet, PlayerStats, Run, Score, Standing, Streaks, Tally, colours};
use hansu_chess::Color;
use hansu_protocol as wire;
use hansu_view::results;
use hansu_words::Lang;

use crate::archive::opening;
use crate::messages::{CountedResults, ListedGame};

/// The most players on a list.
const MOST_PLAYERS: usize = 100;
/// The most opponents of one player.
const MOST_RIVALS: usize = 50;
/// The start time of a game that has none: before all others.
const UNKNOWN: LogTime = LogTime::MIN;

/// A game that counts.
struct Game<'a> {
    row: &'a ListedGame,
    at: LogTime,
    score: Score,
    /// Folded names, which identify players.
    white: String,
    black: String,
}

impl<'a> Game<'a> {
    fn of(row: &'a ListedGame) -> Option<Game<'a>> {
        if row.status != "finished" {
            return None;
        }
        let score = Score::from_word(&row.result).unwrap_or(Score::Open);
        let at = row.started.as_deref().and_then(parse_time).unwrap_or(UNKNOWN);
        Some(Game { row, at, score, white: fold(&row.white), black: fold(&row.black) })
    }

    fn colours(&self, name: &str) -> impl Iterator<Item = Color> + use<> {
        colours(self.white.as_str(), &self.black, name)
    }

    fn name(&self, side: Color) -> (&str, &str) {
        match side {
            Color::White => (&self.white, &self.row.white),
            Color::Black => (&self.black, &self.row.black),
        }
    }

    /// True if the computer played a side.
    fn is_computer(&self, side: Color) -> bool {
        let name = self.name(side).1;
        let level = |lang: Lang| (1..=10).any(|level| lang.level(level) == name);
        self.row.source == "computer" && (level(Lang::En) || level(Lang::Ko))
    }

    fn opening(&self) -> String {
        if let Some(named) = &self.row.opening {
            return format!("{} {}", named.eco, named.name);
        }
        let found = opening(&self.row.played);
        found.map_or_else(|| "-".to_owned(), |named| format!("{} {}", named.eco, named.name))
    }
}

/// Parses an RFC 3339 time in UTC; fractions of a second are ignored.
fn parse_time(text: &str) -> Option<LogTime> {
    let (day, time) = text.split_once('T')?;
    Some(Day::read(day)?.start() + dates::read_time(time.trim_end_matches('Z'))?)
}

/// Statistics of all games, or of one player; an unknown player has none.
pub(crate) fn count(rows: &[ListedGame], player: Option<&str>) -> CountedResults {
    let mut games: Vec<Game<'_>> = rows.iter().filter_map(Game::of).collect();
    games.sort_by_key(|game| game.at);
    CountedResults {
        players: players(&games),
        all: player.is_none().then(|| statistics(&games)),
        player: player.and_then(|name| page(&games, name)),
    }
}

/// Results of games by a facet. Where a colour is given, its wins and losses are counted as well.
fn buckets(games: &[(&Game<'_>, Option<Color>)], facet: Facet) -> Vec<wire::Bucket> {
    let mut sums: BTreeMap<String, (Tally, Option<Standing>)> = BTreeMap::new();
    for &(game, us) in games {
        let label = match facet {
            Facet::Reason => game.row.reason.clone().unwrap_or_else(|| "-".to_owned()),
            Facet::Month if game.at == UNKNOWN => continue,
            Facet::Month => dates::month_name(dates::month(game.at)),
            Facet::Opening => game.opening(),
            Facet::Source => game.row.source.clone(),
        };
        let (tally, standing) = sums.entry(label).or_default();
        tally.add(game.score, 1);
        if let Some(us) = us {
            standing.get_or_insert_default().add(game.score, us, 1);
        }
    }
    let bucket = |(label, (tally, standing))| Bucket { label, tally, standing };
    let mut all: Vec<Bucket> = sums.into_iter().map(bucket).collect();
    if facet != Facet::Month {
        all.sort_by_key(|bucket| Reverse(bucket.tally.games()));
    }
    results::buckets(all)
}

fn statistics(games: &[Game<'_>]) -> wire::Statistics {
    let mut totals = Tally::default();
    games.iter().for_each(|game| totals.add(game.score, 1));
    let all: Vec<_> = games.iter().map(|game| (game, None)).collect();
    wire::Statistics {
        games: totals.games(),
        totals: results::tally(totals),
        reasons: buckets(&all, Facet::Reason),
        months: buckets(&all, Facet::Month),
        openings: buckets(&all, Facet::Opening),
        sources: buckets(&all, Facet::Source),
    }
}

/// Adds a game to the statistics of a player. The name is spelled as in the player's first game.
fn add(stats: &mut PlayerStats, game: &Game<'_>, us: Color) {
    if stats.name.is_empty() {
        stats.name = tidy(game.name(us).1);
    }
    stats.add(game.score, us);
}

/// The players with the most games first, without the computer.
fn players(games: &[Game<'_>]) -> Vec<wire::PlayerRow> {
    let mut all: BTreeMap<&str, PlayerStats> = BTreeMap::new();
    for game in games {
        for us in Color::ALL {
            if !game.is_computer(us) {
                add(all.entry(game.name(us).0).or_default(), game, us);
            }
        }
    }
    let mut all: Vec<PlayerStats> = all.into_values().collect();
    all.retain(|stats| !is_nameless(&stats.name));
    all.sort_by_key(|stats| Reverse(stats.both().games()));
    all.truncate(MOST_PLAYERS);
    all.into_iter().map(results::player).collect()
}

fn page(games: &[Game<'_>], name: &str) -> Option<wire::PlayerPage> {
    let name = fold(name);
    let seen: Vec<(&Game<'_>, Color)> =
        games.iter().flat_map(|game| game.colours(&name).map(move |us| (game, us))).collect();
    let mut own = PlayerStats::default();
    let mut rivals: BTreeMap<&str, (&str, Standing)> = BTreeMap::new();
    for &(game, us) in &seen {
        add(&mut own, game, us);
        let (folded, written) = game.name(!us);
        rivals.entry(folded).or_insert((written, Standing::default())).1.add(game.score, us, 1);
    }
    if seen.is_empty() {
        return None;
    }
    let mut rivals: Vec<(&str, Standing)> = rivals.into_values().collect();
    rivals.retain(|(name, _)| !is_nameless(name));
    rivals.sort_by_key(|(_, standing)| Reverse(standing.games()));
    rivals.truncate(MOST_RIVALS);
    let rivals = rivals.into_iter().map(|(name, standing)| (tidy(name), standing)).collect();
    let seen_by: Vec<_> = seen.iter().map(|&(game, us)| (game, Some(us))).collect();
    Some(wire::PlayerPage {
        player: results::player(own),
        streaks: streaks(games, &name),
        opponents: results::rivals(rivals),
        reasons: buckets(&seen_by, Facet::Reason),
        months: buckets(&seen_by, Facet::Month),
        openings: buckets(&seen_by, Facet::Opening),
        sources: buckets(&seen_by, Facet::Source),
    })
}

/// The streaks of a player; `games` are in the order in which they began.
fn streaks(games: &[Game<'_>], name: &str) -> wire::Streaks {
    let decided = games.iter().filter_map(|game| {
        // A player on both sides has the game once, as White.
        let us = game.colours(name).next()?;
        let ending = game.score.ending(us)?;
        Some((ending, game.at))
    });
    let streaks = Streaks::of(decided);
    let known = |run: Run| Run { until: run.until.filter(|&at| at != UNKNOWN), ..run };
    results::streaks(Streaks {
        wins: known(streaks.wins),
        unbeaten: known(streaks.unbeaten),
        losses: known(streaks.losses),
        current: streaks.current,
    })
}
