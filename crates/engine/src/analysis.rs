//! A whole game looked at again: win chances at every ply, better moves, mistakes, accuracy.

use hansu_chess::{Color, Move, Position, Role};

use crate::engine::{Answer, Engine};
use crate::limits::{Limits, NoTime, Signals};
use crate::score::{MATE, Verdict, win_draw_loss};
use std::sync::atomic::Ordering::Relaxed;

/// How bad a move was, by the win chance it lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    /// Nothing to say.
    Fine,
    /// A tenth of the win chance or more.
    Inaccuracy,
    /// A fifth or more.
    Mistake,
    /// Three tenths or more.
    Blunder,
}

impl Judgement {
    fn of(lost: f64) -> Judgement {
        match lost {
            lost if lost >= 0.3 => Judgement::Blunder,
            lost if lost >= 0.2 => Judgement::Mistake,
            lost if lost >= 0.1 => Judgement::Inaccuracy,
            _ => Judgement::Fine,
        }
    }

    /// The numeric annotation glyph of PGN: `$6` is "?!", `$2` is "?", `$4` is "??".
    pub fn glyph(self) -> Option<u8> {
        match self {
            Judgement::Fine => None,
            Judgement::Inaccuracy => Some(6),
            Judgement::Mistake => Some(2),
            Judgement::Blunder => Some(4),
        }
    }
}

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The first ten moves of each side.
    Opening,
    /// What is neither of the others.
    Middlegame,
    /// Both sides together have at most six pieces beside kings and pawns.
    Endgame,
}

impl Phase {
    /// The phase of a position at a ply of the game.
    pub fn of(position: &Position, ply: usize) -> Phase {
        let board = position.board();
        let pieces = board.occupied() - board.of_role(Role::Pawn) - board.of_role(Role::King);
        if pieces.len() <= 6 {
            Phase::Endgame
        } else if ply < 20 {
            Phase::Opening
        } else {
            Phase::Middlegame
        }
    }
}

/// What is known of one ply.
#[derive(Clone, Debug)]
pub struct PlyAnalysis {
    /// Who moved.
    pub mover: Color,
    /// What was played.
    pub played: Move,
    /// What would have been best.
    pub best: Option<Move>,
    /// The line that begins with it.
    pub line: Vec<Move>,
    /// The score before the move and after it, for White.
    pub scores: [i32; 2],
    /// The mover's win chance (draws count half) before the move and after it, from 0 to 1.
    pub chances: [f64; 2],
    /// How bad the move was.
    pub judgement: Judgement,
    /// The part of the game.
    pub phase: Phase,
}

impl PlyAnalysis {
    /// What the move lost of the mover's win chance, from 0 to 1.
    pub fn lost(&self) -> f64 {
        (self.chances[0] - self.chances[1]).max(0.0)
    }
}

/// What is known of a game.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// One for every move that was looked at.
    pub plies: Vec<PlyAnalysis>,
    /// Whether the whole game was looked at.
    pub complete: bool,
}

impl Analysis {
    /// How much of the win chance a side's moves kept on average, in percent; of one phase or of all.
    /// `None` without a move.
    pub fn accuracy(&self, side: Color, phase: Option<Phase>) -> Option<f64> {
        let of_side = self.plies.iter().filter(|ply| ply.mover == side);
        let kept: Vec<f64> = of_side
            .filter(|ply| phase.is_none_or(|phase| ply.phase == phase))
            .map(|ply| 1.0 - ply.lost())
            .collect();
        (!kept.is_empty()).then(|| 100.0 * kept.iter().sum::<f64>() / kept.len() as f64)
    }
}

/// The win chance of the side with this score, from 0 to 1; draws count half.
///
/// ```
/// assert_eq!(hansu_engine::win_chance(0), 0.5);
/// assert!(hansu_engine::win_chance(300) > 0.8);
/// ```
pub fn win_chance(score: i32) -> f64 {
    let [win, draw, _] = match Verdict::of(score) {
        Verdict::Mate(moves) if moves > 0 => [1000, 0, 0],
        Verdict::Mate(_) => [0, 0, 1000],
        Verdict::Centipawns(score) => win_draw_loss(score),
    };
    f64::from(2 * win + draw) / 2000.0
}

/// What a position that is over, or one that was searched, is worth to the side to move.
fn look(
    engine: &mut Engine,
    position: &Position,
    earlier: &[u64],
    nodes: u64,
    signals: &Signals,
) -> (i32, Option<Answer>, Vec<Move>) {
    if !position.has_moves() {
        return (if position.is_check() { -MATE } else { 0 }, None, Vec::new());
    }
    if position.is_dead() {
        return (0, None, Vec::new());
    }
    let limits = Limits { nodes: Some(nodes.max(1)), ..Limits::default() };
    let mut line = Vec::new();
    let answer = engine.search(position, earlier, &limits, signals, &NoTime, &mut |news| {
        line.clone_from(&news.moves);
    });
    let best = answer.best;
    if line.first().copied() != best {
        line = best.into_iter().collect();
    }
    (answer.score, Some(answer), line)
}

