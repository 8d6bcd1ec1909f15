//! The languages of Hansu, and how one is chosen.

use std::fmt;
use std::str::FromStr;

/// A language.
///
/// ```
/// use hansu_words::Lang;
/// assert_eq!("ko".parse(), Ok(Lang::Ko));
/// assert_eq!(Lang::En.to_string(), "en");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lang {
    /// Korean, in 해요체.
    Ko,
    /// English.
    En,
}

/// The text is not the code of a language of Hansu.
///
/// ```
/// use hansu_words::{Lang, LangError};
/// assert_eq!("fr".parse::<Lang>(), Err(LangError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LangError;

impl fmt::Display for LangError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the language must be ko or en")
    }
}

impl std::error::Error for LangError {}

impl Lang {
    /// All languages.
    pub const ALL: [Lang; 2] = [Lang::Ko, Lang::En];

    /// The name of a player who has given none.
    pub const fn guest(self) -> &'static str {
        match self {
            Lang::Ko => "손님",
            Lang::En => "Guest",
        }
    }

    /// The code of the language: two letters.
    pub const fn code(self) -> &'static str {
        match self {
            Lang::Ko => "ko",
            Lang::En => "en",
        }
    }

    /// The text in this language.
    pub(crate) const fn pick(self, english: &'static str, korean: &'static str) -> &'static str {
        match self {
            Lang::Ko => korean,
            Lang::En => english,
        }
    }

    /// The language of a locale: Korean for `ko`, else English. Pass the values of `LC_ALL`,
    /// `LC_MESSAGES` and `LANG`; the first that is set and not empty decides, as in POSIX.
    ///
    /// ```
    /// use hansu_words::Lang;
    /// assert_eq!(Lang::from_locale(None, None, Some("ko_KR.UTF-8")), Lang::Ko);
    /// assert_eq!(Lang::from_locale(Some("C"), None, Some("ko_KR.UTF-8")), Lang::En);
    /// ```
    pub fn from_locale(
        lc_all: Option<&str>,
        lc_messages: Option<&str>,
        lang: Option<&str>,
    ) -> Lang {
        let locale = [lc_all, lc_messages, lang]
            .into_iter()
            .flatten()
            .find(|value| !value.is_empty())
            .unwrap_or_default();
        // The part before the country or the character set: `kok_IN` is Konkani, not Korean.
        let language = locale.split(['_', '.', '@', '-']).next();
        if language.is_some_and(|language| language.eq_ignore_ascii_case("ko")) {
            Lang::Ko
        } else {
            Lang::En
        }
    }
}

impl FromStr for Lang {
    type Err = LangError;

    fn from_str(text: &str) -> Result<Lang, LangError> {
        Lang::ALL.into_iter().find(|lang| lang.code() == text).ok_or(LangError)
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_locale_that_is_set_decides() {
        let cases = [
            (None, None, None, Lang::En),
            (None, None, Some("ko_KR.UTF-8"), Lang::Ko),
            (None, None, Some("ko"), Lang::Ko),
            (None, None, Some("ko-KR"), Lang::Ko),
            (None, None, Some("ko.UTF-8"), Lang::Ko),
            (None, None, Some("KO_KR"), Lang::Ko),
            (None, None, Some("kok_IN"), Lang::En),
            (None, None, Some("C.UTF-8"), Lang::En),
            (None, Some("ko_KR"), Some("en_US"), Lang::Ko),
            (None, Some("en_US"), Some("ko_KR"), Lang::En),
            (Some("ko_KR"), Some("en_US"), Some("en_US"), Lang::Ko),
            (Some("POSIX"), Some("ko_KR"), Some("ko_KR"), Lang::En),
            (Some(""), Some(""), Some("ko_KR"), Lang::Ko),
            (Some(""), None, None, Lang::En),
        ];
        for (all, messages, lang, expected) in cases {
            assert_eq!(
                Lang::from_locale(all, messages, lang),
                expected,
                "{all:?} {messages:?} {lang:?}"
            );
        }
    }

    #[test]
    fn codes_are_read_back() {
        for lang in Lang::ALL {
            assert_eq!(lang.to_string().parse(), Ok(lang));
        }
        for text in ["", "KO", "kor", "english", " en"] {
            assert_eq!(text.parse::<Lang>(), Err(LangError), "{text:?}");
        }
    }
}
