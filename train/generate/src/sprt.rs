//! Statistics of pairs of games: Elo with its error, and the sequential probability ratio test.

/// Results of pairs of games (one opening, both colours): 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Pairs(pub(crate) [u64; 5]);

/// The test is decided when the log-likelihood ratio is beyond this or its negative (5 % errors
/// either way): ln(0.95 / 0.05).
pub(crate) const DECIDED: f64 = 2.944;

impl Pairs {
    pub(crate) fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean and variance of a pair's score between 0 and 1.
    fn moments(&self) -> (f64, f64) {
        let all = (self.count() as f64).max(1.0);
        let at = |power: i32| -> f64 {
            let each = self.0.iter().enumerate();
            each.map(|(points, &n)| n as f64 * (points as f64 / 4.0).powi(power)).sum::<f64>() / all
        };
        let mean = at(1);
        (mean, (at(2) - mean * mean).max(1e-9))
    }

    /// Elo, and half the width of its 95 % interval.
    pub(crate) fn elo(&self) -> (f64, f64) {
        let (mean, variance) = self.moments();
        let error = 1.96 * (variance / (self.count() as f64).max(1.0)).sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
        (elo(mean), (elo(mean + error) - elo(mean - error)) / 2.0)
    }

    /// The log-likelihood ratio of `elo1` against `elo0`.
    pub(crate) fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let score = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let (low, high) = (score(elo0), score(elo1));
        let (mean, variance) = self.moments();
        self.count() as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_results_are_zero_elo_and_winning_ones_decide() {
        let even = Pairs([10, 20, 40, 20, 10]);
        assert!(even.elo().0.abs() < 1e-6);
        assert!(even.log_likelihood_ratio(0.0, 10.0) < 0.0);
        let better = Pairs([50, 150, 400, 250, 150]);
        assert!(better.elo().0 > 30.0);
        assert!(better.log_likelihood_ratio(0.0, 10.0) > DECIDED);
    }
}
