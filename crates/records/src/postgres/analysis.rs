//! Analyses in the database.

use std::collections::HashMap;

use super::PostgresStore;
use super::session::Session;
use super::text::{decode_text, encode_text};
use crate::analysis::{Analyses, KeptAnalysis};
use crate::{Error, GameId};

/// If the game was deleted meanwhile, no row matches and nothing is written.
const KEEP: &str = "INSERT INTO analyses (game, nodes, done, total, at, body)
    SELECT n, $2, $3, $4, $5, $6 FROM games WHERE n = $1 FOR KEY SHARE
    ON CONFLICT (game) DO UPDATE SET nodes = excluded.nodes, done = excluded.done,
      total = excluded.total, at = excluded.at, body = excluded.body
    RETURNING game";

impl Analyses for PostgresStore {
    fn keep_analysis(&self, game: GameId, analysis: KeptAnalysis) -> Result<(), Error> {
        analysis.limits()?;
        self.change(|session| {
            let row = session.first("SELECT n FROM games WHERE id = $1", &[&game.as_str()])?;
            write(session, row.ok_or(Error::NoSuchGame)?.try_get(0)?, &analysis)
        })
    }

    fn analysis(&self, game: GameId) -> Result<Option<KeptAnalysis>, Error> {
        self.read(|session| {
            let row = session.first(
                "SELECT a.nodes, a.done, a.total, a.at, a.body, a.game
                 FROM games g JOIN analyses a ON a.game = g.n WHERE g.id = $1",
                &[&game.as_str()],
            )?;
            row.as_ref().map(from_row).transpose()
        })
    }
}

fn from_row(row: &tokio_postgres::Row) -> Result<KeptAnalysis, Error> {
    let numbers = [row.try_get(0)?, row.try_get(1)?, row.try_get(2)?];
    Ok(KeptAnalysis::from_row(numbers, row.try_get(3)?, decode_text(row.try_get(4)?)))
}

/// Writes the analysis of the game with this row number.
pub(super) fn write(session: &Session, n: i64, analysis: &KeptAnalysis) -> Result<(), Error> {
    let [nodes, done, total] = analysis.numbers();
    let body = encode_text(&analysis.body);
    let kept = session.query(KEEP, &[&n, &nodes, &done, &total, &analysis.at, &body])?;
    if kept.is_empty() { Err(Error::NoSuchGame) } else { Ok(()) }
}

/// The analyses of several games, by row number.
pub(super) fn of_rows(
    session: &Session,
    games: &[i64],
) -> Result<HashMap<i64, KeptAnalysis>, Error> {
    let rows = session.query(
        "SELECT nodes, done, total, at, body, game FROM analyses WHERE game = ANY($1::bigint[])",
        &[&games],
    )?;
    rows.iter().map(|row| Ok((row.try_get(5)?, from_row(row)?))).collect()
}
