//! Random draws from the few distributions that the crowd needs.

use fastrand::Rng;

/// Exponential with this mean: the time until the next event of a Poisson process.
pub fn exponential(rng: &mut Rng, mean: f64) -> f64 {
    // `rng.f64()` is below 1, so the argument of the logarithm is above 0.
    -(1.0 - rng.f64()).ln() * mean
}

/// Lognormal with this mean; `spread` is the deviation of its logarithm.
pub fn lognormal(rng: &mut Rng, mean: f64, spread: f64) -> f64 {
    (mean.ln() - spread * spread / 2.0 + spread * normal(rng)).exp()
}

/// Normal with mean 0 and deviation 1 (Box and Muller).
pub fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.f64()).cos()
}

/// A random index, with probabilities proportional to the weights.
pub fn weighted_index(rng: &mut Rng, weights: impl Iterator<Item = f64> + Clone) -> usize {
    let mut left = rng.f64() * weights.clone().sum::<f64>();
    let mut last = 0;
    for (index, weight) in weights.enumerate() {
        last = index;
        if left < weight {
            break;
        }
        left -= weight;
    }
    last
}

/// A random rank from 0 to `most - 1`, with weights 1, 1/2, 1/3, …
pub fn rank(rng: &mut Rng, most: usize) -> usize {
    weighted_index(rng, (1..=most.max(1)).map(|rank| 1.0 / rank as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(mut draw: impl FnMut(&mut Rng) -> f64) -> f64 {
        let mut rng = Rng::with_seed(7);
        (0..100_000).map(|_| draw(&mut rng)).sum::<f64>() / 100_000.0
    }

    #[test]
    fn means_are_as_asked_for() {
        assert!((mean(|rng| exponential(rng, 3.0)) - 3.0).abs() < 0.05);
        assert!((mean(|rng| lognormal(rng, 3.0, 0.8)) - 3.0).abs() < 0.05);
        assert!(mean(normal).abs() < 0.02);
        assert!((mean(|rng| normal(rng).powi(2)) - 1.0).abs() < 0.02);
    }

    #[test]
    fn places_come_by_weight() {
        let first =
            mean(|rng| f64::from(u8::from(weighted_index(rng, [1.0, 3.0].into_iter()) == 0)));
        assert!((first - 0.25).abs() < 0.01, "{first}");
        let first = mean(|rng| f64::from(u8::from(rank(rng, 3) == 0)));
        assert!((first - 6.0 / 11.0).abs() < 0.01, "{first}");
    }
}
