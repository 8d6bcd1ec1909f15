//! The answers of the rules library.

use std::collections::BTreeSet;

use hansu_chess::pgn::{Part, PgnReason, Word};
use hansu_chess::{
    Color, Fault, FenError, Game, GameError, Outcome, Position, Reason, Refusal, Role, SanError,
    Setup, Square, SquareError, UciError, UciMove, Variant,
};
use hansu_words::Lang;

use crate::check;

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn refusal(position: &Position, text: &str) -> Refusal {
    let step: UciMove = text.parse().expect(text);
    position
        .refusal(step.from, step.to, step.promotion)
        .unwrap_or_else(|| panic!("{text} is legal in {position}"))
}

fn check_refusal(refusal: Refusal, position: &Position) {
    for lang in Lang::ALL {
        let sentence = lang.refusal(refusal, position);
        check(lang, &sentence);
        for square in refusal.by() {
            assert!(sentence.contains(&square.to_string()), "{square}: {sentence}");
        }
        // The squares of a pin are its whole line; the sentence names its ends and the pinned piece.
        let named = match refusal {
            Refusal::Pinned { at, .. } => vec![at, position.king(position.turn())],
            _ => refusal.squares().into_iter().collect(),
        };
        for square in named {
            assert!(sentence.contains(&square.to_string()), "{square}: {sentence}");
        }
    }
}

