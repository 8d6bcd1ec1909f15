//! Compares 120,000 positions in every run of `make test`; the binary compares millions.

#[test]
fn hansu_agrees_with_both_oracles() {
    let counts = hansu_oracle::survey(120_000, 20_261_115, |_| {});
    let counts = counts.unwrap_or_else(|difference| panic!("{difference}"));
    for (source, count) in counts {
        assert!(count >= 25_000, "only {count} positions from {source:?}");
    }
}
