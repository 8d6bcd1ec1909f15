//! `hansu perft`: counts the sequences of legal moves, on one core or many.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use hansu_chess::{Move, Position, perft};
use hansu_words::Lang;

use crate::moves::sorted_moves;
use crate::start::Start;

/// The tree is split into at least this many pieces per thread, so that all threads end at about
/// the same time.
const PIECES_PER_THREAD: usize = 64;

/// Each piece keeps at least this many plies: a smaller one costs more to hand out than to count.
const PLIES_KEPT: u32 = 3;

/// Count the sequences of legal moves of a length
///
/// The count stands alone on the last line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  hansu perft 5
  hansu perft 3 --divide --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\"
  hansu perft 7 --threads 0")]
pub(crate) struct Perft {
    /// How many moves of single sides
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,

    #[command(flatten)]
    start: Start,

    /// Before the count, one line for each first move
    #[arg(long)]
    divide: bool,

    /// How many threads count; 0 takes all cores
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
}

impl Perft {
    pub(crate) fn run(&self, lang: Lang, out: &mut impl Write) -> Result<()> {
        let position = self.start.position(lang)?;
        if self.depth == 0 {
            writeln!(out, "1")?;
            return Ok(());
        }
        let first = sorted_moves(&position, self.start.variant());
        let steps: Vec<Move> = first.iter().map(|&(_, step)| step).collect();
        let counts = count(&position, &steps, self.depth, self.threads()?)?;
        if self.divide {
            for ((uci, _), count) in first.iter().zip(&counts) {
                writeln!(out, "{uci}: {count}")?;
            }
        }
        writeln!(out, "{}", sum(counts.iter().copied())?)?;
        Ok(())
    }

    fn threads(&self) -> Result<usize> {
        match self.threads {
            0 => Ok(thread::available_parallelism()
                .context("cannot find out how many cores there are; name --threads")?
                .get()),
            some => Ok(some as usize),
        }
    }
}

/// A part of the tree, below the first move with this index.
struct Piece {
    first: usize,
    position: Position,
}

/// The count below each of the first moves. `depth` includes the first move and is at least 1.
fn count(position: &Position, steps: &[Move], depth: u32, threads: usize) -> Result<Vec<u64>> {
    let mut left = depth.saturating_sub(1);
    let mut pieces: Vec<Piece> = steps
        .iter()
        .enumerate()
        .map(|(first, &step)| Piece { first, position: position.play(step) })
        .collect();
    while threads > 1 && left > PLIES_KEPT && pieces.len() < threads * PIECES_PER_THREAD {
        pieces = pieces.iter().flat_map(cut).collect();
        left -= 1;
    }
    let next = AtomicUsize::new(0);
    // The count of one piece fits into u64: no machine can count to 2^64.
    let work = || -> Result<Vec<u64>> {
        let mut counts = vec![0; steps.len()];
        while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            let below = perft(&piece.position, left);
            counts[piece.first] = sum([counts[piece.first], below])?;
        }
        Ok(counts)
    };
    thread::scope(|scope| {
        // This thread counts as well.
        let others = threads.min(pieces.len()).saturating_sub(1);
        let mut running = Vec::with_capacity(others);
        for _ in 0..others {
            let started = thread::Builder::new().spawn_scoped(scope, work);
            running.push(started.context("cannot start so many threads; name fewer")?);
        }
        let mut counts = work()?;
        for other in running {
            let more = other.join().map_err(|_| anyhow!("a thread has failed"))??;
            for (count, more) in counts.iter_mut().zip(more) {
                *count = sum([*count, more])?;
            }
        }
        Ok(counts)
    })
}

fn cut(piece: &Piece) -> impl Iterator<Item = Piece> {
    let Piece { first, position } = *piece;
    position
        .legal_moves()
        .into_iter()
        .map(move |step| Piece { first, position: position.play(step) })
}

fn sum(counts: impl IntoIterator<Item = u64>) -> Result<u64> {
    counts
        .into_iter()
        .try_fold(0, u64::checked_add)
        .context("there are more than 2^64 sequences; name a smaller depth")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(position: &Position, depth: u32, threads: usize) -> u64 {
        let steps = position.legal_moves();
        sum(count(position, &steps, depth, threads).expect("counts")).expect("fits")
    }

    #[test]
    fn any_number_of_threads_counts_the_same() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position: Position = fen.parse().expect(fen);
        for threads in [1, 2, 3, 7, 100] {
            for (depth, expected) in [(1, 48), (2, 2039), (3, 97_862), (4, 4_085_603)] {
                assert_eq!(total(&position, depth, threads), expected, "{threads}");
            }
        }
        assert_eq!(total(&Position::start(), 5, 2), 4_865_609);
        assert_eq!(total(&Position::start(), 6, 2), 119_060_324);
    }

    #[test]
    fn lines_that_end_early_are_counted_by_all_threads_alike() {
        // Mate in one on the board: many branches die before the depth.
        let fen = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
        let position: Position = fen.parse().expect(fen);
        for depth in 1..=7 {
            assert_eq!(total(&position, depth, 8), perft(&position, depth), "{depth}");
        }
    }

    #[test]
    fn a_sum_that_does_not_fit_is_an_error() {
        assert_eq!(sum([1, 2, 3]).expect("fits"), 6);
        assert!(sum([u64::MAX, 1]).is_err());
    }
}
