//! Writes the changed counters of a transaction.

use rusqlite::Connection;

use crate::tallies::Tallies;

const PLAYER: &str = "UPDATE names SET games = games + ?2,
      white_wins = white_wins + ?3, white_draws = white_draws + ?4,
      white_losses = white_losses + ?5, white_open = white_open + ?6,
      black_wins = black_wins + ?7, black_draws = black_draws + ?8,
      black_losses = black_losses + ?9, black_open = black_open + ?10
    WHERE id = ?1";
const SHOWN: &str = "INSERT INTO shown VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    ON CONFLICT DO UPDATE SET games = games + ?2,
      white_wins = white_wins + ?3, white_draws = white_draws + ?4,
      white_losses = white_losses + ?5, white_open = white_open + ?6,
      black_wins = black_wins + ?7, black_draws = black_draws + ?8,
      black_losses = black_losses + ?9, black_open = black_open + ?10";

/// Writes all changes.
pub(crate) fn write(tallies: &Tallies, connection: &Connection) -> rusqlite::Result<()> {
    for (sql, players) in [(PLAYER, tallies.players()), (SHOWN, tallies.public_players())] {
        let mut player = connection.prepare_cached(sql)?;
        for (id, c) in players {
            let games: i64 = c.iter().sum();
            player.execute((id, games, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]))?;
        }
    }
    let mut count = connection.prepare_cached(
        "INSERT INTO counts VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT DO UPDATE SET white = white + excluded.white,
           draws = draws + excluded.draws, black = black + excluded.black,
           open = open + excluded.open",
    )?;
    for ((kind, value), c) in tallies.counts() {
        count.execute((kind, value, c[0], c[1], c[2], c[3]))?;
    }
    Ok(())
}
