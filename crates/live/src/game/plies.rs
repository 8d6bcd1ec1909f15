//! A snapshot whose moves are text already.

use hansu_play::{Clocks, Ending, Millis, Sides, State};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::*;

/// The moves as JSON, kept while people keep coming: a thousand who come to watch a game are told it
/// for little more than the price of one.
#[derive(Default)]
pub(super) struct Plies {
    kept: Vec<Box<RawValue>>,
    /// All of them as a list, made anew when there are more.
    list: Option<Box<RawValue>>,
    /// The last event when somebody was told.
    told: u64,
}

/// [`ServerMessage::Snapshot`] with such moves: the same to the letter, as a test compares.
#[derive(Serialize)]
#[serde(tag = "type", rename = "snapshot")]
struct Greeting<'a> {
    seq: u64,
    phase: wire::Phase,
    start: Start,
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<Millis>,
    first: wire::Board,
    plies: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clocks: Option<Clocks>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ticking: Option<wire::Ticking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<Ending>,
    offers: Vec<wire::Offered>,
    left: Sides<Option<Millis>>,
    chat: Vec<wire::Said>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    visibility: wire::Visibility,
}

impl Plies {
    /// The message that tells all of a game: how it stands, and the moves.
    pub(super) fn snapshot(&mut self, standing: wire::Snapshot, state: &State) -> Text {
        self.told = state.seq();
        // All map keys of the protocol are strings, so serialisation cannot fail.
        let count = self.kept.len();
        let new = view::plies(state, count).filter_map(|ply| to_raw_value(&ply).ok());
        self.kept.extend(new);
        if self.list.is_none() || self.kept.len() > count {
            self.list = to_raw_value(&self.kept).ok();
        }
        text(&Greeting {
            seq: standing.seq,
            phase: standing.phase,
            start: standing.start,
            started: standing.started,
            first: standing.first,
            plies: self.list.as_deref(),
            clocks: standing.clocks,
            ticking: standing.ticking,
            ending: standing.ending,
            offers: standing.offers,
            left: standing.left,
            chat: standing.chat,
            next: standing.next,
            visibility: standing.visibility,
        })
    }

    #[cfg(test)]
    pub(super) fn is_kept(&self) -> bool {
        !self.kept.is_empty()
    }

    /// Something has happened: what is kept may be wrong, or kept for nobody.
    pub(super) fn heed(&mut self, entry: &Entry) {
        let taken_back = matches!(entry.event, Event::TakenBack { .. });
        if taken_back || entry.seq > self.told + RECENT as u64 {
            *self = Plies::default();
        }
    }
}
