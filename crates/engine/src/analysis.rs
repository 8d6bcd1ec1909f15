//! Analysis of a whole game: win chances at every ply, better moves, mistakes, accuracy.

use hansu_chess::{Color, Move, Position, Role};

use crate::engine::Engine;
use crate::limits::{Limits, NoTime, Signals};
use crate::score::{MATE, is_mate, win_draw_loss};
use std::sync::atomic::Ordering::Relaxed;

/// How bad a move was, by the win chance it lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    /// Less than a tenth of the win chance.
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
    /// Neither opening nor endgame.
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

/// The analysis of one move.
#[derive(Clone, Debug)]
pub struct PlyAnalysis {
    /// The side that moved.
    pub mover: Color,
    /// The move that was played.
    pub played: Move,
    /// The best move; `None` where the search found none.
    pub best: Option<Move>,
    /// The line that begins with the best move.
    pub line: Vec<Move>,
    /// The best reply to the played move.
    pub reply: Option<Move>,
    /// The score before the move and after it, for White.
    pub scores: [i32; 2],
    /// The mover's win chance (draws count half) before the move and after it, from 0 to 1.
    pub chances: [f64; 2],
    /// How bad the move was, by the win chance it lost.
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

/// The analysis of a game, or of its last moves while it is incomplete.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// One for every analysed move, in the order of the game.
    pub plies: Vec<PlyAnalysis>,
    /// True if the whole game was analysed.
    pub complete: bool,
}

impl Analysis {
    /// The average share of the win chance that a side's moves kept, in percent; of one phase or of
    /// all. `None` without a move.
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
    if is_mate(score) {
        return if score > 0 { 1.0 } else { 0.0 };
    }
    let [win, draw, _] = win_draw_loss(score);
    f64::from(2 * win + draw) / 2000.0
}

/// What the search found in one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The score for the side to move.
    pub score: i32,
    /// The best line; empty when the game is over there.
    pub line: Vec<Move>,
}

impl Finding {
    /// Searches a position, unless the game is over there.
    fn search(
        engine: &mut Engine,
        position: &Position,
        earlier: &[u64],
        nodes: u64,
        signals: &Signals,
    ) -> Finding {
        if !position.has_moves() {
            let score = if position.is_check() { -MATE } else { 0 };
            return Finding { score, line: Vec::new() };
        }
        if position.is_dead() {
            return Finding { score: 0, line: Vec::new() };
        }
        let limits = Limits { nodes: Some(nodes.max(1)), ..Limits::default() };
        let mut line = Vec::new();
        let answer = engine.search(position, earlier, &limits, signals, &NoTime, &mut |news| {
            line.clone_from(&news.moves);
        });
        if line.first().copied() != answer.best {
            line = answer.best.into_iter().collect();
        }
        Finding { score: answer.score, line }
    }

    /// The best move; `None` when the game is over.
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }
}

/// An analysis in progress: positions are searched one by one, the last first, so that the search
/// of an earlier position profits from the later ones. It can be stored between two positions and
/// resumed later.
///
/// ```
/// use hansu_chess::Position;
/// use hansu_engine::{Engine, Settings, Signals, Study};
/// let start = Position::start();
/// let moves = [start.legal_moves()[0]];
/// let mut engine = Engine::new(Settings { megabytes: 1, ..Settings::default() });
/// let mut study = Study::new(&start, &moves);
/// assert!(study.step(&mut engine, 500, &Signals::default()));
/// let mut later = Study::new(&start, &moves);
/// later.resume(study.findings().to_vec());
/// assert_eq!((later.done(), later.total()), (1, 2));
/// ```
#[derive(Clone, Debug)]
pub struct Study {
    positions: Vec<Position>,
    keys: Vec<u64>,
    moves: Vec<Move>,
    findings: Vec<Finding>,
}

impl Study {
    /// The study of a game of legal moves, without findings.
    pub fn new(start: &Position, moves: &[Move]) -> Study {
        let mut positions = Vec::with_capacity(moves.len() + 1);
        let mut last = *start;
        positions.push(last);
        for &step in moves {
            last = last.play(step);
            positions.push(last);
        }
        let keys = positions.iter().map(Position::key).collect();
        Study { positions, keys, moves: moves.to_vec(), findings: Vec::new() }
    }

    /// Resumes from stored findings, the last position first. Surplus findings are dropped.
    pub fn resume(&mut self, mut findings: Vec<Finding>) {
        findings.truncate(self.positions.len());
        self.findings = findings;
    }

