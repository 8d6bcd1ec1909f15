//! Laws of searches: mates are found, moves are legal, the same search gives the same answer.

use std::time::Duration;

use hansu_chess::{Color, Game, Position, Variant};
use hansu_engine::{
    ClockState, Engine, Evaluator, Limits, NoTime, Settings, Signals, SystemTime, Verdict, bench,
};

fn engine(threads: usize) -> Engine {
    Engine::new(Settings { megabytes: 4, threads, evaluator: Evaluator::Hand })
}

/// Mates of our own making, with the number of moves.
const MATES: [(&str, i32); 10] = [
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
    ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 1),
    ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 1),
    ("8/8/8/8/8/1k6/7r/K7 b - - 0 1", 1),
    ("6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1", 1),
    ("4k3/R7/8/4K3/8/8/8/7Q w - - 0 1", 2),
    ("7k/R7/1R6/8/8/8/8/K7 w - - 0 1", 1),
    ("8/8/2k5/R7/1R6/8/8/K7 w - - 0 1", 6),
    ("3k4/8/3K4/8/8/8/8/Q7 w - - 0 1", 1),
    ("5k2/8/5K2/8/8/8/8/R7 w - - 0 1", 1),
];

#[test]
fn mates_are_found_and_no_longer_than_they_need_be() {
    for (fen, moves) in MATES {
        let position: Position = fen.parse().expect("sound");
        let limits = Limits { depth: Some(30), mate: Some(moves as u32), ..Limits::default() };
        let answer =
            engine(1).search(&position, &[], &limits, &Signals::default(), &NoTime, &mut |_| ());
        let Verdict::Mate(found) = Verdict::of(answer.score) else {
            panic!("no mate found in {fen}: {}", answer.score);
        };
        assert!((1..=moves).contains(&found), "{fen}: {found}");
    }
}

/// Plays a position out against itself; the winner.
fn play_out(fen: &str, nodes: u64, evaluator: Evaluator) -> Option<Color> {
    let mut game = Game::from_position(fen.parse().expect("sound"), Variant::Standard);
    let mut engine = Engine::new(Settings { megabytes: 4, threads: 1, evaluator });
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    while game.outcome().is_none() && game.claim().is_none() {
        let earlier: Vec<u64> = game.positions().iter().map(Position::key).collect();
        let (last, before) = earlier.split_last().expect("a position");
        assert_eq!(*last, game.position().key());
        let position = *game.position();
        let answer =
            engine.search(&position, before, &limits, &Signals::default(), &NoTime, &mut |_| ());
        let step = answer.best.expect("a game that goes on has moves").uci(Variant::Chess960);
        game.play(step.from, step.to, step.promotion).expect("legal");
    }
    game.outcome().and_then(|outcome| outcome.winner)
}

#[test]
fn simple_endgames_are_won() {
    for fen in [
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
        "8/8/8/4k3/8/8/8/RK6 w - - 0 1",
        "8/8/8/4k3/8/8/8/1KBB4 w - - 0 1",
        "8/8/8/8/4k3/8/4P3/4K3 b - - 0 1",
        "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1",
    ] {
        let expected = if fen.contains("4P3") { None } else { Some(Color::White) };
        for evaluator in [Evaluator::Hand, Evaluator::best()] {
            assert_eq!(play_out(fen, 20_000, evaluator), expected, "{fen}");
        }
    }
}

#[test]
fn bishop_and_knight_win_against_a_bare_king() {
    for fen in [
        "8/8/8/4k3/8/8/8/1KBN4 w - - 0 1",
        "8/8/8/4k3/8/8/8/1KNB4 w - - 0 1",
        "k7/8/8/8/8/8/8/6BK w - - 0 1",
        "7k/8/8/3K4/8/8/2N5/1B6 w - - 0 1",
        "8/5b1k/8/8/8/2n5/8/K7 b - - 0 1",
        "8/8/8/8/3k4/8/8/KB1N4 w - - 0 1",
    ] {
        // The third has no knight: it is a draw.
        let winner = match (fen.contains('N'), fen.contains('n')) {
            (true, _) => Some(Color::White),
            (_, true) => Some(Color::Black),
            _ => None,
        };
        assert_eq!(play_out(fen, 20_000, Evaluator::best()), winner, "{fen}");
    }
}

