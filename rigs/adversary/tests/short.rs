//! The short version of `make adversary`: every check once, with few rounds.

use hansu_adversary::{RunOptions, run};

#[test]
fn an_adversary_finds_nothing_in_a_short_time() {
    let binary = hansu_ground::hansu().expect("a program to attack");
    let options = RunOptions { binary, seed: 1, rounds: 5, games: 4, long: false };
    let checks = run(&options, &[]);
    let failures: Vec<String> =
        checks.iter().flat_map(hansu_adversary::report::Check::failures).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}
