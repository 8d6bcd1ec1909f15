//! Any text as FEN: refused, or a position that comes back the same from both spellings.
#![no_main]

use hansu_chess::{Position, Setup, Variant};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(setup) = Setup::from_fen(text) {
        // A set-up can be checked and written even if it has faults.
        let _ = setup.faults(Variant::Standard).to_string();
        let _ = setup.fen();
    }
    for variant in [Variant::Standard, Variant::Chess960] {
        let Ok(position) = Position::from_fen(text, variant) else {
            continue;
        };
        for fen in [position.fen(), position.setup().shredder_fen()] {
            let again = Position::from_fen(&fen, variant).expect("its own FEN");
            assert_eq!(again.setup(), position.setup());
            assert_eq!(again.key(), position.key());
        }
        let moves = position.legal_moves();
        assert_eq!(moves.len() as u64, position.count_moves());
        for step in moves {
            let next = position.play(step);
            assert_eq!(next.setup().position(variant), Ok(next));
        }
    }
});
