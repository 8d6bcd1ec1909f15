//! Pieces that are drawn from half blocks, two points a character: ours, made for this board.

use hansu_chess::Role;

/// Points of a piece in a small tile (8×4 characters) and in a large one.
pub(crate) const SMALL: usize = 6;
pub(crate) const LARGE: usize = 8;

/// A piece of six by six points.
pub(crate) const fn small(role: Role) -> [&'static str; SMALL] {
    match role {
        Role::Pawn => ["......", "..##..", ".####.", "..##..", "..##..", ".####."],
        Role::Knight => ["..##..", ".#####", "###.##", "...##.", "..###.", ".#####"],
        Role::Bishop => ["..#...", ".##.#.", ".#.##.", ".####.", "..##..", "######"],
        Role::Rook => ["#.##.#", "######", ".####.", ".####.", ".####.", "######"],
        Role::Queen => ["..##..", "#.##.#", "######", ".####.", "..##..", "######"],
        Role::King => ["..##..", ".####.", "..##..", "##..##", "######", ".####."],
    }
}

/// A piece of eight by eight points.
pub(crate) const fn large(role: Role) -> [&'static str; LARGE] {
    match role {
        Role::Pawn => [
            "........", "...##...", "..####..", "..####..", "...##...", "...##...", "..####..",
            ".######.",
        ],
        Role::Knight => [
            "...#.#..", "..####..", ".##.###.", "########", "##..####", "...####.", "..#####.",
            ".######.",
        ],
        Role::Bishop => [
            "...##...", "....#...", "..##.#..", ".##.###.", ".######.", "..####..", "...##...",
            "########",
        ],
        Role::Rook => [
            "##.##.##", "##.##.##", "########", "..####..", "..####..", "..####..", ".######.",
            "########",
        ],
        Role::Queen => [
            "...##...", "#..##..#", "##.##.##", ".######.", "..####..", "..####..", ".######.",
            "########",
        ],
        Role::King => [
            "...##...", ".######.", "...##...", "###..###", "########", "########", ".######.",
            ".######.",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_square_and_all_different() {
        let mut seen = std::collections::BTreeSet::new();
        for role in Role::ALL {
            for line in small(role) {
                assert_eq!(line.len(), SMALL, "{role:?}");
            }
            for line in large(role) {
                assert_eq!(line.len(), LARGE, "{role:?}");
            }
            assert!(seen.insert(small(role).concat()) && seen.insert(large(role).concat()));
        }
    }
}
