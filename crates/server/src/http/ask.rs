//! What a request asks for: the variable parts of its address, read with a clear answer when
//! they are no good.

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use hansu_words::{Lang, ServerRefusal};
use serde::de::DeserializeOwned;

use super::App;
use super::body::explained;
use super::player::lang;
use super::problem::Problem;

/// The variable parts of the path.
pub(crate) struct At<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for At<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<At<T>, Problem> {
        let lang = lang(parts.uri.query(), &parts.headers);
        let path = Path::<T>::from_request_parts(parts, app).await;
        // What is not UTF-8 is the name of nothing.
        path.map(|Path(at)| At(at)).map_err(|_| Problem::of(ServerRefusal::NotFound, lang))
    }
}

/// What stands behind the question mark.
pub(crate) struct Asking<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<App> for Asking<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Asking<T>, Problem> {
        let lang = lang(parts.uri.query(), &parts.headers);
        match Query::<T>::try_from_uri(&parts.uri) {
            Ok(Query(asked)) => Ok(Asking(asked)),
            Err(error) => Err(wrong(&error.body_text(), lang)),
        }
    }
}

/// A request with something wrong in it: what.
pub(crate) fn wrong(what: &str, lang: Lang) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, explained(what, lang))
}

/// A parameter as it was meant: forms send empty ones for those that were not filled in.
pub(crate) fn given(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// Reads a parameter by its name.
pub(crate) fn read<T>(
    name: &str,
    text: Option<String>,
    read: impl FnOnce(&str) -> Option<T>,
    lang: Lang,
) -> Result<Option<T>, Problem> {
    let Some(text) = given(text) else { return Ok(None) };
    match read(text.trim()) {
        Some(value) => Ok(Some(value)),
        None => Err(wrong(&format!("{name}={text}"), lang)),
    }
}
