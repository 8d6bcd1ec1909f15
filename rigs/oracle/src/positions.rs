//! The compared positions: random games, set-ups, and all moves shortly before a game's end.

use hansu_chess::{Position, Variant};
use hansu_ground::games;

use crate::{Difference, Trio};

/// How a game begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartKind {
    /// A game of standard chess.
    Standard,
    /// A game from one of the 960 starts.
    Chess960,
    /// A set-up of standard chess and a few moves from it.
    StandardSetUp,
    /// A set-up of Chess960 and a few moves from it.
    Chess960SetUp,
}

impl StartKind {
    /// All kinds.
    pub const ALL: [StartKind; 4] = [
        StartKind::Standard,
        StartKind::Chess960,
        StartKind::StandardSetUp,
        StartKind::Chess960SetUp,
    ];

    fn start(self, choose: &mut games::Choose<'_>) -> Position {
        match self {
            StartKind::Standard => Position::start(),
            StartKind::Chess960 => games::chess960_start(choose),
            StartKind::StandardSetUp => games::set_up(Variant::Standard, choose),
            StartKind::Chess960SetUp => games::set_up(Variant::Chess960, choose),
        }
    }

    /// Long games from starting positions, short ones from set-ups, which are unusual from the
    /// beginning.
    fn plies(self) -> usize {
        match self {
            StartKind::Standard | StartKind::Chess960 => 240,
            StartKind::StandardSetUp | StartKind::Chess960SetUp => 4,
        }
    }
}

/// SplitMix64 with a seed, the same numbers on every platform.
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

/// Compares at least this many positions, evenly from all kinds. `progress` gets the number
/// reached after each game. Returns the number of positions compared from each kind.
///
/// # Errors
///
/// The first difference.
pub fn survey(
    positions: u64,
    seed: u64,
    mut progress: impl FnMut(u64),
) -> Result<[(StartKind, u64); 4], Difference> {
    let mut choose = numbers(seed);
    let mut counts = StartKind::ALL.map(|kind| (kind, 0));
    let mut total = 0;
    while total < positions {
        // The kind with the fewest positions: otherwise long games would crowd out the set-ups.
        let Some(behind) = counts.iter_mut().min_by_key(|count| count.1) else {
            break;
        };
        let compared = compare_game(behind.0, &mut choose)?;
        behind.1 += compared;
        total += compared;
        progress(total);
    }
    Ok(counts)
}

/// Plays one game and compares every position; returns their number.
fn compare_game(kind: StartKind, choose: &mut games::Choose<'_>) -> Result<u64, Difference> {
    let Some(start) = Trio::new(kind.start(choose)) else {
        return Ok(0);
    };
    start.compare()?;
    let mut game = vec![start];
    for _ in 0..kind.plies() {
        let now = &game[game.len() - 1];
        let Some(step) = games::legal_move(now.position(), choose) else {
            break;
        };
        let next = now.play(step)?;
        next.compare()?;
        game.push(next);
    }
    let compared = game.len() as u64;
    match game.last() {
        Some(end) if end.position().outcome().is_some() => {
            Ok(compared + compare_before_end(&game)?)
        }
        _ => Ok(compared),
    }
}

/// Compares all legal moves of the last four positions of a finished game.
fn compare_before_end(game: &[Trio]) -> Result<u64, Difference> {
    let mut compared = 0;
    for before in game.iter().rev().take(4) {
        for step in before.position().legal_moves() {
            before.play(step)?.compare()?;
            compared += 1;
        }
    }
    Ok(compared)
}
