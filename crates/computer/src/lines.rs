//! The best lines of a position, searched in pieces: between two pieces a thread of the server can
//! serve a game, and a worker of the page can receive messages.

use std::sync::atomic::Ordering;

use hansu_chess::{Game, Position, Variant};
use hansu_engine::{Certainty, Engine, Limits, MATE, NoTime, Signals};
use hansu_protocol::{BestLine, FoundLines};
use hansu_teacher::best_line;

/// Default limit of nodes.
pub const NODES: u64 = 400_000;
/// Default number of lines.
pub const LINES: u8 = 3;

/// A search for the best lines of a position.
#[derive(Clone, Debug)]
pub struct LineSearch {
    position: Position,
    variant: Variant,
    /// The keys of the positions before it in the game.
    earlier: Vec<u64>,
    count: usize,
    /// Nodes for all pieces together.
    limit: u64,
    /// Nodes searched so far.
    used: u64,
    found: Option<FoundLines>,
    done: bool,
}

impl LineSearch {
    /// A search for `count` lines of the last position of a game, with `limit` nodes in all.
    pub fn of(game: &Game, count: usize, limit: u64) -> LineSearch {
        let earlier = game.positions().iter().map(Position::key);
        LineSearch {
            position: *game.position(),
            variant: game.variant(),
            earlier: earlier.take(game.moves().len()).collect(),
            count,
            limit,
            used: 0,
            found: None,
            done: false,
        }
    }

    /// The lines found so far; `None` before the first depth.
    pub fn found(&self) -> Option<&FoundLines> {
        self.found.as_ref()
    }

    /// Nodes searched so far.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// True if the search is complete.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Searches on, for at most `nodes` nodes or until stopped; returns the number of nodes.
    /// `report` is called with new lines, and with `None` now and then; it returns false to stop.
    pub fn work(
        &mut self,
        engine: &mut Engine,
        nodes: u64,
        signals: &Signals,
        report: &mut dyn FnMut(Option<&FoundLines>) -> bool,
    ) -> u64 {
        if let Some(score) = self.final_score() {
            self.done = true;
            self.keep(0, 0, vec![best_line(&self.position, score, &[], self.variant)]);
            report(self.found.as_ref());
            return 0;
        }
        let nodes = self.limit.saturating_sub(self.used).min(nodes).max(1);
        let limits = Limits { nodes: Some(nodes), lines: self.count, ..Limits::default() };
        let count = self.count.min(self.position.legal_moves().len());
        let mut lines = Vec::with_capacity(count);
        let (before, position, earlier) = (self.used, self.position, self.earlier.clone());
        let answer = engine.search(&position, &earlier, &limits, signals, &NoTime, &mut |news| {
            let mut new = None;
            if news.certainty == Certainty::Exact {
                if news.line == 1 {
                    lines.clear();
                }
                lines.push(best_line(&position, news.score, &news.moves, self.variant));
                // Each piece begins again at depth 1: lines of a smaller depth are not reported.
                let known = self.found.as_ref().map_or(0, |found| found.depth);
                if lines.len() == count && news.depth >= known {
                    self.keep(news.depth, before + news.nodes, lines.clone());
                    new = self.found.as_ref();
                }
            }
            if !report(new) {
                signals.stop.store(true, Ordering::Relaxed);
            }
        });
        self.used += answer.nodes;
        let stopped = signals.stop.load(Ordering::Relaxed);
        self.done = self.used >= self.limit || (!stopped && answer.nodes < nodes);
        if let Some(found) = &mut self.found {
            found.nodes = self.used;
        }
        answer.nodes
    }

    fn keep(&mut self, depth: u32, nodes: u64, lines: Vec<BestLine>) {
        self.found = Some(FoundLines { depth, nodes, limit: self.limit, lines });
    }

    /// The score of a position where the game is over; `None` elsewhere.
    fn final_score(&self) -> Option<i32> {
        if !self.position.has_moves() {
            return Some(if self.position.is_check() { -MATE } else { 0 });
        }
        self.position.is_dead().then_some(0)
    }
}
