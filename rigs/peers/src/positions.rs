//! The five positions of every perft table, with the depths that take long enough to time.

/// A well-known position and how deep to walk from it.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// All six fields, because some libraries require the counters.
    pub(crate) fen: &'static str,
    /// Depth when the last ply is counted in bulk.
    pub(crate) bulk: u32,
    /// Depth when every leaf is made.
    pub(crate) leaves: u32,
    /// The deeper of the two depths that callgrind compares; the other is one less.
    pub(crate) instructions: u32,
}

/// Kiwipete and the numbered ones are from <https://www.chessprogramming.org/Perft_Results>, the
/// last is the promotion test from there too.
pub(crate) const CASES: [Case; 5] = [
    Case {
        name: "start",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        bulk: 6,
        leaves: 5,
        instructions: 5,
    },
    Case {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        bulk: 5,
        leaves: 4,
        instructions: 4,
    },
    Case {
        name: "position4",
        fen: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        bulk: 5,
        leaves: 5,
        instructions: 4,
    },
    Case {
        name: "position3",
        fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        bulk: 6,
        leaves: 6,
        instructions: 6,
    },
    Case {
        name: "promotions",
        fen: "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        bulk: 6,
        leaves: 5,
        instructions: 5,
    },
];
