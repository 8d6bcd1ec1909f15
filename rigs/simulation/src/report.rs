//! Counts of a run, which show how much was tested.

use std::collections::BTreeMap;
use std::fmt;

/// Counts of one or several runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The number of runs.
    pub runs: u64,
    /// Happenings of the simulation.
    pub happenings: u64,
    /// Injected faults.
    pub faults: u64,
    /// Entries in the log.
    pub entries: u64,
    /// Events in the log by name, and endings by reason.
    pub kinds: BTreeMap<String, u64>,
    /// Commands that were acknowledged.
    pub acked: u64,
    /// Commands that were finally refused.
    pub refused: u64,
    /// Refusals after which a command was sent again.
    pub again: u64,
    /// Appends that conflicted with another node's.
    pub conflicts: u64,
    /// Resends that the log recognised.
    pub resends: u64,
    /// Crashes of nodes.
    pub crashes: u64,
    /// Appends that were under way at a crash.
    pub open: u64,
    /// Commands that were done by an earlier sending after a later one was refused.
    pub ghosts: u64,
}

impl Report {
    /// Adds another report.
    pub fn add(&mut self, other: &Report) {
        self.runs += other.runs;
        self.happenings += other.happenings;
        self.faults += other.faults;
        self.entries += other.entries;
        for (kind, count) in &other.kinds {
            self.count(kind, *count);
        }
        self.acked += other.acked;
        self.refused += other.refused;
        self.again += other.again;
        self.conflicts += other.conflicts;
        self.resends += other.resends;
        self.crashes += other.crashes;
        self.open += other.open;
        self.ghosts += other.ghosts;
    }

    pub(crate) fn count(&mut self, kind: &str, times: u64) {
        *self.kinds.entry(kind.to_owned()).or_default() += times;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { runs, happenings, faults, entries, acked, refused, again, .. } = self;
        let Report { conflicts, resends, crashes, open, ghosts, kinds, .. } = self;
        writeln!(f, "{runs} runs: {happenings} happenings, {faults} faults, {crashes} crashes")?;
        writeln!(
            f,
            "{entries} entries; {acked} commands acknowledged, {refused} refused, {again} sent again"
        )?;
        writeln!(
            f,
            "{conflicts} conflicts, {resends} resends known, {open} appends left open by a crash, {ghosts} ghosts"
        )?;
        for (kind, count) in kinds {
            write!(f, "{kind} {count}, ")?;
        }
        Ok(())
    }
}
