//! Tags and notes on games. Each player sees only the own ones.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use hansu_play::{Refusal, visible};
use hansu_protocol as wire;
use hansu_records::store::{LONGEST_NOTE, LONGEST_TAG};
use hansu_records::{Error, GameId, Holder, Store};
use hansu_words::{Lang, ServerRefusal};

use super::App;
use super::body::Body;
use super::games::game;
use super::params::PathParams;
use super::player::Player;
use super::problem::Problem;

/// All tags of the player.
pub(crate) async fn tags(
    State(app): State<App>,
    player: Player,
) -> Result<Json<wire::TagList>, Problem> {
    let viewer = player.viewer();
    let found = app.ask(player.lang, move |store| store.tags(viewer)).await?;
    let tags = found.into_iter().map(|(tag, games)| wire::Tag { tag, games }).collect();
    Ok(Json(wire::TagList { tags }))
}

/// Changes a game's tags or note for a player who has a seat in the game or has imported it.
async fn change(
    app: &App,
    player: &Player,
    id: &str,
    work: impl FnOnce(&dyn Store, Holder, GameId) -> Result<(), Error> + Send + 'static,
) -> Result<StatusCode, Problem> {
    let lang = player.lang;
    let id = game(id, lang)?;
    let holder = player.holder();
    let changed = app.ask(lang, move |store| {
        let seats = store.seats(id)?;
        let own = holder.filter(|holder| seats.iter().any(|seat| seat.holder == *holder));
        own.map(|holder| work(store, holder, id)).transpose()
    });
    match changed.await? {
        Some(()) => Ok(StatusCode::NO_CONTENT),
        None => Err(Problem::of(ServerRefusal::NotYourGame, lang)),
    }
}

fn unseen(why: Refusal, lang: Lang) -> Problem {
    let why = match why {
        Refusal::TextTooLong => ServerRefusal::TooLarge,
        _ => ServerRefusal::BadRequest,
    };
    Problem::of(why, lang)
}

/// Checks a tag: visible text of at most `LONGEST_TAG` characters; the log limits its bytes too.
fn word(tag: &str, lang: Lang) -> Result<String, Problem> {
    visible(tag, LONGEST_TAG).map_err(|why| unseen(why, lang))
}

/// Checks a note: lines of visible characters, with empty lines between them allowed.
fn lines(note: &str, lang: Lang) -> Result<String, Problem> {
    let line = |line: &str| match line.trim() {
        "" => Ok(String::new()),
        line => visible(line, LONGEST_NOTE),
    };
    let lines: Result<Vec<String>, _> = note.lines().map(line).collect();
    let lines = lines.map_err(|why| unseen(why, lang))?;
    Ok(lines.join("\n"))
}

/// Adds a tag to a game.
pub(crate) async fn tag(
    State(app): State<App>,
    player: Player,
    PathParams((id, tag)): PathParams<(String, String)>,
) -> Result<StatusCode, Problem> {
    let tag = word(&tag, player.lang)?;
    change(&app, &player, &id, move |store, by, id| store.tag(Some(by), id, &tag)).await
}

/// Removes a tag from a game.
pub(crate) async fn untag(
    State(app): State<App>,
    player: Player,
    PathParams((id, tag)): PathParams<(String, String)>,
) -> Result<StatusCode, Problem> {
    let tag = word(&tag, player.lang)?;
    change(&app, &player, &id, move |store, by, id| store.untag(Some(by), id, &tag)).await
}

/// Replaces the note on a game.
pub(crate) async fn note(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
    Body(wire::Note { note }): Body<wire::Note>,
) -> Result<StatusCode, Problem> {
    let note = lines(&note, player.lang)?;
    change(&app, &player, &id, move |store, by, id| store.note(Some(by), id, &note)).await
}
