//! The body of a request as JSON, with a clear answer when it is none.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use hansu_words::ServerRefusal;
use serde::de::DeserializeOwned;

use super::App;
use super::player::Player;
use super::problem::{Problem, refusal};

/// A body that was read.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>, Problem> {
        let (mut parts, body) = request.into_parts();
        let Ok(player) = {
            use axum::extract::FromRequestParts as _;
            Player::from_request_parts(&mut parts, app).await
        };
        let lang = player.lang;
        let request = Request::from_parts(parts, body);
        match Json::<T>::from_request(request, app).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Problem::of(ServerRefusal::TooLarge, lang))
            }
            Err(JsonRejection::JsonDataError(error)) => {
                Err(Problem::new(StatusCode::BAD_REQUEST, explained(&error.body_text(), lang)))
            }
            Err(JsonRejection::JsonSyntaxError(error)) => {
                Err(Problem::new(StatusCode::BAD_REQUEST, explained(&error.body_text(), lang)))
            }
            Err(_) => Err(Problem::of(ServerRefusal::BadRequest, lang)),
        }
    }
}

/// The sentence, with what the parser has to say in brackets.
fn explained(detail: &str, lang: hansu_words::Lang) -> hansu_protocol::Refusal {
    let mut refusal = refusal(ServerRefusal::BadRequest, lang);
    // The parser quotes what came in: that is hostile text, and short is enough.
    let detail: String = detail.chars().filter(|c| !c.is_control()).take(200).collect();
    refusal.text = format!("{} ({detail})", refusal.text);
    refusal
}
