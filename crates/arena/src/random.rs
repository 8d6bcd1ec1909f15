//! Random numbers from a seed (SplitMix64), and random openings.

use hansu_chess::{Move, Position};

/// Random numbers that follow from a seed.
pub struct Random(u64);

impl Random {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below the limit, or 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// `plies` random moves from the start and the position after them; `None` when the game ends on
/// the way.
pub fn opening(random: &mut Random, plies: usize) -> Option<(Vec<Move>, Position)> {
    let mut position = Position::start();
    let mut moves = Vec::with_capacity(plies);
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return None;
        }
        let step = legal[random.below(legal.len())];
        moves.push(step);
        position = position.play(step);
    }
    position.has_moves().then_some((moves, position))
}
