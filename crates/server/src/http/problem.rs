//! Why a request is not answered as wished: a status, a code, a sentence.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hansu_protocol::Refusal;
use hansu_records::Error;
use hansu_words::{Lang, ServerRefusal};

use crate::hub::NoTable;

/// The one error of the API: it knows its status.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    refusal: Refusal,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, refusal: Refusal) -> Problem {
        Problem { status, refusal }
    }

    pub(crate) fn of(why: ServerRefusal, lang: Lang) -> Problem {
        let status = match why {
            ServerRefusal::Busy | ServerRefusal::Unavailable | ServerRefusal::Unsure => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            ServerRefusal::TooFast
            | ServerRefusal::TooManyConnections
            | ServerRefusal::TooManyInvitations => StatusCode::TOO_MANY_REQUESTS,
            ServerRefusal::BadMessage
            | ServerRefusal::BadMove
            | ServerRefusal::BadName
            | ServerRefusal::BadRequest => StatusCode::BAD_REQUEST,
            ServerRefusal::NoSuchGame
            | ServerRefusal::NoSuchInvitation
            | ServerRefusal::NoSeek
            | ServerRefusal::NotFound => StatusCode::NOT_FOUND,
            ServerRefusal::NoEvents => StatusCode::CONFLICT,
            ServerRefusal::ForeignHost => StatusCode::MISDIRECTED_REQUEST,
            ServerRefusal::InvitationSpent => StatusCode::GONE,
            ServerRefusal::NotYourGame
            | ServerRefusal::ForeignOrigin
            | ServerRefusal::OwnSeek
            | ServerRefusal::OwnInvitation
            | ServerRefusal::Private => StatusCode::FORBIDDEN,
            ServerRefusal::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ServerRefusal::NoComputer => StatusCode::NOT_IMPLEMENTED,
            ServerRefusal::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            ServerRefusal::SlowRequest => StatusCode::REQUEST_TIMEOUT,
        };
        Problem::new(status, refusal(why, lang))
    }

    /// Whether this is why.
    pub(crate) fn is(&self, code: &str) -> bool {
        self.refusal.code == code
    }

    /// A refusal of the game itself.
    pub(crate) fn refused(refusal: Refusal) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, refusal)
    }

    /// The log failed.
    pub(crate) fn log(error: Error, lang: Lang) -> Problem {
        match error {
            Error::NoSuchGame => Problem::of(ServerRefusal::NoSuchGame, lang),
            Error::Spent => Problem::of(ServerRefusal::InvitationSpent, lang),
            Error::TooMany => Problem::of(ServerRefusal::TooManyInvitations, lang),
            Error::TooLong(_) => Problem::of(ServerRefusal::TooLarge, lang),
            Error::Busy => Problem::of(ServerRefusal::Busy, lang),
            other => {
                tracing::warn!(error = %other, "the log failed");
                let unsure = other == Error::Unsure;
                let why = if unsure { ServerRefusal::Unsure } else { ServerRefusal::Unavailable };
                Problem::of(why, lang)
            }
        }
    }

    pub(crate) fn table(why: NoTable, lang: Lang) -> Problem {
        match why {
            NoTable::NoSuchGame => Problem::of(ServerRefusal::NoSuchGame, lang),
            NoTable::Imported => Problem::of(ServerRefusal::NoEvents, lang),
            NoTable::Log(error) => Problem::log(error, lang),
        }
    }
}

/// What a client is told when the server, not the game, refuses.
pub(crate) fn refusal(why: ServerRefusal, lang: Lang) -> Refusal {
    Refusal {
        code: why.code().to_owned(),
        squares: Vec::new(),
        by: Vec::new(),
        text: lang.server_refusal(why).to_owned(),
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(self.refusal)).into_response()
    }
}