#[test]
fn games_against_itself_are_legal_to_their_end() {
    for number in [518, 0, 77, 959] {
        let mut game =
            Game::from_position(Position::chess960(number).expect("a start"), Variant::Chess960);
        let mut engine = engine(1);
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        while game.outcome().is_none() && game.moves().len() < 300 {
            let position = *game.position();
            let keys: Vec<u64> = game.positions().iter().map(Position::key).collect();
            let answer = engine.search(
                &position,
                &keys[..keys.len() - 1],
                &limits,
                &Signals::default(),
                &NoTime,
                &mut |progress| {
                    let mut now = position;
                    for &step in &progress.moves {
                        assert!(now.legal_moves().contains(&step));
                        now = now.play(step);
                    }
                },
            );
            let step = answer.best.expect("a move").uci(Variant::Chess960);
            game.play(step.from, step.to, step.promotion).expect("legal");
        }
        assert!(game.moves().len() > 10);
    }
}

/// Changes whenever the search or the evaluation does: then the commit says `Bench: N`.
const SIGNATURE: u64 = 116_698;

#[test]
fn the_bench_has_its_signature() {
    assert_eq!(bench(8, Evaluator::Hand), SIGNATURE);
}

#[test]
fn one_thread_always_counts_the_same_nodes() {
    assert_eq!(bench(6, Evaluator::Hand), bench(6, Evaluator::Hand));
}

#[test]
fn node_limits_are_kept() {
    for limit in [1, 2, 10, 100, 1000, 5000] {
        let limits = Limits { nodes: Some(limit), ..Limits::default() };
        let answer = engine(1).search(
            &Position::start(),
            &[],
            &limits,
            &Signals::default(),
            &NoTime,
            &mut |_| (),
        );
        assert!(answer.best.is_some());
        assert!(answer.nodes <= limit, "{} of {limit}", answer.nodes);
    }
}

#[test]
fn several_searches_run_side_by_side_and_with_several_threads() {
    std::thread::scope(|scope| {
        for threads in [1, 2, 3] {
            scope.spawn(move || {
                let limits = Limits { nodes: Some(60_000), ..Limits::default() };
                let mut engine = engine(threads);
                for _ in 0..3 {
                    let answer = engine.search(
                        &Position::start(),
                        &[],
                        &limits,
                        &Signals::default(),
                        &NoTime,
                        &mut |_| (),
                    );
                    assert!(answer.best.is_some());
                }
            });
        }
    });
}

#[test]
fn a_clock_is_never_overdrawn() {
    let mut engine = engine(1);
    for left in [1, 10, 50, 200] {
        let left = Duration::from_millis(left);
        let limits = Limits {
            clock: ClockState { left: Some(left), increment: Duration::ZERO },
            overhead: Duration::from_millis(20),
            ..Limits::default()
        };
        let mut spend = || {
            let (time, position) = (SystemTime::start(), Position::start());
            let answer =
                engine.search(&position, &[], &limits, &Signals::default(), &time, &mut |_| ());
            let next = position.play(answer.best.expect("a move"));
            assert_eq!(next.turn(), Color::Black);
            hansu_engine::TimeSource::now(&time)
        };
        // In one try of a few: the machine may be busy with something else.
        let most = left + Duration::from_millis(20);
        assert!((0..20).any(|_| spend() <= most), "more than {left:?}");
    }
}

#[test]
fn mirrored_positions_have_mirrored_estimates() {
    let mut position = Position::start();
    let mut number = 5usize;
    for _ in 0..200 {
        let mirrored = position.setup().mirrored().position(Variant::Standard).expect("sound");
        let hand = Evaluator::Hand;
        assert_eq!(hand.evaluate(&position), hand.evaluate(&mirrored), "{position}");
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        number = number.wrapping_mul(1_103_515_245).wrapping_add(12345) & 0x7fff_ffff;
        position = position.play(moves[(number >> 8) % moves.len()]);
    }
}
