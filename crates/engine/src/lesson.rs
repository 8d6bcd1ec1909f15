//! What there is to learn from a move: what it allows, and what would have been better. Facts are
//! proven on the board; the search only chooses the moves that are examined.

use hansu_chess::{Move, Position};

use crate::motifs::{Fact, facts};

/// A move and the most important fact that is proven of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveFact {
    /// The move.
    pub step: Move,
    /// `None` when nothing can be proven.
    pub fact: Option<Fact>,
}

impl MoveFact {
    fn of(position: &Position, step: Move) -> MoveFact {
        let fact = facts(position, step).into_iter().min_by_key(rank);
        MoveFact { step, fact }
    }
}

/// The order of importance: the smallest comes first.
fn rank(fact: &Fact) -> u8 {
    match fact {
        Fact::Mate { .. } => 0,
        Fact::TakesUndefended { .. } => 1,
        Fact::TakesDearer { .. } => 2,
        Fact::Fork { .. } => 3,
        Fact::Skewer { .. } => 4,
        Fact::Traps { .. } => 5,
        Fact::Discovers { .. } => 6,
        Fact::Pin { .. } => 7,
    }
}

/// What there is to learn from a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// The opponent's best reply, if a fact is proven of it.
    pub allows: Option<MoveFact>,
    /// True if `allows` is a mate that was already threatened before the move.
    pub threatened: bool,
    /// The better move; `None` when the best one was played.
    pub better: Option<MoveFact>,
}

/// The lesson of a legal move. `best` is the best move of the position and `reply` the best reply
/// to `played`, both from a search; those that are not legal are ignored.
///
/// ```
/// use hansu_chess::{Position, Square};
/// use hansu_engine::{Fact, lesson};
/// let before: Position = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2".parse()?;
/// let played = before.judge(Square::G2, Square::G4, None)?;
/// let reply = before.play(played).judge(Square::D8, Square::H4, None)?;
/// let lesson = lesson(&before, played, None, Some(reply));
/// let mate = Some(Fact::Mate { back_rank: false });
/// assert_eq!(lesson.allows.map(|reply| reply.fact), Some(mate));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lesson(
    position: &Position,
    played: Move,
    best: Option<Move>,
    reply: Option<Move>,
) -> Lesson {
    let next = position.play(played);
    let reply = reply.filter(|reply| next.legal_moves().contains(reply));
    let allows = reply.map(|reply| MoveFact::of(&next, reply)).filter(|reply| reply.fact.is_some());
    let mate = allows.as_ref().filter(|reply| matches!(reply.fact, Some(Fact::Mate { .. })));
    let threatened = mate.is_some_and(|reply| threatens(position, reply.step));
    let best = best.filter(|best| *best != played && position.legal_moves().contains(best));
    Lesson { allows, threatened, better: best.map(|best| MoveFact::of(position, best)) }
}

/// True if this move of the opponent would give mate if the side to move passed.
fn threatens(position: &Position, step: Move) -> bool {
    if position.is_check() {
        return false;
    }
    let passed = position.pass();
    passed.legal_moves().contains(&step) && {
        let next = passed.play(step);
        next.is_check() && !next.has_moves()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansu_chess::UciMove;

    fn step(position: &Position, text: &str) -> Move {
        text.parse::<UciMove>().expect(text).to_move(position).expect(text)
    }

    #[test]
    fn a_threat_of_mate_that_was_overlooked_is_told_from_one_that_was_made_possible() {
        // The scholar's mate stands on the board; a quiet move does nothing about it.
        let before: Position = "rnbqkbnr/pppp1ppp/8/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 3"
            .parse()
            .expect("a position");
        let played = step(&before, "a7a6");
        let reply = step(&before.play(played), "h5f7");
        let best = step(&before, "d8e7");
        let found = lesson(&before, played, Some(best), Some(reply));
        assert!(found.threatened, "{found:?}");
        assert_eq!(found.better, Some(MoveFact { step: best, fact: None }));
        // The best move has nothing better.
        assert_eq!(lesson(&before, best, Some(best), None).better, None);
    }

    #[test]
    fn moves_of_another_position_are_left_out() {
        let start = Position::start();
        let played = step(&start, "e2e4");
        let found = lesson(&start, played, Some(step(&start.play(played), "e7e5")), Some(played));
        assert_eq!(found, Lesson { allows: None, threatened: false, better: None });
    }
}
