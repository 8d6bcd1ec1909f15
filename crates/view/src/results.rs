//! Wins, draws and losses as messages.

use hansu_annals::{Bucket, PlayerStats, Run, Standing, Streaks, Tally};
use hansu_protocol as wire;

/// Results by colour.
pub const fn tally(tally: Tally) -> wire::Tally {
    let Tally { white, draws, black, open } = tally;
    wire::Tally { white, draws, black, open }
}

/// Results as one player sees them.
pub const fn standing(standing: Standing) -> wire::Standing {
    let Standing { wins, draws, losses, open } = standing;
    wire::Standing { wins, draws, losses, open }
}

/// Groups of results.
pub fn buckets(buckets: Vec<Bucket>) -> Vec<wire::Bucket> {
    let bucket = |bucket: Bucket| wire::Bucket {
        label: bucket.label,
        tally: tally(bucket.tally),
        standing: bucket.standing.map(standing),
    };
    buckets.into_iter().map(bucket).collect()
}

/// The opponents of a player.
pub fn rivals(rivals: Vec<(String, Standing)>) -> Vec<wire::Rival> {
    let rival = |(name, games)| wire::Rival { name, standing: standing(games) };
    rivals.into_iter().map(rival).collect()
}

/// A player's results.
pub fn player(stats: PlayerStats) -> wire::PlayerRow {
    let both = stats.both();
    wire::PlayerRow {
        name: stats.name,
        games: both.games(),
        both: standing(both),
        white: standing(stats.white),
        black: standing(stats.black),
    }
}

/// Winning, unbeaten and losing streaks.
pub const fn streaks(streaks: Streaks) -> wire::Streaks {
    const fn run(run: Run) -> wire::Run {
        wire::Run { games: run.games, until: run.until }
    }
    wire::Streaks {
        wins: run(streaks.wins),
        unbeaten: run(streaks.unbeaten),
        losses: run(streaks.losses),
        current: streaks.current,
    }
}
