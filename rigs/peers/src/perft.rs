//! Perft: the five positions with all libraries, or a single count on request.

use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use crate::arguments::Options;
use crate::clock;
use crate::positions::{CASES, Case};
use crate::race::{Contestant, race};
use crate::report::{Better, Columns, FigureTable};
use crate::rivals::{Perft, RIVALS, Walk};

/// How the last ply is handled.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Leaf {
    Counted,
    Made,
}

impl Leaf {
    /// Walks are repeated to fill this time, which is long compared to a scheduler's tick.
    const LAP: Duration = Duration::from_millis(200);

    fn walk(self, perft: Perft, fen: &str) -> Walk {
        match self {
            Self::Counted => (perft.bulk)(fen),
            Self::Made => (perft.leaves)(fen),
        }
    }

    fn depth(self, case: &Case, options: &Options) -> u32 {
        let depth = match self {
            Self::Counted => case.bulk,
            Self::Made => case.leaves,
        };
        depth - u32::from(options.quick)
    }
}

pub(crate) fn table(leaf: Leaf, options: &Options) -> Result<FigureTable> {
    let task = match leaf {
        Leaf::Counted => "perft, last ply counted in bulk",
        Leaf::Made => "perft, every leaf made",
    };
    let mut table = FigureTable::new(task, "Mnodes/s", Better::More, Columns::Alike);
    for case in &CASES {
        let depth = leaf.depth(case, options);
        let mut contestants = Vec::new();
        for rival in RIVALS {
            if let Some(perft) = rival.perft {
                let mut walk = leaf.walk(perft, case.fen);
                contestants.push(Contestant {
                    name: rival.name,
                    job: Box::new(move |output| output.numbers.push(walk(depth))),
                });
            }
        }
        let finish = race(contestants, options.rounds, Leaf::LAP)
            .with_context(|| format!("perft {depth} of {}", case.name))?;
        let nodes = finish.output.numbers[0] as f64;
        table.column(
            format!("{} {depth}", case.name),
            &finish.figures(|seconds| nodes / seconds / 1e6),
        );
    }
    Ok(table)
}

/// One perft of one library: what callgrind runs, and what a comparison of builds starts.
#[derive(Debug, Args)]
pub(crate) struct Count {
    /// Name of the library
    #[arg(value_parser = perft_of)]
    rival: Perft,
    /// Name of a position of the tables, or a FEN with all six fields
    position: String,
    /// Plies, at least one
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Make every leaf instead of counting the last ply in bulk
    #[arg(long)]
    leaves: bool,
    /// Repeat for this long, then also print the nodes per second
    #[arg(long, value_name = "MILLISECONDS")]
    lap: Option<u64>,
}

impl Count {
    pub(crate) fn run(&self) -> Result<()> {
        let named = CASES.iter().find(|case| case.name == self.position);
        let fen = named.map_or(self.position.as_str(), |case| case.fen);
        let leaf = if self.leaves { Leaf::Made } else { Leaf::Counted };
        let mut walk = leaf.walk(self.rival, fen);
        let Some(lap) = self.lap.map(Duration::from_millis) else {
            println!("{}", walk(self.depth));
            return Ok(());
        };
        // A first run outside the clock, as in a race.
        let nodes = walk(self.depth);
        let start = clock::now();
        let mut total = 0;
        while total == 0 || (clock::now() - start) < lap {
            total += walk(self.depth);
        }
        println!("{nodes} {:.0}", total as f64 / (clock::now() - start).as_secs_f64());
        Ok(())
    }
}

fn perft_of(name: &str) -> Result<Perft, String> {
    let able = || RIVALS.iter().filter(|rival| rival.perft.is_some());
    able().find(|rival| rival.name == name).and_then(|rival| rival.perft).ok_or_else(|| {
        let names: Vec<&str> = able().map(|rival| rival.name).collect();
        format!("not one of {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_libraries_agree_on_small_depths() {
        for case in &CASES {
            for depth in 1..=3 {
                let mut first = None;
                for rival in RIVALS {
                    let Some(perft) = rival.perft else { continue };
                    for leaf in [Leaf::Counted, Leaf::Made] {
                        let count = leaf.walk(perft, case.fen)(depth);
                        assert_eq!(
                            count,
                            *first.get_or_insert(count),
                            "{} {leaf:?} on {} {depth}",
                            rival.name,
                            case.name,
                        );
                    }
                }
            }
        }
    }
}
