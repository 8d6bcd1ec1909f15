//! Tactical motifs: facts about a move that can be proven on the board, from which a teacher makes
//! sentences. A move may have none.

use hansu_chess::attacks::{between, piece as attacked_by};
use hansu_chess::{Bitboard, Color, Move, Position, Role, Square, exchange_value};

/// A fact about a move. Squares are those after the move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The move gives mate.
    Mate {
        /// By a rook or queen along the king's first rank, behind its own pawns.
        back_rank: bool,
    },
    /// The move takes a piece that nothing can take back.
    TakesUndefended {
        /// What is taken.
        role: Role,
        /// Where.
        square: Square,
    },
    /// The move takes a piece with one that is worth at least 1.5 pawns less.
    TakesDearer {
        /// What is taken.
        role: Role,
        /// Where.
        square: Square,
        /// With what.
        with: Role,
    },
    /// The moved piece attacks several pieces, each the king, worth more than itself, or
    /// undefended; it cannot itself be taken at a profit.
    Fork {
        /// Where it stands.
        by: Square,
        /// What it attacks.
        targets: Vec<Square>,
    },
    /// The moved piece pins a piece to its king.
    Pin {
        /// Where the moved piece stands.
        by: Square,
        /// The pinned piece, not a pawn.
        pinned: Square,
    },
    /// The moved piece attacks a piece, and through it another worth less, which loses its cover.
    Skewer {
        /// Where the moved piece stands.
        by: Square,
        /// What must go away: the king, or what is worth more than what stands behind.
        front: Square,
        /// What stands behind.
        behind: Square,
    },
    /// The move opens the line of another piece to a target that is the king or worth more than it.
    Discovers {
        /// The piece behind.
        by: Square,
        /// What it attacks now.
        target: Square,
    },
    /// The move attacks a piece with something cheaper, and on every square that the piece can
    /// reach it can be taken, at a loss of more than a pawn by the count of exchanges.
    Traps {
        /// The piece that cannot get away.
        square: Square,
    },
}

/// From this difference on (hundredths of a pawn) a piece counts as dearer: a rook is dearer than a
/// bishop, a bishop is not dearer than a knight.
const DEARER: i32 = 150;

/// The facts that are proven of a legal move.
///
/// ```
/// use hansu_chess::{Position, Square};
/// use hansu_engine::{Fact, facts};
/// let position: Position = "4k3/8/8/1n6/8/2N5/8/4K3 w - - 0 1".parse()?;
/// let step = position.judge(Square::C3, Square::B5, None)?;
/// let role = hansu_chess::Role::Knight;
/// assert_eq!(facts(&position, step), [Fact::TakesUndefended { role, square: Square::B5 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn facts(position: &Position, step: Move) -> Vec<Fact> {
    let next = position.play(step);
    if next.is_check() && !next.has_moves() {
        return vec![Fact::Mate { back_rank: is_back_rank(&next) }];
    }
    let mut found = Vec::new();
    // When castling, `to` is the rook's square: such moves are left alone.
    if next.piece_at(step.to()).is_none_or(|piece| piece.color != position.turn())
        || next.board().king(position.turn()) == Some(step.to()) && step.role() != Role::King
    {
        return found;
    }
    if let Some(role) = position.taken(step)
        && role != Role::Pawn
        && step.promotion().is_none()
    {
        // En passant takes pawns only, so the taken piece stood where the move ends.
        let (square, with) = (step.to(), step.role());
        if !can_take(&next, square) {
            found.push(Fact::TakesUndefended { role, square });
        } else if exchange_value(role) - exchange_value(with) >= DEARER {
            found.push(Fact::TakesDearer { role, square, with });
        }
    }
    let view = View::new(position, &next, step.to());
    found.extend(view.fork());
    found.extend(view.pin());
    found.extend(view.skewer());
    found.extend(view.discovered(step));
    found.extend(view.trapped(step));
    found
}

/// True if the side to move can capture on a square.
fn can_take(position: &Position, square: Square) -> bool {
    let moves = position.legal_moves();
    moves.into_iter().any(|step| step.to() == square && position.is_capture(step))
}

/// True if the mated king stands on its first rank behind its own pawns and is checked along the
/// rank.
fn is_back_rank(mated: &Position) -> bool {
    let (us, king) = (mated.turn(), mated.king(mated.turn()));
    let home = if us == Color::White { 0 } else { 7 };
    let ahead = if us == Color::White { 1 } else { 6 };
    let board = mated.board();
    let pawns = board.of(Role::Pawn.of(us));
    let straight = board.of_role(Role::Rook) | board.of_role(Role::Queen);
    let checkers = mated.checkers();
    king.index() / 8 == home
        && checkers.len() == 1
        && (checkers & straight).into_iter().any(|by| by.index() / 8 == home)
        && pawns.into_iter().any(|pawn| {
            pawn.index() / 8 == ahead && (pawn.index() % 8).abs_diff(king.index() % 8) <= 1
        })
}

