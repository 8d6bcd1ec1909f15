//! The error of a `hansu games` command.

use std::io;

use hansu_records::Error;
use hansu_words::Lang;

use super::words;
use crate::log_error::log_error;

/// Why a command failed.
#[derive(Debug)]
pub(super) enum CommandError {
    /// The input cannot be used; the sentence says why. Exit status 2.
    Input(String),
    /// Another failure; the sentence says what. Exit status 1.
    Failure(String),
    /// The log failed. Exit status 1.
    Log(Error),
    /// The output could not be written. Exit status 1, or 0 if its reader closed the pipe.
    Output(io::Error),
}

impl CommandError {
    pub(super) fn text(&self, lang: Lang) -> String {
        match self {
            CommandError::Input(text) | CommandError::Failure(text) => text.clone(),
            CommandError::Log(error) => log_error(*error, lang),
            CommandError::Output(error) => words::Sentence::NoOutput(&error.to_string()).text(lang),
        }
    }
}

impl From<Error> for CommandError {
    fn from(error: Error) -> CommandError {
        CommandError::Log(error)
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> CommandError {
        CommandError::Output(error)
    }
}

impl From<serde_json::Error> for CommandError {
    fn from(error: serde_json::Error) -> CommandError {
        CommandError::Output(error.into())
    }
}
