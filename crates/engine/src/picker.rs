//! The order in which a search tries moves, generated only when they are needed.

use hansu_chess::{Bitboard, Move, MoveList, Position, Role, attacks, exchange_value};

use crate::history::{Context, History};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Stored,
    MakeCaptures,
    Captures,
    Killer,
    MakeQuiets,
    Quiets,
    LosingCaptures,
    Done,
}

/// The moves of all positions of the current line in one vector, one position after another, so
/// that no position needs a buffer of its own.
pub(crate) struct Candidates {
    /// Moves with their scores; higher is tried earlier.
    all: Vec<(Move, i32)>,
    /// Buffer of the generator: moves that have no score yet.
    fresh: MoveList,
}

impl Candidates {
    pub(crate) fn new() -> Candidates {
        Candidates { all: Vec::with_capacity(8192), fresh: MoveList::new() }
    }

    /// Removes the moves that an interrupted search has left.
    pub(crate) fn clear(&mut self) {
        self.all.clear();
    }
}

/// Yields the legal moves of a position, the most promising first, each once.
pub(crate) struct Picker {
    stage: Stage,
    stored: Option<Move>,
    /// Decoded and checked only at [`Stage::Killer`].
    killer_bits: u16,
    killer: Option<Move>,
    /// Captures that must win at least this go before quiet moves.
    threshold: i32,
    /// Only captures, as in a quiescence search.
    captures_only: bool,
    /// The remaining quiet moves are skipped.
    without_quiets: bool,
    /// The range of this position's moves in [`Candidates::all`].
    begin: usize,
    end: usize,
    /// The next move to look at.
    next: usize,
    /// Losing captures are moved to the front, from `begin` to here.
    losing: usize,
    context: Context,
}

impl Picker {
    /// All moves. `killer` is a quiet move that caused a cutoff elsewhere at the same ply, or 0.
    #[inline(always)]
    pub(crate) fn new(
        moves: &Candidates,
        stored: Option<Move>,
        killer: u16,
        context: Context,
    ) -> Picker {
        let begin = moves.all.len();
        Picker {
            stage: Stage::Stored,
            stored,
            killer_bits: killer,
            killer: None,
            threshold: 0,
            captures_only: false,
            without_quiets: false,
            begin,
            end: begin,
            next: begin,
            losing: begin,
            context,
        }
    }

    /// Only captures and promotions that win at least `threshold`.
    #[inline(always)]
    pub(crate) fn captures(moves: &Candidates, stored: Option<Move>, threshold: i32) -> Picker {
        let all = Picker::new(moves, stored, 0, Context::default());
        Picker { threshold, captures_only: true, without_quiets: true, ..all }
    }

    /// From now on yields no quiet moves.
    #[inline(always)]
    pub(crate) fn skip_quiets(&mut self) {
        self.without_quiets = true;
    }

    /// Takes the move with the highest score of those that are left.
    #[inline(always)]
    fn best(&mut self, moves: &mut Candidates) -> Option<(Move, i32)> {
        let left = moves.all.get_mut(self.next..self.end)?;
        let (first, others) = left.split_first_mut()?;
        let mut best = first.1;
        let mut best_slot = None;
        for other in others {
            if other.1 > best {
                best = other.1;
                best_slot = Some(other);
            }
        }
        if let Some(slot) = best_slot {
            std::mem::swap(first, slot);
        }
        self.next += 1;
        Some(*first)
    }

