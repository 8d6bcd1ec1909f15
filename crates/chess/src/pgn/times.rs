//! The time control of a game: the standard has one tag for both sides; where they have different
//! times, other programs write `WhiteTimeControl` and `BlackTimeControl`. As one text, which is not
//! a value of the standard's tag, the two are `W300+3 B60`.

/// True if a text is a time control in the form of the standard.
fn is_plain(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'/' | b'+' | b':' | b'*');
    text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().all(allowed)
}

/// White's time control and Black's as one text; `None` when one of them is not in the form of the
/// standard.
///
/// ```
/// use hansu_chess::pgn::time_odds;
/// assert_eq!(time_odds("40/5400:1800", "300+3").as_deref(), Some("W40/5400:1800 B300+3"));
/// assert_eq!(time_odds("300", "five minutes"), None);
/// ```
pub fn time_odds(white: &str, black: &str) -> Option<String> {
    (is_plain(white) && is_plain(black)).then(|| format!("W{white} B{black}"))
}

/// White's time control and Black's in a text that [`time_odds`] has made.
///
/// ```
/// use hansu_chess::pgn::times_of;
/// assert_eq!(times_of("W300+3 B60"), Some(("300+3", "60")));
/// assert_eq!(times_of("300+3"), None);
/// assert_eq!(times_of("W300+3 B?"), None);
/// ```
pub fn times_of(written: &str) -> Option<(&str, &str)> {
    let times = written.strip_prefix('W')?.split_once(" B")?;
    (is_plain(times.0) && is_plain(times.1)).then_some(times)
}

/// The tags of a time control, which may differ between the sides.
///
/// ```
/// use hansu_chess::pgn::time_tags;
/// assert_eq!(time_tags("300+3").collect::<Vec<_>>(), [("TimeControl", "300+3")]);
/// let both = [("WhiteTimeControl", "300+3"), ("BlackTimeControl", "60")];
/// assert_eq!(time_tags("W300+3 B60").collect::<Vec<_>>(), both);
/// ```
pub fn time_tags(written: &str) -> impl Iterator<Item = (&'static str, &str)> {
    let (first, second) = match times_of(written) {
        Some((white, black)) => (("WhiteTimeControl", white), Some(("BlackTimeControl", black))),
        None => (("TimeControl", written), None),
    };
    std::iter::once(first).chain(second)
}
