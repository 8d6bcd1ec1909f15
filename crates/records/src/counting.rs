//! How rows of results become statistics, whatever database they were read from.
//!
//! The keeper of the log sees all games; others see public games and their own. Both are
//! counted while games are played, so that nothing that grows with history is read again: of the
//! games that are not public, only those of the person who asks are looked at.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use hansu_annals::colours;
use hansu_chess::Color;

use crate::dates::Millis;
use crate::ledger::{UNKNOWN, kind};
use crate::names::{NAMELESS, is_nameless};
use crate::stats::{Bucket, Facet, HeadToHead, PlayerStats, Standing, Streaks, Tally, Viewer};
use crate::{Error, Holder, Score, Source, dates};

/// The number of rows to read beyond the limit, because some of the busiest names are left out.
pub(crate) const MOST_NAMELESS: usize = 4 * NAMELESS.len();

/// A result by its number; what is not known counts as open.
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

/// Results as one player sees them, by anything that has a number: an opponent, a month.
#[derive(Default)]
pub(crate) struct Seen(HashMap<i64, (Tally, Standing)>);

impl Seen {
    /// Counts a number of games with a colour and a result.
    pub(crate) fn add(&mut self, value: i64, us: Color, result: i64, games: u64) {
        let (tally, seen) = self.0.entry(value).or_default();
        tally.add(score(result), games);
        seen.add(score(result), us, games);
    }

    /// Games of which a column has this value; a month is read from a time.
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

    /// By number of games, the most first.
    pub(crate) fn most(self, limit: usize) -> Vec<(i64, Standing)> {
        let mut met: Vec<_> = self.0.into_iter().map(|(id, (_, seen))| (id, seen)).collect();
        met.sort_by_key(|&(id, standing)| (Reverse(standing.games()), id));
        met.truncate(limit);
        met
    }

    /// As they are found for everybody.
    pub(crate) fn found(self) -> Found {
        self.0.into_iter().map(|(value, (tally, seen))| (value, tally, Some(seen))).collect()
    }
}

/// The value under which a game is counted of which a column has this value: a month is read from
/// a time, which may not be known.
fn value(facet: Facet, column: i64) -> Option<i64> {
    match facet {
        Facet::Month => (column != UNKNOWN).then(|| dates::month(column)),
        Facet::Reason | Facet::Opening | Facet::Source => Some(column),
    }
}

/// A finished game, as numbers.
pub(crate) struct Row {
    pub(crate) at: Millis,
    pub(crate) n: i64,
    pub(crate) white: i64,
    pub(crate) black: i64,
    pub(crate) result: i64,
    pub(crate) reason: i64,
    pub(crate) opening: i64,
    pub(crate) source: i64,
}

impl Row {
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

/// Games that are counted: all, or the public ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    All,
    Public,
}

/// The numbers that a database has. Finished games are meant, and no others.
pub(crate) trait Numbers {
    /// The counters of a kind, by value.
    fn counters(&self, kind: i64) -> Result<Vec<(i64, Tally)>, Error>;
    /// The id of a player.
    fn id(&self, name: &str) -> Result<Option<i64>, Error>;
    /// The results of these players, also of those without any.
    fn results(&self, which: Which, ids: &[i64]) -> Result<Vec<(i64, PlayerStats)>, Error>;
    /// Players among whom those with the most games are; at least `limit` if there are as many.
    fn busiest(&self, which: Which, limit: usize) -> Result<Vec<i64>, Error>;
    /// A player's games with a colour, by a column: its value, the result, and how many.
    fn games(
        &self,
        which: Which,
        column: Column,
        us: Color,
        id: i64,
    ) -> Result<Vec<(i64, i64, u64)>, Error>;
    /// The games of two players, by result.
    fn met(&self, which: Which, white: i64, black: i64) -> Result<Vec<(i64, u64)>, Error>;
    /// A player's decided games in the order in which they began: time, number, result, colour.
    fn in_order(&self, which: Which, id: i64) -> Result<Vec<(Millis, i64, i64, Color)>, Error>;
    /// The games of a holder that are not public.
    fn unseen(&self, holder: &Holder) -> Result<Vec<Row>, Error>;
    /// The games in which a holder had one of the colours, the newest [`crate::own::MOST`].
    fn held(&self, holder: &Holder) -> Result<Vec<(Row, Color)>, Error>;
    /// What values of a facet are called, where a table says so.
    fn labels(&self, facet: Facet, values: &[i64]) -> Result<HashMap<i64, String>, Error>;
}

