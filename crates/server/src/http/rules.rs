//! The rules of chess for anybody who asks: the legal moves of a position, and why another is
//! not.

use axum::Json;
use axum::http::StatusCode;
use hansu_chess::{Game, Position, Refusal, UciMove, Variant};
use hansu_protocol as wire;
use hansu_view as view;
use hansu_words::{Lang, ServerRefusal};
use serde::Deserialize;

use super::ask::{Asking, given, read};
use super::player::Player;
use super::problem::Problem;

/// Where, and for `why` which move.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Question {
    fen: Option<String>,
    variant: Option<String>,
    r#move: Option<String>,
    #[serde(rename = "lang")]
    _lang: Option<String>,
}

/// The position that is asked about, the usual start if none is named.
fn position(
    fen: Option<String>,
    variant: Option<String>,
    lang: Lang,
) -> Result<(Position, Variant), Problem> {
    let known = |text: &str| match text {
        "standard" => Some(Variant::Standard),
        "chess960" => Some(Variant::Chess960),
        _ => None,
    };
    let variant = read("variant", variant, known, lang)?.unwrap_or(Variant::Standard);
    let Some(fen) = given(fen) else { return Ok((Position::start(), variant)) };
    let position = Position::from_fen(&fen, variant).map_err(|error| {
        let refusal = wire::Refusal {
            code: "bad_position".to_owned(),
            squares: Vec::new(),
            by: Vec::new(),
            text: lang.fen_error(error),
        };
        Problem::new(StatusCode::BAD_REQUEST, refusal)
    })?;
    Ok((position, variant))
}

/// The legal moves of a position.
pub(crate) async fn moves(
    player: Player,
    Asking(Question { fen, variant, .. }): Asking<Question>,
) -> Result<Json<wire::LegalMoves>, Problem> {
    let (position, variant) = position(fen, variant, player.lang)?;
    let game = Game::from_position(position, variant);
    let wire::Board { fen, check } = view::board(&position);
    let listed = |step| wire::Listed {
        uci: hansu_chess::Move::uci(step, variant).to_string(),
        san: position.san(step).to_string(),
    };
    let mut moves: Vec<wire::Listed> = position.legal_moves().into_iter().map(listed).collect();
    moves.sort_by(|one, other| one.uci.cmp(&other.uci));
    Ok(Json(wire::LegalMoves {
        fen,
        check,
        over: game.outcome().map(|outcome| outcome.reason.code().to_owned()),
        targets: view::targets(&position, variant),
        moves,
    }))
}

/// Whether a move is legal and, if not, why.
pub(crate) async fn why(
    player: Player,
    Asking(Question { fen, variant, r#move, .. }): Asking<Question>,
) -> Result<Json<wire::Why>, Problem> {
    let lang = player.lang;
    let text = r#move.unwrap_or_default();
    let step: UciMove = text.parse().map_err(|_| Problem::of(ServerRefusal::BadMove, lang))?;
    let (position, variant) = position(fen, variant, lang)?;
    // A game, not the position alone: it also knows when there is nothing left to play.
    let refusal = Game::from_position(position, variant)
        .refusal(step.from, step.to, step.promotion)
        // The board asks for the piece afterwards.
        .filter(|refusal| !matches!(refusal, Refusal::PromotionMissing { .. }));
    let told = refusal.map(|refusal| view::chess_refusal(refusal, &position, lang));
    Ok(Json(wire::Why {
        r#move: text,
        text: told.as_ref().map(|told| told.text.clone()),
        refusal: told.map(|told| wire::Proof {
            code: told.code,
            squares: told.squares,
            by: told.by,
        }),
    }))
}
