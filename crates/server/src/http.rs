//! The addresses of the server and what answers there.

mod body;
mod games;
mod guard;
mod health;
mod page;
mod player;
mod problem;
mod sockets;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hansu_words::ServerRefusal;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::player::Player;
use self::problem::Problem;
pub use self::sockets::bounded;
use crate::Config;
use crate::hub::Hub;
use crate::limits::Visitors;

/// The largest body of a request.
const LONGEST_BODY: usize = 64 * 1024;

/// What every answer may need.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) hub: Arc<Hub>,
    pub(crate) config: Arc<Config>,
    pub(crate) visitors: Arc<Visitors>,
    pub(crate) stop: CancellationToken,
    pub(crate) tasks: TaskTracker,
    pub(crate) metrics: PrometheusHandle,
}

/// All addresses.
pub(crate) fn router(app: App) -> Router {
    Router::new()
        .route("/api/me", get(games::me))
        .route("/api/keys", post(games::make_key))
        .route("/api/games", post(games::create))
        .route("/api/games/{id}/state", get(games::snapshot))
        .route("/api/games/{id}/commands", post(games::command))
        .route("/api/games/{id}/socket", get(sockets::at_game))
        .route("/api/invitations/{token}", get(games::invited).post(games::join))
        .route("/api/lobby/socket", get(sockets::in_lobby))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .fallback(page::fallback)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

async fn wrong_method(player: Player) -> Response {
    Problem::of(ServerRefusal::MethodNotAllowed, player.lang).into_response()
}
