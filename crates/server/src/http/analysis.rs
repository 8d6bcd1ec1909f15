//! The analysis of a game that is over: asked for, and looked at.

use axum::Json;
use axum::extract::State;
use hansu_protocol::AnalysisState;
use hansu_words::{Lang, ServerRefusal};

use super::App;
use super::ask::At;
use super::games::game;
use super::player::Player;
use super::problem::Problem;
use crate::analyses::{Found, NoAnalysis, NotBegun};

fn problem(why: NoAnalysis, lang: Lang) -> Problem {
    match why {
        NoAnalysis::NoSuchGame => Problem::of(ServerRefusal::NoSuchGame, lang),
        NoAnalysis::StillPlayed => Problem::of(ServerRefusal::StillPlayed, lang),
        NoAnalysis::Log(error) => Problem::log(error, lang),
    }
}

/// How far the analysis of a game is. A game's name is its link: who has it may see the game.
pub(crate) async fn state(
    State(app): State<App>,
    player: Player,
    At(id): At<String>,
) -> Result<Json<AnalysisState>, Problem> {
    let (id, lang) = (game(&id, player.lang)?, player.lang);
    if let Some(state) = app.hub.analyses.state(id) {
        return Ok(Json(state));
    }
    let known = app.hub.store.ask(move |store| {
        Ok::<_, NoAnalysis>(Found::read(store, id)?.state(lang).unwrap_or(AnalysisState::None))
    });
    match known.await {
        Ok(state) => Ok(Json(state)),
        // A game that is being played has none yet.
        Err(NoAnalysis::StillPlayed) => Ok(Json(AnalysisState::None)),
        Err(why) => Err(problem(why, lang)),
    }
}

/// Asks for the analysis of a game; one that is there or on its way is told.
pub(crate) async fn ask(
    State(app): State<App>,
    player: Player,
    At(id): At<String>,
) -> Result<Json<AnalysisState>, Problem> {
    let (id, lang) = (game(&id, player.lang)?, player.lang);
    if let Some(state) = app.hub.analyses.state(id) {
        return Ok(Json(state));
    }
    let found = app.hub.store.ask(move |store| {
        let found = Found::read(store, id)?;
        let state = found.state(lang);
        Ok::<_, NoAnalysis>((found, state))
    });
    let (found, state) = found.await.map_err(|why| problem(why, lang))?;
    if let Some(state) = state {
        return Ok(Json(state));
    }
    // A class behind one address asks with many keys.
    let asker = player.holder().map_or_else(
        || player.address.to_string(),
        |holder| holder.0.iter().map(|byte| format!("{byte:02x}")).collect(),
    );
    let begun = app.hub.analyses.begin(found, &asker, app.hub.store.clone());
    let run = begun.map_err(|why| match why {
        NotBegun::Full => Problem::of(ServerRefusal::Busy, lang),
        NotBegun::TooManyOfOne => Problem::of(ServerRefusal::TooFast, lang),
    })?;
    let state = app.hub.analyses.state(id).unwrap_or(AnalysisState::None);
    if let Some(mut run) = run {
        let kept = app.hub.store.ask(move |_| {
            run.keep()?;
            Ok::<_, NoAnalysis>(run)
        });
        app.hub.computer.study(kept.await.map_err(|why| problem(why, lang))?);
    }
    Ok(Json(state))
}
