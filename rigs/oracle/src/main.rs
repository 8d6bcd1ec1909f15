//! The long comparison: `cargo run --release -p hansu-oracle -- --positions 3000000 --seed 1`.

use std::io::{IsTerminal, Write};
use std::time::Instant;

use clap::Parser;

/// Compares Hansu's rules with shakmaty and cozy-chess on random positions.
#[derive(Parser)]
struct Arguments {
    /// How many positions to compare.
    #[arg(long, default_value_t = 1_000_000)]
    positions: u64,
    /// The seed of the random numbers; the same seed gives the same positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> anyhow::Result<()> {
    let Arguments { positions, seed } = Arguments::parse();
    let started = Instant::now();
    let mut errors = std::io::stderr();
    let shown = errors.is_terminal();
    let mut next = 0;
    let counts = hansu_oracle::survey(positions, seed, |reached| {
        if shown && reached >= next {
            next = reached + 10_000;
            // A failure to write the progress does not stop the run.
            let _ = write!(errors, "\r{reached} positions");
        }
    })?;
    if shown {
        eprintln!();
    }
    for (kind, count) in counts {
        println!("{kind:?}: {count}");
    }
    let total: u64 = counts.iter().map(|count| count.1).sum();
    let seconds = started.elapsed().as_secs_f64();
    println!("{total} positions, 0 differences ({seconds:.1} s)");
    Ok(())
}
