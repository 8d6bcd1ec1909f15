//! The rules of chess without a game: the legal moves of a position, and why a move is illegal.

use axum::Json;
use axum::http::StatusCode;
use hansu_chess::{Position, UciMove, Variant};
use hansu_protocol as wire;
use hansu_view as view;
use hansu_words::{Lang, ServerRefusal};
use serde::Deserialize;

use super::params::{QueryParams, non_blank, read};
use super::player::Player;
use super::problem::Problem;

/// The query: a position, and for `why` a move.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RulesQuery {
    fen: Option<String>,
    variant: Option<String>,
    r#move: Option<String>,
    #[serde(rename = "lang")]
    _lang: Option<String>,
}

/// The position of the query; the usual start without one.
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
    let position = view::position(non_blank(fen).as_deref(), variant, lang)
        .map_err(|refusal| Problem::new(StatusCode::BAD_REQUEST, refusal))?;
    Ok((position, variant))
}

/// The legal moves of a position.
pub(crate) async fn moves(
    player: Player,
    QueryParams(RulesQuery { fen, variant, .. }): QueryParams<RulesQuery>,
) -> Result<Json<wire::LegalMoves>, Problem> {
    let (position, variant) = position(fen, variant, player.lang)?;
    Ok(Json(view::legal_moves(&position, variant)))
}

/// Says whether a move is legal and, if not, why.
pub(crate) async fn why(
    player: Player,
    QueryParams(RulesQuery { fen, variant, r#move, .. }): QueryParams<RulesQuery>,
) -> Result<Json<wire::Why>, Problem> {
    let lang = player.lang;
    let text = r#move.unwrap_or_default();
    let step: UciMove = text.parse().map_err(|_| Problem::of(ServerRefusal::BadMove, lang))?;
    let (position, variant) = position(fen, variant, lang)?;
    Ok(Json(wire::Why { r#move: text, ..view::why_not(&position, variant, step, lang) }))
}
