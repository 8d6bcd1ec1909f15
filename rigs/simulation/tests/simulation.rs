//! The laws hold in the runs of many seeds. `HANSU_SEED` runs one seed, `HANSU_SEEDS` sets their
//! number.

use hansu_simulation::{Report, run};

/// The number of seeds in `make test`.
const SEEDS: u64 = 1_000;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect(name))
}

#[test]
fn the_laws_hold_in_every_world() {
    let (first, count) = match number("HANSU_SEED") {
        Some(seed) => (seed, 1),
        None => (0, number("HANSU_SEEDS").unwrap_or(SEEDS)),
    };
    let mut all = Report::default();
    for seed in first..first + count {
        match run(seed) {
            Ok(report) => all.add(&report),
            Err(failure) => panic!("{failure}"),
        }
    }
    println!("{all}");
    assert_eq!(all.runs, count);
}
