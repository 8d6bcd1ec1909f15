//! A race between libraries: they take turns within each round, so that a slow minute of the
//! machine affects all of them.

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::clock;

/// The result of a run. It is compared outside the measured time, and because it is used, the
/// compiler cannot remove the work that produced it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) numbers: Vec<u64>,
    pub(crate) text: String,
}

/// One run of the task, with everything it needs already prepared.
pub(crate) type Job = Box<dyn FnMut(&mut Output)>;

/// A library in a race.
pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    pub(crate) job: Job,
}

/// The time of one run of a contestant, in each measured round.
#[derive(Debug)]
pub(crate) struct Laps {
    pub(crate) name: &'static str,
    pub(crate) seconds: Vec<f64>,
}

/// The common output, and the times of each contestant.
#[derive(Debug)]
pub(crate) struct Finish {
    pub(crate) output: Output,
    pub(crate) laps: Vec<Laps>,
}

impl Finish {
    /// Each contestant's name with its figure in every round.
    pub(crate) fn figures(&self, figure: impl Fn(f64) -> f64) -> Vec<(&'static str, Vec<f64>)> {
        self.laps
            .iter()
            .map(|laps| {
                let figures = laps.seconds.iter().copied().map(&figure).collect();
                (laps.name, figures)
            })
            .collect()
    }
}

/// Runs the race. Each measurement repeats the task to fill `lap`, because a few milliseconds
/// cannot be measured exactly. Contestants with different outputs are an error.
pub(crate) fn race(mut contestants: Vec<Contestant>, rounds: u32, lap: Duration) -> Result<Finish> {
    let mut finish = Finish { output: Output::default(), laps: Vec::new() };
    // The warm-up round fills caches and page tables, checks the answers and finds out how often
    // the task fits into a lap.
    let mut repeats = Vec::new();
    for (index, Contestant { name, job }) in contestants.iter_mut().enumerate() {
        let mut output = Output::default();
        job(&mut output);
        let once = measure(job, &mut output, 1);
        repeats.push((lap.as_secs_f64() / once).ceil().clamp(1.0, 1e6) as u32);
        if index == 0 {
            finish.output = output;
        } else {
            agree(&finish, name, &output)?;
        }
        finish.laps.push(Laps { name, seconds: Vec::new() });
    }
    let mut output = Output::default();
    for round in 0..rounds as usize {
        for turn in 0..contestants.len() {
            // The first contestant rotates with the rounds.
            let index = (round + turn) % contestants.len();
            let Contestant { name, job } = &mut contestants[index];
            let seconds = measure(job, &mut output, repeats[index]);
            agree(&finish, name, &output)?;
            finish.laps[index].seconds.push(seconds);
        }
    }
    Ok(finish)
}

/// Seconds for one run, averaged over `repeats`.
fn measure(job: &mut Job, output: &mut Output, repeats: u32) -> f64 {
    let start = clock::now();
    for _ in 0..repeats {
        output.numbers.clear();
        output.text.clear();
        job(output);
    }
    (clock::now() - start).as_secs_f64() / f64::from(repeats)
}

fn agree(finish: &Finish, name: &str, output: &Output) -> Result<()> {
    let first = finish.laps.first().map_or(name, |laps| laps.name);
    let expected = &finish.output;
    ensure!(
        output.numbers.len() == expected.numbers.len(),
        "{name} gives {} answers, {first} {}",
        output.numbers.len(),
        expected.numbers.len(),
    );
    for (index, (ours, theirs)) in output.numbers.iter().zip(&expected.numbers).enumerate() {
        ensure!(ours == theirs, "{name} says {ours}, {first} says {theirs} (answer {index})");
    }
    let lines = output.text.lines().zip(expected.text.lines());
    for (index, (ours, theirs)) in lines.enumerate() {
        ensure!(ours == theirs, "{name} writes \"{ours}\", {first} \"{theirs}\" (answer {index})");
    }
    ensure!(
        output.text.len() == expected.text.len(),
        "{name} and {first} write texts of different length"
    );
    Ok(())
}
