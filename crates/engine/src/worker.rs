//! One thread of a search: its stack, its memory, and what all threads share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use hansu_chess::{Color, Move, MoveList, Position, Role};

use crate::evaluator::{Estimates, Evaluator};
use crate::history::{Context, History, NO_MOVE, row_of};
use crate::limits::{Allowance, Limits, Signals, TimeSource};
use crate::picker::{Candidates, Picker};
use crate::score::{INFINITE, MAX_PLY, UNKNOWN};
use crate::table::TranspositionTable;

/// The state of a thread that outlives a search.
pub(crate) struct Memory {
    pub(crate) history: History,
    pub(crate) estimates: Estimates,
    pub(crate) moves: Candidates,
}

impl Memory {
    pub(crate) fn new(evaluator: &Evaluator) -> Memory {
        Memory {
            history: History::new(),
            estimates: Estimates::new(evaluator),
            moves: Candidates::new(),
        }
    }
}

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) signals: &'a Signals,
    pub(crate) limits: &'a Limits,
    pub(crate) allowance: Option<Allowance>,
    pub(crate) time: &'a dyn TimeSource,
    pub(crate) began: Duration,
    /// Nodes of all threads; each adds its own every 512 nodes ([`NODES_A_CHECK`]).
    pub(crate) nodes: AtomicU64,
    /// The first thread has ended.
    pub(crate) halted: AtomicBool,
    pub(crate) reductions: &'a [[i32; 64]; 64],
}

impl Shared<'_> {
    pub(crate) fn elapsed(&self) -> Duration {
        self.time.now().saturating_sub(self.began)
    }
}

/// One ply of the line that is being searched.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// The corrected static estimate; [`UNKNOWN`] in check.
    pub(crate) estimate: i32,
    pub(crate) killer: u16,
    /// A move that a singular search leaves out, or 0.
    pub(crate) excluded: u16,
    /// Row of the move made here in the continuation history.
    pub(crate) moved: usize,
    /// Plies since the last null move.
    pub(crate) since_pass: u16,
    /// Beta cutoffs at this ply since the node two plies before was entered.
    pub(crate) cutoffs: u16,
    /// True if the side to move is in check here.
    pub(crate) in_check: bool,
    /// How often the line was extended by two.
    pub(crate) doubled: u16,
    /// Index of the move made here in the quiet history; `None` for a capture.
    pub(crate) quiet: Option<usize>,
    /// By how many plies the search of the move made here is reduced now.
    pub(crate) reduction: i32,
}

impl Frame {
    const EMPTY: Frame = Frame {
        estimate: UNKNOWN,
        killer: 0,
        excluded: 0,
        moved: NO_MOVE,
        since_pass: u16::MAX,
        cutoffs: 0,
        in_check: false,
        doubled: 0,
        quiet: None,
        reduction: 0,
    };
}

/// A line of moves as [`Move::to_bits`].
#[derive(Clone, Copy)]
pub(crate) struct Variation {
    pub(crate) moves: [u16; MAX_PLY],
    pub(crate) len: usize,
}

impl Variation {
    pub(crate) const EMPTY: Variation = Variation { moves: [0; MAX_PLY], len: 0 };

    pub(crate) fn as_slice(&self) -> &[u16] {
        &self.moves[..self.len]
    }
}

/// A move at the root and the result of its search.
#[derive(Clone)]
pub(crate) struct RootMove {
    pub(crate) step: Move,
    pub(crate) score: i32,
    pub(crate) previous: i32,
    pub(crate) nodes: u64,
    pub(crate) deepest: usize,
    pub(crate) line: Vec<u16>,
}

impl RootMove {
    pub(crate) fn new(step: Move) -> RootMove {
        let line = vec![step.to_bits()];
        RootMove { step, score: -INFINITE, previous: -INFINITE, nodes: 0, deepest: 0, line }
    }
}

