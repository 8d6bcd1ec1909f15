//! The middleware of all requests: rates, origins, security headers, a line in the log output.

use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hansu_words::ServerRefusal;

use super::App;
use super::host;
use super::page::Framed;
use super::player::Player;
use super::problem::{Problem, retry_after};
use crate::limits::Kind;

/// Allows only files of this server, WebAssembly among them, and forbids frames of other sites. The
/// view for frames gets an exception.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; font-src 'self'; \
    media-src 'self' blob:; worker-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'";

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Routes that count against the rate `making` unless the method is GET, HEAD or OPTIONS. Moves and
/// notes are requests like others.
const MAKING: [&str; 11] = [
    "/api/analyse",
    "/api/games",
    "/api/games/{id}/analysis",
    "/api/games/{id}/entries",
    "/api/games/{id}/hint",
    "/api/keys",
    "/api/keys/renew",
    "/api/passes",
    "/api/passes/{code}",
    "/api/invitations/{token}",
    "/api/import",
];

/// Stands for all paths that are not routes of the API: the page and its files.
const PAGE: &str = "-";

/// Passes a request on or refuses it, and adds the security headers to the answer.
pub(crate) async fn guard(
    State(app): State<App>,
    player: Player,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    // The pattern, not the path: a path may hold an invitation.
    let route = request
        .extensions()
        .get::<axum::extract::MatchedPath>()
        .map_or_else(|| PAGE.to_owned(), |path| path.as_str().to_owned());
    let mut response = match admit(&app, &player, &route, &request) {
        Ok(()) => next.run(request).await,
        Err(why) => Problem::of(why, player.lang).into_response(),
    };
    let retry = retry_after(response.status());
    let framed = response.extensions().get::<Framed>().is_some();
    let headers = response.headers_mut();
    if let Some(seconds) = retry {
        headers.entry(header::RETRY_AFTER).or_insert(HeaderValue::from_static(seconds));
    }
    if framed {
        let policy = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *");
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
    for (name, value) in HEADERS {
        if framed && name == header::X_FRAME_OPTIONS {
            continue;
        }
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if route.starts_with("/api") {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    let status = response.status().as_u16();
    metrics::counter!("hansu_requests_total", "route" => route.clone(), "status" => status.to_string())
        .increment(1);
    tracing::debug!(%method, route, status, took = ?started.elapsed(), "request");
    response
}

fn admit(app: &App, player: &Player, route: &str, request: &Request) -> Result<(), ServerRefusal> {
    let asks = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let upgrade = request.headers().contains_key(header::UPGRADE);
    let kind = if !asks && MAKING.contains(&route) { Kind::Making } else { Kind::Request };
    // Files of the page are in memory: sending one costs less than counting it.
    if route != PAGE {
        app.visitors.request(player.address, kind).map_err(|_| ServerRefusal::TooFast)?;
    }
    if !host::is_ours(request, app.config.public_url.as_deref()) {
        return Err(ServerRefusal::ForeignHost);
    }
    // A page of another site must neither change anything nor open a websocket with its visitor's
    // cookie.
    if (!asks || upgrade) && !is_own_origin(app, request.headers()) {
        return Err(ServerRefusal::ForeignOrigin);
    }
    Ok(())
}

/// True if a request comes from a page of this server, or not from a page. A client without a page
/// (terminal, bot) sends no `Origin` and no cookie; browsers always send `Origin` with the requests
/// that are checked here, so a cookie without `Origin` is refused.
fn is_own_origin(app: &App, headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    match text(header::ORIGIN) {
        Some(origin) => {
            // With a public address, pages come from that address only.
            if let Some(public) = &app.config.public_url {
                return origin == public.trim_end_matches('/');
            }
            let host = text(header::HOST).unwrap_or_default();
            let plain = origin.strip_prefix("http://");
            let plain = plain.filter(|_| app.config.certificate.is_none());
            let own = plain.or(origin.strip_prefix("https://"));
            own.is_some_and(|own| !own.is_empty() && own == host)
        }
        None => !headers.contains_key(header::COOKIE),
    }
}
