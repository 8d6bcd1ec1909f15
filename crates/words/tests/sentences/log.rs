//! The errors of the log.

use std::collections::BTreeSet;
use std::io::ErrorKind;

use hansu_words::{Lang, LogPart, LogTrouble};

use crate::{check, sentences};

/// The matches below fail to compile when a variant is added: then add it to the lists too.
const PARTS: [LogPart; 12] = [
    LogPart::Events,
    LogPart::Name,
    LogPart::Text,
    LogPart::Moves,
    LogPart::Headers,
    LogPart::Tags,
    LogPart::Note,
    LogPart::Client,
    LogPart::Seats,
    LogPart::Invitation,
    LogPart::Node,
    LogPart::Analysis,
];

const fn known_part(part: LogPart) {
    match part {
        LogPart::Events
        | LogPart::Name
        | LogPart::Text
        | LogPart::Moves
        | LogPart::Headers
        | LogPart::Tags
        | LogPart::Note
        | LogPart::Client
        | LogPart::Seats
        | LogPart::Invitation
        | LogPart::Node
        | LogPart::Analysis => {}
    }
}

const fn known(error: LogTrouble) {
    match error {
        LogTrouble::TooLong(part) => known_part(part),
        LogTrouble::Conflict { .. }
        | LogTrouble::Busy
        | LogTrouble::NoSuchGame
        | LogTrouble::Spent
        | LogTrouble::TooMany
        | LogTrouble::ReadOnly
        | LogTrouble::Full
        | LogTrouble::Damaged
        | LogTrouble::Foreign
        | LogTrouble::Newer { .. }
        | LogTrouble::OldLibrary { .. }
        | LogTrouble::NotDurable
        | LogTrouble::NoFolder
        | LogTrouble::NoRandomness
        | LogTrouble::Closed
        | LogTrouble::Replaced
        | LogTrouble::Io(_)
        | LogTrouble::Disk(_)
        | LogTrouble::Sqlite(_)
        | LogTrouble::Away
        | LogTrouble::Unsure
        | LogTrouble::Address
        | LogTrouble::Tls
        | LogTrouble::Postgres(_) => {}
    }
}

fn errors() -> Vec<LogTrouble> {
    let mut all = vec![
        LogTrouble::Conflict { last_seq: 12 },
        LogTrouble::Busy,
        LogTrouble::NoSuchGame,
        LogTrouble::Spent,
        LogTrouble::TooMany,
        LogTrouble::ReadOnly,
        LogTrouble::Full,
        LogTrouble::Damaged,
        LogTrouble::Foreign,
        LogTrouble::Newer { found: 12, known: 5 },
        LogTrouble::OldLibrary { found: 3_046_001 },
        LogTrouble::NotDurable,
        LogTrouble::NoFolder,
        LogTrouble::NoRandomness,
        LogTrouble::Closed,
        LogTrouble::Replaced,
        LogTrouble::Io(ErrorKind::NotADirectory),
        LogTrouble::Disk(778),
        LogTrouble::Sqlite(21),
        LogTrouble::Away,
        LogTrouble::Unsure,
        LogTrouble::Address,
        LogTrouble::Tls,
        LogTrouble::Postgres(*b"28P01"),
    ];
    all.extend(PARTS.map(LogTrouble::TooLong));
    all.iter().copied().for_each(known);
    all
}

#[test]
fn every_error_has_a_sentence_with_advice() {
    for lang in Lang::ALL {
        let mut seen = BTreeSet::new();
        for error in errors() {
            let text = lang.log_trouble(error);
            check(lang, &text);
            assert!(sentences(&text).len() > 1, "{text}");
            // Browsers show these sentences as well, so they contain no flags.
            assert!(!text.contains("--"), "{text}");
            assert!(seen.insert(text), "{error:?}");
        }
    }
}

#[test]
fn sentences_contain_the_details_of_the_error() {
    for lang in Lang::ALL {
        for (error, details) in [
            (LogTrouble::Newer { found: 12, known: 5 }, &["12", "5"][..]),
            (LogTrouble::OldLibrary { found: 3_046_001 }, &["3.46.1", "3.51.3"]),
            (LogTrouble::Io(ErrorKind::NotADirectory), &["not a directory"]),
            (LogTrouble::Disk(778), &["778"]),
            (LogTrouble::Sqlite(21), &["21"]),
            (LogTrouble::Address, &["postgres://"]),
            (LogTrouble::Tls, &["sslmode=verify-full", "sslrootcert"]),
            (LogTrouble::Postgres(*b"28P01"), &["28P01"]),
            (LogTrouble::Damaged, &["games.db"]),
        ] {
            let text = lang.log_trouble(error);
            for detail in details {
                assert!(text.contains(detail), "{detail}: {text}");
            }
        }
    }
}
