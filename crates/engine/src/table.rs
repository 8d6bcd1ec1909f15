//! The transposition table: what is known of positions seen before, shared by all threads.
//!
//! Two words an entry, the first being the key mixed with the second: an entry that two threads
//! wrote at once fits no key, and so needs no lock. What still slips through is caught where it is
//! used, because a stored move is asked whether it is legal.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use hansu_chess::processor::prefetch;

use crate::score::UNKNOWN;

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// Nothing: only the estimate is stored.
    None,
    /// It is at most this.
    Upper,
    /// It is at least this.
    Lower,
    /// It is this.
    Exact,
}

impl Bound {
    const ALL: [Bound; 4] = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];

    /// Whether the true score may be taken to be at least the stored one.
    pub(crate) fn is_lower(self) -> bool {
        matches!(self, Bound::Lower | Bound::Exact)
    }

    /// Whether the true score may be taken to be at most the stored one.
    pub(crate) fn is_upper(self) -> bool {
        matches!(self, Bound::Upper | Bound::Exact)
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// `Move::to_bits`, or 0.
    pub(crate) step: u16,
    pub(crate) score: i32,
    /// The estimate without a search, before corrections.
    pub(crate) estimate: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    pub(crate) was_pv: bool,
}

impl Entry {
    pub(crate) const EMPTY: Entry = Entry {
        step: 0,
        score: UNKNOWN,
        estimate: UNKNOWN,
        depth: -1,
        bound: Bound::None,
        was_pv: false,
    };
}

/// Ages go round: 5 bits.
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

/// The table.
pub(crate) struct Table {
    clusters: Vec<Cluster>,
    age: AtomicU64,
}

fn pack(entry: &Entry, age: u64) -> u64 {
    u64::from(entry.step)
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.estimate as i16 as u16) << 32
        | ((entry.depth + 1).clamp(0, 255) as u64) << 48
        | (entry.bound as u64) << 56
        | u64::from(entry.was_pv) << 58
        | age << 59
}

fn unpack(data: u64) -> Entry {
    Entry {
        step: data as u16,
        score: i32::from((data >> 16) as u16 as i16),
        estimate: i32::from((data >> 32) as u16 as i16),
        depth: (data >> 48 & 255) as i32 - 1,
        bound: Bound::ALL[(data >> 56 & 3) as usize],
        was_pv: data >> 58 & 1 != 0,
    }
}

impl Table {
    pub(crate) fn new(megabytes: usize) -> Table {
        let clusters = (megabytes.max(1) << 20) / size_of::<Cluster>();
        let clusters = (0..clusters).map(|_| Cluster::default()).collect();
        Table { clusters, age: AtomicU64::new(0) }
    }

    pub(crate) fn clear(&mut self) {
        self.clusters.fill_with(Cluster::default);
        self.age = AtomicU64::new(0);
    }

    /// Older entries give way sooner.
    pub(crate) fn grow_older(&self) {
        let age = self.age.load(Relaxed);
        self.age.store((age + 1) % AGES, Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// A key that will be asked for soon.
    #[inline(always)]
    pub(crate) fn prepare(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) == key ^ data && data != 0).then(|| unpack(data))
        })
    }

    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let mut place = None;
        let mut least = i64::MAX;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Relaxed);
            if data == 0 {
                if least > i64::MIN + 1 {
                    (place, least) = (Some(slot), i64::MIN + 1);
                }
                continue;
            }
            if slot.check.load(Relaxed) == key ^ data {
                let old = unpack(data);
                if entry.step == 0 {
                    entry.step = old.step;
                }
                // What is much deeper and as young stays.
                let deeper = old.depth > entry.depth + 3 + i32::from(entry.was_pv);
                if entry.bound != Bound::Exact && deeper && data >> 59 == age {
                    return;
                }
                place = Some(slot);
                break;
            }
            let years = (AGES + age - (data >> 59)) % AGES;
            let worth = (data >> 48 & 255) as i64 - 8 * years as i64;
            if worth < least {
                (place, least) = (Some(slot), worth);
            }
        }
        if let Some(slot) = place {
            let data = pack(&entry, age);
            slot.check.store(key ^ data, Relaxed);
            slot.data.store(data, Relaxed);
        }
    }

    /// How much of the table this search has filled, in thousandths.
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
        let table = Table::new(1);
        let mut key = 1u64;
        for step in 1..2000u16 {
            key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(12345);
            let entry = Entry {
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
    fn a_torn_entry_is_no_entry() {
        let table = Table::new(1);
        table.store(99, Entry { step: 5, ..Entry::EMPTY });
        let slot = &table.cluster(99).0[0];
        slot.data.store(slot.data.load(Relaxed) ^ 1 << 20, Relaxed);
        assert!(table.probe(99).is_none());
    }
}
