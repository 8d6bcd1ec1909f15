//! How games end, by themselves, by claim and by word, and how they come back to life.

use hansu_chess::Square::*;
use hansu_chess::{Claim, Color, Game, GameError, Outcome, Position, Reason, Role, Variant};

fn at(fen: &str) -> Game {
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    Game::from_position(position, Variant::Standard)
}

#[track_caller]
fn play(game: &mut Game, moves: &str) {
    for step in moves.split_whitespace() {
        game.play_san(step).unwrap_or_else(|error| panic!("{step}: {error}"));
    }
}

fn reason(game: &Game) -> Option<Reason> {
    game.outcome().map(|outcome| outcome.reason)
}

#[test]
fn checkmate_wins_for_the_side_that_gives_it() {
    let mut game = Game::start();
    play(&mut game, "f3 e5 g4 Qh4#");
    assert_eq!(game.outcome(), Some(Outcome::win(Color::Black, Reason::Checkmate)));
    let mut game = Game::start();
    play(&mut game, "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#");
    assert_eq!(game.outcome(), Some(Outcome::win(Color::White, Reason::Checkmate)));
    assert_eq!(game.outcome().map(Outcome::result), Some("1-0"));
}

#[test]
fn check_mate_and_stalemate_are_three_things() {
    for (fen, check, mate, stalemate) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false, false, false),
        ("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", true, false, false),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", true, true, false),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false, false, true),
    ] {
        let game = at(fen);
        let position = game.position();
        assert_eq!(position.is_check(), check, "{fen}");
        assert_eq!(position.is_checkmate(), mate, "{fen}");
        assert_eq!(position.is_stalemate(), stalemate, "{fen}");
        assert_eq!(position.has_moves(), !mate && !stalemate, "{fen}");
    }
}

#[test]
fn stalemate_is_a_draw() {
    let mut game = at("7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    play(&mut game, "Qf7");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::Stalemate)));
    // Sam Loyd's shortest stalemate, with all the pieces that stand in their own way.
    let mut game = Game::start();
    play(
        &mut game,
        "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6",
    );
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::Stalemate)));
}

#[test]
fn positions_without_mating_material_are_dead() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4kb2/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 b - - 0 1",
        "8/8/4kn2/8/8/3K4/8/8 w - - 0 1",
        // Bishops of both sides, all on dark squares, then on light ones.
        "8/8/4kb2/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4k1b1/8/8/3K1B2/8/8 w - - 0 1",
        // However many there are.
        "5b2/8/4kb2/8/8/3KB3/8/B1B5 w - - 0 1",
        "8/8/4k3/8/8/3KB3/8/B1B5 w - - 0 1",
    ] {
        assert_eq!(reason(&at(fen)), Some(Reason::DeadPosition), "{fen}");
    }
}

#[test]
fn positions_in_which_a_side_could_be_mated_are_not_dead() {
    for fen in [
        "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
        "8/8/4kn2/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4kb2/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KBN2/8/8 w - - 0 1",
        // Bishops on squares of both colours.
        "8/8/4k3/8/8/3KBB2/8/8 w - - 0 1",
        "8/8/4kb2/8/8/3K1B2/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KP3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3K1R2/8/8 w - - 0 1",
        "8/8/4k3/8/8/3K1Q2/8/8 w - - 0 1",
    ] {
        assert_eq!(at(fen).outcome(), None, "{fen}");
    }
}

#[test]
fn a_capture_that_leaves_dead_material_ends_the_game() {
    let mut game = at("8/8/4k3/8/8/3Kq3/8/8 w - - 0 1");
    play(&mut game, "Kxe3");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::DeadPosition)));
}

const KNIGHTS: &str = "Nf3 Nf6 Ng1 Ng8 ";

#[test]
fn the_third_repetition_may_be_claimed_and_the_fifth_ends_the_game() {
    let mut game = Game::start();
    play(&mut game, KNIGHTS);
    assert_eq!((game.repetitions(), game.claim()), (2, None));
    assert_eq!(game.claim_draw(), Err(GameError::NothingToClaim));
    play(&mut game, KNIGHTS);
    assert_eq!((game.repetitions(), game.claim()), (3, Some(Claim::Threefold)));
    assert_eq!(game.outcome(), None, "a claim is not forced");
    let mut claimed = game.clone();
    let draw = Outcome::draw(Reason::ThreefoldRepetition);
    assert_eq!(claimed.claim_draw(), Ok(draw));
    assert_eq!(claimed.outcome(), Some(draw));
    play(&mut game, "Nf3");
    assert_eq!(game.claim(), Some(Claim::Threefold), "this position, too, stands a third time");
    play(&mut game, "Nf6 Ng1 Ng8");
    assert_eq!((game.repetitions(), game.outcome()), (4, None));
    play(&mut game, "Nf3 Nf6 Ng1");
    assert_eq!(game.outcome(), None);
    play(&mut game, "Ng8");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::FivefoldRepetition)));
    assert_eq!(game.claim_draw(), Err(GameError::Over));
}