/// One thread of a search.
pub(crate) struct Worker<'a> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) memory: &'a mut Memory,
    /// Only the first thread checks the clock and reports.
    pub(crate) is_first: bool,
    pub(crate) root_moves: Vec<RootMove>,
    /// Index of the line (MultiPV) that is searched; root moves before it have lines already.
    pub(crate) line_index: usize,
    pub(crate) root_depth: i32,
    pub(crate) nodes: u64,
    /// The part of `nodes` that is in [`Shared::nodes`].
    published: u64,
    pub(crate) deepest: usize,
    pub(crate) stopped: bool,
    pub(crate) frames: Vec<Frame>,
    pub(crate) variations: Vec<Variation>,
    /// Keys of the positions of the game and of the line, the current one last.
    pub(crate) keys: Vec<u64>,
    /// The side to move at the root, and the root's key.
    pub(crate) root: (Color, u64),
    /// By what keys differ when the other side is to move.
    turn_over: u64,
    /// No null move before this ply: one is being verified.
    pub(crate) no_pass_before: usize,
    /// When the clock was last read, since the beginning of the search.
    last_check: Duration,
    /// The longest time between two readings: as a rule under a millisecond.
    pub(crate) longest_gap: Duration,
}

/// Limits and the clock are checked after this many nodes.
const NODES_A_CHECK: u64 = 512;

/// Empty frames before the root, so that `frame_before` needs no bounds check.
const BEFORE: usize = 4;