/// A column of a game by which a player's games are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    Opponent,
    Of(Facet),
}

/// What a viewer may see: the games that are counted, and private games of their own.
struct Seeing {
    which: Which,
    own: Vec<Row>,
}

impl Seeing {
    fn new(numbers: &impl Numbers, viewer: Viewer) -> Result<Seeing, Error> {
        Ok(match viewer {
            Viewer::Keeper => Seeing { which: Which::All, own: Vec::new() },
            Viewer::Guest(None) => Seeing { which: Which::Public, own: Vec::new() },
            Viewer::Guest(Some(holder)) => {
                Seeing { which: Which::Public, own: numbers.unseen(&holder)? }
            }
        })
    }

    fn kind(&self, kind: i64) -> i64 {
        match self.which {
            Which::All => kind,
            Which::Public => kind::shown(kind),
        }
    }
}

pub(crate) fn totals(numbers: &impl Numbers, viewer: Viewer) -> Result<Tally, Error> {
    let seeing = Seeing::new(numbers, viewer)?;
    let counted = numbers.counters(seeing.kind(kind::ALL))?;
    let mut all = counted.into_iter().next().map(|(_, tally)| tally).unwrap_or_default();
    seeing.own.iter().for_each(|game| all.add(score(game.result), 1));
    Ok(all)
}

pub(crate) fn by(
    numbers: &impl Numbers,
    viewer: Viewer,
    facet: Facet,
    player: Option<&str>,
) -> Result<Vec<Bucket>, Error> {
    let seeing = Seeing::new(numbers, viewer)?;
    let found = match player {
        None => of_all(numbers, &seeing, facet)?,
        Some(name) => match numbers.id(name)? {
            Some(id) => of_player(numbers, &seeing, Column::Of(facet), id)?.found(),
            None => Vec::new(),
        },
    };
    let values: Vec<i64> = found.iter().map(|(value, ..)| *value).collect();
    let labels = numbers.labels(facet, &values)?;
    Ok(buckets(facet, found, &labels))
}

fn of_all(numbers: &impl Numbers, seeing: &Seeing, facet: Facet) -> Result<Found, Error> {
    let counted = numbers.counters(seeing.kind(kind_of(facet)))?;
    let mut all: BTreeMap<i64, Tally> = counted.into_iter().collect();
    for game in &seeing.own {
        if let Some(value) = value(facet, game.value(facet)) {
            all.entry(value).or_default().add(score(game.result), 1);
        }
    }
    Ok(all.into_iter().map(|(value, tally)| (value, tally, None)).collect())
}