#[test]
fn a_pawn_move_breaks_the_chain_of_repetitions() {
    let mut game = Game::start();
    play(&mut game, KNIGHTS);
    play(&mut game, "a3 a6");
    play(&mut game, KNIGHTS);
    assert_eq!((game.repetitions(), game.claim()), (2, None));
}

#[test]
fn repetitions_count_from_the_start_whatever_the_counters_say() {
    // The FEN tells of forty quiet halfmoves that this game has not seen.
    let mut game = at("4k2r/8/8/8/8/8/8/R3K3 w - - 40 60");
    play(&mut game, "Ra2 Rh7 Ra1 Rh8 Ra2 Rh7 Ra1");
    assert_eq!(game.claim(), None);
    play(&mut game, "Rh8");
    assert_eq!(game.claim(), Some(Claim::Threefold));
}

#[test]
fn with_en_passant_possible_it_is_another_position() {
    // After 1... d5 White could take en passant; later the same squares do not repeat it.
    let mut game = at("4k1n1/3p4/8/4P3/8/8/8/4K1N1 b - - 0 1");
    play(&mut game, "d5");
    let with = *game.position();
    assert_eq!(with.en_passant(), Some(D6));
    play(&mut game, "Nf3 Nf6 Ng1 Ng8");
    assert_ne!(*game.position(), with);
    assert_eq!(game.repetitions(), 1);
    play(&mut game, "Nf3 Nf6 Ng1 Ng8");
    assert_eq!((game.repetitions(), game.claim()), (2, None));
    play(&mut game, "Nf3 Nf6 Ng1 Ng8");
    assert_eq!((game.repetitions(), game.claim()), (3, Some(Claim::Threefold)));
}

#[test]
fn a_double_step_without_a_legal_en_passant_is_the_same_position() {
    // The capture would uncover the rook on h5, or there is no pawn beside.
    for fen in ["6n1/2p4k/8/KP5r/8/8/8/6N1 b - - 0 1", "6n1/2p4k/8/K7/8/8/8/6N1 b - - 0 1"] {
        let mut game = at(fen);
        play(&mut game, "c5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        assert_eq!(game.claim(), Some(Claim::Threefold), "{fen}");
    }
}

#[test]
fn with_a_castling_right_lost_it_is_another_position() {
    let mut game = at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let shuffle = "Rg1 Rg8 Rh1 Rh8 ";
    play(&mut game, shuffle);
    assert_eq!(game.repetitions(), 1, "the first time both could still castle");
    play(&mut game, shuffle);
    assert_eq!((game.repetitions(), game.claim()), (2, None));
    play(&mut game, shuffle);
    assert_eq!((game.repetitions(), game.claim()), (3, Some(Claim::Threefold)));
}

#[test]
fn fifty_moves_may_be_claimed_and_seventy_five_end_the_game() {
    let mut game = at("4k2r/8/8/8/8/8/8/R3K3 w - - 98 80");
    play(&mut game, "Ra2");
    assert_eq!(game.claim(), None);
    play(&mut game, "Rh7");
    assert_eq!(game.claim(), Some(Claim::FiftyMoves));
    assert_eq!(game.claim_draw(), Ok(Outcome::draw(Reason::FiftyMoves)));

    let mut game = at("4k2r/8/8/8/8/8/8/R3K3 w - - 148 100");
    play(&mut game, "Ra2");
    assert_eq!(game.outcome(), None);
    play(&mut game, "Rh7");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::SeventyFiveMoves)));
}

#[test]
fn a_capture_or_a_pawn_move_starts_the_count_again() {
    let mut game = at("4k2r/8/8/8/8/8/P6P/R3K3 w - - 149 100");
    play(&mut game, "a3");
    assert_eq!((game.position().halfmoves(), game.outcome()), (0, None));
    let mut game = at("4k2r/8/8/8/8/8/P6P/R3K3 b - - 149 100");
    play(&mut game, "Rxh2");
    assert_eq!((game.position().halfmoves(), game.outcome()), (0, None));
}

#[test]
fn checkmate_with_the_seventy_fifth_move_is_checkmate() {
    let mut game = at("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 120");
    play(&mut game, "Ra8#");
    assert_eq!(game.outcome(), Some(Outcome::win(Color::White, Reason::Checkmate)));
}

