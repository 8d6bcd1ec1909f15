//! A game that is over, looked at again position by position: how thoroughly, and how a worker of
//! the page does it.

use hansu_chess::{Game, Variant};
use hansu_engine::{Engine, Signals, Study};
use hansu_protocol::AnalysisState;
use hansu_teacher::{restore, tell, to_text};
use hansu_words::Lang;

use crate::shapes::{KeptReview, Reviewed};

/// Nodes a position in a game of usual length …
const NODES: u64 = 40_000;
/// … and in all: a game of a thousand moves must not take an hour.
const NODES_IN_ALL: u64 = 6_000_000;
const FEWEST_NODES: u64 = 1_000;

/// How many nodes each position of a game gets.
///
/// ```
/// assert_eq!(hansu_computer::review_nodes(81), 40_000);
/// assert_eq!(hansu_computer::review_nodes(600), 10_000);
/// assert_eq!(hansu_computer::review_nodes(100_000), 1_000);
/// ```
pub fn review_nodes(positions: usize) -> u64 {
    NODES.min(NODES_IN_ALL / (positions.max(1) as u64)).max(FEWEST_NODES)
}

/// A review under way.
#[derive(Debug)]
pub(crate) struct Review {
    study: Study,
    variant: Variant,
    nodes: u64,
    lang: Lang,
}

impl Review {
    /// Begins one, or goes on with what was kept.
    pub(crate) fn of(game: &Game, kept: Option<&KeptReview>, lang: Lang) -> Review {
        let first = game.positions().first().copied().unwrap_or_default();
        let mut study = Study::new(&first, game.moves());
        let nodes = kept.map_or_else(|| review_nodes(study.total()), |kept| kept.nodes);
        if let Some(kept) = kept {
            restore(&mut study, &kept.text);
        }
        Review { study, variant: game.variant(), nodes, lang }
    }

    /// Looks at one position more.
    pub(crate) fn step(&mut self, engine: &mut Engine) {
        self.study.step(engine, self.nodes, &Signals::default());
    }

    /// How far it is, and what there is to keep.
    pub(crate) fn told(&self) -> Reviewed {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (done, total) = (number(self.study.done()), number(self.study.total()));
        let state = match tell(&self.study, self.variant, self.nodes, self.lang) {
            Some(analysis) => AnalysisState::Finished { analysis },
            None => AnalysisState::Running { done, total },
        };
        let text = to_text(&self.study, self.variant);
        Reviewed { state, kept: KeptReview { nodes: self.nodes, done, total, text } }
    }
}
