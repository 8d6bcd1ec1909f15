//! A short game for tests.

use hansu_chess::{Move, Position, UciMove};
use hansu_engine::{Engine, Settings, Signals, Study};

/// Fool's mate: the start and its moves.
pub(crate) fn fools_mate() -> (Position, Vec<Move>) {
    let start = Position::start();
    let (mut here, mut moves) = (start, Vec::new());
    for word in "f2f3 e7e5 g2g4 d8h4".split(' ') {
        let step = word.parse::<UciMove>().expect(word).to_move(&here).expect(word);
        moves.push(step);
        here = here.play(step);
    }
    (start, moves)
}

/// The complete study of a game.
pub(crate) fn analyse(start: &Position, moves: &[Move], nodes: u64) -> Study {
    let mut study = Study::new(start, moves);
    let mut engine = Engine::new(Settings { megabytes: 1, ..Settings::default() });
    while study.step(&mut engine, nodes, &Signals::default()) {}
    study
}
