//! Extractors for the parameters in the path and in the query, with a clear answer when they are
//! invalid.

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use hansu_words::{Lang, ServerRefusal};
use serde::de::DeserializeOwned;

use super::App;
use super::body::explain_bad_request;
use super::player::lang;
use super::problem::Problem;

/// The parameters of the path.
pub(crate) struct PathParams<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for PathParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<PathParams<T>, Problem> {
        let lang = lang(parts.uri.query(), &parts.headers);
        let path = Path::<T>::from_request_parts(parts, app).await;
        // A path that is not UTF-8 names nothing.
        path.map(|Path(at)| PathParams(at)).map_err(|_| Problem::of(ServerRefusal::NotFound, lang))
    }
}

/// The parameters of the query.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<App> for QueryParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<QueryParams<T>, Problem> {
        let lang = lang(parts.uri.query(), &parts.headers);
        match Query::<T>::try_from_uri(&parts.uri) {
            Ok(Query(asked)) => Ok(QueryParams(asked)),
            Err(error) => Err(bad_parameter(&error.body_text(), lang)),
        }
    }
}

/// Status 400; `what` names the part of the request that is wrong.
pub(crate) fn bad_parameter(what: &str, lang: Lang) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, explain_bad_request(what, lang))
}

/// A parameter, or None when it is blank: forms send empty texts for fields that were not filled
/// in.
pub(crate) fn non_blank(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// Parses a parameter; None when it is missing or blank. `name` is for the error.
pub(crate) fn read<T>(
    name: &str,
    text: Option<String>,
    read: impl FnOnce(&str) -> Option<T>,
    lang: Lang,
) -> Result<Option<T>, Problem> {
    let Some(text) = non_blank(text) else { return Ok(None) };
    match read(text.trim()) {
        Some(value) => Ok(Some(value)),
        None => Err(bad_parameter(&format!("{name}={text}"), lang)),
    }
}
