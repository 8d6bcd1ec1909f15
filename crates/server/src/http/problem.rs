//! The error answer of the API: a status, a code, a sentence.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hansu_live::CommandError;
use hansu_protocol::{Made, Refusal, Seat, SpentInvitation};
use hansu_records::{Error, GameId};
use hansu_view::server_refusal;
use hansu_words::{Lang, ServerRefusal};

use crate::hub::HostingError;

/// The error type of all request handlers.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    refusal: Refusal,
    /// The game of a used invitation, and the client's seat in it.
    begun: Option<(GameId, Option<Seat>)>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, refusal: Refusal) -> Problem {
        Problem { status, refusal, begun: None }
    }

    pub(crate) fn of(why: ServerRefusal, lang: Lang) -> Problem {
        let status = match why {
            ServerRefusal::Busy
            | ServerRefusal::Unavailable
            | ServerRefusal::Unsure
            | ServerRefusal::ClockInDoubt => StatusCode::SERVICE_UNAVAILABLE,
            ServerRefusal::TooFast
            | ServerRefusal::TooManyConnections
            | ServerRefusal::TooManyInvitations
            | ServerRefusal::ImportBudget
            | ServerRefusal::AnalysisBudget => StatusCode::TOO_MANY_REQUESTS,
            ServerRefusal::NoKey => StatusCode::UNAUTHORIZED,
            ServerRefusal::BadMessage
            | ServerRefusal::BadMove
            | ServerRefusal::BadName
            | ServerRefusal::BadRequest => StatusCode::BAD_REQUEST,
            ServerRefusal::NoSuchGame
            | ServerRefusal::NoSuchInvitation
            | ServerRefusal::NoSuchPass
            | ServerRefusal::NoSeek
            | ServerRefusal::NotFound => StatusCode::NOT_FOUND,
            ServerRefusal::NoEvents | ServerRefusal::StillPlayed | ServerRefusal::NoHint => {
                StatusCode::CONFLICT
            }
            ServerRefusal::ForeignHost => StatusCode::MISDIRECTED_REQUEST,
            ServerRefusal::InvitationSpent
            | ServerRefusal::InvitationWithdrawn
            | ServerRefusal::InvitationExpired => StatusCode::GONE,
            ServerRefusal::NotYourGame
            | ServerRefusal::ForeignOrigin
            | ServerRefusal::OwnSeek
            | ServerRefusal::OwnInvitation
            | ServerRefusal::NotNearby
            | ServerRefusal::Private => StatusCode::FORBIDDEN,
            ServerRefusal::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ServerRefusal::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            ServerRefusal::SlowRequest => StatusCode::REQUEST_TIMEOUT,
        };
        Problem::new(status, server_refusal(why, lang))
    }

    /// The invitation has been used for this game.
    pub(crate) fn used(game: GameId, seat: Option<Seat>, lang: Lang) -> Problem {
        let problem = Problem::of(ServerRefusal::InvitationSpent, lang);
        Problem { begun: Some((game, seat)), ..problem }
    }

    /// The answer that the client got when the invitation was used. None when it has no seat in the
    /// game.
    pub(crate) fn seat(&self) -> Option<Made> {
        let (game, seat) = self.begun?;
        Some(Made { game: game.to_string(), seat: seat?, invitation: None, link: None })
    }

    /// A refusal by the rules of the game.
    pub(crate) fn refused(refusal: Refusal) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, refusal)
    }

    /// Why a command was not carried out.
    pub(crate) fn not_done(why: CommandError, refusal: Refusal, lang: Lang) -> Problem {
        match why {
            CommandError::Refused(_) => Problem::refused(refusal),
            CommandError::Failed(error) => Problem::of(CommandError::failure(error), lang),
        }
    }

    /// An error of the log; errors without a more exact code are written to the log output.
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

    pub(crate) fn hosting(why: HostingError, lang: Lang) -> Problem {
        match why {
            HostingError::NoSuchGame => Problem::of(ServerRefusal::NoSuchGame, lang),
            HostingError::Imported => Problem::of(ServerRefusal::NoEvents, lang),
            HostingError::Log(error) => Problem::log(error, lang),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Problem { status, refusal, begun } = self;
        let long = refusal.code == ServerRefusal::ImportBudget.code();
        let mut response = match begun {
            None => (status, Json(refusal)).into_response(),
            Some((game, seat)) => {
                let spent = SpentInvitation { refusal, game: game.to_string(), seat };
                (status, Json(spent)).into_response()
            }
        };
        if let Some(seconds) = if long { Some("600") } else { retry_after(status) } {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(seconds));
        }
        response
    }
}

/// The `Retry-After` of a status, in seconds.
pub(crate) const fn retry_after(status: StatusCode) -> Option<&'static str> {
    match status {
        StatusCode::TOO_MANY_REQUESTS => Some("2"),
        StatusCode::SERVICE_UNAVAILABLE => Some("1"),
        _ => None,
    }
}
