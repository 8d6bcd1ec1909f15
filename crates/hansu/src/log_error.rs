//! Messages for errors of the log, with the options and commands that help.

use hansu_records::Error;
use hansu_words::Lang;

/// What went wrong, and the next step on the command line.
pub(crate) fn log_error(error: Error, lang: Lang) -> String {
    let why = hansu_journal::log_error(error, lang);
    let (en, ko) = match error {
        // Errors whose sentence advises another folder.
        Error::ReadOnly | Error::Foreign | Error::NotDurable | Error::NoFolder | Error::Io(_) => (
            "A folder is named with --data DIR or HANSU_DATA.",
            "폴더는 --data DIR이나 HANSU_DATA로 정해요.",
        ),
        Error::NoSuchGame => {
            ("`hansu games list` shows what there is.", "`hansu games list`에서 모두 볼 수 있어요.")
        }
        _ => return why,
    };
    match lang {
        Lang::En => format!("{why} {en}"),
        Lang::Ko => format!("{why} {ko}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_told_exactly_where_it_helps() {
        for lang in Lang::ALL {
            for error in [Error::ReadOnly, Error::Foreign, Error::NotDurable, Error::NoFolder] {
                let text = log_error(error, lang);
                assert!(text.contains("--data DIR") && text.ends_with('.'), "{text}");
            }
            assert!(log_error(Error::NoSuchGame, lang).contains("`hansu games list`"));
            for error in [Error::Busy, Error::Full, Error::Disk(778)] {
                assert_eq!(log_error(error, lang), hansu_journal::log_error(error, lang));
            }
        }
    }
}
