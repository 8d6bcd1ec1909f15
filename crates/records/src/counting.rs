//! Turns rows of results into statistics, for both databases.
//!
//! The keeper of the log sees all games; other viewers see public games and their own. Counters for
//! all games and for public games are updated as games end, so no query reads a table that grows
//! with history: only the viewer's own private games are read one by one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use hansu_annals::colours;
use hansu_chess::Color;

use crate::dates::LogTime;
use crate::names::{NAMELESS, is_nameless};
use crate::stats::{Bucket, Facet, HeadToHead, PlayerStats, Standing, Streaks, Tally, Viewer};
use crate::tallies::{UNKNOWN, kind};
use crate::{Error, Holder, Score, Source, dates};

/// The number of rows to read beyond the limit, because some of the busiest names are left out.
pub(crate) const MOST_NAMELESS: usize = 4 * NAMELESS.len();

/// The result with this number; an unknown number counts as open.
pub(crate) fn score(number: i64) -> Score {
    Score::from_number(number).unwrap_or(Score::Open)
}

/// The kind of counters of a facet.
const fn kind_of(facet: Facet) -> i64 {
    match facet {
        Facet::Reason => kind::REASON,
        Facet::Month => kind::MONTH,
        Facet::Opening => kind::OPENING,
        Facet::Source => kind::SOURCE,
    }
}

/// The column of a game that a facet is read from.
pub(crate) const fn column_of(facet: Facet) -> &'static str {
    match facet {
        Facet::Reason => "reason",
        Facet::Month => "at",
        Facet::Opening => "opening",
        Facet::Source => "source",
    }
}

/// One player's results by a value with a number: an opponent, a month.
#[derive(Default)]
pub(crate) struct PlayerResults(HashMap<i64, (Tally, Standing)>);

impl PlayerResults {
    /// Counts a number of games with a colour and a result.
    pub(crate) fn add(&mut self, value: i64, us: Color, result: i64, games: u64) {
        let (tally, seen) = self.0.entry(value).or_default();
        tally.add(score(result), games);
        seen.add(score(result), us, games);
    }

    /// Counts games with this value in a facet's column; a month is computed from a time.
    pub(crate) fn add_games(
        &mut self,
        facet: Facet,
        column: i64,
        us: Color,
        result: i64,
        games: u64,
    ) {
        if let Some(value) = value(facet, column) {
            self.add(value, us, result, games);
        }
    }

    /// At most `limit` values with the most games, in descending order.
    pub(crate) fn most(self, limit: usize) -> Vec<(i64, Standing)> {
        let mut met: Vec<_> = self.0.into_iter().map(|(id, (_, seen))| (id, seen)).collect();
        met.sort_by_key(|&(id, standing)| (Reverse(standing.games()), id));
        met.truncate(limit);
        met
    }

    /// In the form that results of all players have.
    pub(crate) fn into_results(self) -> ResultsByValue {
        self.0.into_iter().map(|(value, (tally, seen))| (value, tally, Some(seen))).collect()
    }
}

/// Maps the value of a column to the value that is counted: a time to its month; `None` if the time
/// is unknown.
fn value(facet: Facet, column: i64) -> Option<i64> {
    match facet {
        Facet::Month => (column != UNKNOWN).then(|| dates::month(column)),
        Facet::Reason | Facet::Opening | Facet::Source => Some(column),
    }
}

/// A finished game, as numbers.
pub(crate) struct FinishedGame {
    pub(crate) at: LogTime,
    pub(crate) n: i64,
    pub(crate) white: i64,
    pub(crate) black: i64,
    pub(crate) result: i64,
    pub(crate) reason: i64,
    pub(crate) opening: i64,
    pub(crate) source: i64,
}

impl FinishedGame {
    pub(crate) fn value(&self, facet: Facet) -> i64 {
        match facet {
            Facet::Reason => self.reason,
            Facet::Month => self.at,
            Facet::Opening => self.opening,
            Facet::Source => self.source,
        }
    }

    fn colours(&self, id: i64) -> impl Iterator<Item = Color> + use<> {
        colours(&self.white, &self.black, &id)
    }

    /// The player on the other side.
    pub(crate) fn other(&self, us: Color) -> i64 {
        match us {
            Color::White => self.black,
            Color::Black => self.white,
        }
    }
}

/// Which games are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GameSet {
    All,
    Public,
}