    pub(crate) fn next(
        &mut self,
        position: &Position,
        history: &History,
        moves: &mut Candidates,
    ) -> Option<Move> {
        // Remove what positions further down the line have left.
        moves.all.truncate(self.end);
        loop {
            if self.without_quiets && self.stage >= Stage::Killer && self.stage <= Stage::Quiets {
                self.stage = Stage::LosingCaptures;
                self.next = self.begin;
            }
            match self.stage {
                Stage::Stored => {
                    self.stage = Stage::MakeCaptures;
                    if self.stored.is_some() {
                        return self.stored;
                    }
                }
                Stage::MakeCaptures => {
                    moves.fresh.clear();
                    position.add_captures(&mut moves.fresh);
                    let scored = moves.fresh.iter().map(|&step| {
                        let score = capture_score(position, step, history);
                        (step, score)
                    });
                    moves.all.extend(scored);
                    self.end = moves.all.len();
                    self.stage = Stage::Captures;
                }
                Stage::Captures => {
                    let Some((step, score)) = self.best(moves) else {
                        let done = self.captures_only;
                        self.stage = if done { Stage::Done } else { Stage::Killer };
                        continue;
                    };
                    if Some(step) == self.stored {
                        continue;
                    }
                    let wanted = if self.captures_only {
                        self.threshold
                    } else {
                        self.threshold - score / 32
                    };
                    if position.see_at_least(step, wanted) {
                        return Some(step);
                    }
                    if !self.captures_only {
                        moves.all[self.losing].0 = step;
                        self.losing += 1;
                    }
                }
                Stage::Killer => {
                    self.stage = Stage::MakeQuiets;
                    self.killer = position
                        .move_from_bits(self.killer_bits)
                        .filter(|&step| Some(step) != self.stored && !position.is_capture(step));
                    if self.killer.is_some() {
                        return self.killer;
                    }
                }
                Stage::MakeQuiets => {
                    moves.fresh.clear();
                    position.add_quiets(&mut moves.fresh);
                    let (turn, context) = (position.turn(), self.context);
                    let guarded = attacks::pawns(!turn, position.board().of(Role::Pawn.of(!turn)));
                    let checking = checking_squares(position);
                    let scored = moves.fresh.iter().map(|&step| {
                        let mut score = history.quiet(turn, step, context);
                        let checks = checking[step.role() as usize].contains(step.to());
                        if checks && position.see_at_least(step, -50) {
                            score += CHECK;
                        }
                        if step.role() != Role::Pawn {
                            score += FLIGHT * i32::from(guarded.contains(step.from()));
                            score -= FLIGHT * i32::from(guarded.contains(step.to()));
                        }
                        (step, score)
                    });
                    moves.all.extend(scored);
                    self.next = self.end;
                    self.end = moves.all.len();
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.best(moves) {
                    Some((step, _)) if Some(step) == self.stored || Some(step) == self.killer => {}
                    Some((step, _)) => return Some(step),
                    None => {
                        self.stage = Stage::LosingCaptures;
                        self.next = self.begin;
                    }
                },
                Stage::LosingCaptures => {
                    if self.next < self.losing {
                        self.next += 1;
                        return Some(moves.all[self.next - 1].0);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }
}

/// Bonus for leaving a square that a pawn attacks, and penalty for going to one.
const FLIGHT: i32 = 10_000;

/// Bonus for a check that does not lose a piece.
const CHECK: i32 = 16_000;

/// The squares where a piece of the side to move would attack the other king, by role.
fn checking_squares(position: &Position) -> [Bitboard; 6] {
    let (occupied, turn) = (position.board().occupied(), position.turn());
    let king = position.king(!turn);
    let lines = attacks::rook(king, occupied);
    let diagonals = attacks::bishop(king, occupied);
    Role::ALL.map(|role| match role {
        Role::Pawn => attacks::pawn(!turn, king),
        Role::Knight => attacks::knight(king),
        Role::Bishop => diagonals,
        Role::Rook => lines,
        Role::Queen => lines | diagonals,
        Role::King => Bitboard::EMPTY,
    })
}

/// The most valuable victim first; among equals, what has worked before.
fn capture_score(position: &Position, step: Move, history: &History) -> i32 {
    let taken = position.taken(step).map_or(0, exchange_value);
    let becomes = match step.promotion() {
        Some(Role::Queen) => 900,
        Some(_) => -2000,
        None => 0,
    };
    8 * (taken + becomes) + history.capture(position, step) / 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::NO_MOVE;
    use std::collections::HashSet;

    /// Positions of games whose moves a fixed rule chooses.
    fn positions() -> Vec<Position> {
        let mut line = vec![Position::start()];
        let mut number = 7usize;
        for start in [518, 0, 959, 333] {
            line.push(Position::chess960(start).expect("a start"));
            for _ in 0..150 {
                let now = line[line.len() - 1];
                let moves = now.legal_moves();
                if moves.is_empty() {
                    break;
                }
                number = number.wrapping_mul(1_103_515_245).wrapping_add(12345) & 0x7fff_ffff;
                line.push(now.play(moves[(number >> 8) % moves.len()]));
            }
        }
        line
    }

    #[test]
    fn every_legal_move_comes_once_whatever_is_stored() {
        let history = History::new();
        let mut moves = Candidates::new();
        for position in positions() {
            let legal: HashSet<Move> = position.legal_moves().into_iter().collect();
            let some: Vec<Move> = legal.iter().copied().take(3).collect();
            for stored in [None, some.first().copied(), some.last().copied()] {
                for killer in [0, some.get(1).map_or(77, |step| step.to_bits()), 4242] {
                    let context = Context { before: [NO_MOVE; 3], ..Context::default() };
                    let mut picker = Picker::new(&moves, stored, killer, context);
                    let mut seen = Vec::new();
                    while let Some(step) = picker.next(&position, &history, &mut moves) {
                        seen.push(step);
                    }
                    assert_eq!(seen.len(), legal.len());
                    assert_eq!(seen.into_iter().collect::<HashSet<_>>(), legal);
                }
            }
        }
    }
}
