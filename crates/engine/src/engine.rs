//! The engine: a transposition table, the memories of its threads, and their common searches.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use hansu_chess::{Move, Position};

use crate::evaluator::Evaluator;
use crate::limits::{Limits, Signals, TimeSource};
use crate::score::{INFINITE, MATE, MAX_PLY, Verdict};
use crate::search::{Window, reductions};
use crate::table::TranspositionTable;
use crate::worker::{Memory, RootMove, Shared, Worker};

/// Settings of an engine.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Size of the transposition table in MiB, at least 1.
    pub megabytes: usize,
    /// Number of search threads, at least 1.
    pub threads: usize,
    /// The static evaluation.
    pub evaluator: Evaluator,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { megabytes: 16, threads: 1, evaluator: Evaluator::best() }
    }
}

/// How a reported score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// The true score is equal.
    Exact,
    /// The true score is this or more.
    AtLeast,
    /// The true score is this or less.
    AtMost,
}

/// A report of a running search: one line at one depth.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The depth, in plies, to which all moves were searched.
    pub depth: u32,
    /// The deepest ply that was reached.
    pub deepest: u32,
    /// The number of this line (MultiPV), from 1.
    pub line: usize,
    /// The score for the side to move.
    pub score: i32,
    /// How the score relates to the true one.
    pub certainty: Certainty,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Thousandths of the transposition table that this search has filled.
    pub fullness: usize,
    /// The moves of the line.
    pub moves: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best move; `None` when there is no legal one.
    pub best: Option<Move>,
    /// The expected reply to it, where the line is long enough.
    pub reply: Option<Move>,
    /// The score for the side to move.
    pub score: i32,
    /// The last depth that was completed, in plies.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// An engine. Several may run side by side: they share no mutable state.
///
/// ```
/// use hansu_chess::{Position, Square};
/// use hansu_engine::{Engine, Limits, NoTime, Settings, Signals};
/// let mut engine = Engine::new(Settings::default());
/// let limits = Limits { nodes: Some(2_000), ..Limits::default() };
/// let mate: Position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".parse()?;
/// let answer = engine.search(&mate, &[], &limits, &Signals::default(), &NoTime, &mut |_| ());
/// assert_eq!(answer.best.map(|step| step.to()), Some(Square::A8));
/// # Ok::<(), hansu_chess::FenError>(())
/// ```
pub struct Engine {
    table: TranspositionTable,
    memories: Vec<Memory>,
    settings: Settings,
    reductions: Box<[[i32; 64]; 64]>,
    /// The longest recent time without the processor; decays with each search.
    stall: Duration,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Stack size of a search thread in bytes: enough for the deepest line.
pub(crate) const STACK: usize = 16 << 20;

impl Engine {
    /// An engine with empty tables.
    pub fn new(settings: Settings) -> Engine {
        let threads = settings.threads.max(1);
        Engine {
            table: TranspositionTable::new(settings.megabytes),
            memories: (0..threads).map(|_| Memory::new(&settings.evaluator)).collect(),
            settings,
            reductions: Box::new(reductions()),
            stall: Duration::ZERO,
        }
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Empties the transposition table and the histories, for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        for memory in &mut self.memories {
            memory.history.clear();
        }
    }

