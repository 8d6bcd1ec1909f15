//! A position and a text in algebraic notation, one line each: an accepted text is the notation of
//! the move.
#![no_main]

use hansu_chess::{Position, San, Variant};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (fen, word) = text.split_once('\n').unwrap_or(("", text));
    let position = Position::from_fen(fen, Variant::Chess960).unwrap_or_default();
    if let Ok(step) = word.parse::<San>().and_then(|san| san.to_move(&position)) {
        assert_eq!(position.san(step).to_string(), word);
        assert_eq!(San::lenient(word).and_then(|san| san.to_move(&position)), Ok(step));
    }
    if let Ok(step) = San::lenient(word).and_then(|san| san.to_move(&position)) {
        assert!(position.legal_moves().contains(&step));
        let written = position.san(step).to_string();
        assert_eq!(written.parse::<San>().and_then(|san| san.to_move(&position)), Ok(step));
    }
    if let Ok(san) = San::lenient(word) {
        assert_eq!(San::lenient(&san.to_string()), Ok(san));
    }
});
