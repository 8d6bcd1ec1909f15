//! Help in a game against the computer: what to play, what is threatened, whether a move is a
//! blunder. There is none in games between people.

use axum::Json;
use axum::extract::State;
use hansu_computer::Help;
use hansu_engine::Engine;
use hansu_play::{Actor, Phase};
use hansu_protocol::{AskedHint, Hint};
use hansu_words::ServerRefusal;
use tokio::sync::oneshot;

use super::App;
use super::analyse::take_place;
use super::body::Body;
use super::games::game;
use super::params::PathParams;
use super::player::Player;
use super::problem::Problem;
use crate::questions::{BriefQuestion, QueuedQuestion};

/// Answers a player who is to move against the computer.
pub(crate) async fn hint(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
    Body(asked): Body<AskedHint>,
) -> Result<Json<Hint>, Problem> {
    let lang = player.lang;
    let id = game(&id, lang)?;
    let hosted = app.hub.hosted_game(id).await.map_err(|why| Problem::hosting(why, lang))?;
    let actor = hosted.actor(player.holder());
    if actor == Actor::Spectator {
        return Err(Problem::of(ServerRefusal::NotYourGame, lang));
    }
    let found = hosted.look(|room| {
        let state = room.state();
        let computer = state.start()?.computer?;
        let ours = Actor::seat(!computer.side) == actor && state.turn() != computer.side;
        let playing = state.phase() == Phase::Playing && state.game().outcome().is_none();
        (ours && playing).then(|| (state.game().clone(), state.seq()))
    });
    let (game, seq) = found.ok_or_else(|| Problem::of(ServerRefusal::NoHint, lang))?;
    let help = Help::of(&game, &asked).ok_or_else(|| Problem::of(ServerRefusal::BadMove, lang))?;
    let (place, _) = take_place(&app, &player)?;
    let (answer, answered) = oneshot::channel();
    let think = move |engine: &mut Engine| help.answer(engine, &game, seq, lang);
    let question = BriefQuestion { think: Some(think), answer: Some(answer) };
    app.hub.computer.ask(QueuedQuestion::new(Box::new(question), Default::default(), place));
    let hint = answered.await.map_err(|_| Problem::of(ServerRefusal::Busy, lang))?;
    Ok(Json(hint))
}