    /// Searches a position until a limit is reached. `earlier` are the keys of the positions before
    /// this one in the game, for repetitions; `report` is called for each line of each depth.
    pub fn search(
        &mut self,
        position: &Position,
        earlier: &[u64],
        limits: &Limits,
        signals: &Signals,
        time: &dyn TimeSource,
        report: &mut dyn FnMut(&Progress),
    ) -> SearchResult {
        let mut moves: Vec<Move> = position.legal_moves();
        if !limits.only.is_empty() {
            let wanted: Vec<Move> =
                moves.iter().copied().filter(|step| limits.only.contains(step)).collect();
            if !wanted.is_empty() {
                moves = wanted;
            }
        }
        if moves.is_empty() {
            let score = if position.is_check() { -MATE } else { 0 };
            return SearchResult { best: None, reply: None, score, depth: 0, nodes: 0 };
        }
        self.table.advance_age();
        let shared = Shared {
            table: &self.table,
            signals,
            limits,
            allowance: limits.allowance(self.stall),
            time,
            began: time.now(),
            nodes: AtomicU64::new(0),
            halted: AtomicBool::new(false),
            reductions: &self.reductions,
        };
        let roots: Vec<RootMove> = moves.into_iter().map(RootMove::new).collect();
        let mut keys = earlier.to_vec();
        keys.push(position.key());
        keys.reserve(MAX_PLY + 2);
        let Some((first, helpers)) = self.memories.split_first_mut() else {
            return SearchResult { best: None, reply: None, score: 0, depth: 0, nodes: 0 };
        };
        let mut main = Worker::new(&shared, first, true, roots.clone(), keys.clone());
        let depth = if helpers.is_empty() {
            main.deepen(position, 0, report)
        } else {
            std::thread::scope(|scope| {
                for (id, memory) in helpers.iter_mut().enumerate() {
                    let (shared, roots, keys) = (&shared, roots.clone(), keys.clone());
                    let help = move || {
                        let mut worker = Worker::new(shared, memory, false, roots, keys);
                        worker.deepen(position, id + 1, &mut |_| ());
                    };
                    // If a helper cannot be started, the search runs without it.
                    let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help);
                }
                let depth = main.deepen(position, 0, report);
                shared.halted.store(true, Relaxed);
                depth
            })
        };
        main.publish_nodes();
        self.stall = main.longest_gap.max(self.stall * 15 / 16);
        let nodes = shared.nodes.load(Relaxed);
        let best = &main.root_moves[0];
        let line = decode_line(position, &best.line);
        let score = if best.score == -INFINITE { 0 } else { best.score };
        SearchResult { best: Some(best.step), reply: line.get(1).copied(), score, depth, nodes }
    }
}

/// Decodes a line of moves ([`Move::to_bits`]) up to the first that is not legal.
fn decode_line(position: &Position, bits: &[u16]) -> Vec<Move> {
    let mut moves = Vec::with_capacity(bits.len());
    let mut position = *position;
    for &bits in bits {
        let Some(step) = position.move_from_bits(bits) else {
            break;
        };
        moves.push(step);
        position = position.play(step);
    }
    moves
}

/// How stable the best move and its score have been over the depths so far.
struct Confidence {
    best: Option<Move>,
    /// Completed depths since the best move changed.
    unchanged: usize,
    /// Moving average of the scores, in hundredths of a pawn.
    average: f64,
}

impl Confidence {
    /// The factor by which the soft time limit is multiplied.
    fn scale(&mut self, root: &RootMove, nodes: u64, depth: u32) -> f64 {
        if self.best == Some(root.step) {
            self.unchanged += 1;
        } else {
            (self.best, self.unchanged) = (Some(root.step), 0);
        }
        let score = f64::from(root.score);
        let drop = if depth <= 1 { 0.0 } else { self.average - score };
        self.average = if depth <= 1 { score } else { self.average * 0.7 + score * 0.3 };
        let stable = [1.55, 1.25, 1.05, 0.95, 0.88, 0.82, 0.78][self.unchanged.min(6)];
        let share = root.nodes as f64 / nodes.max(1) as f64;
        let effort = if depth < 6 { 1.0 } else { (1.75 - share) * 1.15 };
        stable * effort * (1.0 + drop / 180.0).clamp(0.75, 1.6)
    }
}

