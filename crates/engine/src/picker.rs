//! The order in which a search tries moves, generated only when they are needed.

use hansu_chess::{Move, MoveList, Position, Role, exchange_value};

use crate::history::History;

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

/// Hands out the legal moves of a position, the most promising first, each once.
pub(crate) struct Picker {
    stage: Stage,
    stored: Option<Move>,
    /// Looked at only when its turn comes.
    killer_bits: u16,
    killer: Option<Move>,
    /// Captures that must win at least this go before quiet moves.
    threshold: i32,
    /// Only captures, as in a quiescence search.
    captures_only: bool,
    /// The rest of the quiet moves is not wanted.
    without_quiets: bool,
    moves: MoveList,
    scores: [i32; 256],
    /// The next move to look at.
    next: usize,
    /// Losing captures are kept at the front of the list.
    losing: usize,
    before: [usize; 3],
}

impl Picker {
    /// All moves. `killer` is a quiet move that was good elsewhere at the same ply.
    pub(crate) fn new(stored: Option<Move>, killer: u16, before: [usize; 3]) -> Picker {
        Picker {
            stage: Stage::Stored,
            stored,
            killer_bits: killer,
            killer: None,
            threshold: 0,
            captures_only: false,
            without_quiets: false,
            moves: MoveList::new(),
            scores: [0; 256],
            next: 0,
            losing: 0,
            before,
        }
    }

    /// Only captures and promotions that win at least `threshold`.
    pub(crate) fn captures(stored: Option<Move>, threshold: i32) -> Picker {
        Picker {
            stage: Stage::Stored,
            stored,
            killer_bits: 0,
            killer: None,
            threshold,
            captures_only: true,
            without_quiets: true,
            moves: MoveList::new(),
            scores: [0; 256],
            next: 0,
            losing: 0,
            before: [0; 3],
        }
    }

    /// From now on no quiet moves.
    pub(crate) fn skip_quiets(&mut self) {
        self.without_quiets = true;
    }

    /// Takes the best of the moves that are left.
    fn best(&mut self, end: usize) -> Option<(Move, i32)> {
        let mut best = self.next;
        if best >= end {
            return None;
        }
        for at in self.next + 1..end {
            if self.scores[at] > self.scores[best] {
                best = at;
            }
        }
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        Some((self.moves[self.next - 1], self.scores[self.next - 1]))
    }

    pub(crate) fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            if self.without_quiets && self.stage >= Stage::Killer && self.stage <= Stage::Quiets {
                self.stage = Stage::LosingCaptures;
                self.next = 0;
            }
            match self.stage {
                Stage::Stored => {
                    self.stage = Stage::MakeCaptures;
                    if self.stored.is_some() {
                        return self.stored;
                    }
                }
                Stage::MakeCaptures => {
                    position.add_captures(&mut self.moves);
                    for at in 0..self.moves.len() {
                        self.scores[at] = capture_score(position, self.moves[at], history);
                    }
                    self.stage = Stage::Captures;
                }
                Stage::Captures => {
                    let Some((step, score)) = self.best(self.moves.len()) else {
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
                        self.moves[self.losing] = step;
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
                    let start = self.moves.len();
                    position.add_quiets(&mut self.moves);
                    for at in start..self.moves.len() {
                        let step = self.moves[at];
                        self.scores[at] = history.quiet(position.turn(), step, self.before);
                    }
                    self.next = start;
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.best(self.moves.len()) {
                    Some((step, _)) if Some(step) == self.stored || Some(step) == self.killer => {}
                    Some((step, _)) => return Some(step),
                    None => {
                        self.stage = Stage::LosingCaptures;
                        self.next = 0;
                    }
                },
                Stage::LosingCaptures => {
                    if self.next < self.losing {
                        self.next += 1;
                        return Some(self.moves[self.next - 1]);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }
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

    /// A walk through a game by a fixed rule.
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
        for position in positions() {
            let legal: HashSet<Move> = position.legal_moves().into_iter().collect();
            let some: Vec<Move> = legal.iter().copied().take(3).collect();
            for stored in [None, some.first().copied(), some.last().copied()] {
                for killer in [0, some.get(1).map_or(77, |step| step.to_bits()), 4242] {
                    let mut picker = Picker::new(stored, killer, [NO_MOVE; 3]);
                    let mut seen = Vec::new();
                    while let Some(step) = picker.next(&position, &history) {
                        seen.push(step);
                    }
                    assert_eq!(seen.len(), legal.len());
                    assert_eq!(seen.into_iter().collect::<HashSet<_>>(), legal);
                }
            }
        }
    }
}
