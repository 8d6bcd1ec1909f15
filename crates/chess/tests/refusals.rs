//! Every reason for refusing a move, with the exact squares that prove it.

use hansu_chess::Square::*;
use hansu_chess::{
    Bitboard, Color, Game, Lost, Position, Refusal, Role, San, SanRefusal, Square, UciMove, Variant,
};

fn set(squares: &[Square]) -> Bitboard {
    squares.iter().copied().collect()
}

fn refusal(fen: &str, text: &str) -> Option<Refusal> {
    refusal_in(fen, Variant::Standard, text)
}

fn refusal_in(fen: &str, variant: Variant, text: &str) -> Option<Refusal> {
    let position =
        Position::from_fen(fen, variant).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let UciMove { from, to, promotion } = text.parse().unwrap();
    position.refusal(from, to, promotion)
}

/// One row a line: what is shown, the position, the move, the reason.
fn table(rows: &[(&str, &str, &str, Refusal)]) {
    for &(name, fen, text, expected) in rows {
        assert_eq!(refusal(fen, text), Some(expected), "{name}: {text}");
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn there_must_be_a_piece_of_ones_own_that_goes_elsewhere() {
    table(&[
        ("empty square", START, "e4e5", Refusal::NoPiece { at: E4 }),
        ("Black's pawn", START, "e7e5", Refusal::NotYourPiece { at: E7 }),
        ("same square", START, "g1g1", Refusal::SameSquare { at: G1 }),
        ("knight on pawn", START, "g1e2", Refusal::OwnPiece { at: E2 }),
        ("king on pawn", START, "e1e2", Refusal::OwnPiece { at: E2 }),
        ("rook on knight", START, "a1b1", Refusal::OwnPiece { at: B1 }),
        (
            "pawn on own pawn",
            "4k3/8/8/8/8/3P4/4P3/4K3 w - - 0 1",
            "e2d3",
            Refusal::OwnPiece { at: D3 },
        ),
    ]);
}

#[test]
fn each_piece_moves_in_its_own_way() {
    let all = "4k3/8/8/8/2QRBN2/8/4P3/4K3 w - - 0 1";
    let row = |text, role, at| (text, all, text, Refusal::NotItsMove { role, at });
    table(&[
        row("c4d6", Role::Queen, C4),
        row("d4e5", Role::Rook, D4),
        row("e4e5", Role::Bishop, E4),
        row("f4f5", Role::Knight, F4),
        row("e2g4", Role::Pawn, E2),
        row("e2e5", Role::Pawn, E2),
        row("e2e1", Role::Pawn, E2),
        row("e1e3", Role::King, E1),
        row("e1a5", Role::King, E1),
    ]);
    // An own piece on the target comes before the way of moving: first empty the square.
    assert_eq!(refusal(all, "e2d4"), Some(Refusal::OwnPiece { at: D4 }));
}

#[test]
fn sliding_pieces_are_blocked_by_the_nearest_piece() {
    let fen = "4k3/8/r7/8/R7/1P6/p7/Q3K3 w - - 0 1";
    table(&[
        ("by the enemy", fen, "a4a8", Refusal::Blocked { at: A6 }),
        ("by the nearest of two", fen, "a1a5", Refusal::Blocked { at: A2 }),
        ("on a rank", START, "h1f1", Refusal::OwnPiece { at: F1 }),
        ("bishop", START, "c1a3", Refusal::Blocked { at: B2 }),
        ("queen", START, "d1d5", Refusal::Blocked { at: D2 }),
        ("rook", START, "h1h7", Refusal::Blocked { at: H2 }),
    ]);
}

#[test]
fn pawns_need_room_ahead_and_something_to_take_aside() {
    let fen = "4k3/8/8/3p4/3Pn3/n3p3/P3P1P1/4K3 w - - 0 1";
    table(&[
        ("nothing to take", fen, "g2h3", Refusal::NothingToCapture { at: H3 }),
        ("enemy ahead", fen, "d4d5", Refusal::PawnBlocked { at: D5 }),
        ("double step over a piece", fen, "a2a4", Refusal::PawnBlocked { at: A3 }),
        (
            "double step onto a piece",
            "4k3/8/8/8/n7/8/P7/4K3 w - - 0 1",
            "a2a4",
            Refusal::PawnBlocked { at: A4 },
        ),
        (
            "own piece ahead",
            "4k3/8/8/8/8/4N3/4P3/4K3 w - - 0 1",
            "e2e3",
            Refusal::PawnBlocked { at: E3 },
        ),
        (
            "moved already",
            "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1",
            "e3e5",
            Refusal::NoDoubleStep { at: E3 },
        ),
        (
            "Black moved already",
            "4k3/8/4p3/8/8/8/8/4K3 b - - 0 1",
            "e6e4",
            Refusal::NoDoubleStep { at: E6 },
        ),
    ]);
}

#[test]
fn a_pinned_piece_is_told_by_whom_and_along_which_line() {
    let knight = Refusal::Pinned { at: C3, by: B4, line: set(&[B4, C3, D2, E1]) };
    let rook = Refusal::Pinned { at: E4, by: E8, line: set(&[E1, E2, E3, E4, E5, E6, E7, E8]) };
    let pawn = Refusal::Pinned { at: D5, by: D1, line: set(&[D1, D2, D3, D4, D5, D6]) };
    table(&[
        ("diagonal", "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1", "c3d5", knight),
        ("file", "k3r3/8/8/8/4R3/8/8/4K3 w - - 0 1", "e4d4", rook),
        ("a pawn's capture", "8/8/3k4/3p4/4P3/8/8/3RK3 b - - 0 1", "d5e4", pawn),
    ]);
    assert_eq!(knight.squares(), set(&[C3, D2, E1]));
    assert_eq!(knight.by(), set(&[B4]));
    let along = refusal("k3r3/8/8/8/4R3/8/8/4K3 w - - 0 1", "e4e8");
    assert_eq!(along, None, "along the line a pinned piece moves");
}

#[test]
fn a_check_must_be_answered() {
    let row = |by: &[Square]| Refusal::LeavesKingInCheck { king: E1, by: set(by) };
    table(&[
        ("one check", "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1", "a1a8", row(&[E2])),
        ("two checks, one taken", "k3r3/8/8/8/8/3n4/2P5/4K3 w - - 0 1", "c2d3", row(&[E8])),
        ("two checks", "k3r3/8/8/8/8/3n4/7P/4K3 w - - 0 1", "h2h3", row(&[D3, E8])),
    ]);
}

#[test]
fn the_king_keeps_off_attacked_squares() {
    let row = |at, by: &[Square]| Refusal::KingAttacked { at, by: set(by) };
    table(&[
        ("by a rook", "3rk3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1", row(D1, &[D8])),
        ("by two", "3rk3/8/8/8/b7/8/8/4K3 w - - 0 1", "e1d1", row(D1, &[A4, D8])),
        ("by the other king", "8/8/8/8/8/4k3/8/4K3 w - - 0 1", "e1e2", row(E2, &[E3])),
        ("by a pawn", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 1", "e1d2", row(D2, &[E3])),
        ("behind itself on a ray", "4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1f1", row(F1, &[A1])),
        ("taking a covered piece", "4k3/4r3/8/8/8/8/4q3/4K3 w - - 0 1", "e1e2", row(E2, &[E7])),
    ]);
}

#[test]
fn castling_needs_the_right() {
    let lost = |rook| Refusal::CastlingRightLost { rook, lost: Lost::Unknown };
    table(&[
        ("short", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", lost(H1)),
        ("long", "4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "e1c1", lost(A1)),
        ("onto the rook", "4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "e1a1", lost(A1)),
        ("no rook at all", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1g1", lost(H1)),
        ("Black", "r3k2r/8/8/8/8/8/8/4K3 b k - 0 1", "e8c8", lost(A8)),
    ]);
}

#[test]
fn a_king_elsewhere_does_not_mean_to_castle() {
    table(&[
        (
            "to where it would stand",
            "4k3/8/8/8/8/8/8/R2K3R w - - 0 1",
            "d1g1",
            Refusal::NotItsMove { at: D1, role: Role::King },
        ),
        ("onto its rook", "4k3/8/8/8/8/8/8/R2K3R w - - 0 1", "d1h1", Refusal::OwnPiece { at: H1 }),
    ]);
}

#[test]
fn castling_needs_an_empty_way() {
    table(&[
        ("short", START, "e1g1", Refusal::CastlingBlocked { at: F1 }),
        ("long", START, "e1c1", Refusal::CastlingBlocked { at: D1 }),
        (
            "by the enemy",
            "4k3/8/8/8/8/8/8/4K1nR w K - 0 1",
            "e1g1",
            Refusal::CastlingBlocked { at: G1 },
        ),
        (
            "beside the rook",
            "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1",
            "e1c1",
            Refusal::CastlingBlocked { at: B1 },
        ),
        ("Black", "rn2k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", Refusal::CastlingBlocked { at: B8 }),
    ]);
}

#[test]
fn castling_is_refused_out_of_through_and_into_attacks() {
    let inside = Refusal::CastlingInCheck { king: E1, by: set(&[E8]) };
    let through = |at, by| Refusal::CastlingThroughAttack { at, by: set(&[by]) };
    let into = |at, by: &[Square]| Refusal::CastlingIntoAttack { at, by: set(by) };
    table(&[
        ("out of check", "1k2r3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", inside),
        ("through f1", "4k3/8/b7/8/8/8/8/4K2R w K - 0 1", "e1g1", through(F1, A6)),
        ("through d1", "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", through(D1, D8)),
        ("into g1", "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", into(G1, &[G8])),
        ("into c1, by two", "2r1k3/8/7b/8/8/8/8/R3K3 w Q - 0 1", "e1c1", into(C1, &[C8, H6])),
        ("Black through f8", "4k2r/8/8/8/8/8/8/4KR2 b k - 0 1", "e8g8", through(F8, F1)),
    ]);
}

#[test]
fn in_chess960_the_rook_that_leaves_may_open_the_rank() {
    let fen = "4k3/8/8/8/8/8/8/qRK5 w B - 0 1";
    let expected = Refusal::CastlingIntoAttack { at: C1, by: set(&[A1]) };
    assert_eq!(refusal_in(fen, Variant::Chess960, "c1b1"), Some(expected));
}

#[test]
fn in_chess960_what_stays_still_shields_the_castled_king() {
    for (fen, text) in [
        ("4k1r1/8/8/8/8/8/6P1/4K1R1 w G - 0 1", "e1g1"),
        ("4k3/8/8/8/8/b7/1P6/1RK5 w B - 0 1", "c1b1"),
    ] {
        assert_eq!(refusal_in(fen, Variant::Chess960, text), None, "{fen}");
        let position = Position::from_fen(fen, Variant::Chess960).unwrap();
        let castles = position.legal_moves().iter().any(|step| step.castling().is_some());
        assert!(castles, "{fen}");
    }
}

#[test]
fn in_chess960_no_piece_may_stand_where_the_rook_arrives() {
    let fen = "4k3/8/8/8/8/8/8/1RK2N1R w HB - 0 1";
    let expected = Refusal::CastlingBlocked { at: F1 };
    assert_eq!(refusal_in(fen, Variant::Chess960, "c1h1"), Some(expected));
    assert_eq!(refusal_in(fen, Variant::Chess960, "c1b1"), None);
}

#[test]
fn en_passant_is_for_the_very_next_move_and_keeps_the_king_safe() {
    let uncovers = |king, by| Refusal::EnPassantUncoversCheck { king, by: set(&[by]) };
    let pinned = Refusal::Pinned { at: E5, by: E8, line: set(&[E1, E2, E3, E4, E5, E6, E7, E8]) };
    let leaves = Refusal::LeavesKingInCheck { king: E1, by: set(&[A1]) };
    table(&[
        (
            "expired",
            "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
            "e5d6",
            Refusal::EnPassantExpired { pawn: D5 },
        ),
        (
            "Black's expired",
            "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1",
            "d4e3",
            Refusal::EnPassantExpired { pawn: E4 },
        ),
        (
            "other pawn",
            "4k3/8/8/3pPp2/8/8/8/4K3 w - d6 0 1",
            "e5f6",
            Refusal::EnPassantExpired { pawn: F5 },
        ),
        (
            "no pawn beside",
            "4k3/8/8/3nP3/8/8/8/4K3 w - - 0 1",
            "e5d6",
            Refusal::NothingToCapture { at: D6 },
        ),
        ("rank", "8/8/8/KPp4r/8/8/8/4k3 w - c6 0 1", "b5c6", uncovers(A5, H5)),
        ("rank, Black", "4K3/8/8/8/k1pP3R/8/8/8 b - d3 0 1", "c4d3", uncovers(A4, H4)),
        (
            "diagonal of the taken pawn",
            "4k3/1b6/8/2Pp4/8/5K2/8/8 w - d6 0 1",
            "c5d6",
            uncovers(F3, B7),
        ),
        ("file of the taker", "k3r3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", pinned),
        ("another check stays", "4k3/8/8/2pP4/8/8/8/r3K3 w - c6 0 1", "d5c6", leaves),
    ]);
}

#[test]
fn promotion_is_asked_for_and_only_where_it_belongs() {
    let fen = "8/4P1k1/8/8/8/8/3P4/4K2R w K - 0 1";
    table(&[
        ("missing", fen, "e7e8", Refusal::PromotionMissing { at: E8 }),
        ("too early", fen, "d2d3q", Refusal::PromotionImpossible { at: D3 }),
        ("not a pawn", fen, "h1h8q", Refusal::PromotionImpossible { at: H8 }),
        ("castling", fen, "e1g1q", Refusal::PromotionImpossible { at: G1 }),
    ]);
    let position: Position = fen.parse().unwrap();
    for role in [Role::King, Role::Pawn] {
        let expected = Refusal::PromotionImpossible { at: E8 };
        assert_eq!(position.refusal(E7, E8, Some(role)), Some(expected));
    }
    for role in Role::PROMOTIONS {
        assert_eq!(position.refusal(E7, E8, Some(role)), None);
    }
}

fn after(start: &str, variant: Variant, moves: &str) -> Game {
    let start = Position::from_fen(start, variant).unwrap();
    let mut game = Game::from_position(start, variant);
    for step in moves.split_whitespace() {
        let uci: UciMove = step.parse().unwrap();
        let played = game.play(uci.from, uci.to, uci.promotion);
        played.unwrap_or_else(|refusal| panic!("{step}: {refusal}"));
    }
    game
}

#[track_caller]
fn castling_lost(game: &Game, king: Square, to: Square, rook: Square, lost: Lost) {
    let expected = Refusal::CastlingRightLost { rook, lost };
    assert_eq!(game.refusal(king, to, None), Some(expected));
}

const CORNERS: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";

#[test]
fn a_game_remembers_that_the_king_moved() {
    let game = after(CORNERS, Variant::Standard, "e1d1 e8d8 d1e1 d8e8");
    castling_lost(&game, E1, G1, H1, Lost::KingMoved);
    castling_lost(&game, E1, C1, A1, Lost::KingMoved);
    castling_lost(&game, E1, H1, H1, Lost::KingMoved);
}

#[test]
fn a_game_remembers_that_the_king_moved_even_when_the_rook_did_too() {
    let game = after(CORNERS, Variant::Standard, "h1g1 e8d8 g1h1 d8e8 e1d1 a7a6 d1e1 a6a5");
    castling_lost(&game, E1, G1, H1, Lost::KingMoved);
}

#[test]
fn a_game_remembers_that_the_rook_moved() {
    let game = after(CORNERS, Variant::Standard, "h1g1 h8g8 g1h1 g8h8");
    castling_lost(&game, E1, G1, H1, Lost::RookMoved);
    assert_eq!(game.refusal(E1, C1, None), None, "the other rook has not");
    let mut game = game;
    game.play(A2, A3, None).unwrap();
    castling_lost(&game, E8, G8, H8, Lost::RookMoved);
}

#[test]
fn a_game_remembers_that_the_rook_was_taken() {
    let start = "4k3/8/8/8/8/8/6b1/R3K2R b KQ - 0 1";
    let game = after(start, Variant::Standard, "g2h1");
    castling_lost(&game, E1, G1, H1, Lost::RookTaken);
    // Another rook on its square changes nothing.
    let two = "4k3/8/8/8/8/7R/6b1/4K2R b K - 0 1";
    let game = after(two, Variant::Standard, "g2h1 h3h1 e8e7");
    castling_lost(&game, E1, G1, H1, Lost::RookTaken);
}

#[test]
fn a_game_from_a_position_without_the_right_knows_no_reason() {
    let game = after("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", Variant::Standard, "");
    castling_lost(&game, E1, G1, H1, Lost::Unknown);
}

#[test]
fn in_chess960_the_king_that_comes_to_e1_has_moved() {
    let start = "3k4/8/8/8/8/8/8/R2K3R w HA - 0 1";
    let game = after(start, Variant::Chess960, "d1e1 d8d7");
    castling_lost(&game, E1, H1, H1, Lost::KingMoved);
}

#[test]
fn a_game_that_is_over_refuses_everything() {
    let mut game = Game::start();
    game.agree_draw().unwrap();
    assert_eq!(game.refusal(E2, E4, None), Some(Refusal::GameOver));
    assert_eq!(game.refusal(E4, E4, None), Some(Refusal::GameOver));
}

/// What was meant and why it is refused.
fn san_refusal(fen: &str, text: &str) -> (String, Refusal) {
    let position: Position = fen.parse().unwrap();
    match San::lenient(text).unwrap().judge(&position) {
        Err(SanRefusal::Move { meant, why }) => (meant.to_string(), why),
        other => panic!("{text} in {fen}: {other:?}"),
    }
}

#[test]
fn a_notation_that_is_no_legal_move_has_the_reason_of_the_likeliest_piece() {
    let start = Position::start().fen();
    let rows = [
        (start.as_str(), "Ke3", "e1e3", Refusal::NotItsMove { role: Role::King, at: E1 }),
        (&start, "Bc4", "f1c4", Refusal::Blocked { at: E2 }),
        (&start, "e5", "e2e5", Refusal::NotItsMove { role: Role::Pawn, at: E2 }),
        (&start, "exd3", "e2d3", Refusal::NothingToCapture { at: D3 }),
        (&start, "O-O", "e1h1", Refusal::CastlingBlocked { at: F1 }),
        (&start, "Nbc4", "b1c4", Refusal::NotItsMove { role: Role::Knight, at: B1 }),
        (&start, "Nd2", "b1d2", Refusal::OwnPiece { at: D2 }),
        // Of two rooks the one that only a piece in the way stops.
        ("4k3/8/8/8/P7/8/R7/4K2R w - - 0 1", "Ra8", "a2a8", Refusal::Blocked { at: A4 }),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "a7a8", Refusal::PromotionMissing { at: A8 }),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "e4=Q",
            "e2e4q",
            Refusal::PromotionImpossible { at: E4 },
        ),
        // A king that left its first square has no wing to castle to, whatever stands beside it.
        (
            "4k3/8/8/8/8/8/8/5K1R w - - 0 1",
            "O-O",
            "f1h1",
            Refusal::CastlingRightLost { rook: H1, lost: Lost::Unknown },
        ),
    ];
    for (fen, text, meant, why) in rows {
        assert_eq!(san_refusal(fen, text), (meant.to_owned(), why), "{text} in {fen}");
    }
}

#[test]
fn a_notation_of_no_piece_says_so() {
    let judged =
        San::lenient("Qd4").unwrap().judge(&"4k3/8/8/8/8/8/8/4K2q w - - 0 1".parse().unwrap());
    assert_eq!(judged, Err(SanRefusal::NoPiece { role: Role::Queen }));
    let position: Position = "4k3/8/8/8/8/8/8/N3K2N w - - 0 1".parse().unwrap();
    let judged = San::lenient("Nbc3").unwrap().judge(&position);
    assert_eq!(judged, Err(SanRefusal::NoPiece { role: Role::Knight }));
}

#[test]
fn a_game_explains_castling_by_its_sign_in_chess960_too() {
    let mut game = Game::from_position(
        Position::from_fen("k2r4/8/8/8/8/8/8/1R2K1R1 w BG - 0 1", Variant::Chess960).unwrap(),
        Variant::Chess960,
    );
    let step = |game: &mut Game, text: &str| game.play_san(text).map(|_| ()).unwrap();
    step(&mut game, "Rg2");
    step(&mut game, "Rd7");
    step(&mut game, "Rg1");
    step(&mut game, "Rd8");
    let judged = game.judge_san(&San::lenient("O-O").unwrap());
    let Err(SanRefusal::Move { why, .. }) = judged else { panic!("{judged:?}") };
    let lost = Lost::RookMoved;
    assert_eq!(why, Refusal::CastlingRightLost { rook: Square::G1, lost });
    game.resign(Color::White).unwrap();
    let judged = game.judge_san(&San::lenient("Rg2").unwrap());
    let meant = "g1g2".parse().unwrap();
    assert_eq!(judged, Err(SanRefusal::Move { meant, why: Refusal::GameOver }));
}

#[test]
fn the_codes_are_all_different_and_stay_as_they_are() {
    let (at, by, king) = (E4, set(&[E8]), E1);
    let lost = |lost| Refusal::CastlingRightLost { rook: at, lost };
    let line = Bitboard::EMPTY;
    let expected = [
        (Refusal::GameOver, "game_over"),
        (Refusal::NoPiece { at }, "no_piece"),
        (Refusal::NotYourPiece { at }, "not_your_piece"),
        (Refusal::SameSquare { at }, "same_square"),
        (Refusal::OwnPiece { at }, "own_piece"),
        (Refusal::NotItsMove { role: Role::Rook, at }, "not_its_move"),
        (Refusal::Blocked { at }, "blocked"),
        (Refusal::NothingToCapture { at }, "nothing_to_capture"),
        (Refusal::PawnBlocked { at }, "pawn_blocked"),
        (Refusal::NoDoubleStep { at }, "no_double_step"),
        (Refusal::Pinned { at, by: E8, line }, "pinned"),
        (Refusal::LeavesKingInCheck { king, by }, "leaves_king_in_check"),
        (Refusal::KingAttacked { at, by }, "king_attacked"),
        (lost(Lost::Unknown), "castling_right_lost"),
        (lost(Lost::KingMoved), "castling_king_moved"),
        (lost(Lost::RookMoved), "castling_rook_moved"),
        (lost(Lost::RookTaken), "castling_rook_taken"),
        (Refusal::CastlingBlocked { at }, "castling_blocked"),
        (Refusal::CastlingInCheck { king, by }, "castling_in_check"),
        (Refusal::CastlingThroughAttack { at, by }, "castling_through_attack"),
        (Refusal::CastlingIntoAttack { at, by }, "castling_into_attack"),
        (Refusal::EnPassantExpired { pawn: at }, "en_passant_expired"),
        (Refusal::EnPassantUncoversCheck { king, by }, "en_passant_uncovers_check"),
        (Refusal::PromotionMissing { at }, "promotion_missing"),
        (Refusal::PromotionImpossible { at }, "promotion_impossible"),
    ];
    for (refusal, code) in expected {
        assert_eq!(refusal.code(), code);
        assert_eq!(refusal.to_string(), code);
        let by_whom =
            ["pinned", "leaves_king_in_check", "king_attacked", "en_passant_uncovers_check"];
        let by_castling = ["castling_in_check", "castling_through_attack", "castling_into_attack"];
        let named = by_whom.contains(&code) || by_castling.contains(&code);
        assert_eq!(refusal.by(), if named { by } else { Bitboard::EMPTY }, "{code}");
        let places = match code {
            "game_over" | "pinned" => Bitboard::EMPTY,
            "leaves_king_in_check" | "castling_in_check" | "en_passant_uncovers_check" => {
                set(&[E1])
            }
            _ => set(&[E4]),
        };
        assert_eq!(refusal.squares(), places, "{code}");
    }
}
