//! Health checks and metrics.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use hansu_words::ServerRefusal;

use super::App;
use super::player::Player;
use super::problem::Problem;

/// Checks that the process delivers answers to commands. Does not check the log: a restart does not
/// bring a database back.
pub(crate) async fn alive(State(app): State<App>, player: Player) -> Result<&'static str, Problem> {
    match app.hub.delivers().await {
        Ok(()) => Ok("ok\n"),
        Err(error) => Err(Problem::log(error, player.lang)),
    }
}

/// Checks that a move could be written now: writes a heartbeat to the log, and delivers an answer
/// the way that answers to commands go. A bus that is away is named in the answer, but the node
/// stays ready: play goes on without the bus.
pub(crate) async fn ready(State(app): State<App>, player: Player) -> Result<&'static str, Problem> {
    if app.stop.is_cancelled() || app.hub.nodes.is_cut_off() {
        return Err(Problem::of(ServerRefusal::Unavailable, player.lang));
    }
    if app.hub.clock.doubt().is_some() {
        return Err(Problem::of(ServerRefusal::ClockInDoubt, player.lang));
    }
    app.hub.probe().await.map_err(|error| Problem::log(error, player.lang))?;
    Ok(match (app.hub.bus.is_shared(), app.hub.nodes.bus_is_up()) {
        (false, _) => "ok\n",
        (true, true) => "ok\nbus: up\n",
        (true, false) => "ok\nbus: away\n",
    })
}

/// Metrics for Prometheus; only for this machine, and not through a proxy.
pub(crate) async fn metrics(
    State(app): State<App>,
    player: Player,
    headers: HeaderMap,
) -> Response {
    let forwarded = headers.contains_key("x-forwarded-for");
    if forwarded || !player.address.is_loopback() {
        return Problem::of(ServerRefusal::NotFound, player.lang).into_response();
    }
    app.hub.measure();
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, app.metrics.render()).into_response()
}
