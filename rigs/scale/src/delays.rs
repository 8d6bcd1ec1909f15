//! A histogram of delays in constant memory, exact to five percent.

/// The upper bound of the first bucket, in seconds.
const LEAST: f64 = 1e-6;
/// Ratio of the widths of neighbouring buckets.
const GROWTH: f64 = 1.05;
/// Enough buckets for delays of a quarter of an hour.
const BUCKETS: usize = 430;

/// A histogram of delays.
#[derive(Clone, PartialEq, Debug)]
pub struct Delays {
    counts: Vec<u64>,
    count: u64,
    sum: f64,
}

impl Default for Delays {
    fn default() -> Delays {
        Delays { counts: vec![0; BUCKETS], count: 0, sum: 0.0 }
    }
}

impl Delays {
    /// Adds a delay in seconds.
    pub fn add(&mut self, delay: f64) {
        let index = (delay.max(LEAST) / LEAST).ln() / GROWTH.ln();
        self.counts[(index as usize).min(BUCKETS - 1)] += 1;
        self.count += 1;
        self.sum += delay;
    }

    /// Adds all delays of another histogram.
    pub fn add_all(&mut self, other: &Delays) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.count += other.count;
        self.sum += other.sum;
    }

    /// Removes all delays.
    pub fn clear(&mut self) {
        self.counts.fill(0);
        (self.count, self.sum) = (0, 0.0);
    }

    /// The number of delays.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean in seconds; 0 when there are none.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    /// The quantile in seconds: this share of the delays is not longer; 0 when there are none.
    pub fn share(&self, share: f64) -> f64 {
        let wanted = (share * self.count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (index, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return LEAST * GROWTH.powi(index as i32 + 1);
            }
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_right_within_five_percent() {
        let mut delays = Delays::default();
        assert_eq!((delays.share(0.5), delays.mean()), (0.0, 0.0));
        (1..=1000).for_each(|ms| delays.add(f64::from(ms) / 1000.0));
        for share in [0.1, 0.5, 0.9, 0.99, 1.0] {
            let found = delays.share(share);
            assert!(found >= share * 0.999 && found <= share * 1.051, "{share}: {found}");
        }
        assert!((delays.mean() - 0.5005).abs() < 1e-9);
        delays.add(1e9);
        assert!(delays.share(1.0) > 900.0);
    }
}
