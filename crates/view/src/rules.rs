//! Questions about a position without a game: which moves are legal, and why others are not.

use hansu_chess::{Game, Move, Position, Refusal, UciMove, Variant};
use hansu_play::by_rules;
use hansu_protocol as wire;
use hansu_words::Lang;

use crate::{board, chess_refusal, targets};

/// The rules of a kind of game.
pub const fn variant(kind: wire::Kind) -> Variant {
    match kind {
        wire::Kind::Standard => Variant::Standard,
        wire::Kind::Chess960 => Variant::Chess960,
    }
}

/// The kind of game that has these rules.
pub const fn kind(variant: Variant) -> wire::Kind {
    match variant {
        Variant::Standard => wire::Kind::Standard,
        Variant::Chess960 => wire::Kind::Chess960,
    }
}

/// The position of a FEN; the usual start without one.
///
/// # Errors
///
/// What is wrong with the FEN.
pub fn position(
    fen: Option<&str>,
    variant: Variant,
    lang: Lang,
) -> Result<Position, wire::Refusal> {
    let Some(fen) = fen else { return Ok(Position::start()) };
    Position::from_fen(fen, variant).map_err(|error| wire::Refusal {
        code: "bad_position".to_owned(),
        squares: Vec::new(),
        by: Vec::new(),
        text: lang.fen_error(error),
    })
}

/// The legal moves of a position.
pub fn legal_moves(position: &Position, variant: Variant) -> wire::LegalMoves {
    let game = Game::from_position(*position, variant);
    let wire::Board { fen, check } = board(position);
    let listed = |step| wire::Listed {
        uci: Move::uci(step, variant).to_string(),
        san: position.san(step).to_string(),
    };
    let mut moves: Vec<wire::Listed> = position.legal_moves().into_iter().map(listed).collect();
    moves.sort_unstable_by(|one, other| one.uci.cmp(&other.uci));
    wire::LegalMoves {
        fen,
        check,
        over: by_rules(&game).map(|outcome| outcome.reason.code().to_owned()),
        targets: targets(position, variant),
        moves,
    }
}

/// Why a move is not legal in a position; without a refusal if it is legal.
pub fn why_not(position: &Position, variant: Variant, step: UciMove, lang: Lang) -> wire::Why {
    // A game, not the position alone: it also knows when there is nothing left to play.
    let refusal = Game::from_position(*position, variant)
        .refusal(step.from, step.to, step.promotion)
        // A missing promotion piece is asked for by the board afterwards.
        .filter(|refusal| !matches!(refusal, Refusal::PromotionMissing { .. }));
    let told = refusal.map(|refusal| chess_refusal(refusal, position, lang));
    wire::Why {
        r#move: step.to_string(),
        text: told.as_ref().map(|told| told.text.clone()),
        refusal: told.map(|told| wire::Proof {
            code: told.code,
            squares: told.squares,
            by: told.by,
        }),
    }
}