/// A position before and after a move, and what the moved piece attacks then.
struct View<'a> {
    before: &'a Position,
    next: &'a Position,
    /// Where the moved piece stands.
    by: Square,
    /// Its role after the move.
    role: Role,
    attacked: Bitboard,
    us: Color,
}

impl View<'_> {
    fn new<'a>(before: &'a Position, next: &'a Position, by: Square) -> View<'a> {
        let us = before.turn();
        let role = next.piece_at(by).map_or(Role::Pawn, |piece| piece.role);
        let attacked = attacked_by(role.of(us), by, next.board().occupied());
        View { before, next, by, role, attacked, us }
    }

    fn role_at(&self, square: Square) -> Role {
        self.next.piece_at(square).map_or(Role::Pawn, |piece| piece.role)
    }

    /// The value of a target in hundredths of a pawn; the king is worth most.
    fn worth(&self, square: Square) -> i32 {
        match self.role_at(square) {
            Role::King => 10_000,
            role => exchange_value(role),
        }
    }

    fn theirs(&self) -> Bitboard {
        self.next.board().of_color(!self.us)
    }

    /// True if none of their pieces protects a square; pinned pieces protect as well.
    fn is_undefended(&self, square: Square) -> bool {
        let board = self.next.board();
        let occupied = board.occupied() - Bitboard::of(self.by);
        board.attackers(square, !self.us, occupied).is_empty()
    }

    /// True if they can take the moved piece without losing material.
    fn is_lost(&self) -> bool {
        let moves = self.next.legal_moves();
        moves.into_iter().any(|step| {
            step.to() == self.by && self.next.is_capture(step) && self.next.see_at_least(step, 0)
        })
    }

    fn fork(&self) -> Option<Fact> {
        let own = if self.role == Role::King { 0 } else { exchange_value(self.role) };
        let targets: Vec<Square> = (self.attacked & self.theirs())
            .into_iter()
            .filter(|&at| self.role_at(at) != Role::Pawn)
            .filter(|&at| {
                let more = self.role != Role::King && self.worth(at) > own;
                more || self.is_undefended(at)
            })
            .collect();
        (targets.len() >= 2 && !self.is_lost()).then_some(Fact::Fork { by: self.by, targets })
    }

    fn is_slider(&self) -> bool {
        matches!(self.role, Role::Bishop | Role::Rook | Role::Queen)
    }

    /// The first piece of theirs that the moved slider would attack if `front` were empty.
    fn behind(&self, front: Square) -> Option<Square> {
        let occupied = self.next.board().occupied() - Bitboard::of(front);
        let through = attacked_by(self.role.of(self.us), self.by, occupied) - self.attacked;
        (through & self.theirs()).into_iter().find(|&at| between(self.by, at).contains(front))
    }

    fn pin(&self) -> Option<Fact> {
        let fronts = if self.is_slider() { self.attacked & self.theirs() } else { Bitboard::EMPTY };
        fronts.into_iter().find_map(|pinned| {
            let behind = self.behind(pinned)?;
            let counts = self.role_at(behind) == Role::King && self.role_at(pinned) != Role::Pawn;
            counts.then_some(Fact::Pin { by: self.by, pinned })
        })
    }

    fn skewer(&self) -> Option<Fact> {
        let fronts = if self.is_slider() { self.attacked & self.theirs() } else { Bitboard::EMPTY };
        let own = exchange_value(self.role);
        fronts.into_iter().find_map(|front| {
            let behind = self.behind(front)?;
            let counts = self.role_at(behind) != Role::Pawn
                && self.worth(front) > self.worth(behind)
                && self.worth(front) > own
                && (self.worth(behind) > own || self.is_undefended(behind))
                && !self.is_lost();
            counts.then_some(Fact::Skewer { by: self.by, front, behind })
        })
    }

    fn discovered(&self, step: Move) -> Option<Fact> {
        let board = self.next.board();
        let sliders = [Role::Bishop, Role::Rook, Role::Queen];
        let ours = sliders.into_iter().flat_map(|role| {
            board.of(role.of(self.us)).into_iter().map(move |square| (role, square))
        });
        ours.filter(|&(_, square)| square != self.by).find_map(|(role, by)| {
            let piece = role.of(self.us);
            let new = attacked_by(piece, by, board.occupied())
                - attacked_by(piece, by, self.before.board().occupied());
            (new & self.theirs())
                .into_iter()
                .find(|&at| {
                    between(by, at).contains(step.from()) && self.worth(at) > exchange_value(role)
                })
                .map(|target| Fact::Discovers { by, target })
        })
    }

    /// A newly attacked piece (not a pawn or the king) that is lost wherever it goes.
    fn trapped(&self, step: Move) -> Option<Fact> {
        if self.next.is_check() || self.is_lost() {
            return None;
        }
        let was = attacked_by(step.role().of(self.us), step.from(), self.before.board().occupied());
        let cheap =
            |at: Square| self.role != Role::King && self.worth(at) > exchange_value(self.role);
        let targets = (self.attacked & self.theirs()) - was;
        targets
            .into_iter()
            .filter(|&at| !matches!(self.role_at(at), Role::Pawn | Role::King) && cheap(at))
            .find(|&at| {
                // Each of its moves loses more than a pawn by exchanges.
                let moves = self.next.legal_moves();
                moves
                    .into_iter()
                    .filter(|away| away.from() == at)
                    .all(|away| !self.next.is_capture(away) && !self.next.see_at_least(away, -100))
            })
            .map(|square| Fact::Traps { square })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a fact in another way: by legal moves and by attackers.
    fn is_true(before: &Position, step: Move, fact: &Fact) -> bool {
        let next = before.play(step);
        let us = before.turn();
        let board = next.board();
        let attacks = |by: Square, at: Square| {
            board.attackers(at, us, board.occupied()).contains(by)
                && board.of_color(!us).contains(at)
        };
        match fact {
            Fact::Mate { .. } => next.legal_moves().is_empty() && !next.checkers().is_empty(),
            Fact::TakesUndefended { role, square } => {
                before.piece_at(*square) == Some(role.of(!us))
                    && next.legal_moves().iter().all(|reply| reply.to() != *square)
            }
            Fact::TakesDearer { role, square, with } => {
                before.piece_at(*square) == Some(role.of(!us))
                    && next.piece_at(*square) == Some(with.of(us))
                    && exchange_value(*role) > exchange_value(*with)
            }
            Fact::Fork { by, targets } => {
                targets.len() >= 2 && targets.iter().all(|&at| attacks(*by, at))
            }
            Fact::Pin { by, pinned } => {
                // Without the pinned piece the king would be in check by the pinning one.
                let mut open = *board;
                open.set(*pinned, None);
                attacks(*by, *pinned)
                    && open.attackers(next.king(!us), us, open.occupied()).contains(*by)
            }
            Fact::Skewer { by, front, behind } => {
                let mut open = *board;
                open.set(*front, None);
                attacks(*by, *front)
                    && !attacks(*by, *behind)
                    && open.attackers(*behind, us, open.occupied()).contains(*by)
            }
            Fact::Discovers { by, target } => {
                let old = before.board();
                attacks(*by, *target)
                    && !old.attackers(*target, us, old.occupied()).contains(*by)
                    && old.piece_at(*by) == board.piece_at(*by)
            }
            Fact::Traps { square } => {
                let gone = next.legal_moves().into_iter().filter(|away| away.from() == *square);
                !board.attackers(*square, us, board.occupied()).is_empty()
                    && gone.into_iter().all(|away| {
                        let there = next.play(away);
                        let taken = there.legal_moves().into_iter();
                        taken.into_iter().any(|take| take.to() == away.to())
                    })
            }
        }
    }

    #[test]
    fn every_fact_of_ten_thousand_moves_is_true() {
        let (mut number, mut seen, mut looked) = (9u64, [0; 8], 0);
        let mut position = Position::start();
        while looked < 10_000 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmoves() > 60 {
                position = Position::start();
                continue;
            }
            for &step in moves.iter().take(12) {
                looked += 1;
                for fact in facts(&position, step) {
                    assert!(is_true(&position, step, &fact), "{position} {step:?} {fact:?}");
                    let kind = match fact {
                        Fact::Mate { .. } => 0,
                        Fact::TakesUndefended { .. } => 1,
                        Fact::Fork { .. } => 2,
                        Fact::Pin { .. } => 3,
                        Fact::Skewer { .. } => 4,
                        Fact::Discovers { .. } => 5,
                        Fact::TakesDearer { .. } => 6,
                        Fact::Traps { .. } => 7,
                    };
                    seen[kind] += 1;
                }
            }
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            position = position.play(moves[(number >> 33) as usize % moves.len()]);
        }
        // The walk is the same every time: it meets all of them but mates for sure.
        assert!(seen[1..7].iter().all(|&count| count > 0), "{seen:?}");
    }

    fn facts_of(fen: &str, from: Square, to: Square) -> Vec<Fact> {
        let position: Position = fen.parse().expect(fen);
        facts(&position, position.judge(from, to, None).expect("legal"))
    }

    #[test]
    fn textbook_motifs_are_found() {
        use Square::{A1, A8, B5, C7, D3, D5, E1, E8, G1};
        let mate = facts_of("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", A1, A8);
        assert_eq!(mate, [Fact::Mate { back_rank: true }]);
        let fork = facts_of("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", D5, C7);
        assert!(fork.contains(&Fact::Fork { by: C7, targets: vec![A8, E8] }), "{fork:?}");
        let pin = facts_of("4k3/3n4/8/8/8/3B4/8/4K3 w - - 0 1", D3, B5);
        assert!(pin.contains(&Fact::Pin { by: B5, pinned: Square::D7 }), "{pin:?}");
        let skewer = facts_of("4q3/8/8/4k3/8/8/8/K5R1 w - - 0 1", G1, E1);
        let expected = Fact::Skewer { by: E1, front: Square::E5, behind: E8 };
        assert!(skewer.contains(&expected), "{skewer:?}");
    }
}
