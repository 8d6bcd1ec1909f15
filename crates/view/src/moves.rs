//! The legal moves, for a board that does not know the rules.

use std::fmt::Write as _;

use hansu_chess::{CastlingSide, Claim, Game, Move, Position, Role, Variant};
use hansu_protocol as wire;

/// The legal moves of a game, and a draw that can be claimed.
pub fn moves(game: &Game) -> wire::Moves {
    if game.outcome().is_some() {
        return wire::Moves::default();
    }
    let claim = game.claim().map(|claim: Claim| claim.reason().code().to_owned());
    wire::Moves { claim, ..targets(game.position(), game.variant()) }
}

/// The legal moves of a position.
pub fn targets(position: &Position, variant: Variant) -> wire::Moves {
    let mut moves = wire::Moves::default();
    for step in position.legal_moves() {
        let uci = step.uci(variant);
        // One of the four promotions is enough for the target square.
        if matches!(step.promotion(), Some(role) if role != Role::Queen) {
            continue;
        }
        let (from, to) = (uci.from, uci.to);
        let squares = moves.targets.entry(from.to_string()).or_default();
        // Writing to a `String` cannot fail.
        let _ = write!(squares, "{to}");
        if let Some(special) = special(step) {
            moves.special.insert(format!("{from}{to}"), special);
        }
    }
    moves
}

fn special(step: Move) -> Option<wire::Special> {
    match step.castling() {
        Some(CastlingSide::Queen) => return Some(wire::Special::CastlingLeft),
        Some(CastlingSide::King) => return Some(wire::Special::CastlingRight),
        None => {}
    }
    if step.is_en_passant() {
        return Some(wire::Special::EnPassant);
    }
    step.promotion().map(|_| wire::Special::Promotion)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn of(fen: &str) -> wire::Moves {
        targets(&fen.parse().expect(fen), Variant::Standard)
    }

    #[test]
    fn targets_name_what_is_special() {
        let start = targets(&Position::start(), Variant::Standard);
        assert_eq!(start.targets.len(), 10);
        assert_eq!(start.targets["e2"], "e3e4");
        assert_eq!(start.special, BTreeMap::new());
        let castling = of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        assert_eq!(castling.special["e1g1"], wire::Special::CastlingRight);
        assert_eq!(castling.special["e1c1"], wire::Special::CastlingLeft);
        let passing = of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        assert_eq!(passing.special["e5d6"], wire::Special::EnPassant);
        let promotion = of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(promotion.targets["a7"], "a8");
        assert_eq!(promotion.special["a7a8"], wire::Special::Promotion);
    }
}
