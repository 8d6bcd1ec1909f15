//! Computer analyses of games, stored beside the games. They are not events and can be computed
//! again.

use crate::dates::LogTime;
use crate::store::within;
use crate::{Error, GameId, Part};

/// The longest text of an analysis, in bytes: twice the need of the longest game.
pub const LONGEST_ANALYSIS: usize = 2 * 1024 * 1024;

/// A complete or partial analysis.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct KeptAnalysis {
    /// Nodes searched in each position.
    pub nodes: u64,
    /// Positions that have been analysed.
    pub done: u64,
    /// Positions of the game.
    pub total: u64,
    /// When it was written.
    pub at: LogTime,
    /// The results, as text in a form that only their writer knows.
    pub body: String,
}

impl KeptAnalysis {
    /// True if every position has been analysed.
    pub const fn is_complete(&self) -> bool {
        self.done >= self.total
    }

    /// Checks the sizes against the limits of the log.
    pub(crate) fn limits(&self) -> Result<(), Error> {
        within(self.body.len() <= LONGEST_ANALYSIS, Part::Analysis)
    }

    /// The numbers as a database stores them.
    pub(crate) fn numbers(&self) -> [i64; 3] {
        [self.nodes, self.done, self.total].map(|number| i64::try_from(number).unwrap_or(i64::MAX))
    }

    pub(crate) fn from_row(numbers: [i64; 3], at: LogTime, body: String) -> KeptAnalysis {
        let [nodes, done, total] = numbers.map(|number| number.max(0).cast_unsigned());
        KeptAnalysis { nodes, done, total, at, body }
    }
}

/// Analyses, at most one for each game.
pub trait Analyses: Send + Sync {
    /// Replaces the analysis of a game; it is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchGame`], [`Error::TooLong`], or a storage error.
    fn keep_analysis(&self, game: GameId, analysis: KeptAnalysis) -> Result<(), Error>;

    /// The complete or partial analysis of a game.
    ///
    /// # Errors
    ///
    /// A storage error.
    fn analysis(&self, game: GameId) -> Result<Option<KeptAnalysis>, Error>;
}