    /// Searches one more position. Returns false if the search was stopped or all are done.
    pub fn step(&mut self, engine: &mut Engine, nodes: u64, signals: &Signals) -> bool {
        let Some(ply) = self.positions.len().checked_sub(self.findings.len() + 1) else {
            return false;
        };
        let finding =
            Finding::search(engine, &self.positions[ply], &self.keys[..ply], nodes, signals);
        if signals.stop.load(Relaxed) {
            return false;
        }
        self.findings.push(finding);
        true
    }

    /// Number of searched positions.
    pub fn done(&self) -> usize {
        self.findings.len()
    }

    /// Number of positions: one more than moves.
    pub fn total(&self) -> usize {
        self.positions.len()
    }

    /// True if all positions have been searched.
    pub fn is_complete(&self) -> bool {
        self.done() == self.total()
    }

    /// The findings so far, the last position first.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The positions of the game, from the start on.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The finding in the position after `ply` plies, if it has been searched.
    pub fn finding(&self, ply: usize) -> Option<&Finding> {
        let back = self.positions.len().checked_sub(ply + 1)?;
        self.findings.get(back)
    }

    /// The analysis of all moves whose positions before and after were searched.
    pub fn analysis(&self) -> Analysis {
        let known = self.moves.iter().enumerate();
        let plies = known.filter_map(|(ply, &played)| {
            let (finding, next) = (self.finding(ply)?, self.finding(ply + 1)?);
            Some(judge_ply(&self.positions[ply], ply, played, finding, next))
        });
        Analysis { plies: plies.collect(), complete: self.is_complete() }
    }
}

/// Judges a move by the findings before and after it.
fn judge_ply(
    position: &Position,
    ply: usize,
    played: Move,
    finding: &Finding,
    next: &Finding,
) -> PlyAnalysis {
    let (best, after) = (finding.best(), next.score);
    // Nothing is better than the best move: when it was played, nothing was lost.
    let before = if best == Some(played) { -after } else { finding.score.max(-after) };
    let chances = [win_chance(before), win_chance(-after)];
    let for_white = |score: i32| if position.turn() == Color::White { score } else { -score };
    PlyAnalysis {
        mover: position.turn(),
        played,
        best,
        line: finding.line.clone(),
        reply: next.best(),
        scores: [for_white(before), for_white(-after)],
        chances,
        judgement: Judgement::of(chances[0] - chances[1]),
        phase: Phase::of(position, ply),
    }
}

/// Analyses a whole game, each position with a limit of nodes. `progress` is called with the number
/// of searched positions and of all positions. After [`Signals::stop`] the analysis so far is
/// returned.
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
    let mut study = Study::new(start, moves);
    engine.clear();
    while study.step(engine, nodes, signals) {
        progress(study.done(), study.total());
    }
    study.analysis()
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
        let mut reports = Vec::new();
        let all =
            analyse(&mut engine, &start, &steps, 4_000, &Signals::default(), &mut |at, of| {
                reports.push((at, of));
            });
        assert_eq!(reports.last(), Some(&(steps.len() + 1, steps.len() + 1)));
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
        assert_eq!(all.plies[3].chances, [1.0, 1.0], "who gives mate has won");
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
    fn a_study_that_is_gone_on_with_knows_what_an_unbroken_one_does() {
        let start = Position::start();
        let mut steps = Vec::new();
        let mut position = start;
        for _ in 0..6 {
            steps.push(position.legal_moves()[3]);
            position = position.play(steps[steps.len() - 1]);
        }
        let new = || Engine::new(Settings { megabytes: 1, ..Settings::default() });
        let (mut engine, signals) = (new(), Signals::default());
        let mut whole = Study::new(&start, &steps);
        // A new engine for each position, so that both find the same.
        while whole.step(&mut engine, 300, &signals) {
            engine = new();
        }
        let mut half = Study::new(&start, &steps);
        for _ in 0..3 {
            assert!(half.step(&mut new(), 300, &signals));
        }
        assert_eq!(half.analysis().plies.len(), 2);
        let mut rest = Study::new(&start, &steps);
        rest.resume(half.findings().to_vec());
        while rest.step(&mut new(), 300, &signals) {}
        assert_eq!(rest.findings(), whole.findings());
        assert!(rest.is_complete() && rest.analysis().complete);
        // Surplus findings are dropped.
        rest.resume(vec![Finding { score: 0, line: Vec::new() }; 100]);
        assert!(rest.is_complete() && !rest.step(&mut new(), 300, &signals));
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
