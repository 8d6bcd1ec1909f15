//! The analysis of a game that is over: requesting it, and reading its state.

use axum::Json;
use axum::extract::State;
use hansu_protocol::AnalysisState;
use hansu_words::{Lang, ServerRefusal};

use super::App;
use super::games::game;
use super::params::PathParams;
use super::player::Player;
use super::problem::Problem;
use crate::analyses::{AnalysisError, BeginError, StoredAnalysis};

fn problem(why: AnalysisError, lang: Lang) -> Problem {
    match why {
        AnalysisError::NoSuchGame => Problem::of(ServerRefusal::NoSuchGame, lang),
        AnalysisError::StillPlayed => Problem::of(ServerRefusal::StillPlayed, lang),
        AnalysisError::Log(error) => Problem::log(error, lang),
    }
}

/// The state of a game's analysis. The id of a game is its link: a client that has it may see the
/// game.
pub(crate) async fn state(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
) -> Result<Json<AnalysisState>, Problem> {
    let (id, lang) = (game(&id, player.lang)?, player.lang);
    if let Some(state) = app.hub.analyses.state(id) {
        return Ok(Json(state));
    }
    let known = app.hub.store.ask(move |store| {
        Ok::<_, AnalysisError>(
            StoredAnalysis::read(store, id)?.state(lang).unwrap_or(AnalysisState::None),
        )
    });
    match known.await {
        Ok(state) => Ok(Json(state)),
        // A game that is being played has no analysis yet.
        Err(AnalysisError::StillPlayed) => Ok(Json(AnalysisState::None)),
        Err(why) => Err(problem(why, lang)),
    }
}

/// Requests the analysis of a game; returns the state of one that exists or is under way.
pub(crate) async fn ask(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
) -> Result<Json<AnalysisState>, Problem> {
    let (id, lang) = (game(&id, player.lang)?, player.lang);
    if let Some(state) = app.hub.analyses.state(id) {
        return Ok(Json(state));
    }
    let found = app.hub.store.ask(move |store| {
        let found = StoredAnalysis::read(store, id)?;
        let state = found.state(lang);
        Ok::<_, AnalysisError>((found, state))
    });
    let (found, state) = found.await.map_err(|why| problem(why, lang))?;
    if let Some(state) = state {
        return Ok(Json(state));
    }
    // A class behind one address has many keys.
    let asker = player.holder().map_or_else(
        || player.address.to_string(),
        |holder| holder.0.iter().map(|byte| format!("{byte:02x}")).collect(),
    );
    let begun = app.hub.analyses.begin(found, &asker, app.hub.store.clone());
    let run = begun.map_err(|why| match why {
        BeginError::Full => Problem::of(ServerRefusal::Busy, lang),
        BeginError::TooManyFromOne => Problem::of(ServerRefusal::TooFast, lang),
    })?;
    let state = app.hub.analyses.state(id).unwrap_or(AnalysisState::None);
    if let Some(mut run) = run {
        let kept = app.hub.store.ask(move |_| {
            run.write()?;
            Ok::<_, AnalysisError>(run)
        });
        app.hub.computer.study(kept.await.map_err(|why| problem(why, lang))?);
    }
    Ok(Json(state))
}
