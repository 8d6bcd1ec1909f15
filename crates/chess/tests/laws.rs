//! Laws that hold in every position, checked on random games and random set-ups.

use std::collections::{HashMap, HashSet};

use crate::common::{cases, game, pairs, position};
use hansu_chess::attacks::{between, line};
use hansu_chess::{
    Bitboard, Color, Fault, FenError, Game, Move, Position, Refusal, Role, San, SanError,
    SanRefusal, Setup, Square, UciMove, Variant,
};
use proptest::prelude::*;

/// What a pawn may be asked to become, sense or nonsense.
const PROMOTIONS: [Option<Role>; 7] = [
    None,
    Some(Role::Queen),
    Some(Role::Rook),
    Some(Role::Bishop),
    Some(Role::Knight),
    Some(Role::Pawn),
    Some(Role::King),
];

fn triples() -> impl Iterator<Item = (Square, Square, Option<Role>)> {
    pairs().flat_map(|(from, to)| PROMOTIONS.map(|promotion| (from, to, promotion)))
}

/// True if a request names a move: a castling king may go to its rook or, unless that is an
/// ordinary step, to where it arrives.
fn names(step: Move, from: Square, to: Square, promotion: Option<Role>) -> bool {
    let target = match step.castling_rook() {
        Some(rook) => {
            let apart = from.file().letter() as i32 - step.to().file().letter() as i32;
            to == rook || (to == step.to() && apart.abs() > 1)
        }
        None => to == step.to(),
    };
    step.from() == from && target && step.promotion() == promotion
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn generator_and_judge_agree_on_every_triple((position, _) in position()) {
        let moves = position.legal_moves();
        for (from, to, promotion) in triples() {
            let judged = position.judge(from, to, promotion);
            let expected = moves.iter().copied().find(|&step| names(step, from, to, promotion));
            prop_assert_eq!(judged.ok(), expected, "{}{} {:?}", from, to, promotion);
            let refusal = position.refusal(from, to, promotion);
            prop_assert_eq!(refusal.is_none(), expected.is_some(), "{}{}: {:?}", from, to, refusal);
        }
    }

    #[test]
    fn the_moves_are_all_different_and_counted_rightly((position, _) in position()) {
        let moves = position.legal_moves();
        let different: HashSet<Move> = moves.iter().copied().collect();
        prop_assert_eq!(different.len(), moves.len());
        prop_assert_eq!(position.count_moves(), moves.len() as u64);
        prop_assert_eq!(hansu_chess::perft(&position, 1), moves.len() as u64);
        prop_assert_eq!(position.has_moves(), !moves.is_empty());
    }

    #[test]
    fn the_successors_are_the_positions_after_the_legal_moves((position, _) in position()) {
        let mut seen = Vec::new();
        position.each_successor(|step, next| seen.push((step, next.setup(), next.key())));
        let played = |step| {
            let next = position.play(step);
            (step, next.setup(), next.key())
        };
        let expected: Vec<_> = position.legal_moves().into_iter().map(played).collect();
        prop_assert_eq!(seen, expected);
    }

    #[test]
    fn the_targets_of_a_square_are_what_the_judge_takes((position, _) in position()) {
        for from in Square::ALL {
            let taken: Bitboard = Square::ALL
                .into_iter()
                .filter(|&to| PROMOTIONS.iter().any(|&p| position.judge(from, to, p).is_ok()))
                .collect();
            prop_assert_eq!(position.targets(from), taken, "from {}", from);
        }
    }

    #[test]
    fn no_move_leaves_the_own_king_attacked((position, _) in position()) {
        let us = position.turn();
        for step in position.legal_moves() {
            let next = position.play(step);
            let board = next.board();
            let by = board.attackers(next.king(us), !us, board.occupied());
            prop_assert!(by.is_empty(), "{:?} leaves the king to {:?}", step, by);
            prop_assert!(!next.setup().faults(Variant::Chess960).iter().any(|_| true));
        }
    }

    #[test]
    fn a_pinned_piece_stays_on_its_line((position, _) in position()) {
        let (us, board) = (position.turn(), position.board());
        let king = position.king(us);
        for step in position.legal_moves() {
            if step.role() == Role::King {
                continue;
            }
            let without = board.occupied() - Bitboard::of(step.from());
            let pinners = board.attackers(king, !us, without)
                - board.attackers(king, !us, board.occupied());
            for pinner in pinners {
                prop_assert!(line(king, pinner).contains(step.to()), "{:?} off its line", step);
            }
        }
    }

    #[test]
    fn the_key_kept_along_a_game_is_the_key_of_the_position_read_anew((line, variant) in game()) {
        for position in line {
            let again = Position::from_fen(&position.fen(), variant);
            prop_assert_eq!(again.map(|again| again.key()), Ok(position.key()));
            prop_assert_eq!(again, Ok(position));
        }
    }

    #[test]
    fn the_key_follows_every_move((position, variant) in position()) {
        for step in position.legal_moves() {
            let next = position.play(step);
            let again = next.setup().position(variant);
            prop_assert_eq!(again.map(|again| again.key()), Ok(next.key()), "after {:?}", step);
        }
    }

    #[test]
    fn positions_of_one_game_share_a_key_exactly_when_equal((line, _) in game()) {
        let mut seen: HashMap<u64, Position> = HashMap::new();
        for position in line {
            let earlier = *seen.entry(position.key()).or_insert(position);
            prop_assert_eq!(earlier, position);
            let (mut one, mut two) = (earlier.setup(), position.setup());
            (one.halfmoves, one.fullmoves) = (0, 1);
            (two.halfmoves, two.fullmoves) = (0, 1);
            prop_assert_eq!(one, two);
        }
    }

    #[test]
    fn fen_goes_out_and_comes_back((position, variant) in position()) {
        let setup = position.setup();
        prop_assert_eq!(Setup::from_fen(&setup.fen()), Ok(setup));
        prop_assert_eq!(Setup::from_fen(&setup.shredder_fen()), Ok(setup));
        let again = Position::from_fen(&position.fen(), variant);
        prop_assert_eq!(again.map(|again| again.setup()), Ok(setup));
        prop_assert_eq!(again.map(|again| again.fen()), Ok(position.fen()));
        prop_assert_eq!(setup.position(variant), Ok(position));
        prop_assert_eq!(position.to_string(), position.fen());
    }

    #[test]
    fn uci_goes_out_and_comes_back((position, variant) in position()) {
        let mut texts = HashSet::new();
        for step in position.legal_moves() {
            let uci = step.uci(variant);
            prop_assert!(texts.insert(uci.to_string()));
            let read: UciMove = uci.to_string().parse().unwrap();
            prop_assert_eq!(read, uci);
            prop_assert_eq!(read.to_move(&position), Ok(step));
        }
    }

    #[test]
    fn san_goes_out_and_comes_back_strictly_and_leniently((position, _) in position()) {
        let mut texts = HashSet::new();
        for step in position.legal_moves() {
            let text = position.san(step).to_string();
            let strict: San = text.parse().unwrap();
            prop_assert_eq!(strict, position.san(step));
            prop_assert_eq!(strict.to_move(&position), Ok(step), "{}", text);
            prop_assert_eq!(San::lenient(&text).unwrap().to_move(&position), Ok(step), "{}", text);
            prop_assert_eq!(text.ends_with(['+', '#']), position.play(step).is_check());
            prop_assert_eq!(text.ends_with('#'), position.play(step).is_checkmate());
            prop_assert!(texts.insert(text));
        }
    }

    #[test]
    fn strict_san_takes_one_text_for_each_move((position, _) in position()) {
        for step in position.legal_moves() {
            let written = position.san(step).to_string();
            let taken: Vec<String> = spellings(step)
                .into_iter()
                .filter(|text| text.parse::<San>().and_then(|san| san.to_move(&position)) == Ok(step))
                .collect();
            prop_assert_eq!(taken, [written]);
        }
    }

    #[test]
    fn lenient_san_takes_every_full_spelling((position, _) in position()) {
        for step in position.legal_moves() {
            for text in spellings(step).into_iter().flat_map(|text| [format!("{text}!?"), text]) {
                // A spelling may name a rival as well, but never only something else.
                match San::lenient(&text).and_then(|san| san.to_move(&position)) {
                    Ok(read) => prop_assert_eq!(read.to(), step.to(), "{}", text),
                    Err(error) => prop_assert!(error != SanError::Syntax, "{}", text),
                }
            }
            if step.castling().is_none() && step.role() != Role::Pawn {
                let full = format!("{}{}{}", step.role().letter(), step.from(), step.to());
                prop_assert_eq!(San::lenient(&full).and_then(|san| san.to_move(&position)), Ok(step));
            }
        }
    }

    #[test]
    fn a_notation_is_judged_as_the_squares_that_it_means((position, _) in position()) {
        for step in position.legal_moves() {
            for text in spellings(step) {
                let san = San::lenient(&text).unwrap();
                match (san.to_move(&position), san.judge(&position)) {
                    (Ok(read), judged) => prop_assert_eq!(judged, Ok(read), "{}", text),
                    // A pawn that takes without saying from where: no notation of that move.
                    (Err(SanError::Illegal), _) => prop_assert_eq!(step.role(), Role::Pawn),
                    (Err(_), judged) => prop_assert_eq!(judged, Err(SanRefusal::Ambiguous)),
                }
            }
            let strict = position.san(step);
            prop_assert_eq!(strict.judge(&position), Ok(step), "{}", strict);
        }
    }

    #[test]
    fn an_illegal_notation_has_the_reason_of_a_piece_that_it_names((position, _) in position()) {
        let (us, board) = (position.turn(), position.board());
        for (role, to) in Role::ALL.into_iter().flat_map(|role| Square::ALL.map(|to| (role, to))) {
            let letter = Some(role.letter()).filter(|_| role != Role::Pawn);
            let text: String = letter.into_iter().chain(to.to_string().chars()).collect();
            let san = San::lenient(&text).unwrap();
            let pieces = board.of(role.of(us));
            let is_legal = |from: Square| position.refusal(from, to, None).is_none();
            match san.judge(&position) {
                Ok(step) => prop_assert!(pieces.contains(step.from()) && is_legal(step.from())),
                Err(SanRefusal::Ambiguous) => {
                    prop_assert!(pieces.into_iter().filter(|&from| is_legal(from)).count() > 1);
                }
                Err(SanRefusal::NoPiece { role: named }) => {
                    prop_assert!(named == role && pieces.is_empty(), "{}", text);
                }
                Err(SanRefusal::Move { meant, why }) => {
                    prop_assert!(pieces.contains(meant.from) && meant.to == to, "{}", text);
                    prop_assert_eq!(position.refusal(meant.from, to, None), Some(why), "{}", text);
                    // A pawn takes only where its file is told.
                    let mut others = pieces.into_iter().filter(|_| role != Role::Pawn);
                    prop_assert!(!others.any(is_legal), "{}", text);
                }
            }
        }
    }

    #[test]
    fn the_mirrored_position_has_the_mirrored_moves((position, variant) in position()) {
        let mut setup = position.setup();
        // The reasons also name double steps that no pawn can take en passant.
        setup.en_passant = position.stepped_over();
        let mirrored = setup.mirrored().position(variant).unwrap();
        let plain = |step: Move| step.uci(Variant::Chess960);
        let ours: HashSet<UciMove> = position
            .legal_moves()
            .into_iter()
            .map(plain)
            .map(|uci| UciMove { from: uci.from.mirrored(), to: uci.to.mirrored(), ..uci })
            .collect();
        let theirs: HashSet<UciMove> = mirrored.legal_moves().into_iter().map(plain).collect();
        prop_assert_eq!(ours, theirs);
        prop_assert_eq!(mirrored.setup().mirrored(), position.setup());
        prop_assert_eq!(mirrored.checkers().mirrored(), position.checkers());
        let reason = |position: &Position| position.outcome().map(|outcome| outcome.reason);
        prop_assert_eq!(reason(&mirrored), reason(&position));
        let winner = |position: &Position| position.outcome().and_then(|outcome| outcome.winner);
        prop_assert_eq!(winner(&mirrored), winner(&position).map(Color::other));
        for (from, to) in pairs() {
            let code = position.refusal(from, to, None).map(|refusal| refusal.code());
            let other = mirrored.refusal(from.mirrored(), to.mirrored(), None);
            prop_assert_eq!(code, other.map(|refusal| refusal.code()), "{}{}", from, to);
        }
    }

    #[test]
    fn every_refusal_names_squares_that_prove_it((position, _) in position()) {
        for (from, to, promotion) in triples() {
            if let Some(refusal) = position.refusal(from, to, promotion) {
                prove(&position, from, to, refusal)?;
            }
        }
    }

    #[test]
    fn a_finished_game_takes_nothing_more((position, variant) in position(), loser in 0..2usize) {
        let mut game = Game::from_position(position, variant);
        if game.outcome().is_none() {
            game.resign(Color::ALL[loser]).unwrap();
        }
        let outcome = game.outcome();
        for (from, to, promotion) in triples() {
            prop_assert_eq!(game.play(from, to, promotion), Err(Refusal::GameOver));
        }
        for step in position.legal_moves() {
            prop_assert!(game.play_san(&position.san(step).to_string()).is_err());
        }
        prop_assert!(game.resign(Color::White).is_err());
        prop_assert!(game.agree_draw().is_err());
        prop_assert!(game.claim_draw().is_err());
        prop_assert_eq!(game.claim(), None);
        prop_assert_eq!(game.outcome(), outcome);
        prop_assert!(game.moves().is_empty());
    }

    #[test]
    fn move_counters_do_not_tell_positions_apart((position, variant) in position(), count in 0..99u16) {
        let mut setup = position.setup();
        (setup.halfmoves, setup.fullmoves) = (count, count + 1);
        let other = setup.position(variant).unwrap();
        prop_assert_eq!(other, position);
        prop_assert_eq!(other.key(), position.key());
    }

    #[test]
    fn a_lost_castling_right_tells_positions_apart((position, variant) in position()) {
        for rook in position.castling() {
            let mut setup = position.setup();
            setup.castling = setup.castling - Bitboard::of(rook);
            let other = setup.position(variant).unwrap();
            prop_assert_ne!(other, position);
            prop_assert_ne!(other.key(), position.key());
        }
    }

    #[test]
    fn en_passant_tells_positions_apart_only_when_a_capture_is_legal((position, variant) in position()) {
        for passed in Square::ALL {
            let mut setup = position.setup();
            setup.en_passant = None;
            let without = setup.position(variant).unwrap();
            setup.en_passant = Some(passed);
            let with = match setup.position(variant) {
                Ok(with) => with,
                Err(faults) => {
                    prop_assert!(faults.contains(Fault::EnPassant));
                    continue;
                }
            };
            let capture = with.legal_moves().iter().any(|step| step.is_en_passant());
            prop_assert_eq!(with != without, capture);
            prop_assert_eq!(with.key() != without.key(), capture);
            prop_assert_eq!(with.en_passant().is_some(), capture);
            prop_assert_eq!(with.stepped_over(), Some(passed));
        }
    }

    #[test]
    fn the_variants_differ_only_in_castling((position, _) in position()) {
        let fen = position.fen();
        match Position::from_fen(&fen, Variant::Standard) {
            Ok(standard) => {
                prop_assert_eq!(standard.legal_moves(), position.legal_moves());
            }
            Err(FenError::Faults(faults)) => {
                prop_assert_eq!(faults.iter().collect::<Vec<_>>(), [Fault::Castling]);
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn a_game_replayed_by_its_san_and_taken_back_is_the_same((line, variant) in game()) {
        let mut replayed = Game::from_position(line[0], variant);
        for pair in line.windows(2) {
            if replayed.outcome().is_some() {
                break;
            }
            let step = pair[0].legal_moves().into_iter().find(|&step| pair[0].play(step) == pair[1]);
            let step = step.unwrap();
            let san = pair[0].san(step).to_string();
            prop_assert_eq!(replayed.play_san(&san), Ok(step));
            prop_assert_eq!(replayed.position().setup(), pair[1].setup());
        }
        let plies = replayed.moves().len();
        prop_assert_eq!(replayed.positions().len(), plies + 1);
        for back in (0..plies).rev() {
            prop_assert!(replayed.take_back().is_some());
            prop_assert_eq!(replayed.position().setup(), line[back].setup());
            prop_assert_eq!(replayed.outcome(), None);
        }
        prop_assert_eq!(replayed.take_back(), None);
    }
}

/// All spellings of a move, with and without disambiguation.
fn spellings(step: Move) -> Vec<String> {
    let suffixes = ["", "+", "#"];
    if let Some(side) = step.castling() {
        let castling = match side {
            hansu_chess::CastlingSide::King => "O-O",
            hansu_chess::CastlingSide::Queen => "O-O-O",
        };
        return suffixes.map(|suffix| format!("{castling}{suffix}")).into();
    }
    let (file, rank) = (step.from().file().letter(), step.from().rank().digit());
    let letter = match step.role() {
        Role::Pawn => String::new(),
        role => role.letter().to_string(),
    };
    let origins = [String::new(), file.to_string(), rank.to_string(), format!("{file}{rank}")];
    let promotion = step.promotion().map_or(String::new(), |role| format!("={}", role.letter()));
    let mut texts = Vec::new();
    for origin in &origins {
        for capture in ["", "x"] {
            for suffix in suffixes {
                let to = step.to();
                texts.push(format!("{letter}{origin}{capture}{to}{promotion}{suffix}"));
            }
        }
    }
    texts
}

/// Checks a refusal's squares against the board.
fn prove(
    position: &Position,
    from: Square,
    to: Square,
    refusal: Refusal,
) -> Result<(), TestCaseError> {
    let (us, board) = (position.turn(), position.board());
    let (occupied, king) = (board.occupied(), position.king(us));
    let attack = |at: Square, occupied: Bitboard| board.attackers(at, !us, occupied);
    let context = format!("{from}{to}: {refusal:?}");
    prop_assert!((refusal.by() - board.of_color(!us)).is_empty(), "by whom? {}", context);
    let proven = match refusal {
        Refusal::GameOver => false,
        Refusal::NoPiece { at } => at == from && board.piece_at(at).is_none(),
        Refusal::NotYourPiece { at } => at == from && board.color_at(at) == Some(!us),
        Refusal::SameSquare { at } => at == from && at == to,
        Refusal::OwnPiece { at } => at == to && board.color_at(at) == Some(us),
        Refusal::NotItsMove { role, at } => at == from && board.role_at(at) == Some(role),
        Refusal::Blocked { at } => {
            between(from, to).contains(at)
                && !(between(from, at)).meets(occupied)
                && occupied.contains(at)
        }
        Refusal::NothingToCapture { at } => at == to && board.piece_at(at).is_none(),
        Refusal::PawnBlocked { at } => {
            (at == to || between(from, to).contains(at)) && occupied.contains(at)
        }
        Refusal::NoDoubleStep { at } => at == from && board.role_at(at) == Some(Role::Pawn),
        Refusal::Pinned { at, by, line } => {
            at == from
                && line == between(king, by) | Bitboard::of(king) | Bitboard::of(by)
                && line.contains(at)
                && !line.contains(to)
                && attack(king, occupied - Bitboard::of(at)).contains(by)
                && !attack(king, occupied).contains(by)
        }
        Refusal::LeavesKingInCheck { king: at, by } => {
            at == king && !by.is_empty() && (by - position.checkers()).is_empty()
        }
        Refusal::KingAttacked { at, by } => {
            let gone = occupied - Bitboard::of(king);
            at == to && !by.is_empty() && by == attack(to, gone) - Bitboard::of(to)
        }
        Refusal::CastlingRightLost { rook, .. } => {
            from == king && !position.castling().contains(rook)
        }
        Refusal::CastlingBlocked { at } => {
            from == king && occupied.contains(at) && at.rank() == king.rank()
        }
        Refusal::CastlingInCheck { king: at, by } => {
            at == king && !by.is_empty() && by == position.checkers()
        }
        Refusal::CastlingThroughAttack { at, by } => {
            at.rank() == king.rank()
                && !by.is_empty()
                && by == attack(at, occupied - Bitboard::of(king))
        }
        // In Chess960 the attack may come along the rank once the rook has left.
        Refusal::CastlingIntoAttack { at, by } => {
            let rooks = position.castling() & board.of_color(us);
            at.rank() == king.rank()
                && !by.is_empty()
                && (by - attack(at, occupied - rooks - Bitboard::of(king))).is_empty()
        }
        Refusal::EnPassantExpired { pawn } => {
            board.piece_at(pawn) == Some(Role::Pawn.of(!us))
                && pawn.rank() == from.rank()
                && pawn.file() == to.file()
                && position.stepped_over() != Some(to)
        }
        Refusal::EnPassantUncoversCheck { king: at, by } => {
            let taken = Square::new(to.file(), from.rank());
            let after = (occupied - Bitboard::of(from) - Bitboard::of(taken)) | Bitboard::of(to);
            at == king
                && position.stepped_over() == Some(to)
                && !by.is_empty()
                && (by - attack(king, after)).is_empty()
                && !by.meets(position.checkers())
        }
        Refusal::PromotionMissing { at } | Refusal::PromotionImpossible { at } => at == to,
    };
    prop_assert!(proven, "not proven: {}", context);
    Ok(())
}