/// A position, a move, and the sentences about it in English and Korean.
const SENTENCES: [(&str, &str, &str, &str); 30] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e4e5",
        "There is no piece on e4. Choose a square where one of White's pieces stands.",
        "e4에는 기물이 없어요. 백 기물이 있는 칸을 골라 주세요.",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e7e5",
        "The pawn on e7 is Black's, and it is White's turn.",
        "폰(e7)은 흑의 기물이에요. 지금은 백 차례예요.",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "g1g1",
        "The knight on g1 would stay where it is. Choose another square.",
        "나이트(g1)가 제자리에 그대로 있게 돼요. 다른 칸을 골라 주세요.",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "g1e2",
        "e2 is taken by your own pawn. Choose another square.",
        "e2에 자기 폰이 있어요. 다른 칸을 골라 주세요.",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "g1g3",
        "The knight on g1 does not move like that: it jumps two squares along a rank or file and one to the side.",
        "나이트(g1)는 그렇게 움직이지 않아요. 나이트는 가로나 세로로 두 칸, 거기서 옆으로 한 칸 뛰어요.",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "a1a3",
        "The pawn on a2 stands in the way. Only a knight jumps over other pieces.",
        "폰(a2)이 길을 막고 있어요. 다른 기물을 뛰어넘는 기물은 나이트뿐이에요.",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e2d3",
        "A pawn moves diagonally only to capture, and there is nothing to capture on d3.",
        "폰은 기물을 잡을 때만 대각선으로 가는데, d3에는 잡을 기물이 없어요.",
    ),
    (
        "4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1",
        "e4e5",
        "The pawn on e5 stands in the pawn's way. A pawn captures only diagonally.",
        "폰(e5)이 폰의 앞을 막고 있어요. 폰은 대각선으로만 잡을 수 있어요.",
    ),
    (
        "4k3/8/8/8/8/4N3/4P3/4K3 w - - 0 1",
        "e2e4",
        "The knight on e3 stands in the pawn's way.",
        "나이트(e3)가 폰의 앞을 막고 있어요.",
    ),
    (
        "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1",
        "e3e5",
        "The pawn on e3 can step only one square forward. A pawn steps two squares only from where it started.",
        "폰(e3)은 한 칸만 앞으로 갈 수 있어요. 두 칸 전진은 처음 자리에서만 할 수 있어요.",
    ),
    (
        "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1",
        "c3d5",
        "The knight on c3 is pinned by the bishop on b4: without it the king on e1 would be in check.",
        "나이트(c3)는 비숍(b4)에 묶여 있어 움직일 수 없어요. 비키면 킹(e1)이 체크를 받아요.",
    ),
    (
        "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "e2d2",
        "The rook on e2 is pinned by the rook on e8: it may move only along that line, or the king on e1 would be in check.",
        "룩(e2)은 룩(e8)에 묶여 있어 그 줄을 벗어날 수 없어요. 벗어나면 킹(e1)이 체크를 받아요.",
    ),
    (
        "4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1",
        "a2a3",
        "The king on e1 is in check from the rook on e8, and this move does not help. Move the king, capture the attacker or block its line.",
        "킹(e1)이 룩(e8)에 체크를 받고 있는데, 이 수로는 벗어나지 못해요. 킹을 옮기거나, 체크한 기물을 잡거나, 사이를 막아야 해요.",
    ),
    (
        "4r1k1/8/8/8/8/3n4/P7/4K3 w - - 0 1",
        "a2a3",
        "The king on e1 is in check from the knight on d3 and the rook on e8, and this move does not help. Against a double check only the king can move.",
        "킹(e1)이 나이트(d3)와 룩(e8)에 체크를 받고 있는데, 이 수로는 벗어나지 못해요. 더블 체크에서는 킹만 움직일 수 있어요.",
    ),
    (
        "6k1/8/b7/8/8/8/8/4K3 w - - 0 1",
        "e1f1",
        "The king may not go to f1, where it would be attacked by the bishop on a6.",
        "f1에 가면 비숍(a6)이 공격하게 되어 킹이 갈 수 없어요.",
    ),
    (
        "4r1k1/8/8/8/8/8/4n3/4K3 w - - 0 1",
        "e1e2",
        "The king may not capture the knight on e2, which is protected by the rook on e8.",
        "룩(e8)이 지키고 있어서 킹으로 나이트(e2)를 잡을 수 없어요.",
    ),
    (
        "6k1/8/8/8/8/8/8/4K2R w - - 0 1",
        "e1g1",
        "Castling with the rook on h1 is not allowed: the king or that rook has moved before.",
        "룩(h1)과는 캐슬링할 수 없어요. 킹이나 그 룩이 이미 움직였어요.",
    ),
    (
        "6k1/8/8/8/8/8/P7/4K3 w - - 0 1",
        "e1g1",
        "There is no rook on h1 to castle with.",
        "h1에 캐슬링할 룩이 없어요.",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e1g1",
        "The bishop on f1 stands in the way of castling: the squares that king and rook cross must be empty.",
        "비숍(f1)이 막고 있어서 캐슬링할 수 없어요. 킹과 룩이 지나는 칸은 비어 있어야 해요.",
    ),
    (
        "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1",
        "e1g1",
        "The king on e1 is in check from the rook on e8, and a king cannot castle out of check.",
        "킹(e1)이 룩(e8)에 체크를 받고 있어요. 체크를 받는 동안에는 캐슬링할 수 없어요.",
    ),
    (
        "6k1/8/b7/8/8/8/8/4K2R w K - 0 1",
        "e1g1",
        "f1 is attacked by the bishop on a6, and a king cannot castle through an attacked square.",
        "킹이 지나갈 f1을 비숍(a6)이 공격하고 있어서 캐슬링할 수 없어요.",
    ),
    (
        "6k1/8/8/2b5/8/8/8/4K2R w K - 0 1",
        "e1g1",
        "Castling would put the king on g1, where it would be attacked by the bishop on c5.",
        "캐슬링하면 킹이 갈 g1을 비숍(c5)이 공격하게 되어 캐슬링할 수 없어요.",
    ),
    (
        "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2",
        "e5d6",
        "En passant is possible only directly after the other pawn's double step, and the pawn on d5 has not just made one.",
        "앙파상은 상대 폰이 두 칸 전진한 바로 다음 수에만 할 수 있는데, 폰(d5)은 방금 두 칸 전진하지 않았어요.",
    ),
    (
        "6k1/8/8/K2pP2r/8/8/8/8 w - d6 0 2",
        "e5d6",
        "Taking en passant removes the other pawn as well, and then the king on a5 would be in check from the rook on h5.",
        "앙파상으로 상대 폰까지 사라지면 킹(a5)이 룩(h5)에 체크를 받아요.",
    ),
    (
        "6k1/5b2/8/3pP3/8/1K6/8/8 w - d6 0 2",
        "e5d6",
        "Taking en passant removes the other pawn as well, and then the king on b3 would be in check from the bishop on f7.",
        "앙파상으로 상대 폰까지 사라지면 킹(b3)이 비숍(f7)에 체크를 받아요.",
    ),
    (
        "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1",
        "e7e8",
        "The pawn is promoted on e8. Choose what it becomes: queen, rook, bishop or knight.",
        "폰이 e8에서 승급해요. 퀸, 룩, 비숍, 나이트 중 하나를 골라 주세요.",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e2e4q",
        "There is no such promotion on e4: only a pawn that reaches the last rank is promoted, and only to a queen, rook, bishop or knight.",
        "e4에서는 그렇게 승급할 수 없어요. 끝 줄에 닿은 폰만 퀸, 룩, 비숍, 나이트 중 하나로 승급해요.",
    ),
    (
        "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "e1e3",
        "The king on e1 does not move like that: it steps one square in any direction.",
        "킹(e1)은 그렇게 움직이지 않아요. 킹은 어느 쪽으로든 한 칸씩 움직여요.",
    ),
    (
        "6k1/8/8/8/8/8/4r3/R3K3 w Q - 0 1",
        "a1a2",
        "The king on e1 is in check from the rook on e2, and this move does not help. Move the king or capture the attacker.",
        "킹(e1)이 룩(e2)에 체크를 받고 있는데, 이 수로는 벗어나지 못해요. 킹을 옮기거나 체크한 기물을 잡아야 해요.",
    ),
    (
        "q5k1/8/b3q3/8/8/8/8/4K3 w - - 0 1",
        "e1e2",
        "The king may not go to e2, where it would be attacked by the bishop on a6 and the queen on e6.",
        "e2에 가면 비숍(a6)과 퀸(e6)이 공격하게 되어 킹이 갈 수 없어요.",
    ),
];

