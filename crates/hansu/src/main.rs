//! tmp
use hansu_chess::*;
fn main() {
    for (fen, d, n) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324u64),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 5, 193690690),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 5, 15833292),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 7, 178633661),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -", 6, 71179139),
    ] {
        let p = Position::from_fen(fen, Variant::Standard).unwrap();
        let mut best = 0f64;
        for _ in 0..5 {
        let t = std::time::Instant::now();
        let c = perft(&p, d);
        best = best.max(c as f64 / t.elapsed().as_secs_f64() / 1e6);
        if c != n { println!("MISMATCH {fen} {d} {c} {n}"); break }
        }
        println!("{best:.0} Mnps");
    }
}
