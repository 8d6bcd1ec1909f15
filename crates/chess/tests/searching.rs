//! Laws of what searches use: captures and quiet moves, moves as numbers, exchanges, checks.

use std::collections::HashSet;

use crate::common::{cases, game, position};
use hansu_chess::{
    Bitboard, Board, Color, Move, MoveList, Position, Role, Square, attacks, exchange_value,
};
use proptest::prelude::*;

/// What a side wins at most by taking on a square, computed in the simplest way.
fn gain(board: &Board, to: Square, side: Color, occupied: Bitboard, standing: i32) -> i32 {
    let ours = board.attackers(to, side, occupied) & occupied;
    let Some(role) = Role::ALL.into_iter().find(|&role| ours.meets(board.of_role(role))) else {
        return 0;
    };
    if role == Role::King && board.attackers(to, !side, occupied).meets(occupied) {
        return 0;
    }
    let by = (ours & board.of_role(role)).first().expect("an attacker");
    let rest = occupied - Bitboard::of(by);
    (standing - gain(board, to, !side, rest, exchange_value(role))).max(0)
}

fn exchange(position: &Position, step: Move) -> i32 {
    if step.castling().is_some() {
        return 0;
    }
    let mut occupied = position.board().occupied() - Bitboard::of(step.from());
    if step.is_en_passant() {
        occupied = occupied - Bitboard::of(Square::new(step.to().file(), step.from().rank()));
    }
    let taken = position.taken(step).map_or(0, exchange_value);
    let stands = exchange_value(step.promotion().unwrap_or(step.role()));
    let won = taken + stands - exchange_value(step.role());
    let occupied = occupied | Bitboard::of(step.to());
    won - gain(position.board(), step.to(), !position.turn(), occupied, stands)
}

fn obeys_the_laws(position: &Position) -> Result<(), TestCaseError> {
    let legal: HashSet<Move> = position.legal_moves().into_iter().collect();
    let (mut captures, mut quiets) = (MoveList::new(), MoveList::new());
    position.add_captures(&mut captures);
    position.add_quiets(&mut quiets);
    prop_assert_eq!(captures.len() + quiets.len(), legal.len());
    let both: HashSet<Move> = captures.iter().chain(quiets.iter()).copied().collect();
    prop_assert_eq!(&both, &legal);
    prop_assert!(captures.iter().all(|&step| position.is_capture(step)));
    prop_assert!(quiets.iter().all(|&step| !position.is_capture(step)));
    let board = position.board();
    for color in Color::ALL {
        let attacked = board.attacked_by(color);
        for square in Square::ALL {
            let by = board.attackers(square, color, board.occupied());
            prop_assert_eq!(attacked.contains(square), !by.is_empty(), "{:?}", square);
        }
        let pawns = attacks::pawns(color, board.of(Role::Pawn.of(color)));
        prop_assert_eq!(pawns & attacked, pawns);
    }
    for &step in &legal {
        let next = position.play(step);
        prop_assert_eq!(position.key_after(step), next.key());
        prop_assert_eq!(position.gives_check(step), next.is_check(), "{:?}", step);
        prop_assert_eq!(position.move_from_bits(step.to_bits()), Some(step));
        let taken = position.board().of_color(!position.turn()).len()
            - next.board().of_color(next.turn()).len();
        prop_assert_eq!(position.taken(step).is_some(), taken == 1);
        let exact = exchange(position, step);
        for threshold in [exact - 1, exact, exact + 1, -300, -100, 0, 1, 100, 500] {
            let answer = position.see_at_least(step, threshold);
            prop_assert_eq!(answer, exact >= threshold, "{:?} {} {}", step, exact, threshold);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn what_searches_use_agrees_with_the_rules((position, _) in position()) {
        obeys_the_laws(&position)?;
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn it_agrees_in_whole_games((line, _) in game()) {
        for position in &line {
            obeys_the_laws(position)?;
        }
    }

    #[test]
    fn of_all_numbers_only_legal_moves_are_moves((position, _) in position()) {
        let legal: HashSet<u16> = position.legal_moves().iter().map(|step| step.to_bits()).collect();
        for bits in 0..=u16::MAX {
            let step = position.move_from_bits(bits);
            prop_assert_eq!(step.is_some(), legal.contains(&bits), "{}", bits);
            prop_assert!(step.is_none_or(|step| step.to_bits() == bits));
        }
    }

    #[test]
    fn passing_changes_the_turn_and_nothing_else((position, _) in position()) {
        let next = position.pass();
        prop_assert_eq!(next.board(), position.board());
        prop_assert_eq!(next.turn(), !position.turn());
        prop_assert_eq!(next.en_passant(), None);
        if position.en_passant().is_none() {
            prop_assert_eq!(next.pass(), position);
        }
    }
}