impl<'a> Worker<'a> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        is_first: bool,
        root_moves: Vec<RootMove>,
        keys: Vec<u64>,
    ) -> Worker<'a> {
        memory.moves.clear();
        Worker {
            shared,
            memory,
            is_first,
            root_moves,
            line_index: 0,
            root_depth: 0,
            nodes: 0,
            published: 0,
            deepest: 0,
            stopped: false,
            frames: vec![Frame::EMPTY; MAX_PLY + BEFORE + 4],
            variations: vec![Variation::EMPTY; MAX_PLY + 2],
            keys,
            root: (Color::White, 0),
            turn_over: Position::start().key() ^ Position::start().pass().key(),
            no_pass_before: 0,
            last_check: Duration::ZERO,
            longest_gap: Duration::ZERO,
        }
    }

    #[inline(always)]
    pub(crate) fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + BEFORE]
    }

    #[inline(always)]
    pub(crate) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE]
    }

    /// The frame `back` plies before `ply`; `back` is at most `BEFORE` more than `ply`.
    #[inline(always)]
    pub(crate) fn frame_before(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + BEFORE - back]
    }

    /// The context of quiet moves at this ply.
    #[inline(always)]
    pub(crate) fn context(&self, ply: usize, position: &Position) -> Context {
        let before = [1, 2, 4].map(|back| self.frame_before(ply, back).moved);
        let attacked = position.board().attacked_by(!position.turn());
        Context { before, pawns: History::pawns_of(position), attacked }
    }

    /// The next move of a position to try.
    #[inline(always)]
    pub(crate) fn next_move(&mut self, picker: &mut Picker, position: &Position) -> Option<Move> {
        let Memory { history, moves, .. } = &mut *self.memory;
        picker.next(position, history, moves)
    }

    /// True if a weak level overlooks this reply of the opponent.
    #[inline(always)]
    pub(crate) fn overlooks(
        &self,
        position: &Position,
        step: Move,
        gives_check: bool,
        ply: usize,
    ) -> bool {
        let Some(blindness) = &self.shared.limits.blindness else {
            return false;
        };
        if position.turn() == self.root.0 || self.frame(ply).in_check || ply == 0 {
            return false;
        }
        let moved = self.frame_before(ply, 1).moved;
        let last = (moved != NO_MOVE).then_some(moved % 64);
        blindness.overlooks(self.root.1, position, step, gives_check, last)
    }

    /// Counts a node and sets `stopped` when a limit is reached.
    #[inline(always)]
    pub(crate) fn count(&mut self) {
        if self.stopped {
            return;
        }
        self.nodes += 1;
        let signals = self.shared.signals;
        if signals.stop.load(Relaxed) || self.shared.halted.load(Relaxed) {
            self.stopped = true;
        }
        let limit = self.shared.limits.nodes.unwrap_or(u64::MAX);
        if self.nodes >= limit || self.nodes.is_multiple_of(NODES_A_CHECK) {
            self.check_limits(limit);
        }
    }

    #[cold]
    #[inline(never)]
    fn check_limits(&mut self, limit: u64) {
        let all = self.publish_nodes();
        if all >= limit {
            self.stopped = true;
        }
        if !self.is_first {
            return;
        }
        let Some(allowance) = self.shared.allowance else {
            return;
        };
        let elapsed = self.shared.elapsed();
        self.longest_gap = self.longest_gap.max(elapsed.saturating_sub(self.last_check));
        self.last_check = elapsed;
        if elapsed >= allowance.hard && !self.shared.signals.pondering.load(Relaxed) {
            self.stopped = true;
        }
    }

    /// True if this thread has stopped or [`Signals::stop`](crate::Signals::stop) is set.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped || self.shared.signals.stop.load(Relaxed)
    }

    /// Adds this thread's new nodes to the shared counter; returns the nodes of all threads.
    pub(crate) fn publish_nodes(&mut self) -> u64 {
        let news = self.nodes - self.published;
        self.published = self.nodes;
        self.shared.nodes.fetch_add(news, Relaxed) + news
    }

    /// Makes a move and enters the next ply. `gives_check` must be true exactly if it gives check.
    #[inline(always)]
    pub(crate) fn descend(
        &mut self,
        position: &Position,
        step: Move,
        ply: usize,
        gives_check: bool,
    ) -> Position {
        let next = position.play(step);
        debug_assert_eq!(next.is_check(), gives_check);
        self.frame_mut(ply + 1).in_check = gives_check;
        let since_pass = self.frame(ply).since_pass.saturating_add(1);
        let frame = self.frame_mut(ply);
        frame.moved = row_of(position, step);
        frame.reduction = 0;
        self.frame_mut(ply + 1).since_pass = since_pass;
        self.shared.table.prefetch(next.key());
        self.keys.push(next.key());
        self.memory.estimates.enter(ply + 1, &next);
        next
    }

    /// Makes a null move: the other side moves.
    pub(crate) fn descend_by_pass(&mut self, position: &Position, ply: usize) -> Position {
        let next = position.pass();
        self.frame_mut(ply).moved = NO_MOVE;
        self.frame_mut(ply).reduction = 0;
        self.frame_mut(ply + 1).since_pass = 0;
        self.frame_mut(ply + 1).in_check = false;
        self.shared.table.prefetch(next.key());
        self.keys.push(next.key());
        self.memory.estimates.enter(ply + 1, &next);
        next
    }

    /// Leaves a ply that `descend` or `descend_by_pass` entered.
    #[inline(always)]
    pub(crate) fn ascend(&mut self) {
        self.keys.pop();
    }

    /// True if the position is a draw by the rules, or counts as one: repeated once within the
    /// line, or twice in the game.
    pub(crate) fn is_draw(&self, position: &Position, ply: usize, in_check: bool) -> bool {
        if position.halfmoves() >= 100 && (!in_check || position.has_moves()) {
            return true;
        }
        if position.is_dead() {
            return true;
        }
        let back = position.halfmoves().min(self.frame(ply).since_pass) as usize;
        let last = self.keys.len() - 1;
        let mut seen = false;
        let mut distance = 4;
        while distance <= back.min(last) {
            if self.keys[last - distance] == position.key() {
                if distance <= ply || seen {
                    return true;
                }
                seen = true;
            }
            distance += 2;
        }
        false
    }

    /// True if the side to move can go back to a position of this line, which would be a draw.
    pub(crate) fn can_repeat(&self, position: &Position, ply: usize) -> bool {
        let back = position.halfmoves().min(self.frame(ply).since_pass) as usize;
        let last = self.keys.len() - 1;
        let most = back.min(last).min(ply);
        // What the opponent's last moves changed: nothing, if they led back to where they began.
        let mut theirs = 0;
        for distance in (1..=most).step_by(2) {
            let before = self.keys[last - distance];
            theirs ^= self.keys[last - distance + 1] ^ before ^ self.turn_over;
            if theirs == 0 && distance >= 3 {
                let mut moves = MoveList::new();
                position.add_quiets(&mut moves);
                if moves.iter().any(|&step| position.key_after(step) == before) {
                    return true;
                }
            }
        }
        false
    }

    /// The score of a draw: -1 or 1, so that lines that repeat do not all have the same score.
    #[inline(always)]
    pub(crate) fn draw_score(&self) -> i32 {
        (self.nodes & 2) as i32 - 1
    }

    /// Sets this ply's variation: a move, then the variation of the next ply.
    pub(crate) fn extend_variation(&mut self, ply: usize, step: Move) {
        let (head, tail) = self.variations.split_at_mut(ply + 1);
        let (Some(line), Some(rest)) = (head.last_mut(), tail.first()) else {
            return;
        };
        let len = rest.len.min(MAX_PLY - 1);
        line.moves[0] = step.to_bits();
        line.moves[1..=len].copy_from_slice(&rest.moves[..len]);
        line.len = len + 1;
    }
}

