//! Extractors for the body of a request, with a clear answer when it is too large, too slow or
//! invalid.

use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use hansu_view::server_refusal;
use hansu_words::{Lang, ServerRefusal};
use serde::de::DeserializeOwned;

use super::App;
use super::player::lang;
use super::problem::Problem;

/// How long a body may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// A body of JSON.
pub(crate) struct Body<T>(pub(crate) T);

/// A body of text.
pub(crate) struct Text(pub(crate) Bytes);

/// Reads a body within `BODY_TIMEOUT`; also returns the language for refusals.
async fn read_body<T: FromRequest<App>>(
    request: Request,
    app: &App,
) -> Result<(Result<T, T::Rejection>, Lang), Problem> {
    let lang = lang(request.uri().query(), request.headers());
    // A body that is too large by its Content-Length is not read.
    let announced = request.headers().get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > super::import::LONGEST as u64) {
        return Err(Problem::of(ServerRefusal::TooLarge, lang));
    }
    match tokio::time::timeout(BODY_TIMEOUT, T::from_request(request, app)).await {
        Ok(read) => Ok((read, lang)),
        Err(_) => Err(Problem::of(ServerRefusal::SlowRequest, lang)),
    }
}

impl FromRequest<App> for Text {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Text, Problem> {
        let (read, lang) = read_body::<Bytes>(request, app).await?;
        match read {
            Ok(text) => Ok(Text(text)),
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Problem::of(ServerRefusal::TooLarge, lang))
            }
            Err(_) => Err(Problem::of(ServerRefusal::BadRequest, lang)),
        }
    }
}

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>, Problem> {
        let (read, lang) = read_body::<Json<T>>(request, app).await?;
        match read {
            Ok(Json(body)) => Ok(Body(body)),
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Problem::of(ServerRefusal::TooLarge, lang))
            }
            Err(JsonRejection::JsonDataError(error)) => Err(Problem::new(
                StatusCode::BAD_REQUEST,
                explain_bad_request(&error.body_text(), lang),
            )),
            Err(JsonRejection::JsonSyntaxError(error)) => Err(Problem::new(
                StatusCode::BAD_REQUEST,
                explain_bad_request(&error.body_text(), lang),
            )),
            Err(_) => Err(Problem::of(ServerRefusal::BadRequest, lang)),
        }
    }
}

/// The refusal of a bad request, with the parser's message in brackets.
pub(crate) fn explain_bad_request(detail: &str, lang: Lang) -> hansu_protocol::Refusal {
    let mut refusal = server_refusal(ServerRefusal::BadRequest, lang);
    // The parser quotes the input, which may be hostile: 200 characters without control characters.
    let detail: String = detail.chars().filter(|c| !c.is_control()).take(200).collect();
    refusal.text = format!("{} ({detail})", refusal.text);
    refusal
}
