//! The review of a finished game: the number of nodes, and how a worker of the page makes it
//! position by position.

use hansu_chess::{Game, Variant};
use hansu_engine::{Engine, Signals, Study};
use hansu_protocol::AnalysisState;
use hansu_teacher::{restore, to_text, to_wire};
use hansu_words::Lang;

use crate::messages::{KeptReview, ReviewProgress};

/// Nodes for each position of a game of usual length …
const NODES: u64 = 40_000;
/// … and for all of them together: a game of 1,000 moves must not take an hour.
const NODES_IN_ALL: u64 = 6_000_000;
const FEWEST_NODES: u64 = 1_000;

/// The number of nodes for each position of a game with this many positions.
///
/// ```
/// assert_eq!(hansu_computer::review_nodes(81), 40_000);
/// assert_eq!(hansu_computer::review_nodes(600), 10_000);
/// assert_eq!(hansu_computer::review_nodes(100_000), 1_000);
/// ```
pub fn review_nodes(positions: usize) -> u64 {
    NODES.min(NODES_IN_ALL / (positions.max(1) as u64)).max(FEWEST_NODES)
}

/// A review in progress.
#[derive(Debug)]
pub(crate) struct Review {
    study: Study,
    variant: Variant,
    nodes: u64,
    lang: Lang,
}

impl Review {
    /// Begins a review, or resumes a stored one.
    pub(crate) fn of(game: &Game, kept: Option<&KeptReview>, lang: Lang) -> Review {
        let first = game.positions().first().copied().unwrap_or_default();
        let mut study = Study::new(&first, game.moves());
        let nodes = kept.map_or_else(|| review_nodes(study.total()), |kept| kept.nodes);
        if let Some(kept) = kept {
            restore(&mut study, &kept.text);
        }
        Review { study, variant: game.variant(), nodes, lang }
    }

    /// Searches one more position.
    pub(crate) fn step(&mut self, engine: &mut Engine) {
        self.study.step(engine, self.nodes, &Signals::default());
    }

    /// The state of the review, and what the page has to store.
    pub(crate) fn progress(&self) -> ReviewProgress {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (done, total) = (number(self.study.done()), number(self.study.total()));
        let state = match to_wire(&self.study, self.variant, self.nodes, self.lang) {
            Some(analysis) => AnalysisState::Finished { analysis },
            None => AnalysisState::Running { done, total },
        };
        let text = to_text(&self.study, self.variant);
        ReviewProgress { state, kept: KeptReview { nodes: self.nodes, done, total, text } }
    }
}
