//! The results of one key's holder, whatever names the games were played under.

use crate::counting::{GameSet, MOST_NAMELESS, PlayerResults, StatsSource, buckets, score};
use crate::names::is_nameless;
use crate::stats::{Bucket, Facet, Own, PlayerStats, Streaks};
use crate::{Error, Holder};

/// At most this many games are read, the newest ones, to bound the cost of a request.
pub(crate) const MOST: i64 = 20_000;

pub(crate) fn own(
    numbers: &impl StatsSource,
    holder: &Holder,
    opponents: usize,
) -> Result<Own, Error> {
    let mut games = numbers.games_of_holder(holder)?;
    games.sort_unstable_by_key(|(game, _)| (game.at, game.n));
    let mut player = PlayerStats::default();
    let mut met = PlayerResults::default();
    for (game, us) in &games {
        player.add(score(game.result), *us);
        met.add(game.other(*us), *us, game.result, 1);
    }
    // Some of the most frequent opponents have no name of their own.
    let met = met.most(opponents.saturating_add(MOST_NAMELESS));
    let last = games.last().map(|(game, us)| game.other(!*us));
    let ids: Vec<i64> = met.iter().map(|(id, _)| *id).chain(last).collect();
    let names = numbers.results(GameSet::Public, &ids)?;
    let name = |id| {
        let found = names.iter().find(|(other, _)| *other == id);
        found.map(|(_, stats)| stats.name.clone()).ok_or(Error::Damaged)
    };
    player.name = last.map(name).transpose()?.unwrap_or_default();
    let mut rivals = Vec::new();
    for (id, standing) in met {
        let name = name(id)?;
        if rivals.len() < opponents && !is_nameless(&name) {
            rivals.push((name, standing));
        }
    }
    let by = |facet| -> Result<Vec<Bucket>, Error> {
        let mut seen = PlayerResults::default();
        for (game, us) in &games {
            seen.add_games(facet, game.value(facet), *us, game.result, 1);
        }
        let found = seen.into_results();
        let values: Vec<i64> = found.iter().map(|(value, ..)| *value).collect();
        Ok(buckets(facet, found, &numbers.labels(facet, &values)?))
    };
    let endings = games.iter().filter_map(|(game, us)| {
        let ending = score(game.result).ending(*us)?;
        Some((ending, game.at))
    });
    Ok(Own {
        streaks: Streaks::of(endings),
        opponents: rivals,
        reasons: by(Facet::Reason)?,
        months: by(Facet::Month)?,
        openings: by(Facet::Opening)?,
        sources: by(Facet::Source)?,
        player,
    })
}
