//! A client's view and a game's chat, in the form in which the judge compares them with the log.

use hansu_client::GameView;
use hansu_play::{Actor, Entry, Event, Start};
use hansu_protocol::{ChatMessage, Snapshot, Turn};

/// The number of chat messages that newcomers get.
const MOST_CHAT: usize = 100;

/// A client's view as a snapshot, with the chat that newcomers get.
pub(crate) fn to_snapshot(seen: &GameView) -> Snapshot {
    let seen = seen.clone();
    let mut offers = seen.offers;
    offers.sort_by_key(|offer| offer.what as usize);
    let chat = seen.chat[seen.chat.len().saturating_sub(MOST_CHAT)..].to_vec();
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

/// The chat message of an entry, if it is one.
pub(crate) fn chat_message(entry: &Entry, start: &Start) -> Option<ChatMessage> {
    let Event::Chatted { from, name, text } = &entry.event else { return None };
    let name = match from {
        Actor::White => start.names.white.clone(),
        Actor::Black => start.names.black.clone(),
        Actor::Both | Actor::System | Actor::Spectator => name.clone().unwrap_or_default(),
    };
    Some(ChatMessage { at: entry.at, from: *from, name, text: text.clone() })
}

/// The chat messages of a game that newcomers get.
pub(crate) fn chat(entries: &[Entry], start: &Start) -> Vec<ChatMessage> {
    let all: Vec<ChatMessage> =
        entries.iter().filter_map(|entry| chat_message(entry, start)).collect();
    all[all.len().saturating_sub(MOST_CHAT)..].to_vec()
}
