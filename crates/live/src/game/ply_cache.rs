//! Snapshots whose moves are cached as JSON.

use hansu_play::{Clocks, Ending, Millis, Sides, State};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::*;

/// The moves of a game as JSON, cached while clients keep joining: a thousand spectators who join
/// cost little more than one.
#[derive(Default)]
pub(super) struct PlyCache {
    kept: Vec<Box<RawValue>>,
    /// All of them as one JSON list, rebuilt when there are more.
    list: Option<Box<RawValue>>,
    /// The last event of the game when a snapshot was last made.
    used: u64,
}

/// [`ServerMessage::Snapshot`] with cached moves; a test checks that the text is the same.
#[derive(Serialize)]
#[serde(tag = "type", rename = "snapshot")]
struct SnapshotMessage<'a> {
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
    chat: Vec<wire::ChatMessage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    visibility: wire::Visibility,
}

impl PlyCache {
    /// The snapshot message: `standing`, a snapshot without moves, with the moves of the game.
    pub(super) fn snapshot(&mut self, standing: wire::Snapshot, state: &State) -> Text {
        self.used = state.seq();
        // All map keys of the protocol are strings, so serialisation cannot fail.
        let count = self.kept.len();
        let new = view::plies(state, count).filter_map(|ply| to_raw_value(&ply).ok());
        self.kept.extend(new);
        if self.list.is_none() || self.kept.len() > count {
            self.list = to_raw_value(&self.kept).ok();
        }
        text(&SnapshotMessage {
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

    /// Clears the cache after a takeback, and when no snapshot was made for [`RECENT`] events.
    pub(super) fn invalidate_on(&mut self, entry: &Entry) {
        let taken_back = matches!(entry.event, Event::TakenBack { .. });
        if taken_back || entry.seq > self.used + RECENT as u64 {
            *self = PlyCache::default();
        }
    }
}
