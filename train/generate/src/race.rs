//! How long two engines need to reach a depth, and how many nodes they search on the way.

use std::time::{Duration, Instant};

use hansu_arena::UciEngine;
use hansu_chess::Position;
use hansu_engine::{Signals, bench_positions};

use crate::arguments::{Arguments, player_error};

/// An engine that needs longer for a position has failed.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// The seconds and nodes of one engine, over all positions of a round.
#[derive(Default)]
struct EngineRound {
    seconds: f64,
    nodes: u64,
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Searches a position to a depth.
fn search(engine: &mut UciEngine, position: &Position, depth: u32) -> Result<(f64, u64), String> {
    let signals = Signals::default();
    let failed = |halt| format!("{halt:?}");
    engine.begin_game(&signals).map_err(failed)?;
    let start = Instant::now();
    let (position, go) = (format!("position fen {}", position.fen()), format!("go depth {depth}"));
    let reply = engine.search(&position, &go, PATIENCE, &signals).map_err(failed)?;
    Ok((start.elapsed().as_secs_f64(), reply.nodes))
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let [a, b] = &arguments.plain[..] else {
        return Err("race CMD CMD".to_owned());
    };
    let start = |name: &str| {
        let command = name.strip_prefix("cmd:");
        let command = command.ok_or_else(|| format!("{name}: not a UCI engine (cmd:…)"))?;
        UciEngine::start(command).map_err(|error| player_error(&error))
    };
    let depth: u32 = arguments.number("depth", 14)?;
    let rounds: u32 = arguments.number("rounds", 5)?;
    let mut players = [start(a)?, start(b)?];
    let positions = bench_positions();
    let (mut times, mut speeds) = (Vec::new(), Vec::new());
    for round in 1..=rounds {
        let mut totals = [EngineRound::default(), EngineRound::default()];
        for position in &positions {
            for (player, total) in players.iter_mut().zip(&mut totals) {
                let (seconds, nodes) = search(player, position, depth)?;
                total.seconds += seconds;
                total.nodes += nodes;
            }
        }
        let [first, second] = &totals;
        let speed = |of: &EngineRound| of.nodes as f64 / of.seconds;
        println!(
            "round {round}: {:.2} s and {:.2} s to depth {depth}, {:.0} and {:.0} nodes a second",
            first.seconds,
            second.seconds,
            speed(first),
            speed(second)
        );
        times.push(second.seconds / first.seconds);
        speeds.push(speed(first) / speed(second));
    }
    println!(
        "the first reaches depth {depth} {:.2} times as fast, with {:.2} times the nodes a second \
         (medians of {rounds} rounds, {} positions)",
        median(times),
        median(speeds),
        positions.len()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
    }
}