/// Looks at a game again, each position with a limit of nodes, the last one first: so a position knows
/// what comes of it. `progress` hears how many positions are done and how many there are;
/// [`Signals::stop`] ends it, and what is known by then is given.
///
/// ```
/// use hansu_chess::Position;
/// use hansu_engine::{Engine, Settings, Signals, analyse};
/// let start = Position::start();
/// let moves = [start.legal_moves()[0]];
/// let mut engine = Engine::new(Settings { megabytes: 1, ..Settings::default() });
/// let game = analyse(&mut engine, &start, &moves, 500, &Signals::default(), &mut |_, _| ());
/// assert!(game.complete && game.plies.len() == 1);
/// ```
pub fn analyse(
    engine: &mut Engine,
    start: &Position,
    moves: &[Move],
    nodes: u64,
    signals: &Signals,
    progress: &mut dyn FnMut(usize, usize),
) -> Analysis {
    let mut positions = vec![*start];
    for &step in moves {
        let last = positions[positions.len() - 1];
        positions.push(last.play(step));
    }
    let keys: Vec<u64> = positions.iter().map(Position::key).collect();
    engine.clear();
    let mut plies = Vec::new();
    let mut after: Option<i32> = None;
    let mut done = 0;
    for (ply, position) in positions.iter().enumerate().rev() {
        let (score, answer, line) = look(engine, position, &keys[..ply], nodes, signals);
        if signals.stop.load(Relaxed) {
            break;
        }
        done += 1;
        progress(done, positions.len());
        if let (Some(after), Some(&played)) = (after, moves.get(ply)) {
            let best = answer.and_then(|answer| answer.best);
            // Nobody can do better than the best move: when it was played, nothing was lost.
            let before = if best == Some(played) { -after } else { score.max(-after) };
            let chances = [win_chance(before), win_chance(-after)];
            let for_white =
                |score: i32| if position.turn() == Color::White { score } else { -score };
            plies.push(PlyAnalysis {
                mover: position.turn(),
                played,
                best,
                line,
                scores: [for_white(before), for_white(-after)],
                chances,
                judgement: Judgement::of(chances[0] - chances[1]),
                phase: Phase::of(position, ply),
            });
        }
        after = Some(score);
    }
    plies.reverse();
    Analysis { plies, complete: done == positions.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Settings;
    use hansu_chess::UciMove;

    fn game(moves: &str) -> Analysis {
        let start = Position::start();
        let mut position = start;
        let mut steps = Vec::new();
        for word in moves.split_whitespace() {
            let step = word.parse::<UciMove>().expect(word).to_move(&position).expect(word);
            steps.push(step);
            position = position.play(step);
        }
        let mut engine = Engine::new(Settings { megabytes: 2, ..Settings::default() });
        let mut told = Vec::new();
        let all =
            analyse(&mut engine, &start, &steps, 4_000, &Signals::default(), &mut |at, of| {
                told.push((at, of));
            });
        assert_eq!(told.last(), Some(&(steps.len() + 1, steps.len() + 1)));
        all
    }

    #[test]
    fn the_shortest_mate_has_its_blunder() {
        let all = game("f2f3 e7e5 g2g4 d8h4");
        assert_eq!(all.plies.len(), 4);
        assert_eq!(all.plies[2].judgement, Judgement::Blunder);
        assert_eq!(all.plies[2].chances[1], 0.0);
        assert_eq!(all.plies[3].judgement, Judgement::Fine);
        assert_eq!(all.plies[3].scores[1], -MATE);
        assert_eq!(all.accuracy(Color::Black, None), Some(100.0));
        assert!(all.accuracy(Color::White, Some(Phase::Opening)) < Some(90.0));
        assert_eq!(all.accuracy(Color::White, Some(Phase::Endgame)), None);
    }

    #[test]
    fn a_queen_given_away_is_a_blunder_and_taking_it_is_fine() {
        let all = game("e2e4 e7e5 d1h5 b8c6 h5f7 e8f7");
        assert_eq!(all.plies[4].judgement, Judgement::Blunder);
        assert_eq!(all.plies[5].judgement, Judgement::Fine);
        assert_eq!(all.plies[4].judgement.glyph(), Some(4));
    }

    #[test]
    fn an_analysis_that_is_stopped_is_not_complete() {
        let start = Position::start();
        let signals = Signals::default();
        signals.stop.store(true, Relaxed);
        let mut engine = Engine::new(Settings { megabytes: 1, ..Settings::default() });
        let steps = [start.legal_moves()[0]];
        let all = analyse(&mut engine, &start, &steps, 1_000, &signals, &mut |_, _| ());
        assert!(!all.complete && all.plies.is_empty());
    }
}