/// Games in which a castling right was lost, and one that is over: the moves, the refused move, and
/// the sentences in English and Korean.
const LOST: [(&[&str], &str, &str, &str); 5] = [
    (
        &["e4", "e5", "Nf3", "Nf6", "Be2", "Be7", "Kf1", "Kf8", "Ke1", "Ke8"],
        "e1g1",
        "The king has moved before, so it can no longer castle towards h1.",
        "킹이 이미 움직여서 h1 쪽으로 캐슬링할 수 없어요.",
    ),
    (
        &["Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7", "Rg1", "a6", "Rh1", "a5"],
        "e1g1",
        "The rook on h1 has moved before, so the king can no longer castle with it.",
        "룩(h1)이 이미 움직였던 적이 있어서 캐슬링할 수 없어요.",
    ),
    (
        &[
            "Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7", "Ng1", "a6", "Bf1", "a5", "Nf3", "a4", "Bg2",
            "a3", "Rg1", "h6", "Rf1", "h5",
        ],
        "e1g1",
        "The rook from h1 has moved, so the king can no longer castle with it.",
        "h1에 있던 룩이 이미 움직여서 그쪽으로 캐슬링할 수 없어요.",
    ),
    (
        &["b3", "g6", "Bb2", "Bg7", "Nc3", "Bxc3", "g3", "Bxb2", "Bg2", "Bxa1", "a3", "Bf6"],
        "e1c1",
        "The rook from a1 was captured, so the king can no longer castle with it.",
        "a1에 있던 룩이 잡혀서 그쪽으로 캐슬링할 수 없어요.",
    ),
    (
        &["f3", "e5", "g4", "Qh4#"],
        "e1f2",
        "The game is over. Black wins by checkmate.",
        "게임이 끝났어요. 체크메이트로 흑이 이겼어요.",
    ),
];

