//! What a client shows, and the chat of a game, as the judge compares them with the log.

use hansu_client::Seen;
use hansu_play::{Actor, Entry, Event, Start};
use hansu_protocol::{Said, Snapshot, Turn};

/// What was said that a client keeps.
const MOST_SAID: usize = 100;

/// What a client shows, in the shape of the truth: with the chat that newcomers are told.
pub(crate) fn shown(seen: &Seen) -> Snapshot {
    let seen = seen.clone();
    let mut offers = seen.offers;
    offers.sort_by_key(|offer| offer.what as usize);
    let chat = seen.chat[seen.chat.len().saturating_sub(MOST_SAID)..].to_vec();
    Snapshot {
        seq: seen.seq,
        phase: seen.phase,
        start: seen.start,
        started: seen.started,
        first: seen.first,
        plies: seen.plies,
        clocks: seen.clocks,
        ticking: seen.ticking,
        ending: seen.ending,
        offers,
        left: seen.left,
        chat,
        next: seen.next,
        visibility: seen.visibility,
    }
}

pub(crate) fn side(color: hansu_chess::Color) -> Turn {
    match color {
        hansu_chess::Color::White => Turn::White,
        hansu_chess::Color::Black => Turn::Black,
    }
}

/// What somebody said, if an entry is that.
pub(crate) fn said(entry: &Entry, start: &Start) -> Option<Said> {
    let Event::Chatted { from, name, text } = &entry.event else { return None };
    let name = match from {
        Actor::White => start.names.white.clone(),
        Actor::Black => start.names.black.clone(),
        Actor::Both | Actor::System | Actor::Spectator => name.clone().unwrap_or_default(),
    };
    Some(Said { at: entry.at, from: *from, name, text: text.clone() })
}

/// The chat of a game, as far as newcomers are told.
pub(crate) fn chat(entries: &[Entry], start: &Start) -> Vec<Said> {
    let all: Vec<Said> = entries.iter().filter_map(|entry| said(entry, start)).collect();
    all[all.len().saturating_sub(MOST_SAID)..].to_vec()
}
