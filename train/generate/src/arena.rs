//! Matches of two engines: both colours from each opening, until the number of games is played or
//! the SPRT is decided.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use hansu_chess::{Color, Position};
use hansu_engine::{Engine, Evaluator, Limits, NoTime, Settings, Signals};

use crate::arguments::Arguments;
use crate::ladder;
use crate::player::{Budget, GameLine, Player};
use crate::random::{Random, opening};
use crate::sprt::{DECIDED, Pairs};

const OPENING_PLIES: usize = 8;

/// Openings with a larger score for either side (hundredths of a pawn) are discarded.
const MOST_UNEVEN: i32 = 80;

/// A game is adjudicated when the scores of both engines agree for this many plies: a win from
/// `WON` on, a draw up to `DRAWN` after `DRAWN_AFTER` plies.
const WON: i32 = 1500;
const WON_PLIES: u32 = 8;
const DRAWN: i32 = 8;
const DRAWN_PLIES: u32 = 16;
const DRAWN_AFTER: usize = 80;
const MOST_PLIES: usize = 500;

/// Exceeding the clock by less than this is not a loss: the machine may have been busy.
const GRACE: Duration = Duration::from_millis(10);

/// The limit for each move of a match.
#[derive(Clone, Copy)]
enum Pace {
    Nodes(u64),
    Clock { time: Duration, increment: Duration },
}

/// How a game ended.
struct Ending {
    /// Points of White in halves: 0, 1 or 2.
    points: usize,
    /// Why a player lost without the position being lost: no legal move, time, a dead process.
    fault: Option<String>,
}

/// A random opening that `judge` scores as even.
fn draw_fair_opening(random: &mut Random, judge: &mut Engine) -> GameLine {
    loop {
        let Some((moves, position)) = opening(random, OPENING_PLIES) else {
            continue;
        };
        let limits = Limits { nodes: Some(6_000), ..Limits::default() };
        judge.clear();
        let answer =
            judge.search(&position, &[], &limits, &Signals::default(), &NoTime, &mut |_| ());
        if answer.score.abs() > MOST_UNEVEN {
            continue;
        }
        let mut keys = Vec::new();
        let mut now = Position::start();
        for &step in &moves {
            keys.push(now.key());
            now = now.play(step);
        }
        return GameLine { moves, keys, position };
    }
}

fn play(players: &mut [&mut Player; 2], line: &mut GameLine, pace: Pace) -> Ending {
    let mut left = match pace {
        Pace::Nodes(_) => [Duration::ZERO; 2],
        Pace::Clock { time, .. } => [time; 2],
    };
    let (mut won, mut drawn, mut last_sign) = (0, 0, 0);
    let loses = |color: Color, fault: String| Ending {
        points: if color == Color::White { 0 } else { 2 },
        fault: Some(fault),
    };
    for (color, player) in [Color::White, Color::Black].into_iter().zip([0, 1]) {
        if let Err(why) = players[player].begin_game() {
            return loses(color, why);
        }
    }
    loop {
        let position = line.position;
        let turn = position.turn();
        if let Some(outcome) = position.outcome() {
            let points = match outcome.winner {
                Some(Color::White) => 2,
                Some(Color::Black) => 0,
                None => 1,
            };
            return Ending { points, fault: None };
        }
        let repeated = line.keys.iter().filter(|&&key| key == position.key()).count() >= 2;
        if repeated || position.halfmoves() >= 100 || line.moves.len() >= MOST_PLIES {
            return Ending { points: 1, fault: None };
        }
        let budget = match pace {
            Pace::Nodes(nodes) => Budget::Nodes(nodes),
            Pace::Clock { increment, .. } => Budget::Clock { left, increment },
        };
        let start = Instant::now();
        let (step, score) = match players[turn as usize].choose(line, budget) {
            Ok(chosen) => chosen,
            Err(why) => return loses(turn, why),
        };
        if let Pace::Clock { increment, .. } = pace {
            let spent = start.elapsed();
            if spent > left[turn as usize] + GRACE {
                return loses(turn, "time".to_owned());
            }
            left[turn as usize] = left[turn as usize].saturating_sub(spent) + increment;
        }
        let for_white = if turn == Color::White { score } else { -score };
        let same = for_white.signum() == last_sign;
        won = if for_white.abs() >= WON { if same { won + 1 } else { 1 } } else { 0 };
        last_sign = for_white.signum();
        drawn = if score.abs() <= DRAWN && line.moves.len() > DRAWN_AFTER { drawn + 1 } else { 0 };
        if won >= WON_PLIES {
            return Ending { points: if for_white > 0 { 2 } else { 0 }, fault: None };
        }
        if drawn >= DRAWN_PLIES {
            return Ending { points: 1, fault: None };
        }
        line.keys.push(position.key());
        line.moves.push(step);
        line.position = position.play(step);
    }
}

