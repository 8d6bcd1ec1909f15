//! The routes of the server.

mod analyse;
mod analysis;
mod body;
mod devices;
mod games;
mod guard;
mod health;
mod hint;
mod host;
mod import;
mod lobby;
mod log;
mod manual;
mod nearby;
mod notes;
mod openapi;
mod operations;
mod page;
mod params;
mod player;
mod problem;
pub(crate) mod rows;
mod rules;
mod sockets;
mod statistics;
mod stream;
mod uploads;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post, put};
use hansu_records::{Error, Store};
use hansu_words::{Lang, ServerRefusal};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{
    DefaultPredicate, NotForContentType, Predicate as _, SizeAbove,
};

pub(crate) use self::games::{beside, coin, random};
use self::player::Player;
use self::problem::Problem;
pub use self::sockets::bounded;
use crate::Config;
use crate::hub::Hub;
use crate::limits::Visitors;
use crate::nearby::LocalNetwork;

/// The largest body of a request in bytes; PGN imports may be larger.
const LONGEST_BODY: usize = 64 * 1024;

/// The state that all request handlers share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) hub: Arc<Hub>,
    pub(crate) config: Arc<Config>,
    pub(crate) local_network: Arc<LocalNetwork>,
    pub(crate) visitors: Arc<Visitors>,
    /// One permit for each connection, over all addresses on which the server listens.
    pub(crate) connection_permits: Arc<Semaphore>,
    pub(crate) stop: CancellationToken,
    pub(crate) tasks: TaskTracker,
    /// Limits of PGN imports.
    pub(crate) imports: Arc<import::Imports>,
    pub(crate) metrics: PrometheusHandle,
}

impl App {
    /// The URL for other devices, without a slash at the end. None on a server that is open to this
    /// machine only.
    fn shared_address(&self) -> Option<String> {
        let config = &self.config;
        let named = config.public_url.as_ref().or(config.shared_url.as_ref());
        let address = named.cloned().or_else(|| self.local_network.address())?;
        Some(address.trim_end_matches('/').to_owned())
    }

    /// Runs a query on the log.
    ///
    /// # Errors
    ///
    /// The log's error, as an answer to the client.
    async fn ask<T: Send + 'static>(
        &self,
        lang: Lang,
        question: impl FnOnce(&dyn Store) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Problem> {
        self.hub.store.ask(question).await.map_err(|error| Problem::log(error, lang))
    }
}

/// All routes of the API with their handlers.
pub(crate) fn routes() -> [(&'static str, MethodRouter<App>); 38] {
    let import = post(import::import).layer(DefaultBodyLimit::max(import::LONGEST));
    let entries = put(uploads::keep).layer(DefaultBodyLimit::max(import::LONGEST));
    [
        ("/api", get(manual::page)),
        ("/api/style.css", get(manual::style)),
        ("/api/openapi.json", get(openapi::document)),
        ("/api/me", get(devices::me)),
        ("/api/me/statistics", get(statistics::own)),
        ("/api/keys", post(devices::make_key)),
        ("/api/keys/renew", post(devices::renew)),
        ("/api/passes", post(devices::make_pass)),
        ("/api/passes/{code}", post(devices::use_pass)),
        ("/api/games", get(log::list).post(games::create)),
        ("/api/games/{id}", get(log::one).delete(log::delete)),
        ("/api/games/{id}/state", get(games::snapshot)),
        ("/api/games/{id}/commands", post(games::command)),
        ("/api/games/{id}/entries", entries),
        ("/api/games/{id}/socket", get(sockets::at_game)),
        ("/api/games/{id}/stream", get(stream::stream)),
        ("/api/games/{id}/pgn", get(log::pgn)),
        ("/api/games/{id}/record", get(log::notation)),
        ("/api/games/{id}/analysis", get(analysis::state).post(analysis::ask)),
        ("/api/games/{id}/hint", post(hint::hint)),
        ("/api/games/{id}/tags/{tag}", put(notes::tag).delete(notes::untag)),
        ("/api/games/{id}/note", put(notes::note)),
        ("/api/invitations/{token}", get(games::invited).post(games::join)),
        ("/api/lobby", get(lobby::lobby)),
        ("/api/lobby/socket", get(lobby::in_lobby)),
        ("/api/statistics", get(statistics::all_players)),
        ("/api/players", get(statistics::players)),
        ("/api/players/{name}", get(statistics::one)),
        ("/api/players/{name}/against/{other}", get(statistics::versus)),
        ("/api/tags", get(notes::tags)),
        ("/api/import", import),
        ("/api/moves", get(rules::moves)),
        ("/api/why", get(rules::why)),
        ("/api/analyse", post(analyse::analyse)),
        ("/api/nearby", post(nearby::open)),
        ("/healthz", get(health::alive)),
        ("/readyz", get(health::ready)),
        ("/metrics", get(health::metrics)),
    ]
}

/// The router of the API and the page, with its middleware.
pub(crate) fn router(app: App) -> Router {
    // Lines of a stream must be sent at once, and small answers are not worth compressing.
    let worth_it = DefaultPredicate::new()
        .and(SizeAbove::new(1_024))
        .and(NotForContentType::const_new(stream::KIND));
    routes()
        .into_iter()
        .fold(Router::new(), |router, (path, answers)| router.route(path, answers))
        .fallback(page::fallback)
        .method_not_allowed_fallback(wrong_method)
        .layer(CompressionLayer::new().gzip(true).compress_when(worth_it))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

async fn wrong_method(player: Player) -> Response {
    Problem::of(ServerRefusal::MethodNotAllowed, player.lang).into_response()
}