/// One player's games: an index leads to each of them.
fn of_player(
    numbers: &impl Numbers,
    seeing: &Seeing,
    column: Column,
    id: i64,
) -> Result<Seen, Error> {
    let mut seen = Seen::default();
    let mut add = |value, us, result, games| match column {
        Column::Opponent => seen.add(value, us, result, games),
        Column::Of(facet) => seen.add_games(facet, value, us, result, games),
    };
    for us in [Color::White, Color::Black] {
        for (value, result, games) in numbers.games(seeing.which, column, us, id)? {
            add(value, us, result, games);
        }
    }
    for game in &seeing.own {
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
fn with_own(seeing: &Seeing, players: &mut [(i64, PlayerStats)]) {
    for (id, stats) in players {
        for game in &seeing.own {
            game.colours(*id).for_each(|us| stats.add(score(game.result), us));
        }
    }
}

/// The keeper of the log also knows players without a finished game; others do not.
pub(crate) fn player(
    numbers: &impl Numbers,
    viewer: Viewer,
    name: &str,
) -> Result<Option<PlayerStats>, Error> {
    let Some(id) = numbers.id(name)? else { return Ok(None) };
    let seeing = Seeing::new(numbers, viewer)?;
    let mut found = numbers.results(seeing.which, &[id])?;
    with_own(&seeing, &mut found);
    let known = |stats: &PlayerStats| viewer == Viewer::Keeper || stats.both().games() > 0;
    Ok(found.into_iter().map(|(_, stats)| stats).find(known))
}

pub(crate) fn players(
    numbers: &impl Numbers,
    viewer: Viewer,
    limit: usize,
) -> Result<Vec<PlayerStats>, Error> {
    let seeing = Seeing::new(numbers, viewer)?;
    let mut ids = numbers.busiest(seeing.which, limit.saturating_add(MOST_NAMELESS))?;
    ids.extend(seeing.own.iter().flat_map(|game| [game.white, game.black]));
    ids.sort_unstable();
    ids.dedup();
    let mut found = numbers.results(seeing.which, &ids)?;
    with_own(&seeing, &mut found);
    found.retain(|(_, stats)| stats.both().games() > 0 && !is_nameless(&stats.name));
    found.sort_by_key(|(id, stats)| (Reverse(stats.both().games()), *id));
    found.truncate(limit);
    Ok(found.into_iter().map(|(_, stats)| stats).collect())
}

pub(crate) fn head_to_head(
    numbers: &impl Numbers,
    viewer: Viewer,
    one: &str,
    other: &str,
) -> Result<HeadToHead, Error> {
    let (Some(one), Some(other)) = (numbers.id(one)?, numbers.id(other)?) else {
        return Ok(HeadToHead::default());
    };
    let seeing = Seeing::new(numbers, viewer)?;
    let standing_of = |us: Color| -> Result<Standing, Error> {
        let (white, black) = if us == Color::White { (one, other) } else { (other, one) };
        let mut standing = Standing::default();
        for (result, games) in numbers.met(seeing.which, white, black)? {
            standing.add(score(result), us, games);
        }
        let own = seeing.own.iter().filter(|game| game.white == white && game.black == black);
        own.for_each(|game| standing.add(score(game.result), us, 1));
        Ok(standing)
    };
    Ok(HeadToHead { white: standing_of(Color::White)?, black: standing_of(Color::Black)? })
}

pub(crate) fn opponents(
    numbers: &impl Numbers,
    viewer: Viewer,
    name: &str,
    limit: usize,
) -> Result<Vec<(String, Standing)>, Error> {
    let Some(id) = numbers.id(name)? else { return Ok(Vec::new()) };
    let seeing = Seeing::new(numbers, viewer)?;
    let most = limit.saturating_add(MOST_NAMELESS);
    let met = of_player(numbers, &seeing, Column::Opponent, id)?.most(most);
    let ids: Vec<i64> = met.iter().map(|(id, _)| *id).collect();
    let names = numbers.results(seeing.which, &ids)?;
    let name = |id| names.iter().find(|(other, _)| *other == id).map(|(_, stats)| &stats.name);
    let named = |(id, standing)| Ok((name(id).ok_or(Error::Damaged)?.clone(), standing));
    let mut met = met.into_iter().map(named).collect::<Result<Vec<_>, Error>>()?;
    met.retain(|(name, _)| !is_nameless(name));
    met.truncate(limit);
    Ok(met)
}

pub(crate) fn streaks(
    numbers: &impl Numbers,
    viewer: Viewer,
    name: &str,
) -> Result<Streaks, Error> {
    let Some(id) = numbers.id(name)? else { return Ok(Streaks::default()) };
    let seeing = Seeing::new(numbers, viewer)?;
    let mut games = numbers.in_order(seeing.which, id)?;
    let own = seeing.own.iter().filter_map(|game| {
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
pub(crate) type Found = Vec<(i64, Tally, Option<Standing>)>;

/// Puts them in order and gives them their labels; `texts` are those of reasons and openings.
pub(crate) fn buckets(facet: Facet, mut found: Found, texts: &HashMap<i64, String>) -> Vec<Bucket> {
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
