//! Random bytes as a game: they choose the start and every move, and the laws hold throughout.
#![no_main]

use std::cell::Cell;

use hansu_chess::{Game, Position, Role, San, Square, Variant};
use hansu_ground::games as random;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.iter();
    let ended = Cell::new(false);
    let choose = &mut |below: usize| {
        let byte = bytes.next();
        ended.set(byte.is_none());
        usize::from(byte.copied().unwrap_or(0)) % below
    };
    let (start, variant) = match choose(4) {
        0 => (Position::start(), Variant::Standard),
        1 => (random::chess960_start(choose), Variant::Chess960),
        2 => (random::set_up(Variant::Standard, choose), Variant::Standard),
        _ => (random::set_up(Variant::Chess960, choose), Variant::Chess960),
    };
    let mut game = Game::from_position(start, variant);
    // At most 300 moves: more would only slow the fuzzer down.
    for _ in 0..300 {
        let position = *game.position();
        let again = Position::from_fen(&position.fen(), variant).expect("its own FEN");
        assert_eq!((again.key(), again.setup()), (position.key(), position.setup()));

        let squares = (Square::ALL[choose(64)], Square::ALL[choose(64)]);
        let promotion = [None, Some(Role::ALL[choose(6)])][choose(2)];
        let judged = position.judge(squares.0, squares.1, promotion);
        let moves = position.legal_moves();
        assert!(judged.is_err() || judged.is_ok_and(|step| moves.contains(&step)));
        let named = |uci: hansu_chess::UciMove| (uci.from, uci.to, uci.promotion);
        let known = moves
            .iter()
            .any(|step| named(step.uci(Variant::Chess960)) == (squares.0, squares.1, promotion));
        assert!(!known || judged.is_ok(), "{judged:?} in {position}");

        let Some(step) = random::legal_move(&position, choose) else {
            break;
        };
        let san = position.san(step).to_string();
        assert_eq!(san.parse::<San>().and_then(|san| san.to_move(&position)), Ok(step));
        let outcome = game.outcome();
        assert_eq!(game.play_san(&san).is_ok(), outcome.is_none());
        if outcome.is_some() || ended.get() {
            break;
        }
    }
});
