//! The results of the checks: a line when each is done, a summary at the end.

use std::time::{Duration, Instant};

/// One check and its results.
#[derive(Debug)]
pub struct Check {
    name: &'static str,
    begun: Instant,
    took: Duration,
    held: u64,
    failures: Vec<String>,
    notes: Vec<String>,
}

impl Check {
    /// Begins a check.
    pub fn begin(name: &'static str) -> Check {
        let (begun, took) = (Instant::now(), Duration::ZERO);
        Check { name, begun, took, held: 0, failures: vec![], notes: vec![] }
    }

    /// Counts an expectation that holds, or records `what` as a failure.
    pub fn expect(&mut self, holds: bool, what: impl Into<String>) {
        if holds {
            self.held += 1;
        } else {
            self.fail(what);
        }
    }

    /// Records and prints a failure.
    pub fn fail(&mut self, what: impl Into<String>) {
        let what = what.into();
        eprintln!("      FAILED: {what}");
        self.failures.push(what);
    }

    /// Adds a figure or a remark to the check's line.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Ends the check and prints its line.
    pub fn end(mut self) -> Check {
        self.took = self.begun.elapsed();
        println!("{}", self.line());
        self
    }

    /// The check's line of the report.
    pub fn line(&self) -> String {
        let verdict = if self.failures.is_empty() { "ok" } else { "FAILED" };
        let notes = if self.notes.is_empty() {
            String::new()
        } else {
            format!("; {}", self.notes.join(", "))
        };
        format!(
            "{:<12} {verdict:<6} {:>5} held, {} failed, {:.1} s{notes}",
            self.name,
            self.held,
            self.failures.len(),
            self.took.as_secs_f64(),
        )
    }

    /// Returns true if nothing failed.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// The failures, each with the name of the check.
    pub fn failures(&self) -> Vec<String> {
        self.failures.iter().map(|what| format!("{}: {what}", self.name)).collect()
    }
}