impl Worker<'_> {
    /// Iterative deepening; returns the last depth that was completed. `helper` is 0 for the first
    /// thread.
    fn deepen(
        &mut self,
        position: &Position,
        helper: usize,
        report: &mut dyn FnMut(&Progress),
    ) -> u32 {
        let most = self.shared.limits.depth.map_or(MAX_PLY as u32 - 8, |depth| depth.max(1));
        let most = most.min(MAX_PLY as u32 - 8);
        let lines = self.shared.limits.lines.clamp(1, self.root_moves.len());
        let mut confidence = Confidence { best: None, unchanged: 0, average: 0.0 };
        let mut finished = 0;
        self.memory.estimates.enter(0, position);
        self.frame_mut(0).in_check = position.is_check();
        self.root = (position.turn(), position.key());
        for depth in 1..=most {
            // Helpers skip some depths, so that not all threads search the same.
            if helper > 0 && (depth as usize + helper).is_multiple_of(2 + helper % 3) && depth > 4 {
                continue;
            }
            self.root_depth = depth as i32;
            for root in &mut self.root_moves {
                root.previous = root.score;
            }
            for index in 0..lines {
                self.line_index = index;
                self.deepest = 0;
                self.aspire(position, depth as i32, report);
                if self.stopped {
                    break;
                }
                self.root_moves[..=index].sort_by_key(|root| -root.score);
            }
            if self.stopped {
                break;
            }
            // Only after all lines: a later one may have turned out better than an earlier one.
            for index in 0..lines {
                self.report(position, depth, Certainty::Exact, index, report);
            }
            finished = depth;
            if helper == 0 && self.is_enough(&mut confidence, depth) {
                break;
            }
        }
        self.root_moves.sort_by_key(|root| -root.score);
        finished
    }

    /// Searches with an aspiration window around the last score, and widens it when the score falls
    /// outside.
    fn aspire(&mut self, position: &Position, depth: i32, report: &mut dyn FnMut(&Progress)) {
        let index = self.line_index;
        let previous = self.root_moves[index].previous;
        let mut delta = 13 + previous.abs().min(3000) / 90;
        let mut window = Window { alpha: -INFINITE, beta: INFINITE };
        if depth >= 4 && previous != -INFINITE {
            window.alpha = (previous - delta).max(-INFINITE);
            window.beta = (previous + delta).min(INFINITE);
        }
        let mut less = 0;
        loop {
            let score = self.search::<true>(position, window, (depth - less).max(1), 0, false);
            self.root_moves[index..].sort_by_key(|root| -root.score);
            if self.stopped {
                return;
            }
            if score <= window.alpha {
                self.report(position, depth as u32, Certainty::AtMost, index, report);
                window.beta = i32::midpoint(window.alpha, window.beta);
                window.alpha = (score - delta).max(-INFINITE);
                less = 0;
            } else if score >= window.beta {
                self.report(position, depth as u32, Certainty::AtLeast, index, report);
                window.beta = (score + delta).min(INFINITE);
                less = (less + 1).min(3);
            } else {
                return;
            }
            delta += delta / 2;
            if delta > 900 {
                window = Window { alpha: -INFINITE, beta: INFINITE };
            }
        }
    }

    fn report(
        &mut self,
        position: &Position,
        depth: u32,
        certainty: Certainty,
        index: usize,
        report: &mut dyn FnMut(&Progress),
    ) {
        if !self.is_first {
            return;
        }
        let nodes = self.publish_nodes();
        let elapsed = self.shared.elapsed();
        // Scores outside the window are reported only when a search takes long.
        if certainty != Certainty::Exact && elapsed < Duration::from_secs(3) {
            return;
        }
        let root = &self.root_moves[index];
        let progress = Progress {
            depth,
            deepest: root.deepest as u32,
            line: index + 1,
            score: root.score,
            certainty,
            nodes,
            elapsed,
            fullness: self.shared.table.fullness(),
            moves: decode_line(position, &root.line),
        };
        report(&progress);
    }

    /// True if the search may end after this completed depth.
    fn is_enough(&mut self, confidence: &mut Confidence, depth: u32) -> bool {
        if self.is_stopped() {
            return true;
        }
        let limits = self.shared.limits;
        if let Some(moves) = limits.mate
            && let Verdict::Mate(found) = Verdict::of(self.root_moves[0].score)
            && (1..=moves as i32).contains(&found)
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|most| self.nodes >= most) {
            return true;
        }
        let scale = confidence.scale(&self.root_moves[0], self.nodes, depth);
        if self.shared.signals.pondering.load(Relaxed) {
            return false;
        }
        let Some(allowance) = self.shared.allowance else {
            return false;
        };
        if allowance.fixed {
            return false;
        }
        let only_one = self.root_moves.len() == 1 && limits.only.is_empty();
        let scale = if only_one { 0.05 } else { scale };
        self.shared.elapsed().as_secs_f64() >= allowance.soft.as_secs_f64() * scale
    }
}
