//! Latency figures and how they are printed.

use std::fmt;
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

/// A summary of latencies, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Latency {
    /// The number of measurements.
    pub count: u64,
    /// The median.
    pub p50: f64,
    /// The 90th percentile.
    pub p90: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The 99.9th percentile.
    pub p999: f64,
    /// The maximum.
    pub max: f64,
}

/// An empty histogram of microseconds, up to a minute, with three digits.
///
/// # Panics
///
/// Never: the bounds are valid.
pub fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, 60_000_000, 3).expect("sound bounds")
}

/// Records a latency; more than a minute counts as a minute.
pub fn count(histogram: &mut Histogram<u64>, latency: Duration) {
    histogram.saturating_record(u64::try_from(latency.as_micros()).unwrap_or(u64::MAX).max(1));
}

impl Latency {
    /// The summary of a histogram of microseconds.
    pub fn of(histogram: &Histogram<u64>) -> Latency {
        let at = |quantile| histogram.value_at_quantile(quantile) as f64 / 1_000.0;
        Latency {
            count: histogram.len(),
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            p999: at(0.999),
            max: histogram.max() as f64 / 1_000.0,
        }
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Latency { p50, p90, p99, p999, max, count } = self;
        write!(
            f,
            "p50 {p50:.2} ms, p90 {p90:.2}, p99 {p99:.2}, p99.9 {p999:.2}, \
             max {max:.1} ({count} measured)"
        )
    }
}

/// Bytes as megabytes (10^6).
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_in_milliseconds() {
        let mut all = histogram();
        for millis in 1..=1_000 {
            count(&mut all, Duration::from_millis(millis));
        }
        let latency = Latency::of(&all);
        assert!((latency.p50 - 500.0).abs() < 1.0, "{latency}");
        assert!((latency.p99 - 990.0).abs() < 1.5, "{latency}");
        assert!((latency.max - 1_000.0).abs() < 1.5, "{latency}");
    }
}
