//! The bench: a fixed set of positions, searched to a fixed depth. It measures speed, and its
//! number of nodes changes whenever the search does.

use hansu_chess::{Position, Variant};

use crate::engine::{Engine, Settings};
use crate::evaluator::Evaluator;
use crate::limits::{Limits, NoTime, Signals};

/// The default depth of the bench, in plies.
pub const BENCH_DEPTH: u32 = 10;

/// The positions of the bench, made for this project: openings whose moves a fixed rule chooses,
/// and endgames.
pub fn bench_positions() -> Vec<Position> {
    let mut all = Vec::new();
    let mut number = 20_261_116u64;
    for game in 0..24 {
        let mut position = Position::start();
        for _ in 0..(6 + 3 * (game % 12)) {
            let moves = position.legal_moves();
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            // Moves that lose no material at once make more natural games.
            let sound: Vec<_> =
                moves.iter().copied().filter(|&step| position.see_at_least(step, 0)).collect();
            let among = if sound.is_empty() { &moves } else { &sound };
            if among.is_empty() {
                break;
            }
            position = position.play(among[(number >> 33) as usize % among.len()]);
        }
        if position.has_moves() {
            all.push(position);
        }
    }
    let endgames = [
        "8/5k2/3p4/1p1Pp3/pP2P3/P4K2/8/8 w - - 0 1",
        "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "8/8/8/8/4k3/8/1R6/4K3 w - - 0 1",
        "6k1/5ppp/4p3/8/2r5/8/1R3PPP/6K1 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ];
    all.extend(endgames.iter().filter_map(|fen| Position::from_fen(fen, Variant::Standard).ok()));
    all
}

/// Searches the positions with one thread; returns the number of nodes, which is the same in every
/// run of the same code.
///
/// ```
/// use hansu_engine::{Evaluator, bench};
/// assert_eq!(bench(3, Evaluator::Hand), bench(3, Evaluator::Hand));
/// ```
pub fn bench(depth: u32, evaluator: Evaluator) -> u64 {
    let mut engine = Engine::new(Settings { megabytes: 16, threads: 1, evaluator });
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut nodes = 0;
    for position in bench_positions() {
        engine.clear();
        let answer =
            engine.search(&position, &[], &limits, &Signals::default(), &NoTime, &mut |_| ());
        nodes += answer.nodes;
    }
    nodes
}
