//! Quiescence search: captures, and every way out of check, until the position is quiet.

use hansu_chess::{Move, Position, Role};

use crate::picker::Picker;
use crate::score::{
    INFINITE, MATE, MATE_IN_REACH, MAX_PLY, UNKNOWN, from_table, is_mate, to_table,
};
use crate::search::Window;
use crate::table::{Bound, TableEntry};
use crate::worker::Worker;

impl Worker<'_> {
    /// The score when only captures are played on, until the position is quiet.
    pub(crate) fn quiesce<const PV: bool>(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> i32 {
        let Window { mut alpha, beta } = window;

        // 1. Stops, draws and the end of the stack.
        self.count();
        if self.stopped {
            return 0;
        }
        if PV {
            self.variations[ply].len = 0;
            self.deepest = self.deepest.max(ply + 1);
        }
        let in_check = self.frame(ply).in_check;
        if self.is_draw(position, ply, in_check) {
            return self.draw_score();
        }
        if ply >= MAX_PLY - 1 {
            return if in_check { 0 } else { self.memory.estimates.evaluate(ply, position) };
        }

        if alpha < 0 && self.can_repeat(position, ply) {
            alpha = self.draw_score();
            if alpha >= beta {
                return alpha;
            }
        }

        // 2. The entry of the transposition table.
        let key = position.key();
        let found = self.shared.table.probe(key);
        let mut entry = found.unwrap_or(TableEntry::EMPTY);
        entry.score = from_table(entry.score, ply);
        let known = entry.bound != Bound::None && entry.score != UNKNOWN;
        if !PV && known {
            let enough =
                if entry.score >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() };
            if enough {
                return entry.score;
            }
        }

        // 3. Stand pat: no capture is forced, so the estimate is a lower bound.
        let (mut raw, mut best, mut futile) = (UNKNOWN, ply as i32 - MATE, -INFINITE);
        if !in_check {
            let judged = self.estimate(position, ply, &entry);
            (raw, best) = (judged.raw, judged.score);
            let better = if entry.score > best { Bound::is_lower } else { Bound::is_upper };
            if known && !is_mate(entry.score) && better(entry.bound) {
                best = entry.score;
            }
            if best >= beta {
                if found.is_none() {
                    let fresh = TableEntry { estimate: raw, was_pv: PV, ..TableEntry::EMPTY };
                    self.shared.table.store(key, fresh);
                }
                return if is_mate(best) { best } else { (best + beta) / 2 };
            }
            alpha = alpha.max(best);
            futile = judged.score + 130;
        }

        // 4. Captures, or every way out of check.
        let stored = position.move_from_bits(entry.step);
        let mut picker = if in_check {
            Picker::new(&self.memory.moves, stored, 0, self.context(ply, position))
        } else {
            let stored = stored.filter(|&step| position.is_capture(step));
            Picker::captures(&self.memory.moves, stored, 0)
        };
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut number = 0;
        while let Some(step) = self.next_move(&mut picker, position) {
            let gives_check = position.gives_check(step);
            if self.overlooks(position, step, gives_check, ply) {
                continue;
            }
            number += 1;
            // 5. Skip moves that cannot reach the window; out of check, one quiet move is enough.
            if best > -MATE_IN_REACH {
                if in_check {
                    if number > 1 {
                        picker.skip_quiets();
                    }
                } else {
                    if futile <= alpha
                        && !position.see_at_least(step, 1)
                        && step.promotion().is_none()
                    {
                        best = best.max(futile);
                        continue;
                    }
                    if number > 2 && !gives_check && step.promotion() != Some(Role::Queen) {
                        continue;
                    }
                }
            }
            let next = self.descend(position, step, ply, gives_check);
            let window = Window { alpha, beta }.flipped();
            let score = -self.quiesce::<PV>(&next, window, ply + 1);
            self.ascend();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(step);
                    if PV {
                        self.extend_variation(ply, step);
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && number == 0 {
            return ply as i32 - MATE;
        }
        if !is_mate(best) && best > beta {
            best = (best + beta) / 2;
        }
        let entry = TableEntry {
            step: best_move.map_or(0, Move::to_bits),
            score: to_table(best, ply),
            estimate: raw,
            depth: 0,
            bound,
            was_pv: PV && entry.was_pv,
        };
        self.shared.table.store(key, entry);
        best
    }
}
