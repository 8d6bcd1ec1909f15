//! Wins, draws and losses of the games that a browser keeps, counted as the log of a server counts
//! them: games that are over, names however they are spelled, words for a missing name not among
//! the people.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hansu_annals::dates::{self, Day, Millis};
use hansu_annals::names::{fold, is_nameless, tidy};
use hansu_annals::{Ending, Streaks};
use hansu_chess::Color;
use hansu_protocol as wire;
use hansu_words::Lang;

use crate::desk::opening;
use crate::shapes::{Counted, Listed};

/// The most players on a list.
const MOST_PLAYERS: usize = 100;
/// The most opponents of one.
const MOST_RIVALS: usize = 50;
/// When a game began of which this is not known: before all others.
const UNKNOWN: Millis = Millis::MIN;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Score {
    Won(Color),
    Draw,
    Open,
}

/// A game that counts.
struct Game<'a> {
    row: &'a Listed,
    at: Millis,
    score: Score,
    /// The names by which players are told apart.
    white: String,
    black: String,
}

impl<'a> Game<'a> {
    fn of(row: &'a Listed) -> Option<Game<'a>> {
        if row.status != "finished" {
            return None;
        }
        let score = match row.result.as_str() {
            "1-0" => Score::Won(Color::White),
            "0-1" => Score::Won(Color::Black),
            "1/2-1/2" => Score::Draw,
            _ => Score::Open,
        };
        let at = row.started.as_deref().and_then(moment).unwrap_or(UNKNOWN);
        Some(Game { row, at, score, white: fold(&row.white), black: fold(&row.black) })
    }

    /// With which colours a player has played it.
    fn colours(&self, name: &str) -> impl Iterator<Item = Color> + use<> {
        let white = (self.white == name).then_some(Color::White);
        white.into_iter().chain((self.black == name).then_some(Color::Black))
    }

    fn name(&self, side: Color) -> (&str, &str) {
        match side {
            Color::White => (&self.white, &self.row.white),
            Color::Black => (&self.black, &self.row.black),
        }
    }

    /// Whether the computer, and no person, had a side.
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

/// A time as RFC 3339 writes it in UTC; parts of a second are left out.
fn moment(text: &str) -> Option<Millis> {
    let (day, time) = text.split_once('T')?;
    Some(Day::read(day)?.start() + dates::read_time(time.trim_end_matches('Z'))?)
}

/// Counts the results of everybody, or of one player; an unknown player has none.
pub(crate) fn count(rows: &[Listed], player: Option<&str>) -> Counted {
    let mut games: Vec<Game<'_>> = rows.iter().filter_map(Game::of).collect();
    games.sort_by_key(|game| game.at);
    Counted {
        players: players(&games),
        all: player.is_none().then(|| everybody(&games)),
        player: player.and_then(|name| page(&games, name)),
    }
}

/// Results by colour and, where they are one player's, as that player sees them.
#[derive(Default)]
struct Sum {
    tally: Tally,
    standing: Standing,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    white: u64,
    draws: u64,
    black: u64,
    open: u64,
}

#[derive(Clone, Copy, Default)]
struct Standing {
    wins: u64,
    draws: u64,
    losses: u64,
    open: u64,
}

impl Tally {
    fn add(&mut self, score: Score) {
        match score {
            Score::Won(Color::White) => self.white += 1,
            Score::Won(Color::Black) => self.black += 1,
            Score::Draw => self.draws += 1,
            Score::Open => self.open += 1,
        }
    }

    const fn games(self) -> u64 {
        self.white + self.draws + self.black + self.open
    }

    const fn told(self) -> wire::Tally {
        let Tally { white, draws, black, open } = self;
        wire::Tally { white, draws, black, open }
    }
}

impl Standing {
    fn add(&mut self, score: Score, us: Color) {
        match score {
            Score::Won(winner) if winner == us => self.wins += 1,
            Score::Won(_) => self.losses += 1,
            Score::Draw => self.draws += 1,
            Score::Open => self.open += 1,
        }
    }

    const fn plus(self, other: Standing) -> Standing {
        Standing {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            open: self.open + other.open,
        }
    }

    const fn games(self) -> u64 {
        self.wins + self.draws + self.losses + self.open
    }

    const fn told(self) -> wire::Standing {
        let Standing { wins, draws, losses, open } = self;
        wire::Standing { wins, draws, losses, open }
    }
}

impl Sum {
    fn add(&mut self, score: Score, us: Option<Color>) {
        self.tally.add(score);
        if let Some(us) = us {
            self.standing.add(score, us);
        }
    }
}

/// By what results are put together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Facet {
    Reason,
    Month,
    Opening,
    Source,
}

/// The results of games, each seen from the side that is named with it.
fn buckets(games: &[(&Game<'_>, Option<Color>)], facet: Facet) -> Vec<wire::Bucket> {
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    for &(game, us) in games {
        let label = match facet {
            Facet::Reason => game.row.reason.clone().unwrap_or_else(|| "-".to_owned()),
            Facet::Month if game.at == UNKNOWN => continue,
            Facet::Month => dates::month_name(dates::month(game.at)),
            Facet::Opening => game.opening(),
            Facet::Source => game.row.source.clone(),
        };
        sums.entry(label).or_default().add(game.score, us);
    }
    let mut sums: Vec<(String, Sum)> = sums.into_iter().collect();
    if facet != Facet::Month {
        sums.sort_by_key(|(_, sum)| Reverse(sum.tally.games()));
    }
    let one = games.iter().any(|(_, us)| us.is_some());
    let bucket = |(label, sum): (String, Sum)| wire::Bucket {
        label,
        tally: sum.tally.told(),
        standing: one.then(|| sum.standing.told()),
    };
    sums.into_iter().map(bucket).collect()
}

fn everybody(games: &[Game<'_>]) -> wire::Statistics {
    let mut totals = Tally::default();
    games.iter().for_each(|game| totals.add(game.score));
    let all: Vec<_> = games.iter().map(|game| (game, None)).collect();
    wire::Statistics {
        games: totals.games(),
        totals: totals.told(),
        reasons: buckets(&all, Facet::Reason),
        months: buckets(&all, Facet::Month),
        openings: buckets(&all, Facet::Opening),
        sources: buckets(&all, Facet::Source),
    }
}

/// One player's results by colour.
#[derive(Default)]
struct Results {
    name: String,
    white: Standing,
    black: Standing,
}

impl Results {
    fn add(&mut self, game: &Game<'_>, us: Color) {
        if self.name.is_empty() {
            self.name = tidy(game.name(us).1);
        }
        match us {
            Color::White => self.white.add(game.score, us),
            Color::Black => self.black.add(game.score, us),
        }
    }

    const fn both(&self) -> Standing {
        self.white.plus(self.black)
    }

    fn told(self) -> wire::PlayerRow {
        let both = self.both();
        wire::PlayerRow {
            name: self.name,
            games: both.games(),
            both: both.told(),
            white: self.white.told(),
            black: self.black.told(),
        }
    }
}

/// Those with the most games first. The computer is not among the people.
fn players(games: &[Game<'_>]) -> Vec<wire::PlayerRow> {
    let mut all: BTreeMap<&str, Results> = BTreeMap::new();
    for game in games {
        for us in Color::ALL {
            if !game.is_computer(us) {
                all.entry(game.name(us).0).or_default().add(game, us);
            }
        }
    }
    let mut all: Vec<Results> = all
        .into_iter()
        .filter(|(name, _)| !is_nameless(name))
        .map(|(_, results)| results)
        .collect();
    all.sort_by_key(|results| Reverse(results.both().games()));
    all.truncate(MOST_PLAYERS);
    all.into_iter().map(Results::told).collect()
}

fn page(games: &[Game<'_>], name: &str) -> Option<wire::PlayerPage> {
    let name = fold(name);
    let seen: Vec<(&Game<'_>, Color)> =
        games.iter().flat_map(|game| game.colours(&name).map(move |us| (game, us))).collect();
    let mut own = Results::default();
    let mut rivals: BTreeMap<&str, (&str, Standing)> = BTreeMap::new();
    for &(game, us) in &seen {
        own.add(game, us);
        let (folded, written) = game.name(!us);
        rivals.entry(folded).or_insert((written, Standing::default())).1.add(game.score, us);
    }
    if seen.is_empty() {
        return None;
    }
    let mut rivals: Vec<(&str, Standing)> = rivals.into_values().collect();
    rivals.retain(|(name, _)| !is_nameless(name));
    rivals.sort_by_key(|(_, standing)| Reverse(standing.games()));
    rivals.truncate(MOST_RIVALS);
    let rival = |(name, standing): (&str, Standing)| wire::Rival {
        name: tidy(name),
        standing: standing.told(),
    };
    let seen_by: Vec<_> = seen.iter().map(|&(game, us)| (game, Some(us))).collect();
    Some(wire::PlayerPage {
        player: own.told(),
        streaks: streaks(games, &name),
        opponents: rivals.into_iter().map(rival).collect(),
        reasons: buckets(&seen_by, Facet::Reason),
        months: buckets(&seen_by, Facet::Month),
        openings: buckets(&seen_by, Facet::Opening),
        sources: buckets(&seen_by, Facet::Source),
    })
}

/// The games are in the order in which they began.
fn streaks(games: &[Game<'_>], name: &str) -> wire::Streaks {
    let decided = games.iter().filter_map(|game| {
        // A player on both sides has the game once, as White.
        let us = game.colours(name).next()?;
        let ending = match game.score {
            Score::Open => return None,
            Score::Draw => Ending::Draw,
            Score::Won(winner) if winner == us => Ending::Win,
            Score::Won(_) => Ending::Loss,
        };
        Some((ending, game.at))
    });
    let streaks = Streaks::of(decided);
    let run = |run: hansu_annals::Run| wire::Run {
        games: run.games,
        until: run.until.filter(|&at| at != UNKNOWN),
    };
    wire::Streaks {
        wins: run(streaks.wins),
        unbeaten: run(streaks.unbeaten),
        losses: run(streaks.losses),
        current: streaks.current,
    }
}