/// Every code of a refusal. The match fails to compile when a variant is added: then add it to this
/// list and to the sentences above.
pub(crate) fn codes() -> BTreeSet<&'static str> {
    fn known(refusal: Refusal) {
        match refusal {
            Refusal::GameOver
            | Refusal::NoPiece { .. }
            | Refusal::NotYourPiece { .. }
            | Refusal::SameSquare { .. }
            | Refusal::OwnPiece { .. }
            | Refusal::NotItsMove { .. }
            | Refusal::Blocked { .. }
            | Refusal::NothingToCapture { .. }
            | Refusal::PawnBlocked { .. }
            | Refusal::NoDoubleStep { .. }
            | Refusal::Pinned { .. }
            | Refusal::LeavesKingInCheck { .. }
            | Refusal::KingAttacked { .. }
            | Refusal::CastlingRightLost { .. }
            | Refusal::CastlingBlocked { .. }
            | Refusal::CastlingInCheck { .. }
            | Refusal::CastlingThroughAttack { .. }
            | Refusal::CastlingIntoAttack { .. }
            | Refusal::EnPassantExpired { .. }
            | Refusal::EnPassantUncoversCheck { .. }
            | Refusal::PromotionMissing { .. }
            | Refusal::PromotionImpossible { .. } => {}
        }
    }
    known(Refusal::GameOver);
    BTreeSet::from([
        "game_over",
        "no_piece",
        "not_your_piece",
        "same_square",
        "own_piece",
        "not_its_move",
        "blocked",
        "nothing_to_capture",
        "pawn_blocked",
        "no_double_step",
        "pinned",
        "leaves_king_in_check",
        "king_attacked",
        "castling_right_lost",
        "castling_king_moved",
        "castling_rook_moved",
        "castling_rook_taken",
        "castling_blocked",
        "castling_in_check",
        "castling_through_attack",
        "castling_into_attack",
        "en_passant_expired",
        "en_passant_uncovers_check",
        "promotion_missing",
        "promotion_impossible",
    ])
}

#[test]
fn every_refusal_says_what_it_should() {
    let mut seen = BTreeSet::new();
    for (fen, text, english, korean) in SENTENCES {
        let position = position(fen);
        let refusal = refusal(&position, text);
        assert_eq!(Lang::En.refusal(refusal, &position), english);
        assert_eq!(Lang::Ko.refusal(refusal, &position), korean);
        check_refusal(refusal, &position);
        seen.insert(refusal.code());
    }
    for (steps, text, english, korean) in LOST {
        let mut game = Game::start();
        for step in steps {
            game.play_san(step).expect(step);
        }
        let step: UciMove = text.parse().expect(text);
        let refusal = game.refusal(step.from, step.to, None).expect(text);
        assert_eq!(Lang::En.refusal(refusal, game.position()), english);
        assert_eq!(Lang::Ko.refusal(refusal, game.position()), korean);
        check_refusal(refusal, game.position());
        seen.insert(refusal.code());
    }
    assert_eq!(seen, codes());
}

#[test]
fn every_refused_move_of_rich_positions_has_good_sentences() {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "r3k2r/8/8/8/4Q3/8/8/4K3 b kq - 0 1",
    ];
    let mut count = 0;
    for fen in fens {
        let position = position(fen);
        for from in Square::ALL {
            for to in Square::ALL {
                for promotion in std::iter::once(None).chain(Role::ALL.map(Some)) {
                    if let Some(refusal) = position.refusal(from, to, promotion) {
                        check_refusal(refusal, &position);
                        count += 1;
                    }
                }
            }
        }
    }
    assert!(count > 100_000, "{count}");
}

#[test]
fn a_refusal_shown_for_another_position_still_makes_a_sentence() {
    let position = Position::start();
    let elsewhere = self::position("4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1");
    let pinned = refusal(&elsewhere, "c3d5");
    let sentence = Lang::En.refusal(pinned, &position);
    assert!(sentence.starts_with("c3 is pinned by b4"), "{sentence}");
    let over = Lang::Ko.refusal(Refusal::GameOver, &position);
    assert_eq!(over, "게임이 끝나서 더 둘 수 없어요.");
}

#[test]
fn every_outcome_has_a_sentence() {
    let mut sentences = BTreeSet::new();
    for lang in Lang::ALL {
        for reason in Reason::ALL {
            assert!(!lang.reason(reason).is_empty());
            for winner in [None, Some(Color::White), Some(Color::Black)] {
                let sentence = lang.outcome(Outcome { winner, reason });
                check(lang, &sentence);
                assert!(sentence.contains(lang.reason(reason)), "{sentence}");
                for color in Color::ALL {
                    let named = sentence.contains(lang.color(color));
                    assert_eq!(named, winner == Some(color), "{sentence}");
                }
                assert!(sentences.insert(sentence));
            }
        }
    }
    assert_eq!(
        Lang::Ko.outcome(Outcome::win(Color::Black, Reason::Resignation)),
        "기권으로 흑이 이겼어요."
    );
    assert_eq!(
        Lang::En.outcome(Outcome::draw(Reason::Stalemate)),
        "Draw by stalemate: no legal move, and no check."
    );
}

