//! Self-play on many threads, until the time is over.

use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use hansu_arena::{Random, evaluator, opening};
use hansu_chess::Position;
use hansu_engine::{Engine, Evaluator, Limits, NoTime, Settings, Signals};

use crate::arguments::{Arguments, player_error};
use crate::games::{self, ScoredGame};

/// Half the games begin with one more random ply, so that each side is the first to search equally
/// often.
const RANDOM_PLIES: usize = 8;

/// Openings with a larger score for either side (hundredths of a pawn) are discarded.
const MOST_UNEVEN: i32 = 400;

/// A game is adjudicated as won when the score is at least `WON` for `WON_PLIES` plies.
const WON: i32 = 2000;
const WON_PLIES: u32 = 4;

/// A game is adjudicated as drawn when the score is below `DRAWN` for `DRAWN_PLIES` plies, after
/// `DRAWN_AFTER` plies.
const DRAWN: i32 = 10;
const DRAWN_PLIES: u32 = 12;
const DRAWN_AFTER: usize = 80;

const MOST_PLIES: usize = 400;

/// The hard limit on nodes as a multiple of the soft one.
const HARD: u64 = 8;

/// Plays one game; `None` when its opening is discarded.
pub(crate) fn play(engine: &mut Engine, random: &mut Random, nodes: u64) -> Option<ScoredGame> {
    let plies = RANDOM_PLIES + random.below(2);
    let (moves, mut position) = opening(random, plies)?;
    engine.clear();
    let search = |engine: &mut Engine, position: &Position, keys: &[u64], nodes: u64| {
        let limits =
            Limits { soft_nodes: Some(nodes), nodes: Some(nodes * HARD), ..Limits::default() };
        engine.search(position, keys, &limits, &Signals::default(), &NoTime, &mut |_| ())
    };
    if search(engine, &position, &[], nodes / 2).score.abs() > MOST_UNEVEN {
        return None;
    }
    let mut game = ScoredGame {
        opening: moves.iter().map(|step| step.to_bits()).collect(),
        ..ScoredGame::default()
    };
    let mut keys: Vec<u64> = Vec::new();
    let (mut won, mut drawn) = (0, 0);
    let white_wins = |score: i32, position: &Position| {
        (score > 0) == (position.turn() == hansu_chess::Color::White)
    };
    loop {
        if let Some(outcome) = position.outcome() {
            game.result = match outcome.winner {
                Some(hansu_chess::Color::White) => 2,
                Some(hansu_chess::Color::Black) => 0,
                None => 1,
            };
            break;
        }
        let repeated = keys.iter().filter(|&&key| key == position.key()).count() >= 2;
        if repeated || position.halfmoves() >= 100 || game.plies.len() >= MOST_PLIES {
            game.result = 1;
            break;
        }
        let answer = search(engine, &position, &keys, nodes);
        let step = answer.best?;
        let score = answer.score;
        game.plies.push((step.to_bits(), score.clamp(-32_000, 32_000) as i16));
        won = if score.abs() >= WON { won + 1 } else { 0 };
        drawn = if score.abs() < DRAWN && game.plies.len() > DRAWN_AFTER { drawn + 1 } else { 0 };
        if won >= WON_PLIES {
            game.result = if white_wins(score, &position) { 2 } else { 0 };
            break;
        }
        if drawn >= DRAWN_PLIES {
            game.result = 1;
            break;
        }
        keys.push(position.key());
        position = position.play(step);
    }
    Some(game)
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let out = arguments.text("out").ok_or("--out FILE is missing")?;
    let threads = arguments.threads()?;
    let seconds: u64 = arguments.number("seconds", u64::MAX)?;
    let most: u64 = arguments.number("games", u64::MAX)?;
    let seed: u64 = arguments.number("seed", 1)?;
    let nodes: u64 = arguments.number("nodes", 2500)?;
    let evaluator: Evaluator =
        evaluator(arguments.text("net").unwrap_or("own")).map_err(|error| player_error(&error))?;
    let file = games::open_for_append(Path::new(out)).map_err(|why| format!("{out}: {why}"))?;
    let file = Mutex::new(file);
    let begin = Instant::now();
    let (games, positions, results) =
        (AtomicU64::new(0), AtomicU64::new(0), [(); 3].map(|()| AtomicU64::new(0)));
    let failed = AtomicBool::new(false);
    let is_over = || {
        begin.elapsed().as_secs() >= seconds || games.load(Relaxed) >= most || failed.load(Relaxed)
    };
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (file, games, positions, results, failed, is_over) =
                (&file, &games, &positions, &results, &failed, &is_over);
            let evaluator = evaluator.clone();
            let work = move || {
                // A small table stays in the processor's cache, and is large enough for few nodes.
                let mut engine = Engine::new(Settings { megabytes: 1, threads: 1, evaluator });
                let mut random = Random::new(seed.wrapping_mul(1_000_003) + thread as u64);
                while !is_over() {
                    let Some(game) = play(&mut engine, &mut random, nodes) else {
                        continue;
                    };
                    let mut file = file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    if file.write_all(&game.to_bytes()).is_err() {
                        failed.store(true, Relaxed);
                    }
                    games.fetch_add(1, Relaxed);
                    positions.fetch_add(game.plies.len() as u64, Relaxed);
                    results[usize::from(game.result)].fetch_add(1, Relaxed);
                }
            };
            let builder = std::thread::Builder::new().stack_size(16 << 20);
            if builder.spawn_scoped(scope, work).is_err() {
                failed.store(true, Relaxed);
            }
        }
        let mut last_report = Instant::now();
        while !is_over() {
            std::thread::sleep(Duration::from_millis(200));
            if last_report.elapsed() >= Duration::from_secs(10) {
                last_report = Instant::now();
                print_progress(begin, &games, &positions, &results);
            }
        }
    });
    print_progress(begin, &games, &positions, &results);
    if failed.load(Relaxed) { Err(format!("{out} could not be written")) } else { Ok(()) }
}

fn print_progress(
    begin: Instant,
    games: &AtomicU64,
    positions: &AtomicU64,
    results: &[AtomicU64; 3],
) {
    let seconds = begin.elapsed().as_secs_f64();
    let (games, positions) = (games.load(Relaxed), positions.load(Relaxed));
    let [black, draw, white] = [0, 1, 2].map(|at: usize| results[at].load(Relaxed));
    eprintln!(
        "{seconds:.0} s: {games} games (+{white} ={draw} -{black}), {positions} positions, {:.0} a second",
        positions as f64 / seconds.max(0.001)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_against_itself_can_be_replayed() {
        let mut engine =
            Engine::new(Settings { megabytes: 1, threads: 1, evaluator: Evaluator::Hand });
        let mut random = Random::new(4);
        let mut played = 0;
        while played < 4 {
            if let Some(game) = play(&mut engine, &mut random, 100) {
                let mut positions = 0;
                assert!(game.replay(|_, _, _, _| positions += 1));
                assert_eq!(positions, game.plies.len());
                played += 1;
            }
        }
    }
}