/// True if the side to move has more than king and pawns: otherwise zugzwang is likely, where a
/// null move misleads.
pub(crate) fn has_pieces(position: &Position) -> bool {
    let board = position.board();
    let own = board.of_color(position.turn());
    own.len() > board.of(Role::Pawn.of(position.turn())).len() + 1
}

#[cfg(test)]
mod tests {
    use hansu_chess::UciMove;

    use super::*;
    use crate::limits::NoTime;

    /// True if after these moves from the start the side to move can repeat a position.
    fn can_repeat_after(line: &str) -> bool {
        let (table, signals, limits) =
            (TranspositionTable::new(1), Signals::default(), Limits::default());
        let shared = Shared {
            table: &table,
            signals: &signals,
            limits: &limits,
            allowance: None,
            time: &NoTime,
            began: Duration::ZERO,
            nodes: AtomicU64::new(0),
            halted: AtomicBool::new(false),
            reductions: &[[0; 64]; 64],
        };
        let mut memory = Memory::new(&Evaluator::Hand);
        let mut position = Position::start();
        let mut worker = Worker::new(&shared, &mut memory, true, vec![], vec![position.key()]);
        let mut ply = 0;
        for word in line.split_whitespace() {
            let named: UciMove = word.parse().expect(word);
            let step = named.to_move(&position).expect(word);
            position = worker.descend(&position, step, ply, position.gives_check(step));
            ply += 1;
        }
        worker.can_repeat(&position, ply)
    }

    #[test]
    fn a_repetition_is_seen_one_move_ahead() {
        assert!(can_repeat_after("g1f3 g8f6 f3g1"));
        assert!(can_repeat_after("g1f3 g8f6 f3g5 f6g8"));
        assert!(can_repeat_after("b1c3 g8f6 c3b5 f6h5 b5a3 h5f6 a3b1 f6g4 b1c3 g4h6 c3b1"));
        // The queen goes three ways round, the bishop back in one.
        assert!(can_repeat_after("e2e4 e7e5 g1f3 d8e7 f1d3 e7f6 d3c4 f6d8"));
        assert!(!can_repeat_after("g1f3 g8f6"));
        assert!(!can_repeat_after("g1f3 g8f6 f3e5"));
        assert!(!can_repeat_after("g1f3 e7e5 f3g1"));
        // The knight is back, but castling cannot be undone.
        assert!(!can_repeat_after("e2e4 e7e5 g1f3 g8f6 f1c4 f6g8 e1g1 g8f6"));
        // The king is back, but may no longer castle.
        assert!(!can_repeat_after("e2e4 e7e5 e1e2 g8f6 e2e1"));
    }
}
