//! Analyses of games: what a computer found, kept beside the games. They are no part of what
//! happened and can be made again.

use crate::dates::Millis;
use crate::store::within;
use crate::{Error, GameId, Part};

/// The longest text of an analysis, in bytes: twice what the longest game needs.
pub const LONGEST_ANALYSIS: usize = 2 * 1024 * 1024;

/// An analysis, whole or as far as it has come.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct KeptAnalysis {
    /// Nodes searched in each position.
    pub nodes: u64,
    /// Positions that are done.
    pub done: u64,
    /// Positions there are.
    pub total: u64,
    /// When it was written.
    pub at: Millis,
    /// What was found, as text that only its writer reads.
    pub body: String,
}

impl KeptAnalysis {
    /// Whether nothing is left to do.
    pub const fn is_complete(&self) -> bool {
        self.done >= self.total
    }

    /// Whether everything has a size the log takes.
    pub(crate) fn limits(&self) -> Result<(), Error> {
        within(self.body.len() <= LONGEST_ANALYSIS, Part::Analysis)
    }

    /// The numbers as a database keeps them.
    pub(crate) fn numbers(&self) -> [i64; 3] {
        [self.nodes, self.done, self.total].map(|number| i64::try_from(number).unwrap_or(i64::MAX))
    }

    pub(crate) fn from_row(numbers: [i64; 3], at: Millis, body: String) -> KeptAnalysis {
        let [nodes, done, total] = numbers.map(|number| number.max(0).cast_unsigned());
        KeptAnalysis { nodes, done, total, at, body }
    }
}

/// Analyses, at most one a game.
pub trait Analyses: Send + Sync {
    /// Keeps the analysis of a game instead of the one before; it is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], [`Error::TooLong`], or what the disk says.
    fn keep_analysis(&self, game: GameId, analysis: KeptAnalysis) -> Result<(), Error>;

    /// The analysis of a game, whole or as far as it has come.
    ///
    /// # Errors
    ///
    /// What the disk says.
    fn analysis(&self, game: GameId) -> Result<Option<KeptAnalysis>, Error>;
}
