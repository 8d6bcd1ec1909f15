//! Chance from a seed (SplitMix64), so that a run can be had again.

/// A source of numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers that follow from a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below a limit that is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.number() % limit
    }

    /// One of several, or nothing of none.
    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> Option<&'a T> {
        let count = u64::try_from(among.len()).unwrap_or(u64::MAX);
        if count == 0 {
            return None;
        }
        among.get(usize::try_from(self.below(count)).unwrap_or(0))
    }

    /// Another source, for another thread.
    pub fn fork(&mut self) -> Random {
        Random(self.number())
    }
}
