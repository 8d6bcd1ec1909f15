//! Random games, the same for every run: the material of the notation and PGN tasks.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, EnPassantMode, Move, MoveList, Position, Role};

/// A position with one of its legal moves.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) fen: String,
    pub(crate) san: String,
}

/// A small random generator (`SplitMix64`) with the same numbers on every platform.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which must not be zero.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// A plausible move: the one with the highest [`temptation`] of three random ones. Uniformly random
/// moves would leave full boards with hardly any captures, unlike real games.
pub(crate) fn choose(random: &mut Random, legal: &MoveList) -> Move {
    let mut pick = || legal[random.below(legal.len())];
    let (first, second, third) = (pick(), pick(), pick());
    [second, third].into_iter().fold(
        first,
        |best, m| {
            if temptation(m) > temptation(best) { m } else { best }
        },
    )
}

fn temptation(m: Move) -> i32 {
    if m.is_castle() {
        return 10;
    }
    let value = |role| match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    };
    let taken = m.capture().map_or(0, |role| 4 + value(role));
    let promoted = m.promotion().map_or(0, value);
    // Kings rarely move, so that castling and middlegames happen.
    taken + promoted - i32::from(m.role() == Role::King)
}

/// Positions from everywhere in random games, each with a uniformly random legal move.
pub(crate) fn samples(count: usize) -> Vec<Sample> {
    let mut random = Random::new(2);
    let mut samples = Vec::with_capacity(count);
    while samples.len() < count {
        let mut position = Chess::default();
        let limit = 40 + random.below(120);
        for _ in 0..limit {
            let legal = position.legal_moves();
            if legal.is_empty() || position.is_insufficient_material() {
                break;
            }
            // Only a few per game, since neighbouring positions are too similar.
            if random.one_in(8) && samples.len() < count {
                let m = legal[random.below(legal.len())];
                samples.push(Sample {
                    fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
                    san: SanPlus::from_move(position.clone(), m).to_string(),
                });
            }
            position.play_unchecked(choose(&mut random, &legal));
        }
    }
    samples
}
