//! The laws hold in races. `HANSU_RACES` runs so many; 10^6 by `make soak`.

use hansu_simulation::races::{PAIRS, Track};

/// Races in `make test`: half of two, half of three.
const RACES: u64 = 100_000;

/// Without a common divisor with [`PAIRS`], so that steps of it visit every race of two once.
const STEP: u64 = 15_485_863;

#[test]
fn the_laws_hold_in_every_race() {
    let races = std::env::var("HANSU_RACES").ok().map(|text| text.parse().expect("a number"));
    let races: u64 = races.unwrap_or(RACES);
    let track = Track::new().expect("games before a race");
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
