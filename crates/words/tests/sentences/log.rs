//! The errors of the log.

use std::collections::BTreeSet;
use std::io::ErrorKind;

use hansu_records::{Error, Part};
use hansu_words::Lang;

use crate::{check, sentences};

/// The matches below are there to break when a variant is added: then the lists need it too.
const PARTS: [Part; 11] = [
    Part::Events,
    Part::Name,
    Part::Text,
    Part::Moves,
    Part::Headers,
    Part::Tags,
    Part::Note,
    Part::Client,
    Part::Seats,
    Part::Invitation,
    Part::Node,
];

const fn known_part(part: Part) {
    match part {
        Part::Events
        | Part::Name
        | Part::Text
        | Part::Moves
        | Part::Headers
        | Part::Tags
        | Part::Note
        | Part::Client
        | Part::Seats
        | Part::Invitation
        | Part::Node => {}
    }
}

const fn known(error: Error) {
    match error {
        Error::TooLong(part) => known_part(part),
        Error::Conflict { .. }
        | Error::Busy
        | Error::NoSuchGame
        | Error::Spent
        | Error::TooMany
        | Error::ReadOnly
        | Error::Full
        | Error::Damaged
        | Error::Foreign
        | Error::Newer { .. }
        | Error::OldLibrary { .. }
        | Error::NotDurable
        | Error::NoFolder
        | Error::NoRandomness
        | Error::Closed
        | Error::Io(_)
        | Error::Disk(_)
        | Error::Sqlite(_)
        | Error::Away
        | Error::Unsure
        | Error::Address
        | Error::Tls
        | Error::Postgres(_) => {}
    }
}

fn errors() -> Vec<Error> {
    let mut all = vec![
        Error::Conflict { last_seq: 12 },
        Error::Busy,
        Error::NoSuchGame,
        Error::Spent,
        Error::TooMany,
        Error::ReadOnly,
        Error::Full,
        Error::Damaged,
        Error::Foreign,
        Error::Newer { found: 12, known: 5 },
        Error::OldLibrary { found: 3_046_001 },
        Error::NotDurable,
        Error::NoFolder,
        Error::NoRandomness,
        Error::Closed,
        Error::Io(ErrorKind::NotADirectory),
        Error::Disk(778),
        Error::Sqlite(21),
        Error::Away,
        Error::Unsure,
        Error::Address,
        Error::Tls,
        Error::Postgres(*b"28P01"),
    ];
    all.extend(PARTS.map(Error::TooLong));
    all.iter().copied().for_each(known);
    all
}

#[test]
fn every_error_is_told_with_what_helps() {
    for lang in Lang::ALL {
        let mut seen = BTreeSet::new();
        for error in errors() {
            let text = lang.log_error(error);
            check(lang, &text);
            assert!(sentences(&text).len() > 1, "{text}");
            // Browsers show these as well: no flags.
            assert!(!text.contains("--"), "{text}");
            assert!(seen.insert(text), "{error}");
        }
    }
}

#[test]
fn what_helps_to_find_the_cause_is_told() {
    for lang in Lang::ALL {
        for (error, details) in [
            (Error::Newer { found: 12, known: 5 }, &["12", "5"][..]),
            (Error::OldLibrary { found: 3_046_001 }, &["3.46.1", "3.51.3"]),
            (Error::Io(ErrorKind::NotADirectory), &["not a directory"]),
            (Error::Disk(778), &["778"]),
            (Error::Sqlite(21), &["21"]),
            (Error::Address, &["postgres://"]),
            (Error::Tls, &["sslmode=disable"]),
            (Error::Postgres(*b"28P01"), &["28P01"]),
            (Error::Damaged, &["games.db"]),
        ] {
            let text = lang.log_error(error);
            for detail in details {
                assert!(text.contains(detail), "{detail}: {text}");
            }
        }
    }
}
