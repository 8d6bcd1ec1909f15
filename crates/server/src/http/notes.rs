//! What players write on their games: words and notes.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use hansu_protocol as wire;
use hansu_records::{Error, GameId, Store};
use hansu_words::{Lang, ServerRefusal};

use super::App;
use super::ask::At;
use super::body::Body;
use super::games::game;
use super::player::Player;
use super::problem::Problem;

/// All words on games.
pub(crate) async fn tags(
    State(app): State<App>,
    player: Player,
) -> Result<Json<wire::TagList>, Problem> {
    let found = app.ask(player.lang, |store| store.tags()).await?;
    let tags = found.into_iter().map(|(tag, games)| wire::Tag { tag, games }).collect();
    Ok(Json(wire::TagList { tags }))
}

/// Changes something about a game in the name of somebody who has a seat in it.
async fn change(
    app: &App,
    player: &Player,
    id: &str,
    work: impl FnOnce(&dyn Store, GameId) -> Result<(), Error> + Send + 'static,
) -> Result<StatusCode, Problem> {
    let lang = player.lang;
    let id = game(id, lang)?;
    let holder = player.holder();
    let changed = app.ask(lang, move |store| {
        let seats = store.seats(id)?;
        if !seats.iter().any(|seat| Some(seat.holder) == holder) {
            return Ok(None);
        }
        work(store, id).map(Some)
    });
    match changed.await? {
        Some(()) => Ok(StatusCode::NO_CONTENT),
        None => Err(Problem::of(ServerRefusal::NotYourGame, lang)),
    }
}

/// A word that people can see.
fn word(tag: &str, lang: Lang) -> Result<String, Problem> {
    let tag = tag.trim();
    let visible = !tag.is_empty() && !tag.chars().any(char::is_control);
    visible.then(|| tag.to_owned()).ok_or_else(|| Problem::of(ServerRefusal::BadRequest, lang))
}

/// Puts a word on a game.
pub(crate) async fn tag(
    State(app): State<App>,
    player: Player,
    At((id, tag)): At<(String, String)>,
) -> Result<StatusCode, Problem> {
    let tag = word(&tag, player.lang)?;
    change(&app, &player, &id, move |store, id| store.tag(id, &tag)).await
}

/// Takes a word off a game.
pub(crate) async fn untag(
    State(app): State<App>,
    player: Player,
    At((id, tag)): At<(String, String)>,
) -> Result<StatusCode, Problem> {
    let tag = word(&tag, player.lang)?;
    change(&app, &player, &id, move |store, id| store.untag(id, &tag)).await
}

/// Writes a note about a game.
pub(crate) async fn note(
    State(app): State<App>,
    player: Player,
    At(id): At<String>,
    Body(wire::Note { note }): Body<wire::Note>,
) -> Result<StatusCode, Problem> {
    change(&app, &player, &id, move |store, id| store.note(id, &note)).await
}
