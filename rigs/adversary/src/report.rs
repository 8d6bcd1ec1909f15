//! What the checks found: a line as each is done, a table at the end.

use std::time::{Duration, Instant};

/// One check and what it found.
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
    /// A check that begins now.
    pub fn begin(name: &'static str) -> Check {
        let (begun, took) = (Instant::now(), Duration::ZERO);
        Check { name, begun, took, held: 0, failures: vec![], notes: vec![] }
    }

    /// Something that must be so; `what` says what it was that was not.
    pub fn expect(&mut self, holds: bool, what: impl Into<String>) {
        if holds {
            self.held += 1;
        } else {
            self.fail(what);
        }
    }

    /// Something that must not be.
    pub fn fail(&mut self, what: impl Into<String>) {
        let what = what.into();
        eprintln!("      FAILED: {what}");
        self.failures.push(what);
    }

    /// A figure or a remark for the line of this check.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Ends it and prints its line.
    pub fn end(mut self) -> Check {
        self.took = self.begun.elapsed();
        println!("{}", self.line());
        self
    }

    /// Its line.
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

    /// Whether nothing failed.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// What failed, with the name of the check.
    pub fn failures(&self) -> Vec<String> {
        self.failures.iter().map(|what| format!("{}: {what}", self.name)).collect()
    }
}
