//! The transposition table: results of positions searched before, shared by all threads.
//!
//! An entry has two words; the first is the key XOR the second. An entry that two threads wrote at
//! once matches no key, so no lock is needed. The rare entry that matches by accident does no harm,
//! because the legality of a stored move is checked before it is used.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use hansu_chess::processor;

use crate::score::UNKNOWN;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// No score: only the estimate is stored.
    None,
    /// The true score is this or less.
    Upper,
    /// The true score is this or more.
    Lower,
    /// The true score is equal.
    Exact,
}

impl Bound {
    const ALL: [Bound; 4] = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];

    /// True if the true score is at least the stored one.
    pub(crate) fn is_lower(self) -> bool {
        matches!(self, Bound::Lower | Bound::Exact)
    }

    /// True if the true score is at most the stored one.
    pub(crate) fn is_upper(self) -> bool {
        matches!(self, Bound::Upper | Bound::Exact)
    }
}

/// What the table stores of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableEntry {
    /// `Move::to_bits`, or 0.
    pub(crate) step: u16,
    pub(crate) score: i32,
    /// The estimate without a search, before corrections.
    pub(crate) estimate: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    pub(crate) was_pv: bool,
}

impl TableEntry {
    pub(crate) const EMPTY: TableEntry = TableEntry {
        step: 0,
        score: UNKNOWN,
        estimate: UNKNOWN,
        depth: -1,
        bound: Bound::None,
        was_pv: false,
    };
}

/// Number of ages (5 bits); they wrap around.
const AGES: u64 = 32;

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Four slots, one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; 4]);

pub(crate) struct TranspositionTable {
    clusters: Vec<Cluster>,
    age: AtomicU64,
}

fn pack(entry: &TableEntry, age: u64) -> u64 {
    u64::from(entry.step)
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.estimate as i16 as u16) << 32
        | ((entry.depth + 1).clamp(0, 255) as u64) << 48
        | (entry.bound as u64) << 56
        | u64::from(entry.was_pv) << 58
        | age << 59
}

fn unpack(data: u64) -> TableEntry {
    TableEntry {
        step: data as u16,
        score: i32::from((data >> 16) as u16 as i16),
        estimate: i32::from((data >> 32) as u16 as i16),
        depth: (data >> 48 & 255) as i32 - 1,
        bound: Bound::ALL[(data >> 56 & 3) as usize],
        was_pv: data >> 58 & 1 != 0,
    }
}

impl TranspositionTable {
    pub(crate) fn new(megabytes: usize) -> TranspositionTable {
        let clusters = (megabytes.max(1) << 20) / size_of::<Cluster>();
        let clusters = (0..clusters).map(|_| Cluster::default()).collect();
        TranspositionTable { clusters, age: AtomicU64::new(0) }
    }

    pub(crate) fn clear(&mut self) {
        self.clusters.fill_with(Cluster::default);
        self.age = AtomicU64::new(0);
    }

    /// Begins a new age: entries of older ages are replaced first.
    pub(crate) fn advance_age(&self) {
        let age = self.age.load(Relaxed);
        self.age.store((age + 1) % AGES, Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Loads the cluster of a key into the cache, before it is probed.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        processor::prefetch(self.cluster(key));
    }

    pub(crate) fn probe(&self, key: u64) -> Option<TableEntry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) == key ^ data && data != 0).then(|| unpack(data))
        })
    }

    pub(crate) fn store(&self, key: u64, mut entry: TableEntry) {
        let age = self.age.load(Relaxed);
        let mut target = None;
        let mut least = i64::MAX;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Relaxed);
            if data == 0 {
                if least > i64::MIN + 1 {
                    (target, least) = (Some(slot), i64::MIN + 1);
                }
                continue;
            }
            if slot.check.load(Relaxed) == key ^ data {
                let old = unpack(data);
                if entry.step == 0 {
                    entry.step = old.step;
                }
                // An entry of this age that is much deeper stays.
                let deeper = old.depth > entry.depth + 3 + i32::from(entry.was_pv);
                if entry.bound != Bound::Exact && deeper && data >> 59 == age {
                    return;
                }
                target = Some(slot);
                break;
            }
            let age_difference = (AGES + age - (data >> 59)) % AGES;
            let worth = (data >> 48 & 255) as i64 - 8 * age_difference as i64;
            if worth < least {
                (target, least) = (Some(slot), worth);
            }
        }
        if let Some(slot) = target {
            let data = pack(&entry, age);
            slot.check.store(key ^ data, Relaxed);
            slot.data.store(data, Relaxed);
        }
    }

    /// The share of slots that this search has filled, in thousandths, by a sample of 250 clusters.
    pub(crate) fn fullness(&self) -> usize {
        let age = self.age.load(Relaxed);
        let sample = self.clusters.len().min(250);
        let slots = self.clusters[..sample].iter().flat_map(|cluster| &cluster.0);
        let used = slots.filter(|slot| {
            let data = slot.data.load(Relaxed);
            data != 0 && data >> 59 == age
        });
        used.count() * 1000 / (sample * 4).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_again() {
        let table = TranspositionTable::new(1);
        let mut key = 1u64;
        for step in 1..2000u16 {
            key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(12345);
            let entry = TableEntry {
                step,
                score: i32::from(step) - 1000,
                estimate: 1000 - i32::from(step),
                depth: i32::from(step % 100),
                bound: Bound::ALL[usize::from(step % 4)],
                was_pv: step % 2 == 0,
            };
            table.store(key, entry);
            let found = table.probe(key).expect("just stored");
            assert_eq!(format!("{found:?}"), format!("{entry:?}"));
            assert!(table.probe(key ^ 1).is_none());
        }
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = TranspositionTable::new(1);
        table.store(99, TableEntry { step: 5, ..TableEntry::EMPTY });
        let slot = &table.cluster(99).0[0];
        slot.data.store(slot.data.load(Relaxed) ^ 1 << 20, Relaxed);
        assert!(table.probe(99).is_none());
    }
}
