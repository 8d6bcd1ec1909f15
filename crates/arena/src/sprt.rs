//! Statistics of pairs of games: Elo with its error, and the sequential probability ratio test.

use std::str::FromStr;

/// The test is decided when the log-likelihood ratio is beyond this or its negative (5 % errors
/// either way): ln(0.95 / 0.05).
const DECIDED: f64 = 2.944;

/// With fewer pairs the variance is not known well enough to decide.
const FEWEST_PAIRS: u64 = 16;

/// Results of pairs of games (one opening, both colours): 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// How many pairs were played.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean and variance of a pair's score between 0 and 1. The variance of pairs that ended alike is
    /// not known; it is taken as if one of them had ended otherwise, by half a pair.
    fn moments(&self) -> (f64, f64) {
        let all = (self.count() as f64).max(1.0);
        let at = |power: i32| -> f64 {
            let each = self.0.iter().enumerate();
            each.map(|(points, &n)| n as f64 * (points as f64 / 4.0).powi(power)).sum::<f64>() / all
        };
        let mean = at(1);
        (mean, (at(2) - mean * mean).max(0.25 / all))
    }

    /// The score of the first player, between 0 and 1; a half before the first pair.
    pub fn score(&self) -> f64 {
        if self.count() == 0 { 0.5 } else { self.moments().0 }
    }

    /// Elo, and half the width of its 95 % interval. `None` while all pairs ended alike: nothing is
    /// known of the variance then.
    pub fn elo(&self) -> Option<(f64, f64)> {
        if self.0.iter().filter(|&&count| count > 0).count() < 2 {
            return None;
        }
        let (mean, variance) = self.moments();
        let error = 1.96 * (variance / self.count() as f64).sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
        Some((elo(mean), (elo(mean + error) - elo(mean - error)) / 2.0))
    }
}

/// What a test has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The first player is better by the upper bound rather than by the lower.
    Accepted,
    /// By the lower bound rather than by the upper.
    Rejected,
}

/// A sequential probability ratio test: is the difference `elo1` rather than `elo0`?
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
}

impl Sprt {
    /// A test of these bounds; `None` unless the first is the lower one.
    pub fn new(elo0: f64, elo1: f64) -> Option<Sprt> {
        (elo0 < elo1).then_some(Sprt { elo0, elo1 })
    }

    /// The bounds, the lower one first.
    pub fn bounds(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// The log-likelihood ratio of the upper bound against the lower.
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        let score = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let (low, high) = (score(self.elo0), score(self.elo1));
        let (mean, variance) = pairs.moments();
        pairs.count() as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// What the test has found, with errors of 5 % either way; `None` while it is open.
    pub fn verdict(&self, pairs: &Pairs) -> Option<Verdict> {
        let ratio = self.ratio(pairs);
        if pairs.count() < FEWEST_PAIRS || ratio.abs() < DECIDED {
            return None;
        }
        Some(if ratio > 0.0 { Verdict::Accepted } else { Verdict::Rejected })
    }
}

impl FromStr for Sprt {
    type Err = ();

    /// Reads `0,5`.
    fn from_str(text: &str) -> Result<Sprt, ()> {
        let (low, high) = text.split_once(',').ok_or(())?;
        let elo = |text: &str| -> Result<f64, ()> {
            let elo: f64 = text.trim().parse().map_err(|_| ())?;
            if elo.abs() <= 1_000.0 { Ok(elo) } else { Err(()) }
        };
        Sprt::new(elo(low)?, elo(high)?).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_results_are_zero_elo_and_winning_ones_decide() {
        let test = Sprt::new(0.0, 10.0).expect("in order");
        let even = Pairs([10, 20, 40, 20, 10]);
        let elo = |pairs: Pairs| pairs.elo().expect("different results").0;
        assert!(elo(even).abs() < 1e-6);
        assert!(test.ratio(&even) < 0.0);
        assert_eq!(test.verdict(&even), None);
        let better = Pairs([50, 150, 400, 250, 150]);
        assert!(elo(better) > 30.0);
        assert_eq!(test.verdict(&better), Some(Verdict::Accepted));
        let worse = Pairs([150, 250, 400, 150, 50]);
        assert!((elo(worse) + elo(better)).abs() < 1e-6);
        assert_eq!(test.verdict(&worse), Some(Verdict::Rejected));
    }

    #[test]
    fn few_pairs_decide_nothing() {
        let test = Sprt::new(0.0, 10.0).expect("in order");
        assert_eq!(test.verdict(&Pairs([0, 0, 0, 0, 15])), None);
        assert_eq!(test.verdict(&Pairs([0, 0, 0, 0, 16])), Some(Verdict::Accepted));
        assert!(test.ratio(&Pairs([0, 0, 0, 0, 2])) < 0.2);
        assert!(test.ratio(&Pairs([0, 0, 2, 0, 0])).abs() < 0.2);
        for alike in [Pairs::default(), Pairs([0, 0, 9, 0, 0]), Pairs([0, 0, 0, 0, 9])] {
            assert_eq!(alike.elo(), None);
        }
    }

    #[test]
    fn bounds_are_read_in_order_only() {
        assert_eq!("0,5".parse(), Ok(Sprt { elo0: 0.0, elo1: 5.0 }));
        assert_eq!("-2.5, 2.5".parse(), Ok(Sprt { elo0: -2.5, elo1: 2.5 }));
        for text in ["", "5", "5,0", "0,0", "a,b", "0,5,9", "0,inf", "nan,1", "0,1001"] {
            assert_eq!(text.parse::<Sprt>(), Err(()), "{text}");
        }
    }
}
