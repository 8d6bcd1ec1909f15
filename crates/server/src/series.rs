//! One game after the other between the same two: what was said goes along.

use std::collections::VecDeque;

use hansu_journal::load;
use hansu_play::{Entry, Start, State};
use hansu_protocol as wire;
use hansu_records::{GameId, Store};
use hansu_view as view;
use hansu_view::MOST_SAID;

/// How far back chat goes along.
const EARLIER_GAMES: usize = 5;

/// What was said in a game, and in those of its series before it, as far as the live game keeps it.
pub(crate) fn chat(store: &dyn Store, entries: &[Entry], start: &Start) -> VecDeque<wire::Said> {
    let mut said: VecDeque<wire::Said> =
        entries.iter().filter_map(|entry| view::said(entry, start)).collect();
    let mut before = start.series.as_ref().map(|series| series.previous.clone());
    for _ in 0..EARLIER_GAMES {
        let Some(id) = before.take().and_then(|id| id.parse::<GameId>().ok()) else { break };
        let Ok(entries) = load(store, id) else { break };
        let Ok(state) = State::replay(&entries) else { break };
        let Some(start) = state.start() else { break };
        for entry in entries.iter().rev() {
            if let Some(line) = view::said(entry, start) {
                said.push_front(line);
            }
        }
        before = start.series.as_ref().map(|series| series.previous.clone());
    }
    said.drain(..said.len().saturating_sub(MOST_SAID));
    said
}
