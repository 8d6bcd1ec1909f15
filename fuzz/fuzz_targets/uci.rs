//! A position and a move in coordinates, one line each: judge and generator say the same.
#![no_main]

use hansu_chess::{Position, Square, UciMove, Variant};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = text.parse::<Square>();
    let (fen, word) = text.split_once('\n').unwrap_or(("", text));
    let position = Position::from_fen(fen, Variant::Chess960).unwrap_or_default();
    let Ok(uci) = word.parse::<UciMove>() else {
        return;
    };
    assert_eq!(uci.to_string(), word);
    match uci.to_move(&position) {
        Ok(step) => {
            assert!(position.legal_moves().contains(&step));
            assert_eq!(step.uci(Variant::Chess960).to_move(&position), Ok(step));
        }
        Err(refusal) => {
            let named = position.legal_moves().into_iter();
            let mut named = named.map(|step| step.uci(Variant::Chess960));
            assert!(!named.any(|one| one == uci), "{refusal:?}");
        }
    }
});