/// Reads numbers for statistics from a database. Only finished games are counted.
pub(crate) trait StatsSource {
    /// The counters of a kind, by value.
    fn counters(&self, kind: i64) -> Result<Vec<(i64, Tally)>, Error>;
    /// The id of a player.
    fn id(&self, name: &str) -> Result<Option<i64>, Error>;
    /// The results of these players, including players without games.
    fn results(&self, which: GameSet, ids: &[i64]) -> Result<Vec<(i64, PlayerStats)>, Error>;
    /// Players that include those with the most games; at least `limit` of them, if there are that
    /// many.
    fn busiest(&self, which: GameSet, limit: usize) -> Result<Vec<i64>, Error>;
    /// A player's games with a colour, grouped by a column: value, result, number of games.
    fn games(
        &self,
        which: GameSet,
        column: Column,
        us: Color,
        id: i64,
    ) -> Result<Vec<(i64, i64, u64)>, Error>;
    /// The games of these two players, by result.
    fn results_between(
        &self,
        which: GameSet,
        white: i64,
        black: i64,
    ) -> Result<Vec<(i64, u64)>, Error>;
    /// A player's decided games, ordered by start: time, row number, result, colour.
    fn in_order(&self, which: GameSet, id: i64) -> Result<Vec<(LogTime, i64, i64, Color)>, Error>;
    /// The games of a holder that are not public.
    fn private_games(&self, holder: &Holder) -> Result<Vec<FinishedGame>, Error>;
    /// The games in which a holder had one of the colours, the newest [`crate::own::MOST`].
    fn games_of_holder(&self, holder: &Holder) -> Result<Vec<(FinishedGame, Color)>, Error>;
    /// The labels of a facet's values that are stored in a table.
    fn labels(&self, facet: Facet, values: &[i64]) -> Result<HashMap<i64, String>, Error>;
}

/// A column of a game by which a player's games are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    Opponent,
    Of(Facet),
}

/// What a viewer may see: a set of counted games, and the viewer's own private games.
struct Scope {
    which: GameSet,
    own: Vec<FinishedGame>,
}

impl Scope {
    fn new(numbers: &impl StatsSource, viewer: Viewer) -> Result<Scope, Error> {
        Ok(match viewer {
            Viewer::Keeper => Scope { which: GameSet::All, own: Vec::new() },
            Viewer::Guest(None) => Scope { which: GameSet::Public, own: Vec::new() },
            Viewer::Guest(Some(holder)) => {
                Scope { which: GameSet::Public, own: numbers.private_games(&holder)? }
            }
        })
    }

    fn kind(&self, kind: i64) -> i64 {
        match self.which {
            GameSet::All => kind,
            GameSet::Public => kind::public(kind),
        }
    }
}

pub(crate) fn totals(numbers: &impl StatsSource, viewer: Viewer) -> Result<Tally, Error> {
    let scope = Scope::new(numbers, viewer)?;
    let counted = numbers.counters(scope.kind(kind::ALL))?;
    let mut all = counted.into_iter().next().map(|(_, tally)| tally).unwrap_or_default();
    scope.own.iter().for_each(|game| all.add(score(game.result), 1));
    Ok(all)
}

pub(crate) fn by(
    numbers: &impl StatsSource,
    viewer: Viewer,
    facet: Facet,
    player: Option<&str>,
) -> Result<Vec<Bucket>, Error> {
    let scope = Scope::new(numbers, viewer)?;
    let found = match player {
        None => of_all(numbers, &scope, facet)?,
        Some(name) => match numbers.id(name)? {
            Some(id) => of_player(numbers, &scope, Column::Of(facet), id)?.into_results(),
            None => Vec::new(),
        },
    };
    let values: Vec<i64> = found.iter().map(|(value, ..)| *value).collect();
    let labels = numbers.labels(facet, &values)?;
    Ok(buckets(facet, found, &labels))
}

fn of_all(
    numbers: &impl StatsSource,
    scope: &Scope,
    facet: Facet,
) -> Result<ResultsByValue, Error> {
    let counted = numbers.counters(scope.kind(kind_of(facet)))?;
    let mut all: BTreeMap<i64, Tally> = counted.into_iter().collect();
    for game in &scope.own {
        if let Some(value) = value(facet, game.value(facet)) {
            all.entry(value).or_default().add(score(game.result), 1);
        }
    }
    Ok(all.into_iter().map(|(value, tally)| (value, tally, None)).collect())
}

/// One player's games, read by an index.
fn of_player(
    numbers: &impl StatsSource,
    scope: &Scope,
    column: Column,
    id: i64,
) -> Result<PlayerResults, Error> {
    let mut seen = PlayerResults::default();
    let mut add = |value, us, result, games| match column {
        Column::Opponent => seen.add(value, us, result, games),
        Column::Of(facet) => seen.add_games(facet, value, us, result, games),
    };
    for us in [Color::White, Color::Black] {
        for (value, result, games) in numbers.games(scope.which, column, us, id)? {
            add(value, us, result, games);
        }
    }
    for game in &scope.own {
        for us in game.colours(id) {
            let value = match column {
                Column::Opponent => game.other(us),
                Column::Of(facet) => game.value(facet),
            };
            add(value, us, game.result, 1);
        }
    }
    Ok(seen)
}

/// Adds the viewer's private games to the results of players.
fn with_own(scope: &Scope, players: &mut [(i64, PlayerStats)]) {
    for (id, stats) in players {
        for game in &scope.own {
            game.colours(*id).for_each(|us| stats.add(score(game.result), us));
        }
    }
}

/// The keeper of the log also sees players without a finished game; other viewers do not.
pub(crate) fn player(
    numbers: &impl StatsSource,
    viewer: Viewer,
    name: &str,
) -> Result<Option<PlayerStats>, Error> {
    let Some(id) = numbers.id(name)? else { return Ok(None) };
    let scope = Scope::new(numbers, viewer)?;
    let mut found = numbers.results(scope.which, &[id])?;
    with_own(&scope, &mut found);
    let known = |stats: &PlayerStats| viewer == Viewer::Keeper || stats.both().games() > 0;
    Ok(found.into_iter().map(|(_, stats)| stats).find(known))
}

