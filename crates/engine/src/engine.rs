//! The engine: a table, threads with their memories, and the searches they do together.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use hansu_chess::{Move, Position};

use crate::evaluator::Evaluator;
use crate::limits::{Limits, Signals, TimeSource};
use crate::score::{INFINITE, MATE, MAX_PLY, Verdict};
use crate::search::{Window, reductions};
use crate::table::Table;
use crate::worker::{Memory, RootMove, Shared, Worker};

/// What an engine is made of.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Size of the transposition table.
    pub megabytes: usize,
    /// Threads that search together.
    pub threads: usize,
    /// Who estimates positions.
    pub evaluator: Evaluator,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { megabytes: 16, threads: 1, evaluator: Evaluator::best() }
    }
}

/// What a score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// It is this.
    Exact,
    /// It is at least this.
    AtLeast,
    /// It is at most this.
    AtMost,
}

/// News from a search.
#[derive(Clone, Debug)]
pub struct Progress {
    /// How deep all moves were searched.
    pub depth: u32,
    /// How deep the longest line was.
    pub deepest: u32,
    /// Which line this is, from 1.
    pub line: usize,
    /// The score for the side to move.
    pub score: i32,
    /// What the score says.
    pub certainty: Certainty,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time so far.
    pub elapsed: Duration,
    /// Thousandths of the table in use.
    pub fullness: usize,
    /// The line.
    pub moves: Vec<Move>,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The best move; `None` when there is no legal one.
    pub best: Option<Move>,
    /// The answer that is expected to it.
    pub reply: Option<Move>,
    /// The score for the side to move.
    pub score: i32,
    /// The last depth that was searched to its end.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// An engine. Several may live side by side; they share nothing that changes.
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
    table: Table,
    memories: Vec<Memory>,
    settings: Settings,
    reductions: Box<[[i32; 64]; 64]>,
    /// For how long the processor was away lately, at most.
    stall: Duration,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Enough for the deepest line; frames of a search are large.
pub(crate) const STACK: usize = 16 << 20;

impl Engine {
    /// An engine that knows nothing yet.
    pub fn new(settings: Settings) -> Engine {
        let threads = settings.threads.max(1);
        Engine {
            table: Table::new(settings.megabytes),
            memories: (0..threads).map(|_| Memory::new(&settings.evaluator)).collect(),
            settings,
            reductions: Box::new(reductions()),
            stall: Duration::ZERO,
        }
    }

    /// What it is made of.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        for memory in &mut self.memories {
            memory.history.clear();
        }
    }

    /// Searches a position until a limit is reached. `earlier` are the keys of the positions before
    /// this one in the game, for repetitions; `report` hears of every depth and line.
    pub fn search(
        &mut self,
        position: &Position,
        earlier: &[u64],
        limits: &Limits,
        signals: &Signals,
        time: &dyn TimeSource,
        report: &mut dyn FnMut(&Progress),
    ) -> Answer {
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
            return Answer { best: None, reply: None, score, depth: 0, nodes: 0 };
        }
        self.table.grow_older();
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
            return Answer { best: None, reply: None, score: 0, depth: 0, nodes: 0 };
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
                    // A helper that cannot be started is done without.
                    let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help);
                }
                let depth = main.deepen(position, 0, report);
                shared.halted.store(true, Relaxed);
                depth
            })
        };
        main.tell();
        self.stall = main.longest_gap.max(self.stall * 15 / 16);
        let nodes = shared.nodes.load(Relaxed);
        let best = &main.root_moves[0];
        let line = line(position, &best.line);
        let score = if best.score == -INFINITE { 0 } else { best.score };
        Answer { best: Some(best.step), reply: line.get(1).copied(), score, depth, nodes }
    }
}

/// A line of stored moves as moves, as far as they are legal.
fn line(position: &Position, bits: &[u16]) -> Vec<Move> {
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

/// How sure the best move is, over the depths so far.
struct Confidence {
    best: Option<Move>,
    unchanged: usize,
    average: f64,
}

impl Confidence {
    /// By what the usual time is multiplied.
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
    /// Searches deeper and deeper; gives the last depth that was finished.
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
            // Helpers are a depth ahead of each other now and then, so as not to do the same.
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
            // Only now: a later line may have turned out better than an earlier one.
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

    /// Searches with a narrow window around the last score, and wider ones if that fails.
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
        let nodes = self.tell();
        let elapsed = self.shared.elapsed();
        // Failed windows are news only when a search takes long.
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
            moves: line(position, &root.line),
        };
        report(&progress);
    }

    /// Whether to be content after a finished depth.
    fn is_enough(&mut self, confidence: &mut Confidence, depth: u32) -> bool {
        if self.is_told_to_stop() {
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
