//! The search of one position, in numbered steps.

use hansu_chess::{Move, Position};

use crate::history::{NO_MOVE, piece_to, quiet_at};
use crate::picker::Picker;
use crate::score::{
    INFINITE, MATE, MATE_IN_REACH, MAX_PLY, UNKNOWN, from_table, is_mate, to_table,
};
use crate::table::{Bound, TableEntry};
use crate::worker::{Worker, has_pieces};

/// A window of scores.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

impl Window {
    /// The null window that tells only if a score is above `alpha`.
    fn above(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    pub(crate) fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Late move reductions by depth and move number, in 1024ths of a ply.
pub(crate) fn reductions() -> [[i32; 64]; 64] {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, reduction) in row.iter_mut().enumerate().skip(1) {
            let both = (depth as f64).ln() * (number as f64).ln();
            *reduction = (1024.0 * (0.55 + both / 2.1)) as i32;
        }
    }
    table
}

/// The first 32 moves that did not raise alpha.
struct Tried {
    moves: [Option<Move>; 32],
    len: usize,
}

impl Tried {
    const NONE: Tried = Tried { moves: [None; 32], len: 0 };

    #[inline(always)]
    fn push(&mut self, step: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(step);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().copied().map_while(|step| step)
    }
}

fn bonus(depth: i32) -> i32 {
    (170 * depth - 60).min(1700)
}

