//! Turns an error of the log into a sentence.
//!
//! `hansu-records` has no sentences for users and `hansu-words` has no database; this module joins
//! the two.

use hansu_records::{Error, Part};
use hansu_words::{Lang, LogPart, LogTrouble};

/// Says in the reader's language why an operation of the log failed and what helps.
///
/// ```
/// use hansu_records::Error;
/// use hansu_words::Lang;
/// let text = hansu_journal::log_error(Error::Full, Lang::En);
/// assert_eq!(text, "No room is left on the disk of the log. Make room and try again.");
/// ```
pub fn log_error(error: Error, lang: Lang) -> String {
    lang.log_trouble(log_trouble(error))
}

const fn log_trouble(error: Error) -> LogTrouble {
    match error {
        Error::Conflict { last_seq } => LogTrouble::Conflict { last_seq },
        Error::Busy => LogTrouble::Busy,
        Error::NoSuchGame => LogTrouble::NoSuchGame,
        Error::Spent => LogTrouble::Spent,
        Error::TooMany => LogTrouble::TooMany,
        Error::TooLong(part) => LogTrouble::TooLong(log_part(part)),
        Error::ReadOnly => LogTrouble::ReadOnly,
        Error::Full => LogTrouble::Full,
        Error::Damaged => LogTrouble::Damaged,
        Error::Foreign => LogTrouble::Foreign,
        Error::Newer { found, known } => LogTrouble::Newer { found, known },
        Error::OldLibrary { found } => LogTrouble::OldLibrary { found },
        Error::NotDurable => LogTrouble::NotDurable,
        Error::NoFolder => LogTrouble::NoFolder,
        Error::NoRandomness => LogTrouble::NoRandomness,
        Error::Closed => LogTrouble::Closed,
        Error::Replaced => LogTrouble::Replaced,
        Error::Io(code) => LogTrouble::Io(code),
        Error::Disk(code) => LogTrouble::Disk(code),
        Error::Sqlite(code) => LogTrouble::Sqlite(code),
        Error::Away => LogTrouble::Away,
        Error::Unsure => LogTrouble::Unsure,
        Error::Address => LogTrouble::Address,
        Error::Tls => LogTrouble::Tls,
        Error::Postgres(code) => LogTrouble::Postgres(code),
    }
}

const fn log_part(part: Part) -> LogPart {
    match part {
        Part::Events => LogPart::Events,
        Part::Name => LogPart::Name,
        Part::Text => LogPart::Text,
        Part::Moves => LogPart::Moves,
        Part::Headers => LogPart::Headers,
        Part::Tags => LogPart::Tags,
        Part::Note => LogPart::Note,
        Part::Client => LogPart::Client,
        Part::Seats => LogPart::Seats,
        Part::Invitation => LogPart::Invitation,
        Part::Node => LogPart::Node,
        Part::Analysis => LogPart::Analysis,
    }
}
