//! PostgreSQL's errors in our words.

use tokio_postgres::error::SqlState;

use super::tls::Handshake;
use crate::Error;

impl From<tokio_postgres::Error> for Error {
    /// Never with the text: it may hold what was to be written, or where the server is.
    fn from(error: tokio_postgres::Error) -> Error {
        let Some(state) = error.code() else {
            // A row that has another shape than ours was not written by us; everything else that
            // is no answer of the server is a connection that is gone.
            return match () {
                () if is_shape(&error) => Error::Damaged,
                () if is_tls(&error) => Error::Tls,
                () => Error::Away,
            };
        };
        let busy = [
            &SqlState::T_R_DEADLOCK_DETECTED,
            &SqlState::T_R_SERIALIZATION_FAILURE,
            &SqlState::LOCK_NOT_AVAILABLE,
            &SqlState::QUERY_CANCELED,
            &SqlState::TOO_MANY_CONNECTIONS,
        ];
        let code: [u8; 5] = state.code().as_bytes().try_into().unwrap_or(*b"XX000");
        match &code {
            _ if busy.contains(&state) => Error::Busy,
            // Connection exceptions, and the server going down or coming up.
            [b'0', b'8', ..] | [b'5', b'7', b'P', ..] | b"25P03" => Error::Away,
            b"53100" => Error::Full,
            b"25006" => Error::ReadOnly,
            b"XX001" | b"XX002" => Error::Damaged,
            _ => Error::Postgres(code),
        }
    }
}

fn is_shape(error: &tokio_postgres::Error) -> bool {
    use std::error::Error as _;
    // The kind of an error is not public; a value that cannot be read has a cause of this crate,
    // a connection that is gone has one of the system or none.
    let text = error.to_string();
    error.source().is_some_and(|cause| !cause.is::<std::io::Error>())
        && text.starts_with("error deserializing column")
}

/// Whether there is a server, but no encrypted connection to it.
fn is_tls(error: &tokio_postgres::Error) -> bool {
    use std::error::Error as _;
    match error.source().and_then(|cause| cause.downcast_ref::<Handshake>()) {
        Some(handshake) => handshake.is_refusal(),
        // A server without encryption.
        None => error.to_string().starts_with("error performing TLS handshake"),
    }
}

/// Whether it may go well the next time, with nothing lost in between.
pub(crate) fn is_passing(error: Error) -> bool {
    matches!(error, Error::Busy)
}