impl Worker<'_> {
    /// The score of a position for the side to move. `PV`: the window is open and the principal
    /// variation is wanted. `cut`: a score above the window is expected.
    pub(crate) fn search<const PV: bool>(
        &mut self,
        position: &Position,
        window: Window,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        let Window { mut alpha, mut beta } = window;
        let is_root = PV && ply == 0;

        // 1. At the horizon, only captures are looked at.
        if depth <= 0 {
            return self.quiesce::<PV>(position, window, ply);
        }
        self.count();
        if self.stopped {
            return 0;
        }
        if PV {
            self.variations[ply].len = 0;
            self.deepest = self.deepest.max(ply + 1);
        }
        let in_check = self.frame(ply).in_check;

        // 2. Draws, the end of the stack, and mates that are nearer than anything found here.
        if !is_root {
            if self.is_draw(position, ply, in_check) {
                return self.draw_score();
            }
            if ply >= MAX_PLY - 1 {
                return if in_check { 0 } else { self.memory.estimates.evaluate(ply, position) };
            }
            alpha = alpha.max(ply as i32 - MATE);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha < 0 && self.can_repeat(position, ply) {
                alpha = self.draw_score();
            }
            if alpha >= beta {
                return alpha;
            }
        }

        // 3. The entry of the transposition table.
        let excluded = self.frame(ply).excluded;
        let key = position.key();
        let found = if excluded == 0 { self.shared.table.probe(key) } else { None };
        let mut entry = found.unwrap_or(TableEntry::EMPTY);
        entry.score = from_table(entry.score, ply);
        let mut stored = position.move_from_bits(entry.step);
        if is_root {
            stored = self.root_moves.get(self.line_index).map(|root| root.step);
        }
        let known = entry.bound != Bound::None && entry.score != UNKNOWN;
        if !PV && known && entry.depth >= depth && position.halfmoves() < 90 {
            let enough =
                if entry.score >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() };
            // Near the horizon the score must be on the expected side; above the window the entry
            // must be deeper.
            let expected = cut == (entry.score >= beta) || depth > 5;
            let deep = entry.score <= beta || entry.depth > depth;
            if enough && expected && deep {
                if let Some(step) = stored
                    && entry.score >= beta
                    && !position.is_capture(step)
                {
                    let context = self.context(ply, position);
                    let history = &mut self.memory.history;
                    history.teach_quiet(position.turn(), step, context, bonus(depth));
                }
                return entry.score;
            }
        }
        let was_pv = PV || entry.was_pv;

        // 4. The static estimate of the position.
        let (mut raw, mut estimate, mut likely, mut doubt) = (UNKNOWN, UNKNOWN, UNKNOWN, 0);
        if in_check {
            self.frame_mut(ply).estimate = UNKNOWN;
        } else if excluded != 0 {
            estimate = self.frame(ply).estimate;
            likely = estimate;
        } else {
            let judged = self.estimate(position, ply, &entry);
            (raw, estimate) = (judged.raw, judged.score);
            doubt = judged.correction.abs() / 3;
            self.frame_mut(ply).estimate = estimate;
            likely = estimate;
            let better = if entry.score > estimate { Bound::is_lower } else { Bound::is_upper };
            if known && !is_mate(entry.score) && better(entry.bound) {
                likely = entry.score;
            }
            if found.is_none() {
                let fresh = TableEntry { estimate: raw, was_pv, ..TableEntry::EMPTY };
                self.shared.table.store(key, fresh);
            }
        }
        let improving = !in_check && {
            let earlier = match self.frame_before(ply, 2).estimate {
                UNKNOWN => self.frame_before(ply, 4).estimate,
                known => known,
            };
            ply >= 2 && (earlier == UNKNOWN || estimate > earlier)
        };
        // The history of a quiet move follows the change of the estimate. If the move was reduced
        // and the change is large or disappointing, the depth is corrected.
        let last = *self.frame_before(ply, 1);
        let is_comparable = !in_check && last.estimate != UNKNOWN && last.moved != NO_MOVE;
        if !is_root && excluded == 0 && is_comparable {
            let won = last.estimate + estimate;
            if let Some(from_to) = last.quiet {
                self.memory.history.teach_from_to(from_to, (-8 * won).clamp(-1200, 1200));
            }
            if last.reduction >= 3 && won <= 1 {
                depth += 1;
            } else if last.reduction >= 1 && depth >= 2 && won > 170 {
                depth -= 1;
            }
        }
        self.frame_mut(ply + 2).killer = 0;
        self.frame_mut(ply + 2).cutoffs = 0;

        if !PV && !in_check && excluded == 0 {
            // 5. Razoring: so far below alpha that only captures could help.
            if depth <= 3 && likely + 240 + 180 * depth * depth < alpha && !is_mate(alpha) {
                let score = self.quiesce::<false>(position, Window::above(alpha), ply);
                if score <= alpha {
                    return score;
                }
            }

            // 6. Reverse futility: so far above beta that a quiet move keeps it there.
            let margin = (78 * depth - 70 * i32::from(improving) + doubt).max(20);
            if depth <= 9
                && likely - margin >= beta
                && likely < MATE_IN_REACH
                && beta > -MATE_IN_REACH
            {
                return (2 * beta + likely) / 3;
            }

            // 7. Null move: still above beta when the other side moves twice.
            if likely >= beta
                && estimate >= beta - 18 * depth + 120
                && depth >= 3
                && self.frame_before(ply, 1).moved != NO_MOVE
                && ply >= self.no_pass_before
                && beta > -MATE_IN_REACH
                && has_pieces(position)
            {
                let reduced = depth - 4 - depth / 4 - ((likely - beta) / 190).min(3);
                let next = self.descend_by_pass(position, ply);
                let score = -self.search::<false>(
                    &next,
                    Window::above(beta - 1).flipped(),
                    reduced,
                    ply + 1,
                    !cut,
                );
                self.ascend();
                if self.stopped {
                    return 0;
                }
                if score >= beta {
                    let score = if is_mate(score) { beta } else { score };
                    if depth < 14 || self.no_pass_before > 0 {
                        return score;
                    }
                    // At this depth the result is verified: in zugzwang a pass looks too good.
                    self.no_pass_before = ply + 3 * (reduced.max(0) as usize) / 4;
                    let window = Window::above(beta - 1);
                    let verified = self.search::<false>(position, window, reduced, ply, false);
                    self.no_pass_before = 0;
                    if self.stopped {
                        return 0;
                    }
                    if verified >= beta {
                        return score;
                    }
                }
            }

            // 8. ProbCut: a capture that is far above beta even at a lower depth.
            let high = beta + 190 - 50 * i32::from(improving);
            if depth >= 5
                && !is_mate(beta)
                && !(known && entry.depth >= depth - 3 && entry.score < high)
            {
                let score =
                    self.try_captures(position, high, depth, ply, cut, stored, raw, estimate);
                if self.stopped {
                    return 0;
                }
                if let Some(score) = score {
                    return score;
                }
            }
        }

        // 9. A stored score far above the window, from almost this depth, is enough.
        let far_above = beta + 380;
        if !PV
            && excluded == 0
            && known
            && entry.bound.is_lower()
            && entry.depth >= depth - 4
            && entry.score >= far_above
            && !is_mate(entry.score)
            && !is_mate(beta)
        {
            return far_above;
        }
        // Internal iterative reduction: without a stored move, a lower depth finds one first.
        if depth >= 4 && stored.is_none() && (PV || cut) && excluded == 0 {
            depth -= 1;
        }

        // 10. The moves, one after another.
        let context = self.context(ply, position);
        let killer = self.frame(ply).killer;
        let mut picker = Picker::new(&self.memory.moves, stored, killer, context);
        let mut quiets_tried = Tried::NONE;
        let mut captures_tried = Tried::NONE;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut number = 0;
        let mut overlooked = false;
        let us = position.turn();
        let may_prune = has_pieces(position);

        while let Some(step) = self.next_move(&mut picker, position) {
            if step.to_bits() == excluded {
                continue;
            }
            if is_root && !self.root_moves[self.line_index..].iter().any(|root| root.step == step) {
                continue;
            }
            let gives_check = position.gives_check(step);
            if self.overlooks(position, step, gives_check, ply) {
                overlooked = true;
                continue;
            }
            number += 1;
            let is_capture = position.is_capture(step);
            let history = if is_capture {
                self.memory.history.capture(position, step)
            } else {
                self.memory.history.quiet(us, step, context)
            };
            let mut reduction =
                self.shared.reductions[depth.min(63) as usize][number.min(63) as usize];

            // 11. Pruning of moves before they are made.
            if !is_root && best > -MATE_IN_REACH && may_prune {
                let left = (depth - reduction / 1024).max(0);
                if is_capture {
                    if depth <= 9 && !position.see_at_least(step, -65 * depth - history / 48) {
                        continue;
                    }
                } else {
                    // Late move pruning.
                    if number > (5 + 3 * depth * depth / 2) / (2 - i32::from(improving)) {
                        picker.skip_quiets();
                    }
                    // Futility pruning: even a large gain would not reach alpha.
                    let left = (left + history / 9000).max(0);
                    if !in_check && !gives_check && left <= 9 && estimate + 70 + 75 * left <= alpha
                    {
                        picker.skip_quiets();
                        continue;
                    }
                    // History pruning: moves that have failed nearly always.
                    if left <= 4 && history < -4200 * depth {
                        continue;
                    }
                    // Moves that lose material.
                    if left <= 9 && !position.see_at_least(step, -18 * left * left) {
                        continue;
                    }
                }
            }

            // 12. Singular extension: the stored move when all others are worse by a margin.
            let mut extension = 0;
            self.frame_mut(ply + 1).doubled = self.frame(ply).doubled;
            if !is_root
                && depth >= 7
                && Some(step) == stored
                && excluded == 0
                && entry.depth >= depth - 3
                && entry.bound.is_lower()
                && !is_mate(entry.score)
                && ply < 2 * self.root_depth as usize
            {
                let floor = entry.score - depth * 3 / 2;
                self.frame_mut(ply).excluded = step.to_bits();
                let window = Window::above(floor - 1);
                let score = self.search::<false>(position, window, (depth - 1) / 2, ply, cut);
                self.frame_mut(ply).excluded = 0;
                if self.stopped {
                    return 0;
                }
                if score < floor {
                    extension = 1;
                    if !PV && score < floor - 10 && self.frame(ply).doubled <= 8 {
                        extension = 2;
                        self.frame_mut(ply + 1).doubled = self.frame(ply).doubled + 1;
                        if score < floor - 90 && !is_capture {
                            extension = 3;
                        }
                    }
                } else if floor >= beta {
                    // Multi-cut: several moves exceed beta, so the position does.
                    return floor;
                } else if entry.score >= beta {
                    extension = -3;
                } else if cut {
                    extension = -2;
                }
            }

            // 13. Make the move.
            let nodes_before = self.nodes;
            let next = self.descend(position, step, ply, gives_check);
            self.frame_mut(ply).quiet = (!is_capture).then(|| quiet_at(us, step, context.attacked));
            let new_depth = depth - 1 + extension;
            let mut score = 0;

            // 14. Late move reductions: less depth, and a full search if the score exceeds alpha.
            let mut full = !PV || number > 1;
            if depth >= 2 && number > 1 + i32::from(is_root) && (!is_capture || number > 3) {
                if is_capture {
                    reduction = reduction / 2 - history / 12;
                } else {
                    reduction -= history / 9;
                    reduction += 900 * i32::from(cut);
                    reduction -= 900 * i32::from(step.to_bits() == killer);
                }
                reduction -= 1024 * i32::from(PV);
                reduction -= 700 * i32::from(was_pv);
                reduction -= 800 * i32::from(gives_check || in_check);
                reduction += 600 * i32::from(!improving);
                reduction += 700 * i32::from(self.frame(ply + 1).cutoffs > 3);
                reduction += 700 * i32::from(stored.is_some_and(|s| position.is_capture(s)));
                let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
                let zero = Window::above(alpha).flipped();
                self.frame_mut(ply).reduction = new_depth - reduced;
                score = -self.search::<false>(&next, zero, reduced, ply + 1, true);
                self.frame_mut(ply).reduction = 0;
                full = score > alpha && reduced < new_depth;
                if full {
                    let deeper = i32::from(score > best + 45 + 3 * new_depth);
                    let shallower = i32::from(score < best + 8);
                    let new_depth = new_depth + deeper - shallower;
                    if reduced < new_depth {
                        score = -self.search::<false>(&next, zero, new_depth, ply + 1, !cut);
                    }
                    full = false;
                    if !is_capture && score >= beta {
                        let history = &mut self.memory.history;
                        let index = piece_to(us, step);
                        history.teach_continuation(index, context.before, bonus(new_depth));
                    }
                }
            }
            // 15. A null window first, the open window only for a score above alpha.
            if full {
                let zero = Window::above(alpha).flipped();
                score = -self.search::<false>(&next, zero, new_depth, ply + 1, !cut);
            }
            if PV && (number == 1 || score > alpha) {
                let window = Window { alpha, beta }.flipped();
                score = -self.search::<true>(&next, window, new_depth, ply + 1, false);
            }
            self.ascend();
            if self.stopped {
                return 0;
            }
            if is_root {
                self.note_root(step, score, alpha, number, self.nodes - nodes_before);
            }

            // 16. A new best move, or a cutoff.
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(step);
                    bound = Bound::Exact;
                    if PV {
                        self.extend_variation(ply, step);
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        self.frame_mut(ply).cutoffs += 1;
                        break;
                    }
                    alpha = score;
                    // Once a better move is found, the others get less depth.
                    if (3..=11).contains(&depth) && !is_mate(score) {
                        depth -= 1;
                    }
                }
            }
            if Some(step) != best_move {
                if is_capture { captures_tried.push(step) } else { quiets_tried.push(step) }
            }
        }

        // 17. No move at all: mate or stalemate.
        if number == 0 {
            return if overlooked {
                estimate
            } else if excluded != 0 {
                alpha
            } else if in_check {
                ply as i32 - MATE
            } else {
                0
            };
        }

        // 18. Update the histories.
        if let Some(step) = best_move {
            let by = bonus(depth + i32::from(best > beta + 60));
            if position.is_capture(step) {
                self.memory.history.teach_capture(position, step, by);
            } else {
                self.frame_mut(ply).killer = step.to_bits();
                self.memory.history.teach_quiet(us, step, context, by);
                for other in quiets_tried.iter() {
                    self.memory.history.teach_quiet(us, other, context, -by * 3 / 4);
                }
            }
            for other in captures_tried.iter() {
                self.memory.history.teach_capture(position, other, -by);
            }
        }
        // No move raised alpha: the quiet move that led here was a good one.
        let led_by_quiet = last.quiet.is_some() && last.moved != NO_MOVE;
        if bound == Bound::Upper && led_by_quiet && !is_root && excluded == 0 {
            let before = [2, 3, 5].map(|back| self.frame_before(ply, back).moved);
            self.memory.history.teach_continuation(last.moved, before, bonus(depth) / 2);
        }
        if excluded == 0 && !(is_root && self.line_index > 0) {
            let score = to_table(best, ply);
            let step = best_move.map_or(0, Move::to_bits);
            let entry = TableEntry { step, score, estimate: raw, depth, bound, was_pv };
            self.shared.table.store(key, entry);
        }
        let quiet = best_move.is_none_or(|step| !position.is_capture(step));
        let off_wrongly =
            bound == Bound::Lower && best <= estimate || bound == Bound::Upper && best >= estimate;
        if excluded == 0 && !in_check && quiet && !is_mate(best) && !off_wrongly {
            let line = self.last_two(ply);
            self.memory.history.teach_correction(position, line, best - estimate, depth);
        }
        best
    }

    /// Step 8: the score of a capture that reaches `high` in a shallow search, if there is one.
    #[expect(clippy::too_many_arguments, reason = "a step of the search, apart for its length")]
    fn try_captures(
        &mut self,
        position: &Position,
        high: i32,
        depth: i32,
        ply: usize,
        cut: bool,
        stored: Option<Move>,
        raw: i32,
        estimate: i32,
    ) -> Option<i32> {
        // Pieces are worth half as much again to the net as in exchanges.
        let wanted = (high - estimate) * 2 / 3;
        let stored =
            stored.filter(|&step| position.is_capture(step) && position.see_at_least(step, wanted));
        let mut picker = Picker::captures(&self.memory.moves, stored, wanted);
        while let Some(step) = self.next_move(&mut picker, position) {
            let next = self.descend(position, step, ply, position.gives_check(step));
            self.frame_mut(ply).quiet = None;
            let window = Window::above(high - 1).flipped();
            let mut score = -self.quiesce::<false>(&next, window, ply + 1);
            if score >= high {
                score = -self.search::<false>(&next, window, depth - 5, ply + 1, !cut);
            }
            self.ascend();
            if self.stopped {
                return None;
            }
            if score >= high {
                let entry = TableEntry {
                    step: step.to_bits(),
                    score: to_table(score, ply),
                    estimate: raw,
                    depth: depth - 3,
                    bound: Bound::Lower,
                    was_pv: false,
                };
                self.shared.table.store(position.key(), entry);
                return Some(score);
            }
        }
        None
    }

    /// Stores the result of a root move.
    fn note_root(&mut self, step: Move, score: i32, alpha: i32, number: i32, nodes: u64) {
        let deepest = self.deepest;
        let tail = &self.variations[1];
        let Some(root) = self.root_moves.iter_mut().find(|root| root.step == step) else {
            return;
        };
        root.nodes += nodes;
        if number == 1 || score > alpha {
            root.score = score;
            root.deepest = deepest;
            root.line.clear();
            root.line.push(step.to_bits());
            root.line.extend_from_slice(tail.as_slice());
        } else {
            root.score = -INFINITE;
        }
    }
}
