//! Simulates many seeds and goes on after a failure: `survey FIRST COUNT` counts the broken laws
//! and names a seed for each, to see the effect of a change of the core.

use std::collections::BTreeMap;

use hansu_simulation::{Law, Report, run};

fn main() {
    let number = |text: String| text.parse::<u64>().expect("survey FIRST COUNT");
    let mut arguments = std::env::args().skip(1).map(number);
    let (first, count) = (arguments.next().unwrap_or(0), arguments.next().unwrap_or(200));
    let mut all = Report::default();
    let mut broken: BTreeMap<Law, (u64, u64, String)> = BTreeMap::new();
    for seed in first..first + count {
        match run(seed) {
            Ok(report) => all.add(&report),
            Err(failure) => {
                if count == 1 {
                    println!("{}", failure.trace.join("\n"));
                }
                let how: String = failure.broken.how.chars().take(300).collect();
                let entry = broken.entry(failure.broken.law).or_insert((0, seed, how));
                entry.0 += 1;
            }
        }
    }
    println!("{all}");
    for (law, (times, seed, how)) in broken {
        println!("{law:?} {times} times, first in {seed}: {how}");
    }
}