pub(crate) fn players(
    numbers: &impl StatsSource,
    viewer: Viewer,
    limit: usize,
) -> Result<Vec<PlayerStats>, Error> {
    let scope = Scope::new(numbers, viewer)?;
    let mut ids = numbers.busiest(scope.which, limit.saturating_add(MOST_NAMELESS))?;
    ids.extend(scope.own.iter().flat_map(|game| [game.white, game.black]));
    ids.sort_unstable();
    ids.dedup();
    let mut found = numbers.results(scope.which, &ids)?;
    with_own(&scope, &mut found);
    found.retain(|(_, stats)| stats.both().games() > 0 && !is_nameless(&stats.name));
    found.sort_by_key(|(id, stats)| (Reverse(stats.both().games()), *id));
    found.truncate(limit);
    Ok(found.into_iter().map(|(_, stats)| stats).collect())
}

pub(crate) fn head_to_head(
    numbers: &impl StatsSource,
    viewer: Viewer,
    one: &str,
    other: &str,
) -> Result<HeadToHead, Error> {
    let (Some(one), Some(other)) = (numbers.id(one)?, numbers.id(other)?) else {
        return Ok(HeadToHead::default());
    };
    let scope = Scope::new(numbers, viewer)?;
    let standing_of = |us: Color| -> Result<Standing, Error> {
        let (white, black) = if us == Color::White { (one, other) } else { (other, one) };
        let mut standing = Standing::default();
        for (result, games) in numbers.results_between(scope.which, white, black)? {
            standing.add(score(result), us, games);
        }
        let own = scope.own.iter().filter(|game| game.white == white && game.black == black);
        own.for_each(|game| standing.add(score(game.result), us, 1));
        Ok(standing)
    };
    Ok(HeadToHead { white: standing_of(Color::White)?, black: standing_of(Color::Black)? })
}

pub(crate) fn opponents(
    numbers: &impl StatsSource,
    viewer: Viewer,
    name: &str,
    limit: usize,
) -> Result<Vec<(String, Standing)>, Error> {
    let Some(id) = numbers.id(name)? else { return Ok(Vec::new()) };
    let scope = Scope::new(numbers, viewer)?;
    let most = limit.saturating_add(MOST_NAMELESS);
    let met = of_player(numbers, &scope, Column::Opponent, id)?.most(most);
    let ids: Vec<i64> = met.iter().map(|(id, _)| *id).collect();
    let names = numbers.results(scope.which, &ids)?;
    let name = |id| names.iter().find(|(other, _)| *other == id).map(|(_, stats)| &stats.name);
    let named = |(id, standing)| Ok((name(id).ok_or(Error::Damaged)?.clone(), standing));
    let mut met = met.into_iter().map(named).collect::<Result<Vec<_>, Error>>()?;
    met.retain(|(name, _)| !is_nameless(name));
    met.truncate(limit);
    Ok(met)
}

pub(crate) fn streaks(
    numbers: &impl StatsSource,
    viewer: Viewer,
    name: &str,
) -> Result<Streaks, Error> {
    let Some(id) = numbers.id(name)? else { return Ok(Streaks::default()) };
    let scope = Scope::new(numbers, viewer)?;
    let mut games = numbers.in_order(scope.which, id)?;
    let own = scope.own.iter().filter_map(|game| {
        // A player on both sides has the game once, as White.
        let us = game.colours(id).next()?;
        Some((game.at, game.n, game.result, us))
    });
    games.extend(own);
    games.sort_unstable_by_key(|&(at, n, ..)| (at, n));
    let endings = games.into_iter().filter_map(|(at, _, result, us)| {
        let ending = score(result).ending(us)?;
        Some((ending, at))
    });
    Ok(Streaks::of(endings))
}

/// Results by value.
pub(crate) type ResultsByValue = Vec<(i64, Tally, Option<Standing>)>;

/// Sorts the results and adds labels; `texts` has those of reasons and openings.
pub(crate) fn buckets(
    facet: Facet,
    mut found: ResultsByValue,
    texts: &HashMap<i64, String>,
) -> Vec<Bucket> {
    found.retain(|(_, tally, _)| tally.games() > 0);
    found.sort_by_key(|&(value, tally, _)| match facet {
        Facet::Month => (0, value),
        Facet::Reason | Facet::Opening | Facet::Source => {
            (i64::MAX.cast_unsigned() - tally.games(), value)
        }
    });
    let label = |value| {
        let label = match facet {
            Facet::Month => Some(dates::month_name(value)),
            Facet::Source => Source::from_number(value).map(|source| source.word().to_owned()),
            Facet::Reason | Facet::Opening => texts.get(&value).cloned(),
        };
        label.unwrap_or_else(|| "-".to_owned())
    };
    let bucket = |(value, tally, standing)| Bucket { label: label(value), tally, standing };
    found.into_iter().map(bucket).collect()
}
