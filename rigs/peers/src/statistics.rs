//! The two averages that the tables use.

/// The middle value; of an even number, the mean of the two in the middle.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    Some(if sorted.len() % 2 == 1 { upper } else { f64::midpoint(sorted[middle - 1], upper) })
}

/// The geometric mean, for ratios and speeds: it does not depend on the choice of the base.
pub(crate) fn geometric_mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    Some((logarithms / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle_whatever_the_order() {
        assert_eq!(median(&[5.0, 1.0, 9.0]), Some(5.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 100.0]), Some(3.0));
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn one_slow_round_does_not_move_the_median() {
        assert_eq!(median(&[10.0, 10.0, 1000.0, 10.0, 10.0]), Some(10.0));
    }

    #[test]
    fn geometric_mean_of_a_ratio_and_its_inverse_is_one() {
        let mean = geometric_mean(&[4.0, 0.25]).unwrap();
        assert!((mean - 1.0).abs() < 1e-12);
        let mean = geometric_mean(&[1.0, 10.0, 100.0]).unwrap();
        assert!((mean - 10.0).abs() < 1e-9);
        assert_eq!(geometric_mean(&[]), None);
    }
}
