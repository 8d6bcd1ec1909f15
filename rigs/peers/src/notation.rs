//! SAN and FEN: text to legal move or checked position, and back (SAN with its `+` or `#`).

use std::time::Duration;

use anyhow::{Context, Result};

use crate::arguments::Options;
use crate::games::samples;
use crate::race::{Contestant, race};
use crate::report::{Better, Columns, FigureTable};
use crate::rivals::{Notation, RIVALS, Rival};

/// Too many for the branch predictor to learn, few enough to stay in the cache.
const SAMPLES: usize = 10_000;

const LAP: Duration = Duration::from_millis(100);

#[derive(Debug, Clone, Copy)]
enum Direction {
    Read,
    ReadStrictly,
    Write,
}

impl Direction {
    const ALL: [Self; 3] = [Self::Read, Self::ReadStrictly, Self::Write];

    const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::ReadStrictly => "read strictly",
            Self::Write => "write",
        }
    }
}

pub(crate) fn san(options: &Options) -> Result<FigureTable> {
    table("SAN of moves in random games", options, |rival| rival.san)
}

pub(crate) fn fen(options: &Options) -> Result<FigureTable> {
    table("FEN of positions in random games", options, |rival| rival.fen)
}

fn table(
    task: &'static str,
    options: &Options,
    of: fn(&Rival) -> Option<Notation>,
) -> Result<FigureTable> {
    let samples = samples(if options.quick { SAMPLES / 10 } else { SAMPLES });
    let mut table = FigureTable::new(task, "ns each", Better::Less, Columns::Different);
    for direction in Direction::ALL {
        let contestants: Vec<Contestant> = RIVALS
            .iter()
            .filter_map(|rival| {
                let notation = of(rival)?;
                let prepare = match direction {
                    Direction::Read => notation.read,
                    Direction::ReadStrictly => notation.read_strictly?,
                    Direction::Write => notation.write,
                };
                Some(Contestant { name: rival.name, job: prepare(&samples) })
            })
            .collect();
        if contestants.is_empty() {
            continue;
        }
        let finish = race(contestants, options.rounds, LAP)
            .with_context(|| format!("{task}, {}", direction.name()))?;
        let count = samples.len() as f64;
        table.column(direction.name().into(), &finish.figures(|seconds| seconds / count * 1e9));
    }
    Ok(table)
}
