//! The page: files that are built into the binary.

use axum::http::{Method, Uri, header};
use axum::response::{IntoResponse, Response};
use hansu_words::ServerRefusal;

use super::player::Player;
use super::problem::Problem;

/// What there is to see without the board.
const PLAIN: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width\">\n<title>Hansu 한수</title>\n\
    <h1>Hansu 한수</h1>\n<p>The server runs. This binary was built without the board; \
    the API is described at <a href=\"/api\">/api</a>.</p>\n\
    <p lang=\"ko\">서버가 돌아가고 있어요. 보드 없이 만든 실행 파일이에요.</p>\n</html>\n";

/// Everything that is no address of the API.
pub(crate) async fn fallback(method: Method, uri: Uri, player: Player) -> Response {
    let path = uri.path();
    let known = matches!(path, "/" | "/lobby" | "/games" | "/statistics" | "/settings")
        || path.starts_with("/join/")
        || path.starts_with("/game/")
        || path.starts_with("/games/");
    if !known {
        return Problem::of(ServerRefusal::NotFound, player.lang).into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return Problem::of(ServerRefusal::MethodNotAllowed, player.lang).into_response();
    }
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], PLAIN).into_response()
}