#[test]
fn every_error_of_notation_has_a_sentence() {
    let faults = Setup::empty().faults(Variant::Standard);
    let fen_errors = [
        FenError::Board,
        FenError::Turn,
        FenError::Castling,
        FenError::EnPassant,
        FenError::Halfmoves,
        FenError::Fullmoves,
        FenError::TooLong,
        FenError::Faults(faults),
    ];
    for lang in Lang::ALL {
        for error in fen_errors {
            check(lang, &lang.fen_error(error));
        }
        for error in [SanError::Syntax, SanError::Illegal, SanError::Ambiguous] {
            check(lang, lang.san_error(error));
        }
        for error in [GameError::Over, GameError::NothingToClaim] {
            check(lang, lang.game_error(error));
        }
        check(lang, lang.uci_error(UciError));
        check(lang, lang.square_error(SquareError));
    }
}

#[test]
fn every_fault_of_a_set_up_has_a_sentence() {
    let faults = [
        Fault::NoKing(Color::White),
        Fault::ManyKings(Color::Black),
        Fault::ManyPieces(Color::White),
        Fault::ManyPawns(Color::Black),
        Fault::PawnOnEdge,
        Fault::OpponentInCheck,
        Fault::Castling,
        Fault::EnPassant,
        Fault::MoveNumber,
    ];
    for lang in Lang::ALL {
        let sentences: BTreeSet<_> = faults.iter().map(|&fault| lang.fault(fault)).collect();
        assert_eq!(sentences.len(), faults.len());
        sentences.iter().for_each(|sentence| check(lang, sentence));
    }
    let both = Setup::empty().faults(Variant::Standard);
    assert_eq!(Lang::Ko.faults(both), "백 킹이 없어요. 흑 킹이 없어요.");
}

#[test]
fn names_differ() {
    for lang in Lang::ALL {
        let roles: BTreeSet<_> = Role::ALL.iter().map(|&role| lang.role(role)).collect();
        assert_eq!(roles.len(), 6);
        assert_ne!(lang.color(Color::White), lang.color(Color::Black));
    }
}

#[test]
fn every_fault_of_a_pgn_file_has_a_sentence() {
    let word = Word::new(b"Ke3");
    let with_word = [
        PgnReason::Unexpected(word),
        PgnReason::NotAMove(word),
        PgnReason::IllegalMove(word),
        PgnReason::AmbiguousMove(word),
    ];
    let plain = [
        PgnReason::Tag,
        PgnReason::NullMove,
        PgnReason::Fen(FenError::Turn),
        PgnReason::Variant,
        PgnReason::Nag,
        PgnReason::TooLong(Part::Token),
        PgnReason::TooLong(Part::Tag),
        PgnReason::TooLong(Part::Comment),
        PgnReason::TooLong(Part::Game),
        PgnReason::TooManyTags,
        PgnReason::TooDeep,
        PgnReason::UnterminatedComment,
        PgnReason::UnterminatedVariation,
        PgnReason::NothingToClose,
        PgnReason::NothingToVary,
    ];
    for lang in Lang::ALL {
        let mut sentences = BTreeSet::new();
        for reason in with_word {
            let sentence = lang.pgn_reason(reason);
            assert!(sentence.contains("Ke3"), "{sentence}");
            assert_eq!(sentence.contains("요: "), lang == Lang::Ko, "{sentence}");
            sentences.insert(sentence);
        }
        for reason in plain {
            let sentence = lang.pgn_reason(reason);
            check(lang, &sentence);
            sentences.insert(sentence);
        }
        assert_eq!(sentences.len(), with_word.len() + plain.len());
        let read = lang.pgn_reason(PgnReason::Read(std::io::ErrorKind::IsADirectory));
        assert!(read.contains("directory"), "{read}");
    }
}
