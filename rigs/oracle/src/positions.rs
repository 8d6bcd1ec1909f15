//! Where the compared positions come from: games, set-ups, and everything just before an end.

use hansu_chess::{Position, Variant};
use hansu_ground::games as random;

use crate::{Difference, Trio};

/// How a line of positions begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A game of standard chess.
    Standard,
    /// A game from one of the 960 starts.
    Chess960,
    /// A set-up of standard chess and a few moves from it.
    StandardSetUp,
    /// A set-up of Chess960 and a few moves from it.
    Chess960SetUp,
}

impl Source {
    /// All sources.
    pub const ALL: [Source; 4] =
        [Source::Standard, Source::Chess960, Source::StandardSetUp, Source::Chess960SetUp];

    fn start(self, choose: &mut random::Choose<'_>) -> Position {
        match self {
            Source::Standard => Position::start(),
            Source::Chess960 => random::chess960_start(choose),
            Source::StandardSetUp => random::set_up(Variant::Standard, choose),
            Source::Chess960SetUp => random::set_up(Variant::Chess960, choose),
        }
    }

    /// Long games from starts, short ones from set-ups: those are wild enough at once.
    fn plies(self) -> usize {
        match self {
            Source::Standard | Source::Chess960 => 240,
            Source::StandardSetUp | Source::Chess960SetUp => 4,
        }
    }
}

/// SplitMix64: small, seeded, the same everywhere.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) as usize % below
    }
}

/// Compares at least so many positions, turn and turn about from every source. `progress` hears
/// the number reached after each line. Returns how many positions were compared from each source.
///
/// # Errors
///
/// The first difference.
pub fn survey(
    positions: u64,
    seed: u64,
    mut progress: impl FnMut(u64),
) -> Result<[(Source, u64); 4], Difference> {
    let mut choose = numbers(seed);
    let mut counts = Source::ALL.map(|source| (source, 0));
    let mut total = 0;
    while total < positions {
        // The source that is behind: long games would else crowd out the set-ups.
        let Some(behind) = counts.iter_mut().min_by_key(|count| count.1) else {
            break;
        };
        let compared = line(behind.0, &mut choose)?;
        behind.1 += compared;
        total += compared;
        progress(total);
    }
    Ok(counts)
}

/// One line of play, compared at every position; returns how many those were.
fn line(source: Source, choose: &mut random::Choose<'_>) -> Result<u64, Difference> {
    let Some(start) = Trio::new(source.start(choose)) else {
        return Ok(0);
    };
    start.compare()?;
    let mut line = vec![start];
    for _ in 0..source.plies() {
        let now = &line[line.len() - 1];
        let Some(step) = random::legal_move(now.position(), choose) else {
            break;
        };
        let next = now.play(step)?;
        next.compare()?;
        line.push(next);
    }
    let compared = line.len() as u64;
    match line.last() {
        Some(end) if end.position().outcome().is_some() => Ok(compared + before_end(&line)?),
        _ => Ok(compared),
    }
}

/// All moves that were possible in the last plies before an end: near misses and other ends.
fn before_end(line: &[Trio]) -> Result<u64, Difference> {
    let mut compared = 0;
    for before in line.iter().rev().take(4) {
        for step in before.position().legal_moves() {
            before.play(step)?.compare()?;
            compared += 1;
        }
    }
    Ok(compared)
}
