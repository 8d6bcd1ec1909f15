//! How rows of results become statistics, whatever database they were read from.

use std::cmp::Reverse;
use std::collections::HashMap;

use hansu_chess::Color;

use crate::ledger::{UNKNOWN, kind};
use crate::stats::{Bucket, Ending, Facet, Standing, Tally};
use crate::{Error, Score, Source, dates};

impl Tally {
    /// So many games more with a result, given by its number.
    pub(crate) fn add(&mut self, score: i64, games: u64) {
        match Score::from_number(score) {
            Some(Score::White) => self.white += games,
            Some(Score::Draw) => self.draws += games,
            Some(Score::Black) => self.black += games,
            Some(Score::Open) | None => self.open += games,
        }
    }
}

impl Facet {
    /// Under what it is counted.
    pub(crate) const fn kind(self) -> i64 {
        match self {
            Facet::Reason => kind::REASON,
            Facet::Month => kind::MONTH,
            Facet::Opening => kind::OPENING,
            Facet::Source => kind::SOURCE,
        }
    }

    /// The column of a game that it is read from.
    pub(crate) const fn column(self) -> &'static str {
        match self {
            Facet::Reason => "reason",
            Facet::Month => "at",
            Facet::Opening => "opening",
            Facet::Source => "source",
        }
    }
}

/// How a decided game ended for whoever had a colour.
pub(crate) fn ending(result: i64, us: Color) -> Ending {
    match (Score::from_number(result), us) {
        (Some(Score::White), Color::White) | (Some(Score::Black), Color::Black) => Ending::Win,
        (Some(Score::Draw), _) => Ending::Draw,
        _ => Ending::Loss,
    }
}

/// Results as one player sees them, by anything that has a number: an opponent, a month.
#[derive(Default)]
pub(crate) struct Seen(HashMap<i64, (Tally, Standing)>);

impl Seen {
    /// So many games with a colour and a result.
    pub(crate) fn add(&mut self, value: i64, us: Color, score: i64, games: u64) {
        let mut tally = Tally::default();
        tally.add(score, games);
        let standing = match us {
            Color::White => Standing::of_white(tally),
            Color::Black => Standing::of_black(tally),
        };
        let (sum, seen) = self.0.entry(value).or_default();
        sum.add(score, games);
        *seen = seen.plus(standing);
    }

    /// Games of which a column has this value; a month is read from a time.
    pub(crate) fn add_games(
        &mut self,
        facet: Facet,
        column: i64,
        us: Color,
        score: i64,
        games: u64,
    ) {
        match facet {
            Facet::Month if column == UNKNOWN => {}
            Facet::Month => self.add(dates::month(column), us, score, games),
            Facet::Reason | Facet::Opening | Facet::Source => self.add(column, us, score, games),
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

/// Results by value.
pub(crate) type Found = Vec<(i64, Tally, Option<Standing>)>;

/// Puts them in order and gives them their labels; `text` knows those of reasons and openings.
pub(crate) fn buckets(
    facet: Facet,
    mut found: Found,
    mut text: impl FnMut(i64) -> Result<Option<String>, Error>,
) -> Result<Vec<Bucket>, Error> {
    found.retain(|(_, tally, _)| tally.games() > 0);
    found.sort_by_key(|&(value, tally, _)| match facet {
        Facet::Month => (0, value),
        Facet::Reason | Facet::Opening | Facet::Source => {
            (i64::MAX.cast_unsigned() - tally.games(), value)
        }
    });
    let mut label = |value| -> Result<String, Error> {
        let label = match facet {
            Facet::Month => Some(dates::month_name(value)),
            Facet::Source => Source::from_number(value).map(|source| source.word().to_owned()),
            Facet::Reason | Facet::Opening => text(value)?,
        };
        Ok(label.unwrap_or_else(|| "-".to_owned()))
    };
    found
        .into_iter()
        .map(|(value, tally, standing)| Ok(Bucket { label: label(value)?, tally, standing }))
        .collect()
}
