//! Scores for the side to move: hundredths of a pawn, or the distance to mate.

/// No line is searched deeper than this many plies.
pub const MAX_PLY: usize = 128;

/// The score of giving mate now; a mate in n plies is worth n less.
pub const MATE: i32 = 32_000;

/// Larger than any score.
pub(crate) const INFINITE: i32 = 32_100;

/// Stands for an unknown score.
pub(crate) const UNKNOWN: i32 = 32_200;

/// Scores from here on are mates, smaller ones are estimates.
pub(crate) const MATE_IN_REACH: i32 = MATE - MAX_PLY as i32;

/// The largest estimate.
pub(crate) const ESTIMATE_LIMIT: i32 = MATE_IN_REACH - 1;

/// True if a score is a mate for either side.
#[inline(always)]
pub const fn is_mate(score: i32) -> bool {
    score.abs() >= MATE_IN_REACH
}

/// A score in the terms of UCI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many moves; negative or 0 when the side to move is mated.
    Mate(i32),
}

impl Verdict {
    /// From a score at the root.
    ///
    /// ```
    /// use hansu_engine::{MATE, Verdict};
    /// assert_eq!(Verdict::of(MATE - 3), Verdict::Mate(2));
    /// assert_eq!(Verdict::of(-MATE + 2), Verdict::Mate(-1));
    /// assert_eq!(Verdict::of(31), Verdict::Centipawns(31));
    /// ```
    pub fn of(score: i32) -> Verdict {
        if !is_mate(score) {
            return Verdict::Centipawns(score);
        }
        let plies = MATE - score.abs();
        Verdict::Mate(if score > 0 { (plies + 1) / 2 } else { -(plies / 2) })
    }
}

/// The probabilities, in thousandths, that the side with this score wins, draws and loses.
///
/// ```
/// let [win, draw, loss] = hansu_engine::win_draw_loss(0);
/// assert_eq!((win, win + draw + loss), (loss, 1000));
/// ```
pub fn win_draw_loss(score: i32) -> [i32; 3] {
    // Two logistic curves. `HALF` is the score at which half of the games are won.
    const HALF: f64 = 180.0;
    const WIDTH: f64 = 110.0;
    let chance = |score: f64| 1.0 / (1.0 + ((HALF - score) / WIDTH).exp());
    let thousandths = |chance: f64| (chance * 1000.0).round() as i32;
    let score = f64::from(score);
    let (win, loss) = (thousandths(chance(score)), thousandths(chance(-score)));
    [win, 1000 - win - loss, loss]
}

/// A score as the transposition table stores it: mates by their distance from the position, not
/// from the root.
#[inline(always)]
pub(crate) const fn to_table(score: i32, ply: usize) -> i32 {
    if score >= MATE_IN_REACH {
        score + ply as i32
    } else if score <= -MATE_IN_REACH {
        score - ply as i32
    } else {
        score
    }
}

/// The reverse of [`to_table`].
#[inline(always)]
pub(crate) const fn from_table(score: i32, ply: usize) -> i32 {
    if score == UNKNOWN {
        score
    } else if score >= MATE_IN_REACH {
        score - ply as i32
    } else if score <= -MATE_IN_REACH {
        score + ply as i32
    } else {
        score
    }
}
