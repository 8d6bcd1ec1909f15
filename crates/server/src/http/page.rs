//! The page: files that are built into the binary.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use hansu_words::{Lang, ServerRefusal};

use super::App;
use super::player::Player;
use super::problem::Problem;
use crate::page::{File, Page};

/// The answer of a program that was built without the page.
const PLAIN: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width\">\n<title>Hansu 한수</title>\n\
    <h1>Hansu 한수</h1>\n<p>The server runs, but this binary was built without the board: install \
    Node.js and build again. The API is described at <a href=\"/api\">/api</a>.</p>\n\
    <p lang=\"ko\">서버는 돌아가고 있지만 보드 없이 만든 실행 파일이에요. Node.js를 설치하고 다시 \
    빌드해 주세요.</p>\n</html>\n";

/// The view that other sites may put into a frame.
const EMBED: &str = "embed";

/// Marks an answer that other sites may show in a frame.
#[derive(Clone, Copy)]
pub(crate) struct Framed;

/// The view at a path; the page itself uses the same rules.
fn view(path: &str) -> Option<&'static str> {
    match path {
        "/" => Some("home"),
        "/lobby" => Some("lobby"),
        "/games" => Some("games"),
        "/statistics" => Some("statistics"),
        "/settings" => Some("settings"),
        "/analysis" => Some("free"),
        "/setup" => Some("setup"),
        _ if path.starts_with("/join/") => Some("join"),
        _ if path.starts_with("/game/") => Some("game"),
        _ if path.starts_with("/games/") => Some("past"),
        _ if path.starts_with("/embed/") => Some(EMBED),
        _ => None,
    }
}

/// The HTML file of a view, one for each language.
fn framed(page: Page, view: &str, lang: Lang) -> Option<&'static File> {
    page.file(&format!("/views/{view}.{}.html", lang.code()))
}

/// True if a browser asks for a page there. The API answers browsers like other clients.
fn is_looked_at(path: &str, headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    !path.starts_with("/api") && accepted.is_some_and(|kinds| kinds.contains("text/html"))
}

/// Answers all paths that are not routes of the API.
pub(crate) async fn fallback(
    State(app): State<App>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    player: Player,
) -> Response {
    let path = match uri.path() {
        "/worker.js" if app.config.no_worker => "/no-worker.js",
        path => path,
    };
    let page = app.config.page;
    let found = page.file(path);
    let view = view(path);
    let missing = found.is_none() && view.is_none();
    if missing && !is_looked_at(path, &headers) {
        return Problem::of(ServerRefusal::NotFound, player.lang).into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return Problem::of(ServerRefusal::MethodNotAllowed, player.lang).into_response();
    }
    let mut answer = match found.or_else(|| framed(page, view.unwrap_or("missing"), player.lang)) {
        Some(file) => serve(file, &headers),
        None => ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], PLAIN).into_response(),
    };
    if view == Some(EMBED) {
        answer.extensions_mut().insert(Framed);
    }
    if missing {
        // The page itself says that there is nothing here, and links to other views.
        *answer.status_mut() = StatusCode::NOT_FOUND;
    }
    answer
}

fn serve(file: &'static File, headers: &HeaderMap) -> Response {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let keep = if file.is_immutable() {
        "public, max-age=31536000, immutable"
    } else {
        // Requested again each time, and answered with 304 when nothing has changed.
        "no-cache"
    };
    let about = [
        (header::CACHE_CONTROL, keep),
        (header::ETAG, file.tag),
        (header::VARY, "accept-encoding, accept-language"),
    ];
    let known = text(header::IF_NONE_MATCH);
    if known.is_some_and(|tags| tags.split(',').any(|tag| tag.trim() == file.tag)) {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    let accepted = text(header::ACCEPT_ENCODING).unwrap_or_default();
    let takes = |name: &str| {
        accepted.split(',').map(str::trim).any(|item| item.split(';').next() == Some(name))
    };
    let (body, encoding) = match (file.brotli, file.gzip) {
        (Some(brotli), _) if takes("br") => (brotli, Some("br")),
        (_, Some(gzip)) if takes("gzip") => (gzip, Some("gzip")),
        _ => (file.plain, None),
    };
    let kind = [(header::CONTENT_TYPE, file.kind())];
    let mut response = (about, kind, Body::from(body)).into_response();
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}
