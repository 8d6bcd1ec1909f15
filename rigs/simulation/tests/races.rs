//! The laws hold in races. `HANSU_RACES` sets their number; `make soak` runs 10^6.

use hansu_simulation::races::{PAIRS, RaceGames};

/// The number of races in `make test`: half of two racers, half of three.
const RACES: u64 = 100_000;

/// Coprime to [`PAIRS`], so that steps of this size visit every race of two once.
const STEP: u64 = 15_485_863;

#[test]
fn the_laws_hold_in_every_race() {
    let races = std::env::var("HANSU_RACES").ok().map(|text| text.parse().expect("a number"));
    let races: u64 = races.unwrap_or(RACES);
    let track = RaceGames::new().expect("games before a race");
    let begun = std::time::Instant::now();
    for number in 0..races / 2 {
        let pair = number * STEP % PAIRS;
        track.pair(pair).and_then(|()| track.triple(number)).unwrap_or_else(|broken| {
            panic!("{broken}");
        });
    }
    let rate = races as f64 / begun.elapsed().as_secs_f64();
    println!("{races} races of {PAIRS} and more, {rate:.0} a second");
}

#[test]
fn steps_visit_every_race_of_two() {
    assert_ne!(PAIRS % STEP, 0);
    assert!((2..4_000).all(|divisor| !STEP.is_multiple_of(divisor)), "a prime");
}
