//! Why a command on the log did not go through.

use std::io;

use hansu_records::Error;
use hansu_words::Lang;

use super::words;
use crate::trouble::log_error;

/// Why a command ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The input cannot be used; the sentence says why. Exit status 2.
    Input(String),
    /// Something else went wrong; the sentence says what. Exit status 1.
    Failure(String),
    /// The log did not do it. Exit status 1.
    Log(Error),
    /// The output could not be written. Exit status 1, or none when its reader has left.
    Output(io::Error),
}

impl Stop {
    pub(super) fn text(&self, lang: Lang) -> String {
        match self {
            Stop::Input(text) | Stop::Failure(text) => text.clone(),
            Stop::Log(error) => log_error(*error, lang),
            Stop::Output(error) => words::Say::NoOutput(&error.to_string()).text(lang),
        }
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Log(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Output(error)
    }
}

impl From<serde_json::Error> for Stop {
    fn from(error: serde_json::Error) -> Stop {
        Stop::Output(error.into())
    }
}
