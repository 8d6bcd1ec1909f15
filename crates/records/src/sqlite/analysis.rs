//! Analyses in the file.

use rusqlite::{Connection, OptionalExtension};

use super::SqliteStore;
use super::apply::{Edit, Work};
use crate::analysis::{Analyses, KeptAnalysis};
use crate::{Error, GameId};

impl Analyses for SqliteStore {
    fn keep_analysis(&self, game: GameId, analysis: KeptAnalysis) -> Result<(), Error> {
        analysis.limits()?;
        self.edit(game, Edit::Analysis(Box::new(analysis)))
    }

    fn analysis(&self, game: GameId) -> Result<Option<KeptAnalysis>, Error> {
        self.readers.read(|connection| {
            let n: Option<i64> = connection
                .prepare_cached("SELECT n FROM games WHERE id = ?1")?
                .query_row([game.as_str()], |row| row.get(0))
                .optional()?;
            n.map_or(Ok(None), |n| Ok(of_row(connection, n)?))
        })
    }
}

/// The analysis of the game with this row number.
pub(super) fn of_row(connection: &Connection, n: i64) -> rusqlite::Result<Option<KeptAnalysis>> {
    connection
        .prepare_cached("SELECT nodes, done, total, at, body FROM analyses WHERE game = ?1")?
        .query_row([n], |row| {
            let numbers = [row.get(0)?, row.get(1)?, row.get(2)?];
            Ok(KeptAnalysis::from_row(numbers, row.get(3)?, row.get(4)?))
        })
        .optional()
}

impl Work<'_> {
    /// Writes the analysis of the game with this row number.
    pub(super) fn keep_analysis(&self, n: i64, analysis: &KeptAnalysis) -> rusqlite::Result<()> {
        let [nodes, done, total] = analysis.numbers();
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO analyses (game, nodes, done, total, at, body)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute((n, nodes, done, total, analysis.at, &analysis.body))?;
        Ok(())
    }
}
