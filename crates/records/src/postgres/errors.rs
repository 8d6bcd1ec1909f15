//! Converts PostgreSQL's errors.

use tokio_postgres::error::SqlState;

use super::tls::HandshakeError;
use crate::Error;

impl From<tokio_postgres::Error> for Error {
    /// Without the text, which may contain written data or the server's address.
    fn from(error: tokio_postgres::Error) -> Error {
        let Some(state) = error.code() else {
            // A row of another shape was not written by this program; any other error that is not
            // an answer of the server is a lost connection.
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
            // Connection exceptions, and a server that is shutting down or starting.
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
    // The kind of an error is not public. A value that cannot be decoded has a cause from that
    // crate; a lost connection has an I/O error as its cause, or none.
    let text = error.to_string();
    error.source().is_some_and(|cause| !cause.is::<std::io::Error>())
        && text.starts_with("error deserializing column")
}

/// True if the server answers, but an encrypted connection is not possible.
fn is_tls(error: &tokio_postgres::Error) -> bool {
    use std::error::Error as _;
    match error.source().and_then(|cause| cause.downcast_ref::<HandshakeError>()) {
        Some(handshake) => handshake.is_refusal(),
        // A server without encryption.
        None => error.to_string().starts_with("error performing TLS handshake"),
    }
}

/// True if a retry may succeed and is safe.
pub(crate) fn is_passing(error: Error) -> bool {
    matches!(error, Error::Busy)
}
