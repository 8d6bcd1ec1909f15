//! What weak levels overlook: replies of the opponent that are far, backward or quiet.

use hansu_chess::{Color, Move, Position, Role};

/// Which replies of the opponent a search overlooks. The seed and the root position decide it: near
/// threats are overlooked seldom, far quiet ones often, recaptures never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blindness {
    /// The same for a whole game.
    pub seed: u64,
    /// How many of 1,000 ordinary quiet replies are overlooked.
    pub thousandths: u32,
    /// If true, captures that win a piece for nothing are never overlooked.
    pub sees_losses: bool,
}

/// A random number from the seed, a key and a move (SplitMix64; Steele, Lea and Flood, 2014).
pub(crate) fn draw(seed: u64, key: u64, number: u64) -> u64 {
    let mut mixed = seed ^ key.rotate_left(17) ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for _ in 0..2 {
        mixed = mixed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
    }
    mixed
}

impl Blindness {
    /// True if a reply is overlooked in a search that began at the position with the key `root`.
    /// `last_target` is the index of the square where the move before it ended.
    pub(crate) fn overlooks(
        &self,
        root: u64,
        position: &Position,
        step: Move,
        gives_check: bool,
        last_target: Option<usize>,
    ) -> bool {
        let chance = self.chance(position, step, gives_check, last_target);
        chance > 0
            && draw(self.seed, root, u64::from(step.to_bits())) % 1000 < u64::from(chance)
            && !(self.sees_losses && position.is_capture(step) && position.see_at_least(step, 200))
    }

    /// The probability, in thousandths, that such a move is overlooked.
    fn chance(
        &self,
        position: &Position,
        step: Move,
        gives_check: bool,
        last_target: Option<usize>,
    ) -> u32 {
        let (from, to) = (step.from().index(), step.to().index());
        let captures = position.is_capture(step);
        if captures && last_target == Some(to) {
            return 0;
        }
        let files = (from % 8).abs_diff(to % 8);
        let ranks = (from / 8).abs_diff(to / 8);
        let backward = match position.turn() {
            Color::White => to / 8 < from / 8,
            Color::Black => to / 8 > from / 8,
        };
        let far = files.max(ranks) >= 4;
        let diagonal = files == ranks && files >= 3 && step.role() != Role::Pawn;
        let mut percent = if captures { 50 } else { 100 };
        percent = if gives_check { percent * 7 / 10 } else { percent };
        percent = if backward { percent * 14 / 10 } else { percent };
        percent = if far { percent * 13 / 10 } else { percent };
        percent = if diagonal { percent * 12 / 10 } else { percent };
        (self.thousandths * percent / 100).min(950)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansu_chess::Square;

    #[test]
    fn far_backward_quiet_moves_are_overlooked_most_and_recaptures_never() {
        let blind = Blindness { seed: 1, thousandths: 300, sees_losses: false };
        let position: Position = "4k3/8/8/8/3p3Q/2P5/8/B3K3 w - - 0 1".parse().expect("sound");
        let step = |from, to| position.judge(from, to, None).expect("legal");
        let near = blind.chance(&position, step(Square::C3, Square::D4), false, None);
        let far = blind.chance(&position, step(Square::H4, Square::H8), true, None);
        assert!(near < far, "{near} {far}");
        let taken = Some(Square::D4.index());
        assert_eq!(blind.chance(&position, step(Square::C3, Square::D4), false, taken), 0);
    }
}
