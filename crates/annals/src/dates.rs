//! Times in milliseconds since 1970 (UTC), and their text formats.

/// A time of the log: milliseconds since the start of 1970, UTC; negative before it.
pub type LogTime = i64;

const DAY: i64 = 86_400_000;

/// A day of the proleptic Gregorian calendar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Day {
    /// The year, as `2026`.
    pub year: i64,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days from 1 January of year 1 to 1 January of another year.
fn days_before(year: i64) -> i64 {
    let past = year - 1;
    past * 365 + past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400)
}

/// Days from year 1 to 1970.
const EPOCH: i64 = 719_162;

impl Day {
    /// A day of the years 1 to 9999; `None` if the calendar does not have it.
    ///
    /// ```
    /// use hansu_annals::dates::Day;
    /// assert!(Day::new(2024, 2, 29).is_some());
    /// assert!(Day::new(2023, 2, 29).is_none());
    /// ```
    pub fn new(year: i64, month: u32, day: u32) -> Option<Day> {
        let known = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day);
        known.then_some(Day { year, month, day })
    }

    /// The day in which a time lies, in UTC.
    ///
    /// ```
    /// use hansu_annals::dates::Day;
    /// assert_eq!(Day::of(0), Day { year: 1970, month: 1, day: 1 });
    /// assert_eq!(Day::of(-1), Day { year: 1969, month: 12, day: 31 });
    /// ```
    pub fn of(time: LogTime) -> Day {
        let days = time.div_euclid(DAY) + EPOCH;
        // 146,097 days are 400 years: at most one year off, in one direction or the other.
        let mut year = (days * 400).div_euclid(146_097) + 1;
        while days_before(year) > days {
            year -= 1;
        }
        while days_before(year + 1) <= days {
            year += 1;
        }
        let mut rest = u32::try_from(days - days_before(year)).unwrap_or(0);
        let mut month = 1;
        while rest >= days_in(year, month) {
            rest -= days_in(year, month);
            month += 1;
        }
        Day { year, month, day: rest + 1 }
    }

    /// The day's first moment in UTC.
    ///
    /// ```
    /// use hansu_annals::dates::Day;
    /// let day = Day::new(1972, 7, 11).unwrap();
    /// assert_eq!(Day::of(day.start()), day);
    /// ```
    pub fn start(self) -> LogTime {
        let before: u32 = (1..self.month).map(|month| days_in(self.year, month)).sum();
        (days_before(self.year) - EPOCH + i64::from(before + self.day - 1)) * DAY
    }

    /// A day as PGN writes it: `2026.11.15`.
    pub fn pgn(self) -> String {
        format!("{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }

    /// Reads a day in PGN or ISO 8601 format. An unknown month or day (`1851.??.??`) counts as the
    /// first.
    ///
    /// ```
    /// use hansu_annals::dates::Day;
    /// assert_eq!(Day::read("2026.11.15"), Day::read("2026-11-15"));
    /// assert_eq!(Day::read("1851.??.??"), Day::new(1851, 1, 1));
    /// assert_eq!(Day::read("????.??.??"), None);
    /// ```
    pub fn read(text: &str) -> Option<Day> {
        let mut parts = text.trim().split(['.', '-', '/']);
        let year = parts.next()?.parse().ok()?;
        let mut small = || match parts.next() {
            None | Some("?" | "??") => Some(1),
            Some(digits) => digits.parse().ok(),
        };
        let (month, day) = (small()?, small()?);
        Day::new(year, month, day)
    }
}

/// Reads `HH:MM:SS` as milliseconds of a day; fractions of a second are ignored.
pub fn read_time(text: &str) -> Option<LogTime> {
    let mut parts = text.trim().split(':');
    let mut part = |limit: i64| {
        let digits = parts.next()?;
        let digits = digits.split('.').next()?;
        digits.parse().ok().filter(|part| (0..limit).contains(part))
    };
    let (hours, minutes) = (part(24)?, part(60)?);
    let seconds = part(60).unwrap_or(0);
    Some(((hours * 60 + minutes) * 60 + seconds) * 1000)
}

/// The time of day, UTC, as PGN writes it: `18:04:09`.
///
/// ```
/// assert_eq!(hansu_annals::dates::time_of_day(65_049_000), "18:04:09");
/// ```
pub fn time_of_day(time: LogTime) -> String {
    let seconds = time.rem_euclid(DAY) / 1000;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// A time as RFC 3339 writes it: `2026-11-15T18:04:09Z`.
///
/// ```
/// assert_eq!(hansu_annals::dates::rfc3339(0), "1970-01-01T00:00:00Z");
/// ```
pub fn rfc3339(time: LogTime) -> String {
    let Day { year, month, day } = Day::of(time);
    format!("{year:04}-{month:02}-{day:02}T{}Z", time_of_day(time))
}

/// The number of a time's month, counted from January of the year 0.
pub fn month(time: LogTime) -> i64 {
    let day = Day::of(time);
    day.year * 12 + i64::from(day.month) - 1
}

/// The text of a month number: `2026-11`.
pub fn month_name(month: i64) -> String {
    format!("{:04}-{:02}", month.div_euclid(12), month.rem_euclid(12) + 1)
}

/// The first moment of a day, month or year (in UTC), and the first one after it.
///
/// ```
/// use hansu_annals::dates::{Day, span};
/// let year = span("2026").map(|(from, to)| (Day::of(from).pgn(), Day::of(to).pgn()));
/// assert_eq!(year, Some(("2026.01.01".into(), "2027.01.01".into())));
/// ```
pub fn span(text: &str) -> Option<(LogTime, LogTime)> {
    let parts: Vec<&str> = text.trim().split(['-', '.', '/']).collect();
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !parts.iter().all(digits) || parts.len() > 3 || parts[0].len() != 4 {
        return None;
    }
    let first = Day::read(text)?;
    let after = match parts.len() {
        1 => Day { year: first.year + 1, ..first },
        2 if first.month == 12 => Day { year: first.year + 1, month: 1, ..first },
        2 => Day { month: first.month + 1, ..first },
        _ => return Some((first.start(), first.start() + 86_400_000)),
    };
    Some((first.start(), after.start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_a_day_a_month_or_a_year() {
        let start = |year, month, day| Day::new(year, month, day).unwrap().start();
        assert_eq!(span("2024-02-29"), Some((start(2024, 2, 29), start(2024, 3, 1))));
        assert_eq!(span("2024.12"), Some((start(2024, 12, 1), start(2025, 1, 1))));
        assert_eq!(span("2024-02"), Some((start(2024, 2, 1), start(2024, 3, 1))));
        assert_eq!(span("2024"), Some((start(2024, 1, 1), start(2025, 1, 1))));
        assert_eq!(span("9999"), Some((start(9999, 1, 1), start(9999, 12, 31) + 86_400_000)));
        for text in ["", "yesterday", "2023-02-29", "2024-13", "24-1-1", "2024-1-1-1", "2024-??"] {
            assert_eq!(span(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_of_eight_hundred_years_comes_back() {
        let mut time = Day { year: 1600, month: 1, day: 1 }.start();
        let mut before = Day { year: 1599, month: 12, day: 31 };
        for _ in 0..2 * 146_097 {
            let day = Day::of(time + 1234);
            assert_eq!(day.start(), time, "{day:?}");
            assert!(day > before);
            assert_eq!(Day::read(&day.pgn()), Some(day));
            before = day;
            time += DAY;
        }
        assert_eq!(before, Day { year: 2399, month: 12, day: 31 });
    }

    #[test]
    fn known_days() {
        assert_eq!(rfc3339(1_000_000_000_000), "2001-09-09T01:46:40Z");
        assert_eq!(month_name(month(1_000_000_000_000)), "2001-09");
        assert_eq!(read_time("18:04:09"), Some(65_049_000));
        assert_eq!(read_time("18:04"), Some(65_040_000));
        assert_eq!(read_time("24:00:00"), None);
        assert_eq!(Day::read(""), None);
        assert_eq!(Day::read("99999.1.1"), None);
    }
}
