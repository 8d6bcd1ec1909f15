//! Pictures of the pieces for half blocks, two points per character, made for this board.

use hansu_chess::Role;

/// Width and height of a picture in points: for tiles from 8×4 and from 10×5 characters.
pub(crate) const SMALL: usize = 6;
pub(crate) const LARGE: usize = 8;

/// The picture of a piece in 6×6 points; `#` is set.
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

/// The picture of a piece in 8×8 points; `#` is set.
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