/// Results of a match so far, for the first engine.
#[derive(Default)]
struct Tally {
    pairs: Pairs,
    wins: u64,
    draws: u64,
    losses: u64,
    faults: Vec<String>,
}

fn pace(arguments: &Arguments) -> Result<Pace, String> {
    let Some(text) = arguments.text("time") else {
        return Ok(Pace::Nodes(arguments.number("nodes", 5_000)?));
    };
    let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
    let seconds = |text: &str| {
        let number = text.parse::<f64>().ok().filter(|number| (0.0..1e6).contains(number));
        number.map(Duration::from_secs_f64).ok_or_else(|| format!("--time {text}: not a time"))
    };
    Ok(Pace::Clock { time: seconds(time)?, increment: seconds(increment)? })
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let [a, b] = &arguments.plain[..] else {
        return Err("arena A B".to_owned());
    };
    play_match(a, b, arguments)?;
    ladder::print_stats();
    Ok(())
}

pub(crate) fn play_match(a: &str, b: &str, arguments: &Arguments) -> Result<(), String> {
    let pace = pace(arguments)?;
    let games: u64 = arguments.number("games", 1000)?;
    let threads = arguments.threads()?;
    let seed: u64 = arguments.number("seed", 1)?;
    let review: u64 = arguments.number("review", 0)?;
    let (elo0, elo1): (f64, f64) = (arguments.number("elo0", 0.0)?, arguments.number("elo1", 0.0)?);
    let tests = elo0 < elo1;
    let tally = Mutex::new(Tally::default());
    let (next, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let begin = Instant::now();
    let work = || -> Result<(), String> {
        let mut judge =
            Engine::new(Settings { megabytes: 4, threads: 1, evaluator: Evaluator::best() });
        let (mut first, mut second) = (Player::new(a)?, Player::new(b)?);
        loop {
            let pair = next.fetch_add(1, Relaxed);
            if 2 * pair >= games || over.load(Relaxed) {
                return Ok(());
            }
            // The opening depends on the pair only, not on the thread that plays it.
            let number = seed.wrapping_mul(1_000_003).wrapping_add(pair);
            let mut points = 0;
            let mut faults = Vec::new();
            let mut results = [0u64; 3];
            for swapped in [false, true] {
                let mut line = draw_fair_opening(&mut Random::new(number), &mut judge);
                let (white, black) =
                    if swapped { (&mut second, &mut first) } else { (&mut first, &mut second) };
                let ending = play(&mut [white, black], &mut line, pace);
                if review > 0 {
                    let names = if swapped { [b, a] } else { [a, b] };
                    ladder::add_review(names, &line.moves, OPENING_PLIES, &mut judge, review);
                }
                let ours = if swapped { 2 - ending.points } else { ending.points };
                points += ours;
                results[ours] += 1;
                if let Some(fault) = ending.fault {
                    let fault = format!("{} lost by {fault}", if ours == 0 { a } else { b });
                    eprintln!("{fault}");
                    faults.push(fault);
                    (first, second) = (Player::new(a)?, Player::new(b)?);
                }
            }
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.pairs.0[points] += 1;
            tally.losses += results[0];
            tally.draws += results[1];
            tally.wins += results[2];
            tally.faults.extend(faults);
            let every = if matches!(pace, Pace::Nodes(_)) { 20 } else { 5 };
            if tally.pairs.count().is_multiple_of(every) {
                print_tally(&tally, begin, tests.then_some((elo0, elo1)));
            }
            if tests
                && tally.pairs.log_likelihood_ratio(elo0, elo1).abs() >= DECIDED
                && tally.pairs.count() > 15
            {
                over.store(true, Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .filter_map(|_| {
                std::thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, work).ok()
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
    })?;
    let tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
    print_tally(&tally, begin, tests.then_some((elo0, elo1)));
    for fault in &tally.faults {
        println!("{fault}");
    }
    Ok(())
}

fn print_tally(tally: &Tally, begin: Instant, test: Option<(f64, f64)>) {
    let (elo, error) = tally.pairs.elo();
    let test = test.map_or_else(String::new, |(elo0, elo1)| {
        let ratio = tally.pairs.log_likelihood_ratio(elo0, elo1);
        let verdict = if ratio >= DECIDED {
            " accepted"
        } else if ratio <= -DECIDED {
            " rejected"
        } else {
            ""
        };
        format!(", LLR {ratio:.2} [{elo0}, {elo1}]{verdict}")
    });
    println!(
        "{:.0} s: +{} ={} -{}, pairs {:?}, Elo {elo:.1} ± {error:.1}{test}, faults {}",
        begin.elapsed().as_secs_f64(),
        tally.wins,
        tally.draws,
        tally.losses,
        tally.pairs.0,
        tally.faults.len()
    );
}
