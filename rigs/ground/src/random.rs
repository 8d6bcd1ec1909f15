//! Pseudo-random numbers, the same for the same seed.

/// A pseudo-random generator (`SplitMix64`, after Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `most`; 0 when `most` is 0.
    pub fn below(&mut self, most: u64) -> u64 {
        if most == 0 { 0 } else { self.number() % most }
    }

    /// A number from `least` to `most`, both included.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// Returns true with a probability of `chance` in a thousand.
    pub fn permille(&mut self, chance: u64) -> bool {
        self.below(1_000) < chance
    }

    /// One element; `None` if the slice is empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.index(from.len())).copied()
    }

    /// An index into a list of that length.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A second generator, for another thread.
    pub fn fork(&mut self) -> Random {
        Random(self.number())
    }

    /// A random duration: up to `usual` in 15 of 20 cases, up to twice that in 4, up to `most` in
    /// 1.
    pub fn delay(&mut self, usual: u64, most: u64) -> u64 {
        match self.below(20) {
            0 => self.between(usual, most.max(usual)),
            1..=4 => self.between(usual, (2 * usual).min(most.max(usual))),
            _ => self.below(usual + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let stream = |seed| {
            let mut random = Random::new(seed);
            (0..5).map(|_| random.number()).collect::<Vec<_>>()
        };
        assert_eq!(stream(7), stream(7));
        assert_ne!(stream(7), stream(8));
        // The first numbers of SplitMix64 for 0, as published with it.
        assert_eq!(stream(0)[..2], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn numbers_stay_within_their_bounds() {
        let mut random = Random::new(1);
        for _ in 0..1_000 {
            assert!((3..=5).contains(&random.between(3, 5)));
            assert!(random.delay(10, 100) <= 100);
        }
        assert_eq!(random.below(0), 0);
        assert_eq!(random.pick::<u8>(&[]), None);
    }
}