#[test]
fn resignation_wins_for_the_other_side_with_either_side_to_move() {
    for loser in Color::ALL {
        let mut game = Game::start();
        let outcome = Outcome::win(!loser, Reason::Resignation);
        assert_eq!(game.resign(loser), Ok(outcome));
        assert_eq!(game.outcome(), Some(outcome));
        assert_eq!(game.resign(!loser), Err(GameError::Over));
    }
}

#[test]
fn agreement_is_a_draw_and_happens_once() {
    let mut game = Game::start();
    assert_eq!(game.agree_draw(), Ok(Outcome::draw(Reason::Agreement)));
    assert_eq!(game.agree_draw(), Err(GameError::Over));
    assert_eq!(game.claim_draw(), Err(GameError::Over));
}

#[test]
fn taking_back_the_last_move_takes_back_the_end() {
    let mut game = Game::start();
    play(&mut game, "f3 e5 g4 Qh4#");
    let mate = game.take_back().unwrap();
    assert_eq!((mate.from(), mate.to(), mate.role()), (D8, H4, Role::Queen));
    assert_eq!((game.outcome(), game.turn(), game.moves().len()), (None, Color::Black, 3));
    play(&mut game, "Qh4#");
    assert_eq!(reason(&game), Some(Reason::Checkmate));
}

#[test]
fn taking_back_restores_repetitions_rights_and_counters() {
    let mut game = at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 10 20");
    let start = game.position().setup();
    play(&mut game, "O-O Rxa1");
    assert!(game.take_back().is_some() && game.take_back().is_some());
    assert_eq!(game.position().setup(), start);
    assert_eq!((game.repetitions(), game.take_back()), (1, None));
}

#[test]
fn a_game_that_begins_at_its_end_stays_there() {
    let mut game = at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(reason(&game), Some(Reason::Stalemate));
    assert_eq!(game.take_back(), None);
    assert_eq!(reason(&game), Some(Reason::Stalemate));
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut game = Game::start();
    play(&mut game, "e4");
    let before = game.position().setup();
    assert!(game.play(E2, E4, None).is_err());
    assert!(game.play_san("Qh5").is_err() && game.play_san("???").is_err());
    assert_eq!((game.position().setup(), game.moves().len()), (before, 1));
}

#[test]
fn captured_pieces_are_counted_for_each_side_and_promoted_ones_as_pawns() {
    let mut game = at("1n2k3/P7/8/3pP3/8/8/8/4K1N1 w - d6 0 1");
    play(&mut game, "exd6 Kd7 axb8=Q Kc6 Qc7+ Kb5 d7");
    assert_eq!(game.captured(Color::Black), [Role::Pawn, Role::Knight]);
    assert_eq!(game.captured(Color::White), []);
    let mut game = at("3rk3/2P5/8/8/8/8/8/4K2R w K - 0 1");
    play(&mut game, "cxd8=Q+ Kxd8 O-O");
    assert_eq!(game.captured(Color::White), [Role::Pawn], "a promoted queen was a pawn");
    assert_eq!(game.captured(Color::Black), [Role::Rook]);
}

#[test]
fn reasons_and_results_keep_their_names() {
    let codes: Vec<&str> = Reason::ALL.iter().map(|reason| reason.code()).collect();
    let expected = "checkmate resignation stalemate dead_position locked_pawns \
        fivefold_repetition seventy_five_moves threefold_repetition fifty_moves agreement";
    assert_eq!(codes, expected.split_whitespace().collect::<Vec<_>>());
    for reason in Reason::ALL {
        assert_eq!(Reason::from_code(reason.code()), Some(reason));
    }
    assert_eq!(Reason::from_code("boredom"), None);
    assert_eq!(Outcome::win(Color::Black, Reason::Checkmate).to_string(), "0-1");
    assert_eq!(Outcome::win(Color::White, Reason::Checkmate).to_string(), "1-0");
    assert_eq!(Outcome::draw(Reason::Agreement).to_string(), "1/2-1/2");
    let errors = [GameError::Over, GameError::NothingToClaim].map(|error| error.to_string());
    assert!(errors[0].contains("ended") && errors[1].contains("claim"), "{errors:?}");
}

#[test]
fn the_counters_stop_at_their_greatest_number() {
    let mut game = at("4k2r/8/8/8/8/8/8/R3K3 b - - 120 65535");
    play(&mut game, "Rh7 Ra2");
    assert_eq!(game.position().fullmoves(), u16::MAX);
    let position: Position = "4k2r/8/8/8/8/8/8/R3K3 b - - 65535 9".parse().unwrap();
    let step = position.judge(H8, H7, None).unwrap();
    assert_eq!(position.play(step).halfmoves(), u16::MAX);
}
