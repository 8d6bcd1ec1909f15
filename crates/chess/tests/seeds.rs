//! Regressions for the seed documents: what they demand, and where they slip.
//!
//! MISSION.md, section 1, names the slips; each test names the seed it answers.

use hansu_chess::Square::*;
use hansu_chess::{
    Bitboard, CastlingSide, Color, Game, Lost, Move, Position, Reason, Refusal, Role, Square,
    Variant,
};

fn at(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn set(squares: &[Square]) -> Bitboard {
    squares.iter().copied().collect()
}

fn played(moves: &str) -> Game {
    let mut game = Game::start();
    for step in moves.split_whitespace() {
        game.play_san(step).unwrap_or_else(|error| panic!("{step}: {error}"));
    }
    game
}

fn castles(position: &Position) -> Vec<CastlingSide> {
    let moves = position.legal_moves();
    let mut sides: Vec<_> = moves.into_iter().filter_map(Move::castling).collect();
    sides.sort_by_key(|&side| side == CastlingSide::King);
    sides
}

// -------------------------------------------------------------------------------------------------
// Seed 002: five slips.

/// 002 lets rows and columns run to 8: there are eight of each, 0 to 7.
#[test]
fn the_board_ends_after_eight_ranks_and_files() {
    assert_eq!(Square::ALL.len(), 64);
    assert_eq!(Square::from_index(63), Some(H8));
    assert_eq!(Square::from_index(64), None);
    for off in ["i1", "a9", "a0", "h10", "`1"] {
        assert!(off.parse::<Square>().is_err(), "{off}");
    }
    assert_eq!((H8.offset(1, 0), H8.offset(0, 1)), (None, None));
    assert_eq!((A1.offset(-1, 0), A1.offset(0, -1)), (None, None));
    let corner = at("7k/8/8/8/8/8/8/R3K3 w - - 0 1");
    let reached = set(&[A2, A3, A4, A5, A6, A7, A8, B1, C1, D1]);
    assert_eq!(corner.targets(A1), reached);
}

/// 002 starts its path at the piece's own square, so that nothing could ever move, and a king's
/// neighbour would block itself: a path excludes both its ends.
#[test]
fn a_path_excludes_its_two_ends() {
    let position = at("4k3/8/8/p6p/8/8/8/R3K2Q w Q - 0 1");
    assert_eq!(position.refusal(A1, A5, None), None, "a capture at the end of the path");
    assert_eq!(position.refusal(A1, A2, None), None, "one step has no path");
    assert_eq!(position.refusal(A1, A6, None), Some(Refusal::Blocked { at: A5 }));
    assert_eq!(position.refusal(H1, H5, None), None);
    let bishop = at("4k3/8/8/8/8/2p5/8/B3K3 w - - 0 1");
    assert_eq!(bishop.refusal(A1, C3, None), None);
    assert_eq!(bishop.refusal(A1, D4, None), Some(Refusal::Blocked { at: C3 }));
}

/// 002's rook walks columns also when it changes ranks.
#[test]
fn a_rook_that_changes_ranks_looks_at_the_ranks_between() {
    // Pieces beside the rook's rank do not matter on its file.
    let position = at("4k3/8/8/8/8/8/8/RN2K3 w - - 0 1");
    assert_eq!(position.refusal(A1, A8, None), None);
    // Pieces on its file do, upwards and downwards.
    let up = at("4k3/8/8/n7/8/8/8/R3K3 w - - 0 1");
    assert_eq!(up.refusal(A1, A8, None), Some(Refusal::Blocked { at: A5 }));
    let down = at("R7/4k3/8/n7/8/8/8/5K2 w - - 0 1");
    assert_eq!(down.refusal(A8, A1, None), Some(Refusal::Blocked { at: A5 }));
    assert_eq!(down.refusal(A8, A6, None), None);
}

/// 002 looks at the field `[startRow + 1][endRow]`, for both colours.
#[test]
fn a_double_step_looks_at_the_square_in_between() {
    for (fen, from, over, to) in [
        ("4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", A2, A3, A4),
        ("4k3/8/8/8/8/7n/7P/4K3 w - - 0 1", H2, H3, H4),
        ("4k3/p7/N7/8/8/8/8/4K3 b - - 0 1", A7, A6, A5),
        ("4k3/3p4/3B4/8/8/8/8/4K3 b - - 0 1", D7, D6, D5),
    ] {
        let position = at(fen);
        assert_eq!(position.refusal(from, to, None), Some(Refusal::PawnBlocked { at: over }));
        let mut setup = position.setup();
        setup.board.set(over, None);
        let free = setup.position(hansu_chess::Variant::Standard).unwrap();
        assert_eq!(free.refusal(from, to, None), None, "{fen} without {over}");
    }
}

/// 002's king returns true before it looks at the field where it arrives.
#[test]
fn a_king_may_not_take_its_own_piece() {
    let position = Position::start();
    for to in [D1, F1, D2, E2, F2] {
        assert_eq!(position.refusal(E1, to, None), Some(Refusal::OwnPiece { at: to }));
    }
    assert!(position.targets(E1).is_empty());
    let enemy = at("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1");
    assert_eq!(enemy.refusal(E1, E2, None), None);
}

/// 002's general conditions: the own colour, and never the same square.
#[test]
fn only_the_side_to_move_moves_and_never_to_where_it_stands() {
    let position = Position::start();
    assert_eq!(position.refusal(E7, E5, None), Some(Refusal::NotYourPiece { at: E7 }));
    assert_eq!(position.refusal(A1, A1, None), Some(Refusal::SameSquare { at: A1 }));
}

/// 002's pawn: straight only onto empty squares, aside only to take, backwards never.
#[test]
fn a_pawn_steps_straight_and_takes_aside() {
    let position = at("4k3/8/8/2npn3/3P4/8/8/4K3 w - - 0 1");
    assert_eq!(position.targets(D4), set(&[C5, E5]));
    let position = at("4k3/8/8/8/2npn3/8/8/4K3 b - - 0 1");
    assert_eq!(position.targets(D4), set(&[D3]));
}

// -------------------------------------------------------------------------------------------------
// Castling: seeds 000 and 001.

/// 000: "has the king ever moved?", also when it has come back.
#[test]
fn castling_is_refused_after_the_king_has_moved() {
    let game = played("e4 e5 Nf3 Nf6 Bc4 Bc5 Ke2 Ke7 Ke1 Ke8");
    let expected = Refusal::CastlingRightLost { rook: H1, lost: Lost::KingMoved };
    assert_eq!(game.refusal(E1, G1, None), Some(expected));
}

/// 000 and 001: the rook of that side must never have moved; the other side's may.
#[test]
fn castling_is_refused_after_that_rook_has_moved() {
    let game = played("Nf3 Nf6 g3 g6 Bg2 Bg7 Rg1 Rg8 Rh1 Rh8");
    let expected = Refusal::CastlingRightLost { rook: H1, lost: Lost::RookMoved };
    assert_eq!(game.refusal(E1, G1, None), Some(expected));
    let other = played("Nf3 Nf6 g3 g6 Bg2 Bg7 Nc3 Nc6 Rb1 Rb8 Ra1 Ra8");
    assert_eq!(other.refusal(E1, G1, None), None);
}

/// 000: the first piece met on the way must be the rook.
#[test]
fn castling_needs_every_square_between_king_and_rook_empty() {
    for (fen, to, blocked) in [
        ("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", G1, F1),
        ("4k3/8/8/8/8/8/8/4K1NR w K - 0 1", G1, G1),
        ("4k3/8/8/8/8/8/8/R2QK3 w Q - 0 1", C1, D1),
        ("4k3/8/8/8/8/8/8/R1B1K3 w Q - 0 1", C1, C1),
        ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", C1, B1),
    ] {
        let expected = Some(Refusal::CastlingBlocked { at: blocked });
        assert_eq!(at(fen).refusal(E1, to, None), expected, "{fen}");
    }
}

/// 000: not while in check.
#[test]
fn castling_is_refused_in_check() {
    let position = at("1k2r3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let expected = Some(Refusal::CastlingInCheck { king: E1, by: set(&[E8]) });
    assert_eq!(position.refusal(E1, G1, None), expected);
    assert_eq!(position.refusal(E1, C1, None), expected);
}

/// 000 forgets it, 001 and 003 demand it.
#[test]
fn castling_through_an_attacked_square_is_refused() {
    let short = at("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(castles(&short), [CastlingSide::Queen]);
    let long = at("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(castles(&long), [CastlingSide::King]);
}

/// 000 forgets it, 001 and 003 demand it.
#[test]
fn castling_into_an_attacked_square_is_refused() {
    let short = at("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(castles(&short), [CastlingSide::Queen]);
    let long = at("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(castles(&long), [CastlingSide::King]);
}

/// 001 forbids an attack on any square "between king and rook"; the laws only on the king's way.
#[test]
fn castling_long_is_allowed_while_the_b_file_square_or_the_rook_is_attacked() {
    for fen in ["1r4k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "r5k1/8/8/8/8/8/8/R3K3 w Q - 0 1"] {
        assert_eq!(castles(&at(fen)), [CastlingSide::Queen], "{fen}");
    }
    let black = at("r3k3/8/8/8/8/8/8/1R4K1 b q - 0 1");
    assert_eq!(castles(&black), [CastlingSide::Queen]);
}

/// 001 looks for the rook on file 8 of 0 to 7, and its loop takes the rook for a piece between.
#[test]
fn castling_finds_the_rook_in_the_corner_and_does_not_count_it_as_between() {
    let position = at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(castles(&position), [CastlingSide::Queen, CastlingSide::King]);
    let short = position.judge(E1, G1, None).unwrap();
    assert_eq!(short.castling_rook(), Some(H1));
}

/// 000: LEFT puts the rook on the king's right, RIGHT on its left; both colours alike.
#[test]
fn castling_puts_king_and_rook_side_by_side() {
    for (fen, king, rook) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", (E1, C1), (A1, D1)),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", (E1, G1), (H1, F1)),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", (E8, C8), (A8, D8)),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", (E8, G8), (H8, F8)),
    ] {
        let position = at(fen);
        let us = position.turn();
        let next = position.play(position.judge(king.0, king.1, None).unwrap());
        assert_eq!(next.piece_at(king.1), Some(Role::King.of(us)));
        assert_eq!(next.piece_at(rook.1), Some(Role::Rook.of(us)));
        assert_eq!((next.piece_at(king.0), next.piece_at(rook.0)), (None, None));
        assert_eq!(next.castling().len(), 2, "both rights of that side are gone");
    }
}

/// 001: only two squares to the left or to the right, on the same rank.
#[test]
fn a_king_that_goes_elsewhere_does_not_castle() {
    let position = at("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    for to in [B1, E3, G3, C3] {
        let expected = Refusal::NotItsMove { role: Role::King, at: E1 };
        assert_eq!(position.refusal(E1, to, None), Some(expected));
    }
}

/// 001 never asks whether the rook is still there.
#[test]
fn castling_with_a_taken_rook_is_refused() {
    let mut game = Game::from_position(
        at("4k3/8/8/8/8/8/6b1/R3K2R b KQ - 0 1"),
        hansu_chess::Variant::Standard,
    );
    game.play(G2, H1, None).unwrap();
    let expected = Refusal::CastlingRightLost { rook: H1, lost: Lost::RookTaken };
    assert_eq!(game.refusal(E1, G1, None), Some(expected));
    assert_eq!(game.refusal(E1, C1, None), None);
}

// -------------------------------------------------------------------------------------------------
// En passant: seeds 000 and 001.

/// 000 and 001: from the fifth rank, diagonally ahead, onto the empty square; the pawn beside goes.
#[test]
fn en_passant_takes_the_pawn_that_has_just_passed() {
    for (moves, from, to, taken) in [
        ("e4 a6 e5 d5", E5, D6, D5),
        ("e4 a6 e5 f5", E5, F6, F5),
        ("a3 d5 a4 d4 c4", D4, C3, C4),
        ("a3 d5 a4 d4 e4", D4, E3, E4),
    ] {
        let mut game = played(moves);
        let us = game.turn();
        assert!(game.position().targets(from).contains(to));
        let step = game.play(from, to, None).unwrap();
        assert!(step.is_en_passant());
        assert_eq!(game.position().piece_at(taken), None);
        assert_eq!(game.position().piece_at(to), Some(Role::Pawn.of(us)));
        assert_eq!(game.captured(!us), [Role::Pawn]);
    }
}

#[test]
fn en_passant_is_there_for_the_only_pawns_of_the_enemy() {
    for (fen, step, expected) in [
        ("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a4", 1),
        ("4k3/8/8/8/6p1/8/7P/4K3 w - - 0 1", "h4", 1),
        ("4k3/8/8/8/3p1p2/8/4P3/4K3 w - - 0 1", "e4", 2),
        ("4k3/4p3/8/3P1P2/8/8/8/4K3 b - - 0 1", "e5", 2),
        ("4k3/8/8/8/2p5/8/P7/4K3 w - - 0 1", "a4", 0),
    ] {
        let mut game = Game::from_position(at(fen), Variant::Standard);
        game.play_san(step).unwrap();
        let takers = game.position().legal_moves();
        let takers = takers.iter().filter(|step| step.is_en_passant()).count();
        assert_eq!(takers, expected, "{fen}");
    }
}

/// 000 asks only whether the pawn has moved exactly once: one square is also once.
#[test]
fn en_passant_is_refused_against_a_single_step() {
    let single = played("e4 a6 e5 a5 e6 d6");
    let expected = Some(Refusal::NothingToCapture { at: D7 });
    assert_eq!(single.refusal(E6, D7, None), expected);
    // On the fourth rank a pawn has no en passant, even beside one that stepped once.
    let beside = at("4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1");
    let next = beside.play(beside.judge(D6, D5, None).unwrap());
    assert_eq!(next.refusal(E5, D6, None), Some(Refusal::EnPassantExpired { pawn: D5 }));
    assert_eq!(next.en_passant(), None);
}

/// 000 and 001: only on the very next move.
#[test]
fn en_passant_is_refused_one_move_later() {
    let game = played("e4 a6 e5 d5 a3 a5");
    let expected = Some(Refusal::EnPassantExpired { pawn: D5 });
    assert_eq!(game.refusal(E5, D6, None), expected);
}

/// 001: the piece beside must be a pawn.
#[test]
fn en_passant_is_refused_against_other_pieces() {
    let game = played("e4 Nf6 e5 Nd5");
    let expected = Some(Refusal::NothingToCapture { at: D6 });
    assert_eq!(game.refusal(E5, D6, None), expected);
}

/// 001: the capturing piece must be a pawn; a piece that goes there takes nothing.
#[test]
fn only_pawns_take_en_passant() {
    let position = at("4k3/8/8/3pB3/8/8/8/4K3 w - d6 0 1");
    let next = position.play(position.judge(E5, D6, None).unwrap());
    assert!(next.piece_at(D5).is_some());
}

/// 000 and 001: from the right rank only, to a neighbouring file only.
#[test]
fn en_passant_needs_the_right_rank_and_a_neighbouring_file() {
    let rank = at("4k3/8/8/3p4/4P3/8/8/4K3 w - d6 0 1");
    assert_eq!(rank.en_passant(), None);
    let file = at("4k3/8/8/3p1P2/8/8/8/4K3 w - d6 0 1");
    let expected = Refusal::NotItsMove { role: Role::Pawn, at: F5 };
    assert_eq!(file.refusal(F5, D6, None), Some(expected));
    let around = at("4k3/8/8/p6P/8/8/8/4K3 w - a6 0 1");
    assert_eq!(around.targets(H5), set(&[H6]), "the board does not wrap around");
}

/// Neither seed asks it: both pawns vanish from the rank, and the king stands open.
#[test]
fn en_passant_that_uncovers_a_check_is_refused() {
    let position = at("8/8/8/KPp4r/8/8/8/4k3 w - c6 0 1");
    let expected = Refusal::EnPassantUncoversCheck { king: A5, by: set(&[H5]) };
    assert_eq!(position.refusal(B5, C6, None), Some(expected));
}

// -------------------------------------------------------------------------------------------------
// Promotion (000), the king's capture (004), the first move (001, 004).

/// 000: the player chooses among four, the piece stands on the same square in the same colour.
#[test]
fn promotion_offers_four_pieces_on_the_last_rank_only() {
    for (fen, from, to) in
        [("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", E7, E8), ("4k3/8/8/8/8/8/1p4K1/8 b - - 0 1", B2, B1)]
    {
        let position = at(fen);
        assert_eq!(position.refusal(from, to, None), Some(Refusal::PromotionMissing { at: to }));
        for role in Role::ALL {
            match position.judge(from, to, Some(role)) {
                Ok(step) => {
                    let next = position.play(step);
                    assert_eq!(next.piece_at(to), Some(role.of(position.turn())));
                    assert_eq!(next.piece_at(from), None);
                }
                Err(refusal) => {
                    assert!(matches!(role, Role::King | Role::Pawn));
                    assert_eq!(refusal, Refusal::PromotionImpossible { at: to });
                }
            }
        }
    }
    let early = at("8/8/4P1k1/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(early.refusal(E6, E7, None), None);
}

/// 004 ends the game when a king is taken: no legal move takes one, no position offers one.
#[test]
fn a_king_is_never_taken() {
    let mated = played("f3 e5 g4 Qh4");
    assert_eq!(mated.outcome().map(|outcome| outcome.reason), Some(Reason::Checkmate));
    assert_eq!(mated.refusal(H4, E1, None), Some(Refusal::GameOver));
    let checked = at("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    for step in checked.legal_moves() {
        let next = checked.play(step);
        assert!(!next.targets(E2).contains(next.king(Color::White)));
    }
    // A position in which the king could be taken is not valid.
    assert!("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1".parse::<Position>().is_err());
}

/// 001 and 004 let Black start.
#[test]
fn white_moves_first() {
    let mut game = Game::start();
    assert_eq!(game.turn(), Color::White);
    assert_eq!(game.play(E7, E5, None), Err(Refusal::NotYourPiece { at: E7 }));
    game.play(E2, E4, None).unwrap();
    assert_eq!(game.turn(), Color::Black);
}
