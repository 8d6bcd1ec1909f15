//! The static evaluation: the net, or the handwritten evaluation.

use std::sync::{Arc, OnceLock};

use hansu_chess::Position;

use crate::net::{Accumulators, Net};
use crate::score::{ESTIMATE_LIMIT, MAX_PLY};
use crate::{endgame, hand};

/// A static evaluation.
#[derive(Clone, Debug, Default)]
pub enum Evaluator {
    /// The handwritten evaluation: material, squares, mobility, pawns, kings.
    #[default]
    Hand,
    /// A neural network.
    Net(Arc<Net>),
}

/// The file of the net that comes with the engine.
static OWN: &[u8] = include_bytes!("../net/hansu.net");

impl Evaluator {
    /// The net that comes with the engine, or the handwritten evaluation if there is none.
    pub fn best() -> Evaluator {
        static NET: OnceLock<Option<Arc<Net>>> = OnceLock::new();
        match NET.get_or_init(|| Net::from_bytes(OWN).ok().map(Arc::new)) {
            Some(net) => Evaluator::Net(net.clone()),
            None => Evaluator::Hand,
        }
    }

    /// The static estimate of a position for the side to move, in hundredths of a pawn.
    ///
    /// ```
    /// use hansu_chess::Position;
    /// use hansu_engine::Evaluator;
    /// assert!(Evaluator::Hand.evaluate(&Position::start()).abs() < 50);
    /// ```
    pub fn evaluate(&self, position: &Position) -> i32 {
        let mut estimates = Estimates::new(self);
        estimates.enter(0, position);
        estimates.evaluate(0, position)
    }
}

/// The static evaluation of one thread, with the accumulators of the net along its line.
pub(crate) enum Estimates {
    Hand,
    Net(Arc<Net>, Box<Accumulators>),
}

impl Estimates {
    pub(crate) fn new(evaluator: &Evaluator) -> Estimates {
        match evaluator {
            Evaluator::Hand => Estimates::Hand,
            Evaluator::Net(net) => {
                Estimates::Net(net.clone(), Box::new(Accumulators::new(net, MAX_PLY + 2)))
            }
        }
    }

    #[inline(always)]
    pub(crate) fn enter(&mut self, ply: usize, position: &Position) {
        if let Estimates::Net(_, accumulators) = self {
            accumulators.enter(ply, position);
        }
    }

    pub(crate) fn evaluate(&mut self, ply: usize, position: &Position) -> i32 {
        let score = match (endgame::estimate(position), self) {
            (Some(score), _) => score,
            (None, Estimates::Hand) => hand::evaluate(position),
            (None, Estimates::Net(..)) if endgame::is_bare_king_ending(position) => {
                hand::evaluate(position)
            }
            (None, Estimates::Net(net, accumulators)) => accumulators.evaluate(net, ply, position),
        };
        // The more moves without a capture or pawn move, the less an advantage is worth.
        let score = score * (220 - i32::from(position.halfmoves()).min(100)) / 220;
        score.clamp(-ESTIMATE_LIMIT, ESTIMATE_LIMIT)
    }
}
