//! The filter options of the commands on games.

use clap::Args;
use hansu_play::Reason;
use hansu_records::dates::span;
use hansu_records::stats::Viewer;
use hansu_records::{Filter, Score, Source, Status};

use super::Log;
use super::command_error::CommandError;
use super::words::{self, Sentence};
use crate::start::quoted;

#[derive(Args)]
pub(super) struct Filters {
    /// Games of this player, with either colour
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    player: Option<String>,

    /// Games in which this player had White
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    white: Option<String>,

    /// Games in which this player had Black
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    black: Option<String>,

    /// 1-0, 0-1, 1/2-1/2, "*", or white, black, draw, open
    #[arg(long, help_heading = "Filters")]
    result: Option<String>,

    /// Why the game ended: checkmate, resignation, timeout, …
    #[arg(long, help_heading = "Filters")]
    reason: Option<String>,

    /// Begun on this day or later (UTC): 2026-11-15, 2026-11 or 2026
    #[arg(long, value_name = "DATE", help_heading = "Filters")]
    since: Option<String>,

    /// Begun on this day or earlier
    #[arg(long, value_name = "DATE", help_heading = "Filters")]
    until: Option<String>,

    /// An ECO code, its beginning (B, B9), or a part of the opening's name
    #[arg(long, visible_alias = "eco", help_heading = "Filters")]
    opening: Option<String>,

    /// Plies (moves of both sides): 40, 20..60, 20.. or ..60
    #[arg(long, value_name = "PLIES", help_heading = "Filters")]
    length: Option<String>,

    /// terminal, local, online, computer or import
    #[arg(long, help_heading = "Filters")]
    source: Option<String>,

    /// live, finished, aborted or adjourned
    #[arg(long, help_heading = "Filters")]
    status: Option<String>,

    /// Games with this tag
    #[arg(long, help_heading = "Filters")]
    tag: Option<String>,

    /// Text in a name, an occasion, an opening, a tag or a note
    #[arg(long, help_heading = "Filters")]
    text: Option<String>,
}

impl Filters {
    pub(super) fn filter(&self, log: &Log) -> Result<Filter, CommandError> {
        let refuse = |say: fn(&str) -> Sentence<'_>, text: &str| log.refuse(say(&quoted(text)));
        let date =
            |text: &String| span(text).ok_or_else(|| refuse(|text| Sentence::BadDate(text), text));
        let score = |text: &String| {
            score(text).ok_or_else(|| refuse(|text| Sentence::BadResult(text), text))
        };
        let length = self.length.as_deref().map(|text| {
            lengths(text).ok_or_else(|| refuse(|text| Sentence::BadLength(text), text))
        });
        let (shortest, longest) = length.transpose()?.unwrap_or_default();
        Ok(Filter {
            player: self.player.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            score: self.result.as_ref().map(score).transpose()?,
            reason: self.reason.as_ref().map(|text| reason(text, log)).transpose()?,
            since: self.since.as_ref().map(date).transpose()?.map(|(from, _)| from),
            until: self.until.as_ref().map(date).transpose()?.map(|(_, to)| to),
            opening: self.opening.clone(),
            shortest,
            longest,
            source: self.source.as_ref().map(|text| source(text, log)).transpose()?,
            status: self.status.as_ref().map(|text| status(text, log)).transpose()?,
            viewer: Viewer::Keeper,
            tag: self.tag.clone(),
            text: self.text.clone(),
            // On the command line the operator sees all games.
            visibility: None,
            holder: None,
        })
    }
}

fn score(text: &str) -> Option<Score> {
    Score::from_word(text).or(match text {
        "white" => Some(Score::White),
        "black" => Some(Score::Black),
        "draw" | "1/2" | "½-½" => Some(Score::Draw),
        "open" => Some(Score::Open),
        _ => None,
    })
}

/// Parses a reason: its code, with dashes or underscores, or the word that is shown for it.
fn reason(text: &str, log: &Log) -> Result<String, CommandError> {
    let code = text.to_ascii_lowercase().replace(['-', ' '], "_");
    let shown = |reason: Reason| words::reason(reason.code(), log.lang).eq_ignore_ascii_case(text);
    let found = Reason::from_code(&code).or_else(|| Reason::all().find(|&reason| shown(reason)));
    found.map(|reason| reason.code().to_owned()).ok_or_else(|| {
        let known: Vec<&str> = Reason::all().map(Reason::code).collect();
        log.refuse(Sentence::BadReason(&quoted(text), &known.join(", ")))
    })
}

fn source(text: &str, log: &Log) -> Result<Source, CommandError> {
    Source::from_word(text).ok_or_else(|| {
        let known: Vec<&str> = Source::ALL.iter().map(|source| source.word()).collect();
        log.refuse(Sentence::BadSource(&quoted(text), &known.join(", ")))
    })
}

fn status(text: &str, log: &Log) -> Result<Status, CommandError> {
    Status::from_word(text).ok_or_else(|| {
        let known: Vec<&str> = Status::ALL.iter().map(|status| status.word()).collect();
        log.refuse(Sentence::BadStatus(&quoted(text), &known.join(", ")))
    })
}

type Lengths = (Option<u32>, Option<u32>);

fn lengths(text: &str) -> Option<Lengths> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let bound = |text: &str| match text.trim() {
        "" => Some(None),
        text => number(text).map(Some),
    };
    let (shortest, longest) = match text.split_once("..") {
        None => (Some(number(text)?), Some(number(text)?)),
        Some((low, high)) => (bound(low)?, bound(high)?),
    };
    let sensible = shortest.zip(longest).is_none_or(|(low, high)| low <= high)
        && shortest.or(longest).is_some();
    sensible.then_some((shortest, longest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_a_number_or_a_range() {
        assert_eq!(lengths("40"), Some((Some(40), Some(40))));
        assert_eq!(lengths("20..60"), Some((Some(20), Some(60))));
        assert_eq!(lengths("20.."), Some((Some(20), None)));
        assert_eq!(lengths("..60"), Some((None, Some(60))));
        for text in ["", "..", "60..20", "-1", "1..2..3", "many"] {
            assert_eq!(lengths(text), None, "{text}");
        }
    }
}
