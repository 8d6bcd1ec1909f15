//! The best lines of a position, found in pieces: a server's thread is wanted by games, and a worker
//! of the page listens between two of them.

use std::sync::atomic::Ordering;

use hansu_chess::{Game, Position, Variant};
use hansu_engine::{Certainty, Engine, Limits, MATE, NoTime, Signals};
use hansu_protocol::{BestLine, FoundLines};
use hansu_teacher::tell_line;

/// Nodes of a search that does not say how many it wants.
pub const NODES: u64 = 400_000;
/// Lines, likewise.
pub const LINES: u8 = 3;

/// A search for the best lines of a position.
#[derive(Clone, Debug)]
pub struct Lines {
    position: Position,
    variant: Variant,
    /// The keys of the positions before it.
    earlier: Vec<u64>,
    count: usize,
    limit: u64,
    used: u64,
    found: Option<FoundLines>,
    done: bool,
}

impl Lines {
    /// A search for `count` lines of the last position of a game, with `limit` nodes in all.
    pub fn of(game: &Game, count: usize, limit: u64) -> Lines {
        let earlier = game.positions().iter().map(Position::key);
        Lines {
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

    /// What was found by now.
    pub fn found(&self) -> Option<&FoundLines> {
        self.found.as_ref()
    }

    /// Nodes that were searched.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Whether all has been found that will be.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Searches on, for at most `nodes` or until it is told to stop; says how many it took.
    /// `hear` gets what is new and, now and then, nothing: it says whether to go on.
    pub fn work(
        &mut self,
        engine: &mut Engine,
        nodes: u64,
        signals: &Signals,
        hear: &mut dyn FnMut(Option<&FoundLines>) -> bool,
    ) -> u64 {
        if let Some(score) = self.over() {
            self.done = true;
            self.keep(0, 0, vec![tell_line(&self.position, score, &[], self.variant)]);
            hear(self.found.as_ref());
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
                lines.push(tell_line(&position, news.score, &news.moves, self.variant));
                // Each piece begins anew; what was found stays until then.
                let known = self.found.as_ref().map_or(0, |found| found.depth);
                if lines.len() == count && news.depth >= known {
                    self.keep(news.depth, before + news.nodes, lines.clone());
                    new = self.found.as_ref();
                }
            }
            if !hear(new) {
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

    /// What is known without a search: the game is over there.
    fn over(&self) -> Option<i32> {
        if !self.position.has_moves() {
            return Some(if self.position.is_check() { -MATE } else { 0 });
        }
        self.position.is_dead().then_some(0)
    }
}
