//! The time that each move of a game took: from its events, or from the clocks in its comments.

use std::time::Duration;

use hansu_chess::Color;
use hansu_chess::pgn::{Reader, times_of};
use hansu_play::{Entry, Event};
use hansu_records::{Record, to_pgn};

use super::Log;
use super::command_error::CommandError;

/// Events per read.
const PORTION: usize = 1_024;

/// The time of each move; None if it is not recorded.
pub(super) fn waits(record: &Record, log: &Log) -> Result<Option<Vec<Duration>>, CommandError> {
    let plies = record.summary.plies();
    let waits = if record.last_seq > 0 { from_events(record, log)? } else { from_clocks(record)? };
    Ok(waits.filter(|waits| waits.len() == plies && plies > 0))
}

/// Times from the events of a game that was played with Hansu. Time while the game was adjourned
/// does not count; moves that were taken back are left out.
fn from_events(record: &Record, log: &Log) -> Result<Option<Vec<Duration>>, CommandError> {
    let (mut waits, mut since, mut after) = (Vec::new(), None, 0);
    loop {
        let events = log.store.events(record.id, after, PORTION)?;
        for stored in &events {
            let Ok(entry) = serde_json::from_str::<Entry>(&stored.body) else { return Ok(None) };
            let passed = stored.at - since.unwrap_or(stored.at);
            match entry.event {
                Event::Moved { .. } => {
                    waits.push(Duration::from_millis(u64::try_from(passed).unwrap_or(0)));
                }
                Event::TakenBack { plies, .. } => {
                    waits.truncate(waits.len().saturating_sub(usize::from(plies)));
                }
                Event::Started(_) | Event::Resumed => {}
                _ => continue,
            }
            since = Some(stored.at);
        }
        match events.last() {
            Some(last) if events.len() == PORTION => after = last.seq,
            _ => return Ok(Some(waits)),
        }
    }
}

/// Times from comments: `[%emt 0:00:05]` is the time of a move, `[%clk 0:04:55]` the time left
/// after it.
fn from_clocks(record: &Record) -> Result<Option<Vec<Duration>>, CommandError> {
    if !record.summary.annotations.as_ref().is_some_and(|text| text.contains("[%")) {
        return Ok(None);
    }
    let text = to_pgn(record)?;
    let Some(Ok(game)) = Reader::new(text.as_bytes()).next_game() else { return Ok(None) };
    let time = record.summary.time_control.as_deref().unwrap_or_default();
    let (white, black) = times_of(time).unwrap_or((time, time));
    let sides = [control(white), control(black)];
    let first = usize::from(game.start.turn() == Color::Black);
    let mut left = sides.map(|(base, _)| base);
    let (mut waits, mut known) = (Vec::new(), 0);
    for (at, ply) in game.main.plies.iter().enumerate() {
        let says = |sign: &str| ply.comments.iter().find_map(|comment| sign_in(comment, sign));
        let (spent, clock) = (says("[%emt "), says("[%clk "));
        let side = (first + at) % 2;
        let (before, bonus) = (std::mem::replace(&mut left[side], clock), sides[side].1);
        let used = before.zip(clock).map(|(before, now)| (before + bonus).saturating_sub(now));
        known += usize::from(spent.is_some() || clock.is_some());
        waits.push(spent.or(used).unwrap_or_default());
    }
    Ok((known > 0).then_some(waits))
}

/// The base time and the increment of `300+3`.
fn control(text: &str) -> (Option<Duration>, Duration) {
    let seconds = |text: &str| text.parse().ok().map(Duration::from_secs);
    let (base, bonus) = text.split_once('+').unwrap_or((text, "0"));
    (seconds(base), seconds(bonus).unwrap_or_default())
}

/// The time after a marker such as `[%clk ` in a comment.
fn sign_in(comment: &str, sign: &str) -> Option<Duration> {
    let (_, rest) = comment.split_once(sign)?;
    let (time, _) = rest.split_once(']')?;
    let mut seconds = 0.0;
    for part in time.trim().split(':') {
        seconds = seconds * 60.0 + part.parse::<f64>().ok().filter(|part| *part >= 0.0)?;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_in_comments_are_read() {
        let millis = |text: &str, sign| sign_in(text, sign).map(|time| time.as_millis());
        assert_eq!(millis("good [%clk 1:02:03]", "[%clk "), Some(3_723_000));
        assert_eq!(millis("[%eval 0.3] [%emt 0:00:05.5]", "[%emt "), Some(5_500));
        for text in ["", "[%clk ]", "[%clk 1:2", "[%clk -1:00]", "[%clk NaN]", "[%clk inf]"] {
            assert_eq!(millis(text, "[%clk "), None, "{text}");
        }
    }
}
